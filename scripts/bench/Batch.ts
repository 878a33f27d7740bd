// scripts/bench/Batch.ts: leads a second of a batch, beside plain transactions on the same disk, and what reads feel of it.
import { Clock, Effect, Schedule, Schema } from "effect"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { beside, type Load } from "./Loader.ts"
import type { Outcome } from "./load.ts"
import type { Server, Store } from "./Servers.ts"

const Any = Schema.Record(Schema.String, Schema.Unknown)

/** Calls the API and reads some of the answer. */
const api =
  (server: Server, key: string) =>
  <S extends Schema.Codec<unknown, unknown>>(answer: S, method: string, path: string, body?: unknown) =>
    Effect.promise(async () => {
      const response = await fetch(`http://127.0.0.1:${server.port}/api/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
      const text = await response.text()
      if (!response.ok) throw new Error(`${method} ${path}: ${text}`)
      return text
    }).pipe(Effect.flatMap(Schema.decodeEffect(Schema.fromJsonString(answer))), Effect.orDie)
type Api = ReturnType<typeof api>

/** Asks again until `done` holds of the answer. */
const until = <A>(ask: Effect.Effect<A>, done: (answer: A) => boolean): Effect.Effect<A> =>
  Effect.repeat(ask, { until: done, schedule: Schedule.spaced("25 millis") }).pipe(
    Effect.timeout("60 seconds"),
    Effect.orDie
  )

/** A campaign as a person would build it, with the first option of every step. */
const build = Effect.fnUntraced(function* (call: Api) {
  const Id = Schema.Struct({ id: Schema.String })
  const { id } = yield* call(Id, "POST", "/campaigns", { name: "Bench" })
  const segments = Schema.Struct({
    data: Schema.Array(Schema.Struct({ id: Schema.String, segment_name: Schema.String }))
  })
  const [target_audience] = (yield* call(segments, "GET", "/target-audiences?limit=1")).data
  yield* call(Any, "POST", `/campaigns/${id}/target-audience`, { target_audience })

  const Options = Schema.Struct({ ready: Schema.Boolean, options: Schema.Array(Id) })
  const select = Effect.fnUntraced(function* (type: string) {
    const path = `/campaigns/${id}/assets/${type}`
    const { options } = yield* until(call(Options, "GET", `${path}/options`), (answer) => answer.ready)
    yield* call(Any, "PUT", `${path}/selection`, { selected_ids: options.slice(0, 1).map((option) => option.id) })
  })
  yield* select("social_proof")
  yield* select("lead_magnet")
  yield* select("risk_reversal")
  yield* call(Any, "POST", `/campaigns/${id}/assets/value_proposition/generate`)
  yield* select("value_proposition")
  const Status = Schema.Struct({ overall: Schema.String })
  yield* until(call(Status, "GET", `/campaigns/${id}/build-status`), ({ overall }) => overall === "ready")
  return id
})

const first = ["Maria", "Jonas", "Priya", "Tom", "Aiko", "Lena", "Omar", "Grace", "Pavel", "Ines"]
const last = ["Keller", "Okafor", "Silva", "Novak", "Brandt", "Hughes", "Moreau", "Rossi", "Lind", "Chen", "Adeyemi"]
const titles = ["Head of Operations", "VP Sales", "Founder", "Marketing Director", "Operations Manager", "CFO", "COO"]
const fields = ["Logistics", "Dental", "Foods", "Energy", "Textiles", "Robotics", "Travel", "Clinics", "Software"]

const lead = (i: number) => {
  const name = `${first[i % first.length]} ${last[i % last.length]}`
  const company = `${last[(i * 7) % last.length]} ${fields[i % fields.length]}`
  const domain = `${company.toLowerCase().replace(" ", "-")}-${i}.example`
  return {
    email: `lead${i}@${domain}`,
    name,
    title: titles[i % titles.length],
    company,
    company_website: `https://${domain}`
  }
}

/** Sends a batch and follows it to its end. */
const batch = Effect.fnUntraced(function* (call: Api, campaign: string, count: number) {
  const began = yield* Clock.currentTimeMillis
  const { list_id } = yield* call(
    Schema.Struct({ list_id: Schema.String }),
    "POST",
    `/campaigns/${campaign}/generate-batch`,
    {
      leads: Array.from({ length: count }, (_, i) => lead(i)),
      options: { email_count: 3, email_signature: "Dana Whitlock\\nHarbour & Pine Analytics" }
    }
  )
  const accepted = yield* Clock.currentTimeMillis
  const List = Schema.Struct({ processing_status: Schema.String, emails_created: Schema.optionalKey(Schema.Int) })
  const { emails_created = 0, processing_status } = yield* until(
    call(List, "GET", `/lists/${list_id}`),
    (list) => list.processing_status === "completed" || list.processing_status === "failed"
  )
  const ended = yield* Clock.currentTimeMillis
  if (processing_status === "failed") return yield* Effect.die(new Error("The batch failed"))
  const File = Schema.Struct({ leads: Schema.Array(Schema.Struct({ sequence: Schema.Unknown })) })
  const { leads } = yield* call(File, "GET", `/lists/${list_id}/export?format=json`)
  const bytes = leads.reduce((sum, { sequence }) => sum + JSON.stringify(sequence).length, 0)
  return {
    leads_per_second: (count / (ended - began)) * 1000,
    accepted_ms: accepted - began,
    emails_created,
    sequence_bytes: Math.round(bytes / leads.length)
  }
})

/** As many transactions as there are leads, each an INSERT of what would be written and an UPDATE, and nothing else. */
const plain = (directory: string, count: number, bytes: number) =>
  Effect.gen(function* () {
    const db = new DatabaseSync(join(directory, `plain-${count}.db`))
    db.exec(`
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      CREATE TABLE done (id INTEGER PRIMARY KEY, sequence TEXT NOT NULL);
      CREATE TABLE counts (id INTEGER PRIMARY KEY, n INTEGER NOT NULL);
      INSERT INTO counts VALUES (1, 0);
    `)
    const insert = db.prepare("INSERT INTO done (sequence) VALUES (?)")
    const update = db.prepare("UPDATE counts SET n = n + 1 WHERE id = 1")
    const begin = db.prepare("BEGIN IMMEDIATE")
    const commit = db.prepare("COMMIT")
    const text = "x".repeat(bytes)
    const began = yield* Clock.currentTimeMillis
    for (let i = 0; i < count; i++) {
      begin.run()
      insert.run(text)
      update.run()
      commit.run()
    }
    const ended = yield* Clock.currentTimeMillis
    db.close()
    return (count / (ended - began)) * 1000
  })

export interface Written {
  readonly leads: number
  /** Reads that came in meanwhile, a second. */
  readonly reads_beside: number
  readonly leads_per_second: number
  readonly plain_per_second: number
  /** Until the request was answered. */
  readonly accepted_ms: number
  readonly emails_created: number
  /** What was written to one lead, as JSON. */
  readonly sequence_bytes: number
}

export interface Felt {
  readonly idle: Outcome
  readonly during: Outcome
}

const readsBeside = 50

export const run = Effect.fnUntraced(function* (
  load: Load,
  server: Server,
  store: Store,
  directory: string,
  options: { readonly counts: readonly [number, number]; readonly idleMillis: number }
) {
  const call = api(server, store.batches)
  const campaign = yield* build(call)
  const request = { method: "GET", path: "/api/v1/signatures?limit=10", key: store.reads } as const
  const reads = { port: server.port, request, perSecond: readsBeside }

  const [few, many] = options.counts
  const alone = yield* batch(call, campaign, few)
  const plainFew = yield* plain(directory, few, alone.sequence_bytes)
  const { outcome: idle } = yield* beside(load, reads, Effect.sleep(options.idleMillis))
  const { outcome: during, result: busy } = yield* beside(load, reads, batch(call, campaign, many))
  const plainMany = yield* plain(directory, many, busy.sequence_bytes)
  const written: ReadonlyArray<Written> = [
    { leads: few, reads_beside: 0, ...alone, plain_per_second: plainFew },
    { leads: many, reads_beside: readsBeside, ...busy, plain_per_second: plainMany }
  ]
  return { written, felt: { idle, during } satisfies Felt }
})
