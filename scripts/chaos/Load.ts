// scripts/chaos/Load.ts: callers at work, each with decisions of his own, until the round is over.
import { Array as Arr, Effect } from "effect"
import type { Dice } from "./Dice.ts"
import * as Errands from "./Errands.ts"
import * as Orders from "./Orders.ts"
import type { Workspace, World } from "./World.ts"

type Action = (world: World, workspace: Workspace, dice: Dice) => Effect.Effect<void>

/** What callers do, and how often beside the rest. */
const actions: Arr.NonEmptyReadonlyArray<readonly [weight: number, name: string, action: Action]> = [
  [10, "generate-batch", Orders.batch],
  [10, "generate", Orders.single(false)],
  [4, "generate, hung up", Orders.single(true)],
  [8, "export a list", Orders.exported],
  [4, "resume a list", Orders.resumed],
  [3, "delete a list", Orders.deleted],
  [6, "create a campaign", Errands.campaign],
  [6, "ask again under a key", Errands.repeated],
  [4, "preview", Errands.preview],
  [2, "build a campaign", Errands.build],
  [1, "branch", Errands.branch],
  [3, "import a site", Errands.importUrl],
  [3, "import a document", Errands.importDocument],
  [3, "chat", Errands.chat],
  [5, "save a signature", Errands.sign],
  [12, "look", Errands.look]
]
const all = Arr.flatMap(actions, ([weight, name, action]) => Arr.replicate({ name, action }, weight))
const callers = 4

export const run = (world: World, dice: Dice, until: number) =>
  Effect.forEach(
    world.workspaces.flatMap((workspace, w) =>
      Array.from({ length: callers }, (_, c) => ({ workspace, who: `${w}.${c}` }))
    ),
    ({ who, workspace }) =>
      Effect.gen(function* () {
        const own = dice.of(who)
        while (performance.now() < until) {
          const { action, name } = own.pick(all)
          world.findings.count(`did: ${name}`)
          yield* action(world, workspace, own.of(name + own.int(0, 1e9)))
          yield* Effect.sleep(own.int(0, 250))
        }
      }),
    { concurrency: "unbounded", discard: true }
  )
