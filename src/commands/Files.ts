// src/commands/Files.ts: the files that commands are given, and those they are to make.
import { Effect, FileSystem, Schema } from "effect"
import { DetailsPatch } from "#schema/Details.ts"
import * as LeadFile from "#schema/LeadFile.ts"
import { described, fail } from "#src/commands/Output.ts"

/** The business details in a JSON file, or a line that says why not. */
export const readProfile = Effect.fnUntraced(function* (path: string) {
  const fs = yield* FileSystem.FileSystem
  const text = yield* fs.readFileString(path).pipe(Effect.mapError(() => fail(`Cannot read ${path}`)))
  const details = yield* Schema.decodeEffect(Schema.fromJsonString(DetailsPatch))(text).pipe(
    Effect.mapError((error) => fail(`${path} is not a profile: ${described(error)}`))
  )
  return Object.keys(details).length > 0 ? details : yield* fail(`${path} holds no field of a profile`)
})

/** What is read of a file of leads, or a line that says why nothing can be. */
export const readLeads = Effect.fnUntraced(function* (path: string) {
  const fs = yield* FileSystem.FileSystem
  const bytes = yield* Effect.mapError(fs.readFile(path), () => fail(`Cannot read ${path}`))
  return yield* Effect.mapError(LeadFile.read(bytes), ({ message }) => fail(`${path}: ${message}`))
})

/** Fails where there is such a file. */
export const refuseToOverwrite = Effect.fnUntraced(function* (path: string) {
  if (!(yield* (yield* FileSystem.FileSystem).exists(path))) return
  return yield* fail(`${path} is there already, and is not written over; choose another --out or move it`)
})
