// test/program/isolation.test.ts: a workspace sees and changes what is its own: every endpoint, every place of a request that
// takes an id, and in it ids of another workspace, of nothing, and what is no id.
import { assert, layer } from "@effect/vitest"
import { Context, Duration, Effect, Layer } from "effect"
import { Files } from "#layers/Files.ts"
import { Mailer } from "#layers/Mailer.ts"
import { type Answer, expectBody } from "../support/answers.ts"
import { newCaller } from "../support/callers.ts"
import { dump, waitUntilIdle, tables } from "../support/dump.ts"
import { type Endpoint, endpoints, authenticatedEndpoints, lead, options, unknownId } from "../support/endpoints.ts"
import { type Field, fields, valueAt, withValue } from "../support/fields.ts"
import {
  assetTypes,
  fullBody,
  type FullWorkspace,
  createFullWorkspace,
  type Ids,
  idsOf,
  idKindOf,
  fullRequest,
  partlyFailingWriter
} from "../support/full-workspace.ts"
import * as Server from "../support/server.ts"
import {
  isStatement,
  isComposed,
  queriesIn,
  recordStatements,
  unscopedTables,
  sourceStatements
} from "../support/statements.ts"

/** Every statement that these tests make the service run. */
const recordedSql = recordStatements()

/** Whether a field takes an id, by its name or its schema, or is the key of a record. */
const takesId = ({ isUuid, kinds, path, location }: Field) =>
  kinds.has("string") &&
  (isUuid || (location === "path" && path !== "type") || /(^|[._])ids?(\.\*)?$/.test(path) || path.endsWith("{key}"))

type Refusal = readonly [status: number, code: string]

interface Slot {
  /** The kind of thing that its ids name. */
  readonly of: keyof Ids
  /** Puts an id where it belongs, without what would be refused beside it. */
  readonly put: (body: unknown, id: string) => unknown
  /** The refusal of an unknown id, of another workspace's id and of a malformed one. Undefined where the page is empty instead. */
  readonly unknown: Refusal | undefined
  readonly foreign: Refusal | undefined
  readonly malformed: Refusal
}

const notFound = [404, "NOT_FOUND"] as const
const forbidden = [403, "FORBIDDEN"] as const
const badRequest = [400, "BAD_REQUEST"] as const

const sameRefusal = (refusal: Refusal) => ({ unknown: refusal, foreign: refusal, malformed: refusal })
const setAtPath =
  (...path: ReadonlyArray<string>) =>
  (body: unknown, id: string) =>
    withValue(body, path, id)
const replaceFields = (part: object) => (body: unknown) => ({ ...(typeof body === "object" ? body : {}), ...part })

const filterSlot: Slot = {
  of: "campaign",
  put: setAtPath(),
  unknown: undefined,
  foreign: undefined,
  malformed: badRequest
}

/**
 * Every slot of queries and bodies; the id in a path follows from the path. A string names the reason why a slot holds no
 * id.
 */
