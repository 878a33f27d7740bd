// layers/Now.ts: this instant as the service writes it: ISO 8601, UTC.
import { DateTime, Effect } from "effect"

export const now: Effect.Effect<string> = Effect.map(DateTime.now, DateTime.formatIso)
