// src/http/Guards.ts: decides whether a request reaches its handler, which no other file does: its key or cookie, its rate limit, its
// scope and its body. `layers/RateLimiter.ts` only counts.
import { Clock, Context, Duration, Effect, Option, type Scope, type Stream } from "effect"
import type { Multipart } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { RateLimiter } from "effect/persistence"
import { Auth } from "#layers/Auth.ts"
import { sessionLifetime } from "#layers/auth/Sessions.ts"
import { Links } from "#layers/Links.ts"
import { add, rateLimited } from "#layers/Metrics.ts"
import { CurrentPrincipal, ForPrograms, NeedsLimiter, type Principal, RateBucket, RequiredScope } from "#schema/Auth.ts"
import { BadRequest, Forbidden, RateLimited, Unauthorized } from "#schema/Errors.ts"
import { sessionHeader } from "#schema/Session.ts"
import { type BodySource, makeBodyReader } from "#src/http/Body.ts"
import type { Reply } from "#src/http/Replies.ts"
import type { RequestContext, SessionCookie } from "#src/http/RequestContext.ts"

type RequestHeaders = Readonly<Record<string, string | undefined>>

/** Scheme, host and port of a URL in normalized form; undefined if it has none. */
const originOf = (address: string) => {
  const url = URL.parse(address)
  if (url === null || url.host === "" || !["http:", "https:"].includes(url.protocol)) return undefined
  return { scheme: url.protocol, host: url.host, origin: url.origin }
}

const unauthorized = Effect.fail(
  new Unauthorized({ message: "Send a valid API key, as Authorization: Bearer or as X-API-Key" })
)

const crossSiteRequest = Effect.fail(
  new Forbidden({
    message: "A request by cookie must come from the page of this server; send an API key in place of the cookie"
  })
)

const unknownOrigin = Effect.fail(
  new Forbidden({
    message: "Pages of this origin may not call this address; the operator can name it in OVERTURE_CORS_ORIGINS"
  })
)

/** The key of a request, from either header. If both are sent, they must agree. */
const apiKeyOf = (authorization: string | undefined, apiKey: string | undefined) => {
  if (authorization === undefined) return apiKey
  const bearer = /^Bearer +(\S+)$/i.exec(authorization)?.[1]
  return apiKey === undefined || apiKey === bearer ? bearer : undefined
}

const safeMethods = ["GET", "HEAD", "OPTIONS"]

/**
 * Authenticates a request; no other code does. A header with a key takes precedence over a cookie. A cookie needs the
 * session header, which browsers send to other origins only after a CORS preflight. For changes, the browser must also
 * state that the page is of this origin, because all ports of a host share cookies. `origins` are those that the
 * operator allows.
 */
const authentication = Effect.fnUntraced(function* (origins: ReadonlyArray<string>) {
  const { find } = yield* Auth
  const { baseUrl: address } = yield* Links

  const requirePrincipal = (lookup: Effect.Effect<Option.Option<Principal>>): Effect.Effect<Principal, Unauthorized> =>
    Effect.flatMap(lookup, (principal) => (Option.isNone(principal) ? unauthorized : Effect.succeed(principal.value)))

  const authenticate = (
    method: string,
    headers: RequestHeaders
  ): Effect.Effect<Principal, Unauthorized | Forbidden> => {
    const { authorization, "x-api-key": apiKey } = headers
    if (authorization !== undefined || apiKey !== undefined || headers["cookie"] === undefined) {
      const secret = apiKeyOf(authorization, apiKey)
      return secret === undefined || secret === "" ? unauthorized : requirePrincipal(find(secret))
    }
    return Effect.flatMap(address, (serverAddress): Effect.Effect<Principal, Unauthorized | Forbidden> => {
      const session = cookieOf(headers, serverAddress)?.secret
      if (session === undefined) return unauthorized
      const isFromPage = isSameOrigin(headers, serverAddress, !safeMethods.includes(method))
      if (headers[sessionHeader] !== "1" || !isFromPage) return crossSiteRequest
      return requirePrincipal(find(session, "session"))
    })
  }

  /**
   * Refuses pages of origins other than this server's and those the operator allows. Does not trust Host, because a
   * page's own name can resolve to this server (DNS rebinding).
   */
  const refuseUnknownOrigin = ({ origin }: RequestHeaders): Effect.Effect<void, Forbidden> =>
    origin === undefined || origins.includes(origin)
      ? Effect.void
      : Effect.flatMap(address, (serverAddress) =>
          serverAddress !== "" && originOf(serverAddress)?.origin === originOf(origin)?.origin
            ? Effect.void
            : unknownOrigin
        )

  return {
    authenticate,
    refuseUnknownOrigin,
    /** Authenticates by a key only, for endpoints for programs. */
    authenticateProgram: (method: string, headers: RequestHeaders) =>
      Effect.andThen(refuseUnknownOrigin(headers), authenticate(method, { ...headers, cookie: undefined }))
  }
})

