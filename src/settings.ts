// src/settings.ts: what the environment says, each setting with its default.
import { Config, Duration, Effect, Layer, Redacted, Schema } from "effect"
import * as InBucket from "#layers/files/InBucket.ts"
import * as OwnLimits from "#layers/limits/Memory.ts"
import * as SharedLimits from "#layers/limits/Redis.ts"
import { Mailer, parseSender } from "#layers/Mailer.ts"
import * as Writing from "#layers/model/Writing.ts"
import type { Rate } from "#src/http/RateLimit.ts"

const units = new Map([
  ["s", Duration.seconds],
  ["m", Duration.minutes],
  ["h", Duration.hours],
  ["d", Duration.days]
])

/** `<n>s`, `<n>m`, `<n>h` or `<n>d`. */
export const parseDuration = (text: string): Duration.Duration | undefined => {
  const [, count, unit = ""] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  return units.get(unit)?.(Number(count))
}

/** `<requests>/<window>`, such as `100/1m`. */
const parseRate = (text: string): Rate | undefined => {
  const [, limit, rest] = /^([1-9]\d{0,8})\/(\w+)$/.exec(text) ?? []
  const window = parseDuration(rest ?? "")
  return limit === undefined || window === undefined || Duration.isZero(window)
    ? undefined
    : { limit: Number(limit), window }
}

/** One thing that the environment may say. */
export interface Setting<A> {
  readonly name: string
  readonly meaning: string
  /** What holds while it is not set, as a person would say it. */
  readonly otherwise: string
  readonly value: Config.Config<A>
}

const setting = <A, B>(
  name: string,
  read: (name: string) => Config.Config<A>,
  absent: B,
  meaning: string,
  otherwise = String(absent)
): Setting<A | B> => ({ name, meaning, otherwise, value: read(name).pipe(Config.withDefault(absent)) })

const host = setting("OVERTURE_HOST", Config.String, "127.0.0.1", "where `serve` listens")
/** Not `Config.Port`, which has no 0. */
const Port = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 65_535 }))
const portOf = (name: string) => Config.schema(Port, name)
/** Where an API listens that is not told where. */
export const defaultPort = 3000

const port = setting(
  "OVERTURE_PORT",
  portOf,
  undefined,
  "its port; 0 picks a free one",
  "3000, of a worker any free one"
)
const directory = setting("OVERTURE_DATA_DIR", Config.String, "./data", "the store")
/** Where a PostgreSQL database is. */
export const DatabaseUrl = Schema.RedactedFromValue(
  Schema.String.check(
    Schema.makeFilter((text: string) => text === "" || (/^postgres(?:ql)?:\/\//.test(text) && URL.canParse(text)), {
      message: "Expected a URL such as postgres://user:password@host:5432/database"
    })
  )
)
const database = setting(
  "DATABASE_URL",
  (name) => Config.schema(DatabaseUrl, name).pipe(Config.map((url) => (Redacted.value(url) === "" ? undefined : url))),
  undefined,
  "such as `postgres://user:password@host:5432/database`, for the store",
  "none: SQLite in the data directory"
)
const publicAddress = setting(
  "OVERTURE_PUBLIC_URL",
  Config.String,
  undefined,
  "where others reach the server: the base of signed links",
  "`http://host:port`"
)
/** Characters of a secret that nobody guesses. */
export const leastSecret = 32

const secret = setting(
  "OVERTURE_SECRET",
  (name) =>
    Config.Redacted(name).pipe(
      Config.map((text) => {
        const given = Redacted.value(text).trim()
        return given === "" ? undefined : Redacted.make(given)
      })
    ),
  undefined,
  "signs links; should have 32 characters or more",
  "made once, kept in `<data>/secret`"
)

const origins = setting(
  "OVERTURE_CORS_ORIGINS",
  (name) =>
    Config.String(name).pipe(
      Config.map((text) =>
        text
          .split(",")
          .map((origin) => origin.trim())
          .filter((origin) => origin !== "")
      )
    ),
  [],
  "origins whose pages may call the API, joined by commas",
  "none"
)

