// test/deploy.test.ts: the files of scripts/deploy as Docker Compose and an image builder read them.
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

/** What dclint, which knows the Compose specification, finds in a file. */
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
    const at = mkdtempSync(join(tmpdir(), "overture-compose-"))
    const file = join(at, "compose.yaml")
    const wrong = [
      ["stop_grace_period:", "stop_grace:"],
      ["condition: service_healthy", "condition: healthy"],
      ["restart: unless-stopped", "restart: [always]"],
      ["- data:/data", "- data:/data\n      - data:/data"]
    ] as const
    for (const [right, change] of wrong) {
      writeFileSync(file, read("compose.yaml").replace(right, change))
      assert.isNotEmpty(findingsOf(file), change)
    }
    rmSync(at, { recursive: true })
  })
})

describe("a Compose file", () => {
  it("is there for PostgreSQL and for SQLite", () => {
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
        for (const [needed, { condition }] of Object.entries<any>(service.depends_on ?? {})) {
          assert.strictEqual(condition, "service_healthy")
          assert.property(services[needed], "healthcheck")
          // A service of a profile that is off would keep Overture from starting.
          assert.notProperty(services[needed], "profiles")
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

  it("has no password, and says which one is missing", () => {
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
    const wrong = validate(read("Containerfile").replace("EXPOSE", "EXPOSES"))
    assert.deepStrictEqual(
      wrong.map(({ message }) => message),
      ["Unknown instruction: EXPOSES"]
    )
  })

  it("copies from stages and folders that exist, runs as a user without rights, and leaves secrets out", () => {
    const text = read("Containerfile")
    const stages = [...text.matchAll(/^FROM .* AS (\w+)$/gm)].map(([, name]) => name)
    for (const [, from] of text.matchAll(/--from=(\w+)/g)) assert.include(stages, from)
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
  /** Runs it with these engines, each a script that writes down how it was called. */
  const run = (engines: Readonly<Record<string, string>>, others: Readonly<Record<string, string>> = {}) => {
    const at = mkdtempSync(join(tmpdir(), "overture-image-"))
    for (const [name, script] of Object.entries(others)) {
      writeFileSync(join(at, name), `#!/bin/sh\n${script}`, { mode: 0o755 })
    }
    for (const [name, script] of Object.entries(engines)) {
      writeFileSync(join(at, name), `#!/bin/sh\necho "${name} $*" >> "${at}/calls"\n${script}`, { mode: 0o755 })
    }
    for (const name of ["sleep", "rm"].filter((name) => others[name] === undefined)) {
      const { stdout } = spawnSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" })
      symlinkSync(stdout.trim(), join(at, name))
    }
    const { status, stderr, stdout } = spawnSync("/bin/sh", ["scripts/image.sh"], {
      cwd: root,
      env: { PATH: at },
      encoding: "utf8"
    })
    const calls = existsSync(join(at, "calls")) ? readFileSync(join(at, "calls"), "utf8").trim().split("\n") : []
    rmSync(at, { recursive: true })
    return { status, output: stdout + stderr, calls: calls.map((call) => call.replace(/overture-check-\d+/, "IMAGE")) }
  }
  const working = '[ "$1" != run ] || echo box'
  const { build, healthcheck } = parse(read("compose.yaml")).services.overture
  const [, ...health] = healthcheck.test

  it("builds the image with the engine that answers, starts it, and leaves nothing behind", () => {
    const { calls, output, status } = run({ docker: "exit 1", podman: working })
    assert.strictEqual(status, 0, output)
    assert.deepStrictEqual(calls, [
      "docker info",
      "podman info",
      `podman build -f scripts/deploy/Containerfile --build-arg BASE=${build.args.BASE} -t IMAGE .`,
      "podman run -d IMAGE",
      `podman exec box ${health.join(" ")}`,
      "podman exec box overture doctor",
      "podman rm -f box",
      "podman rmi -f IMAGE"
    ])
  })

  it("fails where the image cannot be built or its server is not well", () => {
    // The last never gets ready; its pauses take no time.
    const doctor = 'case "$*" in *doctor) exit 1 ;; esac'
    for (const broken of ['[ "$1" = build ] && exit 1', doctor, '[ "$1" = exec ] && exit 1']) {
      const { calls, status } = run({ docker: `${broken}\n${working}` }, { sleep: "exit 0" })
      assert.notStrictEqual(status, 0, broken)
      assert.strictEqual(calls.at(-1), "docker rmi -f IMAGE")
    }
  })

  it("says that nothing was built without an engine", () => {
    const { output, status } = run({ docker: "exit 1" })
    assert.strictEqual(status, 0)
    assert.include(output, "No image was built")
  })

  it("is a step of the checks", () => {
    assert.include(readFileSync(join(root, ".ci/run"), "utf8"), "step sh scripts/image.sh")
  })
})
