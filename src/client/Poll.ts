// src/client/Poll.ts: polls until an answer is final.
import { Effect, Schedule } from "effect"

/** Polls quickly at first, then once a second. */
const schedule = Schedule.min([Schedule.exponential("50 millis", 1.5), Schedule.spaced("1 second")])

/** The first answer that is `done`. */
export const poll = <A, E, R>(ask: Effect.Effect<A, E, R>, done: (answer: A) => boolean): Effect.Effect<A, E, R> =>
  Effect.repeat(ask, { schedule, until: done })
