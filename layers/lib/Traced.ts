// layers/lib/Traced.ts: spans for the functions of services.
import { Effect, References, type Tracer } from "effect"

/** `Effect.withSpan`, but free while tracing is off: `withSpan` always captures a stack trace. */
export const spanned =
  (name: string, options: Tracer.SpanOptionsNoTrace = {}) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.withFiber((fiber) => (fiber.getRef(References.TracerEnabled) ? Effect.withSpan(work, name, options) : work))

/** Typed for any arguments, which are passed through. */
const fnUntraced = Effect.fnUntraced as (...body: ReadonlyArray<unknown>) => unknown

/**
 * `Effect.fn(name)` for calls made by requests. `Effect.fn` captures a stack trace each time, which takes longer than
 * most of these calls.
 */
export const traced = (name: string) =>
  ((...body: ReadonlyArray<unknown>) => fnUntraced(...body, spanned(name))) as Effect.fn.Untraced
