// scripts/client.ts: packs clients of the API for other programs, made from the contract.
import { execFileSync } from "node:child_process"
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { build } from "rolldown"
import manifest from "../package.json" with { type: "json" }
import { collection } from "./client/Postman.ts"
import * as Python from "./client/Python.ts"
import { declarations, routes } from "./client/TypeScript.ts"

const root = join(import.meta.dirname, "..")
const { values } = parseArgs({
  options: { out: { type: "string" }, python: { type: "boolean" }, postman: { type: "boolean" } }
})

/** The folder of a package, empty but for the licence. */
const emptyPackageFolder = (name: string): string => {
  const out = resolve(values.out ?? join(root, "dist", name))
  rmSync(out, { recursive: true, force: true })
  mkdirSync(out, { recursive: true })
  cpSync(join(root, "LICENSE"), join(out, "LICENSE"))
  return out
}

/** The module of the promise client: its runtime with the routes of the document. */
const promiseModule = `export { OvertureError } from ${JSON.stringify(join(root, "client/PromiseClient.ts"))}
import { connector } from ${JSON.stringify(join(root, "client/PromiseClient.ts"))}
export const version = ${JSON.stringify(manifest.version)}
export const connect = connector(${JSON.stringify(routes())})`

const bundle = (input: string, file: string) =>
  build({
    input,
    platform: "neutral",
    external: /^effect(\/|$)/,
    plugins: [
      {
        name: "promise-client",
        resolveId: (id) => (id === "promises" ? id : null),
        load: { handler: (id) => (id === "promises" ? promiseModule : null) }
      }
    ],
    output: { file, format: "esm", codeSplitting: false }
  })

/** `overture/client` on fetch alone, and `overture/client/effect` for programs with Effect. */
const typescript = async () => {
  const out = emptyPackageFolder("client")
  await bundle("promises", join(out, "client.js"))
  writeFileSync(join(out, "client.d.ts"), declarations())
  execFileSync("oxfmt", ["-c", join(root, ".oxfmtrc.json"), join(out, "client.d.ts")], { stdio: "ignore" })
  await bundle(join(root, "client/index.ts"), join(out, "effect.js"))
  const types = ["--emitDeclarationOnly", "--declaration", "--noEmit", "false", "--outDir", join(out, "types")]
  execFileSync("tsc", ["-p", join(root, "client/tsconfig.json"), ...types], { stdio: "inherit" })
  const description = {
    name: manifest.name,
    version: manifest.version,
    description: "A client of Overture's HTTP API",
    license: manifest.license,
    type: "module",
    exports: {
      "./client": { types: "./client.d.ts", default: "./client.js" },
      "./client/effect": { types: "./types/client/index.d.ts", default: "./effect.js" }
    },
    imports: {
      "#client/*.ts": { types: "./types/client/*.d.ts" },
      "#schema/*.ts": { types: "./types/schema/*.d.ts" }
    },
    engines: { node: ">=20" },
    // Only `overture/client/effect` needs it; its types are of this version.
    peerDependencies: { effect: manifest.dependencies.effect },
    peerDependenciesMeta: { effect: { optional: true } }
  }
  writeFileSync(join(out, "package.json"), `${JSON.stringify(description, null, 2)}\n`)
  console.log(`The package is in ${out}: npm install --install-links ${out}`)
}

/** The Python package `overture`, which needs the standard library only. */
const python = () => {
  const out = emptyPackageFolder("python")
  const at = join(out, "overture")
  mkdirSync(at)
  cpSync(join(root, "client/python/transport.py"), join(at, "transport.py"))
  writeFileSync(join(at, "types.py"), Python.types())
  writeFileSync(join(at, "errors.py"), Python.exceptions())
  writeFileSync(join(at, "client.py"), Python.client())
  writeFileSync(
    join(at, "__init__.py"),
    `"""A client of Overture's HTTP API."""

from . import types as types
from .client import Overture as Overture
from .errors import *

__version__ = "${manifest.version}"
`
  )
  // Marks the package as typed.
  writeFileSync(join(at, "py.typed"), "")
  writeFileSync(
    join(out, "pyproject.toml"),
    `[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[project]
name = "overture-client"
version = "${manifest.version}"
description = "A client of Overture's HTTP API"
license = "${manifest.license}"
requires-python = ">=3.9"

[tool.setuptools]
packages = ["overture"]
package-data = { overture = ["py.typed"] }
`
  )
  console.log(`The package is in ${out}: pip install ${out}`)
}

/** The collection for Postman and tools that read its files. */
const postman = () => {
  const file = join(emptyPackageFolder("postman"), "overture.postman_collection.json")
  writeFileSync(file, `${JSON.stringify(collection(), null, 2)}\n`)
  console.log(`The collection is ${file}: import it, and set its variables baseUrl and apiKey`)
}

if (values.python === true) python()
else if (values.postman === true) postman()
else await typescript()
