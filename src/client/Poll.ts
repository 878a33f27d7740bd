// src/client/Poll.ts: asking again and again how far something is.
import { Effect, Schedule } from "effect"

/** Often at first, for what is quick, and then once a second. */
const schedule = Schedule.min([Schedule.exponential("50 millis", 1.5), Schedule.spaced("1 second")])

/** The first answer that is `done`. */
export const poll = <A, E, R>(ask: Effect.Effect<A, E, R>, done: (answer: A) => boolean): Effect.Effect<A, E, R> =>
  Effect.repeat(ask, { schedule, until: done })
