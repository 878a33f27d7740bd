// test/keys.test.ts: the endpoints that create, list, rotate and revoke API keys.
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Auth } from "#layers/Auth.ts"
import { scopes } from "#schema/Auth.ts"
import { expectBody, expectError } from "./support/answers.ts"
import { newCaller, callerFor } from "./support/callers.ts"
import { dump } from "./support/dump.ts"
import { unknownId } from "./support/endpoints.ts"
import * as Server from "./support/server.ts"

/** A request of the page. */
const post = (body: unknown, headers: Readonly<Record<string, string>> = {}): RequestInit => ({
  body: JSON.stringify(body),
  headers: {
    "content-type": "application/json",
    host: "test",
    origin: "http://test",
    "x-overture-session": "1",
    ...headers
  }
})
const withKey = (key: string) => ({ headers: { "x-api-key": key } })

describe("an API key", () => {
  it.live("is created with a secret that is shown once, listed, used, rotated and revoked", () =>
    Effect.gen(function* () {
      const { send } = yield* Server.Server
      const caller = yield* newCaller()
      const input = { name: " CRM ", scopes: ["lists:read", "lists:read"], expires_in_days: 30 }
      const { key, ...created } = yield* expectBody(201, caller.post("/keys", input))
      assert.match(key, /^ovk_[0-9A-Za-z]{46}$/)
      assert.deepInclude(created, {
        name: "CRM",
        kind: "key",
        prefix: key.slice(0, 8),
        scopes: ["lists:read"],
        last_used_at: null,
        revoked_at: null,
        is_current: false
      })
      assert.approximately(Date.parse(created.expires_at) - Date.parse(created.created_at), 30 * 86_400_000, 60_000)
      yield* expectBody(200, send("GET", "/lists", withKey(key)))
      yield* expectError(403, "FORBIDDEN", send("GET", "/keys", withKey(key)))

      const page = yield* expectBody(200, caller.get("/keys?limit=1"))
      assert.deepInclude(page, { has_more: true, total: 2, limit: 1, offset: 0 })
      assert.strictEqual(page.data[0].id, created.id)
      assert.notInclude(JSON.stringify(page), key.slice(8))
      const [ownKey] = (yield* expectBody(200, caller.get("/keys?offset=1"))).data
      assert.deepInclude(ownKey, { is_current: true, scopes: [...scopes], prefix: caller.key.slice(0, 8) })

      const rotated = yield* expectBody(201, caller.post(`/keys/${created.id}/rotate`, { grace_hours: 0 }))
      assert.notStrictEqual(rotated.key, key)
      assert.deepInclude(rotated, { name: "CRM", scopes: ["lists:read"] })
      yield* expectError(401, "UNAUTHORIZED", send("GET", "/lists", withKey(key)))
      yield* expectBody(200, send("GET", "/lists", withKey(rotated.key)))

      const revoked = yield* expectBody(200, caller.delete(`/keys/${rotated.id}`))
      assert.isString(revoked.revoked_at)
      yield* expectError(401, "UNAUTHORIZED", send("GET", "/lists", withKey(rotated.key)))
      yield* expectError(422, "UNPROCESSABLE", caller.post(`/keys/${rotated.id}/rotate`, {}))
      yield* expectError(422, "UNPROCESSABLE", caller.post(`/keys/${rotated.id}/sign-in-link`))
      assert.strictEqual((yield* expectBody(200, caller.delete(`/keys/${rotated.id}`))).revoked_at, revoked.revoked_at)
      yield* Server.assertConsistent
    }).pipe(Server.withServer())
  )

  it.live("is stored only as a hash, also with an Idempotency-Key", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const createKey = () =>
        caller.send("POST", "/keys", {
          body: "{}",
          headers: { "content-type": "application/json", "idempotency-key": "one" }
        })
      const first = yield* expectBody(201, createKey())
      const second = yield* expectBody(201, createKey())
      assert.notStrictEqual(second.id, first.id)
      const storeDump = yield* dump
      for (const { key } of [first, second]) assert.notInclude(storeDump, key.slice(8))
    }).pipe(Server.withServer())
  )

  it.live("cannot grant more than its own scopes", () =>
    Effect.gen(function* () {
      const fullCaller = yield* newCaller()
      const keyManager = yield* callerFor(fullCaller.workspace, ["keys:write", "lists:read"])
      const [fullKey] = (yield* expectBody(200, fullCaller.get("/keys?offset=1"))).data
      yield* expectError(403, "FORBIDDEN", keyManager.post("/keys", { scopes: ["lists:read", "lists:write"] }))
      yield* expectError(403, "FORBIDDEN", keyManager.post(`/keys/${fullKey.id}/rotate`, {}))
      yield* expectError(403, "FORBIDDEN", keyManager.post(`/keys/${fullKey.id}/sign-in-link`))
      const created = yield* expectBody(201, keyManager.post("/keys", {}))
      assert.deepStrictEqual(created.scopes, ["keys:write", "lists:read"])
      assert.strictEqual(
        (yield* expectBody(200, fullCaller.get("/keys"))).total,
        3,
        "nothing was made by what was refused"
      )
    }).pipe(Server.withServer())
  )

  it.live("that expires gives no key that ends later than itself", () =>
    Effect.gen(function* () {
      const { send } = yield* Server.Server
      const lasting = yield* newCaller()
      const expiring = yield* callerFor(lasting.workspace, scopes, Duration.days(30))
      const [{ expires_at: end, id: ownId }, { id: lastingId }] = (yield* expectBody(200, expiring.get("/keys"))).data
      const { issues } = yield* expectError(400, "BAD_REQUEST", expiring.post("/keys", { expires_in_days: 31 }))
      const message = `must end no later than the key of this request, at ${end}`
      assert.deepStrictEqual(issues, [{ path: "expires_in_days", message }])
      yield* expectError(403, "FORBIDDEN", expiring.post(`/keys/${lastingId}/rotate`, {}))
      yield* expectError(403, "FORBIDDEN", expiring.post(`/keys/${lastingId}/sign-in-link`))

      assert.strictEqual((yield* expectBody(201, expiring.post("/keys", {}))).expires_at, end)
      const shorter = yield* expectBody(201, expiring.post("/keys", { expires_in_days: 29 }))
      assert.isBelow(Date.parse(shorter.expires_at), Date.parse(end))
      yield* expectBody(201, expiring.post(`/keys/${shorter.id}/rotate`, {}))

      // A session counts as the key that it stands for.
      const { url } = yield* expectBody(201, expiring.post(`/keys/${ownId}/sign-in-link`))
      const signedIn = yield* send("POST", "/session", post({ token: url.split("/").at(-1) }))
      const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? ""
      const bySession = send("POST", "/keys", post({}, { cookie }))
      assert.strictEqual((yield* expectBody(201, bySession)).expires_at, end)

      // Only its own replacement gets its lifetime again, which is how a program renews its key.
      const replaced = yield* expectBody(201, expiring.post(`/keys/${ownId}/rotate`, {}))
      assert.isAbove(Date.parse(replaced.expires_at), Date.parse(end))

      // A key without an end may do all of that.
      const renewed = yield* expectBody(201, lasting.post(`/keys/${replaced.id}/rotate`, {}))
      assert.isAtLeast(Date.parse(renewed.expires_at), Date.parse(end) - 60_000)
      assert.isNull((yield* expectBody(201, lasting.post("/keys", {}))).expires_at)
    }).pipe(Server.withServer())
  )

  it.live("of another workspace is not found", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const otherCaller = yield* newCaller()
      const { id } = yield* expectBody(201, otherCaller.post("/keys", { name: "Theirs" }))
      const before = yield* dump
      for (const key of [id, unknownId]) {
        yield* expectError(404, "NOT_FOUND", caller.delete(`/keys/${key}`))
        yield* expectError(404, "NOT_FOUND", caller.post(`/keys/${key}/rotate`, {}))
        yield* expectError(404, "NOT_FOUND", caller.post(`/keys/${key}/sign-in-link`))
      }
      assert.strictEqual(yield* dump, before)
      assert.notInclude(JSON.stringify(yield* expectBody(200, caller.get("/keys"))), id)
    }).pipe(Server.withServer())
  )

  it.live("is created only with valid names, scopes and expiry times", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const issuePaths = (path: string, input: object) =>
        Effect.map(expectError(400, "BAD_REQUEST", caller.post(path, input)), ({ issues }) =>
          issues.map(({ path }: { readonly path: string }) => path)
        )
      const invalidInput = { name: "a".repeat(101), scopes: ["lists:read", "all"], expires_in_days: 0 }
      assert.sameMembers(yield* issuePaths("/keys", invalidInput), ["name", "scopes.1", "expires_in_days"])
      assert.deepStrictEqual(yield* issuePaths(`/keys/${unknownId}/rotate`, { grace_hours: 721 }), ["grace_hours"])
      const created = yield* expectBody(201, caller.post("/keys", { name: " ", scopes: [], expires_in_days: null }))
      assert.deepInclude(created, { name: null, scopes: [], expires_at: null })
    }).pipe(Server.withServer())
  )

  it.live("for sign-in cannot be rotated, and exists once per name", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const auth = yield* Auth
      const id = yield* auth.signInKey(caller.workspace, "Ann")
      assert.strictEqual(yield* auth.signInKey(caller.workspace, "Ann"), id)
      assert.notStrictEqual(yield* auth.signInKey(caller.workspace, "Bo"), id)
      yield* expectError(422, "UNPROCESSABLE", caller.post(`/keys/${id}/rotate`, {}))
      yield* expectBody(200, caller.delete(`/keys/${id}`))
      assert.notStrictEqual(yield* auth.signInKey(caller.workspace, "Ann"), id)
    }).pipe(Server.withServer())
  )

  it.live("is created at most 20 times a minute, also by the keys that were created", () =>
    Effect.gen(function* () {
      const { send } = yield* Server.Server
      const caller = yield* newCaller({ plan: "internal" })
      const otherCaller = yield* newCaller()
      let newest = caller.key
      for (let i = 0; i < 20; i++) newest = (yield* expectBody(201, caller.post("/keys", {}))).key
      yield* expectError(429, "RATE_LIMITED", caller.post("/keys", {}))
      const { headers } = withKey(newest)
      const init = { body: "{}", headers: { ...headers, "content-type": "application/json" } }
      yield* expectError(429, "RATE_LIMITED", send("POST", "/keys", init))
      yield* expectBody(201, otherCaller.post("/keys", {}))
      const sql = yield* SqlClient.SqlClient
      assert.lengthOf(yield* sql`SELECT id FROM api_keys WHERE workspace_id = ${caller.workspace}`, 21)
    }).pipe(Server.withServer())
  )

  it.live("is created although a key without the scope asks for more", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller({ plan: "internal" })
      const reader = yield* callerFor(caller.workspace, ["workspace:read"])
      for (let i = 0; i < 25; i++) yield* expectError(403, "FORBIDDEN", reader.post("/keys", {}))
      yield* expectBody(201, caller.post("/keys", {}))
    }).pipe(Server.withServer())
  )

  it.live("is one of at most 100 in a workspace that are neither expired nor revoked", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const auth = yield* Auth
      const create = auth.create(caller.workspace, { name: null, scopes: [], expiresIn: undefined })
      yield* Effect.replicateEffect(create, 98, { discard: true })
      const { id } = yield* create
      const { message } = yield* caller.post("/keys", {}).pipe(Effect.map(({ body }) => body))
      assert.strictEqual(message, "A workspace has at most 100 keys; revoke one first")
      yield* expectError(409, "CONFLICT", caller.post("/keys", {}))
      yield* expectError(409, "CONFLICT", caller.post(`/keys/${id}/rotate`, {}))
      // The owner can still sign in, and a key that ends at once makes room for its replacement.
      assert.isString(yield* auth.signInKey(caller.workspace, "Ann"))
      yield* expectBody(200, caller.delete(`/keys/${id}`))
      const [other] = (yield* expectBody(200, caller.get("/keys?offset=5"))).data
      yield* expectBody(201, caller.post(`/keys/${other.id}/rotate`, { grace_hours: 0 }))
      yield* expectError(409, "CONFLICT", caller.post("/keys", {}))
      yield* Server.assertConsistent
    }).pipe(Server.withServer())
  )
})
