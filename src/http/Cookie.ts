// src/http/Cookie.ts: the cookie of a session: its name and attributes, how it is read, and whether a request comes from the page of
// this server.
import { Duration } from "effect"
import { sessionLifetime } from "#layers/auth/Sessions.ts"
import { originOf } from "#src/http/server/RouterConfig.ts"

type Headers = Readonly<Record<string, string | undefined>>

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
export const cookieOf = (headers: Headers, own: string): SessionCookie | undefined => {
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
export const isSameOrigin = (headers: Headers, own: string, mustSay: boolean) => {
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
