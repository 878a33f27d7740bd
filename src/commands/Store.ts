// src/commands/Store.ts: what the commands share that work on the store itself.
import { Effect, Layer } from "effect"
import * as Database from "#layers/Database.ts"
import { Places } from "#layers/Files.ts"
import * as InDirectory from "#layers/files/InDirectory.ts"
import { LinkSecret, PublicUrl } from "#layers/Links.ts"
import { everywhere, Reach } from "#layers/web/Reach.ts"
import { told } from "#src/commands/Output.ts"
import { directory } from "#src/commands/Root.ts"
import { openDataDir } from "#src/DataDir.ts"
import { linkSecret, sharedLinkSecret } from "#src/LinkSecret.ts"
import { Logging } from "#src/logging.ts"
import { Services } from "#src/services.ts"
import { databaseUrl, fetchAllowPrivate, publicUrl } from "#src/settings.ts"
import { filesBucket, model } from "#src/settings/Services.ts"

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
    return yield* Effect.provide(run, env)
  }).pipe(told)
