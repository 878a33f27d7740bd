// test/support/receiver.ts: a receiver of webhooks on loopback that answers by a script and remembers what it got.
import { Effect } from "effect"
import { createServer, type ServerResponse } from "node:http"
import { text } from "node:stream/consumers"
import { listening } from "./listening.ts"

export interface Notified {
  readonly path: string
  readonly body: string
  readonly json: any
  readonly headers: Record<string, string>
}

/** The status, or what to do with the response. */
export type Scripted = number | ((response: ServerResponse, got: Notified) => void)

/** Answers by `script`, one entry for each request, and 200 after its end. */
export const receiver = Effect.fnUntraced(function* (...script: Array<Scripted>) {
  const got: Array<Notified> = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
      const notified = { path: request.url ?? "", body, headers, json: JSON.parse(body) }
      got.push(notified)
      const answer = script.shift() ?? 200
      if (typeof answer === "number") response.writeHead(answer).end(`answered ${answer}`)
      else answer(response, notified)
    })
  })
  const { port } = yield* listening(server)
  return { got, script, url: `http://127.0.0.1:${port}/hook?token=secret-path` }
})
