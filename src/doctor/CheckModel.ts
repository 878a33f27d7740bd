// src/doctor/CheckModel.ts: checks whether the configured model answers in JSON and how fast, or finds model servers on
// this machine.
import { Clock, Effect, Option, Predicate, Result, Schema } from "effect"
import type { Check } from "#layers/operations/Verify.ts"
import type { CompletionRequest, Completion } from "#layers/model/Client.ts"
import { minContext } from "#layers/model/ContextSize.ts"
import { type ModelFault, faultMessage } from "#layers/model/Faults.ts"
import { probeModel } from "#layers/model/Probe.ts"
import { RetryPolicy } from "#layers/model/RetryPolicy.ts"
import * as Server from "#layers/model/ModelServer.ts"
import { apiNames } from "#layers/model/DetectServer.ts"
import { describeServer, findLocalServers, LocalServers } from "#layers/model/LocalServers.ts"
import { chosenModel } from "#src/settings/Services.ts"

/** Without a configured model, the built-in writer is used; a model server on this machine is suggested. */
const local = Effect.gen(function* () {
  const servers = yield* LocalServers
  const offers = (yield* findLocalServers(servers)).map((server) => {
    const [kind, url, model] = server.settings
    return model === undefined
      ? `${describeServer(server)}.`
      : `${describeServer(server)}: to use it, set ${kind}, ${url} and ${model}, and restart the server.`
  })
  const nothing = `No model server was found on the ports ${servers.map(({ port }) => port).join(", ")}.`
  return ["The built-in writer writes; no model is configured.", ...(offers.length === 0 ? [nothing] : offers)].join(
    " "
  )
})

/** Timeouts of the test questions in milliseconds; `coldMillis` includes loading the model. */
const limits = { attemptMillis: 60_000, localMillis: 120_000, coldMillis: 600_000 }
/** Below this, the emails of a lead take minutes. */
const slowTokensPerSecond = 10

const schema = {
  type: "object",
  properties: { numbers: { type: "array", items: { type: "integer" } } },
  required: ["numbers"],
  additionalProperties: false
}
const formats: ReadonlyArray<CompletionRequest["format"]> = [
  { type: "json_schema", json_schema: { name: "doctor", strict: true, schema } },
  { type: "json_object" },
  undefined
]
const messages = [
  { role: "user" as const, content: 'Answer with one JSON object and nothing else: {"numbers": [1, 2, …, 20]}' }
]

/** The answer in the first format that the server accepts, and its duration. */
const askQuestion = Effect.fnUntraced(function* (server: Server.Server, model: string) {
  let refused: ModelFault | undefined
  for (const format of formats) {
    const began = yield* Clock.monotonicTimeNanos
    const result = yield* Effect.result(server.complete({ format, messages, model, parameters: {} }))
    if (Result.isSuccess(result)) {
      return { completion: result.success, seconds: Number((yield* Clock.monotonicTimeNanos) - began) / 1e9 }
    }
    refused = result.failure
    if (refused.kind !== "request") break
  }
  return refused ?? { what: "refused the request", kind: "request" as const }
})

const isJson = ({ choices: [{ message }] }: Completion): boolean => {
  const text = (message.content ?? "").replace(/^\s*<think>[\s\S]*?<\/think>/, "")
  return Option.exists(
    Schema.decodeOption(Schema.fromJsonString(Schema.Struct({ numbers: Schema.Array(Schema.Finite) })))(
      text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1)
    ),
    ({ numbers }) => numbers.length > 0
  )
}

const describeSpeed = ({ usage }: Completion, seconds: number): ReadonlyArray<string> => {
  const tokens = usage?.completion_tokens ?? 0
  if (tokens < 5) return []
  const speed = tokens / Math.max(seconds, 0.001)
  const words = `It wrote ${speed < 10 ? speed.toFixed(1) : Math.round(speed)} tokens a second, with any loading.`
  return speed < slowTokensPerSecond ? [`${words} Emails to a lead need 500 to 1,000.`] : [words]
}

/** The model's context, and whether most prompts fit. */
const describeContext = ({
  context
}: Server.ServerInfo): { readonly ok: boolean; readonly words: ReadonlyArray<string> } => {
  if (context === undefined) return { ok: true, words: [] }
  const size = `Its context is ${context.toLocaleString("en-US")} tokens`
  if (context >= minContext) return { ok: true, words: [`${size}.`] }
  const least = minContext.toLocaleString("en-US")
  return { ok: false, words: [`${size}, too small for most prompts: load it with ${least} or more.`] }
}

export const checkModel = Effect.gen(function* () {
  const settings = yield* chosenModel
  if (settings === undefined) return { name: "model", ok: true, detail: yield* local } satisfies Check
  const server = Server.make(settings, { ...(yield* RetryPolicy), ...limits })
  yield* server.detect
  const broken = (detail: string) => ({ name: "model", ok: false, detail }) satisfies Check
  const problem = yield* probeModel(server, [settings.model, settings.verifier ?? settings.model], {
    sendsPrompt: false
  })
  if (problem !== null) return broken(problem)
  const result = yield* askQuestion(server, settings.model)
  if (!Predicate.hasProperty(result, "completion")) return broken(faultMessage(result))
  yield* server.detect
  const about = server.about()
  if (!isJson(result.completion)) {
    return broken(
      `The model server answers, but ${settings.model} does not answer in JSON. Set OVERTURE_MODEL to another model.`
    )
  }
  const context = describeContext(about)
  const kind = about.api === undefined || about.api === "openai" ? "The model server" : apiNames[about.api]
  const detail = [
    `${kind} answers; ${settings.model} writes.`,
    ...context.words,
    ...describeSpeed(result.completion, result.seconds)
  ].join(" ")
  return { name: "model", ok: context.ok, detail } satisfies Check
})
