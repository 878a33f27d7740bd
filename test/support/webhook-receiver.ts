// test/support/webhook-receiver.ts: receives webhooks on loopback, gives scripted answers and records the deliveries.
import { Effect } from "effect"
import { createServer, type ServerResponse } from "node:http"
import { text } from "node:stream/consumers"
import { listen } from "./listening.ts"

export interface Delivery {
  readonly path: string
  readonly body: string
  readonly json: any
  readonly headers: Record<string, string>
}

/** A status, or a function that writes the response. */
export type ScriptedAnswer = number | ((response: ServerResponse, delivery: Delivery) => void)

/** Gives the scripted answers in order, then 200. */
export const webhookReceiver = Effect.fnUntraced(function* (...scriptedAnswers: Array<ScriptedAnswer>) {
  const deliveries: Array<Delivery> = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
      const delivery = { path: request.url ?? "", body, headers, json: JSON.parse(body) }
      deliveries.push(delivery)
      const answer = scriptedAnswers.shift() ?? 200
      if (typeof answer === "number") response.writeHead(answer).end(`answered ${answer}`)
      else answer(response, delivery)
    })
  })
  const { port } = yield* listen(server)
  return { deliveries, scriptedAnswers, url: `http://127.0.0.1:${port}/hook?token=secret-path` }
})
