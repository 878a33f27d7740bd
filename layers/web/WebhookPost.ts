// layers/web/WebhookPost.ts: posts a webhook and returns the answer or the error. Does not follow redirects.
import { type Dispatcher, request } from "undici"

/** The outcome of a request. */
export interface PostAnswer {
  /** The HTTP status; null if there was no answer. */
  readonly code: number | null
  /** The first characters of the body; null if there was no answer. */
  readonly text: string | null
  /** The reason why there was no answer. */
  readonly error: string | null
  /** The pause that the receiver requests, in milliseconds. */
  readonly retryAfter: number | null
}

/** UTF-8 needs at most four bytes per character. */
const maxBytes = (characters: number) => 4 * characters

/** The start of the body; what has arrived if the body stalls or breaks off. */
const readStart = async (body: Dispatcher.ResponseData["body"], characters: number): Promise<string> => {
  const chunks: Array<Buffer> = []
  let size = 0
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= maxBytes(characters)) break
    }
  } catch {
    // Ignored, because the status has already arrived.
  } finally {
    // Closes the connection; an unread body would keep it open.
    body.on("error", () => undefined).destroy()
  }
  const text = new TextDecoder().decode(Buffer.concat(chunks)).replaceAll("\0", "\uFFFD")
  return Array.from(text.slice(0, 2 * characters))
    .slice(0, characters)
    .join("")
}

/** `Retry-After` in milliseconds; the header has seconds or a date. */
export const parseRetryAfter = (header: string | undefined, timestamp: number): number | null => {
  const text = header?.trim() ?? ""
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  const date = /^[A-Z][a-z]{2},? /.test(text) ? Date.parse(text) : NaN
  return Number.isNaN(date) ? null : Math.max(0, date - timestamp)
}

/** Posts JSON and waits for the answer until `signal` aborts. */
export const post = async (
  url: URL,
  { body, headers }: { readonly body: string; readonly headers: Readonly<Record<string, string>> },
  {
    currentMillis: at,
    characters,
    dispatcher,
    signal
  }: {
    readonly currentMillis: number
    readonly characters: number
    readonly dispatcher: Dispatcher
    readonly signal: AbortSignal
  }
): Promise<PostAnswer> => {
  const answer = await request(url, {
    method: "POST",
    dispatcher,
    signal,
    headers: { ...headers, "content-type": "application/json", "user-agent": "Overture (webhooks)" },
    body
  })
  const [retryAfter] = [answer.headers["retry-after"]].flat()
  return {
    code: answer.statusCode,
    text: await readStart(answer.body, characters),
    error: null,
    retryAfter: parseRetryAfter(retryAfter, at)
  }
}
