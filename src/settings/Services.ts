// src/settings/Services.ts: the services that are chosen and configured by settings.
import { Config, Effect, Layer, Redacted, Schema } from "effect"
import * as BucketStorage from "#layers/files/BucketStorage.ts"
import * as RateLimiter from "#layers/RateLimiter.ts"
import { Mailer } from "#layers/Mailer.ts"
import * as Completion from "#layers/model/Completion.ts"
import { type Api, isLocal } from "#layers/model/DetectServer.ts"
import { LocalServers } from "#layers/model/LocalServers.ts"
import * as settings from "#src/settings.ts"
import * as modelServer from "#src/settings/ModelServer.ts"

/** FILES_URL has no credentials for its bucket, and no other setting has. */
class BucketCredentialsMissing extends Schema.TaggedError<BucketCredentialsMissing>()("BucketCredentialsMissing", {
  message: Schema.String
}) {}

/** The bucket of FILES_URL; undefined if it is not set. */
export const filesBucket = Effect.gen(function* () {
  const bucket = yield* settings.filesUrl.value
  if (bucket === undefined) return undefined
  if (bucket.keyId !== "") return BucketStorage.make(bucket)
  const { keyId, secret } = yield* Config.all({ keyId: settings.awsKey.value, secret: settings.awsSecret.value })
  if (keyId === "" || Redacted.value(secret) === "") {
    return yield* new BucketCredentialsMissing({
      message:
        "FILES_URL names no key: write it as s3://key:secret@…, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
    })
  }
  return BucketStorage.make({ ...bucket, keyId, secret })
})

/** Rate limits in Redis if REDIS_URL is set, else in this process. */
export const rateLimiterLayer = Layer.unwrap(
  Effect.map(settings.redisUrl.value, (url) =>
    url === undefined ? RateLimiter.layerMemory : RateLimiter.layerRedis(url)
  )
)

/** Mail by SMTP if SMTP_URL is set, else into `outbox` in the data directory. */
export const mailerLayer = (directory: string) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { from, url } = yield* Config.all({ from: settings.sender.value, url: settings.smtpUrl.value })
      return url === undefined ? Mailer.layerOutbox(`${directory}/outbox`, from) : Mailer.layerSmtp(url, from)
    })
  )

/** The settings for the model are incomplete or contradictory. */
class InvalidModelSettings extends Schema.TaggedError<InvalidModelSettings>()("InvalidModelSettings", {
  message: Schema.String
}) {}

/** Default addresses of local servers. */
const defaultUrls: { readonly [A in Api]: string | undefined } = {
  openai: undefined,
  ollama: "http://127.0.0.1:11434/v1",
  lmstudio: "http://127.0.0.1:1234/v1",
  llamacpp: "http://127.0.0.1:8080/v1"
}

/** The settings of the model, if OVERTURE_GENERATOR, a key or a local kind of server selects one; else undefined. */
export const configuredModel = Effect.gen(function* () {
  const generator = yield* modelServer.generator.value
  const key = yield* modelServer.modelKey.value
  const api = yield* modelServer.modelApi.value
  const selectsLocalServer = api !== undefined && api !== "openai"
  if (generator === "builtin" || (generator === "" && key === undefined && !selectsLocalServer)) return undefined
  const url = (yield* modelServer.modelUrl.value) ?? defaultUrls[api ?? "openai"]
  if (key === undefined && url === undefined) {
    return yield* new InvalidModelSettings({
      message: "OVERTURE_GENERATOR is openai: set OPENAI_API_KEY, or OPENAI_BASE_URL for a server that needs no key"
    })
  }
  return {
    api,
    url,
    atOnce: yield* settings.configuredConcurrency,
    key: key ?? Redacted.make("none"),
    model: yield* modelServer.modelName.value,
    ...(yield* modelServer.modelOptions)
  }
})

/** Leads written at the same time: two for a local model, which answers few requests at once. */
export const leadConcurrency = Effect.gen(function* () {
  const configured = yield* configuredModel
  return (yield* settings.configuredConcurrency) ?? (configured !== undefined && isLocal(configured.url) ? 2 : 16)
})

/** The model of an OpenAI-compatible server, or none. An operator who sets `builtin` is offered no other writer. */
export const modelLayer = Layer.unwrap(
  Effect.gen(function* () {
    const configured = yield* configuredModel
    if (configured !== undefined) return Completion.layer(configured)
    return (yield* modelServer.generator.value) === "builtin" ? Layer.succeed(LocalServers, []) : Layer.empty
  })
)
