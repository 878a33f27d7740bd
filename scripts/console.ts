// scripts/console.ts: makes the console: one script, one style sheet and one font, named by their digests, with their
// compressed forms and a list of all of them. Run by scripts/run.sh before whatever serves it; it does nothing while that is fresh.
import { globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { createHash } from "node:crypto"
import { join } from "node:path"
import { brotliCompressSync, constants, gzipSync } from "node:zlib"
import { type Encoding, consoleFolder, type Manifest, manifestName } from "#src/ConsoleFiles.ts"

const root = join(import.meta.dirname, "..")
export const builtFolder = join(root, consoleFolder)

/** What the page is made of. */
const sources = ["console/**/*", "client/**/*", "schema/**/*", "scripts/console.ts", "package-lock.json"]

const changedAt = (file: string) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0

const isCurrent = () => {
  const since = changedAt(join(builtFolder, manifestName))
  return (
    since > 0 &&
    sources.every((pattern) => globSync(pattern, { cwd: root }).every((file) => changedAt(join(root, file)) < since))
  )
}

const digestOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("base64url").slice(0, 12)

const bundleScript = async () => {
  // It takes its time to load, and mostly there is nothing to do.
  const { rolldown } = await import("rolldown")
  const bundle = await rolldown({
    input: join(root, "console/main.tsx"),
    platform: "browser",
    tsconfig: join(root, "tsconfig.json"),
    logLevel: "warn"
  })
  const { output } = await bundle.generate({ format: "esm", minify: true, codeSplitting: false })
  await bundle.close()
  return Buffer.from(output[0].code)
}

const joinStyles = () =>
  Buffer.concat(
    globSync("console/style/*.css", { cwd: root })
      .toSorted()
      .map((file) => readFileSync(join(root, file)))
  )

/** Inter, the typeface of the page: its Latin letters in every weight. Its licence has to come with it. */
const inter = join(root, "node_modules/@fontsource-variable/inter")
const readFont = () => readFileSync(join(inter, "files/inter-latin-wght-normal.woff2"))
const fontLicence = () => readFileSync(join(inter, "LICENSE"))

const brotli = (bytes: Uint8Array) =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } })

/** Builds the console unless it is current. A concurrent reader finds either the old or the new build, complete. */
export const make = async () => {
  if (isCurrent()) return
  mkdirSync(join(builtFolder, ".."), { recursive: true })
  const next = mkdtempSync(`${builtFolder}-`)
  const files: Array<Manifest["files"][number]> = []
  const storeForms = (path: string, name: string, type: string, bytes: Uint8Array) => {
    const plain = ["identity", name, bytes] as const
    // A font in this format is compressed already.
    const forms: ReadonlyArray<readonly [Encoding, string, Uint8Array]> =
      type === "font/woff2"
        ? [plain]
        : [["br", `${name}.br`, brotli(bytes)], ["gzip", `${name}.gz`, gzipSync(bytes, { level: 9 })], plain]
    for (const [, name, bytes] of forms) writeFileSync(join(next, name), bytes)
    files.push({ path, type, digest: digestOf(bytes), forms: forms.map(([encoding, name]) => ({ encoding, name })) })
    return forms.map(([encoding, , bytes]) => `${encoding} ${(bytes.length / 1024).toFixed(1)} KB`).join(", ")
  }
  const storeNamed = (kind: string, type: string, bytes: Uint8Array) => {
    const name = `console-${digestOf(bytes)}.${kind}`
    console.error(`  ${name}: ${storeForms(`/console/${name}`, name, type, bytes)}`)
    return `/console/${name}`
  }
  console.error("Making the console")
  const sheet = joinStyles()
    .toString()
    .replace("inter.licence.txt", storeNamed("licence.txt", "text/plain; charset=utf-8", fontLicence()))
    .replace("inter.woff2", storeNamed("woff2", "font/woff2", readFont()))
  const page = readFileSync(join(root, "console/index.html"), "utf8")
    .replace("console.js", storeNamed("js", "text/javascript; charset=utf-8", await bundleScript()))
    .replace("console.css", storeNamed("css", "text/css; charset=utf-8", Buffer.from(sheet)))
  storeForms("/", "index.html", "text/html; charset=utf-8", Buffer.from(page))
  writeFileSync(join(next, manifestName), JSON.stringify({ files } satisfies Manifest))
  rmSync(builtFolder, { recursive: true, force: true })
  renameSync(next, builtFolder)
}

if (import.meta.main) await make()