/** Whether a principal has the endpoint's scope, and the error if not. An endpoint without a scope accepts any key. */
const authorization = ({ annotations }: HttpApiEndpoint.Top) => {
  const scope = Context.get(annotations, RequiredScope)
  return {
    isAuthorized: ({ scopes }: Principal) => scope === undefined || scopes.includes(scope),
    forbidden: Effect.fail(new Forbidden({ message: `This key lacks the scope ${scope}` }))
  }
}

const cookieName = "overture_session"
/** Browsers accept this name only over https, from this exact host and for all paths. */
const secureCookieName = `__Host-${cookieName}`

/** The values of a cookie. A browser sends several if it was also set for another path or domain. */
const cookieValuesOf = (header: string, name: string) =>
  header
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))

const isHttps = (address: string | undefined) => address?.toLowerCase().startsWith("https:") === true

/**
 * The cookie of a request; `serverAddress` is the address of this server. Ignores repeated cookies, because another site may have set
 * one of them. Over https, accepts only the `__Host-` cookie, which no other site can set.
 */
const cookieOf = (headers: RequestHeaders, serverAddress: string): SessionCookie | undefined => {
  const { cookie = "", origin } = headers
  const isSecure = isHttps(origin) || isHttps(serverAddress)
  const secureValues = cookieValuesOf(cookie, secureCookieName)
  const values = secureValues.length > 0 || isSecure ? secureValues : cookieValuesOf(cookie, cookieName)
  return { isSecure: isSecure || secureValues.length > 0, secret: values.length === 1 ? values[0] : undefined }
}

/**
 * Whether the browser states that the page is of this server. With `requiresStatement`, a request without a statement
 * counts as one of another page, because browsers always state the page of a change.
 */
const isSameOrigin = (headers: RequestHeaders, serverAddress: string, requiresStatement: boolean) => {
  const { host, origin, "sec-fetch-site": site } = headers
  if (site !== undefined && site !== "same-origin") return false
  if (origin === undefined) return site === "same-origin" || !requiresStatement
  const pageOrigin = originOf(origin)
  if (pageOrigin === undefined) return false
  const { host: pageHost, scheme } = pageOrigin
  return (
    pageHost === originOf(`${scheme}//${host ?? ""}`)?.host || originOf(serverAddress)?.origin === pageOrigin.origin
  )
}

const cookieAttributes = (isSecure: boolean, maxAge: number) =>
  `; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAge}${isSecure ? "; Secure" : ""}`

/** The header that sets the cookie. */
export const setCookie = ({ isSecure }: SessionCookie, secret: string) => ({
  "set-cookie": `${isSecure ? secureCookieName : cookieName}=${secret}${cookieAttributes(isSecure, Duration.toSeconds(sessionLifetime))}`
})

/** The header that removes the cookie. */
export const clearCookie = ({ isSecure }: SessionCookie) => ({
  "set-cookie": `${isSecure ? secureCookieName : cookieName}=${cookieAttributes(isSecure, 0)}`
})

