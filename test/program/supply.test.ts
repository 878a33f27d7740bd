// test/program/supply.test.ts: what the program is made of, as its files say it, and the faults that `npm run supply` must find.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { globSync, readFileSync } from "node:fs"
import { isBuiltin } from "node:module"
import { join } from "node:path"
import {
  type Entry,
  lacksChecksumByDesign,
  type Lock,
  lockFaults,
  readLock,
  type Manifest,
  manifestFaults,
  readManifest,
  packages,
  productionPackages
} from "../../scripts/supply/Lock.ts"
import { verdictOfAudit, verdictOfBom, type Verdict } from "../../scripts/supply/Npm.ts"

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
      const lock = yield* readLock(root)
      assert.deepStrictEqual(lockFaults(lock), [])
      assert.isAbove(packages(lock).length, 200)
      assert.isAbove(productionPackages(lock).length, 30)
      for (const { integrity, path } of productionPackages(lock)) assert.match(integrity ?? path, /^sha512-/)
      const unseen = packages(lock).filter(lacksChecksumByDesign)
      for (const { name } of unseen) assert.notMatch(name, /linux-x64(-gnu)?$/)
    })
  )

  const tool: Entry = { version: "1.0.0", dev: true, optional: true, os: ["win32"] }
  const faulty: ReadonlyArray<readonly [string, string, Entry]> = [
    ["no checksum", "x", { version: "1.0.0", license: "MIT" }],
    ["a checksum that is broken too easily", "x", { ...sound, integrity: "sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=" }],
    ["a tool of a name that is not excused", "x-win32", tool],
    [
      "an excused name in production",
      "@oxlint/binding-win32-x64-msvc",
      { version: "1.0.0", license: "MIT", os: ["win32"] }
    ],
    ["an excused name for every system", "@oxlint/binding-x", { version: "1.0.0", dev: true, optional: true }],
    ["another registry", "x", { ...sound, resolved: "http://localhost:4873/x/-/x-1.0.0.tgz" }],
    ["git", "x", { ...sound, resolved: "git+ssh://git@example.com/x.git#abc" }],
    ["an install script in production", "x", { ...sound, hasInstallScript: true }],
    ["no licence in production", "x", { version: "1.0.0", integrity: sum }],
    ["a licence in production that is not allowed", "x", { ...sound, license: "GPL-3.0-only" }],
    ["a choice of licences in production", "x", { ...sound, license: "MIT OR GPL-3.0-only" }]
  ]
  it.each(faulty)("is found wrong with %s", (_, name, entry) => {
    assert.lengthOf(lockFaults(lockWith(name, entry)), 1)
  })

  it("is found right with what it excuses", () => {
    assert.deepStrictEqual(lockFaults(lockWith("@oxlint/binding-win32-x64-msvc", tool)), [])
    assert.deepStrictEqual(
      lockFaults(lockWith("x", { ...sound, dev: true, hasInstallScript: true, license: "GPL-3.0-only" })),
      []
    )
  })
})

describe("package.json", () => {
  it.effect("names exact versions", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(manifestFaults(yield* readManifest(root)), [])
      assert.deepStrictEqual(manifestFaults(yield* readManifest(join(root, "test/client"))), [])
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
      const { engines } = yield* readManifest(root)
      const [, major, minor] = /^>=(\d+)\.(\d+)$/.exec(engines?.["node"] ?? "") ?? []
      assert.include(read("scripts/run.sh"), `process.exit(a > ${major} || (a == ${major} && b >= ${minor})`)
      assert.include(read("README.md"), `Node ${major}.${minor} or newer`)
      const own = Number(major) * 1000 + Number(minor)
      const wanted = productionPackages(yield* readLock(root)).flatMap(({ engines, name }) => {
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
      const { dependencies, devDependencies, optionalDependencies } = yield* readManifest(root)
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

describe("the list of materials", () => {
  const lock = lockWith("x", sound)
  const result = (components: ReadonlyArray<{ readonly name: string; readonly version: string }>) => ({
    code: 0,
    stdout: JSON.stringify({ components }),
    stderr: ""
  })
  const x = { name: "x", version: "1.0.0" }
  const faultsOf = (verdict: Verdict) => ("faults" in verdict ? verdict.faults : [])

  it("passes if it has the packages of production", () => {
    assert.deepStrictEqual(verdictOfBom(lock, result([x])), { faults: [] })
    assert.deepStrictEqual(verdictOfBom(lockWith("x", { ...sound, dev: true }), result([])), { faults: [] })
  })

  it("fails if it lacks a package, has another version or a development tool, or is no list", () => {
    assert.deepStrictEqual(faultsOf(verdictOfBom(lock, result([]))), ["x@1.0.0 is missing"])
    assert.lengthOf(faultsOf(verdictOfBom(lock, result([{ ...x, version: "1.0.1" }]))), 2)
    assert.lengthOf(faultsOf(verdictOfBom(lockWith("x", { ...sound, dev: true }), result([x]))), 1)
    assert.lengthOf(faultsOf(verdictOfBom(lock, { code: 0, stdout: "", stderr: "" })), 1)
    assert.lengthOf(faultsOf(verdictOfBom(lock, { code: 1, stdout: "", stderr: "out of memory" })), 1)
  })
})

describe("an npm audit", () => {
  it("passes if npm exits with 0", () => {
    assert.deepStrictEqual(verdictOfAudit({ code: 0, stdout: "found 0 vulnerabilities", stderr: "" }), { faults: [] })
  })

  it("fails on a finding and on an error that is not about the registry", () => {
    const failures = [
      ["x  *\nSeverity: low", ""],
      ["1 package has an invalid registry signature", ""],
      ["", "npm error code EINTEGRITY"],
      ["", "npm warn audit 500 Internal Server Error\nnpm error audit endpoint returned an error"],
      ["npm error code ENOTFOUND", ""],
      ["", "out of memory"]
    ]
    for (const [stdout = "", stderr = ""] of failures) {
      const verdict = verdictOfAudit({ code: 1, stdout, stderr })
      assert.isNotEmpty("faults" in verdict ? verdict.faults : [], JSON.stringify(verdict))
    }
  })

  it.each([
    "npm error code ENOTFOUND\nnpm error syscall getaddrinfo",
    "npm warn audit 405 Method Not Allowed - POST https://registry.npmjs.org/\nnpm error audit endpoint returned an error",
    "npm error found no dependencies to audit that were installed from a supported registry"
  ])("is reported as not run, and does not pass, if the registry cannot answer: %s", (stderr) => {
    assert.isTrue("notRun" in verdictOfAudit({ code: 1, stdout: "", stderr }))
  })
})

it("what CI runs fetches nothing but the packages of the lockfile", () => {
  for (const file of [".ci/run", "scripts/run.sh", "scripts/check.sh"]) {
    assert.notMatch(read(file), /\b(curl|wget|npx|pip|apt(-get)?|docker)\b|npm (i|install|exec|update)\b/, file)
  }
})