const slots: { readonly [slot: string]: Slot | string } = {
  "query campaign_id": filterSlot,
  "body campaign_id": {
    of: "campaign",
    put: (body, id) => replaceFields({ campaign_id: id, conversation_id: null })(body),
    ...sameRefusal(notFound)
  },
  "body conversation_id": { of: "conversation", put: setAtPath("conversation_id"), ...sameRefusal(notFound) },
  "body target_audience.id": { of: "segment", put: setAtPath("target_audience", "id"), ...sameRefusal(notFound) },
  "body options.signature_id": {
    of: "signature",
    put: (body, id) =>
      withValue(body, ["options"], {
        ...replaceFields({ email_signature: null, signature_id: id })(valueAt(body, ["options"]))
      }),
    ...sameRefusal(notFound)
  },
  "lint body campaign_id": {
    of: "campaign",
    put: setAtPath("campaign_id"),
    unknown: notFound,
    foreign: forbidden,
    malformed: badRequest
  },
  "body templates.*.template_id": {
    of: "template",
    put: (body, id) => replaceFields({ templates: [{ template_id: id, subject: "x", body: "x" }] })(body),
    ...sameRefusal(notFound),
    malformed: badRequest
  },
  "body lead_ids.*": {
    of: "lead",
    put: (body, id) => replaceFields({ lead_ids: [id], where: null })(body),
    ...sameRefusal(notFound),
    malformed: badRequest
  },
  "body where.filter.persona_id": {
    ...filterSlot,
    of: "persona",
    put: (body, id) => replaceFields({ lead_ids: null, where: { filter: { persona_id: id } } })(body)
  },
  "query persona_id": { ...filterSlot, of: "persona" },
  "body persona_id": { of: "persona", put: setAtPath("persona_id"), ...sameRefusal(notFound) },
  // A workspace has no assistant and no vector store yet.
  "body options.assistant_id": { of: "document", put: setAtPath("options", "assistant_id"), ...sameRefusal(notFound) },
  "body options.vector_id": { of: "document", put: setAtPath("options", "vector_id"), ...sameRefusal(notFound) },
  "body selected_ids.*": {
    of: "option",
    put: (body, id) => replaceFields({ selected_ids: [id], edited_names: null, edited_descriptions: null })(body),
    ...sameRefusal(badRequest)
  },
  "body edited_names.{key}": {
    of: "option",
    put: (body, id) => withValue(body, ["edited_names"], { [id]: "x" }),
    ...sameRefusal(badRequest)
  },
  "body edited_descriptions.{key}": {
    of: "option",
    put: (body, id) => withValue(body, ["edited_descriptions"], { [id]: "x" }),
    ...sameRefusal(badRequest)
  },
  "body sample.field_mapping.{key}": "by fields of a lead",
  "body options.enrichment_mapping.{key}": "by any text of the caller",
  "body lead.custom_fields.{key}": "by any text of the caller",
  "body leads.*.custom_fields.{key}": "by any text of the caller"
}

const nameOf = ({ path, location }: Field) => `${location} ${path}`

const endpointOf = ({ endpoint }: Field) => {
  const idFields = endpoints.find(({ name }) => name === endpoint)
  if (idFields === undefined) return assert.fail(`No endpoint is called ${endpoint}`)
  return idFields
}

/** Parts of a path that name something within a campaign. */
const pathKinds: { readonly [path: string]: "persona" | "template" | "preview" | "lead" | "delivery" | undefined } = {
  persona_id: "persona",
  template_id: "template",
  preview_id: "preview",
  lead_id: "lead",
  delivery_id: "delivery"
}

/** How a slot is filled and the expected refusals; undefined for an unknown slot. */
const slotOf = (field: Field): Slot | string | undefined => {
  if (field.path === "step") return "by a number within a lead"
  if (field.location !== "path") return slots[`${field.endpoint} ${nameOf(field)}`] ?? slots[nameOf(field)]
  const within = pathKinds[field.path]
  if (within !== undefined) return { of: within, put: setAtPath(), ...sameRefusal(notFound) }
  const of = idKindOf(endpointOf(field))
  return of && { of, put: setAtPath(), ...sameRefusal(notFound), foreign: of === "campaign" ? forbidden : notFound }
}

const found = fields.filter(takesId)

/** A request with `id` in this slot, and in all others what is the caller's own. */
const requests = (field: Field, slot: Slot, own: FullWorkspace, id: string) => {
  const endpoint = endpointOf(field)
  const escaped = encodeURIComponent(id)
  // The ids of options are of a type each; a campaign's id is one whatever the type.
  const types = endpoint.path.includes(":type") && field.location === "body" ? assetTypes : ["social_proof"]
  return types.map((type) =>
    fullRequest(endpoint, own, {
      type,
      ...(field.location === "path" &&
        (pathKinds[field.path] ? { inner: { [field.path]: escaped } } : { id: escaped })),
      ...(field.location === "query" ? { query: `?${field.path}=${escaped}` } : {}),
      ...(field.location === "body" ? { body: slot.put(fullBody(endpoint.name, own, type), id) } : {})
    })
  )
}

