// test/deploy.test.ts: the Compose files and the Containerfile in scripts/deploy, and scripts/image.sh.
import { assert, describe, it } from "@effect/vitest"
import { validate } from "dockerfile-utils"
import { spawnSync } from "node:child_process"
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parse } from "yaml"
import { readyzPath } from "#src/http/routes/Readyz.ts"
import { settings } from "#src/settings.ts"

const root = join(import.meta.dirname, "..")
const deploy = join(root, "scripts/deploy")
const read = (file: string) => readFileSync(join(deploy, file), "utf8")

/** The messages of dclint, a linter for the Compose specification, about a file. */
const findingsOf = (file: string) => {
  const cli = join(root, "node_modules/dclint/bin/dclint.cjs")
  const args = [cli, "-c", join(deploy, "dclint.json"), "--max-warnings", "0", "--formatter", "json", file]
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: deploy, encoding: "utf8" })
  const messages = JSON.parse(stdout).flatMap(({ messages }: any) => messages)
  assert.strictEqual(status === 0, messages.length === 0, stdout)
  return messages.map(({ message }: { readonly message: string }) => message)
}

const files = globSync("compose*.yaml", { cwd: deploy })

describe("dclint", () => {
  it.each(files)("finds nothing in %s", (file) => {
    assert.deepStrictEqual(findingsOf(join(deploy, file)), [])
  })

  it("finds what is not in the Compose specification", () => {
    const folder = mkdtempSync(join(tmpdir(), "overture-compose-"))
    const file = join(folder, "compose.yaml")
    const mistakes = [
      ["stop_grace_period:", "stop_grace:"],
      ["condition: service_healthy", "condition: healthy"],
      ["restart: unless-stopped", "restart: [always]"],
      ["- data:/data", "- data:/data\n      - data:/data"]
    ] as const
    for (const [original, replacement] of mistakes) {
      writeFileSync(file, read("compose.yaml").replace(original, replacement))
      assert.isNotEmpty(findingsOf(file), replacement)
    }
    rmSync(folder, { recursive: true })
  })
})

describe("a Compose file", () => {
  it("exists for PostgreSQL and for SQLite", () => {
    assert.sameMembers(files, ["compose.yaml", "compose.sqlite.yaml"])
    assert.sameMembers(Object.keys(parse(read("compose.yaml")).services), ["overture", "postgres", "ollama"])
    assert.sameMembers(Object.keys(parse(read("compose.sqlite.yaml")).services), ["overture"])
  })

  it.each(files)(
    "%s restarts and checks each service, keeps its data, and publishes ports on this machine only",
    (file) => {
      const { services, volumes } = parse(read(file))
      for (const [name, service] of Object.entries<any>(services)) {
        assert.strictEqual(service.restart, "unless-stopped", name)
        assert.strictEqual(service.healthcheck.test[0], "CMD", name)
        assert.isNotEmpty(service.volumes, name)
        for (const volume of service.volumes) assert.property(volumes, volume.split(":")[0])
        for (const port of service.ports ?? []) assert.match(port, /^127\.0\.0\.1:\d+:\d+$/)
        for (const [dependency, { condition }] of Object.entries<any>(service.depends_on ?? {})) {
          assert.strictEqual(condition, "service_healthy")
          assert.property(services[dependency], "healthcheck")
          // A dependency in an inactive profile would keep Overture from starting.
          assert.notProperty(services[dependency], "profiles")
        }
      }
    }
  )

  it.each(files)("%s builds the image, and asks the server whether it is ready", (file) => {
    const { overture } = parse(read(file)).services
    assert.isTrue(existsSync(join(deploy, overture.build.context, overture.build.dockerfile)))
    assert.include(read("Containerfile"), "ARG BASE=")
    // Only bases with BusyBox have wget.
    assert.match(overture.build.args.BASE, /:debug-nonroot$/)
    const [, program, ...args] = overture.healthcheck.test
    assert.strictEqual(program, "/busybox/wget")
    assert.strictEqual(args.at(-1), `http://127.0.0.1:3000${readyzPath}`)
    assert.include(read("Containerfile"), "EXPOSE 3000")
    for (const name of Object.keys(overture.environment)) {
      assert.include(
        settings.map(({ name }) => name),
        name
      )
    }
  })

  it("has no password, and names the missing variable", () => {
    const { overture, postgres } = parse(read("compose.yaml")).services
    assert.match(
      overture.environment.DATABASE_URL,
      /^postgres:\/\/overture:\$\{POSTGRES_PASSWORD:\?[^}]+\}@postgres:5432\//
    )
    assert.match(postgres.environment.POSTGRES_PASSWORD, /^\$\{POSTGRES_PASSWORD:\?/)
    assert.deepStrictEqual(parse(read("compose.yaml")).services.ollama.profiles, ["ollama"])
  })
})

