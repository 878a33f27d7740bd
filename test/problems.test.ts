// test/problems.test.ts: what the console says of a call that came to nothing.
import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { toProblem, run } from "#console/Api.ts"
import { make } from "#client/Client.ts"
import { freePort } from "#test/support/listening.ts"
import { startSite } from "#test/support/site.ts"

const clientAt = (port: number) => make({ baseUrl: `http://127.0.0.1:${port}`, key: Redacted.make("ovk_key") })

/** The code of what it is refused with. */
const codeOf = (calls: Effect.Effect<unknown, unknown>) =>
  Effect.promise(() => run(calls).catch((error: unknown) => toProblem(error).code))

it.live("tells a server that is gone from one that says something else, also where an earlier call was answered", () =>
  Effect.gen(function* () {
    const there = yield* startSite((_, response) =>
      response.setHeader("content-type", "application/json").end('{"status":"ok","version":"0.1.0"}')
    )
    const other = yield* startSite((_, response) => response.setHeader("content-type", "text/html").end("<p>Hello</p>"))
    const [up, wrong, down] = yield* Effect.all([
      clientAt(there.port),
      clientAt(other.port),
      Effect.flatMap(Effect.promise(freePort), clientAt)
    ])
    assert.strictEqual(yield* codeOf(down.health()), "UNREACHABLE")
    assert.strictEqual(yield* codeOf(wrong.health()), "UNEXPECTED")
    assert.strictEqual(yield* codeOf(Effect.andThen(up.health(), down.health())), "UNREACHABLE")
  })
)
