// test/program/shared-limits.test.ts: servers that share a Redis, and what becomes of requests while it is away. With
// TEST_REDIS_SERVER they share a real one (test/support/redis.ts).
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
    const [one, other] = [yield* Process.serve(data, env), yield* Process.serve(data, env)]
    const ask = (url: string) => apiClient(url, key).send("GET", "/signatures")
    const left = yield* Effect.forEach(Array.from({ length: 12 }), (_, i) =>
      Effect.map(ask(i % 2 === 0 ? one.url : other.url), ({ headers, status }) => [
        status,
        headers.get("x-ratelimit-remaining")
      ])
    )
    assert.deepStrictEqual(left, [
      ...[9, 8, 7, 6, 5, 4, 3, 2, 1, 0].map((left) => [200, String(left)]),
      [429, "0"],
      [429, "0"]
    ])
    yield* server.stop
    yield* until(ask(one.url), ({ status }) => status === 200)
    const strict = yield* apiClient(one.url, key).send("POST", "/workspace/regenerate")
    assert.deepStrictEqual([strict.status, strict.body.error], [429, "RATE_LIMITED"])
    assert.notInclude(one.log() + other.log(), password)
  })
)

it.live("a REDIS_URL that is none is refused in one line, without its password", () =>
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
