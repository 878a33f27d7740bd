// test/services/auth.test.ts: API keys: their format and storage, lookup, expiry, revocation and rotation.
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Clock, Context, Duration, Effect, Exit, Layer, Option, Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { createHash } from "node:crypto"
import { inspect } from "node:util"
import { Auth, type NewKey } from "#layers/Auth.ts"
import { Credits } from "#layers/Credits.ts"
import * as Secret from "#layers/auth/Secret.ts"
import * as Random from "#layers/lib/Random.ts"
import { type Scope, scopes, type WorkspaceId } from "#schema/Auth.ts"
import { Services } from "#src/services.ts"
import * as Stores from "#test/support/store.ts"
import { until } from "#test/support/until.ts"
import { workspaceOnPlan } from "#test/support/workspace.ts"

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

describe("the random bytes of secrets", () => {
  it.effect("are returned once, in the requested number", () =>
    Effect.gen(function* () {
      const random = yield* SecureRandom.SecureRandom
      const results: Array<Uint8Array> = []
      for (let i = 0; i < 3000; i++) results.push(yield* random.randomBytes([8, 16, 63, 64, 65, 9000][i % 6] ?? 0))
      assert.deepStrictEqual(
        results.slice(0, 6).map(({ length }) => length),
        [8, 16, 63, 64, 65, 9000]
      )
      assert.strictEqual((yield* random.randomBytes(0)).length, 0)
      const prefixes = results.map((bytes) => Buffer.from(bytes.subarray(0, 8)).toString("hex"))
      assert.strictEqual(new Set(prefixes).size, results.length)
      // Changing one result must not change another.
      const before = results.map((bytes) => Buffer.from(bytes).toString("hex"))
      const lastResult = yield* random.randomBytes(16)
      lastResult.fill(0)
      assert.deepStrictEqual(
        results.map((bytes) => Buffer.from(bytes).toString("hex")),
        before
      )
      assert.notStrictEqual(Buffer.from(yield* random.randomBytes(16)).toString("hex"), "00".repeat(16))
    }).pipe(Effect.provide(Random.layer))
  )
})

describe("a secret", () => {
  const secrets = Effect.runSync(Effect.replicateEffect(Secret.makeKey, 400).pipe(Effect.provide(Random.layer))).map(
    Redacted.value
  )

  it("is ovk_, 40 random letters or digits and 6 of checksum", () => {
    for (const secret of secrets) {
      assert.match(secret, /^ovk_[0-9A-Za-z]{46}$/)
      assert.isTrue(Secret.isWellFormed(secret))
    }
    assert.strictEqual(new Set(secrets).size, secrets.length)
  })

  it("uses all letters equally often", () => {
    const body = secrets.map((secret) => secret.slice(4, 44)).join("")
    const expected = body.length / alphabet.length
    for (const letter of alphabet) {
      const count = body.split(letter).length - 1
      assert.isTrue(count > expected * 0.6 && count < expected * 1.4, `${letter}: ${count} of about ${expected}`)
    }
  })

  it.prop(
    "with one letter changed or two swapped is invalid",
    {
      secretIndex: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 399 })),
      position: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 48 })),
      letter: Schema.Literals([...alphabet])
    },
    ({ position, letter, secretIndex }) => {
      const secret = secrets[secretIndex] ?? ""
      const mistyped = secret.slice(0, position) + letter + secret.slice(position + 1)
      const swapped = secret.slice(0, position) + secret[position + 1] + secret[position] + secret.slice(position + 2)
      for (const other of [mistyped, swapped]) {
        assert.strictEqual(Secret.isWellFormed(other), other === secret, other)
      }
    }
  )

  it("is distinguished from similar texts by its checksum", () => {
    const [secret = ""] = secrets
    const others = ["", "ovk_", secret.slice(0, -1), `${secret}0`, ` ${secret}`, `${secret}\n`, secret.toLowerCase()]
    for (const other of [...others, secret.replace("ovk_", "OVK_"), `ovk_${"0".repeat(46)}`]) {
      assert.isFalse(Secret.isWellFormed(other), other)
    }
  })
})

const store = Layer.fresh(Services.pipe(Layer.provideMerge(Stores.store)))

