// src/http/server/RouterConfig.ts: which request targets are accepted. The library's router would also accept other
// spellings.
import type { IncomingMessage } from "node:http"

/** Paths are case-sensitive. */
export const routerConfig = { caseSensitive: true }

/** Paths need no percent-encoding, empty segments, trailing slashes or `;`. */
const isExact = (path: string) => path === "/" || /^(?:\/[\w.~!$&'()*+,=:@-]+)+$/.test(path)

const pathOf = (url: string) => {
  const end = url.indexOf("?")
  return end === -1 ? url : url.slice(0, end)
}

/** RFC 3986, section 3.2.2: a name or an IP address with an optional port. */
const host = /^(?:\[[\dA-Fa-f:.]+\]|(?:[\w.~!$&'()*+,;=-]|%[\dA-Fa-f]{2})+)(?::\d*)?$/

/** An absolute URL, as in a request through a proxy, for example `http://overture.example/api/v1/lists`. */
const absolute = /^(https?:)\/\/([^/?#]*)([^?#]*)/i

/** All Host headers; `headers.host` has only the first one. */
const hostsOf = (rawHeaders: ReadonlyArray<string>) => {
  const hosts: Array<string> = []
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ""
    if (name.length === 4 && name.toLowerCase() === "host") hosts.push(rawHeaders[at + 1] ?? "")
  }
  return hosts
}

/** Scheme, host and port of a URL in normalized form; undefined if it has none. */
export const originOf = (address: string) => {
  const url = URL.parse(address)
  if (url === null || url.host === "" || !["http:", "https:"].includes(url.protocol)) return undefined
  return { scheme: url.protocol, host: url.host, origin: url.origin }
}

const canonical = (scheme: string, authority: string) => URL.parse(`${scheme}//${authority}`)?.host

/**
 * The status that refuses a request for its target or Host, if any. HTTP/1.1 requires exactly one Host; otherwise a
 * proxy and this server may disagree about the destination.
 */
export const refusalOf = ({
  httpVersion,
  rawHeaders,
  url = ""
}: Pick<IncomingMessage, "httpVersion" | "rawHeaders" | "url">): 400 | 404 | undefined => {
  const [named, another] = hostsOf(rawHeaders)
  if (another !== undefined || (named === undefined ? httpVersion === "1.1" : !host.test(named))) return 400
  if (url.startsWith("/")) return isExact(pathOf(url)) ? undefined : 404
  const [, scheme = "", authority = "", path = ""] = absolute.exec(url) ?? []
  if (scheme === "") return 404
  const reached = canonical(scheme, authority)
  if (reached === undefined || (named !== undefined && canonical(scheme, named) !== reached)) return 400
  return isExact(path || "/") ? undefined : 404
}

/** The same check for a path with a query. */
export const isKnownForm = (url: string) => isExact(pathOf(url))
