// scripts/sbom.ts: writes the list of everything the program is made of to dist/, for a release.
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Console, Effect, FileSystem } from "effect"
import { join } from "node:path"
import { lockOf } from "./supply/Lock.ts"
import { decode, sbom, sbomFaults } from "./supply/Sbom.ts"

const root = join(import.meta.dirname, "..")

const write = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const text = yield* sbom(root)
  const bom = decode(text)
  if (bom._tag === "Failure") return yield* Effect.die(bom.failure)
  const faults = sbomFaults(yield* lockOf(root), bom.success)
  if (faults.length > 0) return yield* Effect.die(new Error(faults.join("; ")))
  yield* fs.makeDirectory(join(root, "dist"), { recursive: true })
  yield* fs.writeFileString(join(root, "dist/sbom.cdx.json"), text)
  yield* Console.log(`dist/sbom.cdx.json: ${bom.success.components.length} packages`)
})

NodeRuntime.runMain(write.pipe(Effect.provide(NodeServices.layer)))
