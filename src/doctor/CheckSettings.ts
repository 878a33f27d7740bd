// src/doctor/CheckSettings.ts: checks whether all settings are valid, and whether the data directory can be written to.
import { Effect, FileSystem, Path } from "effect"
import { FreeSpace } from "#layers/lib/FreeSpace.ts"
import { minFreeBytes } from "#layers/operations/Readiness.ts"
import type { Check } from "#layers/operations/Verify.ts"
import { settings } from "#src/settings.ts"

/** Names in the data directory's `.env` that look like settings but are not, for example OVERTURE_MODLE. */
const unknownIn = Effect.fnUntraced(function* (directory: string) {
  const fs = yield* FileSystem.FileSystem
  const text = yield* Effect.orElseSucceed(fs.readFileString(`${directory}/.env`), () => "")
  const names = [...text.matchAll(/^\s*(?:export\s+)?(OVERTURE_\w+)\s*=/gm)].map(([, name = ""]) => name)
  const known = new Set(settings.map(({ name }) => name))
  return [...new Set(names)].filter((name) => !known.has(name))
})

/** Reads each setting; values are never shown. */
export const checkSettings = Effect.fnUntraced(function* (directory: string) {
  const wrong = yield* Effect.forEach(settings, ({ name, value }) =>
    Effect.match(value, { onSuccess: () => [], onFailure: () => [name] })
  )
  const broken = wrong.flat()
  const unknown = yield* unknownIn(directory)
  const problems = [
    ...(broken.length === 0
      ? []
      : [`${broken.join(", ")} cannot be read: overture serve --help says what each takes.`]),
    ...(unknown.length === 0 ? [] : [`${unknown.join(", ")} in ${directory}/.env is no setting: check the spelling.`])
  ]
  const ok = problems.length === 0
  return { name: "settings", ok, detail: ok ? "All settings can be read." : problems.join(" ") } satisfies Check
})

/** The directory, or its nearest existing parent. */
const existing = (directory: string): Effect.Effect<string, never, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const parent = (yield* Path.Path).dirname(directory)
    const isThere = yield* Effect.orElseSucceed(fs.exists(directory), () => false)
    return isThere || parent === directory ? directory : yield* existing(parent)
  })

/** Checks write access and free space of the data directory without writing. */
export const checkDisk = Effect.fnUntraced(function* (directory: string) {
  const fs = yield* FileSystem.FileSystem
  const at = yield* existing((yield* Path.Path).resolve(directory))
  const isWritable = yield* Effect.isSuccess(fs.access(at, { writable: true }))
  if (!isWritable) {
    const detail = `${at} cannot be written by this user. Change its owner, or name another directory with --data-dir.`
    return { name: "disk", ok: false, detail } satisfies Check
  }
  const free = yield* Effect.orElseSucceed((yield* FreeSpace)(at), () => undefined)
  if (free === undefined) {
    return { name: "disk", ok: true, detail: `${at} can be written; its free space is unknown.` } satisfies Check
  }
  const room = free >= 10e9 ? `${Math.round(free / 1e9)} GB` : `${Math.round(free / 1e6)} MB`
  const detail =
    free < minFreeBytes
      ? `The disk of ${at} has ${room} free: make room for at least ${minFreeBytes / 1e6} MB.`
      : `${at} can be written; ${room} are free.`
  return { name: "disk", ok: free >= minFreeBytes, detail } satisfies Check
})