const workspace = workspaceOnPlan("free")

const createKey = Effect.fnUntraced(function* (expiresIn?: Duration.Duration) {
  const keys = yield* Auth
  const acme = yield* workspace
  const created = yield* keys.create(acme, { name: "CI", scopes: ["lists:read", "credits:read"], expiresIn })
  return { acme, keys, made: created, secret: Redacted.value(created.key) }
})

/** The Auth service of another process, such as the command line beside a running server. */
const otherAuth = Effect.map(Layer.build(Layer.fresh(Auth.layer)), Context.get(Auth))

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

/** The key, by number, and the process that handles it. */
const keyAndProcess = { key: between(0, 8), process: Schema.Literals([0, 1]) }
const Step = Schema.Union([
  Schema.Struct({
    do: Schema.Literal("create"),
    process: keyAndProcess.process,
    workspace: Schema.Literals([0, 1]),
    scopes: Schema.Array(Schema.Literals(scopes)),
    expires: Schema.NullOr(Schema.Literals([1, 2, 60, 300]))
  }),
  Schema.Struct({ do: Schema.Literal("find"), ...keyAndProcess, letter: between(0, 49) }),
  Schema.Struct({ do: Schema.Literal("find"), ...keyAndProcess, letter: between(0, 49) }),
  Schema.Struct({ do: Schema.Literal("revoke"), ...keyAndProcess }),
  Schema.Struct({ do: Schema.Literal("rotate"), ...keyAndProcess, grace: Schema.Literals([0, 1, 100]) }),
  // The clock may also be set back.
  Schema.Struct({ do: Schema.Literal("wait"), millis: Schema.Literals([-60_000, 1, 999, 1000, 2000, 60_000, 150_000]) })
])

/** The expected state of a key; times are in milliseconds. */
interface ExpectedKey {
  readonly id: string
  readonly secret: string
  readonly workspace: WorkspaceId
  readonly scopes: ReadonlyArray<Scope>
  readonly createdAt: number
  endsAt: number
  isRevoked: boolean
  /** When the key was last ended early, and in which process. */
  changed: { readonly at: number; readonly by: number } | undefined
}

/** For how long a process may accept a key that another process has ended. */
const maxStaleMillis = 5000

