// layers/Web.ts: requests to the public web, with limits on size, time and destination: fetches pages and posts
// webhooks.
import { Clock, Context, Effect, Layer } from "effect"
import { Agent, type Dispatcher, request } from "undici"
import { decode, isKnownEncoding, read } from "#layers/web/ResponseBody.ts"
import { type PostAnswer, post } from "#layers/web/WebhookPost.ts"
import { checkAddress, guardedConnector, unknownAddress, AddressPolicy } from "#layers/web/AddressPolicy.ts"
import { Unfetchable } from "#layers/web/Unfetchable.ts"

export interface Page {
  /** The URL after redirects. */
  readonly url: string
  readonly type: string
  readonly text: string
}

const maxRedirects = 3
const allMillis = 20_000
/** A receiver that has not answered within this time counts as failed. */
const postMillis = 15_000
/**
 * How long an idle connection is kept, whatever the server asks for: the pages of a site are fetched one after another.
 */
const cacheMillis = 2000

const textTypes = /^(?:text\/(?:html|plain|markdown)|application\/xhtml\+xml)\b/i

const failureReason =
  (who: string) =>
  (error: unknown): Unfetchable => {
    for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof Unfetchable) return cause
    if (error instanceof Error && error.name === "TimeoutError") {
      return new Unfetchable({ message: `${who} did not answer in time` })
    }
    const code = error instanceof Error && "code" in error ? String(error.code) : ""
    if (code === "ENOTFOUND" || code === "EAI_AGAIN") return unknownAddress
    if (/TIMEOUT/.test(code)) return new Unfetchable({ message: `${who} did not answer in time` })
    if (/CERT|TLS|SSL|SIGNATURE/.test(code)) return new Unfetchable({ message: `${who}'s certificate is not valid` })
    return new Unfetchable({ message: `${who} could not be reached` })
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
): Promise<Page | { readonly elsewhere: string }> => {
  const all = (name: string) => [headers[name] ?? ""].flat()
  const [type = ""] = all("content-type")
  const [location = ""] = all("location")
  const encoding = all("content-encoding").join(",").trim().toLowerCase()
  if (statusCode === 200 && textTypes.test(type) && isKnownEncoding(encoding))
    return { url: href, type, text: decode(await read(body, encoding), type) }
  // Closes the connection; an unread body would keep it open.
  body.on("error", () => undefined).destroy()
  if (statusCode >= 300 && statusCode < 400 && location !== "")
    return { elsewhere: URL.parse(location, href)?.href ?? "" }
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
      const reach = yield* AddressPolicy
      const agent = yield* Effect.acquireRelease(
        Effect.sync(
          () =>
            new Agent({
              connect: guardedConnector(reach),
              headersTimeout: allMillis,
              bodyTimeout: allMillis,
              keepAliveTimeout: cacheMillis,
              keepAliveMaxTimeout: cacheMillis,
              maxHeaderSize: 32 * 1024
            })
        ),
        (agent) => Effect.promise(() => agent.destroy())
      )

      const get = async (start: string, signal: AbortSignal): Promise<Page> => {
        let at = start
        for (let hops = 0; hops <= maxRedirects; hops++) {
          const checked = checkAddress(at, reach)
          if ("refusal" in checked) throw new Unfetchable({ message: `The site's address ${checked.refusal}` })
          const answer = await toPage(checked.url, await request(checked.url, { dispatcher: agent, signal, headers }))
          if ("text" in answer) return answer
          at = answer.elsewhere
        }
        throw new Unfetchable({ message: `The site redirects more than ${maxRedirects} times` })
      }

      return Web.of({
        check: (url) => checkAddress(url, reach),
        page: (url) =>
          Effect.tryPromise({ try: (signal) => get(url, signal), catch: reason }).pipe(
            Effect.timeoutOrElse({
              duration: allMillis,
              orElse: () => new Unfetchable({ message: "The site did not answer in time" })
            })
          ),

        post: Effect.fnUntraced(function* (url, message, characters) {
          const checked = checkAddress(url, reach)
          if ("refusal" in checked) return failed(`The address ${checked.refusal}`)
          const at = yield* Clock.currentTimeMillis
          return yield* Effect.tryPromise({
            try: (interrupted) => {
              // The timeout covers status and body; a body cut off by it counts as an incomplete answer.
              const signal = AbortSignal.any([interrupted, AbortSignal.timeout(postMillis)])
              return post(checked.url, message, { at, characters, dispatcher: agent, signal })
            },
            catch: postFailed
          }).pipe(Effect.catchTag("Unfetchable", (error) => Effect.succeed(failed(error.message))))
        })
      })
    })
  )
}
