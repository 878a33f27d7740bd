// scripts/demo.ts: the whole job in one go: from a profile and a file of leads to a file of emails. Its store is
// a temporary one, and its server is the real one.
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import {
  Clock,
  Console,
  Duration,
  Effect,
  FileSystem,
  Layer,
  Logger,
  Option,
  Path,
  References,
  Schema,
  Stream
} from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { HttpServer } from "effect/http"
import { SqlClient } from "effect/sql"
import * as Database from "#layers/Database.ts"
import { Generator } from "#layers/Generator.ts"
import { Lists } from "#layers/Lists.ts"
import * as WorkerLock from "#layers/database/WorkerLock.ts"
import { version } from "#schema/Version.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import { Export } from "#schema/Lists.ts"
import { make as makeClient } from "#client/Client.ts"
import { userError } from "#src/commands/Output.ts"
import { readProfile } from "#src/commands/Files.ts"
import { toggle } from "#src/commands/Flags.ts"
import { countOf } from "#src/commands/TerminalText.ts"
import { profile as demoProfile } from "#src/Demo.ts"
import { onboard, signatureOf } from "#src/OnboardWorkspace.ts"
import { write } from "#client/Batch.ts"
import { build } from "#client/Build.ts"
import { exported, free, saveAs } from "#client/Export.ts"
import * as Progress from "#client/Progress.ts"
import { RequestLog } from "#src/http/RequestLog.ts"
import { Readiness } from "#layers/operations/Readiness.ts"
import { Server } from "#src/http/server/Server.ts"
import * as LeadFile from "#schema/lead-files/Parser.ts"
import { Services } from "#src/services.ts"
import { leadConcurrency } from "#src/settings/Services.ts"
import { BackgroundWorkers } from "#src/workers/BackgroundWorkers.ts"

const usage = "Usage: npm run demo -- LEADS.csv [--profile FILE.json] [--email-count N] [--keep]"

/** Sequences printed at the end. */
const shownSequences = 3

const print = (lines: ReadonlyArray<string>) => Effect.forEach(lines, (line) => Console.log(line), { discard: true })

const printNote = (line: string) => Console.error(line)

/** Where the person is: npm runs its scripts in the project's folder, wherever it was called. */
const callerDirectory = () =>
  (process.env["npm_lifecycle_event"] === "demo" ? process.env["INIT_CWD"] : undefined) ?? process.cwd()

/** Reads the leads of a file, after printing which column is read as which field. */
const readLeads = Effect.fnUntraced(function* (path: string) {
  const fs = yield* FileSystem.FileSystem
  const bytes = yield* fs.readFile(path).pipe(Effect.mapError(() => userError(`Cannot read ${path}. ${usage}`)))
  const file = yield* LeadFile.parseLeadFile(bytes).pipe(
    Effect.mapError(({ message }) => userError(`${path}: ${message}`))
  )
  yield* print([
    `${file.leads.length} leads in ${path}`,
    ...[...LeadFile.describeLeadFile(file), ...LeadFile.describeSkippedLines(file)].map((line) => `  ${line}`),
    ""
  ])
  return file.leads.length > 0 ? file.leads : yield* userError(`${path} has no lead that can be written to`)
})

/** The service over a store in `directory`, on a free port. */
const demoServer = (directory: string, concurrency: number) =>
  Server({ host: "127.0.0.1", port: 0, rate: { limit: 1_000_000, window: Duration.minutes(1) } }).pipe(
    Layer.provide([BackgroundWorkers({ concurrency }), Readiness.layer(directory)]),
    Layer.provide([Generator.layer, RequestLog.layerNone]),
    Layer.provide(WorkerLock.layer(directory)),
    Layer.provideMerge(Services.pipe(Layer.provideMerge(Database.layer(`${directory}/overture.db`))))
  )

/** Lines of at most `width` characters, broken between words. */
const wrapLines = (text: string, width: number) =>
  text.split("\n").flatMap((line) => {
    const lines = [""]
    for (const word of line.split(" ")) {
      const last = lines.at(-1) ?? ""
      if (last !== "" && last.length + word.length >= width) lines.push(word)
      else lines[lines.length - 1] = last === "" ? word : `${last} ${word}`
    }
    return lines
  })

const sequenceLines = ({ company, email, name, sequence, title }: (typeof Export.Type)["leads"][number]) => [
  `━━ ${[name, title, company, email].filter((part) => part !== null).join(" · ")}`,
  "",
  ...sequence.flatMap(({ body, step, subject }) => [
    `   Email ${step} of ${sequence.length}`,
    `   Subject: ${subject}`,
    "",
    ...wrapLines(body, 90).map((line) => `   ${line}`.trimEnd()),
    ""
  ])
]

const firstLeads = Effect.fnUntraced(function* (workspace: WorkspaceId, list: string) {
  const { content } = yield* (yield* Lists).exportList(workspace, list, "json")
  const text = yield* Stream.mkString(Stream.decodeText(content))
  const { leads } = yield* Effect.orDie(Schema.decodeEffect(Schema.fromJsonString(Export))(text))
  return leads.slice(0, shownSequences)
})

