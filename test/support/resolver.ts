// test/support/resolver.ts: a resolver that answers as a test says, in place of the machine's own.
import { Effect } from "effect"
import dns from "node:dns"
import { syncBuiltinESMExports } from "node:module"
import { isIP } from "node:net"

type Reply = (error: NodeJS.ErrnoException | null, addresses: ReadonlyArray<dns.LookupAddress>) => void

/** Addresses of a name, in the order of the answer; "late" holds an answer back until it is released. */
type Addresses = (name: string) => ReadonlyArray<string>

/** `asked` holds each name that was looked up; while `hold` is true, answers wait for `release`. */
export const fakeResolver = (addressesOf: Addresses) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const real = dns.lookup
      const lookups: Array<string> = []
      const waiting: Array<() => void> = []
      const state = { hold: false }
      const lookup = (name: string, _: dns.LookupAllOptions, reply: Reply) => {
        lookups.push(name)
        const addresses = addressesOf(name).map((address) => ({ address, family: isIP(address) === 4 ? 4 : 6 }))
        const answer = () => reply(null, addresses)
        if (state.hold) waiting.push(answer)
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
          for (const answer of waiting.splice(0)) answer()
        },
        restore: () => {
          Object.assign(dns, { lookup: real })
          syncBuiltinESMExports()
        }
      }
    }),
    ({ restore }) => Effect.sync(restore)
  )
