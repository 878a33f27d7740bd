// scripts/chaos/inside.ts: loaded into the server before anything else: its clock is as far off as a file says, and names
// under `chaos.example` are on loopback. Whatever it asks of either goes the way it always does.
import dns from "node:dns"
import { readFileSync } from "node:fs"
import { syncBuiltinESMExports } from "node:module"

const file = process.env["CHAOS_CLOCK"] ?? ""
const trueNow = Date.now.bind(Date)
const readEveryMillis = 20

let shift = 0
let readAt = -Infinity
const now = () => {
  const at = performance.now()
  if (at - readAt > readEveryMillis) {
    readAt = at
    try {
      const said = Number(readFileSync(file, "utf8"))
      if (Number.isFinite(said)) shift = said
    } catch {
      // It is being written.
    }
  }
  return trueNow() + shift
}
Date.now = now
globalThis.Date = new Proxy(Date, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget)
})

const loopback = { address: "127.0.0.1", family: 4 }
const known = /^localhost$|^127\.0\.0\.1$|\.chaos\.example$/
const lookup = (hostname: string, options: unknown, given?: unknown) => {
  const answer = typeof options === "function" ? options : given
  if (typeof answer !== "function") return
  const all = typeof options === "object" && options !== null && "all" in options && options.all === true
  setImmediate(() => {
    if (!known.test(hostname)) answer(Object.assign(new Error("Unknown host"), { code: "ENOTFOUND" }))
    else if (all) answer(null, [loopback])
    else answer(null, loopback.address, loopback.family)
  })
}
Object.assign(dns, { lookup })
syncBuiltinESMExports()
