// test/program/supply.test.ts: what the program is made of, as its files say it, and the faults that `npm run supply` must find.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { globSync, readFileSync } from "node:fs"
import { isBuiltin } from "node:module"
import { join } from "node:path"
import { installedFaults, licenceFaults } from "../../scripts/supply/Installed.ts"
import {
  type Entry,
  isUnseen,
  type Lock,
  lockFaults,
  lockOf,
  type Manifest,
  manifestFaults,
  manifestOf,
  packages,
  production
} from "../../scripts/supply/Lock.ts"
import { audited, signed } from "../../scripts/supply/Npm.ts"
import { type Bom, sbomFaults } from "../../scripts/supply/Sbom.ts"

const root = join(import.meta.dirname, "../..")
const read = (file: string) => readFileSync(join(root, file), "utf8")

const sum = "sha512-" + "A".repeat(86) + "=="
const sound: Entry = { version: "1.0.0", integrity: sum, license: "MIT" }
const lockWith = (name: string, entry: Entry): Lock => ({
  lockfileVersion: 3,
  packages: { "": { version: "0.1.0" }, [`node_modules/${name}`]: entry }
})

describe("the lockfile", () => {
  it.effect("has a checksum for whatever is installed here, and for all that production installs anywhere", () =>
    Effect.gen(function* () {
      const lock = yield* lockOf(root)
      assert.deepStrictEqual(lockFaults(lock), [])
      assert.isAbove(packages(lock).length, 200)
      assert.isAbove(production(lock).length, 30)
      for (const { integrity, path } of production(lock)) assert.match(integrity ?? path, /^sha512-/)
      const unseen = packages(lock).filter(isUnseen)
      for (const { name } of unseen) assert.notMatch(name, /linux-x64(-gnu)?$/)
    })
  )

  const tool: Entry = { version: "1.0.0", dev: true, optional: true, os: ["win32"] }
  const faulty: ReadonlyArray<readonly [string, string, Entry]> = [
    ["no checksum", "x", { version: "1.0.0" }],
    ["a checksum that is broken too easily", "x", { ...sound, integrity: "sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=" }],
    ["a tool of a name that is not excused", "x-win32", tool],
    ["an excused name in production", "@oxlint/binding-win32-x64-msvc", { version: "1.0.0", os: ["win32"] }],
    ["an excused name for every system", "@oxlint/binding-x", { version: "1.0.0", dev: true, optional: true }],
    ["another registry", "x", { ...sound, resolved: "http://localhost:4873/x/-/x-1.0.0.tgz" }],
    ["git", "x", { ...sound, resolved: "git+ssh://git@example.com/x.git#abc" }],
    ["a script at installation", "x", { ...sound, hasInstallScript: true }]
  ]
  it.each(faulty)("is found wrong with %s", (_, name, entry) => {
    assert.lengthOf(lockFaults(lockWith(name, entry)), 1)
  })

  it("is found right with what it excuses", () => {
    assert.deepStrictEqual(lockFaults(lockWith("@oxlint/binding-win32-x64-msvc", tool)), [])
    assert.deepStrictEqual(lockFaults(lockWith("x", { ...sound, dev: true, hasInstallScript: true })), [])
  })
})