const RateText = Schema.String.check(
  Schema.makeFilter((text: string) => parseRate(text) !== undefined, { message: "Expected a rate such as 100/1m" })
)
const rate = setting(
  "OVERTURE_RATE_LIMIT",
  (name) => Config.schema(RateText, name).pipe(Config.map(parseRate)),
  undefined,
  "such as `1000/1m`, for every key",
  "by plan"
)

const role = setting(
  "OVERTURE_ROLE",
  (name) => Config.Literals(["api", "worker", "all"], name),
  "all",
  "`api` answers requests, `worker` does the background work, `all` both"
)

const concurrency = setting("OVERTURE_CONCURRENCY", Config.Int, 16, "leads written at once")

const SmtpUrl = Schema.RedactedFromValue(
  Schema.String.check(
    Schema.makeFilter((text: string) => text === "" || (/^smtps?:\/\//.test(text) && URL.canParse(text)), {
      message: "Expected a URL such as smtp://user:password@mail.company.example:587"
    })
  )
)
const smtp = setting(
  "SMTP_URL",
  (name) => Config.schema(SmtpUrl, name).pipe(Config.map((url) => (Redacted.value(url) === "" ? undefined : url))),
  undefined,
  "such as `smtp://user:password@host:587`, for mail",
  "none: `.eml` files in `<data>/outbox`"
)

/** Its database is a number, if it names one; else the client would refuse it with another error each time. */
const isRedis = (text: string) => {
  const url = URL.parse(text)
  return url !== null && /^rediss?:$/.test(url.protocol) && url.hostname !== "" && /^\/?\d{0,5}$/.test(url.pathname)
}
const RedisUrl = Schema.RedactedFromValue(
  Schema.String.check(
    Schema.makeFilter((text: string) => text === "" || isRedis(text), {
      message: "Expected a URL such as redis://user:password@redis.company.example:6379"
    })
  )
)
const redis = setting(
  "REDIS_URL",
  (name) => Config.schema(RedisUrl, name).pipe(Config.map((url) => (Redacted.value(url) === "" ? undefined : url))),
  undefined,
  "such as `redis://user:password@host:6379`, for limits that servers share",
  "each server's own"
)

/** Keeps files in a bucket: `s3://KEY:SECRET@host:port/bucket/folder?region=…&tls=false`. */
const bucketOf = (text: string) => {
  const url = URL.parse(text)
  const [bucket = "", ...folders] = url?.pathname.split("/").filter((part) => part !== "") ?? []
  const options = [...(url?.searchParams.keys() ?? [])]
  const tls = url?.searchParams.get("tls") ?? "true"
  const isWell =
    url?.protocol === "s3:" &&
    !/%(?![0-9a-f]{2})/i.test(text) &&
    url.hostname !== "" &&
    /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket) &&
    folders.every((folder) => /^[\w.-]+$/.test(folder)) &&
    options.every((option) => option === "region" || option === "tls") &&
    ["true", "false"].includes(tls) &&
    (url.username === "") === (url.password === "")
  if (!isWell) return undefined
  return {
    endpoint: `${tls === "false" ? "http" : "https"}://${url.host}/${bucket}`,
    region: url.searchParams.get("region") ?? "us-east-1",
    prefix: folders.map((folder) => `${folder}/`).join(""),
    keyId: decodeURIComponent(url.username),
    secret: Redacted.make(decodeURIComponent(url.password))
  }
}
const BucketUrl = Schema.RedactedFromValue(
  Schema.String.check(
    Schema.makeFilter((text: string) => text === "" || bucketOf(text) !== undefined, {
      message:
        "Expected a URL such as s3://key:secret@s3.company.example/bucket?region=eu-central-1, with / and + of the secret as %2F and %2B"
    })
  )
)
const bucket = setting(
  "FILES_URL",
  (name) => Config.schema(BucketUrl, name).pipe(Config.map((url) => bucketOf(Redacted.value(url)))),
  undefined,
  "such as `s3://key:secret@host/bucket?region=eu-west-1`, for files",
  "`<data>/files`, or DATABASE_URL"
)
const awsKey = setting(
  "AWS_ACCESS_KEY_ID",
  Config.String,
  "",
  "opens the bucket of a FILES_URL that names no key",
  "none"
)
const awsSecret = setting("AWS_SECRET_ACCESS_KEY", Config.Redacted, Redacted.make(""), "its secret", "none")

