// scripts/chaos/HostileClients.ts: callers who are slow, never read their answers, or send invalid requests.
import { Effect } from "effect"
import { connect, type Socket } from "node:net"
import type { SeededRandom } from "./SeededRandom.ts"
import type { Environment } from "./Environment.ts"

const openSocket = ({ server }: Environment, text: string) =>
  Effect.acquireRelease(
    Effect.sync((): Socket => {
      const socket = connect(Number(new URL(server.url()).port), "127.0.0.1")
      socket.on("error", () => undefined)
      socket.write(text)
      return socket
    }),
    (socket) => Effect.sync(() => socket.destroy())
  )

/** Headers letter by letter, endless bodies, and an export that is never read, while other callers must not be affected. */
export const slowClients = (environment: Environment, random: SeededRandom) =>
  Effect.gen(function* () {
    const { findings, workspaces } = environment
    for (const { key, lists } of workspaces) {
      const auth = `Host: chaos\r\nAuthorization: Bearer ${key}\r\n`
      const headers = yield* openSocket(environment, "GET /api/v1/lists HTTP/1.1\r\nHost: chaos\r\nX-Slow: ")
      yield* openSocket(
        environment,
        `POST /api/v1/campaigns HTTP/1.1\r\n${auth}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"name"`
      )
      const largest = lists
        .filter(({ id, kind }) => id !== undefined && kind === "batch")
        .toSorted((a, b) => b.emails.length - a.emails.length)[0]
      if (largest !== undefined) {
        const reader = yield* openSocket(
          environment,
          `GET /api/v1/lists/${largest.id}/export HTTP/1.1\r\n${auth}\r\n`.repeat(50)
        )
        reader.pause()
      }
      findings.count("slow connections", 3)
      yield* Effect.forkScoped(
        Effect.forever(
          Effect.andThen(
            Effect.sleep(300),
            Effect.sync(() => void headers.write("a"))
          )
        )
      )
    }
    yield* Effect.sleep(random.int(3000, 7000))
  }).pipe(Effect.scoped)

/** Waits for whatever the server says to it, or until it hangs up. */
const responseTo = (environment: Environment, text: string) =>
  Effect.gen(function* () {
    const socket = yield* openSocket(environment, text)
    return yield* Effect.callback<string>((resume) => {
      let received = ""
      socket.on("data", (chunk: Buffer) => (received += chunk.toString()))
      socket.on("close", () => resume(Effect.succeed(received)))
    })
  }).pipe(Effect.scoped, Effect.timeoutOption(10_000))

/** Sends bodies that are too large or too deep, and text that is no HTTP, and checks that each is refused and the server keeps answering. */
export const invalidRequests = Effect.fnUntraced(function* (environment: Environment, random: SeededRandom) {
  const { findings, server, workspaces } = environment
  for (const { campaign, send } of workspaces) {
    const deeplyNested = JSON.parse(`${"[".repeat(90)}${"]".repeat(90)}`)
    const invalid: ReadonlyArray<readonly [method: string, path: string, body: unknown]> = [
      ["POST", "/campaigns", { name: "x".repeat(1_500_000) }],
      ["POST", `/campaigns/${campaign}/generate`, { lead: { email: "a@b.example", name: deeplyNested }, options: {} }],
      ["POST", `/campaigns/${campaign}/generate-batch`, { leads: [], options: { email_count: 9 } }],
      ["PUT", "/workspace/details", '"no object"'],
      ["POST", "/signatures", { signature_text: "\u0000" }],
      ["DELETE", "/lists/none", undefined]
    ]
    for (const [method, path, body] of random.shuffle(invalid)) {
      const response = yield* send(method, path, body === undefined ? {} : { body })
      findings.count("rude requests")
      if (response !== undefined && response.status < 400)
        findings.report(`${method} ${path} accepted an invalid request`)
    }
    const phase = server.phase()
    const response = yield* responseTo(environment, "HELO chaos\r\n\r\n")
    if (phase !== server.phase() || phase % 2 === 0) continue
    if (response._tag === "None" || !/^HTTP\/1.1 400 [\s\S]*"error":"BAD_REQUEST"/.test(response.value)) {
      findings.report("What is no HTTP was not refused with the envelope")
    }
    yield* Effect.sleep(random.int(100, 800))
  }
})
