// scripts/bench/Material.ts: the store that the sections copy: workspaces with the data each section needs, created by the
// program's own commands and API.
import { Effect, Schema } from "effect"
import { buildCampaign, apiClient } from "#test/support/api-client.ts"
import { lead, options, signatureText } from "./Leads.ts"
import { type Client, client, Id, until, written } from "./Client.ts"
import type { Email } from "./mock.ts"
import { startOverture } from "./Servers.ts"
import { command, profile, type Store } from "./Store.ts"

export interface Place {
  readonly workspace: string
  readonly key: string
  readonly campaign: string
}

interface Choosing {
  readonly key: string
  readonly campaign: string
  /** Options of its first step. */
  readonly options: ReadonlyArray<string>
}

export interface Material extends Store {
  /** A workspace that is only read: 100 signatures and a completed list. */
  readonly reads: Place & { readonly list: string }
  /** Campaigns with a step to select an option for. */
  readonly choosing: ReadonlyArray<Choosing>
  /** Built campaigns of several workspaces, since each workspace may have five single leads at once. */
  readonly singles: ReadonlyArray<Place>
  /** A built campaign with credits for millions of leads. Its workspace receives all other writes too. */
  readonly batches: Place
  /** The emails of the built-in writer for each of the first leads. */
  readonly emails: ReadonlyArray<ReadonlyArray<Email>>
}

const Key = Schema.Struct({ key: Schema.String })

const workspace = Effect.fnUntraced(function* (store: Store, name: string, ...more: ReadonlyArray<string>) {
  const owner = ["--owner-email", "owner@harbour-pine.example"]
  const { id } = yield* command(Id, store, "workspace", "create", "--name", name, "--plan", "scale", ...owner, ...more)
  return { workspace: id, key: (yield* command(Key, store, "key", "create", "--workspace", id)).key }
})

const Segments = Schema.Struct({
  data: Schema.Array(Schema.Struct({ id: Schema.String, segment_name: Schema.String }))
})
const Status = Schema.Struct({ stages: Schema.Struct({ target_audience: Schema.String }) })
const Options = Schema.Struct({ ready: Schema.Boolean, options: Schema.Array(Id) })

/** A campaign with an audience and no other selection. */
const begun = Effect.fnUntraced(function* (call: Client, key: string) {
  const { id: campaign } = yield* call(Id, "POST", "/campaigns", { name: "Bench" })
  const at = `/campaigns/${campaign}`
  const [target_audience] = (yield* call(Segments, "GET", "/target-audiences?limit=1")).data
  yield* call(Schema.Unknown, "POST", `${at}/target-audience`, { target_audience })
  yield* until(call(Status, "GET", `${at}/build-status`), ({ stages }) => stages.target_audience === "ready")
  const { options } = yield* until(call(Options, "GET", `${at}/assets/social_proof/options`), ({ ready }) => ready)
  return { key, campaign, options: options.map(({ id }) => id) } satisfies Choosing
})

/** Creates signatures. */
const sign = (call: Client, count: number) =>
  Effect.forEach(
    Array.from({ length: count }),
    () => call(Schema.Unknown, "POST", "/signatures", { signature_text: signatureText }),
    { concurrency: 16, discard: true }
  )

const Export = Schema.Struct({
  leads: Schema.Array(
    Schema.Struct({
      sequence: Schema.Array(Schema.Struct({ subject: Schema.String, body: Schema.String }))
    })
  )
})

/** The emails of a list, without the signature at the end of each. */
const unsigned = Effect.fnUntraced(function* (call: Client, list: string) {
  const { leads } = yield* call(Export, "GET", `/lists/${list}/export?format=json`)
  const under = `\n\n${signatureText}`
  return leads.map(({ sequence }) =>
    sequence.map(({ body, subject }): Email => ({
      subject,
      body: body.endsWith(under) ? body.slice(0, -under.length) : body
    }))
  )
})

/** The numbers of things to create. */
export interface Wanted {
  /** Leads that the model server has replies for. */
  readonly leads: number
  readonly singles: number
  readonly choosing: number
}

export const most = (all: ReadonlyArray<Partial<Wanted>>): Wanted => ({
  leads: Math.max(1, ...all.map(({ leads = 0 }) => leads)),
  singles: Math.max(1, ...all.map(({ singles = 0 }) => singles)),
  choosing: Math.max(0, ...all.map(({ choosing = 0 }) => choosing))
})

/** Leads of the list that the reads ask for. */
const listed = 25

export const fill = Effect.fnUntraced(function* (dataDir: string, wanted: Wanted) {
  const store = { dataDir, kept: true }
  const known = ["--profile", profile]
  const batches = yield* workspace(store, "Batches", ...known)
  const names = ["Reads", ...Array.from({ length: wanted.singles - 1 }, (_, i) => `Singles ${i}`)]
  const [reads, ...more] = yield* Effect.forEach(names, (name) => workspace(store, name, ...known))
  yield* command(Schema.Unknown, store, "credits", "grant", "--workspace", batches.workspace, "--amount", "10000000")
  return yield* Effect.scoped(
    Effect.gen(function* () {
      const server = yield* startOverture(store)
      const of = (key: string) => client(server, key)
      const place = (at: { readonly workspace: string; readonly key: string }) =>
        Effect.map(buildCampaign(apiClient(server.url, at.key)), (campaign): Place => ({ ...at, campaign }))
      const singles = yield* Effect.forEach([batches, ...more], place)
      const [first] = singles
      if (first === undefined || reads === undefined) return yield* Effect.die("No workspace")
      yield* sign(of(reads.key), 100)
      const read = yield* place(reads)
      const list = yield* written(of(read.key), read.campaign, listed)
      const source = yield* written(of(first.key), first.campaign, wanted.leads)
      const material: Material = {
        dataDir,
        reads: { ...read, list },
        choosing: yield* Effect.forEach(Array.from({ length: wanted.choosing }), () =>
          begun(of(batches.key), batches.key)
        ),
        singles,
        batches: first,
        emails: yield* unsigned(of(first.key), source)
      }
      return material
    })
  )
})

/** The body of a request for a single lead. */
export const single = (i: number) => JSON.stringify({ lead: lead(i), options })
