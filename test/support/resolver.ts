// test/support/resolver.ts: replaces the DNS lookup of Node with scripted answers.
import { Effect } from "effect"
import dns from "node:dns"
import { syncBuiltinESMExports } from "node:module"
import { isIP } from "node:net"

type Reply = (error: NodeJS.ErrnoException | null, addresses: ReadonlyArray<dns.LookupAddress>) => void

/** The addresses of a name, in the order of the answer. */
type Addresses = (name: string) => ReadonlyArray<string>

/** `lookups` records each name that was looked up. After `hold`, answers wait for `release`. */
export const fakeResolver = (addressesOf: Addresses) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const real = dns.lookup
      const lookups: Array<string> = []
      const pendingReplies: Array<() => void> = []
      const state = { hold: false }
      const lookup = (name: string, _: dns.LookupAllOptions, reply: Reply) => {
        lookups.push(name)
        const addresses = addressesOf(name).map((address) => ({ address, family: isIP(address) === 4 ? 4 : 6 }))
        const answer = () => reply(null, addresses)
        if (state.hold) pendingReplies.push(answer)
        else setImmediate(answer)
      }
      Object.assign(dns, { lookup })
      syncBuiltinESMExports()
      return {
        lookups,
        hold: () => {
          state.hold = true
        },
        release: () => {
          for (const answer of pendingReplies.splice(0)) answer()
        },
        restore: () => {
          Object.assign(dns, { lookup: real })
          syncBuiltinESMExports()
        }
      }
    }),
    ({ restore }) => Effect.sync(restore)
  )
