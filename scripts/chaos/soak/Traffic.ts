// scripts/chaos/soak/Traffic.ts: the requests of a soak, repeated, which delete as much as they create.
import { Effect, Schedule } from "effect"
import { until } from "#test/support/until.ts"
import { build } from "#test/support/wire.ts"
import type { Call, Send, Tally } from "./Calls.ts"
import { documents, lead, questions } from "./Material.ts"

interface Rates {
  /** Requests a second beside the batches. */
  readonly perSecond: number
  readonly batch: number
  /** Seconds from one batch to the next. */
  readonly batchEvery: number
}

interface Place {
  readonly send: Send
  readonly tally: Tally
  /** The sites of companies, on loopback. */
  readonly sites: ReadonlyArray<string>
  /** Numbers from 0 to 1, the same in each run. */
  readonly random: () => number
}

const writing = { email_count: 3, email_signature: "Dana Whitlock\\nHarbour & Pine Analytics" }
/** The name of the lists of single leads, by which they are deleted. */
const alone = "Alone"
const isDone = ({ body }: { readonly body: any }) => body?.completed_at !== undefined
const ok = [200, 201, 202, 204]

/** No more than five at once for a workspace, and those whose callers hung up count. */
export const single = (campaign: string, at: number): Call => ({
  method: "POST",
  path: `/campaigns/${campaign}/generate`,
  body: { lead: lead(at), options: { ...writing, list_name: alone } },
  expect: [200, 429]
})

const pick = <A>(all: ReadonlyArray<A>, random: () => number): A => {
  const found = all[Math.floor(random() * all.length)]
  if (found === undefined) throw new Error("Nothing to pick from")
  return found
}

/** Sends a batch and waits for its end. */
const batch = Effect.fnUntraced(function* (
  { send, sites, tally }: Place,
  campaign: string,
  count: number,
  rich: boolean
) {
  const leads = Array.from({ length: count }, () => {
    const at = tally.leads++
    return lead(at, rich ? sites[at % sites.length] : undefined)
  })
  const options = { ...writing, enrichment_enabled: rich, notification_email: "ann@sales.example" }
  const path = `/campaigns/${campaign}/generate-batch`
  const { body } = yield* send({ method: "POST", path, body: { leads, options }, expect: ok })
  const get = send({ method: "GET", path: `/lists/${body.list_id}`, expect: ok })
  const done = yield* get.pipe(
    Effect.repeat({ until: isDone, schedule: Schedule.spaced("250 millis") }),
    Effect.timeoutOption("10 minutes")
  )
  if (done._tag === "None") tally.surprises.set("A batch was not done in ten minutes", 1)
  return body.list_id as string
})

/** Lists of every size that stay, to be read and exported. */
interface Standing {
  readonly campaign: string
  readonly lists: ReadonlyArray<string>
}

const wireOf = (send: Send) => ({
  send: (method: string, path: string, body?: unknown) =>
    Effect.map(send({ method, path, body, expect: [...ok, 409] }), (answer) => ({ ...answer, headers: new Headers() }))
})

export const settle = Effect.fnUntraced(function* (place: Place) {
  const campaign = yield* build(wireOf(place.send))
  const lists = yield* Effect.forEach([1, 25, 200, 1000], (count) => batch(place, campaign, count, false))
  return { campaign, lists }
})

const batches = (place: Place, { campaign }: Standing, { batch: most, batchEvery }: Rates) => {
  let turn = 0
  return Effect.gen(function* () {
    const rich = ++turn % 4 === 0
    const list = yield* batch(place, campaign, rich ? Math.ceil(most / 5) : most, rich)
    for (const format of ["csv", "json"])
      yield* place.send({ method: "GET", path: `/lists/${list}/export?format=${format}`, expect: ok })
    yield* place.send({ method: "DELETE", path: `/lists/${list}`, expect: ok })
  }).pipe(Effect.repeat(Schedule.fixed(batchEvery * 1000)))
}

/** A campaign from its creation to its deletion, with what is asked about it. */
const campaigns = ({ send, random, tally }: Place) =>
  Effect.gen(function* () {
    const campaign = yield* build(wireOf(send))
    yield* send(single(campaign, tally.leads++))
    let conversation_id: string | undefined
    for (let turn = 0; turn < 5; turn++) {
      const body = { campaign_id: campaign, conversation_id, message: pick(questions, random) }
      conversation_id = (yield* send({ method: "POST", path: "/agent/chat", body, expect: ok })).body?.conversation_id
    }
    yield* send({ method: "GET", path: `/conversations/${conversation_id}/messages`, expect: ok })
    const branch = { name: "Branch", branch_from_step: "value-propositions" }
    const branched = yield* send({ method: "POST", path: `/campaigns/${campaign}/branch`, body: branch, expect: ok })
    for (const id of [branched.body?.id, campaign])
      yield* send({ method: "DELETE", path: `/campaigns/${id}`, expect: [...ok, 409, 422] })
  }).pipe(Effect.repeat(Schedule.spaced("5 seconds")))

/** Deletes the lists of single leads, those of callers who hung up among them. */
export const swept = Effect.fnUntraced(function* (send: Send) {
  const { body } = yield* send({ method: "GET", path: "/lists?status=completed&limit=100", expect: ok })
  for (const { custom_name, id } of body?.lists ?? []) {
    if (custom_name !== alone) continue
    yield* send({ method: "DELETE", path: `/lists/${id}`, expect: [...ok, 404] })
  }
})

const sweep = ({ send }: Place) => Effect.repeat(swept(send), Schedule.spaced("3 seconds"))

