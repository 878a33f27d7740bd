// scripts/chaos/Mail.ts: the mail server that the server sends to; it can defer all mail, or be down.
import { Effect, Exit, Scope } from "effect"
import { mailServer, parseMail, type MailServer, type Received } from "#test/support/smtp.ts"

/** The mail server rejects addresses with this prefix permanently, with 550. */
export const rejectedPrefix = "unwanted"

interface Delivery extends Received {
  /** The list that the mail is about. */
  readonly list: string
}

export interface Mail {
  readonly port: number
  readonly deliveries: () => ReadonlyArray<Delivery>
  readonly deferAll: (isDeferred: boolean) => void
  readonly refusals: () => number
  readonly down: Effect.Effect<void>
  readonly up: Effect.Effect<void>
}

export const make = Effect.gen(function* () {
  let isDeferring = false
  let refusals = 0
  const servers: Array<MailServer> = []
  let scope: Scope.Closeable | undefined
  const refuse = (address: string) => {
    const code = address.startsWith(rejectedPrefix) ? 550 : isDeferring ? 450 : undefined
    if (code !== undefined) refusals++
    return code
  }
  const openServer = Effect.fnUntraced(function* (port: number) {
    scope = yield* Scope.make()
    const server = yield* Effect.provideService(mailServer({ refuse, port }), Scope.Scope, scope)
    servers.push(server)
    return server.port
  })
  const stopServer = Effect.suspend(() => {
    const openScope = scope
    scope = undefined
    return openScope === undefined ? Effect.void : Scope.close(openScope, Exit.void)
  })
  const port = yield* openServer(0)
  yield* Effect.addFinalizer(() => stopServer)

  return {
    port,
    deliveries: () =>
      servers.flatMap(({ received }) =>
        received.map((mail) => ({
          ...mail,
          list: /<([^@]+)@/.exec(parseMail(mail.raw).header("message-id")[0] ?? "")?.[1] ?? ""
        }))
      ),
    deferAll: (isDeferred) => {
      isDeferring = isDeferred
    },
    refusals: () => refusals,
    down: stopServer,
    up: Effect.suspend(() => (scope === undefined ? Effect.asVoid(openServer(port)) : Effect.void))
  } satisfies Mail
})
