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
  readonly setFaultRates: (rates: FaultRates) => void
  /** Sends the answers that the fault "stall" delayed. */
  readonly releaseStalled: () => void
  /** Called after each answer with the latest request. */
  readonly onSent: (hook: ((modelRequest: ModelRequest | undefined) => void) | undefined) => void
  /** Returns and clears the journal of calls. */
  readonly journal: () => ReadonlyArray<{ readonly request: ModelRequest; readonly status: number }>
}

export const modelApiKey = "sk-chaos-of-a-key-that-no-log-may-show"

const completionsPath = "/v1/chat/completions"
const serverError: ScriptedAnswer = { error: { message: "overloaded" }, status: 500 }
const sleep = (millis: number) => new Promise<void>((resume) => setTimeout(resume, millis))

/** The answer to a request with this fault. The mock itself implements "reset" and "malformed". */
const createAnswer = async (
  modelRequest: ModelRequest,
  fault: FaultKind | undefined,
  stalled: () => Promise<void>,
  random: SeededRandom
): Promise<ScriptedAnswer> => {
  const answerCorrectly = async (): Promise<ScriptedAnswer> =>
    typeof modelAnswers === "function" ? modelAnswers(modelRequest, 0) : modelAnswers
  switch (fault) {
    case "busy":
      return { error: { message: "slow down" }, status: 429, retryAfter: 1 }
    case "broken":
      return serverError
    case "stall":
      await stalled()
      return serverError
    case "slow":
      await sleep(random.int(200, 2500))
      return answerCorrectly()
    case "garbage":
      return { content: "Certainly! Here are your emails, as you wished.", usage }
    case "truncated": {
      const correctAnswer = await answerCorrectly()
      return {
        content: "content" in correctAnswer ? String(correctAnswer.content).slice(0, 60) : "{",
        finishReason: "length",
        usage
      }
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
  let faultRates: FaultRates = {}
  let latestRequest: ModelRequest | undefined
  let hook: ((modelRequest: ModelRequest | undefined) => void) | undefined
  let release = Promise.withResolvers<void>()
  /** The mock matches each request several times; its fault is chosen once. */
  const chosenFaults = new WeakMap<object, FaultKind | "well">()

  const faultOf = (request: object): FaultKind | "well" => {
    const chosen = chosenFaults.get(request)
    if (chosen !== undefined) return chosen
    let remainingProbability = random.next()
    const fault = faultKinds.find((kind) => (remainingProbability -= faultRates[kind] ?? 0) < 0) ?? "well"
    chosenFaults.set(request, fault)
    return fault
  }
  const matchFault = (fault: FaultKind) => ({ predicate: (request: object) => faultOf(request) === fault })

  const server = new LLMock({ port: 0, host: "127.0.0.1" })
  server.on(matchFault("reset"), serverError, { chaos: { disconnectRate: 1 } })
  server.on(matchFault("malformed"), { content: "{}" }, { chaos: { malformedRate: 1 } })
  server.on({}, (request) => {
    const modelRequest = modelRequestOf(request)
    latestRequest = modelRequest
    const fault = faultOf(request)
    const stalled = () => Promise.race([sleep(75_000), release.promise])
    return createAnswer(modelRequest, fault === "well" ? undefined : fault, stalled, random)
  })
  yield* Effect.acquireRelease(
    Effect.promise(() => server.start()),
    () => Effect.promise(() => server.stop())
  )

  const onResponseFinish = (message: unknown) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse }
    if (hook !== undefined && request.socket.localPort === server.port && request.url === completionsPath) {
      if (response.statusCode === 200) hook(latestRequest)
    }
  }
  yield* Effect.acquireRelease(
    Effect.sync(() => subscribe("http.server.response.finish", onResponseFinish)),
    () => Effect.sync(() => unsubscribe("http.server.response.finish", onResponseFinish))
  )

  return {
    url: `${server.url}/v1`,
    setFaultRates: (rates) => {
      faultRates = rates
    },
    releaseStalled: () => {
      release.resolve()
      release = Promise.withResolvers()
    },
    onSent: (newHook) => {
      hook = newHook
    },
    journal: () => {
      const entries = server.getRequests().filter((entry) => entry.path === completionsPath)
      server.clearRequests()
      return entries.map(({ body, response }) => ({ request: modelRequestOf(body), status: response.status }))
    }
  } satisfies Model
})