/** Why leads of the list failed, the commonest reason first. The API does not tell; the store does. */
const failureReasons = Effect.fnUntraced(function* (list: string) {
  const sql = yield* SqlClient.SqlClient
  return yield* Effect.orDie(sql<{ readonly error: string; readonly email: string; readonly leads: number }>`
    SELECT error, min(email) AS email, count(*) AS leads FROM leads WHERE list_id = ${list} AND status = 'failed'
    GROUP BY error ORDER BY count(*) DESC, error`)
})

const run = Effect.fnUntraced(function* (options: {
  readonly file: string
  readonly directory: string
  readonly profile: Option.Option<string>
  readonly emailCount: number
}) {
  const path = yield* Path.Path
  const resolvePath = (file: string) => path.resolve(callerDirectory(), file)
  const details = Option.isSome(options.profile) ? yield* readProfile(resolvePath(options.profile.value)) : demoProfile
  const leads = yield* readLeads(resolvePath(options.file))
  const name = path.parse(options.file).name
  const concurrency = yield* leadConcurrency

  return yield* Effect.gen(function* () {
    const baseUrl = HttpServer.formatAddress((yield* HttpServer.HttpServer).address)
    yield* printNote(`A server for this demo runs on ${baseUrl}`)
    yield* printNote(`Researching ${details.company_name ?? "the profile"}`)
    const { key, workspace } = yield* onboard({ name: "Demo", plan: "internal", details })
    const client = yield* makeClient({ baseUrl, key })
    const { id: campaign } = yield* build(client, { name: "Demo", onStep: (step) => printNote(`  ${step}`) })

    yield* printNote(`Writing ${countOf(options.emailCount, "email")} to each of ${countOf(leads.length, "lead")}`)
    const start = yield* Clock.currentTimeMillis
    const progress = yield* Progress.make(process.stderr)
    const list = yield* write(client, {
      campaign,
      leads,
      name,
      options: { email_count: options.emailCount, email_signature: signatureOf(details) },
      onProgress: progress.show
    }).pipe(Effect.ensuring(progress.clear))
    yield* printNote(`  done in ${Progress.timeOf((yield* Clock.currentTimeMillis) - start)}`)

    const failures = yield* failureReasons(list.id)
    const reasons = failures.map(({ email, error, leads }) =>
      leads === 1 ? `  ${email}: ${error}` : `  ${email} and ${leads - 1} more: ${error}`
    )
    if (list.processing_status === "failed") {
      yield* print(reasons)
      return yield* userError("No lead was written to")
    }
    const saved = yield* free(path.join(callerDirectory(), `${name}-emails`))
    yield* saveAs(yield* exported(client, list.id, "csv"), saved)
    const failed = failures.reduce((sum, { leads }) => sum + leads, 0)
    for (const lead of yield* firstLeads(workspace, list.id)) yield* print(sequenceLines(lead))
    yield* print([
      `${countOf(leads.length - failed, "lead")} written to, ${countOf(list.emails_created ?? 0, "email")}, ${failed} failed`,
      ...reasons,
      saved
    ])
    return workspace
  }).pipe(Effect.provide(demoServer(options.directory, concurrency)))
})

const demo = Command.make(
  "demo",
  {
    leads: Argument.String("leads").pipe(Argument.withDescription("A CSV file of leads"), Argument.optional),
    profile: Flag.String("profile").pipe(
      Flag.withDescription("A JSON file of business details, instead of the demo's company"),
      Flag.optional
    ),
    emailCount: Flag.Int("email-count").pipe(
      Flag.withSchema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 4 }))),
      Flag.withDescription("Emails to each lead, 1 to 4"),
      Flag.withDefault(3)
    ),
    keep: toggle("keep", "Keep the temporary store, and say where it is")
  },
  Effect.fnUntraced(
    function* ({ emailCount, keep, leads, profile }) {
      if (Option.isNone(leads)) return yield* userError(usage)
      const fs = yield* FileSystem.FileSystem
      const prefix = "overture-demo-"
      const directory = yield* keep ? fs.makeTempDirectory({ prefix }) : fs.makeTempDirectoryScoped({ prefix })
      if (keep) yield* printNote(`The store is kept in ${directory}`)
      const workspace = yield* run({ file: leads.value, directory, profile, emailCount })
      if (!keep) return
      yield* print([
        "To serve the store that is kept, and for a key to it:",
        `  npm run -s overture -- serve --data-dir ${directory}`,
        `  npm run -s overture -- key create --workspace ${workspace} --data-dir ${directory}`
      ])
    },
    Effect.scoped,
    Effect.mapError(({ message }) => userError(message))
  )
).pipe(Command.withDescription("Write emails to a file of leads, with a store and a server of its own"))

const Logging = Layer.mergeAll(
  Logger.layer([Logger.consolePretty()]),
  Layer.succeed(Logger.LogToStderr, true),
  Layer.succeed(References.MinimumLogLevel, "Warn")
)

demo.pipe(Command.run({ version }), Effect.provide([NodeServices.layer, Logging]), NodeRuntime.runMain())
