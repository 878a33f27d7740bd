// A service's function as a span of a trace.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, References } from "effect"
import { traced } from "#layers/lib/Traced.ts"

const called = traced("Some.call")(
  function* (before: string, after: string) {
    const span = yield* Effect.option(Effect.currentSpan)
    const name = Option.getOrElse(
      Option.map(span, ({ name }) => name),
      () => "no span"
    )
    return `${before}${name}${after}`
  },
  (said, before) => Effect.map(said, (text) => `${text}${before}`)
)

describe("a service's function", () => {
  for (const [collected, name] of [
    [true, "Some.call"],
    [false, "no span"]
  ] as const) {
    it.effect(
      `is in ${name === "no span" ? name : "a span of its name"} while spans are ${collected ? "" : "not "}collected`,
      () =>
        Effect.gen(function* () {
          const said = called("<", ">").pipe(Effect.provideService(References.TracerEnabled, collected))
          assert.strictEqual(yield* said, `<${name}><`)
        })
    )
  }
})
