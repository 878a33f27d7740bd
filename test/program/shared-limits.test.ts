// test/program/shared-limits.test.ts: servers that share a Redis, and requests while Redis is unavailable. With
// TEST_REDIS_SERVER the servers share a real Redis (test/support/redis.ts).
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { writeFile } from "node:fs/promises"
import { workspaceIn } from "#test/support/program-workspace.ts"
import * as Process from "#test/support/process.ts"
import { password, redisServer } from "#test/support/redis.ts"
import { until } from "#test/support/until.ts"
import { apiClient } from "#test/support/api-client.ts"

it.live("two servers with one REDIS_URL share the limit of a key", () =>
  Effect.gen(function* () {
    const server = yield* redisServer
    const data = yield* Process.temporaryFolder
    const { key } = yield* workspaceIn(data, "Acme")
    const env = { REDIS_URL: server.url, OVERTURE_RATE_LIMIT: "10/1h", OVERTURE_ROLE: "api" }
    const [firstServer, secondServer] = [yield* Process.serve(data, env), yield* Process.serve(data, env)]
    const requestSignatures = (url: string) => apiClient(url, key).send("GET", "/signatures")
    const answers = yield* Effect.forEach(Array.from({ length: 12 }), (_, i) =>
      Effect.map(requestSignatures(i % 2 === 0 ? firstServer.url : secondServer.url), ({ headers, status }) => [
        status,
        headers.get("x-ratelimit-remaining")
      ])
    )
    assert.deepStrictEqual(answers, [
      ...[9, 8, 7, 6, 5, 4, 3, 2, 1, 0].map((remaining) => [200, String(remaining)]),
      [429, "0"],
      [429, "0"]
    ])
    yield* server.stop
    yield* until(requestSignatures(firstServer.url), ({ status }) => status === 200)
    const strictAnswer = yield* apiClient(firstServer.url, key).send("POST", "/workspace/regenerate")
    assert.deepStrictEqual([strictAnswer.status, strictAnswer.body.error], [429, "RATE_LIMITED"])
    assert.notInclude(firstServer.log() + secondServer.log(), password)
  })
)

it.live("an invalid REDIS_URL is refused in one line that does not show its password", () =>
  Effect.gen(function* () {
    const data = yield* Process.temporaryFolder
    for (const url of [
      `http://:${password}@host`,
      `redis://:${password}@`,
      `redis://:${password}@host/one`,
      password
    ]) {
      yield* Effect.promise(() => writeFile(`${data}/.env`, `REDIS_URL=${url}\n`))
      const { code, stderr } = yield* Process.overture(data, "serve", "--port", "0")
      assert.strictEqual(code, 1)
      assert.match(stderr, /^[^\n]*REDIS_URL[^\n]*redis:\/\/user:password@[^\n]*\n$/)
      assert.notInclude(stderr, password)
    }
  })
)
