// test/client/effect.ts: `overture/client/effect` in a program with Effect; run by test/program/examples.test.ts.
import { Effect, Redacted } from "effect"
import { make } from "overture/client/effect"

const { OVERTURE_API_KEY: key = "", OVERTURE_URL: baseUrl = "" } = process.env
const named = Effect.gen(function* () {
  const client = yield* make({ baseUrl, key: Redacted.make(key) })
  const { name }: { readonly name: string | null } = yield* client.workspace.getWorkspace()
  return name
})
console.log(await Effect.runPromise(named))
