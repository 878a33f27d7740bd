// test/program/setup.test.ts: which packages scripts/run.sh installs before it runs a command, with a fake npm.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { temporaryFolder } from "#test/support/process.ts"

const script = new URL("../../scripts/run.sh", import.meta.url).pathname

const thisSystem = { os: [process.platform], cpu: [process.arch] }
const otherSystem = { os: ["plan9"], cpu: ["pdp11"], optional: true }

const lock = {
  "": { name: "overture" },
  "test/client": { name: "client" },
  "node_modules/client": { resolved: "test/client", link: true },
  "node_modules/a": { version: "1.0.0", integrity: "sha512-a" },
  "node_modules/a/node_modules/b": { version: "2.0.0", integrity: "sha512-b" },
  "node_modules/native": { version: "3.0.0", integrity: "sha512-n", optional: true, ...thisSystem },
  "node_modules/other": { version: "3.0.0", integrity: "sha512-o", ...otherSystem }
}

/** The list that npm writes after it installed all packages for this system. */
const { "": _, "node_modules/other": __, ...installedPackages } = lock

/** Runs a command in a project with these packages, and returns whether the script ran npm. */
const runsNpm = Effect.fnUntraced(function* (installed: object | undefined, runCount = 1) {
  const project = yield* temporaryFolder
  const npm = `${project}/npm-was-asked`
  mkdirSync(`${project}/bin`)
  mkdirSync(`${project}/node_modules`)
  writeFileSync(`${project}/package-lock.json`, JSON.stringify({ packages: lock }))
  if (installed !== undefined) {
    writeFileSync(`${project}/node_modules/.package-lock.json`, JSON.stringify({ packages: installed }))
  }
  writeFileSync(`${project}/bin/npm`, `#!/bin/sh\necho "$@" >> "${npm}"\n`, { mode: 0o755 })
  const env = { ...process.env, PATH: `${project}/bin:${process.env["PATH"]}` }
  for (let i = 0; i < runCount; i++) {
    const output = execFileSync("sh", [script, "echo", "done"], { cwd: project, env, encoding: "utf8", stdio: "pipe" })
    assert.strictEqual(output, "done\n")
  }
  return existsSync(npm)
})

describe("npm start", () => {
  it.live("installs missing packages", () =>
    Effect.gen(function* () {
      assert.isTrue(yield* runsNpm(undefined))
      const { "node_modules/a": ___, ...withoutPackage } = installedPackages
      assert.isTrue(yield* runsNpm(withoutPackage))
      assert.isTrue(
        yield* runsNpm({ ...installedPackages, "node_modules/a": { version: "0.9.0", integrity: "sha512-z" } })
      )
      const { "node_modules/native": ____, ...withoutNative } = installedPackages
      assert.isTrue(yield* runsNpm(withoutNative))
    })
  )

  it.live("recognises packages that were installed by hand", () =>
    Effect.gen(function* () {
      assert.isFalse(yield* runsNpm(installedPackages, 2))
    })
  )

  it.live("bundles the sources at the first start and after each change, and runs the sources if that fails", () =>
    Effect.gen(function* () {
      const project = yield* temporaryFolder
      for (const name of ["src", "layers", "schema", "client", "scripts", "node_modules"])
        mkdirSync(`${project}/${name}`)
      for (const file of ["package-lock.json", "node_modules/.package-lock.json"])
        writeFileSync(`${project}/${file}`, JSON.stringify({ packages: {} }))
      writeFileSync(`${project}/src/main.ts`, 'console.log("sources", ...process.argv.slice(2))')
      writeFileSync(
        `${project}/scripts/bundle.ts`,
        `import { appendFileSync, mkdirSync, writeFileSync } from "node:fs"
        appendFileSync("bundled", "x")
        mkdirSync("dist/bundle", { recursive: true })
        writeFileSync("dist/bundle/started", "")
        writeFileSync("dist/bundle/main.mjs", 'console.log("bundle", ...process.argv.slice(2))')`
      )
      const runOverture = () =>
        execFileSync("sh", [script, "overture", "--version"], { cwd: project, encoding: "utf8", stdio: "pipe" })
      const countBundles = () => readFileSync(`${project}/bundled`, "utf8").length
      assert.deepStrictEqual(
        [runOverture(), runOverture(), countBundles()],
        ["bundle --version\n", "bundle --version\n", 1]
      )
      const laterTime = new Date(Date.now() + 1000)
      utimesSync(`${project}/src/main.ts`, laterTime, laterTime)
      assert.deepStrictEqual([runOverture(), countBundles()], ["bundle --version\n", 2])
      rmSync(`${project}/dist`, { recursive: true })
      writeFileSync(`${project}/scripts/bundle.ts`, "throw new Error()")
      assert.strictEqual(runOverture(), "sources --version\n")
    })
  )
})
