// layers/lib/Traced.ts: a service's functions as spans of a trace, if traces are collected.
import { Effect, References, type Tracer } from "effect"

/** `Effect.withSpan` while spans are collected, and nothing besides: it looks at the call stack. */
export const spanned =
  (name: string, options: Tracer.SpanOptionsNoTrace = {}) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.withFiber((fiber) => (fiber.getRef(References.TracerEnabled) ? Effect.withSpan(work, name, options) : work))

/** All its shapes in one, as whatever it is given goes through to it. */
const fnUntraced = Effect.fnUntraced as (...body: ReadonlyArray<unknown>) => unknown

/**
 * `Effect.fn(name)` for what requests ask for. The library's own looks at the call stack each time, which takes longer than
 * most calls.
 */
export const traced = (name: string) =>
  ((...body: ReadonlyArray<unknown>) => fnUntraced(...body, spanned(name))) as Effect.fn.Untraced
