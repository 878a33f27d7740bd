// scripts/chaos/Soak.ts: the server under ordinary load without faults, for so long that a leak would show.
import { Console, Duration, Effect, Schedule, Schema } from "effect"
import { existsSync } from "node:fs"
import { readdir, rm } from "node:fs/promises"
import { join } from "node:path"
import { table } from "#src/commands/Words.ts"
import { workspaceIn } from "#test/support/founded.ts"
import { folder, overtureJson } from "#test/support/process.ts"
import { site } from "#test/support/site.ts"
import { until } from "#test/support/until.ts"
import * as Dice from "../Dice.ts"
import { calls, type Tally } from "./soak/Calls.ts"
import { website } from "./soak/Material.ts"
import { start } from "./soak/Server.ts"
import { settle, traffic } from "./soak/Traffic.ts"
import { fewestSeconds, judge, lasted, profile } from "./soak/Verdict.ts"

/** Requests a second, and leads of a batch every so many seconds. */
const rates = { perSecond: 60, batch: 1000, batchEvery: 20 }

/** The load of a busy server, in hours of which the report counts. */
const usual = { requestsPerSecond: 5, leadsPerHour: 1000 }

const profileFile = join(import.meta.dirname, "../../src/demo/profile.json")
const MadeKey = Schema.Struct({ id: Schema.String, key: Schema.String })
const Verified = Schema.Struct({ ok: Schema.Boolean })

const workspace = (data: string, name: string) =>
  workspaceIn(data, name, "--plan", "internal", "--profile", profileFile, "--owner-email", "owner@kestrel.example")

/** Returns the number of findings. */
export const soak = Effect.fnUntraced(function* (minutes: number) {
  const data = yield* folder
  const first = yield* workspace(data, "Main")
  const second = yield* workspace(data, "Beside")
  const sites = yield* Effect.forEach(Array.from({ length: 8 }), () => site(website))
  const server = yield* start(data)
  const tally: Tally = { requests: 0, leads: 0, surprises: new Map() }
  const place = (key: string) => ({
    send: calls(server.url, key, tally),
    tally,
    sites: sites.map(({ port }) => `http://127.0.0.1:${port}`),
    random: Dice.make(1).next
  })
  const main = place(first.key)

  /** A key that an operator makes beside the server, uses and takes back. */
  const keys = Effect.gen(function* () {
    const { id, key } = yield* overtureJson(MadeKey, data, "key", "create", "--workspace", first.workspace)
    const ask = calls(server.url, key, tally)({ method: "GET", path: "/signatures", expect: [200, 401] })
    yield* until(ask, ({ status }) => status === 200)
    yield* overtureJson(Schema.Unknown, data, "key", "revoke", id)
    yield* until(ask, ({ status }) => status === 401)
  }).pipe(Effect.repeat(Schedule.spaced("15 seconds")))

  // Mails are files here; a mail server would have taken them.
  const outbox = join(data, "outbox")
  const mail = Effect.promise(async () => {
    if (!existsSync(outbox)) return
    for (const file of await readdir(outbox)) if (file.endsWith(".eml")) await rm(join(outbox, file), { force: true })
  }).pipe(Effect.repeat(Schedule.spaced("10 seconds")))

  const standing = yield* settle(main)
  yield* Console.log(`Soaking for ${minutes} minutes`)
  const from = server.samples.length
  const before = { ...tally }
  yield* Effect.all([traffic(main, place(second.key), standing, rates), keys, mail], {
    concurrency: "unbounded",
    discard: true
  }).pipe(Effect.timeoutOption(Duration.minutes(minutes)))

  const samples = server.samples.slice(from)
  const short = lasted(samples) < fewestSeconds
  const requests = tally.requests - before.requests
  const leads = tally.leads - before.leads
  const findings = judge(samples)
  const status = yield* server.stop
  const { ok } = yield* overtureJson(Verified, data, "verify")
  const complaints = server.complaints()

  const [heads = [], ...rows] = profile(samples)
  const hours = (count: number, each: number) => (count / each).toFixed(1)
  yield* Effect.forEach(
    [
      "",
      ...table(heads, rows),
      "",
      ...table(
        ["", "middle third", "last third", "at most", ""],
        findings.map(({ holds, last, middle, most, what }) => [
          what,
          middle.toFixed(1),
          last.toFixed(1),
          most.toFixed(1),
          holds ? "levels off" : "DOES NOT LEVEL OFF"
        ])
      ),
      "",
      `${requests} requests, as many as ${hours(requests, usual.requestsPerSecond * 3600)} hours at ${usual.requestsPerSecond} a second bring`,
      `${leads} leads, as many as ${hours(leads, usual.leadsPerHour)} hours at ${usual.leadsPerHour} an hour bring`,
      `The server stopped with ${status}; its store is ${ok ? "sound" : "NOT SOUND"}`,
      ...(short ? [`TOO SHORT: no verdict from less than ${fewestSeconds} seconds`] : []),
      ...[...tally.surprises].map(([what, count]) => `SURPRISE, ${count} times: ${what}`),
      ...complaints.slice(0, 20).map((line) => `LOGGED: ${line}`)
    ],
    (line) => Console.log(line)
  )
  const faults = [status !== 0, !ok, short, ...findings.map(({ holds }) => !holds)].filter(Boolean).length
  return faults + tally.surprises.size + complaints.length
}, Effect.scoped)
