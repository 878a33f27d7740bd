// src/ConsoleFiles.ts: finds the bundled files of the console, which `scripts/console.ts` builds.
import { Context, Schema } from "effect"
import { readFileSync } from "node:fs"
import { getAsset, isSea } from "node:sea"

/** The output folder, relative to the project. */
export const consoleFolder = "dist/console"

const Encoding = Schema.Literals(["br", "gzip", "identity"])
export type Encoding = typeof Encoding.Type

/** All files: the path of each, and the encodings in which it is available. */
export const Manifest = Schema.Struct({
  files: Schema.Array(
    Schema.Struct({
      path: Schema.String,
      type: Schema.String,
      digest: Schema.String,
      forms: Schema.Array(Schema.Struct({ encoding: Encoding, name: Schema.String }))
    })
  )
})
export type Manifest = typeof Manifest.Type

export const manifestName = "manifest.json"

/** Reads a file by name; undefined if it does not exist, as before the console was built. */
export const ConsoleFiles = Context.Reference<(name: string) => Uint8Array | undefined>("overture/src/ConsoleFiles", {
  defaultValue: () => (isSea() ? readAsset : readConsoleFile)
})

const readConsoleFile = (name: string) => {
  // A bundle is in a folder beside the console's.
  const folder = import.meta.url.endsWith(".mjs") ? "../console" : `../${consoleFolder}`
  try {
    return readFileSync(new URL(`${folder}/${name}`, import.meta.url))
  } catch {
    return undefined
  }
}

/** The single executable has its files as assets. */
const readAsset = (name: string) => {
  try {
    return new Uint8Array(getAsset(assetName(name)))
  } catch {
    return undefined
  }
}

/** The name of a console file among the assets. */
export const assetName = (name: string) => `console/${name}`