/** Requests per window for every key; if undefined, the plan's limit per minute applies. */
export interface Rate {
  readonly limit: number
  readonly window: Duration.Duration
}

const rateOf = (rate: Rate | undefined, principal: Principal): Rate =>
  rate ?? { limit: principal.requests_per_minute, window: minute }

const minute = Duration.minutes(1)

/** A limit, and how much of it is used. */
interface LimitUsage {
  /** "key", or the name of an endpoint's own limit. */
  readonly policy: string
  readonly limit: number
  readonly remaining: number
  readonly resetAfter: Duration.Duration
  readonly window: Duration.Duration
}

/**
 * The contract's headers, and RateLimit and RateLimit-Policy of draft-ietf-httpapi-ratelimit-headers-10, whose times
 * are seconds from now. `now` is in milliseconds.
 */
const rateHeaders = ({ limit, policy, remaining, resetAfter, window }: LimitUsage, now: number) => ({
  "x-ratelimit-limit": String(limit),
  "x-ratelimit-remaining": String(remaining),
  "x-ratelimit-reset": String(Math.ceil((now + Duration.toMillis(resetAfter)) / 1000)),
  "ratelimit-policy": `"${policy}";q=${limit};w=${Math.ceil(Duration.toSeconds(window))}`,
  ratelimit: `"${policy}";r=${remaining};t=${Math.ceil(Duration.toSeconds(resetAfter))}`
})

/** Makes the rate limit of an endpoint: counts the request, sets the headers, and refuses requests above the limit. */
const rateLimit = Effect.fnUntraced(function* (rate: Rate | undefined) {
  const limiter = yield* RateLimiter.RateLimiter
  const clock = yield* Clock.Clock

  const setHeaders = (context: RequestContext, usage: LimitUsage) => {
    context.headers = rateHeaders(usage, clock.currentTimeMillisUnsafe())
  }

  const refuse = (
    context: RequestContext,
    {
      needsLimiter,
      policyOf,
      window
    }: {
      readonly needsLimiter: boolean
      readonly policyOf: (key: string) => string
      readonly window: Duration.Duration
    },
    { reason }: RateLimiter.RateLimiterError
  ) => {
    if (reason._tag === "RateLimitStoreError") {
      // Without a limiter, most requests are let through; those of endpoints with `NeedsLimiter` are refused.
      const outcome = needsLimiter
        ? Effect.fail(new RateLimited({ message: "Requests cannot be counted now; try again soon" }))
        : Effect.void
      return Effect.andThen(Effect.logError("The rate limiter is unavailable", reason), outcome)
    }
    const { key, limit, retryAfter } = reason
    const wait = Math.max(1, Math.ceil(Duration.toSeconds(retryAfter)))
    context.headers = {
      ...rateHeaders(
        { policy: policyOf(key), limit, remaining: 0, resetAfter: retryAfter, window },
        clock.currentTimeMillisUnsafe()
      ),
      "retry-after": String(wait)
    }
    const refusal = new RateLimited({ message: `Too many requests; try again in ${wait} s` })
    return Effect.andThen(add(rateLimited, 1), Effect.fail(refusal))
  }

  return (endpoint: HttpApiEndpoint.Top) => {
    const { annotations } = endpoint
    const { isAuthorized } = authorization(endpoint)
    const needsLimiter = Context.get(annotations, NeedsLimiter)
    const bucket = rate === undefined ? Context.get(annotations, RateBucket) : undefined

    return (principal: Principal, context: RequestContext): Effect.Effect<void, RateLimited> => {
      const { limit, window } = rateOf(rate, principal)
      const consume = (policy: string, key: string, maxRequests: number) =>
        Effect.map(
          limiter.consume({ key, limit: maxRequests, window }),
          ({ limit, remaining, resetAfter }): LimitUsage => ({
            policy,
            limit,
            remaining,
            resetAfter,
            window
          })
        )
      const overall = consume("key", principal.id, limit)
      // A key without the scope would use up the limit of the keys of its workspace that have it.
      const isCounted = bucket !== undefined && (bucket.per === "key" || isAuthorized(principal))
      const tighter = !isCounted
        ? overall
        : Effect.zipWith(
            overall,
            consume(
              bucket.name,
              `${bucket.per === "key" ? principal.id : principal.workspace_id}:${bucket.name}`,
              bucket.limit
            ),
            (overallUsage, bucketUsage) => (overallUsage.remaining < bucketUsage.remaining ? overallUsage : bucketUsage)
          )
      const policyOf = (key: string) => (key === principal.id || bucket === undefined ? "key" : bucket.name)
      return Effect.catch(
        Effect.map(tighter, (usage) => setHeaders(context, usage)),
        (error) => refuse(context, { needsLimiter, policyOf, window }, error)
      )
    }
  }
})

