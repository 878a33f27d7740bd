// src/settings/ModelServer.ts: which model writes, how it is asked, and what a second call checks.
import { Config, Schema } from "effect"
import { type Setting, setting, textOf, trimmed } from "#src/settings/Setting.ts"
import { isModelServer } from "#src/settings/Texts.ts"

export const generator = setting(
  "OVERTURE_GENERATOR",
  (name) => Config.Literals(["openai", "builtin", ""], name),
  "",
  "who writes: `openai`, a model, or `builtin`, rules alone",
  "`openai` with a key, else `builtin`"
)
export const modelKey = setting("OPENAI_API_KEY", trimmed, undefined, "opens the model server", "none")
export const modelUrl = setting(
  "OPENAI_BASE_URL",
  textOf("a URL such as http://localhost:11434/v1", isModelServer),
  undefined,
  "of any compatible server, such as `http://localhost:11434/v1`",
  "OpenAI's"
)
/** OpenAI's small one. */
const defaultModel = "gpt-5.4-mini"
export const modelName = setting(
  "OVERTURE_MODEL",
  (name) => Config.String(name).pipe(Config.map((model) => model.trim() || defaultModel)),
  defaultModel,
  "the model that writes, reads and answers"
)
const verifierName = setting(
  "OVERTURE_VERIFIER_MODEL",
  textOf("the name of a model", () => true),
  undefined,
  "the model that checks whether each claim stands in its source",
  "`OVERTURE_MODEL`"
)
const verify = setting(
  "OVERTURE_VERIFY",
  (name) => Config.Literals(["all", "sample", "off"], name),
  "sample" as const,
  "what that model checks: `all` emails, `sample` (every template and one lead in ten) or `off`"
)

const within = (schema: Schema.Codec<number, string>) => (name: string) => Config.schema(schema, name)
const temperature = setting(
  "OVERTURE_TEMPERATURE",
  within(Schema.FiniteFromString.check(Schema.isBetween({ minimum: 0, maximum: 2 }))),
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
const mostTokens = setting(
  "OVERTURE_MAX_TOKENS",
  within(Schema.FiniteFromString.check(Schema.isInt(), Schema.isBetween({ minimum: 256, maximum: 1_000_000 }))),
  undefined,
  "the longest answer in tokens, a reasoning model's thoughts included",
  "the server's"
)
const seed = setting(
  "OVERTURE_SEED",
  within(Schema.FiniteFromString.check(Schema.isInt())),
  undefined,
  "a whole number that makes a server's answers repeatable, where it can",
  "none"
)
export const modelSettings: ReadonlyArray<Setting<unknown>> = [
  generator,
  modelKey,
  modelUrl,
  modelName,
  verifierName,
  verify,
  temperature,
  effort,
  mostTokens,
  seed
]

/** How the model is asked, and what a second call checks. */
export const modelUse = Config.all({
  verifier: verifierName.value,
  verification: verify.value,
  sampling: Config.all({
    temperature: temperature.value,
    reasoning_effort: effort.value,
    max_tokens: mostTokens.value,
    seed: seed.value
  })
})
