// scripts/supply.ts: whether what the program is made of is what it says it is: pinned, with checksums, without scripts,
// under licences that anyone can live with, listed whole, and known to be signed and sound where the registry can tell.
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Console, Effect } from "effect"
import { join } from "node:path"
import { bareFaults } from "./supply/Bare.ts"
import { installedFaults } from "./supply/Installed.ts"
import { isUnseen, lockFaults, lockOf, manifestFaults, manifestOf, packages, production } from "./supply/Lock.ts"
import { audit, signatures, type Verdict } from "./supply/Npm.ts"
import { decode, sbom, sbomFaults } from "./supply/Sbom.ts"

const root = join(import.meta.dirname, "..")

const supply = Effect.gen(function* () {
  const manifest = yield* manifestOf(root)
  const lock = yield* lockOf(root)
  const all = packages(lock)
  const unseen = all.filter(isUnseen).length
  const installed = yield* installedFaults(root, lock)
  const clients = yield* Effect.forEach(manifest.workspaces ?? [], (folder) => manifestOf(join(root, folder)))
  const bom = decode(yield* sbom(root))

  const checks: ReadonlyArray<readonly [string, Effect.Effect<Verdict, unknown, NodeServices.NodeServices>]> = [
    [
      "package.json names exact versions from the registry",
      Effect.succeed({ faults: [manifest, ...clients].flatMap(manifestFaults) })
    ],
    [
      `${all.length - unseen} of ${all.length} packages have checksums; ${unseen} tools for other systems cannot`,
      Effect.succeed({ faults: lockFaults(lock) })
    ],
    [
      `${production(lock).length} packages of production have no install script, and allowed licences` +
        (installed.elsewhere.length === 0 ? "" : ` (not installed here: ${installed.elsewhere.join(", ")})`),
      Effect.succeed({ faults: installed.faults })
    ],
    [
      "the list of materials names them all, with the Node of each system",
      Effect.succeed({
        faults: bom._tag === "Success" ? sbomFaults(lock, bom.success) : [`npm sbom: ${bom.failure.message}`]
      })
    ],
    [
      "npm ci --omit=dev --ignore-scripts makes a working program",
      Effect.map(bareFaults(root), (faults) => ({ faults }))
    ],
    ["npm audit --omit=dev knows of no faults", audit(root)],
    ["npm audit signatures vouches for every package", signatures(root)]
  ]

  let wrong = 0
  let untold = 0
  for (const [name, check] of checks) {
    const verdict = yield* check
    if ("unavailable" in verdict) {
      untold++
      yield* Console.log(`not available here: ${name}\n    ${verdict.unavailable}`)
    } else if (verdict.faults.length > 0) {
      wrong++
      yield* Console.log([`WRONG: ${name}`, ...verdict.faults].join("\n    "))
    } else yield* Console.log(`ok: ${name}`)
  }
  yield* Console.log(`${checks.length - wrong - untold} kept, ${wrong} broken, ${untold} not available here`)
  if (wrong > 0) process.exitCode = 1
})

NodeRuntime.runMain(supply.pipe(Effect.provide(NodeServices.layer)))