const defaultSender = { name: "Overture", address: "overture@localhost" }
const SenderText = Schema.String.check(
  Schema.makeFilter((text: string) => parseSender(text) !== undefined, {
    message: "Expected an address, or a name and an address such as Overture <mail@company.example>"
  })
)
const sender = setting(
  "OVERTURE_MAIL_FROM",
  (name) => Config.schema(SenderText, name).pipe(Config.map((text) => parseSender(text) ?? defaultSender)),
  defaultSender,
  "who mail is from",
  "`Overture <overture@localhost>`"
)

const generator = setting(
  "OVERTURE_GENERATOR",
  (name) => Config.Literals(["openai", "builtin", ""], name),
  "",
  "who writes: `openai`, a model, or `builtin`, rules alone",
  "`openai` with a key, else `builtin`"
)
const modelKey = setting(
  "OPENAI_API_KEY",
  (name) =>
    Config.Redacted(name).pipe(
      Config.map((key) => (Redacted.value(key).trim() === "" ? undefined : Redacted.make(Redacted.value(key).trim())))
    ),
  undefined,
  "opens the model server",
  "none"
)
const ModelUrl = Schema.String.check(
  Schema.makeFilter((text: string) => text === "" || (/^https?:\/\//.test(text) && URL.canParse(text)), {
    message: "Expected a URL such as http://localhost:11434/v1"
  })
)
const modelUrl = setting(
  "OPENAI_BASE_URL",
  (name) => Config.schema(ModelUrl, name).pipe(Config.map((url) => (url === "" ? undefined : url))),
  undefined,
  "of any compatible server, such as `http://localhost:11434/v1`",
  "OpenAI's"
)
/** OpenAI's small one. */
const defaultModel = "gpt-5.4-mini"
const modelName = setting(
  "OVERTURE_MODEL",
  (name) => Config.String(name).pipe(Config.map((model) => model.trim() || defaultModel)),
  defaultModel,
  "the model that is asked"
)

const levels = ["all", "trace", "debug", "info", "warn", "error", "fatal", "none"] as const
const level = setting(
  "OVERTURE_LOG_LEVEL",
  (name) => Config.Literals(levels, name),
  "info",
  "the least that is logged, to standard error"
)
const format = setting(
  "OVERTURE_LOG_FORMAT",
  (name) => Config.Literals(["pretty", "json"], name),
  undefined,
  "`pretty` or `json`",
  "`pretty` on a terminal, else `json`"
)

const metricsAt = setting(
  "OVERTURE_METRICS_PORT",
  portOf,
  undefined,
  "where Prometheus reads `/metrics`, on 127.0.0.1 alone; 0 picks a free one",
  "none"
)

const CollectorUrl = Schema.String.check(
  Schema.makeFilter(
    (text: string) => {
      const url = URL.parse(text)
      return text === "" || (url !== null && /^https?:$/.test(url.protocol) && url.username + url.password === "")
    },
    { message: "Expected a URL such as http://localhost:4318, without a user name or password" }
  )
)
const collector = setting(
  "OTEL_EXPORTER_OTLP_ENDPOINT",
  (name) => Config.schema(CollectorUrl, name).pipe(Config.map((url) => (url === "" ? undefined : url))),
  undefined,
  "collector that gets traces, metrics and logs over HTTP",
  "none"
)
const collectorProtocol = setting(
  "OTEL_EXPORTER_OTLP_PROTOCOL",
  (name) => Config.Literals(["http/protobuf", "http/json"], name),
  "http/protobuf",
  "`http/protobuf` or `http/json`"
)
const collectorHeaders = setting(
  "OTEL_EXPORTER_OTLP_HEADERS",
  (name) => Config.Record(Schema.String, Schema.StringFromUriComponent, name).pipe(Config.map(Redacted.make)),
  undefined,
  "such as `x-api-key=abc,x-tenant=1`, for the collector",
  "none"
)
const serviceName = setting(
  "OTEL_SERVICE_NAME",
  Config.String,
  undefined,
  "what the collector knows this server by",
  "overture"
)
const noAttributes: { readonly [name: string]: string } = {}
const resource = setting(
  "OTEL_RESOURCE_ATTRIBUTES",
  (name) =>
    Config.Record(Schema.StringFromUriComponent, Schema.StringFromUriComponent, name, {
      trim: true,
      keepEmptyValues: true
    }),
  noAttributes,
  "such as `deployment.environment=staging`, for the collector",
  "none"
)