/** Whether the ids of both name the same kind of thing. */
const isSameKind = (one: string, other: string) =>
  one === other ||
  [
    ["list", "pendingList"],
    ["job", "regeneration"]
  ].some((pair) => pair.includes(one) && pair.includes(other))

/** Malformed ids, some of which would leave the path. */
const malformedIds = [
  "nope",
  "1",
  `${unknownId.slice(0, -1)}g`,
  `${unknownId}0`,
  `{${unknownId}}`,
  "../../credits",
  "' OR 1=1 --",
  "%",
  "__proto__",
  "constructor",
  "null",
  "😀"
]

class TwoWorkspaces extends Context.Service<
  TwoWorkspaces,
  { readonly mine: FullWorkspace; readonly theirs: FullWorkspace }
>()("test/Two") {
  static readonly layer = Layer.effect(
    TwoWorkspaces,
    Effect.gen(function* () {
      return { mine: yield* createFullWorkspace("kestrel"), theirs: yield* createFullWorkspace("hollowell") }
    })
  )
}

/** Takes every mail, so that a test mail is not refused. */
const override = Context.make(Mailer, { send: () => Effect.void })

const service = TwoWorkspaces.layer.pipe(
  Layer.provideMerge(
    Server.layer({ writer: partlyFailingWriter, override, rate: { limit: 1_000_000, window: Duration.minutes(1) } })
  )
)
const live = { excludeTestServices: true }

/** Asserts that an answer contains no data of the other workspace except what was sent. */
const assertNothingLeaks = Effect.fnUntraced(function* ({ headers, text }: Answer, of: FullWorkspace, sent = "") {
  const responseText = `${text}\n${[...headers.values()].join("\n")}`
  for (const secret of [of.marker, ...(yield* idsOf(of.caller.workspace))]) {
    if (secret !== sent && responseText.includes(secret)) assert.fail(`The answer contains ${secret}: ${responseText}`)
  }
})

/** Sends, and asserts that not a byte of the store has changed. */
const assertNoChange = Effect.fnUntraced(function* (sent: Effect.Effect<Answer>) {
  const before = yield* dump
  const answer = yield* sent
  assert.isTrue((yield* dump) === before, `Something was changed by a request that was answered ${answer.text}`)
  return answer
})

/** The order to send requests in: those that make a campaign a draft again come late, those that delete come last. */
const lateness = (name: string) =>
  name === "deleteCampaign" ? 3 : /^(delete|revoke)/.test(name) ? 2 : /^(set|select|generateValue)/.test(name) ? 1 : 0

const expectSuccess = Effect.fnUntraced(function* (sent: Effect.Effect<Answer>) {
  const answer = yield* sent
  assert.isBelow(answer.status, 300, answer.text)
  return answer
})