/** A request as a transport gives it to an endpoint. */
export interface Incoming extends BodySource {
  readonly url: string
  readonly params: unknown
  readonly query: unknown
  readonly parts: Stream.Stream<Multipart.Part, Multipart.MultipartError>
}

export type Serve = (incoming: Incoming, context: RequestContext) => Effect.Effect<Reply, unknown, Scope.Scope>

const foreignOrigin = Effect.fail(new Forbidden({ message: "Sign in on the page of this server" }))

const nulInAddress = Effect.fail(new BadRequest({ message: "The address holds a NUL character" }))

export type Guards = Effect.Success<ReturnType<typeof make>>

/** The guards of all endpoints, with or without a key. They share rate-limit counts and the memory for bodies. */
export const make = Effect.fnUntraced(function* (rate: Rate | undefined, origins: ReadonlyArray<string>) {
  const { authenticate, authenticateProgram, refuseUnknownOrigin } = yield* authentication(origins)
  const { baseUrl: address } = yield* Links
  const rateLimitOf = yield* rateLimit(rate)
  const readerOf = makeBodyReader()

  /** Authenticates, counts the request, checks the scope, reads the body, and then serves the request. */
  const keyGuard = (endpoint: HttpApiEndpoint.Top) => {
    const { forbidden, isAuthorized } = authorization(endpoint)
    const identify = Context.get(endpoint.annotations, ForPrograms) ? authenticateProgram : authenticate
    const countRequest = rateLimitOf(endpoint)
    const readBody = readerOf(endpoint)
    return (serve: Serve): Serve =>
      (incoming, context) =>
        Effect.flatMap(identify(context.method, incoming.headers), (principal) => {
          context.key = principal.id
          context.workspace = principal.workspace_id
          if (principal.session !== undefined) context.cookie = cookieOf(incoming.headers, "")
          return Effect.flatMap(countRequest(principal, context), () => {
            if (!isAuthorized(principal)) return forbidden
            if (incoming.url.includes("%00")) return nulInAddress
            const handling = Effect.suspend(() => serve(incoming, context))
            return readBody(
              incoming,
              context,
              principal
            )(Effect.updateContext(handling, Context.add(CurrentPrincipal, principal)))
          })
        })
  }

  /** For endpoints without a key: refuses changes from pages of other origins, and reads the body. */
  const openGuard = (endpoint: HttpApiEndpoint.Top) => {
    const readBody = readerOf(endpoint)
    return (serve: Serve): Serve =>
      (incoming, context) =>
        Effect.flatMap(address, (serverAddress) => {
          context.cookie = cookieOf(incoming.headers, serverAddress)
          // Programs other than browsers send no origin, and have no cookie to set.
          if (endpoint.method !== "GET" && !isSameOrigin(incoming.headers, serverAddress, false)) return foreignOrigin
          return readBody(incoming, context, undefined)(Effect.suspend(() => serve(incoming, context)))
        })
  }

  return { key: keyGuard, open: openGuard, none: () => (serve: Serve) => serve, refuseUnknownOrigin }
})
