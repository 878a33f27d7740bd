// test/support/smtp.ts: a scripted mail server that records what it accepts.
import { Effect, type Scope } from "effect"
import { createServer } from "node:net"
import { text } from "node:stream/consumers"
import { SMTPServer } from "smtp-server"
import { listen, portOf } from "./listening.ts"

export interface Received {
  readonly to: ReadonlyArray<string>
  readonly raw: string
  /** When the mail was complete, by the monotonic clock. */
  readonly at: number
}

export interface MailServer {
  readonly port: number
  readonly received: ReadonlyArray<Received>
}

/** Refuses the first recipients with `refusals`, and later those for which `refuse` returns a code. Accepts all others. */
export const mailServer = (
  options: {
    readonly refusals?: ReadonlyArray<number>
    readonly refuse?: (address: string) => number | undefined
    readonly port?: number
  } = {}
): Effect.Effect<MailServer, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.callback<MailServer & { readonly server: SMTPServer }>((resume) => {
        const refusals = [...(options.refusals ?? [])]
        const received: Array<Received> = []
        const server = new SMTPServer({
          authOptional: true,
          disabledCommands: ["STARTTLS", "AUTH"],
          onRcptTo: ({ address }, _, done) => {
            const responseCode = refusals.shift() ?? options.refuse?.(address)
            done(responseCode === undefined ? null : Object.assign(new Error(`not ${address}`), { responseCode }))
          },
          onData: (stream, { envelope }, done) => {
            const recordMail = (raw: string) => {
              received.push({ to: envelope.rcptTo.map(({ address }) => address), raw, at: performance.now() })
              done()
            }
            // A mail counts only if the sender completes it.
            text(stream).then(recordMail, done)
          }
        })
        server.on("error", () => undefined)
        const listener = server.listen(options.port ?? 0, "127.0.0.1", () => {
          resume(Effect.succeed({ server, port: portOf(listener), received }))
        })
      }),
      ({ server }) => Effect.callback<void>((resume) => void server.close(() => resume(Effect.void)))
    ),
    ({ port, received }) => ({ port, received })
  )

/** Accepts connections and never answers. */
export const silentServer = Effect.suspend(() => listen(createServer(() => undefined)))

/** The unfolded headers and the decoded text of a mail. */
export const parseMail = (raw: string) => {
  const headersEnd = raw.indexOf("\r\n\r\n")
  const headers = raw
    .slice(0, headersEnd)
    .replace(/\r\n[ \t]+/g, " ")
    .split("\r\n")
  const header = (name: string) =>
    headers
      .filter((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}:`))
      .map((line) => line.slice(name.length + 1).trim())
  const body = raw.slice(headersEnd + 4)
  const plain =
    header("content-transfer-encoding")[0] === "quoted-printable"
      ? Buffer.from(
          body
            .replace(/=\r\n/g, "")
            .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
          "latin1"
        ).toString()
      : body
  return { headers, header, text: plain, link: /https?:\/\/\S+/.exec(plain)?.[0] }
}