/** Runs steps in two processes on one store and compares the keys with their expected state. */
const keyHistory = Effect.gen(function* () {
  const processes = [yield* Auth, yield* otherAuth] as const
  const workspaces = [yield* workspace, yield* workspace] as const
  const expectedKeys: Array<ExpectedKey> = []
  const isValid = (key: ExpectedKey, now: number) => !key.isRevoked && now < key.endsAt

  const expectKey = (created: NewKey, workspace: WorkspaceId, now: number, lifetime: number) => {
    const { id, key, scopes } = created
    const endsAt = now + lifetime
    expectedKeys.push({
      id,
      secret: Redacted.value(key),
      workspace,
      scopes,
      createdAt: now,
      endsAt,
      isRevoked: false,
      changed: undefined
    })
  }

  const checkKey = Effect.fnUntraced(function* (key: ExpectedKey, process: 0 | 1, now: number) {
    const principal = Option.getOrUndefined(yield* processes[process].find(key.secret))
    const { changed, id, scopes, workspace } = key
    if (principal === undefined) return assert.isFalse(isValid(key, now), "A valid key is refused")
    assert.deepStrictEqual(principal, { id, workspace_id: workspace, scopes, requests_per_minute: 60 })
    if (isValid(key, now)) return
    assert.isTrue(changed !== undefined && changed.by !== process, "A key that has ended is let in")
    assert.isBelow(now, (changed?.at ?? 0) + maxStaleMillis, "A key that was ended elsewhere is let in")
  })

  const checkAllKeys = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    for (const key of expectedKeys) for (const process of [0, 1] as const) yield* checkKey(key, process, now)
  })

  /** A key with one letter changed is refused, even with a correct checksum. */
  const tryForgedKey = Effect.fnUntraced(function* (key: ExpectedKey, process: 0 | 1, position: number) {
    const letter = key.secret[position] === "a" ? "b" : "a"
    const other = key.secret.slice(0, position) + letter + key.secret.slice(position + 1)
    for (const secret of [other, Secret.withChecksum(other.slice(0, -6))]) {
      if (secret !== key.secret) assert.isTrue(Option.isNone(yield* processes[process].find(secret)), secret)
    }
  })

  const endEarlier = (key: ExpectedKey, now: number, process: number, endsAt: number) => {
    if (isValid(key, now)) key.changed = { at: now, by: process }
    key.endsAt = Math.min(key.endsAt, endsAt)
  }

  const rotate = Effect.fnUntraced(function* (key: ExpectedKey, process: 0 | 1, now: number, grace: number) {
    const created = yield* Effect.option(processes[process].rotate(key.id, Duration.millis(grace)))
    assert.strictEqual(Option.isSome(created), isValid(key, now))
    if (Option.isNone(created)) return
    assert.deepStrictEqual(created.value.scopes, key.scopes)
    expectKey(created.value, key.workspace, now, key.endsAt - key.createdAt)
    endEarlier(key, now, process, now + grace)
    yield* checkKey(key, process, now)
  })

  const create = Effect.fnUntraced(function* (
    { expires, process, scopes, workspace }: Extract<typeof Step.Type, { readonly do: "create" }>,
    now: number
  ) {
    const expiresIn = expires === null ? undefined : Duration.seconds(expires)
    const created = yield* processes[process].create(workspaces[workspace], { name: null, scopes, expiresIn })
    assert.deepStrictEqual(created.scopes, scopes)
    expectKey(created, workspaces[workspace], now, expires === null ? Infinity : expires * 1000)
  })

  /** Asserts that the store lists the same keys and the same valid keys. */
  const assertStoreAgrees = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const ids = expectedKeys.map(({ id }) => id)
    const valid = expectedKeys.filter((key) => isValid(key, now)).map(({ id }) => id)
    for (const process of processes) {
      assert.sameMembers([...(yield* process.filterValid(ids))], valid)
      const listed = yield* Effect.forEach(workspaces, process.list)
      assert.sameMembers(
        listed.flat().map(({ id }) => id),
        ids
      )
    }
  })

  const runStep = Effect.fnUntraced(function* (step: typeof Step.Type) {
    const now = yield* Clock.currentTimeMillis
    if (step.do === "create") return yield* create(step, now)
    if (step.do === "wait") {
      yield* TestClock.setTime(Math.max(0, now + step.millis))
      return yield* checkAllKeys
    }
    const key = expectedKeys[step.key % Math.max(1, expectedKeys.length)]
    if (key === undefined) return
    switch (step.do) {
      case "find":
        yield* checkKey(key, step.process, now)
        return yield* tryForgedKey(key, step.process, step.letter)
      case "rotate":
        return yield* rotate(key, step.process, now, step.grace * 1000)
      case "revoke":
        yield* processes[step.process].revoke(key.id)
        endEarlier(key, now, step.process, Infinity)
        key.isRevoked = true
        return yield* checkKey(key, step.process, now)
    }
  })
  return { assertStoreAgrees, checkAllKeys, expectedKeys, runStep }
})

describe("a random history of keys in two processes", () => {
  it.effect.prop(
    "accepts each key with exactly its scopes until it is revoked, rotated or expired",
    { steps: Arbitrary.array(Arbitrary.schema(Step), { minLength: 10, maxLength: 50 }) },
    ({ steps }) =>
      Effect.gen(function* () {
        const { assertStoreAgrees, checkAllKeys, expectedKeys, runStep } = yield* keyHistory
        for (const step of steps) yield* runStep(step)
        if (expectedKeys.length > 0) yield* assertStoreAgrees
        // Ended keys stay refused in both processes.
        yield* TestClock.adjust("5 seconds")
        yield* checkAllKeys
      }).pipe(Effect.provide(store)),
    { arbitrary: { runs: Stores.onPostgres ? 20 : 60 } }
  )
})

