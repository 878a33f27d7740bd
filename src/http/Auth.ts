// src/http/Auth.ts: who is calling, by a key or by the cookie of a session, and whether the key has the scope that an endpoint asks for.
import { Context, Duration, Effect, Option } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { Auth } from "#layers/Auth.ts"
import { Links } from "#layers/Links.ts"
import { type Principal, RequiredScope } from "#schema/Auth.ts"
import { Forbidden, Unauthorized } from "#schema/Errors.ts"
import { sessionHeader } from "#schema/Session.ts"
import { sessionLifetime } from "#layers/auth/Sessions.ts"

export type RequestHeaders = Readonly<Record<string, string | undefined>>

/** The scheme, host and port of an address, in their shortest form; undefined if it has none. */
export const originOf = (address: string) => {
  const url = URL.parse(address)
  if (url === null || url.host === "" || !["http:", "https:"].includes(url.protocol)) return undefined
  return { scheme: url.protocol, host: url.host, origin: url.origin }
}

const refused = Effect.fail(
  new Unauthorized({ message: "Send a valid API key, as Authorization: Bearer or as X-API-Key" })
)

const crossSite = Effect.fail(
  new Forbidden({
    message: "A request by cookie must come from the page of this server; send an API key in place of the cookie"
  })
)

const unknownPage = Effect.fail(
  new Forbidden({
    message: "Pages of this origin may not call this address; the operator can name it in OVERTURE_CORS_ORIGINS"
  })
)

/** The key of a request: from either header, or from both if they agree. */
const secretOf = (authorization: string | undefined, apiKey: string | undefined) => {
  if (authorization === undefined) return apiKey
  const bearer = /^Bearer +(\S+)$/i.exec(authorization)?.[1]
  return apiKey === undefined || apiKey === bearer ? bearer : undefined
}

const safeMethods = ["GET", "HEAD", "OPTIONS"]

/**
 * The only place that decides who is calling. A header with a key decides alone, whatever the cookie is. A cookie counts only
 * with the header of sessions, which a browser sends to no other server without asking, and for a change only if the browser
 * says that the page is of this origin: cookies are shared by all ports of a host. `origins` are those that the operator named.
 */
export const authentication = Effect.fnUntraced(function* (origins: ReadonlyArray<string>) {
  const { find } = yield* Auth
  const { address } = yield* Links

  const admit = (found: Effect.Effect<Option.Option<Principal>>): Effect.Effect<Principal, Unauthorized> =>
    Effect.flatMap(found, (principal) => (Option.isNone(principal) ? refused : Effect.succeed(principal.value)))

  const authenticate = (
    method: string,
    headers: RequestHeaders
  ): Effect.Effect<Principal, Unauthorized | Forbidden> => {
    const { authorization, "x-api-key": apiKey } = headers
    if (authorization !== undefined || apiKey !== undefined || headers["cookie"] === undefined) {
      const secret = secretOf(authorization, apiKey)
      return secret === undefined || secret === "" ? refused : admit(find(secret))
    }
    return Effect.flatMap(address, (own): Effect.Effect<Principal, Unauthorized | Forbidden> => {
      const session = cookieOf(headers, own)?.secret
      if (session === undefined) return refused
      const isFromPage = isSameOrigin(headers, own, !safeMethods.includes(method))
      if (headers[sessionHeader] !== "1" || !isFromPage) return crossSite
      return admit(find(session, "session"))
    })
  }

  /**
   * Refuses a page that is neither of this server's address nor of an origin that the operator named. Host is not asked, because
   * a page can give its own name the address of this server (DNS rebinding).
   */
  const refuseUnknownPage = ({ origin }: RequestHeaders): Effect.Effect<void, Forbidden> =>
    origin === undefined || origins.includes(origin)
      ? Effect.void
      : Effect.flatMap(address, (own) =>
          own !== "" && originOf(own)?.origin === originOf(origin)?.origin ? Effect.void : unknownPage
        )

  return {
    authenticate,
    refuseUnknownPage,
    /** The same by a key alone, for endpoints for programs. */
    authenticateProgram: (method: string, headers: RequestHeaders) =>
      Effect.andThen(refuseUnknownPage(headers), authenticate(method, { ...headers, cookie: undefined }))
  }
})

/** Whether a principal has the endpoint's scope, and the answer to one that has not. An endpoint without a scope takes any key. */
export const authorization = ({ annotations }: HttpApiEndpoint.Top) => {
  const scope = Context.get(annotations, RequiredScope)
  return {
    isAuthorized: ({ scopes }: Principal) => scope === undefined || scopes.includes(scope),
    forbidden: Effect.fail(new Forbidden({ message: `This key lacks the scope ${scope}` }))
  }
}

const plainName = "overture_session"
/** Browsers take a cookie of this name over https only, from this very host and for all of its paths. */
const secureName = `__Host-${plainName}`

export interface SessionCookie {
  /** Whether the browser reached the server by https, at a proxy before it. */
  readonly isSecure: boolean
  /** What the browser sent, if anything. */
  readonly secret: string | undefined
}

/** The values of a cookie; a browser sends several if another path or domain has set it too. */
const valuesOf = (header: string, name: string) =>
  header
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))

const isHttps = (address: string | undefined) => address?.toLowerCase().startsWith("https:") === true

/**
 * The cookie of a request; `own` is the address of this server. Of several cookies of one name none counts, because one of them
 * may have been set by another site. Over https only the cookie counts that no other site can set.
 */
export const cookieOf = (headers: RequestHeaders, own: string): SessionCookie | undefined => {
  const { cookie = "", origin } = headers
  const isSecure = isHttps(origin) || isHttps(own)
  const secure = valuesOf(cookie, secureName)
  const values = secure.length > 0 || isSecure ? secure : valuesOf(cookie, plainName)
  return { isSecure: isSecure || secure.length > 0, secret: values.length === 1 ? values[0] : undefined }
}

/**
 * Whether the page that made the request is of this server, by what the browser says. Where `mustSay`, silence is a no: a browser
 * says so at each change.
 */
export const isSameOrigin = (headers: RequestHeaders, own: string, mustSay: boolean) => {
  const { host, origin, "sec-fetch-site": site } = headers
  if (site !== undefined && site !== "same-origin") return false
  if (origin === undefined) return site === "same-origin" || !mustSay
  const named = originOf(origin)
  if (named === undefined) return false
  const { host: from, scheme } = named
  return from === originOf(`${scheme}//${host ?? ""}`)?.host || originOf(own)?.origin === named.origin
}

const attributes = (isSecure: boolean, maxAge: number) =>
  `; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAge}${isSecure ? "; Secure" : ""}`

/** The header that sets the cookie. */
export const setCookie = ({ isSecure }: SessionCookie, secret: string) => ({
  "set-cookie": `${isSecure ? secureName : plainName}=${secret}${attributes(isSecure, Duration.toSeconds(sessionLifetime))}`
})

/** The header that removes it. */
export const clearCookie = ({ isSecure }: SessionCookie) => ({
  "set-cookie": `${isSecure ? secureName : plainName}=${attributes(isSecure, 0)}`
})
