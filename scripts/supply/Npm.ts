// scripts/supply/Npm.ts: asks npm, which asks the registry, and tells what is wrong from what cannot be had here.
import { Effect, Schema } from "effect"
import { execFile } from "node:child_process"

interface Said {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs npm, once and without long waits: a registry that does not answer is soon taken for one that cannot. */
export const npm = (cwd: string, ...args: ReadonlyArray<string>) =>
  Effect.callback<Said>((resume) => {
    const bounded = [...args, "--fetch-retries=0", "--fetch-timeout=30000", "--no-fund", "--no-update-notifier"]
    execFile("npm", bounded, { cwd, maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
      resume(Effect.succeed({ code: typeof error?.code === "number" ? error.code : error ? 1 : 0, stdout, stderr }))
    )
  })

/** The result of a check: its findings, or why it could not run. */
export type Verdict = { readonly faults: ReadonlyArray<string> } | { readonly unavailable: string }

const Failed = Schema.Struct({
  statusCode: Schema.optionalKey(Schema.Int),
  message: Schema.optionalKey(Schema.String),
  error: Schema.optionalKey(
    Schema.Struct({ code: Schema.optionalKey(Schema.String), summary: Schema.optionalKey(Schema.String) })
  )
})
const Audit = Schema.Struct({
  vulnerabilities: Schema.Record(Schema.String, Schema.Struct({ severity: Schema.String }))
})
const Named = Schema.Struct({ name: Schema.String, version: Schema.String })
const Signatures = Schema.Struct({ invalid: Schema.Array(Named), missing: Schema.Array(Named) })

/** The network is not there, or the registry knows no such question. Anything else is a finding. */
const absent = /^(ENOTFOUND|ECONNREFUSED|ECONNRESET|EAI_AGAIN|ETIMEDOUT|ENETUNREACH|FETCH_ERROR)$/
const unasked = new Set([404, 405, 501])

const unavailable = (stdout: string) => {
  const said = Schema.decodeResult(Schema.fromJsonString(Failed))(stdout)
  if (said._tag === "Failure") return undefined
  const { error, message, statusCode } = said.success
  if (statusCode !== undefined && unasked.has(statusCode)) return message ?? `status ${statusCode}`
  if (error?.code === undefined) return undefined
  // What npm says where a registry publishes no keys at all.
  const keyless = error.summary?.includes(
    "found no dependencies to audit that were installed from a supported registry"
  )
  return absent.test(error.code) || keyless === true ? (error.summary ?? error.code) : undefined
}

const verdict =
  <A>(schema: Schema.Decoder<A>, faultsOf: (answer: A) => ReadonlyArray<string>) =>
  ({ code, stderr, stdout }: Said): Verdict => {
    const why = code === 0 ? undefined : unavailable(stdout)
    if (why !== undefined) return { unavailable: why }
    const answer = Schema.decodeResult(Schema.fromJsonString(schema))(stdout)
    if (answer._tag === "Failure") return { faults: [`npm ended with ${code}: ${(stderr || stdout).slice(0, 500)}`] }
    const faults = faultsOf(answer.success)
    return { faults: faults.length === 0 && code !== 0 ? [`npm ended with ${code}`] : faults }
  }

/** Known faults of what production installs. */
export const audited = verdict(Audit, ({ vulnerabilities }) =>
  Object.entries(vulnerabilities).map(([name, { severity }]) => `${name}: a known fault, ${severity}`)
)

/** Whether the registry signed what is installed. */
export const signed = verdict(Signatures, ({ invalid, missing }) => [
  ...invalid.map(({ name, version }) => `${name} ${version}: its signature is wrong`),
  ...missing.map(({ name, version }) => `${name} ${version}: it is not signed`)
])

export const audit = (root: string) => npm(root, "audit", "--omit=dev", "--json").pipe(Effect.map(audited))
export const signatures = (root: string) => npm(root, "audit", "signatures", "--json").pipe(Effect.map(signed))