/** Imports files and sites, and repeats the research of the workspace. Waits for each. */
const imports = ({ random, send, sites }: Place) => {
  let turn = 0
  return Effect.gen(function* () {
    const { bytes, name } = pick(documents, random)
    const body = new FormData()
    body.append("file", new File([bytes], name))
    const file: Call = { method: "POST", path: "/workspace/imports/document", body, expect: ok }
    const site: Call = {
      method: "POST",
      path: "/workspace/imports/url",
      body: { url: pick(sites, random) },
      expect: ok
    }
    const anew: Call = { method: "POST", path: "/workspace/regenerate", expect: [...ok, 409] }
    turn++
    const { body: job } = yield* send(turn % 20 === 0 ? anew : turn % 4 === 0 ? site : file)
    if (job?.id === undefined) return
    yield* until(
      send({ method: "GET", path: `/jobs/${job.id}`, expect: ok }),
      (answer) => answer.status !== 200 || /completed|failed/.test(answer.body.status)
    )
  }).pipe(Effect.repeat(Schedule.spaced("1 second")))
}

/**
 * Who waits while something is written, and asks again when it is there: single leads, previews, and one who hangs up. A
 * machine that is busy with other things so gets fewer of them, and no queue that only grows.
 */
const writers = ({ random, send, tally }: Place, { campaign }: Standing) => {
  const path = `/campaigns/${campaign}`
  const generate = (hangUpAfter?: number) =>
    send({ ...single(campaign, tally.leads++), ...(hangUpAfter === undefined ? {} : { hangUpAfter }) })
  const preview = Effect.suspend(() =>
    send({
      method: "POST",
      path: `${path}/preview`,
      headers: { "idempotency-key": `soak-${random()}` },
      body: { sample: { headers: ["Email", "First name", "Company", "Title"] }, options: writing },
      expect: [200]
    })
  )
  const patient = Effect.suspend(() => generate())
  const hungUp = Effect.suspend(() => generate(1 + Math.floor(random() * 20)))
  return Effect.all(
    [
      patient.pipe(Effect.repeat(Schedule.spaced("300 millis"))),
      patient.pipe(Effect.repeat(Schedule.spaced("700 millis"))),
      hungUp.pipe(Effect.repeat(Schedule.spaced("2 seconds"))),
      preview.pipe(Effect.repeat(Schedule.spaced("2 seconds")))
    ],
    { concurrency: "unbounded", discard: true }
  )
}

/** One thing after another that a client does, right or wrong, as often as each stands here. */
const requests = ({ random, send }: Place, { campaign, lists }: Standing): ReadonlyArray<Effect.Effect<unknown>> => {
  const get = (path: string, expect = [200]) => send({ method: "GET", path, expect })
  const at = `/campaigns/${campaign}`
  const reads = [
    "/signatures?limit=10",
    "/lists?limit=20",
    "/campaigns",
    "/credits",
    "/credits/check?required=5",
    "/workspace",
    "/workspace/documents",
    "/target-audiences",
    "/conversations",
    `${at}/build-status`,
    `${at}/selections`,
    `${at}/documents`,
    `${at}/assets/social_proof/options`
  ]
  const signature = Effect.gen(function* () {
    const body = { signature_text: `Dana Whitlock\nHarbour ${Math.floor(random() * 1e6)}` }
    const made = yield* send({ method: "POST", path: "/signatures", body, expect: [201] })
    const path = `/signatures/${made.body?.id}`
    yield* send({ method: "PUT", path, body: { signature_text: "Dana" }, expect: [200] })
    yield* send({ method: "DELETE", path, expect: ok })
  })
  const exported = Effect.suspend(() =>
    get(`/lists/${pick(lists, random)}/export?format=${pick(["csv", "json"], random)}`)
  )
  const wrong: ReadonlyArray<Call> = [
    { method: "POST", path: "/signatures", body: "{", expect: [400] },
    { method: "POST", path: "/signatures", body: { signature_text: 7 }, expect: [400] },
    { method: "POST", path: "/signatures", body: "x".repeat(1_200_000), expect: [400] },
    { method: "GET", path: "/nowhere", expect: [404] },
    { method: "GET", path: "/lists/01890000-0000-7000-8000-000000000000", expect: [404] },
    { method: "GET", path: "/lists", headers: { authorization: "Bearer ovk_none" }, expect: [401] }
  ]
  const read = Effect.suspend(() => get(pick(reads, random)))
  const refused = Effect.suspend(() => send(pick(wrong, random)))
  const times = (count: number, effect: Effect.Effect<unknown>) => Array.from({ length: count }, () => effect)
  return [...times(66, read), ...times(4, signature), ...times(5, exported), ...times(6, refused)]
}

/** So many a second, however long each takes; with many under way one is left out rather than let wait. */
const paced = (place: Place, standing: Standing, perSecond: number) =>
  Effect.gen(function* () {
    const all = requests(place, standing)
    let under = 0
    let due = performance.now()
    const done = Effect.sync(() => void under--)
    return yield* Effect.forever(
      Effect.gen(function* () {
        for (; due <= performance.now(); due += 1000 / perSecond) {
          if (under >= 64) continue
          under++
          yield* Effect.forkChild(Effect.ensuring(pick(all, place.random), done))
        }
        yield* Effect.sleep("10 millis")
      })
    )
  })

/** Everything at once; it has no end of its own. */
export const traffic = (main: Place, beside: Place, standing: Standing, rates: Rates) =>
  Effect.all(
    [
      batches(main, standing, rates),
      campaigns(main),
      sweep(main),
      imports(beside),
      writers(main, standing),
      paced(main, standing, rates.perSecond)
    ],
    { concurrency: "unbounded", discard: true }
  )
