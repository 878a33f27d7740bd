// test/program/supply.test.ts: the packages of the program, and the faults that `npm run supply` must find.
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
const readProjectFile = (file: string) => readFileSync(join(root, file), "utf8")

const checksum = "sha512-" + "A".repeat(86) + "=="
const validEntry: Entry = { version: "1.0.0", integrity: checksum, license: "MIT" }
const lockWith = (name: string, entry: Entry): Lock => ({
  lockfileVersion: 3,
  packages: { "": { version: "0.1.0" }, [`node_modules/${name}`]: entry }
})

describe("the lockfile", () => {
  it.effect("has a checksum for each package that is installed here, and for all production packages", () =>
    Effect.gen(function* () {
      const lock = yield* readLock(root)
      assert.deepStrictEqual(lockFaults(lock), [])
      assert.isAbove(packages(lock).length, 200)
      assert.isAbove(productionPackages(lock).length, 30)
      for (const { integrity, path } of productionPackages(lock)) assert.match(integrity ?? path, /^sha512-/)
      const withoutChecksum = packages(lock).filter(lacksChecksumByDesign)
      for (const { name } of withoutChecksum) assert.notMatch(name, /linux-x64(-gnu)?$/)
    })
  )

  const tool: Entry = { version: "1.0.0", dev: true, optional: true, os: ["win32"] }
  const faultyEntries: ReadonlyArray<readonly [string, string, Entry]> = [
    ["no checksum", "x", { version: "1.0.0", license: "MIT" }],
    ["a checksum of a weak algorithm", "x", { ...validEntry, integrity: "sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=" }],
    ["a development tool that is not excepted", "x-win32", tool],
    [
      "an excepted name in production",
      "@oxlint/binding-win32-x64-msvc",
      { version: "1.0.0", license: "MIT", os: ["win32"] }
    ],
    ["an excepted name for every system", "@oxlint/binding-x", { version: "1.0.0", dev: true, optional: true }],
    ["another registry", "x", { ...validEntry, resolved: "http://localhost:4873/x/-/x-1.0.0.tgz" }],
    ["git", "x", { ...validEntry, resolved: "git+ssh://git@example.com/x.git#abc" }],
    ["an install script in production", "x", { ...validEntry, hasInstallScript: true }],
    ["no licence in production", "x", { version: "1.0.0", integrity: checksum }],
    ["a licence in production that is not allowed", "x", { ...validEntry, license: "GPL-3.0-only" }],
    ["a choice of licences in production", "x", { ...validEntry, license: "MIT OR GPL-3.0-only" }]
  ]
  it.each(faultyEntries)("fails with %s", (_, name, entry) => {
    assert.lengthOf(lockFaults(lockWith(name, entry)), 1)
  })

  it("passes with an excepted package", () => {
    assert.deepStrictEqual(lockFaults(lockWith("@oxlint/binding-win32-x64-msvc", tool)), [])
    assert.deepStrictEqual(
      lockFaults(lockWith("x", { ...validEntry, dev: true, hasInstallScript: true, license: "GPL-3.0-only" })),
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
  ])("fails with the version %j", (version) => {
    const tables: ReadonlyArray<Partial<Manifest>> = [
      { dependencies: { x: version } },
      { devDependencies: { x: version } },
      { optionalDependencies: { x: version } },
      { overrides: { x: version } },
      { overrides: { x: { y: version } } }
    ]
    for (const table of tables) assert.lengthOf(manifestFaults({ name: "overture", ...table }), 1)
  })

  it.effect("requires the Node version that its packages and run.sh require", () =>
    Effect.gen(function* () {
      const { engines } = yield* readManifest(root)
      const [, major, minor] = /^>=(\d+)\.(\d+)$/.exec(engines?.["node"] ?? "") ?? []
      assert.include(readProjectFile("scripts/run.sh"), `process.exit(a > ${major} || (a == ${major} && b >= ${minor})`)
      assert.include(readProjectFile("README.md"), `Node ${major}.${minor} or newer`)
      const requiredVersion = Number(major) * 1000 + Number(minor)
      const packageVersions = productionPackages(yield* readLock(root)).flatMap(({ engines, name }) => {
        const range = engines !== undefined && "node" in engines ? engines.node : undefined
        if (range === undefined) return []
        const [, a, b = "0"] = /^>= ?(\d+)(?:\.(\d+)(?:\.\d+)?)?$/.exec(range) ?? []
        assert.isDefined(a, `${name} asks for Node ${range}`)
        return [Number(a) * 1000 + Number(b)]
      })
      assert.strictEqual(requiredVersion, Math.max(...packageVersions))
    })
  )

  it.effect("has exactly the packages that the program imports as dependencies", () =>
    Effect.gen(function* () {
      const { dependencies, devDependencies, optionalDependencies } = yield* readManifest(root)
      const statements = /\b(?:import|export)\b[^"';]*?\bfrom\s*"([^"]+)"|(?:^import\s+|\bimport\(\s*)"([^"]+)"/gm
      const findImports = (pattern: string) => {
        const names = globSync(pattern, { cwd: root })
          .flatMap((file) => [
            ...readProjectFile(file)
              .replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "")
              .matchAll(statements)
          ])
          .map(([, a, b]) => a ?? b ?? "")
          .filter((name) => !/^[#.]/.test(name) && !isBuiltin(name))
        return new Set(names.map((name) => /^(@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name))
      }
      const programImports = findImports("{src,layers,schema,console}/**/*.{ts,tsx}")
      // No file imports the console's typeface, which the build of the console adds.
      const typeface = "@fontsource-variable/inter"
      assert.include(readProjectFile("scripts/console.ts"), `node_modules/${typeface}"`)
      assert.sameMembers(Object.keys(dependencies ?? {}), [...programImports, typeface])
      const declaredPackages = [...programImports, ...Object.keys(devDependencies ?? {})]
      assert.includeMembers(declaredPackages, [
        ...findImports("{test,scripts}/*.ts"),
        ...findImports("{test,scripts}/support/*.ts")
      ])
      // No file imports the Node packages.
      for (const name of Object.keys(optionalDependencies ?? {})) assert.match(name, /^node-linux-/)
    })
  )
})

describe("the software bill of materials", () => {
  const lock = lockWith("x", validEntry)
  const npmResult = (components: ReadonlyArray<{ readonly name: string; readonly version: string }>) => ({
    code: 0,
    stdout: JSON.stringify({ components }),
    stderr: ""
  })
  const component = { name: "x", version: "1.0.0" }
  const faultsOf = (verdict: Verdict) => ("faults" in verdict ? verdict.faults : [])

  it("passes if it has the production packages", () => {
    assert.deepStrictEqual(verdictOfBom(lock, npmResult([component])), { faults: [] })
    assert.deepStrictEqual(verdictOfBom(lockWith("x", { ...validEntry, dev: true }), npmResult([])), { faults: [] })
  })

  it("fails if it lacks a package, has another version or a development tool, or is no list", () => {
    assert.deepStrictEqual(faultsOf(verdictOfBom(lock, npmResult([]))), ["x@1.0.0 is missing"])
    assert.lengthOf(faultsOf(verdictOfBom(lock, npmResult([{ ...component, version: "1.0.1" }]))), 2)
    assert.lengthOf(faultsOf(verdictOfBom(lockWith("x", { ...validEntry, dev: true }), npmResult([component]))), 1)
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

it("CI downloads only the packages of the lockfile", () => {
  for (const file of [".ci/run", "scripts/run.sh", "scripts/check.sh"]) {
    assert.notMatch(
      readProjectFile(file),
      /\b(curl|wget|npx|pip|apt(-get)?|docker)\b|npm (i|install|exec|update)\b/,
      file
    )
  }
})
