// src/doctor/CheckModel.ts: checks whether the configured model answers in JSON and how fast, or finds model servers on
// this machine.
import { Clock, Effect, Option, Predicate, Result, Schema } from "effect"
import type { Check } from "#layers/operations/Verify.ts"
import type { CompletionRequest, Completion } from "#layers/model/Client.ts"
import { minContext } from "#layers/model/ContextSize.ts"
import { type ModelFault, faultMessage } from "#layers/model/Faults.ts"
import { maxTokens } from "#layers/model/ModelCalls.ts"
import { probeModel } from "#layers/model/Probe.ts"
import { RetryPolicy } from "#layers/model/RetryPolicy.ts"
import * as Server from "#layers/model/ModelServer.ts"
import { apiNames } from "#layers/model/DetectServer.ts"
import { describeServer, findLocalServers, LocalServers } from "#layers/model/LocalServers.ts"
import { configuredModel } from "#src/settings/Services.ts"

/** Without a configured model, the built-in writer is used; a model server on this machine is suggested. */
const describeLocalServers = Effect.gen(function* () {
  const servers = yield* LocalServers
  const descriptions = (yield* findLocalServers(servers)).map((server) => {
    const [kind, url, model] = server.settings
    return model === undefined
      ? `${describeServer(server)}.`
      : `${describeServer(server)}: to use it, set ${kind}, ${url} and ${model}, and restart the server.`
  })
  const noneFound = `No model server was found on the ports ${servers.map(({ port }) => port).join(", ")}.`
  return [
    "The built-in writer writes; no model is configured.",
    ...(descriptions.length === 0 ? [noneFound] : descriptions)
  ].join(" ")
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
  let lastFault: ModelFault | undefined
  for (const format of formats) {
    const startedAt = yield* Clock.monotonicTimeNanos
    const result = yield* Effect.result(server.complete({ format, messages, model, parameters: {} }))
    if (Result.isSuccess(result)) {
      return { completion: result.success, seconds: Number((yield* Clock.monotonicTimeNanos) - startedAt) / 1e9 }
    }
    lastFault = result.failure
    if (lastFault.kind !== "request") break
  }
  return lastFault ?? { what: "refused the request", kind: "request" as const }
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
  // A count beyond what is recorded is an error of the server.
  if (tokens < 5 || tokens > maxTokens) return []
  const tokensPerSecond = tokens / Math.max(seconds, 0.001)
  const sentence = `It wrote ${tokensPerSecond < 10 ? tokensPerSecond.toFixed(1) : Math.round(tokensPerSecond)} tokens a second, with any loading.`
  return tokensPerSecond < slowTokensPerSecond ? [`${sentence} Emails to a lead need 500 to 1,000.`] : [sentence]
}

/** The model's context, and whether most prompts fit. */
const describeContext = ({
  context
}: Server.ServerInfo): { readonly ok: boolean; readonly sentences: ReadonlyArray<string> } => {
  if (context === undefined) return { ok: true, sentences: [] }
  const sizeText = `Its context is ${context.toLocaleString("en-US")} tokens`
  if (context >= minContext) return { ok: true, sentences: [`${sizeText}.`] }
  const minimum = minContext.toLocaleString("en-US")
  return { ok: false, sentences: [`${sizeText}, too small for most prompts: load it with ${minimum} or more.`] }
}

export const checkModel = Effect.gen(function* () {
  const settings = yield* configuredModel
  if (settings === undefined) return { name: "model", ok: true, detail: yield* describeLocalServers } satisfies Check
  const server = Server.make(settings, { ...(yield* RetryPolicy), ...limits })
  yield* server.detect
  const failedCheck = (detail: string) => ({ name: "model", ok: false, detail }) satisfies Check
  const problem = yield* probeModel(server, [settings.model, settings.verifier ?? settings.model], {
    sendsPrompt: false
  })
  if (problem !== null) return failedCheck(problem)
  const result = yield* askQuestion(server, settings.model)
  if (!Predicate.hasProperty(result, "completion")) return failedCheck(faultMessage(result))
  yield* server.detect
  const serverInfo = server.serverInfo()
  if (!isJson(result.completion)) {
    return failedCheck(
      `The model server answers, but ${settings.model} does not answer in JSON. Set OVERTURE_MODEL to another model.`
    )
  }
  const context = describeContext(serverInfo)
  const kind =
    serverInfo.api === undefined || serverInfo.api === "openai" ? "The model server" : apiNames[serverInfo.api]
  const detail = [
    `${kind} answers; ${settings.model} writes.`,
    ...context.sentences,
    ...describeSpeed(result.completion, result.seconds)
  ].join(" ")
  return { name: "model", ok: context.ok, detail } satisfies Check
})
