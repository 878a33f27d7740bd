// test/architecture.test.ts: which folders may import which: schema below layers below src, and client and console beside them
// on schema alone.
import { assert, describe, it } from "@effect/vitest"
import { existsSync, globSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { settings } from "#src/settings.ts"

const root = join(import.meta.dirname, "..")
const floors = ["schema", "client", "layers", "src", "console"] as const
type Floor = (typeof floors)[number]

interface Import {
  readonly from: string
  /** What it names: a file of this project, from its root, or a package. */
  readonly to: string
  readonly local: boolean
}

const files = floors
  .flatMap((floor) => globSync(`${floor}/**/*.{ts,tsx}`, { cwd: root }))
  .map((file) => file.replaceAll("\\", "/"))

const statements = /\b(?:import|export)\b[^"';]*?\bfrom\s*"([^"]+)"|(?:^import\s+|\bimport\(\s*)"([^"]+)"/gm

const importsOf = (file: string): ReadonlyArray<Import> => {
  // Comments may speak of imports; code in them is none.
  const text = readFileSync(join(root, file), "utf8").replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "")
  return [...text.matchAll(statements)].map(([, from, bare]) => {
    const name = from ?? bare ?? ""
    const local = /^[#.]/.test(name)
    const to = name.startsWith("#") ? name.slice(1) : local ? relative(root, join(root, file, "..", name)) : name
    return { from: file, to: to.replaceAll("\\", "/"), local }
  })
}

const imports = files.flatMap(importsOf)
const floorOf = (path: string) => path.split("/")[0]
const shown = ({ from, to }: Import) => `${from} → ${to}`

it("reads the environment in its settings alone, and declares all that it reads", () => {
  const ofSettings = /^src\/settings(\/|\.ts$)/
  const elsewhere = files.filter((file) => !ofSettings.test(file) && /^(src|layers)/.test(file))
  assert.deepStrictEqual(
    elsewhere.filter((file) =>
      /\bConfig\.(?:[A-Z]\w+|schema)\(|\bprocess\.env\b/.test(readFileSync(join(root, file), "utf8"))
    ),
    []
  )
  const read = files
    .filter((file) => ofSettings.test(file))
    .flatMap((file) => readFileSync(join(root, file), "utf8").match(/(?<=")(?:[A-Z]+_)+[A-Z]+(?=")/g) ?? [])
  assert.sameMembers(
    read,
    settings.map(({ name }) => name)
  )
})

describe("the floors", () => {
  it("are all there, and read", () => {
    for (const floor of floors) assert.isAbove(files.filter((file) => floorOf(file) === floor).length, 5)
    assert.isAbove(imports.length, files.length)
  })

  const allowed: { readonly [F in Floor]: ReadonlyArray<string> } = {
    schema: ["schema"],
    // Clients know of the service only what its contract says.
    client: ["schema", "client"],
    layers: ["schema", "layers"],
    src: ["schema", "client", "layers", "src"],
    console: ["schema", "client", "console"]
  }

  it.each(floors)("%s imports nothing from above, nor from tests and scripts", (floor) => {
    const wrong = imports.filter(
      ({ from, local, to }) => local && floorOf(from) === floor && !allowed[floor].includes(floorOf(to) ?? "")
    )
    assert.deepStrictEqual(wrong.map(shown), [])
  })

  it("schema stands on effect alone", () => {
    const wrong = imports.filter(
      ({ from, local, to }) => !local && floorOf(from) === "schema" && to !== "effect" && !to.startsWith("effect/")
    )
    assert.deepStrictEqual(wrong.map(shown), [])
  })

  it("the console stands on effect, preact and two small packages alone", () => {
    const wrong = imports.filter(
      ({ from, local, to }) =>
        !local &&
        floorOf(from) === "console" &&
        !/^((effect|preact)(\/(?!compat|platform)[\w-]+)?|diff|@tanstack\/virtual-core)$/.test(to)
    )
    assert.deepStrictEqual(wrong.map(shown), [])
  })

  it("layers know nothing of HTTP or of the command line", () => {
    const wrong = imports.filter(
      ({ from, to }) => floorOf(from) === "layers" && /^(effect\/(http|http-api|cli)|node:https?)$/.test(to)
    )
    assert.deepStrictEqual(wrong.map(shown), [])
  })

  it("no module is imported by itself, through however many others", () => {
    const graph = new Map(files.map((file) => [file, imports.filter(({ from, local }) => from === file && local)]))
    const done = new Set<string>()
    const walk = (file: string, above: ReadonlyArray<string>): ReadonlyArray<string> => {
      if (above.includes(file)) return [...above.slice(above.indexOf(file)), file]
      if (done.has(file)) return []
      for (const { to } of graph.get(file) ?? []) {
        const cycle = walk(to, [...above, file])
        if (cycle.length > 0) return cycle
      }
      done.add(file)
      return []
    }
    for (const file of files) assert.deepStrictEqual(walk(file, []), [])
  })

  it("every import names a file, with its extension", () => {
    const wrong = imports.filter(({ local, to }) => local && !existsSync(join(root, to)))
    assert.deepStrictEqual(wrong.map(shown), [])
  })

  it("every SQL statement on what a workspace owns is in layers", () => {
    const wrong = files.filter((file) => {
      if (floorOf(file) === "layers") return false
      const text = readFileSync(join(root, file), "utf8")
      return /\b(INSERT INTO|UPDATE|DELETE FROM|FROM)\s+(workspaces|api_keys|campaigns|lists|leads|signatures|credit_\w+)\b/.test(
        text
      )
    })
    assert.deepStrictEqual(wrong, [])
  })
})
