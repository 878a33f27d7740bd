// test/random.test.ts: random bytes that are drawn in bulk are never handed out twice.
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import * as Random from "#layers/lib/Random.ts"

it.effect("hands out bytes once, as many as are asked for", () =>
  Effect.gen(function* () {
    const random = yield* SecureRandom.SecureRandom
    const given: Array<Uint8Array> = []
    for (let i = 0; i < 3000; i++) given.push(yield* random.randomBytes([8, 16, 63, 64, 65, 9000][i % 6] ?? 0))
    assert.deepStrictEqual(
      given.slice(0, 6).map(({ length }) => length),
      [8, 16, 63, 64, 65, 9000]
    )
    assert.strictEqual((yield* random.randomBytes(0)).length, 0)
    const beginnings = given.map((bytes) => Buffer.from(bytes.subarray(0, 8)).toString("hex"))
    assert.strictEqual(new Set(beginnings).size, given.length)
    // Writing into one result does not change another.
    const before = given.map((bytes) => Buffer.from(bytes).toString("hex"))
    const more = yield* random.randomBytes(16)
    more.fill(0)
    assert.deepStrictEqual(
      given.map((bytes) => Buffer.from(bytes).toString("hex")),
      before
    )
    assert.notStrictEqual(Buffer.from(yield* random.randomBytes(16)).toString("hex"), "00".repeat(16))
  }).pipe(Effect.provide(Random.layer))
)
