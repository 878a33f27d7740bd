// test/signatures.test.ts: saved signatures: the service, the handlers through the typed client, and the HTTP API.
import { assert, describe, it, layer } from "@effect/vitest"
import { Arbitrary, Effect, Layer, Schema } from "effect"
import { FetchHttpClient, HttpClientRequest } from "effect/http"
import { HttpApiClient, HttpApiMiddleware } from "effect/http-api"
import { TestClock } from "effect/testing"
import { Signatures } from "#layers/Signatures.ts"
import { Api } from "#schema/Api.ts"
import { Authentication, type Scope, type WorkspaceId } from "#schema/Auth.ts"
import { nameOf, type Signature, SignatureText } from "#schema/Signatures.ts"
import { Services } from "#src/services.ts"
import { expectBody, expectError } from "./support/answers.ts"
import { newCaller } from "./support/callers.ts"
import { unknownId } from "./support/endpoints.ts"
import * as Server from "./support/server.ts"
import * as Stores from "./support/store.ts"
import { newWorkspace } from "./support/workspace.ts"

const createWorkspace = Effect.gen(function* () {
  const { workspace } = yield* newWorkspace({ plan: "free" })
  return workspace.id
})

const services = Layer.fresh(Services.pipe(Layer.provideMerge(Stores.store)))

/** Runs a test with two workspaces in an empty store. */
const withTwoWorkspaces = (test: (acme: WorkspaceId, other: WorkspaceId) => Effect.Effect<void, unknown, Signatures>) =>
  Effect.gen(function* () {
    yield* test(yield* createWorkspace, yield* createWorkspace)
  }).pipe(Effect.provide(services))

const tick = TestClock.adjust("1 milli")
const idsOf = (rows: ReadonlyArray<Signature>) => rows.map((row) => row.id)

describe("Signatures", () => {
  it.effect.prop(
    "lists each signature on one page, newest first, for any page size",
    {
      texts: Arbitrary.array(Arbitrary.schema(SignatureText.check(Schema.isPattern(/^[^\0]*$/))), { maxLength: 12 }),
      limit: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 5 }))
    },
    ({ limit, texts }) =>
      withTwoWorkspaces(
        Effect.fnUntraced(function* (acme, other) {
          const signatures = yield* Signatures
          const created = yield* Effect.forEach(texts, (text) => Effect.tap(signatures.create(acme, text), tick))
          yield* signatures.create(other, "not ours")

          const listed: Array<Signature> = []
          for (let offset = 0; offset < texts.length; offset += limit) {
            const page = yield* signatures.list(acme, { limit, offset })
            assert.strictEqual(page.total, texts.length)
            listed.push(...page.rows)
          }
          assert.deepStrictEqual(listed, created.toReversed())
          const afterLast = { limit, offset: texts.length }
          assert.deepStrictEqual(yield* signatures.list(acme, afterLast), { rows: [], total: texts.length })
        })
      ),
    { arbitrary: { runs: 20 } }
  )

  it.effect("replaces only the text and its name", () =>
    withTwoWorkspaces(
      Effect.fnUntraced(function* (acme) {
        const signatures = yield* Signatures
        const first = yield* signatures.create(acme, "Ann\nSales")
        yield* tick
        const second = yield* signatures.create(acme, "Bo")
        yield* tick
        const replaced = yield* signatures.replace(acme, first.id, "\n Cy \nSales")
        assert.deepStrictEqual(replaced, {
          ...first,
          signature_text: "\n Cy \nSales",
          signature_name: "Cy",
          updated_at: replaced.updated_at
        })
        assert.isAbove(Date.parse(replaced.updated_at), Date.parse(first.updated_at))
        assert.deepStrictEqual(yield* signatures.find(acme, first.id), replaced)
        const { rows } = yield* signatures.list(acme, { limit: 50, offset: 0 })
        assert.deepStrictEqual(rows, [second, replaced])
      })
    )
  )

  it.effect("does not let another workspace find, replace or remove a signature", () =>
    withTwoWorkspaces(
      Effect.fnUntraced(function* (acme, other) {
        const signatures = yield* Signatures
        const mine = yield* signatures.create(acme, "Ann\nSales")
        for (const attempt of [
          signatures.find(other, mine.id),
          signatures.replace(other, mine.id, "Bo"),
          signatures.remove(other, mine.id)
        ]) {
          assert.strictEqual((yield* Effect.flip(attempt))._tag, "NOT_FOUND")
        }
        assert.deepStrictEqual(yield* signatures.find(acme, mine.id), mine)
        assert.deepStrictEqual(yield* signatures.list(other, { limit: 50, offset: 0 }), { rows: [], total: 0 })
      })
    )
  )

  it.effect("removes only the given signature, and only once", () =>
    withTwoWorkspaces(
      Effect.fnUntraced(function* (acme) {
        const signatures = yield* Signatures
        const all = yield* Effect.forEach(["a", "b", "c"], (text) => Effect.tap(signatures.create(acme, text), tick))
        const [first, second, third] = idsOf(all)
        yield* signatures.remove(acme, second ?? "")
        assert.strictEqual((yield* Effect.flip(signatures.remove(acme, second ?? "")))._tag, "NOT_FOUND")
        const { rows, total } = yield* signatures.list(acme, { limit: 50, offset: 0 })
        assert.deepStrictEqual([idsOf(rows), total], [[third, first], 2])
      })
    )
  )
})

