// layers/Web.ts: pages of the public web, fetched so that nobody can reach through this server what only it can reach.
import { Context, Effect, Layer, Schema } from "effect"
import ipaddr from "ipaddr.js"
import { lookup } from "node:dns"
import { isIP, type LookupFunction } from "node:net"
import type { Readable } from "node:stream"
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib"
import { Agent, buildConnector, request } from "undici"
import * as Windows1252 from "#schema/leadfile/Windows1252.ts"

/** The page cannot be had; the message says why. */
export class Unfetchable extends Schema.TaggedError<Unfetchable>()("Unfetchable", { message: Schema.String }) {}

export interface Page {
  /** Where it was found in the end. */
  readonly url: string
  readonly type: string
  readonly text: string
}

const mostRedirects = 3
const mostBytes = 2 * 1024 * 1024
const connectMillis = 10_000
const allMillis = 20_000
/** A site's pages are fetched one upon the other; whatever the site asks for, its connection is not kept beyond that. */
const keptMillis = 2000

/** Azure answers virtual machines here, in the middle of public space. */
const platform = "168.63.129.16"

/** Whether an address is one of the public internet. What stands for another address is none, whatever it stands for. */
export const isPublic = (address: string): boolean => {
  if (!ipaddr.isValid(address)) return false
  // The parser takes the old `::a.b.c.d` for the mapped form.
  if (isIP(address) === 6 && address.includes(".") && !/^::ffff:/i.test(address)) return false
  const parsed = ipaddr.process(address)
  if (parsed.kind() === "ipv4") return parsed.range() === "unicast" && parsed.toString() !== platform
  // Global unicast is 2000::/3; NAT64, IPv4-compatible and local ranges lie outside of it, tunnels have their own names.
  return parsed.range() === "unicast" && ((parsed.toByteArray()[0] ?? 0) & 0xe0) === 0x20
}

/** Which addresses and ports may be connected to. */
export interface Reach {
  readonly address: (address: string) => boolean
  readonly anyPort: boolean
}
export const Reach = Context.Reference<Reach>("overture/layers/Reach", {
  defaultValue: () => ({ address: isPublic, anyPort: false })
})

/** Private addresses and any port will do: for tests, and for an operator who says so. */
export const everywhere: Reach = { address: () => true, anyPort: true }

const hostOf = (url: URL) => url.hostname.replace(/^\[|\]$/g, "")

/** What is wrong with the address itself, before anybody is asked. */
const wrong = (url: URL | null, reach: Reach): string | undefined => {
  if (url === null || !/^https?:$/.test(url.protocol)) return "must be a valid http or https URL"
  if (url.username !== "" || url.password !== "") return "must not hold a user name or password"
  if (!reach.anyPort && url.port !== "" && url.port !== "80" && url.port !== "443") return "must be on port 80 or 443"
  return isIP(hostOf(url)) !== 0 && !reach.address(hostOf(url)) ? "must not be a private address" : undefined
}

const isNowhere = new Unfetchable({ message: "There is no site of that name" })
const isPrivate = new Unfetchable({ message: "The site is at a private address, which is not fetched" })

/** Connects only to public addresses: each that a name stands for is checked, and then the socket itself. */
const connector = (reach: Reach): buildConnector.connector => {
  const guarded: LookupFunction = (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, [])
      const [first] = addresses
      // Node takes an empty answer for an address, and its throw ends the process.
      if (first === undefined) return callback(isNowhere, [])
      if (!addresses.every(({ address }) => reach.address(address))) return callback(isPrivate, [])
      return options.all === true ? callback(null, addresses) : callback(null, first.address, first.family)
    })
  }
  const connect = buildConnector({ lookup: guarded, timeout: connectMillis })
  return (options, callback) =>
    connect(options, (...connected) => {
      const [error, socket] = connected
      if (error !== null) return callback(error, null)
      if (reach.address(socket.remoteAddress ?? "")) return callback(null, socket)
      socket.destroy()
      return callback(isPrivate, null)
    })
}

const decoders: { readonly [encoding: string]: (() => NodeJS.ReadWriteStream & Readable) | undefined } = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress
}
const isKnown = (encoding: string) => encoding === "" || encoding === "identity" || Object.hasOwn(decoders, encoding)

/** The body as it was before it was packed, counted as it is unpacked. */
const read = async (body: Readable, encoding: string): Promise<Buffer> => {
  const decoder = decoders[encoding]?.()
  if (decoder !== undefined) body.on("error", (error) => decoder.destroy(error)).pipe(decoder)
  const source = decoder ?? body
  const chunks: Array<Buffer> = []
  let size = 0
  try {
    for await (const chunk of source) {
      size += chunk.length
      if (size > mostBytes) throw new Unfetchable({ message: "The page is larger than 2 MB" })
      chunks.push(chunk)
    }
  } finally {
    body.destroy()
    decoder?.destroy()
  }
  return Buffer.concat(chunks)
}

