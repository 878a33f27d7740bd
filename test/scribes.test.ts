// test/scribes.test.ts: the threads that write: what they write, and what becomes of a lead that one of them ends at.
import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Result } from "effect"
import { TestClock } from "effect/testing"
import { readdirSync, readFileSync } from "node:fs"
import { getPriority } from "node:os"
import { Worker } from "node:worker_threads"
import { write } from "#layers/generator/builtin/Sequence.ts"
import type { Delivery } from "#layers/generator/builtin/Scribe.ts"
import * as Scribes from "#layers/generator/builtin/Scribes.ts"
import type { Brief, Campaign } from "#layers/Generator.ts"
import { provenance } from "#layers/generator/Provenance.ts"
import { noDetails } from "#schema/Details.ts"
import { profile } from "#src/demo/Workspace.ts"
import { unchosen, undescribed } from "./support/audiences.ts"

const campaign = (): Campaign => ({
  profile: { ...noDetails, ...profile },
  audience: {
    ...undescribed,
    segment_name: "Importers",
    industry_vertical: "Wholesale",
    decision_makers: "Finance directors"
  },
  ...unchosen
})

const one = campaign()

const brief = (name: string, at = 0, of = one): Brief => ({
  campaign: of,
  instructions: "",
  lead: { email: `${name.toLowerCase()}@oak${at}.example`, name: `${name}`, title: "CFO", company: `Oak ${at} Ltd` },
  facts: [],
  email_count: 2,
  additional_details: null,
  approved_ctas: [],
  seed: `list:${at}`
})

const names = (count: number, odd: string, at: number) =>
  Array.from({ length: count }, (_, i) => brief(i === at ? odd : "Ann", i))

const deadly = () => new Worker(new URL("./support/scribe.ts", import.meta.url), { stdout: true, stderr: true })

/** Where in them those are that were not written to. */
const unwritten = (results: ReadonlyArray<Result.Result<unknown, unknown>>) =>
  results.flatMap((result, at) => (Result.isFailure(result) ? [at] : []))

it.live("a thread writes word for word what the writer writes, campaign by campaign", () =>
  Effect.gen(function* () {
    const sequence = yield* Scribes.make()
    // More campaigns than a thread keeps in mind, and back to the first.
    const briefs = [...Array.from({ length: 120 }, (_, at) => brief("Ann", at, campaign())), brief("Bob"), brief("Bob")]
    const found = yield* Effect.forEach(briefs, sequence, { concurrency: 30 })
    for (const [at, order] of briefs.entries()) {
      const expected = write(order)
      if ("failing" in expected) return assert.fail(expected.failing)
      const restsOn = provenance(order)
      assert.deepStrictEqual(
        found[at],
        expected.emails.map((email) => ({ ...email, sources: restsOn(email) }))
      )
    }
  })
)

/** How far each thread of this process stands back for others: as `nice` counts it. */
const niceness = () =>
  readdirSync("/proc/self/task").map((id) => {
    const [, after = ""] = readFileSync(`/proc/self/task/${id}/stat`, "utf8").split(") ")
    return Number(after.split(" ")[16])
  })

it.live.runIf(process.platform === "linux")("a thread that writes stands back for the one that answers", () =>
  Effect.gen(function* () {
    const before = getPriority()
    const sequence = yield* Scribes.make()
    yield* sequence(brief("Ann"))
    assert.include(niceness(), 10)
    assert.strictEqual(getPriority(), before)
  })
)

it.live("a lead that ends its thread fails, and those beside it are written to", () =>
  Effect.gen(function* () {
    const sequence = yield* Scribes.make(deadly)
    const attempt = (order: Brief) => Effect.result(sequence(order))
    const results = yield* Effect.forEach(names(20, "Nora", 5), attempt, { concurrency: "unbounded" })
    assert.deepStrictEqual(unwritten(results), [5])
    assert.deepInclude(yield* Effect.flip(sequence(brief("Nora"))), {
      message: "An internal error; see the server's log",
      transient: false
    })
    assert.lengthOf(yield* sequence(brief("Ann")), 2)
  })
)

it.effect("a lead that its thread never comes back from fails in time, and those beside it are written to", () =>
  Effect.gen(function* () {
    let hanging = 0
    const sequence = yield* Scribes.make(() =>
      deadly().on("message", ({ id }: Delivery) => {
        if (id < 0) hanging++
      })
    )
    const work = yield* Effect.forEach(names(10, "Vera", 3), (order) => Effect.result(sequence(order)), {
      concurrency: "unbounded"
    }).pipe(Effect.forkChild)
    while (work.pollUnsafe() === undefined) {
      for (; hanging > 0; hanging--) yield* TestClock.adjust("30 seconds")
      yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 20)))
    }
    assert.deepStrictEqual(unwritten(yield* Fiber.join(work)), [3])
  })
)

it.live("a lead at which the writer breaks fails alone, and one that no thread can be told of", () =>
  Effect.gen(function* () {
    const sequence = yield* Scribes.make()
    const broken = { ...brief("Ann"), lead: null } as never
    const untold = { ...brief("Ann"), seed: () => "" } as never
    const results = yield* Effect.forEach(
      [brief("Ann"), broken, brief("Ann", 1), untold, brief("Ann", 2)],
      (order: Brief) => Effect.result(sequence(order)),
      { concurrency: "unbounded" }
    )
    assert.deepStrictEqual(unwritten(results), [1, 3])
  })
)
