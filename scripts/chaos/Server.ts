// scripts/chaos/Server.ts: starts, stops and kills the real server in its own process, and sets its clock wrong.
import { Effect, Exit, Scope, Semaphore } from "effect"
import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { killProgram, type Server as Running, serve } from "#test/support/process.ts"
import type { Findings } from "./Findings.ts"
import { modelApiKey } from "./Model.ts"

export interface Server {
  readonly url: () => string
  readonly pid: () => number | undefined
  /** Increases when the server starts, and when it stops or is killed. Odd while the server runs. */
  readonly phase: () => number
  readonly start: Effect.Effect<void>
  readonly kill: Effect.Effect<void>
  /** Sends SIGTERM, and checks that the server exits with 0 in time. */
  readonly stop: Effect.Effect<void>
  /** When the server was killed, by the monotonic clock. */
  readonly killTimes: ReadonlyArray<number>
  readonly clockOffsetMillis: () => number
  readonly setClockOffset: (millis: number) => void
  /** The log lines since the last call. */
  readonly newLogLines: () => ReadonlyArray<string>
}

/** The longest time that a graceful stop may take. */
const maxStopMillis = 30_000

export const make = Effect.fnUntraced(function* (options: {
  readonly data: string
  readonly clockFile: string
  readonly modelUrl: string
  readonly smtpPort: number
  readonly concurrency: number
  readonly env: Readonly<Record<string, string>>
  readonly findings: Findings
}) {
  const { findings } = options
  const preload = new URL("./Preload.ts", import.meta.url).href
  const env = {
    NODE_OPTIONS: `--import ${preload}`,
    CHAOS_CLOCK: options.clockFile,
    OPENAI_API_KEY: modelApiKey,
    OPENAI_BASE_URL: options.modelUrl,
    OVERTURE_MODEL: "tiny",
    SMTP_URL: `smtp://127.0.0.1:${options.smtpPort}`,
    OVERTURE_FETCH_ALLOW_PRIVATE: "true",
    OVERTURE_CONCURRENCY: String(options.concurrency),
    OVERTURE_LOG_FORMAT: "json",
    ...options.env
  }
  let running: Running | undefined
  let scope: Scope.Closeable | undefined
  let phase = 0
  let clockOffsetMillis = 0
  let logOffset = 0
  let pendingLines: Array<string> = []
  const killTimes: Array<number> = []
  /** Faults that run at the same time start and stop the server in turns. */
  const semaphore = yield* Semaphore.make(1)

  const setClock = (newOffsetMillis: number) => {
    clockOffsetMillis = newOffsetMillis
    writeFileSync(options.clockFile, String(newOffsetMillis))
  }
  setClock(0)

  const readLog = (includePartialLine: boolean) => {
    const log = running?.log() ?? ""
    const end = includePartialLine ? log.length : log.lastIndexOf("\n") + 1
    // Not push(...lines): a call takes about 125,000 arguments, and the server may log more.
    for (const line of log.slice(logOffset, end).split("\n")) pendingLines.push(line)
    logOffset = end
  }

  const closeServer = Effect.gen(function* () {
    readLog(true)
    if (scope !== undefined) yield* Scope.close(scope, Exit.void)
    running = undefined
    scope = undefined
    logOffset = 0
  })

  const tryStart = Effect.gen(function* () {
    const newScope = yield* Scope.make()
    const started = yield* Effect.exit(Effect.provideService(serve(options.data, env), Scope.Scope, newScope))
    if (Exit.isSuccess(started)) {
      running = started.value
      scope = newScope
      phase++
      return true
    }
    yield* Scope.close(newScope, Exit.void)
    if (!findings.isExcused("store", performance.now())) findings.report(`The server did not start: ${String(started)}`)
    return false
  })

  const killServer = Effect.gen(function* () {
    if (running === undefined) return
    phase++
    findings.begin("server")
    killTimes.push(performance.now())
    yield* killProgram(running)
    yield* closeServer
    findings.end("server")
  })

  const server: Server = {
    url: () => running?.url ?? "http://127.0.0.1:1",
    pid: () => running?.child.pid,
    phase: () => phase,
    killTimes,
    clockOffsetMillis: () => clockOffsetMillis,
    setClockOffset: setClock,
    start: Effect.gen(function* () {
      if (running !== undefined) return
      const startedAt = performance.now()
      for (let attempts = 0; !(yield* tryStart); attempts++) {
        if (attempts > 60) return yield* Effect.die(new Error("The server cannot be started again"))
        yield* Effect.sleep(500)
      }
      findings.recordMax("slowest start, ms", performance.now() - startedAt)
    }).pipe(semaphore.withPermit),
    kill: semaphore.withPermit(killServer),
    stop: Effect.gen(function* () {
      if (running === undefined) return
      const { child } = running
      phase++
      findings.begin("server")
      const startedAt = performance.now()
      const exit = once(child, "exit")
      child.kill("SIGTERM")
      const exited = yield* Effect.promise(() => exit).pipe(Effect.timeoutOption(maxStopMillis))
      findings.recordMax("slowest stop, ms", performance.now() - startedAt)
      if (exited._tag === "None") {
        findings.report(`The server was asked to stop and still ran ${maxStopMillis / 1000} s later`)
        killTimes.push(performance.now())
        yield* killProgram(running)
      } else if (exited.value[0] !== 0) findings.report(`The server was asked to stop and exited with ${exited.value}`)
      yield* closeServer
      findings.end("server")
    }).pipe(semaphore.withPermit),
    newLogLines: () => {
      readLog(false)
      const lines = pendingLines
      pendingLines = []
      return lines.filter((line) => line.trim() !== "")
    }
  }
  yield* Effect.addFinalizer(() => Effect.asVoid(killServer))
  return server
})
