// src/commands/Files.ts: reads the input files of commands, and checks that output files do not exist.
import { Effect, FileSystem, Schema } from "effect"
import { formatOf, readFile } from "#layers/LeadFiles.ts"
import { DetailsPatch } from "#schema/Details.ts"
import * as LeadFile from "#schema/lead-files/Parser.ts"
import { describeSchemaError, userError } from "#src/commands/Output.ts"

/** The company profile in a JSON file. Fails with a one-line message. */
export const readProfile = Effect.fnUntraced(function* (path: string) {
  const fs = yield* FileSystem.FileSystem
  const text = yield* fs.readFileString(path).pipe(Effect.mapError(() => userError(`Cannot read ${path}`)))
  const details = yield* Schema.decodeEffect(Schema.fromJsonString(DetailsPatch))(text).pipe(
    Effect.mapError((error) => userError(`${path} is not a profile: ${describeSchemaError(error)}`))
  )
  return Object.keys(details).length > 0 ? details : yield* userError(`${path} holds no field of a profile`)
})

/** The leads in a file; of a workbook, those in the named or the first sheet. Fails with a one-line message. */
export const readLeads = Effect.fnUntraced(function* (path: string, sheet?: string) {
  const fs = yield* FileSystem.FileSystem
  const content = yield* Effect.mapError(fs.readFile(path), () => userError(`Cannot read ${path}`))
  const explain = Effect.mapError(({ message }: { readonly message: string }) => userError(`${path}: ${message}`))
  const detected = formatOf(path, content)
  // A text file may have any name.
  const isWorkbook = "format" in detected ? detected.format === "xlsx" : /\.xlsx?$/i.test(path)
  if (!isWorkbook) {
    if (sheet !== undefined) return yield* userError(`--sheet is for .xlsx files; ${path} is none`)
    return yield* explain(LeadFile.parseLeadFile(content))
  }
  if ("refusal" in detected) return yield* userError(`${path} ${detected.refusal}`)
  return yield* explain(readFile({ ...detected, content, sheet, chosen: {} }))
})

/** Fails if the file exists. */
export const refuseToOverwrite = Effect.fnUntraced(function* (path: string) {
  if (!(yield* (yield* FileSystem.FileSystem).exists(path))) return
  return yield* userError(`${path} is there already, and is not written over; choose another --out or move it`)
})
