// src/settings/Services.ts: the services that depend on settings.
import { Config, Effect, Layer, Redacted, Schema } from "effect"
import * as InBucket from "#layers/files/BucketStorage.ts"
import * as RateLimiter from "#layers/RateLimiter.ts"
import { Mailer } from "#layers/Mailer.ts"
import * as Completion from "#layers/model/Completion.ts"
import { type Api, isLocal } from "#layers/model/DetectServer.ts"
import { LocalServers } from "#layers/model/LocalServers.ts"
import * as settings from "#src/settings.ts"
import * as modelServer from "#src/settings/ModelServer.ts"

/** FILES_URL has no credentials for its bucket, and no other setting has. */
class BucketClosed extends Schema.TaggedError<BucketClosed>()("BucketClosed", { message: Schema.String }) {}

/** The bucket of FILES_URL; undefined if it is not set. */
export const filesBucket = Effect.gen(function* () {
  const named = yield* settings.bucket.value
  if (named === undefined) return undefined
  if (named.keyId !== "") return InBucket.make(named)
  const { keyId, secret } = yield* Config.all({ keyId: settings.awsKey.value, secret: settings.awsSecret.value })
  if (keyId === "" || Redacted.value(secret) === "") {
    return yield* new BucketClosed({
      message:
        "FILES_URL names no key: write it as s3://key:secret@…, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
    })
  }
  return InBucket.make({ ...named, keyId, secret })
})

/** Rate limits in Redis if REDIS_URL is set, else in this process. */
export const limits = Layer.unwrap(
  Effect.map(settings.redis.value, (url) => (url === undefined ? RateLimiter.layerMemory : RateLimiter.layerRedis(url)))
)

/** Mail by SMTP if SMTP_URL is set, else into `outbox` in the data directory. */
export const mailer = (directory: string) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { from, url } = yield* Config.all({ from: settings.sender.value, url: settings.smtp.value })
      return url === undefined ? Mailer.layerOutbox(`${directory}/outbox`, from) : Mailer.layerSmtp(url, from)
    })
  )

/** The settings for the model are incomplete or contradictory. */
class ModelUnusable extends Schema.TaggedError<ModelUnusable>()("ModelUnusable", { message: Schema.String }) {}

/** Default addresses of local servers. */
const defaultUrls: { readonly [A in Api]: string | undefined } = {
  openai: undefined,
  ollama: "http://127.0.0.1:11434/v1",
  lmstudio: "http://127.0.0.1:1234/v1",
  llamacpp: "http://127.0.0.1:8080/v1"
}

/** The settings of the model, if OVERTURE_GENERATOR, a key or a local kind of server selects one; else undefined. */
export const chosenModel = Effect.gen(function* () {
  const chosen = yield* modelServer.generator.value
  const key = yield* modelServer.modelKey.value
  const api = yield* modelServer.modelApi.value
  const asksForLocal = api !== undefined && api !== "openai"
  if (chosen === "builtin" || (chosen === "" && key === undefined && !asksForLocal)) return undefined
  const url = (yield* modelServer.modelUrl.value) ?? defaultUrls[api ?? "openai"]
  if (key === undefined && url === undefined) {
    return yield* new ModelUnusable({
      message: "OVERTURE_GENERATOR is openai: set OPENAI_API_KEY, or OPENAI_BASE_URL for a server that needs no key"
    })
  }
  return {
    api,
    url,
    atOnce: yield* settings.givenConcurrency,
    key: key ?? Redacted.make("none"),
    model: yield* modelServer.modelName.value,
    ...(yield* modelServer.modelUse)
  }
})

/** Leads written at the same time: two for a local model, which answers few requests at once. */
export const leadsAtOnce = Effect.gen(function* () {
  const chosen = yield* chosenModel
  return (yield* settings.givenConcurrency) ?? (chosen !== undefined && isLocal(chosen.url) ? 2 : 16)
})

/** The model of an OpenAI-compatible server, or none. An operator who sets `builtin` is offered no other writer. */
export const model = Layer.unwrap(
  Effect.gen(function* () {
    const chosen = yield* chosenModel
    if (chosen !== undefined) return Completion.layer(chosen)
    return (yield* modelServer.generator.value) === "builtin" ? Layer.succeed(LocalServers, []) : Layer.empty
  })
)
