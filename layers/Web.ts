// layers/Web.ts: requests to the public web, with limits on size, time and destination: fetches pages and posts
// webhooks.
import type { Readable } from "node:stream"
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib"
import * as Windows1252 from "#schema/lead-files/Windows1252.ts"
import {
  AddressPolicy,
  checkAddress,
  makeGuardedConnector,
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
export const readBody = async (body: Readable, encoding: string): Promise<Buffer> => {
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
export const decodeText = (bytes: Buffer, type: string): string => {
  const head = bytes.subarray(0, 1024).toString("latin1")
  const declaredEncoding =
    /charset=["']?([\w-]+)/i.exec(type)?.[1] ?? /<meta[^>]{1,200}charset=["']?([\w-]+)/i.exec(head)?.[1]
  try {
    const decoder = new TextDecoder(declaredEncoding ?? "utf-8", { fatal: declaredEncoding === undefined })
    return decoder.encoding === "windows-1252" ? Windows1252.decode(bytes) : decoder.decode(bytes)
  } catch {
    // Old pages without a declaration are usually Windows-1252; an unknown encoding name most likely means UTF-8.
    return declaredEncoding === undefined ? Windows1252.decode(bytes) : new TextDecoder().decode(bytes)
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
const postTimeoutMillis = 15_000
/**
 * How long an idle connection is kept, whatever the server asks for: the pages of a site are fetched one after another.
 */
const keepAliveMillis = 2000

const textTypes = /^(?:text\/(?:html|plain|markdown)|application\/xhtml\+xml)\b/i

const makeToUnfetchable =
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
const toSiteError = makeToUnfetchable("The site")
const toReceiverError = makeToUnfetchable("The receiver")

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
  const headerValues = (name: string) => [headers[name] ?? ""].flat()
  const [type = ""] = headerValues("content-type")
  const [location = ""] = headerValues("location")
  const encoding = headerValues("content-encoding").join(",").trim().toLowerCase()
  if (statusCode === 200 && textTypes.test(type) && isKnownEncoding(encoding))
    return { url: href, type, text: decodeText(await readBody(body, encoding), type) }
  // Closes the connection; an unread body would keep it open.
  body.on("error", () => undefined).destroy()
  if (statusCode >= 300 && statusCode < 400 && location !== "")
    return { redirectUrl: URL.parse(location, href)?.href ?? "" }
  if (statusCode !== 200) throw new Unfetchable({ message: `The site answered with status ${statusCode}` })
  if (!textTypes.test(type)) throw new Unfetchable({ message: "The address holds no page of text" })
  throw new Unfetchable({ message: "The page is packed in a way that is not known" })
}

const failedAnswer = (error: string): PostAnswer => ({ code: null, text: null, error, retryAfter: null })

export class Web extends Context.Service<
  Web,
  {
    /** The parsed URL, or the reason why it is refused, worded to follow the field's name. */
    readonly check: (url: string) => { readonly url: URL } | { readonly refusal: string }
    /** Fetches a text page of at most 2 MB within 20 seconds. */
    readonly fetchPage: (url: string) => Effect.Effect<Page, Unfetchable>
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
              connect: makeGuardedConnector(addressPolicy),
              headersTimeout: fetchTimeoutMillis,
              bodyTimeout: fetchTimeoutMillis,
              keepAliveTimeout: keepAliveMillis,
              keepAliveMaxTimeout: keepAliveMillis,
              maxHeaderSize: 32 * 1024
            })
        ),
        (agent) => Effect.promise(() => agent.destroy())
      )

      const fetchFollowingRedirects = async (startUrl: string, signal: AbortSignal): Promise<Page> => {
        let address = startUrl
        for (let hops = 0; hops <= maxRedirects; hops++) {
          const target = checkAddress(address, addressPolicy)
          if ("refusal" in target) throw new Unfetchable({ message: `The site's address ${target.refusal}` })
          const answer = await toPage(target.url, await request(target.url, { dispatcher: agent, signal, headers }))
          if ("text" in answer) return answer
          address = answer.redirectUrl
        }
        throw new Unfetchable({ message: `The site redirects more than ${maxRedirects} times` })
      }

      return Web.of({
        check: (url) => checkAddress(url, addressPolicy),
        fetchPage: (url) =>
          Effect.tryPromise({ try: (signal) => fetchFollowingRedirects(url, signal), catch: toSiteError }).pipe(
            Effect.timeoutOrElse({
              duration: fetchTimeoutMillis,
              orElse: () => new Unfetchable({ message: "The site did not answer in time" })
            })
          ),

        post: Effect.fnUntraced(function* (url, message, characters) {
          const target = checkAddress(url, addressPolicy)
          if ("refusal" in target) return failedAnswer(`The address ${target.refusal}`)
          const currentMillis = yield* Clock.currentTimeMillis
          return yield* Effect.tryPromise({
            try: (interrupted) => {
              // The timeout covers status and body; a body cut off by it counts as an incomplete answer.
              const signal = AbortSignal.any([interrupted, AbortSignal.timeout(postTimeoutMillis)])
              return post(target.url, message, { currentMillis, characters, dispatcher: agent, signal })
            },
            catch: toReceiverError
          }).pipe(Effect.catchTag("Unfetchable", (error) => Effect.succeed(failedAnswer(error.message))))
        })
      })
    })
  )
}
