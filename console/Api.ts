// console/Api.ts: the API client, derived from the contract, and the errors it returns.
import { Cause, Effect, Exit, Predicate, Schema } from "effect"
import { FetchHttpClient, HttpClientError } from "effect/http"
import { type Client, make } from "#client/Client.ts"
import type { Issue } from "#schema/Errors.ts"
import { issuesOf } from "#schema/Issues.ts"
import { isFromProxy, reportConnectionLost } from "#console/Connection.ts"

export type { Client }

/** A failed request, in words for the user. */
export class Problem extends Error {
  /** The code of the API, or UNREACHABLE, or UNEXPECTED. */
  readonly code: string
  readonly issues: ReadonlyArray<Issue>
  readonly missing: ReadonlyArray<string>
  readonly request_id: string | undefined
  /** Why nothing was written: `model_unreachable`, `model_refused`, `rules` or `fault`. */
  readonly reason: string | undefined

  constructor(
    code: string,
    message: string,
    details: Partial<Pick<Problem, "issues" | "missing" | "request_id" | "reason">> = {}
  ) {
    super(message)
    this.code = code
    this.issues = details.issues ?? []
    this.missing = details.missing ?? []
    this.request_id = details.request_id
    this.reason = details.reason
  }
}

let sharedClient: Client | undefined

/** The client of the server that the page came from. The browser adds the cookie of the session, which no script can read. */
export const client = (): Client => (sharedClient ??= Effect.runSync(make({ baseUrl: location.origin, session: true })))

const parseIssues = (detail: unknown): ReadonlyArray<Issue> =>
  Predicate.hasProperty(detail, "issues") && Array.isArray(detail.issues) ? detail.issues : []
const parseMissing = (detail: unknown): ReadonlyArray<string> =>
  Predicate.hasProperty(detail, "missing") && Array.isArray(detail.missing) ? detail.missing : []

export const unreachable = () =>
  new Problem("UNREACHABLE", "The server did not answer, so this may not be done. What you typed is kept: try again.")

/** `responseReceived`: a schema error before a response arrives means that the input is invalid. */
export const toProblem = (error: unknown, responseReceived = true): Problem => {
  if (error instanceof Problem) return error
  if (HttpClientError.isHttpClientError(error) && error.reason._tag === "TransportError") return unreachable()
  if (Schema.isSchemaError(error) && !responseReceived) {
    const issues = issuesOf(error.issue)
    return new Problem("BAD_REQUEST", issues[0]?.message ?? "This does not fit", { issues })
  }
  if (Predicate.hasProperty(error, "error") && Predicate.hasProperty(error, "message")) {
    const detail = Predicate.hasProperty(error, "detail") ? error.detail : undefined
    return new Problem(String(error.error), String(error.message), {
      issues: parseIssues(detail),
      missing: parseMissing(detail),
      reason: Predicate.hasProperty(detail, "reason") ? String(detail.reason) : undefined,
      request_id: Predicate.hasProperty(error, "request_id") ? String(error.request_id) : undefined
    })
  }
  return new Problem(
    "UNEXPECTED",
    "The server answered something this page does not understand. Reload it and try again."
  )
}

/** Runs one call. Throws every failure as a `Problem`. */
export const run = async <A>(effect: Effect.Effect<A, unknown>, signal?: AbortSignal): Promise<A> => {
  let responseReceived = false
  const noted: typeof fetch = async (input, init) => {
    const response = await fetch(input, init)
    if (isFromProxy(response)) throw new TypeError("The server behind the proxy does not answer")
    responseReceived = true
    return response
  }
  const exit = await Effect.runPromiseExit(
    Effect.provideService(effect, FetchHttpClient.Fetch, noted),
    signal === undefined ? {} : { signal }
  )
  if (Exit.isSuccess(exit)) return exit.value
  const problem = toProblem(Cause.squash(exit.cause), responseReceived)
  if (problem.code === "UNREACHABLE" && signal?.aborted !== true) reportConnectionLost()
  throw problem
}
