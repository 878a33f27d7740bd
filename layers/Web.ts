// layers/Web.ts: requests to the public web, with limits on size, time and destination: fetches pages and posts
// webhooks.
import type { Readable } from "node:stream"
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib"
import * as Windows1252 from "#schema/lead-files/Windows1252.ts"
import {
  AddressPolicy,
  checkAddress,
  guardedConnector,
  Unfetchable,
  unknownAddress
} from "#layers/web/AddressPolicy.ts"
import { Clock, Context, Effect, Layer } from "effect"
import { Agent, type Dispatcher, request } from "undici"
import { post, type PostAnswer } from "#layers/web/WebhookPost.ts"

const maxBytes = 2 * 1024 * 1024

const decoders: { readonly [encoding: string]: (() => NodeJS.ReadWriteStream & Readable) | undefined } = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress
}
const isKnownEncoding = (encoding: string) =>
  encoding === "" || encoding === "identity" || Object.hasOwn(decoders, encoding)

/** The decompressed body. Counts the decompressed bytes as they arrive, to stop compression bombs. */
export const read = async (body: Readable, encoding: string): Promise<Buffer> => {
  const decoder = decoders[encoding]?.()
  if (decoder !== undefined) body.on("error", (error) => decoder.destroy(error)).pipe(decoder)
  const source = decoder ?? body
  const chunks: Array<Buffer> = []
  let size = 0
  try {
    for await (const chunk of source) {
      size += chunk.length
      if (size > maxBytes) throw new Unfetchable({ message: "The page is larger than 2 MB" })
      chunks.push(chunk)
    }
  } finally {
    body.destroy()
    decoder?.destroy()
  }
  return Buffer.concat(chunks)
}

/** The text in its declared encoding, else in the most likely one. */
export const decode = (bytes: Buffer, type: string): string => {
  const head = bytes.subarray(0, 1024).toString("latin1")
  const declared = /charset=["']?([\w-]+)/i.exec(type)?.[1] ?? /<meta[^>]{1,200}charset=["']?([\w-]+)/i.exec(head)?.[1]
  try {
    const decoder = new TextDecoder(declared ?? "utf-8", { fatal: declared === undefined })
    return decoder.encoding === "windows-1252" ? Windows1252.decode(bytes) : decoder.decode(bytes)
  } catch {
    // Old pages without a declaration are usually Windows-1252; an unknown encoding name most likely means UTF-8.
    return declared === undefined ? Windows1252.decode(bytes) : new TextDecoder().decode(bytes)
  }
}

export interface Page {
  /** The URL after redirects. */
  readonly url: string
  readonly type: string
  readonly text: string
}

const maxRedirects = 3
const fetchTimeoutMillis = 20_000
/** A receiver that has not answered within this time counts as failed. */
const postMillis = 15_000
/**
 * How long an idle connection is kept, whatever the server asks for: the pages of a site are fetched one after another.
 */
const cacheMillis = 2000

const textTypes = /^(?:text\/(?:html|plain|markdown)|application\/xhtml\+xml)\b/i

const failureReason =
  (subject: string) =>
  (error: unknown): Unfetchable => {
    for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof Unfetchable) return cause
    if (error instanceof Error && error.name === "TimeoutError") {
      return new Unfetchable({ message: `${subject} did not answer in time` })
    }
    const code = error instanceof Error && "code" in error ? String(error.code) : ""
    if (code === "ENOTFOUND" || code === "EAI_AGAIN") return unknownAddress
    if (/TIMEOUT/.test(code)) return new Unfetchable({ message: `${subject} did not answer in time` })
    if (/CERT|TLS|SSL|SIGNATURE/.test(code))
      return new Unfetchable({ message: `${subject}'s certificate is not valid` })
    return new Unfetchable({ message: `${subject} could not be reached` })
  }
const reason = failureReason("The site")
const postFailed = failureReason("The receiver")

const headers = {
  "user-agent": "Overture (company research on its owner's behalf)",
  accept: "text/html, text/plain;q=0.5",
  "accept-encoding": "gzip, deflate, br"
}

