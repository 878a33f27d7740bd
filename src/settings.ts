// src/settings.ts: all settings of the environment, with their defaults.
import { Config, Redacted, Schema } from "effect"
import { parseSender } from "#layers/Mailer.ts"
import { checkedText, portSetting, secretSetting, type Setting, setting, trimmedText } from "#src/settings/Setting.ts"
import { modelSettings } from "#src/settings/ModelServer.ts"
import { telemetrySettings } from "#src/settings/Telemetry.ts"
import { parseBucket, isDatabaseUrl, isMailServerUrl, isRedisUrl, parseRate } from "#src/settings/SettingParsers.ts"

const host = setting("OVERTURE_HOST", Config.String, "127.0.0.1", "where `serve` listens")
/** The default port of the API. */
export const defaultPort = 3000

const port = setting(
  "OVERTURE_PORT",
  portSetting,
  undefined,
  "the port of `serve`; 0 picks a free one",
  "3000; a worker picks a free one"
)
const directory = setting("OVERTURE_DATA_DIR", Config.String, "./data", "directory of the store")
const databaseUrlFormat = "a URL such as postgres://user:password@host:5432/database"
/** The URL of a PostgreSQL database. */
export const DatabaseUrl = Schema.RedactedFromValue(checkedText(databaseUrlFormat, isDatabaseUrl))
const database = setting(
  "DATABASE_URL",
  secretSetting(databaseUrlFormat, isDatabaseUrl),
  undefined,
  "such as `postgres://user:password@host:5432/database`, for the store",
  "none: SQLite in the data directory"
)
const publicUrlSetting = setting(
  "OVERTURE_PUBLIC_URL",
  Config.String,
  undefined,
  "where others reach the server: the base of signed links",
  "`http://host:port`"
)
/** Minimum length of a signing secret. */
export const minSecretLength = 32

const secret = setting(
  "OVERTURE_SECRET",
  trimmedText,
  undefined,
  "signs links; should have 32 characters or more",
  "made once, kept in `<data>/secret`"
)

const corsOrigins = setting(
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
  "origins whose pages may call the API and `/mcp`, joined by commas",
  "none"
)

const RateText = checkedText("a rate such as 100/1m", (text) => parseRate(text) !== undefined)
const rateLimit = setting(
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

/** At least 1, because lists would never end with 0. */
const Concurrency = Schema.Int.check(
  Schema.isBetween({ minimum: 1, maximum: 1000 }, { message: "Expected a whole number between 1 and 1000" })
)
const concurrency = setting(
  "OVERTURE_CONCURRENCY",
  (name) => Config.schema(Concurrency, name),
  undefined,
  "leads written at once, and requests that a local model gets at once",
  "16; with a local model 2, and 1 request of Ollama"
)

export const smtpUrl = setting(
  "SMTP_URL",
  secretSetting("a URL such as smtp://user:password@mail.company.example:587", isMailServerUrl),
  undefined,
  "such as `smtp://user:password@host:587`, for mail",
  "none: `.eml` files in `<data>/outbox`"
)

export const redisUrl = setting(
  "REDIS_URL",
  secretSetting("a URL such as redis://user:password@redis.company.example:6379", isRedisUrl),
  undefined,
  "such as `redis://user:password@host:6379`, for limits that servers share",
  "limits of each server alone"
)

const filesUrlFormat =
  "a URL such as s3://key:secret@s3.company.example/bucket?region=eu-central-1, with / and + of the secret as %2F and %2B"
export const filesUrl = setting(
  "FILES_URL",
  (name) =>
    Config.map(secretSetting(filesUrlFormat, (text) => parseBucket(text) !== undefined)(name), (url) =>
      url === undefined ? undefined : parseBucket(Redacted.value(url))
    ),
  undefined,
  "such as `s3://key:secret@host/bucket?region=eu-west-1`, for files",
  "`<data>/files`, or DATABASE_URL"
)
export const awsKey = setting(
  "AWS_ACCESS_KEY_ID",
  Config.String,
  "",
  "access key of the bucket, if FILES_URL has none",
  "none"
)
export const awsSecret = setting(
  "AWS_SECRET_ACCESS_KEY",
  Config.Redacted,
  Redacted.make(""),
  "secret of AWS_ACCESS_KEY_ID",
  "none"
)

const defaultSender = { name: "Overture", address: "overture@localhost" }
const SenderText = checkedText(
  "an address, or a name and an address such as Overture <mail@company.example>",
  (text) => parseSender(text) !== undefined
)
export const sender = setting(
  "OVERTURE_MAIL_FROM",
  (name) => Config.schema(SenderText, name).pipe(Config.map((text) => parseSender(text) ?? defaultSender)),
  defaultSender,
  "sender of mail",
  "`Overture <overture@localhost>`"
)

const allowPrivate = setting(
  "OVERTURE_FETCH_ALLOW_PRIVATE",
  Config.Boolean,
  false,
  "lets URL imports and webhooks reach private addresses and any port, for tests"
)

const serverUrl = setting(
  "OVERTURE_URL",
  Config.String,
  `http://127.0.0.1:${defaultPort}`,
  "URL of the server that `generate` and other commands call"
)
const apiKey = setting("OVERTURE_API_KEY", Config.Redacted, undefined, "API key that these commands send", "none")

/** All settings, for `serve --help`, `doctor` and the docs. */
export const settings: ReadonlyArray<Setting<unknown>> = [
  host,
  port,
  directory,
  database,
  publicUrlSetting,
  secret,
  corsOrigins,
  rateLimit,
  role,
  concurrency,
  redisUrl,
  filesUrl,
  awsKey,
  awsSecret,
  smtpUrl,
  sender,
  ...modelSettings,
  ...telemetrySettings,
  allowPrivate,
  serverUrl,
  apiKey
]

export const configuredConcurrency = concurrency.value
export const dataDir = directory.value
export const databaseUrl = database.value
export const configuredSecret = secret.value
export const publicUrl = publicUrlSetting.value

/** The settings of commands that call a server. */
export const clientSettings = [serverUrl, apiKey]
export const remoteServer = Config.all({ url: serverUrl.value, key: apiKey.value })

/** Whether imports and webhooks may reach private addresses, as in tests. */
export const fetchAllowPrivate = allowPrivate.value

export const serverSettings = Config.all({
  host: host.value,
  port: port.value,
  role: role.value,
  rate: rateLimit.value,
  origins: corsOrigins.value
}).pipe(Config.map((values) => ({ ...values, port: values.port ?? (values.role === "worker" ? 0 : defaultPort) })))
