// scripts/chaos/Stage.ts: the server with a store, and all that it depends on, put up and taken down again.
import { Cause, Console, Effect, Exit } from "effect"
import { join } from "node:path"
import type { Dice } from "./Dice.ts"
import * as Disk from "./Disk.ts"
import type { Findings } from "./Findings.ts"
import * as Model from "./Model.ts"
import * as Post from "./Post.ts"
import * as Sites from "./Sites.ts"
import * as Server from "./Server.ts"
import { workspace, type World } from "./World.ts"

/** The file with a sample of the server in each line. */
export const samplesOf = ({ clock }: Disk.Disk) => `${clock}.samples`

/** With the data directory kept, and named, where something broke. */
export const make = Effect.fnUntraced(function* (options: {
  readonly dice: Dice
  readonly findings: Findings
  readonly limit: boolean
  readonly concurrency: number
  readonly plans: ReadonlyArray<string>
  /** Whether the server samples itself and writes emails without a model, so that it writes as many as it can. */
  readonly soak?: boolean
}) {
  const { dice, findings } = options
  const disk = yield* Disk.make(options.limit)
  yield* Effect.addFinalizer((exit) =>
    Effect.suspend(() => {
      const well = Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)
      return well && findings.all().length === 0
        ? Effect.void
        : Console.log(`The data directory is kept: ${disk.keep()}`)
    })
  )
  const model = yield* Model.make(dice.of("model"))
  const post = yield* Post.make
  const site = yield* Sites.make
  const server = yield* Server.make({
    data: disk.data,
    clock: disk.clock,
    modelUrl: model.url,
    smtpPort: post.port,
    concurrency: options.concurrency,
    env: options.soak
      ? { OVERTURE_GENERATOR: "builtin", CHAOS_SAMPLES: samplesOf(disk), CHAOS_STORE: join(disk.data, "overture.db") }
      : {},
    findings
  })
  yield* server.start
  const workspaces = yield* Effect.forEach(
    options.plans,
    (plan, index) => workspace({ disk, findings, server }, `Workspace ${index}`, plan),
    { concurrency: 2 }
  )
  return { findings, server, model, post, disk, site, workspaces } satisfies World
})
