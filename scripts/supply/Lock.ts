// scripts/supply/Lock.ts: the rules for package.json and package-lock.json: exact versions, the registry, checksums, licences.
import { Effect, Schema } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"

const Versions = Schema.Record(Schema.String, Schema.String)

const Manifest = Schema.Struct({
  name: Schema.String,
  workspaces: Schema.optionalKey(Schema.Array(Schema.String)),
  dependencies: Schema.optionalKey(Versions),
  optionalDependencies: Schema.optionalKey(Versions),
  devDependencies: Schema.optionalKey(Versions),
  overrides: Schema.optionalKey(Schema.Record(Schema.String, Schema.Union([Schema.String, Versions]))),
  engines: Schema.optionalKey(Versions)
})
export type Manifest = typeof Manifest.Type

const Entry = Schema.Struct({
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

/** The entries by their folder; the entry of the project itself is "". */
const Lock = Schema.Struct({ lockfileVersion: Schema.Int, packages: Schema.Record(Schema.String, Entry) })
export type Lock = typeof Lock.Type

const readJson = <S extends Schema.ConstraintDecoder<unknown>>(schema: S, ...path: ReadonlyArray<string>) =>
  Effect.sync(() => readFileSync(join(...path), "utf8")).pipe(
    Effect.flatMap(Schema.decodeEffect(Schema.fromJsonString(schema))),
    Effect.orDie
  )

export const readManifest = (folder: string) => readJson(Manifest, folder, "package.json")
export const readLock = (folder: string) => readJson(Lock, folder, "package-lock.json")

interface Package extends Entry {
  /** The folder of the package, relative to the project. */
  readonly path: string
  readonly name: string
}

/** The packages of the registry, without the project and its workspaces. */
export const packages = (lock: Lock): ReadonlyArray<Package> =>
  Object.entries(lock.packages).flatMap(([path, entry]) =>
    /(^|\/)node_modules\//.test(path) && entry.link !== true
      ? [{ ...entry, path, name: path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length) }]
      : []
  )

/** The packages that `npm ci --omit=dev` installs, including those that development needs too. */
export const productionPackages = (lock: Lock) => packages(lock).filter(({ dev }) => dev !== true)

/**
 * Development tools whose packages for other systems were missing in the registry when the lockfile was made. `npm ci` needs
 * their names, and their checksums are unknown.
 */
const toolsOfOtherSystems = /^@(effect\/tsgo|oxfmt\/binding|oxlint\/binding)-/

/** Whether a package is such a tool for another system, without a checksum and outside of production. */
export const lacksChecksumByDesign = ({ dev, integrity, name, optional, os }: Package) =>
  integrity === undefined && dev === true && optional === true && os !== undefined && toolsOfOtherSystems.test(name)

const checksumPattern = /^sha512-[A-Za-z0-9+/]{86}==$/

/** Licences that require no more than their text and a notice. */
const allowedLicences =
  "0BSD Apache-2.0 BSD-2-Clause BSD-3-Clause BlueOak-1.0.0 CC0-1.0 ISC MIT MIT-0 OFL-1.1 Unlicense".split(" ")

export const lockFaults = (lock: Lock): ReadonlyArray<string> => [
  ...packages(lock).flatMap((each) => {
    const { integrity, path, resolved } = each
    return [
      ...(checksumPattern.test(integrity ?? "") || lacksChecksumByDesign(each)
        ? []
        : [`${path} has no SHA-512 checksum`]),
      ...(resolved?.startsWith("https://registry.npmjs.org/") === false ? [`${path} comes from ${resolved}`] : [])
    ]
  }),
  ...productionPackages(lock).flatMap(({ hasInstallScript, license, path }) => [
    ...(hasInstallScript === true ? [`${path} runs a script when it is installed`] : []),
    ...(allowedLicences.includes(license ?? "") ? [] : [`${path} has the licence ${license ?? "(none)"}`])
  ])
]

/** A single version, not a range, tag, git address, URL or folder. */
const exactVersion = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/

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
      exactVersion.test(version) ? [] : [`${name} is not a single version: ${version}`]
    )
  )
}
