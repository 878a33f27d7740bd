// scripts/chaos/Model.ts: the model server: a mock that answers correctly or with faults, and keeps a journal of its
// requests.
import { LLMock } from "@copilotkit/aimock"
import { Effect } from "effect"
import { subscribe, unsubscribe } from "node:diagnostics_channel"
import type { IncomingMessage, ServerResponse } from "node:http"
import { modelAnswers, emails } from "#test/support/model-answers.ts"
import { type ModelRequest, modelRequestOf, jsonAnswer, type ScriptedAnswer, usage } from "#test/support/model.ts"
import type { SeededRandom } from "./SeededRandom.ts"

/** Faults of one request. */
const faultKinds = [
  "busy",
  "broken",
  "reset",
  "stall",
  "garbage",
  "malformed",
  "truncated",
  "empty",
  "steps",
  "slow"
] as const
export type FaultKind = (typeof faultKinds)[number]

/** The probability of each fault, from 0 to 1. */
export type FaultRates = Partial<Record<FaultKind, number>>

export interface Model {
  readonly url: string
  readonly mood: (mood: FaultRates) => void
  /** Sends the answers that were held back. */
  readonly releaseStalled: () => void
  /** Called after each answer with the latest request. */
  readonly onSent: (hook: ((asked: ModelRequest | undefined) => void) | undefined) => void
  /** Returns and clears the journal of calls. */
  readonly journal: () => ReadonlyArray<{ readonly asked: ModelRequest; readonly status: number }>
}

export const key = "sk-chaos-of-a-key-that-nobody-may-see"

const path = "/v1/chat/completions"
const serverError: ScriptedAnswer = { error: { message: "overloaded" }, status: 500 }
const wait = (millis: number) => new Promise<void>((resume) => setTimeout(resume, millis))

/** The answer to a request with this fault; the mock itself makes resets and malformed bodies. */
const answer = async (
  asked: ModelRequest,
  fault: FaultKind | undefined,
  stalled: () => Promise<void>,
  random: SeededRandom
): Promise<ScriptedAnswer> => {
  const answerCorrectly = async (): Promise<ScriptedAnswer> =>
    typeof modelAnswers === "function" ? modelAnswers(asked, 0) : modelAnswers
  switch (fault) {
    case "busy":
      return { error: { message: "slow down" }, status: 429, retryAfter: 1 }
    case "broken":
      return serverError
    case "stall":
      await stalled()
      return serverError
    case "slow":
      await wait(random.int(200, 2500))
      return answerCorrectly()
    case "garbage":
      return { content: "Certainly! Here are your emails, as you wished.", usage }
    case "truncated": {
      const whole = await answerCorrectly()
      return { content: "content" in whole ? String(whole.content).slice(0, 60) : "{", finishReason: "length", usage }
    }
    case "empty":
      return { content: "", usage }
    case "steps":
      return jsonAnswer({ emails: random.chance(0.5) ? [] : [...emails(3), ...emails(3)] }, { usage })
    default:
      return answerCorrectly()
  }
}

export const make = Effect.fnUntraced(function* (random: SeededRandom) {
  let mood: FaultRates = {}
  let last: ModelRequest | undefined
  let hook: ((asked: ModelRequest | undefined) => void) | undefined
  let release = Promise.withResolvers<void>()
  /** A request is looked at more than once, and is decided upon once. */
  const decided = new WeakMap<object, FaultKind | "well">()

  const faultOf = (request: object): FaultKind | "well" => {
    const before = decided.get(request)
    if (before !== undefined) return before
    let at = random.next()
    const fault = faultKinds.find((each) => (at -= mood[each] ?? 0) < 0) ?? "well"
    decided.set(request, fault)
    return fault
  }
  const matchFault = (fault: FaultKind) => ({ predicate: (request: object) => faultOf(request) === fault })

  const server = new LLMock({ port: 0, host: "127.0.0.1" })
  server.on(matchFault("reset"), serverError, { chaos: { disconnectRate: 1 } })
  server.on(matchFault("malformed"), { content: "{}" }, { chaos: { malformedRate: 1 } })
  server.on({}, (request) => {
    const asked = modelRequestOf(request)
    last = asked
    const fault = faultOf(request)
    const stalled = () => Promise.race([wait(75_000), release.promise])
    return answer(asked, fault === "well" ? undefined : fault, stalled, random)
  })
  yield* Effect.acquireRelease(
    Effect.promise(() => server.start()),
    () => Effect.promise(() => server.stop())
  )

  const sent = (message: unknown) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse }
    if (hook !== undefined && request.socket.localPort === server.port && request.url === path) {
      if (response.statusCode === 200) hook(last)
    }
  }
  yield* Effect.acquireRelease(
    Effect.sync(() => subscribe("http.server.response.finish", sent)),
    () => Effect.sync(() => unsubscribe("http.server.response.finish", sent))
  )

  return {
    url: `${server.url}/v1`,
    mood: (next) => {
      mood = next
    },
    releaseStalled: () => {
      release.resolve()
      release = Promise.withResolvers()
    },
    onSent: (next) => {
      hook = next
    },
    journal: () => {
      const entries = server.getRequests().filter((entry) => entry.path === path)
      server.clearRequests()
      return entries.map(({ body, response }) => ({ asked: modelRequestOf(body), status: response.status }))
    }
  } satisfies Model
})
