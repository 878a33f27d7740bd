// scripts/supply/Lock.ts: what package.json and package-lock.json say is installed, and what is wrong with what they say.
import { Effect, Schema } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"

const Versions = Schema.Record(Schema.String, Schema.String)

export const Manifest = Schema.Struct({
  name: Schema.String,
  version: Schema.optionalKey(Schema.String),
  license: Schema.optionalKey(Schema.String),
  workspaces: Schema.optionalKey(Schema.Array(Schema.String)),
  dependencies: Schema.optionalKey(Versions),
  optionalDependencies: Schema.optionalKey(Versions),
  devDependencies: Schema.optionalKey(Versions),
  overrides: Schema.optionalKey(Schema.Record(Schema.String, Schema.Union([Schema.String, Versions]))),
  engines: Schema.optionalKey(Versions)
})
export type Manifest = typeof Manifest.Type

export const Entry = Schema.Struct({
  version: Schema.optionalKey(Schema.String),
  resolved: Schema.optionalKey(Schema.String),
  integrity: Schema.optionalKey(Schema.String),
  license: Schema.optionalKey(Schema.String),
  link: Schema.optionalKey(Schema.Boolean),
  dev: Schema.optionalKey(Schema.Boolean),
  optional: Schema.optionalKey(Schema.Boolean),
  hasInstallScript: Schema.optionalKey(Schema.Boolean),
  os: Schema.optionalKey(Schema.Union([Schema.String, Schema.Array(Schema.String)])),
  engines: Schema.optionalKey(Schema.Union([Versions, Schema.Array(Schema.String)]))
})
export type Entry = typeof Entry.Type

/** Entries by the folder they are installed in, the project's own being "". */
export const Lock = Schema.Struct({ lockfileVersion: Schema.Int, packages: Schema.Record(Schema.String, Entry) })
export type Lock = typeof Lock.Type

export const json = <S extends Schema.ConstraintDecoder<unknown>>(schema: S, ...path: ReadonlyArray<string>) =>
  Effect.sync(() => readFileSync(join(...path), "utf8")).pipe(
    Effect.flatMap(Schema.decodeEffect(Schema.fromJsonString(schema))),
    Effect.orDie
  )

export const manifestOf = (folder: string) => json(Manifest, folder, "package.json")
export const lockOf = (folder: string) => json(Lock, folder, "package-lock.json")

interface Package extends Entry {
  /** Where it is installed, from the project's folder. */
  readonly path: string
  readonly name: string
}

/** What comes from a registry; the project itself and its workspaces do not. */
export const packages = (lock: Lock): ReadonlyArray<Package> =>
  Object.entries(lock.packages).flatMap(([path, entry]) =>
    /(^|\/)node_modules\//.test(path) && entry.link !== true
      ? [{ ...entry, path, name: path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length) }]
      : []
  )

/** What is installed without the tools of development; a package that both need is one of these. */
export const production = (lock: Lock) => packages(lock).filter(({ dev }) => dev !== true)

/**
 * Tools of development whose packages for other systems the registry did not have when the lockfile was made. npm ci needs
 * their names; their checksums are unknown.
 */
const unseen = /^@(effect\/tsgo|oxfmt\/binding|oxlint\/binding)-/

/** Named for another system by such a tool, without a checksum, and never part of the program. */
export const isUnseen = ({ dev, integrity, name, optional, os }: Package) =>
  integrity === undefined && dev === true && optional === true && os !== undefined && unseen.test(name)

/** Whether the checksum is one that npm ci can hold a package to. */
const isChecksum = (integrity: string | undefined) =>
  integrity !== undefined && /^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity)

export const lockFaults = (lock: Lock): ReadonlyArray<string> => [
  ...packages(lock).flatMap((each) => [
    ...(isChecksum(each.integrity) || isUnseen(each) ? [] : [`${each.path} has no SHA-512 checksum`]),
    ...(each.resolved === undefined || each.resolved.startsWith("https://registry.npmjs.org/")
      ? []
      : [`${each.path} comes from ${each.resolved}`])
  ]),
  ...production(lock).flatMap(({ hasInstallScript, path }) =>
    hasInstallScript === true ? [`${path} runs a script when it is installed`] : []
  )
]

/** One version and no range, tag, git address, URL or folder. */
const exact = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/

export const manifestFaults = ({
  dependencies,
  devDependencies,
  optionalDependencies,
  overrides
}: Manifest): ReadonlyArray<string> => {
  const overridden = Object.entries(overrides ?? {}).flatMap(([name, version]) =>
    typeof version === "string" ? [[name, version] as const] : Object.entries(version)
  )
  return [dependencies, devDependencies, optionalDependencies, Object.fromEntries(overridden)].flatMap((table) =>
    Object.entries(table ?? {}).flatMap(([name, version]) =>
      exact.test(version) ? [] : [`${name} is not one version: ${version}`]
    )
  )
}
