// scripts/chaos/Soak.ts: load without faults until a leak would show in the samples of the server. Old lists are deleted, so
// that the store keeps its size.
import { Console, Effect, Schedule } from "effect"
import { readFileSync } from "node:fs"
import { alignColumns } from "#src/commands/TerminalText.ts"
import * as Check from "./Check.ts"
import * as SeededRandom from "./SeededRandom.ts"
import * as Findings from "./Findings.ts"
import * as MailCheck from "./MailCheck.ts"
import * as Load from "./Load.ts"
import * as Log from "./Log.ts"
import { invalidRequests, slowClients } from "./HostileClients.ts"
import { requestEmails, removeList } from "./ListActions.ts"
import { printReport } from "./Report.ts"
import { waitUntilIdle } from "./WaitUntilIdle.ts"
import * as Setup from "./Setup.ts"
import { minSoakSeconds, judge, durationSeconds, profile, type Sample } from "./SoakVerdict.ts"
import { makeLead, nextNumber, type Workspace, type Environment } from "./Environment.ts"

/** Leads in a large batch. */
const largeBatchSize = 1000
/** Lists that each workspace keeps. */
const keptLists = 60

const largeBatch = Effect.fnUntraced(function* (workspace: Workspace) {
  const leads = Array.from({ length: largeBatchSize }, () => makeLead(undefined))
  const answer = yield* requestEmails(workspace, {
    name: `Large ${nextNumber()}`,
    kind: "batch",
    leads,
    email_count: 3
  })
  const path = `/lists/${answer?.body?.list_id}`
  yield* Effect.repeat(workspace.send("GET", path), {
    until: (list) => list?.body?.completed_at !== undefined,
    schedule: Schedule.spaced("250 millis")
  }).pipe(Effect.timeoutOption("10 minutes"))
  for (const format of ["csv", "json"]) yield* workspace.send("GET", `${path}/export?format=${format}`)
})

/** Runs one round, which ends when all work is done, so that no queue grows on a slow machine. */
const runRound = Effect.fnUntraced(function* (environment: Environment, random: SeededRandom.SeededRandom) {
  const endsAt = performance.now() + random.int(8000, 12_000)
  const work = [
    Load.run(environment, random, endsAt),
    Effect.forEach(environment.workspaces.slice(0, 1), largeBatch),
    invalidRequests(environment, random.stream("invalid")),
    slowClients(environment, random.stream("slow"))
  ]
  yield* Effect.all(work, { concurrency: "unbounded", discard: true })
  yield* waitUntilIdle(environment)
  for (const workspace of environment.workspaces) {
    const existingLists = workspace.lists.filter(({ deleted, id }) => id !== undefined && deleted === "no")
    yield* Effect.forEach(existingLists.slice(0, -keptLists), (list) => removeList(workspace, list), { discard: true })
  }
  Log.scan(environment)
})

const readSamples = (samplesPath: string): ReadonlyArray<Sample> =>
  readFileSync(samplesPath, "utf8")
    .split("\n")
    .filter((line) => line.endsWith("}"))
    .map((line) => JSON.parse(line))

export const runSoak = Effect.fnUntraced(function* ({
  minutes,
  seed
}: {
  readonly minutes: number
  readonly seed: number
}) {
  const random = SeededRandom.make(seed)
  const findings = Findings.make((line) => console.log(line))
  const plans = ["internal", "internal"]
  const environment = yield* Setup.make({ random, findings, limitFileSize: true, concurrency: 16, plans, soak: true })
  const samplesPath = Setup.samplesFile(environment.disk)
  const firstSample = readSamples(samplesPath).length
  yield* Console.log(`Soaking for ${minutes} minutes`)
  const endsAt = performance.now() + minutes * 60_000
  let rounds = 0
  while (performance.now() < endsAt) yield* runRound(environment, random.stream(`round ${++rounds}`))
  const samples = readSamples(samplesPath).slice(firstSample)
  yield* Check.checkStore(environment)
  yield* environment.server.stop
  Log.scan(environment)
  MailCheck.check(environment)
  yield* Check.checkWithVerify(environment)

  const verdicts = judge(samples)
  if (durationSeconds(samples) < minSoakSeconds)
    findings.report(`A soak of less than ${minSoakSeconds} seconds proves nothing`)
  for (const { levelsOff, lastQuarter: last, thirdQuarter: middle, name } of verdicts) {
    if (!levelsOff) findings.report(`Does not level off: ${name}: ${middle.toFixed(1)}, then ${last.toFixed(1)}`)
  }
  const [headings = [], ...rows] = profile(samples)
  const results = verdicts.map(({ lastQuarter: last, thirdQuarter: middle, limit, name }) => [
    name,
    ...[middle, last, limit].map((value) => value.toFixed(1))
  ])
  const lines = [
    ...alignColumns(headings, rows),
    "",
    ...alignColumns(["", "third quarter", "last quarter", "at most"], results)
  ]
  for (const line of ["", ...lines]) yield* Console.log(line)
  return yield* printReport(findings, `${rounds} rounds\n`)
})
