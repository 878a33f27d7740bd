// layers/Web.ts: pages of the public web, fetched within bounds on their size, their time and where they may lie.
import { Context, Effect, Layer } from "effect"
import { Agent, type Dispatcher, request } from "undici"
import { decode, isKnown, read } from "#layers/web/Body.ts"
import { check, connector, isNowhere, Reach } from "#layers/web/Reach.ts"
import { Unfetchable } from "#layers/web/Unfetchable.ts"

export interface Page {
  /** Where it was found in the end. */
  readonly url: string
  readonly type: string
  readonly text: string
}

const mostRedirects = 3
const allMillis = 20_000
/** A site's pages are fetched one upon the other; whatever the site asks for, its connection is not kept beyond that. */
const keptMillis = 2000

const texts = /^(?:text\/(?:html|plain|markdown)|application\/xhtml\+xml)\b/i

const reason = (error: unknown): Unfetchable => {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof Unfetchable) return cause
  const code = error instanceof Error && "code" in error ? String(error.code) : ""
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return isNowhere
  if (/TIMEOUT/.test(code)) return new Unfetchable({ message: "The site did not answer in time" })
  if (/CERT|TLS|SSL|SIGNATURE/.test(code)) return new Unfetchable({ message: "The site's certificate is not valid" })
  return new Unfetchable({ message: "The site could not be reached" })
}

const headers = {
  "user-agent": "Overture (company research on its owner's behalf)",
  accept: "text/html, text/plain;q=0.5",
  "accept-encoding": "gzip, deflate, br"
}

/** What a site answered: a page, or the address of one. */
const pageOf = async (
  { href }: URL,
  { body, headers, statusCode }: Dispatcher.ResponseData
): Promise<Page | { readonly elsewhere: string }> => {
  const all = (name: string) => [headers[name] ?? ""].flat()
  const [type = ""] = all("content-type")
  const [location = ""] = all("location")
  const encoding = all("content-encoding").join(",").trim().toLowerCase()
  if (statusCode === 200 && texts.test(type) && isKnown(encoding))
    return { url: href, type, text: decode(await read(body, encoding), type) }
  // Disconnects: an unread body would keep the connection open for as long as the site likes.
  body.on("error", () => undefined).destroy()
  if (statusCode >= 300 && statusCode < 400 && location !== "")
    return { elsewhere: URL.parse(location, href)?.href ?? "" }
  if (statusCode !== 200) throw new Unfetchable({ message: `The site answered with status ${statusCode}` })
  if (!texts.test(type)) throw new Unfetchable({ message: "The address holds no page of text" })
  throw new Unfetchable({ message: "The page is packed in a way that is not known" })
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

      const get = async (start: string, signal: AbortSignal): Promise<Page> => {
        let at = start
        for (let hops = 0; hops <= mostRedirects; hops++) {
          const checked = check(at, reach)
          if ("refusal" in checked) throw new Unfetchable({ message: `The site's address ${checked.refusal}` })
          const answer = await pageOf(checked.url, await request(checked.url, { dispatcher: agent, signal, headers }))
          if ("text" in answer) return answer
          at = answer.elsewhere
        }
        throw new Unfetchable({ message: `The site redirects more than ${mostRedirects} times` })
      }

      return Web.of({
        check: (url) => check(url, reach),
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
