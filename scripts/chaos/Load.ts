// scripts/chaos/Load.ts: callers that send requests until the round ends, each with its own random decisions.
import { Array as Arr, Effect } from "effect"
import type { SeededRandom } from "./SeededRandom.ts"
import * as OtherActions from "./OtherActions.ts"
import * as ListActions from "./ListActions.ts"
import type { Workspace, Environment } from "./Environment.ts"

type Action = (environment: Environment, workspace: Workspace, random: SeededRandom) => Effect.Effect<void>

/** The actions of callers, with their relative frequency. */
const actions: Arr.NonEmptyReadonlyArray<readonly [weight: number, name: string, action: Action]> = [
  [10, "generate-batch", ListActions.requestBatch],
  [10, "generate", ListActions.requestSingle(false)],
  [4, "generate, hung up", ListActions.requestSingle(true)],
  [8, "export a list", ListActions.exportList],
  [4, "resume a list", ListActions.resumeList],
  [3, "delete a list", ListActions.deleteList],
  [6, "create a campaign", OtherActions.createCampaign],
  [6, "ask again under a key", OtherActions.repeatRequest],
  [4, "preview", OtherActions.createPreview],
  [2, "build a campaign", OtherActions.buildCampaign],
  [1, "branch", OtherActions.branchCampaign],
  [3, "import a site", OtherActions.importUrl],
  [3, "import a document", OtherActions.importDocument],
  [3, "chat", OtherActions.chat],
  [5, "save a signature", OtherActions.saveSignature],
  [12, "look", OtherActions.readPage]
]
const weightedActions = Arr.flatMap(actions, ([weight, name, action]) => Arr.replicate({ name, action }, weight))
const callersPerWorkspace = 4

export const run = (environment: Environment, random: SeededRandom, endsAt: number) =>
  Effect.forEach(
    environment.workspaces.flatMap((workspace, w) =>
      Array.from({ length: callersPerWorkspace }, (_, c) => ({ workspace, callerName: `${w}.${c}` }))
    ),
    ({ callerName, workspace }) =>
      Effect.gen(function* () {
        const callerRandom = random.stream(callerName)
        while (performance.now() < endsAt) {
          const { action, name } = callerRandom.pick(weightedActions)
          environment.findings.count(`did: ${name}`)
          yield* action(environment, workspace, callerRandom.stream(name + callerRandom.int(0, 1e9)))
          yield* Effect.sleep(callerRandom.int(0, 250))
        }
      }),
    { concurrency: "unbounded", discard: true }
  )
