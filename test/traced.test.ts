// test/traced.test.ts: `traced` runs a service's function in a span while tracing is on.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, References } from "effect"
import { traced } from "#layers/lib/Traced.ts"

const tracedCall = traced("Some.call")(
  function* (before: string, after: string) {
    const span = yield* Effect.option(Effect.currentSpan)
    const name = Option.getOrElse(
      Option.map(span, ({ name }) => name),
      () => "no span"
    )
    return `${before}${name}${after}`
  },
  (result, before) => Effect.map(result, (text) => `${text}${before}`)
)

describe("a traced function", () => {
  for (const [isTracing, spanName] of [
    [true, "Some.call"],
    [false, "no span"]
  ] as const) {
    it.effect(
      `runs in ${isTracing ? "a span of its name" : "no span"} while tracing is ${isTracing ? "on" : "off"}`,
      () =>
        Effect.gen(function* () {
          const result = tracedCall("<", ">").pipe(Effect.provideService(References.TracerEnabled, isTracing))
          assert.strictEqual(yield* result, `<${spanName}><`)
        })
    )
  }
})