const reach = setting(
  "OVERTURE_FETCH_ALLOW_PRIVATE",
  Config.Boolean,
  false,
  "lets URL imports reach private addresses and any port, for tests"
)

/** All of them, for whoever asks what can be set. */
export const settings: ReadonlyArray<Setting<unknown>> = [
  host,
  port,
  directory,
  database,
  publicAddress,
  secret,
  origins,
  rate,
  role,
  concurrency,
  redis,
  bucket,
  awsKey,
  awsSecret,
  smtp,
  sender,
  generator,
  modelKey,
  modelUrl,
  modelName,
  level,
  format,
  metricsAt,
  collector,
  collectorProtocol,
  collectorHeaders,
  serviceName,
  resource,
  reach
]

export const dataDir = directory.value
export const databaseUrl = database.value
export const givenSecret = secret.value
export const publicUrl = publicAddress.value
export const logSettings = Config.all({ format: format.value, level: level.value })

export const metricsPort = metricsAt.value

export const otlpSettings = Config.all({
  endpoint: collector.value,
  protocol: collectorProtocol.value,
  headers: collectorHeaders.value,
  service: serviceName.value,
  attributes: resource.value
})

/** Whether imports may fetch from private addresses: for tests. */
export const fetchAllowPrivate = reach.value

export const serverSettings = Config.all({
  host: host.value,
  port: port.value,
  role: role.value,
  rate: rate.value,
  origins: origins.value,
  concurrency: concurrency.value
}).pipe(Config.map((given) => ({ ...given, port: given.port ?? (given.role === "worker" ? 0 : defaultPort) })))

/** FILES_URL names a bucket that nothing opens. */
export class BucketClosed extends Schema.TaggedError<BucketClosed>()("BucketClosed", { message: Schema.String }) {}

/** The bucket that FILES_URL names, and nothing without one. */
export const filesBucket = Effect.gen(function* () {
  const named = yield* bucket.value
  if (named === undefined) return undefined
  if (named.keyId !== "") return InBucket.make(named)
  const { keyId, secret } = yield* Config.all({ keyId: awsKey.value, secret: awsSecret.value })
  if (keyId === "" || Redacted.value(secret) === "") {
    return yield* new BucketClosed({
      message:
        "FILES_URL names no key: write it as s3://key:secret@…, or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
    })
  }
  return InBucket.make({ ...named, keyId, secret })
})

/** Rate limits by way of REDIS_URL, or where there is none those of this process. */
export const limits = Layer.unwrap(
  Effect.map(redis.value, (url) => (url === undefined ? OwnLimits.layer : SharedLimits.layer(url)))
)

/** Mail by way of SMTP_URL, or where there is none into the `outbox` of the data directory. */
export const mailer = (directory: string) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { from, url } = yield* Config.all({ from: sender.value, url: smtp.value })
      return url === undefined ? Mailer.layerOutbox(`${directory}/outbox`, from) : Mailer.layerSmtp(url, from)
    })
  )

/** What is set does not make a model that can be asked. */
export class ModelUnusable extends Schema.TaggedError<ModelUnusable>()("ModelUnusable", { message: Schema.String }) {}

/** The model of an OpenAI-compatible server, where OVERTURE_GENERATOR or a key asks for one. */
export const model = Layer.unwrap(
  Effect.gen(function* () {
    const chosen = yield* generator.value
    const key = yield* modelKey.value
    if (chosen === "builtin" || (chosen === "" && key === undefined)) return Layer.empty
    const url = yield* modelUrl.value
    if (key === undefined && url === undefined) {
      return yield* new ModelUnusable({
        message: "OVERTURE_GENERATOR is openai: set OPENAI_API_KEY, or OPENAI_BASE_URL for a server that needs no key"
      })
    }
    return Writing.layer({ url, key: key ?? Redacted.make("none"), model: yield* modelName.value })
  })
)
