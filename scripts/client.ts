// scripts/client.ts: the contract as a package for other programs, which needs nothing but `effect`.
import { execFileSync } from "node:child_process"
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { build } from "rolldown"
import manifest from "../package.json" with { type: "json" }

const root = join(import.meta.dirname, "..")
const { values } = parseArgs({ options: { out: { type: "string", default: join(root, "dist/client") } } })
const out = resolve(values.out)

rmSync(out, { recursive: true, force: true })
mkdirSync(out, { recursive: true })
await build({
  input: join(root, "client/index.ts"),
  platform: "neutral",
  external: /^effect(\/|$)/,
  output: { file: join(out, "client.js"), format: "esm", codeSplitting: false }
})
const types = ["--emitDeclarationOnly", "--declaration", "--noEmit", "false", "--outDir", join(out, "types")]
execFileSync("tsc", ["-p", join(root, "client/tsconfig.json"), ...types], { stdio: "inherit" })
cpSync(join(root, "LICENSE"), join(out, "LICENSE"))
const description = {
  name: manifest.name,
  version: manifest.version,
  description: "A client of Overture's HTTP API",
  license: manifest.license,
  type: "module",
  exports: { "./client": { types: "./types/client/index.d.ts", default: "./client.js" } },
  imports: {
    "#client/*.ts": { types: "./types/client/*.d.ts" },
    "#schema/*.ts": { types: "./types/schema/*.d.ts" }
  },
  // Its types are of this version; a program has one effect.
  peerDependencies: { effect: manifest.dependencies.effect }
}
writeFileSync(join(out, "package.json"), `${JSON.stringify(description, null, 2)}\n`)
console.log(`The package is in ${out}: npm install --install-links ${out} effect@${manifest.dependencies.effect}`)