describe("an API key", () => {
  it.effect("is found by its secret, with its scopes", () =>
    Effect.gen(function* () {
      const { acme, keys, made, secret } = yield* createKey()
      const principal = yield* Effect.flatMap(
        keys.find(secret),
        Effect.fromOption(() => "lost")
      )
      assert.deepStrictEqual(principal, {
        id: made.id,
        workspace_id: acme,
        scopes: ["lists:read", "credits:read"],
        requests_per_minute: 60
      })
      assert.isTrue(Option.isNone(yield* keys.find(Redacted.value(yield* Secret.makeKey))))
      assert.isTrue(Option.isNone(yield* keys.find(made.id)))
      // A change of the plan changes the rate limit.
      yield* (yield* Credits).setPlan(acme, { tier: "scale" })
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual(Option.getOrThrow(yield* keys.find(secret)).requests_per_minute, 600)
    }).pipe(Effect.provide(store))
  )

  it.effect("is stored only as a hash, and shown once", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { acme, keys, made, secret } = yield* createKey()
      const [row] = yield* sql`SELECT * FROM api_keys`
      assert.deepInclude(row ?? {}, {
        hash: createHash("sha256").update(secret).digest("hex"),
        prefix: secret.slice(0, 8)
      })
      const listed = yield* keys.list(acme)
      for (const text of [
        JSON.stringify(row),
        JSON.stringify(listed),
        JSON.stringify(made),
        inspect(made, { depth: 9 })
      ]) {
        assert.notInclude(text, secret.slice(8, 20))
        assert.notInclude(text, secret.slice(-12))
      }
      assert.deepStrictEqual(listed, [
        {
          id: made.id,
          name: "CI",
          kind: "key",
          prefix: secret.slice(0, 8),
          scopes: ["lists:read", "credits:read"],
          created_at: "1970-01-01T00:00:00.000Z",
          expires_at: null,
          last_used_at: null,
          revoked_at: null
        }
      ])
      assert.deepStrictEqual(yield* keys.list(yield* workspace), [])
    }).pipe(Effect.provide(store))
  )

  it.effect("that is malformed is refused without the store", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { keys, secret } = yield* createKey()
      yield* sql.onDialectOrElse({
        pg: () => sql`DROP TABLE api_keys CASCADE`,
        orElse: () => sql`DROP TABLE api_keys`
      })
      for (const invalid of ["", "x", secret.slice(1), secret.slice(0, -1) + (secret.endsWith("0") ? "1" : "0")]) {
        assert.isTrue(Option.isNone(yield* keys.find(invalid)))
      }
      // A well-formed key must be looked up, so it is refused without a store.
      assert.isTrue(Exit.isFailure(yield* Effect.exit(keys.find(secret))))
    }).pipe(Effect.provide(store))
  )

  it.live("records when it was last used", () =>
    Effect.gen(function* () {
      const { acme, keys, secret } = yield* createKey()
      yield* keys.find(secret)
      const [used] = yield* until(keys.list(acme), ([record]) => record?.last_used_at !== null)
      assert.match(used?.last_used_at ?? "", /^\d{4}-.*Z$/)
    }).pipe(Effect.provide(store))
  )

  it.effect("expires on time", () =>
    Effect.gen(function* () {
      const { keys, made, secret } = yield* createKey(Duration.hours(1))
      assert.strictEqual(made.expires_at, "1970-01-01T01:00:00.000Z")
      yield* TestClock.adjust("59 minutes")
      assert.isTrue(Option.isSome(yield* keys.find(secret)))
      yield* TestClock.adjust("1 minute")
      assert.isTrue(Option.isNone(yield* keys.find(secret)))
    }).pipe(Effect.provide(store))
  )

  it.effect("that is revoked is refused at once, and in other processes within five seconds", () =>
    Effect.gen(function* () {
      const other = yield* otherAuth
      const { acme, keys, made, secret } = yield* createKey()
      assert.isTrue(Option.isSome(yield* keys.find(secret)))
      assert.isTrue(Option.isSome(yield* other.find(secret)))
      yield* keys.revoke(made.id)
      assert.isTrue(Option.isNone(yield* keys.find(secret)))
      yield* TestClock.adjust("5 seconds")
      assert.isTrue(Option.isNone(yield* other.find(secret)))
      const [record] = yield* keys.list(acme)
      assert.strictEqual(record?.revoked_at, "1970-01-01T00:00:00.000Z")
    }).pipe(Effect.provide(store))
  )

  it.effect("in constant use is checked again within five seconds", () =>
    Effect.gen(function* () {
      const other = yield* otherAuth
      const { keys, made, secret } = yield* createKey()
      for (let i = 0; i < 10; i++) {
        assert.isTrue(Option.isSome(yield* other.find(secret)))
        yield* TestClock.adjust("1 second")
      }
      yield* keys.revoke(made.id)
      for (let i = 0; i < 5; i++) {
        yield* other.find(secret)
        yield* TestClock.adjust("1 second")
      }
      assert.isTrue(Option.isNone(yield* other.find(secret)))
    }).pipe(Effect.provide(store))
  )

  it.effect("that is revoked by another process is refused within five seconds although the clock was set back", () =>
    Effect.gen(function* () {
      const other = yield* otherAuth
      yield* TestClock.adjust("2 hours")
      const { keys, made, secret } = yield* createKey()
      assert.isTrue(Option.isSome(yield* other.find(secret)))
      yield* TestClock.setTime(3_600_000)
      yield* keys.revoke(made.id)
      yield* TestClock.adjust("5 seconds")
      assert.isTrue(Option.isNone(yield* other.find(secret)))
    }).pipe(Effect.provide(store))
  )

  it.effect("that is revoked stays revoked when the clock is set back", () =>
    Effect.gen(function* () {
      yield* TestClock.adjust("2 hours")
      const { keys, made, secret } = yield* createKey()
      yield* keys.revoke(made.id)
      yield* TestClock.setTime(3_600_000)
      assert.isTrue(Option.isNone(yield* keys.find(secret)))
    }).pipe(Effect.provide(store))
  )

  it.effect("that is rotated stays valid for the grace period", () =>
    Effect.gen(function* () {
      const { acme, keys, made, secret } = yield* createKey()
      const rotated = yield* keys.rotate(made.id, Duration.hours(24))
      const newSecret = Redacted.value(rotated.key)
      assert.notStrictEqual(newSecret, secret)
      assert.deepStrictEqual([rotated.name, rotated.scopes], ["CI", ["lists:read", "credits:read"]])
      yield* TestClock.adjust("23 hours")
      assert.isTrue(Option.isSome(yield* keys.find(secret)))
      assert.isTrue(Option.isSome(yield* keys.find(newSecret)))
      yield* TestClock.adjust("1 hour")
      assert.isTrue(Option.isNone(yield* keys.find(secret)))
      assert.deepStrictEqual(Option.getOrThrow(yield* keys.find(newSecret)).workspace_id, acme)
      assert.lengthOf(yield* keys.list(acme), 2)
      // Without a grace period the old key ends at once; during one it can still be revoked.
      const third = yield* keys.rotate(rotated.id, Duration.zero)
      yield* TestClock.adjust("5 seconds")
      assert.isTrue(Option.isNone(yield* keys.find(newSecret)))
      yield* keys.rotate(third.id, Duration.hours(24))
      yield* keys.revoke(third.id)
      assert.isTrue(Option.isNone(yield* keys.find(Redacted.value(third.key))))
    }).pipe(Effect.provide(store))
  )

  it.effect("that is revoked cannot be rotated", () =>
    Effect.gen(function* () {
      const { acme, keys, made, secret } = yield* createKey()
      yield* keys.revoke(made.id)
      const [before] = yield* keys.list(acme)
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* Effect.flip(keys.rotate(made.id, Duration.hours(24))))._tag, "NOT_FOUND")
      assert.isTrue(Option.isNone(yield* keys.find(secret)))
      // No new key is created, and the revocation date is kept.
      yield* keys.revoke(made.id)
      assert.deepStrictEqual(yield* keys.list(acme), before === undefined ? [] : [before])
    }).pipe(Effect.provide(store))
  )

  it.effect("that does not exist can be neither revoked nor rotated", () =>
    Effect.gen(function* () {
      const keys = yield* Auth
      assert.strictEqual((yield* Effect.flip(keys.revoke("nobody")))._tag, "NOT_FOUND")
      assert.strictEqual((yield* Effect.flip(keys.rotate("nobody", Duration.hours(1))))._tag, "NOT_FOUND")
    }).pipe(Effect.provide(store))
  )
})
