// test/support/collector.ts: an OpenTelemetry collector that records what it receives, or misbehaves on request.
import { Effect } from "effect"
import { createServer, type ServerResponse } from "node:http"
import { buffer } from "node:stream/consumers"
import { listen } from "./listening.ts"

interface Delivery {
  readonly path: string
  readonly type: string
  readonly headers: NodeJS.Dict<string | ReadonlyArray<string>>
  readonly body: Buffer
}

export interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly attributes: Record<string, unknown>
  readonly status: { readonly code: number; readonly message?: string }
}

const replyOk = (response: ServerResponse) => void response.writeHead(200).end()

/** Starts a collector. `answer` writes the response, or never does, to test timeouts. */
export const collector = Effect.fnUntraced(function* (answer: (response: ServerResponse) => void = replyOk) {
  let behaviour = answer
  const deliveries: Array<Delivery> = []
  const server = createServer((request, response) => {
    response.on("error", () => undefined)
    void buffer(request).then(
      (body) => {
        const { headers, url = "" } = request
        deliveries.push({ path: url, type: headers["content-type"] ?? "", headers, body })
        behaviour(response)
      },
      () => undefined
    )
  })
  const { close, port } = yield* listen(server)
  const setBehaviour = (newBehaviour: (response: ServerResponse) => void) => void (behaviour = newBehaviour)
  return { url: `http://127.0.0.1:${port}`, deliveries, setBehaviour, close }
})

const valueOf = (value: any): unknown => Object.values(value ?? {})[0]

/** The spans in the deliveries, which are JSON. */
export const spansOf = (deliveries: ReadonlyArray<Delivery>): ReadonlyArray<Span> =>
  deliveries
    .filter(({ path }) => path === "/v1/traces")
    .flatMap(({ body }) => JSON.parse(body.toString()).resourceSpans)
    .flatMap(({ scopeSpans }: any) => scopeSpans)
    .flatMap(({ spans }: any) => spans)
    .map((span: any) => ({
      ...span,
      attributes: Object.fromEntries(span.attributes.map(({ key, value }: any) => [key, valueOf(value)]))
    }))

/** All strings of a JSON document, keys included, one per line and unescaped. */
export const stringsOf = (document: unknown): string => {
  if (typeof document === "string") return document
  if (Array.isArray(document)) return document.map(stringsOf).join("\n")
  if (typeof document === "object" && document !== null) {
    return Object.entries(document)
      .map(([key, value]) => `${key}\n${stringsOf(value)}`)
      .join("\n")
  }
  return String(document)
}