layer(service, live)("an id of a request", (it) => {
  it("has a slot that the test can fill", () => {
    assert.isAbove(found.length, 30)
    assert.deepStrictEqual(
      found.filter((field) => slotOf(field) === undefined).map((field) => `${field.endpoint} ${nameOf(field)}`),
      []
    )
    const names = new Set(found.flatMap((field) => [nameOf(field), `${field.endpoint} ${nameOf(field)}`]))
    assert.deepStrictEqual(
      Object.keys(slots).filter((slot) => !names.has(slot)),
      []
    )
  })

  const idSlots = found.flatMap((field) => {
    const slot = slotOf(field)
    return typeof slot === "object" ? [{ name: `${field.endpoint}, ${nameOf(field)}`, field, slot }] : []
  })

  /** Checks the answer to an id in a slot: the expected refusal, or an empty page. */
  const expectRefusal = Effect.fnUntraced(function* (
    request: ReturnType<typeof fullRequest>,
    as: Refusal | undefined,
    sent: string
  ) {
    const { mine, theirs } = yield* TwoWorkspaces
    const answer = yield* assertNoChange(mine.caller.send(...request))
    const about = `${sent}: ${answer.text}`
    if (as === undefined) {
      assert.strictEqual(answer.status, 200, about)
      const { changed, data, lists, total } = answer.body
      if (changed === undefined) assert.deepStrictEqual([total, (data ?? lists).length], [0, 0])
      else assert.strictEqual(changed, 0)
    } else assert.deepStrictEqual([answer.status, answer.body.error], [...as], about)
    yield* assertNothingLeaks(answer, theirs, sent)
    return answer
  })

  it.effect.each(idSlots)("of another workspace is refused: $name", ({ field, slot }) =>
    Effect.gen(function* () {
      const { mine, theirs } = yield* TwoWorkspaces
      const right = slot.of === "option" ? Object.values(theirs.options).flat() : [theirs.ids[slot.of]]
      for (const id of right) {
        for (const request of requests(field, slot, mine, id)) yield* expectRefusal(request, slot.foreign, id)
      }
      // Ids of another kind, or in capitals, are unknown here.
      for (const id of [...Object.values(theirs.ids), theirs.caller.workspace, theirs.ids[slot.of].toUpperCase()]) {
        if (right.includes(id)) continue
        for (const request of requests(field, slot, mine, id)) yield* expectRefusal(request, slot.unknown, id)
      }
    })
  )

  it.effect.each(idSlots)("of nothing is refused: $name", ({ field, slot }) =>
    Effect.gen(function* () {
      const { mine } = yield* TwoWorkspaces
      // An own id of another kind is unknown here.
      const others = Object.entries(mine.ids).filter(([of]) => !isSameKind(of, slot.of))
      for (const id of [unknownId, ...others.map(([, id]) => id)]) {
        for (const request of requests(field, slot, mine, id)) yield* expectRefusal(request, slot.unknown, id)
      }
    })
  )

  it.effect.each(idSlots)("that is malformed is refused: $name", ({ field, slot }) =>
    Effect.gen(function* () {
      const { mine } = yield* TwoWorkspaces
      for (const id of malformedIds) {
        for (const request of requests(field, slot, mine, id)) yield* expectRefusal(request, slot.malformed, id)
      }
    })
  )

  it.effect("of the own workspace is accepted by each of those requests", () =>
    Effect.gen(function* () {
      const inBodies = idSlots.filter(({ field, slot }) => field.location === "body" && slot.of !== "document")
      const own = yield* createFullWorkspace("ashby")
      for (const { field, name, slot } of inBodies.toSorted(
        (a, b) => lateness(a.field.endpoint) - lateness(b.field.endpoint)
      )) {
        const endpoint = endpointOf(field)
        const sent = fullBody(endpoint.name, own)
        const put = slot.of === "option" ? sent : slot.put(sent, own.ids[slot.of])
        const answer = yield* own.caller.send(...fullRequest(endpoint, own, { body: put }))
        assert.isBelow(answer.status, 300, `${name}: ${answer.text}`)
        yield* waitUntilIdle
      }
      const another = yield* createFullWorkspace("birling")
      for (const endpoint of authenticatedEndpoints.toSorted((a, b) => lateness(a.name) - lateness(b.name))) {
        const id = endpoint.name === "reprocessList" ? { id: another.ids.pendingList } : {}
        const answer = yield* another.caller.send(...fullRequest(endpoint, another, id))
        // The workspace's own site has a private address, which is refused.
        if (endpoint.name === "importUrl") assert.strictEqual(answer.status, 400)
        else assert.isBelow(answer.status, 300, `${endpoint.name}: ${answer.text}`)
        yield* waitUntilIdle
      }
    })
  )
})