const decode = (bytes: Buffer, type: string): string => {
  const head = bytes.subarray(0, 1024).toString("latin1")
  const declared = /charset=["']?([\w-]+)/i.exec(type)?.[1] ?? /<meta[^>]{1,200}charset=["']?([\w-]+)/i.exec(head)?.[1]
  try {
    const decoder = new TextDecoder(declared ?? "utf-8", { fatal: declared === undefined })
    return decoder.encoding === "windows-1252" ? Windows1252.decode(bytes) : decoder.decode(bytes)
  } catch {
    // Old pages that do not say are in the letters of Windows; of an unknown name, UTF-8 is the likeliest meaning.
    return declared === undefined ? Windows1252.decode(bytes) : new TextDecoder().decode(bytes)
  }
}

const texts = /^(?:text\/(?:html|plain|markdown)|application\/xhtml\+xml)\b/i

const reason = (error: unknown): Unfetchable => {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof Unfetchable) return cause
  const code = error instanceof Error && "code" in error ? String(error.code) : ""
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return isNowhere
  if (/TIMEOUT/.test(code)) return new Unfetchable({ message: "The site did not answer in time" })
  if (/CERT|TLS|SSL|SIGNATURE/.test(code)) return new Unfetchable({ message: "The site's certificate is not valid" })
  return new Unfetchable({ message: "The site could not be reached" })
}

export class Web extends Context.Service<
  Web,
  {
    /** The URL, or what is wrong with it, in words that follow its name. */
    readonly check: (url: string) => { readonly url: URL } | { readonly refusal: string }
    /** A page of text, of at most 2 MB, within 20 seconds. */
    readonly page: (url: string) => Effect.Effect<Page, Unfetchable>
  }
>()("overture/layers/Web") {
  static readonly layer = Layer.effect(
    Web,
    Effect.gen(function* () {
      const reach = yield* Reach
      const agent = yield* Effect.acquireRelease(
        Effect.sync(
          () =>
            new Agent({
              connect: connector(reach),
              headersTimeout: allMillis,
              bodyTimeout: allMillis,
              keepAliveTimeout: keptMillis,
              keepAliveMaxTimeout: keptMillis,
              maxHeaderSize: 32 * 1024
            })
        ),
        (agent) => Effect.promise(() => agent.destroy())
      )

      const check = (text: string) => {
        const url = URL.parse(text)
        const refusal = wrong(url, reach)
        return url === null || refusal !== undefined ? { refusal: refusal ?? "must be a valid URL" } : { url }
      }

      const get = async (start: string, signal: AbortSignal): Promise<Page> => {
        let at = start
        for (let hops = 0; hops <= mostRedirects; hops++) {
          const checked = check(at)
          if ("refusal" in checked) throw new Unfetchable({ message: `The site's address ${checked.refusal}` })
          const { body, headers, statusCode } = await request(checked.url, {
            dispatcher: agent,
            signal,
            headers: {
              "user-agent": "Overture (company research on its owner's behalf)",
              accept: "text/html, text/plain;q=0.5",
              "accept-encoding": "gzip, deflate, br"
            }
          })
          const all = (name: string) => [headers[name] ?? ""].flat()
          const one = (name: string) => all(name)[0] ?? ""
          /** Hangs up: what nobody reads would hold its connection for as long as the site likes. */
          const drop = () => void body.on("error", () => undefined).destroy()
          const refuse = (message: string) => {
            drop()
            return new Unfetchable({ message })
          }
          if (statusCode >= 300 && statusCode < 400 && one("location") !== "") {
            drop()
            at = URL.parse(one("location"), checked.url)?.href ?? ""
            continue
          }
          if (statusCode !== 200) throw refuse(`The site answered with status ${statusCode}`)
          const type = one("content-type")
          if (!texts.test(type)) throw refuse("The address holds no page of text")
          const encoding = all("content-encoding").join(",").trim().toLowerCase()
          if (!isKnown(encoding)) throw refuse("The page is packed in a way that is not known")
          const bytes = await read(body, encoding)
          return { url: checked.url.href, type, text: decode(bytes, type) }
        }
        throw new Unfetchable({ message: `The site redirects more than ${mostRedirects} times` })
      }

      return Web.of({
        check,
        page: (url) =>
          Effect.tryPromise({ try: (signal) => get(url, signal), catch: reason }).pipe(
            Effect.timeoutOrElse({
              duration: allMillis,
              orElse: () => new Unfetchable({ message: "The site did not answer in time" })
            })
          )
      })
    })
  )
}
