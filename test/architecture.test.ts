// test/architecture.test.ts: which folders may import which (schema imports nothing, layers imports schema, src imports both,
// client and console import only schema and client), and other rules about the source files.
import { assert, describe, it } from "@effect/vitest"
import { existsSync, globSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { settings } from "#src/settings.ts"

const root = join(import.meta.dirname, "..")
const folders = ["schema", "client", "layers", "src", "console"] as const
type Folder = (typeof folders)[number]

interface Import {
  readonly from: string
  /** The imported package, or the imported file as a path from the project root. */
  readonly to: string
  readonly local: boolean
}

const files = folders
  .flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root }))
  .map((file) => file.replaceAll("\\", "/"))

const importPattern = /\b(?:import|export)\b[^"';]*?\bfrom\s*"([^"]+)"|(?:^import\s+|\bimport\(\s*)"([^"]+)"/gm

const importsOf = (file: string): ReadonlyArray<Import> => {
  // Imports mentioned in comments do not count.
  const text = readFileSync(join(root, file), "utf8").replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "")
  return [...text.matchAll(importPattern)].map(([, source, sideEffect]) => {
    const name = source ?? sideEffect ?? ""
    const local = /^[#.]/.test(name)
    const to = name.startsWith("#") ? name.slice(1) : local ? relative(root, join(root, file, "..", name)) : name
    return { from: file, to: to.replaceAll("\\", "/"), local }
  })
}

const imports = files.flatMap(importsOf)
const folderOf = (path: string) => path.split("/")[0]
const asText = ({ from, to }: Import) => `${from} → ${to}`

it("only the settings read the environment, and they declare every variable they read", () => {
  const settingsPath = /^src\/settings(\/|\.ts$)/
  const otherFiles = files.filter((file) => !settingsPath.test(file) && /^(src|layers)/.test(file))
  assert.deepStrictEqual(
    otherFiles.filter((file) =>
      /\bConfig\.(?:[A-Z]\w+|schema)\(|\bprocess\.env\b/.test(readFileSync(join(root, file), "utf8"))
    ),
    []
  )
  const declaredNames = files
    .filter((file) => settingsPath.test(file))
    .flatMap((file) => readFileSync(join(root, file), "utf8").match(/(?<=")(?:[A-Z]+_)+[A-Z]+(?=")/g) ?? [])
  assert.sameMembers(
    declaredNames,
    settings.map(({ name }) => name)
  )
})

describe("the source folders", () => {
  it("are all found by this test", () => {
    for (const folder of folders) assert.isAbove(files.filter((file) => folderOf(file) === folder).length, 5)
    assert.isAbove(imports.length, files.length)
  })

  const allowedFolders: { readonly [F in Folder]: ReadonlyArray<string> } = {
    schema: ["schema"],
    // Clients depend only on the contract.
    client: ["schema", "client"],
    layers: ["schema", "layers"],
    src: ["schema", "client", "layers", "src"],
    console: ["schema", "client", "console"]
  }

  it.each(folders)("%s imports only the folders it may use", (folder) => {
    const violations = imports.filter(
      ({ from, local, to }) =>
        local && folderOf(from) === folder && !allowedFolders[folder].includes(folderOf(to) ?? "")
    )
    assert.deepStrictEqual(violations.map(asText), [])
  })

  it("schema imports no package but effect", () => {
    const violations = imports.filter(
      ({ from, local, to }) => !local && folderOf(from) === "schema" && to !== "effect" && !to.startsWith("effect/")
    )
    assert.deepStrictEqual(violations.map(asText), [])
  })

  it("the console imports no packages but effect, preact and two small ones", () => {
    const violations = imports.filter(
      ({ from, local, to }) =>
        !local &&
        folderOf(from) === "console" &&
        !/^((effect|preact)(\/(?!compat|platform)[\w-]+)?|diff|@tanstack\/virtual-core)$/.test(to)
    )
    assert.deepStrictEqual(violations.map(asText), [])
  })

  it("layers import nothing about HTTP or the command line", () => {
    const violations = imports.filter(
      ({ from, to }) => folderOf(from) === "layers" && /^(effect\/(http|http-api|cli)|node:https?)$/.test(to)
    )
    assert.deepStrictEqual(violations.map(asText), [])
  })

  it("no module imports itself through others", () => {
    const graph = new Map(files.map((file) => [file, imports.filter(({ from, local }) => from === file && local)]))
    const checked = new Set<string>()
    const findCycle = (file: string, importers: ReadonlyArray<string>): ReadonlyArray<string> => {
      if (importers.includes(file)) return [...importers.slice(importers.indexOf(file)), file]
      if (checked.has(file)) return []
      for (const { to } of graph.get(file) ?? []) {
        const cycle = findCycle(to, [...importers, file])
        if (cycle.length > 0) return cycle
      }
      checked.add(file)
      return []
    }
    for (const file of files) assert.deepStrictEqual(findCycle(file, []), [])
  })

  it("every import names an existing file with its extension", () => {
    const violations = imports.filter(({ local, to }) => local && !existsSync(join(root, to)))
    assert.deepStrictEqual(violations.map(asText), [])
  })

  it("every SQL statement on workspace data is in layers", () => {
    const violations = files.filter((file) => {
      if (folderOf(file) === "layers") return false
      const text = readFileSync(join(root, file), "utf8")
      return /\b(INSERT INTO|UPDATE|DELETE FROM|FROM)\s+(workspaces|api_keys|campaigns|lists|leads|signatures|credit_\w+)\b/.test(
        text
      )
    })
    assert.deepStrictEqual(violations, [])
  })
})
