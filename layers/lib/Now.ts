// layers/lib/Now.ts: the current time as ISO 8601 in UTC.
import { Clock, Effect } from "effect"

let millis = NaN
let text = ""

/** Caches the last millisecond, which many callers share. */
const isoOf = (at: number) => {
  if (at !== millis) {
    text = new Date(at).toISOString()
    millis = at
  }
  return text
}

export const now: Effect.Effect<string> = Effect.map(Clock.currentTimeMillis, isoOf)