/** The page of a response, or the target of its redirect. */
const toPage = async (
  { href }: URL,
  { body, headers, statusCode }: Dispatcher.ResponseData
): Promise<Page | { readonly redirectUrl: string }> => {
  const all = (name: string) => [headers[name] ?? ""].flat()
  const [type = ""] = all("content-type")
  const [location = ""] = all("location")
  const encoding = all("content-encoding").join(",").trim().toLowerCase()
  if (statusCode === 200 && textTypes.test(type) && isKnownEncoding(encoding))
    return { url: href, type, text: decode(await read(body, encoding), type) }
  // Closes the connection; an unread body would keep it open.
  body.on("error", () => undefined).destroy()
  if (statusCode >= 300 && statusCode < 400 && location !== "")
    return { redirectUrl: URL.parse(location, href)?.href ?? "" }
  if (statusCode !== 200) throw new Unfetchable({ message: `The site answered with status ${statusCode}` })
  if (!textTypes.test(type)) throw new Unfetchable({ message: "The address holds no page of text" })
  throw new Unfetchable({ message: "The page is packed in a way that is not known" })
}

const failed = (error: string): PostAnswer => ({ code: null, text: null, error, retryAfter: null })

export class Web extends Context.Service<
  Web,
  {
    /** The parsed URL, or the reason why it is refused, worded to follow the field's name. */
    readonly check: (url: string) => { readonly url: URL } | { readonly refusal: string }
    /** Fetches a text page of at most 2 MB within 20 seconds. */
    readonly page: (url: string) => Effect.Effect<Page, Unfetchable>
    /** Posts JSON and returns the outcome within 15 seconds, with the first `characters` of the answer. Never fails. */
    readonly post: (
      url: string,
      message: { readonly body: string; readonly headers: Readonly<Record<string, string>> },
      characters: number
    ) => Effect.Effect<PostAnswer>
  }
>()("overture/layers/Web") {
  static readonly layer = Layer.effect(
    Web,
    Effect.gen(function* () {
      const addressPolicy = yield* AddressPolicy
      const agent = yield* Effect.acquireRelease(
        Effect.sync(
          () =>
            new Agent({
              connect: guardedConnector(addressPolicy),
              headersTimeout: fetchTimeoutMillis,
              bodyTimeout: fetchTimeoutMillis,
              keepAliveTimeout: cacheMillis,
              keepAliveMaxTimeout: cacheMillis,
              maxHeaderSize: 32 * 1024
            })
        ),
        (agent) => Effect.promise(() => agent.destroy())
      )

      const get = async (start: string, signal: AbortSignal): Promise<Page> => {
        let address = start
        for (let hops = 0; hops <= maxRedirects; hops++) {
          const checked = checkAddress(address, addressPolicy)
          if ("refusal" in checked) throw new Unfetchable({ message: `The site's address ${checked.refusal}` })
          const answer = await toPage(checked.url, await request(checked.url, { dispatcher: agent, signal, headers }))
          if ("text" in answer) return answer
          address = answer.redirectUrl
        }
        throw new Unfetchable({ message: `The site redirects more than ${maxRedirects} times` })
      }

      return Web.of({
        check: (url) => checkAddress(url, addressPolicy),
        page: (url) =>
          Effect.tryPromise({ try: (signal) => get(url, signal), catch: reason }).pipe(
            Effect.timeoutOrElse({
              duration: fetchTimeoutMillis,
              orElse: () => new Unfetchable({ message: "The site did not answer in time" })
            })
          ),

        post: Effect.fnUntraced(function* (url, message, characters) {
          const checked = checkAddress(url, addressPolicy)
          if ("refusal" in checked) return failed(`The address ${checked.refusal}`)
          const currentMillis = yield* Clock.currentTimeMillis
          return yield* Effect.tryPromise({
            try: (interrupted) => {
              // The timeout covers status and body; a body cut off by it counts as an incomplete answer.
              const signal = AbortSignal.any([interrupted, AbortSignal.timeout(postMillis)])
              return post(checked.url, message, { currentMillis, characters, dispatcher: agent, signal })
            },
            catch: postFailed
          }).pipe(Effect.catchTag("Unfetchable", (error) => Effect.succeed(failed(error.message))))
        })
      })
    })
  )
}
