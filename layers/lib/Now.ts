// layers/lib/Now.ts: this instant as the service writes it: ISO 8601, UTC.
import { Clock, Effect } from "effect"

let millis = NaN
let text = ""

/** Many ask for the same millisecond. */
const isoOf = (at: number) => {
  if (at !== millis) {
    text = new Date(at).toISOString()
    millis = at
  }
  return text
}

export const now: Effect.Effect<string> = Effect.map(Clock.currentTimeMillis, isoOf)