describe("the Containerfile", () => {
  it("has no error and no deprecated instruction", () => {
    assert.deepStrictEqual(validate(read("Containerfile")), [])
    const problems = validate(read("Containerfile").replace("EXPOSE", "EXPOSES"))
    assert.deepStrictEqual(
      problems.map(({ message }) => message),
      ["Unknown instruction: EXPOSES"]
    )
  })

  it("copies from stages and folders that exist, runs as a user without rights, and leaves secrets out", () => {
    const text = read("Containerfile")
    const stages = [...text.matchAll(/^FROM .* AS (\w+)$/gm)].map(([, name]) => name)
    for (const [, stage] of text.matchAll(/--from=(\w+)/g)) assert.include(stages, stage)
    assert.match(text, /^ARG BASE=\S+:nonroot$/m)
    assert.include(text, "--chown=nonroot:nonroot /data /data")
    const [, script = ""] = /npm run (\S+)/.exec(text) ?? []
    assert.property(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).scripts, script)
    const ignored = read("Containerfile.dockerignore")
    assert.strictEqual(read("Containerfile.containerignore"), ignored)
    assert.includeMembers(ignored.split("\n"), ["node_modules", "data", ".git", "**/.env"])
  })
})

describe("scripts/image.sh", () => {
  /** Runs scripts/image.sh with fake engines: scripts that record their calls. */
  const runImageScript = (
    engines: Readonly<Record<string, string>>,
    otherPrograms: Readonly<Record<string, string>> = {}
  ) => {
    const folder = mkdtempSync(join(tmpdir(), "overture-image-"))
    for (const [name, script] of Object.entries(otherPrograms)) {
      writeFileSync(join(folder, name), `#!/bin/sh\n${script}`, { mode: 0o755 })
    }
    for (const [name, script] of Object.entries(engines)) {
      writeFileSync(join(folder, name), `#!/bin/sh\necho "${name} $*" >> "${folder}/calls"\n${script}`, { mode: 0o755 })
    }
    for (const name of ["sleep", "rm"].filter((name) => otherPrograms[name] === undefined)) {
      const { stdout } = spawnSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" })
      symlinkSync(stdout.trim(), join(folder, name))
    }
    const { status, stderr, stdout } = spawnSync("/bin/sh", ["scripts/image.sh"], {
      cwd: root,
      env: { PATH: folder },
      encoding: "utf8"
    })
    const calls = existsSync(join(folder, "calls"))
      ? readFileSync(join(folder, "calls"), "utf8").trim().split("\n")
      : []
    rmSync(folder, { recursive: true })
    return { status, output: stdout + stderr, calls: calls.map((call) => call.replace(/overture-check-\d+/, "IMAGE")) }
  }
  const workingEngine = '[ "$1" != run ] || echo box'
  const { build, healthcheck } = parse(read("compose.yaml")).services.overture
  const [, ...healthCommand] = healthcheck.test

  it("builds the image with the available engine, starts it, and removes everything afterwards", () => {
    const { calls, output, status } = runImageScript({ docker: "exit 1", podman: workingEngine })
    assert.strictEqual(status, 0, output)
    assert.deepStrictEqual(calls, [
      "docker info",
      "podman info",
      `podman build -f scripts/deploy/Containerfile --build-arg BASE=${build.args.BASE} -t IMAGE .`,
      "podman run -d IMAGE",
      `podman exec box ${healthCommand.join(" ")}`,
      "podman exec box overture doctor",
      "podman rm -f box",
      "podman rmi -f IMAGE"
    ])
  })

  it("fails if the image cannot be built or its server is not healthy", () => {
    // The last engine never becomes ready; sleep returns at once.
    const doctor = 'case "$*" in *doctor) exit 1 ;; esac'
    for (const failure of ['[ "$1" = build ] && exit 1', doctor, '[ "$1" = exec ] && exit 1']) {
      const { calls, status } = runImageScript({ docker: `${failure}\n${workingEngine}` }, { sleep: "exit 0" })
      assert.notStrictEqual(status, 0, failure)
      assert.strictEqual(calls.at(-1), "docker rmi -f IMAGE")
    }
  })

  it("reports that no image was built when there is no engine", () => {
    const { output, status } = runImageScript({ docker: "exit 1" })
    assert.strictEqual(status, 0)
    assert.include(output, "No image was built")
  })

  it("is a step of .ci/run", () => {
    assert.include(readFileSync(join(root, ".ci/run"), "utf8"), "step sh scripts/image.sh")
  })
})
