// scripts/supply/Sbom.ts: the list of everything the program is made of, as CycloneDX, and whether it is the whole of it.
import { Effect, FileSystem, Predicate, Schema } from "effect"
import { join } from "node:path"
import { json, type Lock, lockOf, manifestOf, packages, production } from "./Lock.ts"
import { npm } from "./Npm.ts"

const Licence = Schema.Union([
  Schema.Struct({ license: Schema.Struct({ id: Schema.String }) }),
  Schema.Struct({ expression: Schema.String })
])
const Component = Schema.Struct({
  "bom-ref": Schema.String,
  name: Schema.String,
  version: Schema.String,
  type: Schema.String,
  purl: Schema.String,
  scope: Schema.optionalKey(Schema.String),
  hashes: Schema.optionalKey(Schema.Array(Schema.Struct({ alg: Schema.String, content: Schema.String }))),
  licenses: Schema.optionalKey(Schema.Array(Licence))
})
export const Bom = Schema.Struct({
  bomFormat: Schema.Literal("CycloneDX"),
  specVersion: Schema.String,
  metadata: Schema.Struct({ component: Component }),
  components: Schema.Array(Component),
  dependencies: Schema.Array(Schema.Struct({ ref: Schema.String, dependsOn: Schema.Array(Schema.String) }))
})
export type Bom = typeof Bom.Type

/** With all that Lock.ts does not read. */
const Whole = Schema.Record(Schema.String, Schema.Unknown)

/**
 * `npm sbom --omit=dev` of npm 11.19 leaves out what production and a tool of development both need, effect among them, and
 * refuses a workspace without a version. So it is asked about a project that has no tools and no workspaces, in a folder of
 * the program's name, since it takes the name from there.
 */
export const sbom = Effect.fnUntraced(function* (root: string) {
  const fs = yield* FileSystem.FileSystem
  const { devDependencies: _, workspaces: __, ...manifest } = yield* json(Whole, root, "package.json")
  const { packages: entries, ...lock } = yield* json(Whole, root, "package-lock.json")
  const { name } = yield* manifestOf(root)
  const kept = new Set(production(yield* lockOf(root)).map(({ path }) => path))
  const project = join(yield* fs.makeTempDirectoryScoped({ prefix: "overture-sbom-" }), name)
  yield* fs.makeDirectory(project)
  yield* fs.writeFileString(join(project, "package.json"), JSON.stringify(manifest))
  const left = Object.entries(Predicate.isObject(entries) ? entries : {}).filter(([path]) => kept.has(path))
  const pruned = { ...lock, packages: { "": manifest, ...Object.fromEntries(left) } }
  yield* fs.writeFileString(join(project, "package-lock.json"), JSON.stringify(pruned))
  const { code, stderr, stdout } = yield* npm(
    project,
    "sbom",
    "--package-lock-only",
    "--sbom-format=cyclonedx",
    "--sbom-type=application"
  )
  return code === 0 ? stdout : yield* Effect.die(new Error(`npm sbom ended with ${code}: ${stderr}`))
}, Effect.scoped)

export const decode = Schema.decodeResult(Schema.fromJsonString(Bom))

const hex = (integrity: string | undefined) =>
  Buffer.from((integrity ?? "").replace(/^sha512-/, ""), "base64").toString("hex")

/** Every package of production in its version, with its licence and checksum, and nothing else. */
export const sbomFaults = (lock: Lock, { components, dependencies, metadata }: Bom): ReadonlyArray<string> => {
  const own = lock.packages[""]
  const { component } = metadata
  const listed = new Map(components.map((each) => [`${each.name}@${each.version}`, each]))
  const wanted = new Set(production(lock).map(({ name, version }) => `${name}@${version}`))
  const refs = new Set([component, ...components].map((each) => each["bom-ref"]))
  return [
    ...(component.version === own?.version && component.type === "application"
      ? []
      : [`it is of ${component.type} ${component.name} ${component.version}`]),
    ...packages(lock).flatMap(({ dev, integrity, license, name, version }) => {
      const at = `${name}@${version}`
      const found = listed.get(at)
      if (dev === true) return found === undefined || wanted.has(at) ? [] : [`${at} is a tool of development`]
      if (found === undefined) return [`${at} is missing`]
      const licences = (found.licenses ?? []).map((each) => ("license" in each ? each.license.id : each.expression))
      return [
        ...(licences.join() === license ? [] : [`${at} has the licence ${licences.join() || "none"}`]),
        ...(found.hashes?.some(({ alg, content }) => alg === "SHA-512" && content === hex(integrity)) === true
          ? []
          : [`${at} has no checksum, or another`])
      ]
    }),
    ...[...listed.keys()].filter((at) => !wanted.has(at)).map((at) => `${at} is in no lockfile`),
    ...dependencies
      .flatMap(({ dependsOn, ref }) => [ref, ...dependsOn])
      .filter((ref) => !refs.has(ref))
      .map((ref) => `${ref} is needed and not listed`)
  ]
}
