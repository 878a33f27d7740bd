// layers/Web.ts: pages of the public web, fetched within bounds on their size, their time and where they may lie.
import { Context, Effect, Layer } from "effect"
import { Agent, request } from "undici"
import { decode, isKnown, read } from "#layers/web/Body.ts"
import { connector, isNowhere, Reach, wrong } from "#layers/web/Reach.ts"
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
