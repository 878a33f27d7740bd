// scripts/chaos/Post.ts: where the server's mail goes: a mail server that can be out of sorts, or gone.
import { Effect, Exit, Scope } from "effect"
import { mailServer, read, type MailServer, type Received } from "#test/support/smtp.ts"

/** Addresses that begin so are never taken: 550. */
export const unwanted = "unwanted"

interface Delivery extends Received {
  /** The list that it tells of. */
  readonly list: string
}

export interface Post {
  readonly port: number
  readonly deliveries: () => ReadonlyArray<Delivery>
  readonly putOff: (yes: boolean) => void
  readonly refusals: () => number
  readonly down: Effect.Effect<void>
  readonly up: Effect.Effect<void>
}

export const make = Effect.gen(function* () {
  let puttingOff = false
  let refusals = 0
  const servers: Array<MailServer> = []
  let scope: Scope.Closeable | undefined
  const refuse = (address: string) => {
    const code = address.startsWith(unwanted) ? 550 : puttingOff ? 450 : undefined
    if (code !== undefined) refusals++
    return code
  }
  const open = Effect.fnUntraced(function* (port: number) {
    scope = yield* Scope.make()
    const server = yield* Effect.provideService(mailServer({ refuse, port }), Scope.Scope, scope)
    servers.push(server)
    return server.port
  })
  const down = Effect.suspend(() => {
    const old = scope
    scope = undefined
    return old === undefined ? Effect.void : Scope.close(old, Exit.void)
  })
  const port = yield* open(0)
  yield* Effect.addFinalizer(() => down)

  return {
    port,
    deliveries: () =>
      servers.flatMap(({ received }) =>
        received.map((one) => ({
          ...one,
          list: /<([^@]+)@/.exec(read(one.raw).header("message-id")[0] ?? "")?.[1] ?? ""
        }))
      ),
    putOff: (yes) => {
      puttingOff = yes
    },
    refusals: () => refusals,
    down,
    up: Effect.suspend(() => (scope === undefined ? Effect.asVoid(open(port)) : Effect.void))
  } satisfies Post
})
