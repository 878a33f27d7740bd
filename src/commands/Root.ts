// src/commands/Root.ts: what every command shares: the data directory, how it prints, how it fails.
import { Console, Duration, Effect, FileSystem, Layer, Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import * as Database from "#layers/Database.ts"
import { Places } from "#layers/Files.ts"
import * as InDirectory from "#layers/files/InDirectory.ts"
import { LinkSecret, PublicUrl } from "#layers/Links.ts"
import { everywhere, Reach } from "#layers/Web.ts"
import { DetailsPatch } from "#schema/Details.ts"
import { described, fail, told } from "#src/commands/Output.ts"
import { Logging } from "#src/logging.ts"
import { Services } from "#src/services.ts"
import { linkSecret, openDataDir, sharedLinkSecret } from "#src/DataDir.ts"
import { databaseUrl, dataDir, fetchAllowPrivate, publicUrl } from "#src/settings.ts"
import { filesBucket, model } from "#src/settings/Services.ts"
import { parseDuration } from "#src/settings/Texts.ts"

export const root = Command.make("overture").pipe(
  Command.withSharedFlags({
    dataDir: Flag.String("data-dir").pipe(
      Flag.withDescription("Where the store lives (OVERTURE_DATA_DIR, ./data)"),
      Flag.optional
    ),
    json: Flag.Boolean("json").pipe(Flag.withDescription("Print one JSON document"), Flag.withDefault(false))
  }),
  Command.withDescription("Writes personalised cold-email sequences for sales leads")
)

export const directory = Effect.gen(function* () {
  const given = (yield* root).dataDir
  return Option.isSome(given) ? given.value : yield* dataDir
})

/** Runs a command over the store in the data directory, beside a running server or without one. */
export const withStore = <A, E extends { readonly message: string }, R>(
  use: (directory: string) => Effect.Effect<A, E, R>
) =>
  Effect.gen(function* () {
    const at = yield* directory
    const env = yield* openDataDir(at)
    const run = Effect.gen(function* () {
      const url = yield* databaseUrl
      const database = Database.layerOf(at, url)
      const secret =
        url === undefined
          ? Layer.effect(LinkSecret, linkSecret(at))
          : Layer.provide(Layer.effect(LinkSecret, sharedLinkSecret), database)
      const bucket = yield* filesBucket
      const links = Layer.mergeAll(
        secret,
        Layer.succeed(PublicUrl, yield* publicUrl),
        Layer.succeed(Places, {
          // Servers that share a database need not share a folder.
          chosen: bucket !== undefined ? "s3" : url === undefined ? "directory" : "database",
          directory: yield* InDirectory.make(`${at}/${InDirectory.folder}`),
          s3: bucket
        }),
        (yield* fetchAllowPrivate) ? Layer.succeed(Reach, everywhere) : Layer.empty
      )
      const store = Services.pipe(
        Layer.provideMerge(model),
        Layer.provideMerge(database),
        Layer.provide(links),
        Layer.provideMerge(Logging)
      )
      return yield* use(at).pipe(Effect.provide(store))
    })
    return yield* env === undefined ? run : Effect.provide(run, env)
  }).pipe(told)

/** A line as it is printed: what somebody called something must not steer the terminal. */
export const harmless = (line: string) => line.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, "\uFFFD")

/** Prints `document` with --json, and else the lines for a person. */
export const print = Effect.fnUntraced(function* (document: Schema.Json, lines: ReadonlyArray<string>) {
  const { json } = yield* root
  yield* json ? Console.log(JSON.stringify(document)) : Effect.forEach(lines, (line) => Console.log(harmless(line)))
})

/** Rows under their headings, each column as wide as its widest cell. */
export const table = (
  heads: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>
): ReadonlyArray<string> => {
  const widths = heads.map((head, i) => Math.max(head.length, ...rows.map((row) => (row[i] ?? "").length)))
  return [heads, ...rows].map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join("  ")
      .trimEnd()
  )
}

const DurationText = Schema.String.check(
  Schema.makeFilter((text: string) => parseDuration(text) !== undefined, {
    message: "Expected a duration such as 30m, 24h or 90d"
  })
)

/** A flag that names the workspace a command is about. */
export const workspace = Flag.String("workspace").pipe(Flag.withDescription("The workspace's id"))

/** A flag that takes `<n>s`, `<n>m`, `<n>h` or `<n>d`. */
export const durationFlag = (name: string) =>
  Flag.String(name).pipe(
    Flag.withSchema(DurationText),
    Flag.map((text) => parseDuration(text) ?? Duration.zero)
  )

/** The business details in a JSON file, or a line that says why not. */
export const readProfile = Effect.fnUntraced(function* (path: string) {
  const fs = yield* FileSystem.FileSystem
  const text = yield* fs.readFileString(path).pipe(Effect.mapError(() => fail(`Cannot read ${path}`)))
  const details = yield* Schema.decodeEffect(Schema.fromJsonString(DetailsPatch))(text).pipe(
    Effect.mapError((error) => fail(`${path} is not a profile: ${described(error)}`))
  )
  return Object.keys(details).length > 0 ? details : yield* fail(`${path} holds no field of a profile`)
})