layer(service, live)("of another workspace", (it) => {
  it.effect("no data is in any answer to a request for the own workspace", () =>
    Effect.gen(function* () {
      const { mine, theirs } = yield* TwoWorkspaces
      const asked = authenticatedEndpoints.filter(({ method }) => method === "GET")
      assert.isAbove(asked.length, 12)
      for (const endpoint of asked) {
        for (const type of endpoint.path.includes(":type") ? assetTypes : [undefined]) {
          const answer = yield* mine.caller.send(...fullRequest(endpoint, mine, { type }))
          assert.strictEqual(answer.status, 200, endpoint.name)
          yield* assertNothingLeaks(answer, theirs)
        }
      }
      const queries = [
        "/lists?totals=true",
        "/target-audiences?q=hollowell",
        "/lists?status=completed",
        `/lists/${mine.ids.list}/export?format=json`
      ]
      for (const path of queries) yield* assertNothingLeaks(yield* mine.caller.get(path), theirs)
    })
  )

  it.effect("no row is counted", () =>
    Effect.gen(function* () {
      const { mine, theirs } = yield* TwoWorkspaces
      const empty = yield* newCaller({ plan: "internal" })
      for (const path of ["/campaigns", "/lists", "/signatures", "/target-audiences", "/conversations", "/webhooks"]) {
        assert.strictEqual((yield* expectBody(200, empty.get(path))).total, 0, path)
        assert.isAbove((yield* expectBody(200, theirs.caller.get(path))).total, 0, path)
      }
      const account = yield* expectBody(200, empty.get("/credits"))
      assert.strictEqual(account.usage.total_credits_used_all_time, 0)
      assert.isAbove((yield* expectBody(200, mine.caller.get("/credits"))).usage.total_credits_used_all_time, 0)
    })
  )

  it.effect("no document or list is opened by a link of the own workspace", () =>
    Effect.gen(function* () {
      const { mine, theirs } = yield* TwoWorkspaces
      const { send } = yield* Server.Server
      const open = (link: string) => send("GET", `/../..${link}`)
      assert.isNotEmpty(mine.links)
      for (const link of mine.links) {
        assert.strictEqual((yield* open(link)).status, 200)
        for (const id of [theirs.ids.document, theirs.ids.list, unknownId]) {
          const answer = yield* assertNoChange(open(link.replace(/(?<=\/files\/)[^?]+/, id)))
          assert.deepStrictEqual([answer.status, answer.body.error], [...forbidden])
          yield* assertNothingLeaks(answer, theirs)
        }
      }
    })
  )

  const idempotentEndpoints = authenticatedEndpoints.filter(({ takesIdempotencyKey }) => takesIdempotencyKey)

  /** A batch has to ask for its key to be honoured. */
  const idempotentRequest = ({ name }: Endpoint) =>
    name === "generateBatch" ? { body: { leads: [lead], options: { ...options, idempotent: true } } } : {}

  it.effect("no answer is replayed by its Idempotency-Key", () =>
    Effect.gen(function* () {
      const { mine, theirs } = yield* TwoWorkspaces
      assert.isAtLeast(idempotentEndpoints.length, 6)
      for (const endpoint of idempotentEndpoints.toSorted((a, b) => lateness(a.name) - lateness(b.name))) {
        const [method, path, init] = fullRequest(endpoint, theirs, idempotentRequest(endpoint))
        const headers = new Headers(init.headers)
        headers.set("idempotency-key", "the-same")
        const first = yield* expectSuccess(theirs.caller.send(method, path, { ...init, headers }))
        yield* waitUntilIdle
        const again = yield* theirs.caller.send(method, path, { ...init, headers })
        assert.strictEqual(again.headers.get("idempotent-replayed"), "true", endpoint.name)
        const answer = yield* mine.caller.send(method, path, { ...init, headers })
        assert.isNull(answer.headers.get("idempotent-replayed"), endpoint.name)
        assert.notStrictEqual(answer.text, first.text)
        // The path names their campaign or list, unless it names none.
        const refusal = idKindOf(endpoint) === "campaign" ? forbidden : notFound
        if (endpoint.path.includes(":id")) assert.deepStrictEqual([answer.status, answer.body.error], [...refusal])
        else assert.strictEqual(answer.status, first.status)
        yield* assertNothingLeaks(answer, theirs)
      }
      yield* waitUntilIdle
    })
  )
})

