// test/console-errors.test.ts: the error codes that the console gives to failed API calls.
import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { toProblem, run } from "#console/Api.ts"
import { make } from "#client/Client.ts"
import { freePort } from "#test/support/listening.ts"
import { startSite } from "#test/support/site.ts"

const clientAt = (port: number) => make({ baseUrl: `http://127.0.0.1:${port}`, key: Redacted.make("ovk_key") })

/** The error code of a call that fails. */
const codeOf = (call: Effect.Effect<unknown, unknown>) =>
  Effect.promise(() => run(call).catch((error: unknown) => toProblem(error).code))

it.live("an unreachable server has another code than an unexpected response, also after a successful call", () =>
  Effect.gen(function* () {
    const overtureSite = yield* startSite((_, response) =>
      response.setHeader("content-type", "application/json").end('{"status":"ok","version":"0.1.0"}')
    )
    const otherSite = yield* startSite((_, response) =>
      response.setHeader("content-type", "text/html").end("<p>Hello</p>")
    )
    const [up, notOverture, down] = yield* Effect.all([
      clientAt(overtureSite.port),
      clientAt(otherSite.port),
      Effect.flatMap(Effect.promise(freePort), clientAt)
    ])
    assert.strictEqual(yield* codeOf(down.health()), "UNREACHABLE")
    assert.strictEqual(yield* codeOf(notOverture.health()), "UNEXPECTED")
    assert.strictEqual(yield* codeOf(Effect.andThen(up.health(), down.health())), "UNREACHABLE")
  })
)
