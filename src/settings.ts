// src/settings.ts: what the environment says, each setting with its default.
import { Config, ConfigProvider, Duration, Effect, FileSystem, Layer, Option, Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { Hex } from "effect/encoding"
import { StoreUnusable } from "#layers/Database.ts"
import { Mailer, parseSender } from "#layers/Mailer.ts"
import type { Rate } from "#src/http/RateLimit.ts"

const durations = { s: "seconds", m: "minutes", h: "hours", d: "days" } as const

/** `<n>s`, `<n>m`, `<n>h` or `<n>d`. */
export const parseDuration = (text: string): Duration.Duration | undefined => {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  if (count === undefined || unit === undefined) return undefined
  if (unit !== "s" && unit !== "m" && unit !== "h" && unit !== "d") return undefined
  return Duration.fromInputUnsafe(`${Number(count)} ${durations[unit]}`)
}

/** `<requests>/<window>`, such as `100/1m`. */
const parseRate = (text: string): Rate | undefined => {
  const [, limit, rest] = /^([1-9]\d{0,8})\/(\w+)$/.exec(text) ?? []
  const window = parseDuration(rest ?? "")
  return limit === undefined || window === undefined || Duration.isZero(window)
    ? undefined
    : { limit: Number(limit), window }
}

const defaultSender = { name: "Overture", address: "overture@localhost" }

const rate = Config.schema(
  Schema.String.check(Schema.isPattern(/^[1-9]\d{0,8}\/\d{1,6}[smhd]$/, { message: "Expected a rate such as 100/1m" })),
  "OVERTURE_RATE_LIMIT"
).pipe(Config.map(parseRate), Config.withDefault(undefined))

export const dataDir = Config.String("OVERTURE_DATA_DIR").pipe(Config.withDefault("./data"))

export const serverSettings = Config.all({
  host: Config.String("OVERTURE_HOST").pipe(Config.withDefault("127.0.0.1")),
  port: Config.Port("OVERTURE_PORT").pipe(Config.withDefault(3000)),
  rate,
  /** Joined by commas. */
  origins: Config.String("OVERTURE_CORS_ORIGINS").pipe(
    Config.map((text) =>
      text
        .split(",")
        .map((origin) => origin.trim())
        .filter((origin) => origin !== "")
    ),
    Config.withDefault([])
  ),
  concurrency: Config.Int("OVERTURE_CONCURRENCY").pipe(Config.withDefault(16))
})

/** What signs links: OVERTURE_SECRET, or a secret made once and kept in the data directory for its owner alone. */
export const linkSecret = Effect.fn("linkSecret")(
  function* (directory: string) {
    const given = yield* Config.Redacted("OVERTURE_SECRET").pipe(Config.option)
    if (Option.isSome(given)) return given.value
    const fs = yield* FileSystem.FileSystem
    const random = yield* SecureRandom.SecureRandom
    const path = `${directory}/secret`
    const made = Hex.encode(yield* random.randomBytes(32))
    // Whoever comes first makes it; a second process reads what the first one wrote.
    yield* fs
      .writeFileString(path, made, { flag: "wx", mode: 0o600 })
      .pipe(Effect.catchReason("PlatformError", "AlreadyExists", () => Effect.void))
    return Redacted.make((yield* fs.readFileString(path)).trim())
  },
  Effect.provide(SecureRandom.layerWebCrypto),
  Effect.catchTag(
    "PlatformError",
    (error) => new StoreUnusable({ message: `The secret cannot be kept: ${error.message}` })
  )
)

/** Whether imports may fetch from private addresses: for tests. */
export const fetchAllowPrivate = Config.Boolean("OVERTURE_FETCH_ALLOW_PRIVATE").pipe(Config.withDefault(false))

export const publicUrl = Config.String("OVERTURE_PUBLIC_URL").pipe(Config.withDefault(undefined))

const sender = Config.schema(
  Schema.String.check(
    Schema.makeFilter((text: string) => parseSender(text) !== undefined, {
      message: "Expected an address, or a name and an address such as Overture <mail@company.example>"
    })
  ),
  "OVERTURE_MAIL_FROM"
).pipe(
  Config.map((text) => parseSender(text) ?? defaultSender),
  Config.withDefault(defaultSender)
)

const smtpUrl = Config.schema(
  Schema.RedactedFromValue(
    Schema.String.check(
      Schema.makeFilter((text: string) => text === "" || (/^smtps?:\/\//.test(text) && URL.canParse(text)), {
        message: "Expected a URL such as smtp://user:password@mail.company.example:587"
      })
    )
  ),
  "SMTP_URL"
).pipe(
  Config.map((url) => (Redacted.value(url) === "" ? undefined : url)),
  Config.withDefault(undefined)
)

/** Mail by way of SMTP_URL, or where there is none into the `outbox` of the data directory. */
export const mailer = (directory: string) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { from, url } = yield* Config.all({ from: sender, url: smtpUrl })
      return url === undefined ? Mailer.layerOutbox(`${directory}/outbox`, from) : Mailer.layerSmtp(url, from)
    })
  )

/** Makes the data directory, readable by its owner alone, and adds the `.env` in it to what is configured. */
export const openDataDir = Effect.fn("openDataDir")(
  function* (directory: string) {
    const fs = yield* FileSystem.FileSystem
    yield* fs.makeDirectory(directory, { recursive: true, mode: 0o700 })
    const path = `${directory}/.env`
    return (yield* fs.exists(path)) ? ConfigProvider.layerAdd(ConfigProvider.fromDotEnv({ path })) : undefined
  },
  Effect.catchTag(
    "PlatformError",
    (error) => new StoreUnusable({ message: `The data directory cannot be used: ${error.message}` })
  )
)