it.prop("the name is the first non-blank line, trimmed", [SignatureText], ([text]) => {
  const name = nameOf(text)
  assert.isNotNull(name)
  assert.strictEqual(name, name?.trim())
  assert.notMatch(name ?? "\n", /\n/)
  const [before] = text.split(name ?? "")
  assert.strictEqual(before?.trim(), "")
})

/** The typed client for signatures. Its key has these scopes; without scopes the key is invalid. */
const clientOf = Effect.fnUntraced(function* (scopes: ReadonlyArray<Scope> | undefined) {
  const { fetch } = yield* Server.Server
  const key = scopes === undefined ? "unknown" : (yield* newCaller({ scopes })).key
  const { signatures } = yield* HttpApiClient.make(Api, { baseUrl: "http://test" }).pipe(
    Effect.provide([
      HttpApiMiddleware.layerClient(Authentication, ({ next, request }) =>
        next(HttpClientRequest.bearerToken(request, key))
      ),
      FetchHttpClient.layer
    ]),
    Effect.provideService(FetchHttpClient.Fetch, (input, init) => fetch(new Request(input, init)))
  )
  return signatures
})

layer(Server.layer({ runsWorkers: false }), { excludeTestServices: true })("the typed client", (it) => {
  it.effect("creates, lists, replaces and removes", () =>
    Effect.gen(function* () {
      const signatures = yield* clientOf(["signatures:read", "signatures:write"])
      const created = yield* signatures.createSignature({ payload: { signature_text: "Ann Lee\nAcme" } })
      assert.strictEqual(created.signature_name, "Ann Lee")

      const page = yield* signatures.listSignatures({ query: { limit: 50, offset: 0 } })
      assert.deepStrictEqual(page, { data: [created], has_more: false, total: 1 })

      const replaced = yield* signatures.replaceSignature({ params: created, payload: { signature_text: "Bo" } })
      assert.deepStrictEqual([replaced.id, replaced.signature_name], [created.id, "Bo"])

      assert.deepStrictEqual(yield* signatures.deleteSignature({ params: created }), { id: created.id, deleted: true })
      assert.strictEqual((yield* signatures.listSignatures({ query: { limit: 50, offset: 0 } })).total, 0)
    })
  )

  it.effect("requires the write scope to create", () =>
    Effect.gen(function* () {
      const signatures = yield* clientOf(["signatures:read"])
      const error = yield* Effect.flip(signatures.createSignature({ payload: { signature_text: "Ann" } }))
      assert.strictEqual(error._tag, "FORBIDDEN")
      yield* signatures.listSignatures({ query: { limit: 50, offset: 0 } })
    })
  )

  it.effect("fails with NOT_FOUND for an unknown id", () =>
    Effect.gen(function* () {
      const signatures = yield* clientOf(["signatures:write"])
      const error = yield* Effect.flip(signatures.deleteSignature({ params: { id: unknownId } }))
      assert.strictEqual(error._tag, "NOT_FOUND")
    })
  )

  it.effect("requires a valid key", () =>
    Effect.gen(function* () {
      const signatures = yield* clientOf(undefined)
      const error = yield* Effect.flip(signatures.listSignatures({ query: { limit: 50, offset: 0 } }))
      assert.strictEqual(error._tag, "UNAUTHORIZED")
    })
  )
})

describe("the HTTP API", () => {
  it.live("trims a signature, names it after its first line, and names the workspace's owner as creator", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const { id, created_at, updated_at, ...signature } = yield* expectBody(
        201,
        caller.post("/signatures", { signature_text: "  \n  Ann Lee \r\nAcme  \n " })
      )
      assert.match(id, /^[0-9a-f-]{36}$/)
      assert.strictEqual(created_at, updated_at)
      assert.deepStrictEqual(signature, {
        signature_text: "Ann Lee \r\nAcme",
        signature_name: "Ann Lee",
        created_by: "owner@acme.example"
      })
      const longest = yield* expectBody(201, caller.post("/signatures", { signature_text: ` ${"x".repeat(5000)} ` }))
      assert.lengthOf(longest.signature_text, 5000)
      for (const signature_text of ["", " \n\t ", "x".repeat(5001)]) {
        yield* expectError(400, "BAD_REQUEST", caller.post("/signatures", { signature_text }))
        yield* expectError(400, "BAD_REQUEST", caller.put(`/signatures/${id}`, { signature_text }))
      }
      const replaced = yield* expectBody(
        200,
        caller.put(`/signatures/${id}`, { signature_text: " Bo\nNorth ", signature_name: "Mine" })
      )
      assert.deepInclude(replaced, { id, signature_text: "Bo\nNorth", signature_name: "Bo", created_at })
      assert.deepStrictEqual(yield* expectBody(200, caller.delete(`/signatures/${id}`)), { id, deleted: true })
      yield* expectError(404, "NOT_FOUND", caller.delete(`/signatures/${id}`))
      yield* expectError(404, "NOT_FOUND", caller.put(`/signatures/${id}`, { signature_text: "Bo" }))
    }).pipe(Effect.provide(Server.layer({ runsWorkers: false })))
  )
})
