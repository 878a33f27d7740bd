// layers/Traced.ts: a service's functions as spans of a trace, where somebody collects traces.
import { Effect, References, type Tracer } from "effect"

type Call = (...given: ReadonlyArray<unknown>) => Effect.Effect<unknown, unknown, unknown>

/** All its shapes in one, as whatever it is given goes through to it. */
const fnUntraced = Effect.fnUntraced as (...body: ReadonlyArray<unknown>) => Call

/**
 * `Effect.fn(name)` for what requests ask for: a span of each call while spans are collected, and nothing besides. The
 * library's own looks at the call stack each time, which takes longer than most calls.
 */
export const traced = (name: string) =>
  ((...body: ReadonlyArray<unknown>) => {
    const call = fnUntraced(...body)
    return (...given: ReadonlyArray<unknown>) =>
      Effect.withFiber<unknown, unknown, unknown>((fiber) => {
        const work = call(...given)
        return fiber.getRef(References.TracerEnabled) ? Effect.withSpan(work, name) : work
      })
  }) as Effect.fn.Untraced

/** `Effect.withSpan` while spans are collected: it looks at the call stack too. */
export const spanned =
  (name: string, options: Tracer.SpanOptionsNoTrace) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.withFiber((fiber) => (fiber.getRef(References.TracerEnabled) ? Effect.withSpan(work, name, options) : work))
