// src/doctor/CheckSettings.ts: checks whether all settings are valid, and whether the data directory can be written to.
import { Effect, FileSystem, Path } from "effect"
import { FreeSpace } from "#layers/lib/FreeSpace.ts"
import { minFreeBytes } from "#layers/operations/Readiness.ts"
import type { Check } from "#layers/operations/Verify.ts"
import { settings } from "#src/settings.ts"

/** Names in the data directory's `.env` that look like settings but are not, for example OVERTURE_MODLE. */
const findUnknownNames = Effect.fnUntraced(function* (directory: string) {
  const fs = yield* FileSystem.FileSystem
  const text = yield* Effect.orElseSucceed(fs.readFileString(`${directory}/.env`), () => "")
  const names = [...text.matchAll(/^\s*(?:export\s+)?(OVERTURE_\w+)\s*=/gm)].map(([, name = ""]) => name)
  const knownNames = new Set(settings.map(({ name }) => name))
  return [...new Set(names)].filter((name) => !knownNames.has(name))
})

/** Reads each setting; values are never shown. */
export const checkSettings = Effect.fnUntraced(function* (directory: string) {
  const invalidNames = yield* Effect.forEach(settings, ({ name, value }) =>
    Effect.match(value, { onSuccess: () => [], onFailure: () => [name] })
  )
  const invalid = invalidNames.flat()
  const unknown = yield* findUnknownNames(directory)
  const problems = [
    ...(invalid.length === 0
      ? []
      : [`${invalid.join(", ")} cannot be read: see overture serve --help for the valid values.`]),
    ...(unknown.length === 0
      ? []
      : [`${unknown.join(", ")} in ${directory}/.env is not a setting: check the spelling.`])
  ]
  const ok = problems.length === 0
  return { name: "settings", ok, detail: ok ? "All settings can be read." : problems.join(" ") } satisfies Check
})

/** The directory, or its nearest existing parent. */
const nearestExisting = (directory: string): Effect.Effect<string, never, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const parent = (yield* Path.Path).dirname(directory)
    const exists = yield* Effect.orElseSucceed(fs.exists(directory), () => false)
    return exists || parent === directory ? directory : yield* nearestExisting(parent)
  })

/** Checks write access and free space of the data directory without writing. */
export const checkDisk = Effect.fnUntraced(function* (directory: string) {
  const fs = yield* FileSystem.FileSystem
  const existingDirectory = yield* nearestExisting((yield* Path.Path).resolve(directory))
  const isWritable = yield* Effect.isSuccess(fs.access(existingDirectory, { writable: true }))
  if (!isWritable) {
    const detail = `${existingDirectory} cannot be written by this user. Change its owner, or name another directory with --data-dir.`
    return { name: "disk", ok: false, detail } satisfies Check
  }
  const freeBytes = yield* Effect.orElseSucceed((yield* FreeSpace)(existingDirectory), () => undefined)
  if (freeBytes === undefined) {
    return {
      name: "disk",
      ok: true,
      detail: `${existingDirectory} can be written; its free space is unknown.`
    } satisfies Check
  }
  const freeText = freeBytes >= 10e9 ? `${Math.round(freeBytes / 1e9)} GB` : `${Math.round(freeBytes / 1e6)} MB`
  const detail =
    freeBytes < minFreeBytes
      ? `The disk of ${existingDirectory} has ${freeText} free: make room for at least ${minFreeBytes / 1e6} MB.`
      : `${existingDirectory} can be written; ${freeText} are free.`
  return { name: "disk", ok: freeBytes >= minFreeBytes, detail } satisfies Check
})
