// layers/Links.ts: signed links, each of which gives access to one resource for a limited time, without a key.
import { Clock, Context, Deferred, Duration, Effect, Layer, Redacted, Result } from "effect"
import { Mac, SecureRandom } from "effect/crypto"
import { Hex } from "effect/encoding"
import { Forbidden } from "#schema/Errors.ts"

/** The secret that signs links. If undefined, a random one is used and links end with the process. */
export const LinkSecret = Context.Reference<Redacted.Redacted | undefined>("overture/layers/LinkSecret", {
  defaultValue: () => undefined
})

/** The public base URL of the service, for example `https://overture.example`; the listening address if undefined. */
export const PublicUrl = Context.Reference<string | undefined>("overture/layers/PublicUrl", {
  defaultValue: () => undefined
})

export class Links extends Context.Service<
  Links,
  {
    /** The URL of `path` with its expiry and signature. */
    readonly sign: (path: string, lifetime: Duration.Duration) => Effect.Effect<string>
    /** FORBIDDEN if the link has expired or its signature does not match. */
    readonly check: (
      path: string,
      query: { readonly expires?: string | undefined; readonly signature?: string | undefined }
    ) => Effect.Effect<void, Forbidden>
    /**
     * Sets the base URL of links to the listening address, unless `PublicUrl` is set. The server calls it once it
     * listens.
     */
    readonly setListeningUrl: (url: string) => Effect.Effect<void>
    /** The base URL, without a trailing slash; empty until the server listens. */
    readonly baseUrl: Effect.Effect<string>
    /** Waits until `sign` returns absolute URLs, as mails need them. */
    readonly waitForBaseUrl: Effect.Effect<void>
  }
>()("overture/layers/Links") {
  static readonly layer = Layer.effect(
    Links,
    Effect.gen(function* () {
      const mac = yield* Mac.Mac
      const random = yield* SecureRandom.SecureRandom
      const configuredSecret = yield* LinkSecret
      const secret =
        configuredSecret === undefined
          ? yield* random.randomBytes(32)
          : new TextEncoder().encode(Redacted.value(configuredSecret))
      const key = yield* Effect.orDie(Mac.key(Mac.hmacSha256, secret))
      const publicUrl = yield* PublicUrl
      let baseUrl = publicUrl?.replace(/\/+$/, "") ?? ""
      const baseUrlReady = yield* Deferred.make<void>()
      if (publicUrl !== undefined) yield* Deferred.succeed(baseUrlReady, undefined)

      const bytesToSign = (path: string, expires: string) => new TextEncoder().encode(`GET\n${path}\n${expires}`)
      const refusal = new Forbidden({ message: "This link has ended or is not valid; ask for a new one" })

      return Links.of({
        sign: Effect.fn("Links.sign")(function* (path, lifetime) {
          const expiryMillis = (yield* Clock.currentTimeMillis) + Duration.toMillis(lifetime)
          const expires = String(Math.floor(expiryMillis / 1000))
          const signature = Hex.encode(yield* mac.sign(key, bytesToSign(path, expires)))
          return `${baseUrl}${path}?expires=${expires}&signature=${signature}`
        }, Effect.orDie),

        check: Effect.fn("Links.check")(function* (path, { expires, signature }) {
          const decodedSignature = Hex.decode(signature ?? "")
          if (expires === undefined || !/^\d{1,12}$/.test(expires) || Result.isFailure(decodedSignature))
            return yield* refusal
          // Compares in constant time and before the expiry, so that expired and forged links get the same answer.
          const isValid = yield* Effect.orDie(mac.verify(key, decodedSignature.success, bytesToSign(path, expires)))
          const hasExpired = Number(expires) * 1000 <= (yield* Clock.currentTimeMillis)
          if (!isValid || hasExpired) return yield* refusal
        }),

        setListeningUrl: (url) =>
          Effect.suspend(() => {
            if (publicUrl === undefined) baseUrl = url
            return Deferred.succeed(baseUrlReady, undefined)
          }),

        baseUrl: Effect.sync(() => baseUrl),

        waitForBaseUrl: Deferred.await(baseUrlReady)
      })
    })
  ).pipe(Layer.provide(Mac.layerWebCrypto))
}