describe("package.json", () => {
  it.effect("names exact versions", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(manifestFaults(yield* manifestOf(root)), [])
      assert.deepStrictEqual(manifestFaults(yield* manifestOf(join(root, "test/client"))), [])
    })
  )

  it.each([
    "^1.0.0",
    "1.x",
    "latest",
    "*",
    "",
    "git+https://example.com/x.git",
    "https://example.com/x.tgz",
    "file:../x"
  ])("is found wrong with the version %j", (version) => {
    const tables: ReadonlyArray<Partial<Manifest>> = [
      { dependencies: { x: version } },
      { devDependencies: { x: version } },
      { optionalDependencies: { x: version } },
      { overrides: { x: version } },
      { overrides: { x: { y: version } } }
    ]
    for (const table of tables) assert.lengthOf(manifestFaults({ name: "overture", ...table }), 1)
  })

  it.effect("asks for no older Node than its packages do, and for the one that run.sh asks for", () =>
    Effect.gen(function* () {
      const { engines } = yield* manifestOf(root)
      const [, major, minor] = /^>=(\d+)\.(\d+)$/.exec(engines?.["node"] ?? "") ?? []
      assert.include(read("scripts/run.sh"), `process.exit(a > ${major} || (a == ${major} && b >= ${minor})`)
      assert.include(read("README.md"), `Node ${major}.${minor} or newer`)
      const own = Number(major) * 1000 + Number(minor)
      const wanted = production(yield* lockOf(root)).flatMap(({ engines, name }) => {
        const range = engines !== undefined && "node" in engines ? engines.node : undefined
        if (range === undefined) return []
        const [, a, b = "0"] = /^>= ?(\d+)(?:\.(\d+)(?:\.\d+)?)?$/.exec(range) ?? []
        assert.isDefined(a, `${name} asks for Node ${range}`)
        return [Number(a) * 1000 + Number(b)]
      })
      assert.strictEqual(own, Math.max(...wanted))
    })
  )

  it.effect("has as production's dependencies what the program imports, and nothing else", () =>
    Effect.gen(function* () {
      const { dependencies, devDependencies, optionalDependencies } = yield* manifestOf(root)
      const statements = /\b(?:import|export)\b[^"';]*?\bfrom\s*"([^"]+)"|(?:^import\s+|\bimport\(\s*)"([^"]+)"/gm
      const importedIn = (pattern: string) => {
        const names = globSync(pattern, { cwd: root })
          .flatMap((file) => [
            ...read(file)
              .replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "")
              .matchAll(statements)
          ])
          .map(([, a, b]) => a ?? b ?? "")
          .filter((name) => !/^[#.]/.test(name) && !isBuiltin(name))
        return new Set(names.map((name) => /^(@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name))
      }
      const program = importedIn("{src,layers,schema,console}/**/*.{ts,tsx}")
      // The typeface of the console is served and imported by no file: the console is made with it.
      const typeface = "@fontsource-variable/inter"
      assert.include(read("scripts/console.ts"), `node_modules/${typeface}"`)
      assert.sameMembers(Object.keys(dependencies ?? {}), [...program, typeface])
      const known = [...program, ...Object.keys(devDependencies ?? {})]
      assert.includeMembers(known, [...importedIn("{test,scripts}/*.ts"), ...importedIn("{test,scripts}/support/*.ts")])
      // The Node itself, which no file imports.
      for (const name of Object.keys(optionalDependencies ?? {})) assert.match(name, /^node-linux-/)
    })
  )
})

describe("a licence", () => {
  const mit = "MIT License\n\nPermission is hereby granted, free\nof charge, to any person"
  const cases: ReadonlyArray<readonly [string, string | undefined, ReadonlyArray<string>, number]> = [
    ["that is allowed", "MIT", [mit], 0],
    ["without a file", "ISC", [], 0],
    ["that nobody tells", undefined, [mit], 1],
    ["that asks for more", "GPL-3.0-only", [], 1],
    ["that is one of several", "MIT OR GPL-3.0-only", [mit], 1],
    ["whose file is another's", "MIT", ["GNU GENERAL PUBLIC LICENSE"], 1],
    ["that is a name of JavaScript's own", "constructor", [], 1]
  ]
  it.each(cases)("%s", (_, declared, texts, faults) => {
    assert.lengthOf(licenceFaults(declared, texts), faults)
  })

  it.effect("of every package that production installs here is allowed, and none has a script", () =>
    Effect.gen(function* () {
      const { elsewhere, faults } = yield* installedFaults(root, yield* lockOf(root))
      assert.deepStrictEqual(faults, [])
      assert.isTrue(elsewhere.every((name) => name.startsWith("node-linux-")))
    })
  )
})

describe("the list of materials", () => {
  const lock = lockWith("x", sound)
  const component = { "bom-ref": "x", name: "x", version: "1.0.0", type: "library", purl: "pkg:npm/x@1.0.0" }
  const x = {
    ...component,
    hashes: [{ alg: "SHA-512", content: "00".repeat(64) }],
    licenses: [{ license: { id: "MIT" } }]
  }
  const own = { ...component, "bom-ref": "overture", name: "overture", version: "0.1.0", type: "application" }
  const bom: Bom = {
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    metadata: { component: own },
    components: [x],
    dependencies: [{ ref: "overture", dependsOn: ["x"] }]
  }
  it("is found whole", () => assert.deepStrictEqual(sbomFaults(lock, bom), []))

  const faulty: ReadonlyArray<readonly [string, Partial<Bom>]> = [
    ["a package missing", { components: [], dependencies: [] }],
    ["another version", { components: [{ ...x, version: "1.0.1" }] }],
    ["no licence", { components: [{ ...component, hashes: x.hashes }] }],
    ["another checksum", { components: [{ ...x, hashes: [{ alg: "SHA-512", content: "11".repeat(64) }] }] }],
    ["a package that is in no lockfile", { components: [x, { ...x, name: "y", "bom-ref": "y" }] }],
    ["a need that is not listed", { dependencies: [{ ref: "overture", dependsOn: ["y"] }] }],
    ["another program's name on it", { metadata: { component: { ...own, version: "9.0.0" } } }]
  ]
  it.each(faulty)("is found wrong with %s", (_, change) => {
    assert.isNotEmpty(sbomFaults(lock, { ...bom, ...change }))
  })

  it("is found wrong with a tool of development", () => {
    assert.lengthOf(sbomFaults(lockWith("x", { ...sound, dev: true }), { ...bom, dependencies: [] }), 2)
  })
})

describe("what npm says of the registry", () => {
  const said = (code: number, answer: unknown) => ({ code, stdout: JSON.stringify(answer), stderr: "" })
  const offline = said(1, { error: { code: "ENOTFOUND", summary: "getaddrinfo ENOTFOUND registry" } })

  it("passes where nothing is wrong", () => {
    assert.deepStrictEqual(audited(said(0, { vulnerabilities: {} })), { faults: [] })
    assert.deepStrictEqual(signed(said(0, { invalid: [], missing: [] })), { faults: [] })
  })

  it("is a fault where something is, and where it is not understood", () => {
    const x = { name: "x", version: "1.0.0" }
    const wrong = [
      audited(said(1, { vulnerabilities: { x: { severity: "low" } } })),
      audited(said(1, { vulnerabilities: {} })),
      audited(said(1, { statusCode: 500, message: "500" })),
      audited({ code: 1, stdout: "", stderr: "out of memory" }),
      signed(said(1, { invalid: [x], missing: [] })),
      signed(said(1, { invalid: [], missing: [x] })),
      signed(said(1, { error: { code: "EINTEGRITY", summary: "" } })),
      signed(said(0, {}))
    ]
    for (const verdict of wrong) assert.isNotEmpty("faults" in verdict ? verdict.faults : [], JSON.stringify(verdict))
  })

  it("is called unavailable where the registry is not there or knows no such question, and never passes", () => {
    for (const verdict of [audited(offline), signed(offline), audited(said(1, { statusCode: 405, message: "405" }))]) {
      assert.isTrue("unavailable" in verdict)
    }
  })
})

it("what CI runs fetches nothing but the packages of the lockfile", () => {
  for (const file of [".ci/run", "scripts/run.sh", "scripts/check.sh"]) {
    assert.notMatch(read(file), /\b(curl|wget|npx|pip|apt(-get)?|docker)\b|npm (i|install|exec|update)\b/, file)
  }
})