/** Beginnings of statements that may mean rows of any workspace, and why. */
const exempt: ReadonlyArray<readonly [statement: string, reason: string]> = [
  ["SELECT k.id, k.workspace_id", "a key belongs to one workspace"],
  ["DELETE FROM suppressions WHERE kind = 'domain'", "a migration corrects the entries of all workspaces"],
  ["UPDATE suppressions SET value", "a migration corrects the entries of all workspaces"],
  ["UPDATE api_keys SET last_used_at", "the key that has just been found"],
  ["UPDATE sessions SET last_used_at", "the session that has just been found"],
  ["SELECT s.id FROM sessions s", "ended sessions among those that follow lists, of all workspaces"],
  ["SELECT id, workspace_id FROM api_keys WHERE id", "the key of a link or a session tells whose it is"],
  ["DELETE FROM sessions WHERE expires_at", "old sessions of all workspaces end"],
  ["DELETE FROM sign_in_links WHERE expires_at", "old links of all workspaces end"],
  ["DELETE FROM sessions WHERE hash", "the secret alone ends the session"],
  ["DELETE FROM sign_in_links WHERE hash", "the link alone can be used"],
  ["SELECT key_id FROM sign_in_links WHERE hash", "the link alone can be used"],
  ["DELETE FROM sign_in_links WHERE key_id IS NULL", "a store without workspaces has no owner yet"],
  ["SELECT id, name, owner_email FROM workspaces WHERE", "a mail goes to the owner of each workspace of this address"],
  ["SELECT * FROM api_keys WHERE id", "an operator's command names a key alone"],
  ["UPDATE api_keys SET revoked_at", "an operator's command names a key alone"],
  ["UPDATE api_keys SET expires_at", "an operator's command names a key alone"],
  ["SELECT id FROM api_keys WHERE", "ended keys among those that follow lists, of all workspaces"],
  ["SELECT ? FROM lists WHERE ? AND ?", "lists that are followed, each by its own workspace"],
  ["SELECT id FROM campaigns WHERE id", "a campaign of another workspace is answered with a 403"],
  ["SELECT workspace_id FROM lists WHERE id", "a signed link opens a list to its holder"],
  ["SELECT type, content FROM", "a signed link opens a document to its holder"],
  ["UPDATE idempotency_keys SET expires_at = expires_at", "a jump of the clock concerns the keys of all workspaces"],
  ["DELETE FROM idempotency_keys WHERE expires_at", "expired keys of all workspaces"],
  ["SELECT workspace_id FROM credit_accounts WHERE period_end", "ended periods of all workspaces"],
  ["INSERT INTO credit_days (workspace_id, day, used) SELECT a.workspace_id", "a migration sums every ledger"],
  [
    "INSERT INTO list_counts (workspace_id, campaign_id, kind, lists) SELECT t.workspace_id",
    "a migration counts all lists"
  ],
  ["SELECT t.workspace_id, t.campaign_id, t.kind, count(*)", "the same"],
  [
    "INSERT INTO list_usage (list_id, workspace_id, calls, input_tokens, cached_tokens, output_tokens) SELECT t.id",
    "the same"
  ],
  ["UPDATE lists SET unmarked_export_at = exported_at", "the same"],
  ["SELECT id FROM jobs WHERE id = ? AND status IN", "the service waits for a job that it has just queued"],
  ["SELECT min(workspace_id) FROM jobs WHERE status = 'pending'", "workers take turns among all workspaces"],
  ["SELECT min(j.workspace_id) FROM jobs j WHERE j.status = 'pending'", "the same"],
  ["SELECT j.run_at FROM jobs j WHERE j.id = h.id", "the same"],
  ["UPDATE jobs SET status = 'processing'", "a worker takes a job, which names its workspace"],
  ["SELECT id, lease, lease_until FROM jobs", "a worker watches the leases of all others"],
  ["UPDATE jobs SET lease_until", "a worker renews its leases"],
  ["UPDATE jobs SET status = 'pending', lease = NULL, crashes", "jobs of dead workers, of all workspaces"],
  ["SELECT 'pending' AS status, type, count(*)", "an operator's metrics count the work of all workspaces"],
  ["SELECT 'processing', type", "the same"],
  ["SELECT 'waiting', type", "the same"],
  ["SELECT 'parked', type", "the same"],
  [
    "SELECT id, workspace_id, campaign_id, kind, leads_count FROM lists t",
    "an operator prunes old lists of all workspaces"
  ],
  ["DELETE FROM jobs WHERE subject", "the same, by the list that was found so"],
  ["DELETE FROM lists WHERE id", "the same"],
  ["DELETE FROM leads WHERE list_id", "the same"],
  ["UPDATE lists SET leads_count", "the same"],
  ["SELECT id FROM workspaces ORDER BY id", "an operator looks for one person in every workspace, one after the other"],
  ["SELECT id, workspace_id, file FROM uploads WHERE ? LIMIT", "the same, for documents"],
  ["INSERT INTO files (id, workspace_id, place, state, bytes, changed_at) SELECT", "a migration, of all workspaces"],
  ["INSERT INTO file_pieces (file_id, position, content) SELECT", "the same"],
  ["UPDATE leads SET severity = CASE WHEN findings", "the same"],
  ["UPDATE uploads SET file = id", "the same"],
  ["SELECT id, place, bytes FROM files WHERE state", "deleted files of all workspaces"],
  ["SELECT id, place, bytes, state FROM files", "an operator asks whether all files are there"],
  ["UPDATE files SET state = 'gone' WHERE state", "files that an ended process had begun to store"],
  ["DELETE FROM files WHERE id", "deleted files of all workspaces"],
  ["SELECT id, workspace_id, resumes FROM lists", "a worker resumes lists of all workspaces when the model answers"],
  ["UPDATE lists SET paused_by = 'model' WHERE processing_status", "a migration, of all workspaces"],
  ["UPDATE jobs SET crashes", "jobs that waited when the process ended, of all workspaces"],
  [
    "SELECT id, bytes FROM files WHERE place = 'directory'",
    "an operator moves the files of all workspaces to another store"
  ],
  ["UPDATE files SET place = 'database'", "the same"],
  ["DELETE FROM files WHERE place = 'directory'", "the same"]
]

