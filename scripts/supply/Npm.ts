// scripts/supply/Npm.ts: runs npm's own checks, and separates what is wrong from what the registry cannot answer here.
import { Effect, FileSystem, Schema } from "effect"
import { execFile } from "node:child_process"
import { join } from "node:path"
import { type Lock, productionPackages } from "./Lock.ts"

interface Result {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export const run = (cwd: string, env: NodeJS.ProcessEnv, file: string, ...args: ReadonlyArray<string>) =>
  Effect.callback<Result>((resume) => {
    execFile(file, args, { cwd, env, maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
      resume(Effect.succeed({ code: typeof error?.code === "number" ? error.code : error ? 1 : 0, stdout, stderr }))
    )
  })

/** Runs npm without retries, so that an unreachable registry is reported soon. */
export const npm = (cwd: string, ...args: ReadonlyArray<string>) =>
  run(
    cwd,
    process.env,
    "npm",
    ...args,
    "--fetch-retries=0",
    // The verdicts read the warnings, which `npm run -s` would silence.
    "--loglevel=warn",
    "--fetch-timeout=30000",
    "--no-fund",
    "--no-update-notifier"
  )

/** The faults that a check found, or why it did not run. */
export type Verdict = { readonly faults: ReadonlyArray<string> } | { readonly notRun: string }

/** Passes if the command exited with 0. */
export const verdictOfExit = ({ code, stderr, stdout }: Result): Verdict => ({
  faults: code === 0 ? [] : [`exited with ${code}: ${(stderr || stdout).slice(0, 500)}`]
})

/** What npm says if the registry is unreachable, lacks the endpoint, or publishes no signing keys. Other errors are faults. */
const unavailableMessage =
  /^npm (warn audit (404|405|501) |error code (ENOTFOUND|ECONNREFUSED|ECONNRESET|EAI_AGAIN|ETIMEDOUT|ENETUNREACH|FETCH_ERROR)$|error found no dependencies to audit that were installed from a supported registry).*/m

/** The verdict of an audit, which exits with 0 only if it found nothing. */
export const verdictOfAudit = (result: Result): Verdict => {
  const unavailableReason = result.code === 0 ? undefined : unavailableMessage.exec(result.stderr)?.[0]
  return unavailableReason === undefined
    ? verdictOfExit({ ...result, stderr: result.stdout || result.stderr })
    : { notRun: unavailableReason }
}

const Bom = Schema.Struct({
  components: Schema.Array(Schema.Struct({ name: Schema.String, version: Schema.String }))
})
const Project = Schema.Struct({ packages: Schema.Record(Schema.String, Schema.Unknown) })
const JsonObject = Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown))

/**
 * Lists the packages of production as CycloneDX. `npm sbom --omit=dev` of npm 11.19 omits packages that development needs
 * too, so npm reads a copy of the project without the packages that only development needs.
 */
export const sbom = Effect.fnUntraced(function* (root: string, lock: Lock) {
  const fs = yield* FileSystem.FileSystem
  const read = (name: string) => Effect.flatMap(fs.readFileString(join(root, name)), Schema.decodeEffect(JsonObject))
  const { devDependencies: _, workspaces: __, ...manifest } = yield* read("package.json")
  const whole = yield* read("package-lock.json")
  const { packages } = yield* Schema.decodeUnknownEffect(Project)(whole)
  const kept = productionPackages(lock).map(({ path }) => [path, packages[path]] as const)
  // npm names the list after the folder.
  const project = join(yield* fs.makeTempDirectoryScoped({ prefix: "overture-sbom-" }), String(manifest["name"]))
  yield* fs.makeDirectory(project)
  yield* fs.writeFileString(join(project, "package.json"), JSON.stringify(manifest))
  const pruned = { ...whole, packages: { "": manifest, ...Object.fromEntries(kept) } }
  yield* fs.writeFileString(join(project, "package-lock.json"), JSON.stringify(pruned))
  return yield* npm(project, "sbom", "--package-lock-only", "--sbom-format=cyclonedx", "--sbom-type=application")
}, Effect.scoped)

/** Passes if npm lists exactly the packages of production. */
export const verdictOfBom = (lock: Lock, result: Result): Verdict => {
  if (result.code !== 0) return verdictOfExit(result)
  const bom = Schema.decodeResult(Schema.fromJsonString(Bom))(result.stdout)
  if (bom._tag === "Failure") return { faults: [`npm sbom: ${bom.failure.message}`] }
  const nameOf = (each: { readonly name: string; readonly version?: string }) => `${each.name}@${each.version}`
  const expectedNames = new Set(productionPackages(lock).map(nameOf))
  const listedNames = new Set(bom.success.components.map(nameOf))
  const differing = [...expectedNames.symmetricDifference(listedNames)]
  return {
    faults: differing.map((name) => (expectedNames.has(name) ? `${name} is missing` : `${name} is not in production`))
  }
}
