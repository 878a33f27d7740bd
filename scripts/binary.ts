// scripts/binary.ts: the program as one executable: Node, and inside of it the code of every thread and the console.
import { execFileSync } from "node:child_process"
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { build } from "rolldown"
import { assetName } from "#src/ConsoleFiles.ts"
import { entries, options } from "./bundle.ts"
import { make as makeConsole, builtFolder as consoleFolder } from "./console.ts"

const root = join(import.meta.dirname, "..")

/** Marks the place in the Node executable at which postject inserts the program. */
const seaFuse = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2"

const { values } = parseArgs({ options: { out: { type: "string", default: join(root, "dist/overture") } } })
const out = resolve(values.out)
const folder = mkdtempSync(join(tmpdir(), "overture-binary-"))

/** Each entry in one file, because an executable has no others to load. */
const bundle = async (name: keyof typeof entries) => {
  const file = join(folder, `${name}.cjs`)
  await build({
    ...options,
    input: entries[name],
    // A bundle has no `import.meta`; code that needs the path of a file reads the embedded assets instead.
    transform: { define: { "import.meta": "{}" } },
    output: { file, format: "cjs", codeSplitting: false, minify: { compress: true, mangle: false } }
  })
  return file
}

const make = async () => {
  const main = await bundle("main")
  await makeConsole()
  const pages = readdirSync(consoleFolder).map((name) => [assetName(name), join(consoleFolder, name)])
  const assets = {
    thread: await bundle("thread"),
    checkpointer: await bundle("checkpointer"),
    ...Object.fromEntries(pages)
  }
  const blob = join(folder, "overture.blob")
  const config = join(folder, "sea.json")
  writeFileSync(
    config,
    JSON.stringify({
      main,
      output: blob,
      assets,
      disableExperimentalSEAWarning: true,
      useCodeCache: true,
      // As in scripts/run.sh, for less memory.
      execArgv: ["--max-semi-space-size=4"]
    })
  )
  // What they print is of interest only when they fail, and then it is in the error.
  const quietOptions = { stdio: "pipe", env: { ...process.env, NODE_OPTIONS: "" } } as const
  execFileSync(process.execPath, ["--experimental-sea-config", config], quietOptions)

  const executable = join(folder, "overture")
  copyFileSync(process.execPath, executable)
  chmodSync(executable, 0o755)
  execFileSync("postject", [executable, "NODE_SEA_BLOB", blob, "--sentinel-fuse", seaFuse], quietOptions)
  mkdirSync(dirname(out), { recursive: true })
  // Renames the new file into place, so that a running program keeps the old one.
  copyFileSync(executable, `${out}.new`)
  renameSync(`${out}.new`, out)
  const megabytes = (file: string) => `${(statSync(file).size / 1e6).toFixed(1)} MB`
  console.log(`${out}: ${megabytes(out)}, of them Node ${megabytes(process.execPath)}, the program ${megabytes(main)}`)
}

try {
  await make()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