layer(service, live)("every SQL statement", (it) => {
  it.effect("names the workspace whose rows it means", () =>
    Effect.gen(function* () {
      const owned = new Set((yield* tables).flatMap(({ name, owner }) => (owner === null ? [] : [name])))
      assert.isAbove(owned.size, 15)
      const mine = yield* createFullWorkspace("cutler")
      // Statements that nothing above has run.
      for (const step of ["social-proof", "value-propositions"]) {
        yield* expectSuccess(
          mine.caller.post(`/campaigns/${mine.ids.campaign}/branch`, { name: "x", branch_from_step: step })
        )
      }
      yield* expectSuccess(mine.caller.get("/target-audiences?q=x"))
      const files = yield* Files
      yield* files.remove(mine.caller.workspace, unknownId)
      yield* files.removeAll(mine.caller.workspace)

      assert.isAbove(recordedSql.size, 100)
      assert.isAbove(sourceStatements.size, 100)
      const unscopedParts = (sql: string) => queriesIn(sql).filter((part) => unscopedTables(part, owned).length > 0)
      const isExempt = (part: string) => exempt.some(([statement]) => part.startsWith(statement))
      assert.deepStrictEqual(
        [...recordedSql].flatMap(unscopedParts).filter((part) => !isExempt(part)),
        []
      )
      // A statement that no test runs has to name the workspace in its source. One that is composed of parts does not show
      // it there, so it has to be run.
      assert.deepStrictEqual(
        [...sourceStatements].filter((sql) => {
          const isSeen = isComposed(sql) && [...recordedSql].some((one) => isStatement(one, sql))
          return !isSeen && unscopedParts(sql).some((part) => !isExempt(part))
        }),
        []
      )
      assert.deepStrictEqual(
        exempt.filter(
          ([statement]) =>
            ![...recordedSql, ...sourceStatements].flatMap(unscopedParts).some((part) => part.startsWith(statement))
        ),
        []
      )
    })
  )
})
