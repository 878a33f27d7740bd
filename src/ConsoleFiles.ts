// src/ConsoleFiles.ts: where the files of the console lie. `scripts/console.ts` makes them.
import { Context, Schema } from "effect"
import { readFileSync } from "node:fs"
import { getAsset, isSea } from "node:sea"

/** The folder they are made in, from the project's. */
export const consoleFolder = "dist/console"

const Encoding = Schema.Literals(["br", "gzip", "identity"])
export type Encoding = typeof Encoding.Type

/** What there is: each file under the path it is asked for by, in each form it can be sent in. */
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

/** The bytes of a file by its name; undefined where there is none, as long as the console was not made. */
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

/** The single executable has no files beside it. */
const readAsset = (name: string) => {
  try {
    return new Uint8Array(getAsset(assetName(name)))
  } catch {
    return undefined
  }
}

/** What a file is called among the assets of the executable. */
export const assetName = (name: string) => `console/${name}`
