// scripts/bench/TestData.ts: the store that the sections copy: workspaces with the data each section needs, created by the
// program's own commands and API.
import { Effect, Schema } from "effect"
import { buildCampaign, apiClient } from "#test/support/api-client.ts"
import { leadAt, writingOptions, signatureText } from "./Leads.ts"
import { type Client, makeClient, Id, pollUntil, runBatch } from "./Client.ts"
import type { Email } from "./mock.ts"
import { startOverture } from "./Servers.ts"
import { runCommand, profileFile, type Store } from "./Store.ts"

export interface CampaignAccess {
  readonly workspace: string
  readonly key: string
  readonly campaign: string
}

interface SelectionCampaign {
  readonly key: string
  readonly campaign: string
  /** Options of its first step. */
  readonly options: ReadonlyArray<string>
}

export interface TestData extends Store {
  /** A workspace that is only read: 100 signatures and a completed list. */
  readonly reads: CampaignAccess & { readonly list: string }
  /** Campaigns with a step to select an option for. */
  readonly selectionCampaigns: ReadonlyArray<SelectionCampaign>
  /** Built campaigns of several workspaces, since each workspace may have five single leads at once. */
  readonly singles: ReadonlyArray<CampaignAccess>
  /** A built campaign with credits for millions of leads. Its workspace receives all other writes too. */
  readonly batches: CampaignAccess
  /** The emails of the built-in writer for each of the first leads. */
  readonly emails: ReadonlyArray<ReadonlyArray<Email>>
}

const Key = Schema.Struct({ key: Schema.String })

const createWorkspace = Effect.fnUntraced(function* (store: Store, name: string, ...extraArgs: ReadonlyArray<string>) {
  const owner = ["--owner-email", "owner@harbour-pine.example"]
  const { id } = yield* runCommand(
    Id,
    store,
    "workspace",
    "create",
    "--name",
    name,
    "--plan",
    "scale",
    ...owner,
    ...extraArgs
  )
  return { workspace: id, key: (yield* runCommand(Key, store, "key", "create", "--workspace", id)).key }
})

const Segments = Schema.Struct({
  data: Schema.Array(Schema.Struct({ id: Schema.String, segment_name: Schema.String }))
})
const Status = Schema.Struct({ stages: Schema.Struct({ target_audience: Schema.String }) })
const Options = Schema.Struct({ ready: Schema.Boolean, options: Schema.Array(Id) })

/** A campaign with an audience and no other selection. */
const startCampaign = Effect.fnUntraced(function* (call: Client, key: string) {
  const { id: campaign } = yield* call(Id, "POST", "/campaigns", { name: "Bench" })
  const campaignPath = `/campaigns/${campaign}`
  const [target_audience] = (yield* call(Segments, "GET", "/target-audiences?limit=1")).data
  yield* call(Schema.Unknown, "POST", `${campaignPath}/target-audience`, { target_audience })
  yield* pollUntil(
    call(Status, "GET", `${campaignPath}/build-status`),
    ({ stages }) => stages.target_audience === "ready"
  )
  const { options } = yield* pollUntil(
    call(Options, "GET", `${campaignPath}/assets/social_proof/options`),
    ({ ready }) => ready
  )
  return { key, campaign, options: options.map(({ id }) => id) } satisfies SelectionCampaign
})

/** Creates signatures. */
const createSignatures = (call: Client, count: number) =>
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
const exportEmails = Effect.fnUntraced(function* (call: Client, list: string) {
  const { leads } = yield* call(Export, "GET", `/lists/${list}/export?format=json`)
  const signatureSuffix = `\n\n${signatureText}`
  return leads.map(({ sequence }) =>
    sequence.map(({ body, subject }): Email => ({
      subject,
      body: body.endsWith(signatureSuffix) ? body.slice(0, -signatureSuffix.length) : body
    }))
  )
})

/** How many leads, workspaces and campaigns to create. */
export interface TestDataSize {
  /** Leads that the model server has replies for. */
  readonly leads: number
  readonly singles: number
  readonly selectionCampaigns: number
}

export const largestSize = (sizes: ReadonlyArray<Partial<TestDataSize>>): TestDataSize => ({
  leads: Math.max(1, ...sizes.map(({ leads = 0 }) => leads)),
  singles: Math.max(1, ...sizes.map(({ singles = 0 }) => singles)),
  selectionCampaigns: Math.max(0, ...sizes.map(({ selectionCampaigns = 0 }) => selectionCampaigns))
})

/** Leads of the list that the reads ask for. */
const listLength = 25

export const createTestData = Effect.fnUntraced(function* (dataDir: string, size: TestDataSize) {
  const store = { dataDir, stopGracefully: true }
  const profileArgs = ["--profile", profileFile]
  const batches = yield* createWorkspace(store, "Batches", ...profileArgs)
  const names = ["Reads", ...Array.from({ length: size.singles - 1 }, (_, i) => `Singles ${i}`)]
  const [reads, ...singleWorkspaces] = yield* Effect.forEach(names, (name) =>
    createWorkspace(store, name, ...profileArgs)
  )
  yield* runCommand(Schema.Unknown, store, "credits", "grant", "--workspace", batches.workspace, "--amount", "10000000")
  return yield* Effect.scoped(
    Effect.gen(function* () {
      const server = yield* startOverture(store)
      const clientFor = (key: string) => makeClient(server, key)
      const buildCampaignIn = (workspaceKey: { readonly workspace: string; readonly key: string }) =>
        Effect.map(buildCampaign(apiClient(server.url, workspaceKey.key)), (campaign): CampaignAccess => ({
          ...workspaceKey,
          campaign
        }))
      const singles = yield* Effect.forEach([batches, ...singleWorkspaces], buildCampaignIn)
      const [batchesWithCampaign] = singles
      if (batchesWithCampaign === undefined || reads === undefined) return yield* Effect.die("No workspace")
      yield* createSignatures(clientFor(reads.key), 100)
      const readsWithCampaign = yield* buildCampaignIn(reads)
      const list = yield* runBatch(clientFor(readsWithCampaign.key), readsWithCampaign.campaign, listLength)
      const emailList = yield* runBatch(clientFor(batchesWithCampaign.key), batchesWithCampaign.campaign, size.leads)
      const testData: TestData = {
        dataDir,
        reads: { ...readsWithCampaign, list },
        selectionCampaigns: yield* Effect.forEach(Array.from({ length: size.selectionCampaigns }), () =>
          startCampaign(clientFor(batches.key), batches.key)
        ),
        singles,
        batches: batchesWithCampaign,
        emails: yield* exportEmails(clientFor(batchesWithCampaign.key), emailList)
      }
      return testData
    })
  )
})

/** The body of a request for a single lead. */
export const singleLeadBody = (i: number) => JSON.stringify({ lead: leadAt(i), options: writingOptions })
