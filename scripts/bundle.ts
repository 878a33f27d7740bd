// scripts/bundle.ts: bundles the program into a few files, which load in a third of the time of its sources. scripts/run.sh
// runs it when a source has changed.
import { globSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { build, type BuildOptions, type Plugin } from "rolldown"

const root = join(import.meta.dirname, "..")

/** The program, and the files that its threads start from. */
export const entries = {
  main: join(root, "src/main.ts"),
  thread: join(root, "layers/threads/thread-main.ts"),
  checkpointer: join(root, "layers/database/sqlite/checkpointer.ts")
}

/** Drops a source's own `require`, so that the bundler resolves what it loads at first use. */
const bundleRequired: Plugin = {
  name: "bundle-required",
  transform: {
    filter: { id: /\/layers\/.*\.ts$/, code: "createRequire(import.meta.url)" },
    handler: (code) => code.replace("const require = createRequire(import.meta.url)", "")
  }
}

export const options = {
  platform: "node",
  plugins: [bundleRequired],
  // A bundle with a warning may behave differently from the sources.
  onLog: (_, { message }) => {
    throw new Error(message)
  }
} satisfies BuildOptions

/** A running server loads more of its bundle later, so the folders of older bundles are kept for a while. */
const keptFolders = 5

const make = async () => {
  mkdirSync(join(root, "dist"), { recursive: true })
  const folder = mkdtempSync(join(root, "dist/bundle-"))
  // Dated before the sources are read: a source that changes during the build is newer.
  writeFileSync(join(folder, "started"), "")
  await build({
    ...options,
    input: entries,
    output: {
      dir: folder,
      format: "esm",
      entryFileNames: "[name].mjs",
      chunkFileNames: "[name]-[hash].mjs",
      minify: { compress: true, mangle: false }
    }
  })
  const link = join(root, "dist/bundle")
  symlinkSync(basename(folder), `${folder}.link`)
  renameSync(`${folder}.link`, link)
  const folders = globSync("dist/bundle-*/", { cwd: root }).map((name) => join(root, name))
  const byAge = folders.toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)
  for (const staleFolder of byAge.slice(keptFolders)) rmSync(staleFolder, { recursive: true, force: true })
}

if (import.meta.main) await make()
