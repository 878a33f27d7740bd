// scripts/chaos/Setup.ts: starts the server with a store, a model, a mail server and sites, and stops them afterwards.
import { Cause, Console, Effect, Exit } from "effect"
import { join } from "node:path"
import type { SeededRandom } from "./SeededRandom.ts"
import * as Disk from "./Disk.ts"
import type { Findings } from "./Findings.ts"
import * as Model from "./Model.ts"
import * as Mail from "./Mail.ts"
import * as Sites from "./Sites.ts"
import * as Server from "./Server.ts"
import { createWorkspace, type Environment } from "./Environment.ts"

/** The file with a sample of the server in each line. */
export const samplesFile = ({ clockFile }: Disk.Disk) => `${clockFile}.samples`

/** Starts server, model and mail of one run. Keeps the data directory, and prints its path, if something broke. */
export const make = Effect.fnUntraced(function* (options: {
  readonly random: SeededRandom
  readonly findings: Findings
  readonly limitFileSize: boolean
  readonly concurrency: number
  readonly plans: ReadonlyArray<string>
  /** Whether the server samples itself and writes emails without a model, so that it writes as many as it can. */
  readonly soak?: boolean
}) {
  const { random, findings } = options
  const disk = yield* Disk.make(options.limitFileSize)
  yield* Effect.addFinalizer((exit) =>
    Effect.suspend(() => {
      const passed = Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)
      return passed && findings.all().length === 0
        ? Effect.void
        : Console.log(`The data directory is kept: ${disk.keep()}`)
    })
  )
  const model = yield* Model.make(random.stream("model"))
  const mail = yield* Mail.make
  const site = yield* Sites.start
  const server = yield* Server.make({
    data: disk.data,
    clockFile: disk.clockFile,
    modelUrl: model.url,
    smtpPort: mail.port,
    concurrency: options.concurrency,
    env: options.soak
      ? { OVERTURE_GENERATOR: "builtin", CHAOS_SAMPLES: samplesFile(disk), CHAOS_STORE: join(disk.data, "overture.db") }
      : {},
    findings
  })
  yield* server.start
  const workspaces = yield* Effect.forEach(
    options.plans,
    (plan, index) => createWorkspace({ disk, findings, server }, `Workspace ${index}`, plan),
    { concurrency: 2 }
  )
  return { findings, server, model, mail, disk, site, workspaces } satisfies Environment
})
