// src/settings/ModelServer.ts: settings of the model: server, names, limits and verification.
import { Config, Schema } from "effect"
import { type Setting, setting, textSetting, trimmedText } from "#src/settings/Setting.ts"
import { apis } from "#layers/model/DetectServer.ts"
import { isModelServerUrl } from "#src/settings/SettingParsers.ts"

export const generator = setting(
  "OVERTURE_GENERATOR",
  (name) => Config.Literals(["openai", "builtin", ""], name),
  "",
  "the writer of emails: `openai` (a model) or `builtin` (rules only)",
  "`openai` with a key, else `builtin`"
)
export const modelKey = setting("OPENAI_API_KEY", trimmedText, undefined, "API key of the model server", "none")
export const modelUrl = setting(
  "OPENAI_BASE_URL",
  textSetting("a URL such as http://localhost:11434/v1", isModelServerUrl),
  undefined,
  "URL of a compatible model server, such as `http://localhost:11434/v1`",
  "OpenAI's"
)
export const modelApi = setting(
  "OVERTURE_MODEL_API",
  (name) => Config.Literals([...apis, ""], name).pipe(Config.map((api) => (api === "" ? undefined : api))),
  undefined,
  "the kind of model server: `openai` (any compatible one), `ollama`, `lmstudio` or `llamacpp`",
  "detected, for a local server"
)
/** OpenAI's small model. */
const defaultModel = "gpt-5.4-mini"
export const modelName = setting(
  "OVERTURE_MODEL",
  (name) => Config.String(name).pipe(Config.map((model) => model.trim() || defaultModel)),
  defaultModel,
  "the model that writes, reads and answers"
)
const verifierName = setting(
  "OVERTURE_VERIFIER_MODEL",
  textSetting("the name of a model", () => true),
  undefined,
  "the model that checks claims against their sources (the verifier)",
  "`OVERTURE_MODEL`"
)
const verificationMode = setting(
  "OVERTURE_VERIFY",
  (name) => Config.Literals(["all", "sample", "off"], name),
  "sample" as const,
  "what the verifier checks: `all` emails, `sample` (every template and one lead in ten) or `off`"
)

const numberSetting = (schema: Schema.Codec<number, string>) => (name: string) => Config.schema(schema, name)
const temperature = setting(
  "OVERTURE_TEMPERATURE",
  numberSetting(Schema.FiniteFromString.check(Schema.isBetween({ minimum: 0, maximum: 2 }))),
  undefined,
  "how freely the model writes, 0 to 2",
  "the server's"
)
const effort = setting(
  "OVERTURE_REASONING_EFFORT",
  (name) => Config.Literals(["none", "minimal", "low", "medium", "high", "xhigh"], name),
  undefined,
  "how long a reasoning model thinks: `none`, `minimal`, `low`, `medium`, `high` or `xhigh`",
  "the server's"
)
const maxTokens = setting(
  "OVERTURE_MAX_TOKENS",
  numberSetting(Schema.FiniteFromString.check(Schema.isInt(), Schema.isBetween({ minimum: 256, maximum: 1_000_000 }))),
  undefined,
  "the longest answer in tokens, a reasoning model's thoughts included",
  "the server's"
)
const seed = setting(
  "OVERTURE_SEED",
  numberSetting(Schema.FiniteFromString.check(Schema.isInt())),
  undefined,
  "a whole number that makes a server's answers repeatable, where it can",
  "none"
)
const context = setting(
  "OVERTURE_MODEL_CONTEXT",
  numberSetting(
    Schema.FiniteFromString.check(Schema.isInt(), Schema.isBetween({ minimum: 2048, maximum: 10_000_000 }))
  ),
  undefined,
  "the most tokens of one prompt with its answer; a longer prompt is an error",
  "what the model allows"
)
const timeout = setting(
  "OVERTURE_MODEL_TIMEOUT",
  numberSetting(Schema.FiniteFromString.check(Schema.isInt(), Schema.isBetween({ minimum: 5, maximum: 3600 }))),
  undefined,
  "the seconds that one answer may take",
  "60; 300 of a local model, 600 with its loading"
)
const priceBounds = { minimum: 0, maximum: 1_000_000 }
export const Price = Schema.Finite.check(
  Schema.isBetween(priceBounds, { message: "must be a number between 0 and 1000000" })
)
const priceSetting = numberSetting(Schema.FiniteFromString.check(Schema.isBetween(priceBounds)))
const priceIn = setting(
  "OVERTURE_PRICE_IN",
  priceSetting,
  undefined,
  "price of a million input tokens; lists then show their cost",
  "none"
)
const priceOut = setting("OVERTURE_PRICE_OUT", priceSetting, undefined, "price of a million output tokens", "none")
export const modelSettings: ReadonlyArray<Setting<unknown>> = [
  generator,
  modelKey,
  modelUrl,
  modelApi,
  modelName,
  verifierName,
  verificationMode,
  context,
  timeout,
  temperature,
  effort,
  maxTokens,
  seed,
  priceIn,
  priceOut
]

/** Settings for requests to the model, and for verification. */
export const modelOptions = Config.all({
  verifier: verifierName.value,
  verification: verificationMode.value,
  context: context.value,
  answerMillis: Config.map(timeout.value, (seconds) => (seconds === undefined ? undefined : seconds * 1000)),
  sampling: Config.all({
    temperature: temperature.value,
    reasoning_effort: effort.value,
    max_tokens: maxTokens.value,
    seed: seed.value
  })
})

/** Prices per million tokens, from the arguments or the settings. If only one is set, the other is 0. */
export const pricesOf = (flags: { readonly input: number | undefined; readonly output: number | undefined }) =>
  Config.map(Config.all({ input: priceIn.value, output: priceOut.value }), (configured) => {
    const input = flags.input ?? configured.input
    const output = flags.output ?? configured.output
    return input === undefined && output === undefined ? undefined : { input: input ?? 0, output: output ?? 0 }
  })
