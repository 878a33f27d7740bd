// src/http/Auth.ts: authenticates a request by API key or session cookie, and checks the scope of its endpoint.
import { Context, Duration, Effect, Option } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { Auth } from "#layers/Auth.ts"
import { Links } from "#layers/Links.ts"
import { type Principal, RequiredScope } from "#schema/Auth.ts"
import { Forbidden, Unauthorized } from "#schema/Errors.ts"
import { sessionHeader } from "#schema/Session.ts"
import { sessionLifetime } from "#layers/auth/Sessions.ts"

export type RequestHeaders = Readonly<Record<string, string | undefined>>

/** Scheme, host and port of a URL in normalized form; undefined if it has none. */
export const originOf = (address: string) => {
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
export const authentication = Effect.fnUntraced(function* (origins: ReadonlyArray<string>) {
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
export const authorization = ({ annotations }: HttpApiEndpoint.Top) => {
  const scope = Context.get(annotations, RequiredScope)
  return {
    isAuthorized: ({ scopes }: Principal) => scope === undefined || scopes.includes(scope),
    forbidden: Effect.fail(new Forbidden({ message: `This key lacks the scope ${scope}` }))
  }
}

const cookieName = "overture_session"
/** Browsers accept this name only over https, from this exact host and for all paths. */
const secureCookieName = `__Host-${cookieName}`

export interface SessionCookie {
  /** Whether the browser used https, which may end at a proxy. */
  readonly isSecure: boolean
  /** The value that the browser sent, if any. */
  readonly secret: string | undefined
}

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
export const cookieOf = (headers: RequestHeaders, serverAddress: string): SessionCookie | undefined => {
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
export const isSameOrigin = (headers: RequestHeaders, serverAddress: string, requiresStatement: boolean) => {
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
