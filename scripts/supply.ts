// scripts/supply.ts: checks the packages that the program is made of: exact versions, checksums, no install scripts, allowed
// licences, a complete list of materials, and known vulnerabilities and signatures where the registry is reachable.
// usage: npm run supply
//        npm run sbom, which writes the list of materials to dist/sbom.cdx.json
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Console, Effect, FileSystem } from "effect"
import { join } from "node:path"
import { parseArgs } from "node:util"
import {
  lacksChecksumByDesign,
  lockFaults,
  readLock,
  manifestFaults,
  readManifest,
  packages,
  productionPackages
} from "./supply/Lock.ts"
import { verdictOfAudit, verdictOfExit, verdictOfBom, run, npm, sbom, type Verdict } from "./supply/Npm.ts"

const root = join(import.meta.dirname, "..")
const parts = ["package.json", "package-lock.json", "test/client/package.json", "schema", "client", "layers", "src"]

/** Creates and verifies a workspace with only the packages of production, without running install scripts. */
const checkProductionInstall = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const project = yield* fs.makeTempDirectoryScoped({ prefix: "overture-bare-" })
  yield* fs.makeDirectory(join(project, "test/client"), { recursive: true })
  for (const part of parts) yield* fs.copy(join(root, part), join(project, part))
  const installed = yield* npm(project, "ci", "--omit=dev", "--ignore-scripts", "--prefer-offline", "--no-audit")
  if (installed.code !== 0) return verdictOfExit(installed)
  // The pinned Node where this system has one, as in scripts/run.sh.
  const env = { ...process.env, PATH: `${join(project, "node_modules/.bin")}:${process.env["PATH"]}` }
  const data = ["--data-dir", join(project, "data")]
  const created = yield* run(
    project,
    env,
    "node",
    "src/main.ts",
    "workspace",
    "create",
    "--name",
    "Bare",
    "--profile",
    "src/demo/profile.json",
    ...data
  )
  if (created.code !== 0) return verdictOfExit(created)
  return verdictOfExit(yield* run(project, env, "node", "src/main.ts", "verify", ...data))
}).pipe(Effect.scoped)

const supply = Effect.gen(function* () {
  const manifest = yield* readManifest(root)
  const lock = yield* readLock(root)
  const manifests = [
    manifest,
    ...(yield* Effect.forEach(manifest.workspaces ?? [], (at) => readManifest(join(root, at))))
  ]
  const all = packages(lock)
  const unseen = all.filter(lacksChecksumByDesign).length
  const bom = yield* sbom(root, lock)
  const checks: ReadonlyArray<readonly [string, Effect.Effect<Verdict, unknown, NodeServices.NodeServices>]> = [
    ["package.json has exact versions", Effect.succeed({ faults: manifests.flatMap(manifestFaults) })],
    [
      `${all.length - unseen} of ${all.length} packages have checksums (${unseen} tools for other systems cannot); the ` +
        `${productionPackages(lock).length} of production have allowed licences and no install scripts`,
      Effect.succeed({ faults: lockFaults(lock) })
    ],
    ["npm ls: the installed packages satisfy package.json", Effect.map(npm(root, "ls", "--all"), verdictOfExit)],
    ["npm sbom: the list of materials has every package of production", Effect.succeed(verdictOfBom(lock, bom))],
    ["npm ci --omit=dev --ignore-scripts installs a working program", checkProductionInstall],
    [
      "npm audit --omit=dev finds no known vulnerabilities",
      Effect.map(npm(root, "audit", "--omit=dev"), verdictOfAudit)
    ],
    ["npm audit signatures verifies every package", Effect.map(npm(root, "audit", "signatures"), verdictOfAudit)]
  ]
  const counts = { passed: 0, failed: 0, "not run": 0 }
  for (const [name, check] of checks) {
    const verdict = yield* check
    const [result, lines] =
      "notRun" in verdict
        ? (["not run", [verdict.notRun]] as const)
        : ([verdict.faults.length === 0 ? "passed" : "failed", verdict.faults] as const)
    counts[result]++
    yield* Console.log([`${result}: ${name}`, ...lines].join("\n    "))
  }
  yield* Console.log(
    Object.entries(counts)
      .map(([result, count]) => `${count} ${result}`)
      .join(", ")
  )
  if (counts.failed > 0) process.exitCode = 1
})

const writeSbom = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const lock = yield* readLock(root)
  const bom = yield* sbom(root, lock)
  const verdict = verdictOfBom(lock, bom)
  if (!("faults" in verdict) || verdict.faults.length > 0) return yield* Effect.die(new Error(JSON.stringify(verdict)))
  yield* fs.makeDirectory(join(root, "dist"), { recursive: true })
  yield* fs.writeFileString(join(root, "dist/sbom.cdx.json"), bom.stdout)
  yield* Console.log(`dist/sbom.cdx.json: ${productionPackages(lock).length} packages`)
})

const { values: flags } = parseArgs({ options: { sbom: { type: "boolean", default: false } } })
NodeRuntime.runMain(Effect.provide(flags.sbom ? writeSbom : supply, NodeServices.layer))
