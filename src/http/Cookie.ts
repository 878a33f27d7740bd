// src/http/Cookie.ts: the session cookie: its name, attributes and value, and whether a request comes from this
// server's page.
import { Duration } from "effect"
import { sessionLifetime } from "#layers/auth/Sessions.ts"
import { originOf } from "#src/http/server/RouterConfig.ts"

type Headers = Readonly<Record<string, string | undefined>>

const plainName = "overture_session"
/** Browsers accept this name only over https, from this exact host and for all paths. */
const secureName = `__Host-${plainName}`

export interface SessionCookie {
  /** Whether the browser used https, which may end at a proxy. */
  readonly isSecure: boolean
  /** The value that the browser sent, if any. */
  readonly secret: string | undefined
}

/** The values of a cookie. A browser sends several if it was also set for another path or domain. */
const valuesOf = (header: string, name: string) =>
  header
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))

const isHttps = (address: string | undefined) => address?.toLowerCase().startsWith("https:") === true

/**
 * The cookie of a request; `own` is this server's address. Ignores repeated cookies, because another site may have set
 * one of them. Over https, accepts only the `__Host-` cookie, which no other site can set.
 */
export const cookieOf = (headers: Headers, own: string): SessionCookie | undefined => {
  const { cookie = "", origin } = headers
  const isSecure = isHttps(origin) || isHttps(own)
  const secure = valuesOf(cookie, secureName)
  const values = secure.length > 0 || isSecure ? secure : valuesOf(cookie, plainName)
  return { isSecure: isSecure || secure.length > 0, secret: values.length === 1 ? values[0] : undefined }
}

/**
 * Whether the browser states that the page is of this server. With `mustSay`, a missing statement is a no; browsers
 * always state it for changes.
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

/** The header that removes the cookie. */
export const clearCookie = ({ isSecure }: SessionCookie) => ({
  "set-cookie": `${isSecure ? secureName : plainName}=${attributes(isSecure, 0)}`
})
