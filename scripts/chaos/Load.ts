// scripts/chaos/Load.ts: callers at work, each with decisions of his own, until the round is over.
import { Effect } from "effect"
import type { Dice } from "../Dice.ts"
import * as Errands from "./Errands.ts"
import * as Orders from "./Orders.ts"
import type { Workspace, World } from "./World.ts"

type Action = (world: World, workspace: Workspace, dice: Dice) => Effect.Effect<void>

/** What callers do, and how often beside the rest. */
const actions: Readonly<Record<string, readonly [weight: number, action: Action]>> = {
  "generate-batch": [10, Orders.batch],
  generate: [10, Orders.single(false)],
  "generate, hung up": [4, Orders.single(true)],
  "export a list": [8, Orders.exported],
  "resume a list": [4, Orders.resumed],
  "delete a list": [3, Orders.deleted],
  "create a campaign": [6, Errands.campaign],
  "ask again under a key": [6, Errands.repeated],
  preview: [4, Errands.preview],
  "build a campaign": [2, Errands.build],
  branch: [1, Errands.branch],
  "import a site": [3, Errands.importUrl],
  "import a document": [3, Errands.importDocument],
  chat: [3, Errands.chat],
  "save a signature": [5, Errands.sign],
  look: [12, Errands.look]
}
const all = Object.entries(actions).flatMap(([name, [weight, action]]) =>
  Array.from({ length: weight }, () => ({ name, action }))
)
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
          const { action, name } = own.pick([all[0]!, ...all.slice(1)])
          world.findings.count(`did: ${name}`)
          yield* action(world, workspace, own.of(name + own.int(0, 1e9)))
          yield* Effect.sleep(own.int(0, 250))
        }
      }),
    { concurrency: "unbounded", discard: true }
  )
