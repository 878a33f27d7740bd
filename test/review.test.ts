// test/review.test.ts: reviewing the leads of a list: filters, edits, versions, approvals and exports.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Finding } from "#schema/Findings.ts"
import { expectBody, expectError } from "./support/answers.ts"
import { type Caller, callerFor, idempotentJson, onboardedCaller } from "./support/callers.ts"
import { builtCampaign } from "./support/campaigns.ts"
import { refusal } from "./support/faults.ts"
import { judgedEmail } from "./support/judged-email.ts"
import { waitForList, startBatch } from "./support/lists.ts"
import { layer, assertConsistent } from "./support/server.ts"
import { until } from "./support/until.ts"
import { fakeWriter, pseudoWords } from "./support/writer.ts"

const unknownId = "01a1fcbe-9137-734b-82f6-ecf9f8199f4b"
const persona = "01a1fcbe-9137-734b-82f6-ecf9f8199f4c"

const finding = (severity: Finding["severity"]): Finding => ({
  rule: `test.${severity}`,
  severity,
  place: "body",
  start: 0,
  end: 2,
  message: "Look at this.",
  suggestion: null
})

/** A writer whose findings in a lead's last email are in the lead's title, such as `warn warn`; it fails for the title `none`. */
const sequence: typeof fakeWriter.sequence = ({ email_count, lead, seed }) => {
  if (lead.title === "none") return Effect.fail(refusal)
  const severities = (lead.title ?? "").split(" ").flatMap((word) => (word === "" ? [] : [finding(word as "fail")]))
  return Effect.succeed(
    Array.from({ length: email_count }, (_, index) =>
      judgedEmail({
        subject: `Pumps ${index + 1}`,
        body: `Hi there,\n\nWho looks after your pumps? ${pseudoWords(`${seed}${index}`)}`,
        findings: index === email_count - 1 ? severities : [],
        persona_id: lead.title === "warn" ? persona : null
      })
    )
  )
}

const reviewedLeads = [
  { email: "zoe@north.example", name: "Zoe Ärmel", company: "North", title: "" },
  { email: "ann@south.example", name: "Ann", company: "100% Öl_Handel", title: "hint" },
  { email: "Bob@east.example", name: null, company: null, title: "warn" },
  { email: "cy@west.example", name: "Cy", company: "West", title: "fail hint" },
  { email: "dee@west.example", name: "Dee", company: "West", title: "warn warn hint" },
  { email: "eve@west.example", name: "Eve", company: "West", title: "none" }
]

/** A completed list of these people, with two emails each. */
const reviewable = Effect.fnUntraced(function* (leads: ReadonlyArray<object> = reviewedLeads) {
  const caller = yield* onboardedCaller()
  const list = yield* startBatch(caller, yield* builtCampaign(caller), leads, { email_count: 2 })
  yield* waitForList(caller, list)
  return { caller, list }
})

const leadsOf = (caller: Caller, list: string, query = "") =>
  Effect.map(
    expectBody(200, caller.get(`/lists/${list}/leads?${query}`)),
    ({ data }): ReadonlyArray<{ readonly id: string; readonly email: string; readonly [field: string]: any }> => data
  )
const namesOf = (caller: Caller, list: string, query: string) =>
  Effect.map(leadsOf(caller, list, query), (leads) => leads.map(({ email }) => email.split("@")[0]))

/** The path of each lead, by the name in its address. */
const pathsOf = Effect.fnUntraced(function* (caller: Caller, list: string) {
  const leads = yield* leadsOf(caller, list)
  return Object.fromEntries(
    leads.map(({ email, id }) => [email.split("@")[0] ?? "", `/lists/${list}/leads/${id}`] as const)
  ) as { readonly [name: string]: string }
})

describe("the leads of a list", () => {
  it.live("are filtered and sorted", () =>
    Effect.gen(function* () {
      const { list, caller } = yield* reviewable()
      const paths = yield* pathsOf(caller, list)
      yield* expectBody(200, caller.put(`${paths["ann"]}/review`, { status: "approved" }))
      yield* expectBody(200, caller.put(`${paths["cy"]}/review`, { status: "rejected" }))
      for (const [query, expected] of [
        ["sort=position", ["zoe", "ann", "Bob", "cy", "dee", "eve"]],
        ["sort=email", ["ann", "Bob", "cy", "dee", "eve", "zoe"]],
        ["sort=findings", ["cy", "dee", "Bob", "ann", "zoe", "eve"]],
        ["severity=none", ["zoe"]],
        ["severity=hint", ["ann"]],
        ["severity=warn", ["Bob", "dee"]],
        ["severity=warn&sort=findings", ["dee", "Bob"]],
        ["severity=fail", ["cy"]],
        ["review=open", ["zoe", "Bob", "dee", "eve"]],
        ["review=open&status=completed&severity=none", ["zoe"]],
        ["review=approved", ["ann"]],
        ["review=rejected", ["cy"]],
        [`persona_id=${persona}`, ["Bob"]],
        [`persona_id=${unknownId}`, []],
        ["q=WEST", ["cy", "dee", "eve"]],
        ["q=bob%40EAST", ["Bob"]],
        ["q=%C3%84RMEL", ["zoe"]],
        ["q=%C3%A4rm", ["zoe"]],
        ["q=%C3%B6l_h", ["ann"]],
        ["q=100%25", ["ann"]],
        ["q=%25", ["ann"]],
        ["q=_", ["ann"]],
        ["q=~", []],
        ["q=%20cy%20", ["cy"]],
        ["q=", ["zoe", "ann", "Bob", "cy", "dee", "eve"]]
      ] as const) {
        assert.deepStrictEqual(yield* namesOf(caller, list, query), [...expected], query)
      }
      assert.deepInclude(yield* expectBody(200, caller.get(`/lists/${list}/leads?q=west&limit=1&offset=1`)), {
        has_more: true,
        total: 3
      })
      for (const invalidQuery of [
        "sort=name",
        "severity=bad",
        "review=done",
        "persona_id=five",
        `q=${"x".repeat(201)}`,
        "status=done"
      ]) {
        yield* expectError(400, "BAD_REQUEST", caller.get(`/lists/${list}/leads?${invalidQuery}`))
      }
      yield* assertConsistent
    }).pipe(Effect.provide(layer({ writer: { sequence } })))
  )
})

describe("one lead", () => {
  it.live("is read with the version, findings and claims of each email", () =>
    Effect.gen(function* () {
      const { list, caller } = yield* reviewable()
      const paths = yield* pathsOf(caller, list)
      const [, , , listedLead] = yield* leadsOf(caller, list)
      const { emails, ...lead } = yield* expectBody(200, caller.get(paths["cy"] ?? ""))
      const { emails: listedEmails, ...listedFields } = listedLead ?? { emails: [] }
      assert.deepStrictEqual(lead, listedFields)
      assert.deepInclude(lead, { review: { status: "open", note: null, at: null }, edited: false })
      assert.lengthOf(emails, 2)
      for (const [index, email] of emails.entries()) {
        const { body, step, subject } = listedEmails[index]
        assert.deepInclude(email, { step, subject, body, version: 1, edited: false })
        assert.isArray(email.claims)
      }
      assert.deepStrictEqual(emails[1].findings, [finding("fail"), finding("hint")])
      assert.deepStrictEqual((yield* expectBody(200, caller.get(paths["eve"] ?? ""))).emails, [])
      yield* expectError(404, "NOT_FOUND", caller.get(`/lists/${list}/leads/${unknownId}`))
      yield* expectError(404, "NOT_FOUND", caller.get(`/lists/${list}/leads/one`))
      yield* expectError(404, "NOT_FOUND", caller.get((paths["cy"] ?? "").replace(list, unknownId)))
    }).pipe(Effect.provide(layer({ writer: { sequence } })))
  )

  it.live("belongs to its workspace, and is not changed by a key that may only read", () =>
    Effect.gen(function* () {
      const { list, caller } = yield* reviewable()
      const otherReview = yield* reviewable()
      const readOnlyCaller = yield* callerFor(caller.workspace, ["lists:read"])
      const writeOnlyCaller = yield* callerFor(caller.workspace, ["lists:write"])
      const { ann = "" } = yield* pathsOf(caller, list)
      const leadBefore = yield* expectBody(200, caller.get(ann))
      const calls = (caller: Caller, path: string, listId: string) => ({
        reads: [caller.get(path), caller.get(`${path}/emails/1/versions`)],
        writes: [
          caller.patch(`${path}/emails/1`, { subject: "Mine", version: 1 }),
          caller.post(`${path}/emails/1/restore`, { version: 1 }),
          caller.put(`${path}/review`, { status: "rejected" }),
          caller.post(`/lists/${listId}/review`, { status: "rejected" })
        ]
      })
      for (const path of [ann, ann.replace(list, otherReview.list)]) {
        const { reads, writes } = calls(otherReview.caller, path, list)
        for (const call of [...reads, ...writes]) yield* expectError(404, "NOT_FOUND", call)
      }
      // A lead belongs to one list only.
      const leadId = ann.slice(ann.lastIndexOf("/") + 1)
      yield* expectError(
        404,
        "NOT_FOUND",
        otherReview.caller.post(`/lists/${otherReview.list}/review`, { status: "approved", lead_ids: [leadId] })
      )
      for (const call of calls(readOnlyCaller, ann, list).writes) yield* expectError(403, "FORBIDDEN", call)
      for (const call of calls(writeOnlyCaller, ann, list).reads) yield* expectError(403, "FORBIDDEN", call)
      assert.deepStrictEqual(yield* expectBody(200, caller.get(ann)), leadBefore)
    }).pipe(Effect.provide(layer({ writer: { sequence } })))
  )
})

describe("an edited email", () => {
  it.live("counts in its list as changed since the last export, once", () =>
    Effect.gen(function* () {
      const { list, caller } = yield* reviewable()
      const { ann = "", cy = "" } = yield* pathsOf(caller, list)
      const readList = expectBody(200, caller.get(`/lists/${list}`))
      const edit = (path: string, step: number, version: number) =>
        expectBody(200, caller.patch(`${path}/emails/${step}`, { body: `Text ${version}`, version }))
      yield* edit(ann, 1, 1)
      assert.notProperty(yield* readList, "exported_at")
      assert.notProperty(yield* readList, "changed_since_export")
      const exportAndWait = Effect.fnUntraced(function* (lastExportedAt: string | undefined) {
        yield* expectBody(200, caller.get(`/lists/${list}/export?format=json`))
        // An export is recorded in the background.
        const { body: exportedList } = yield* until(
          caller.get(`/lists/${list}`),
          ({ body }) => body.exported_at !== undefined && body.exported_at !== lastExportedAt
        )
        assert.strictEqual(exportedList.changed_since_export, 0)
        yield* Effect.sleep("5 millis")
        return exportedList.exported_at
      })
      const firstExportedAt = yield* exportAndWait(undefined)
      yield* edit(ann, 1, 2)
      yield* edit(ann, 1, 3)
      yield* edit(ann, 2, 1)
      yield* edit(cy, 1, 1)
      assert.deepInclude(yield* readList, { exported_at: firstExportedAt, changed_since_export: 3 })
      yield* exportAndWait(firstExportedAt)
    }).pipe(Effect.provide(layer({ writer: { sequence } })))
  )

  it.live("is stored as a new version, is checked, and is returned wherever the lead is", () =>
    Effect.gen(function* () {
      const { list, caller } = yield* reviewable()
      const { cy = "" } = yield* pathsOf(caller, list)
      const { emails } = yield* expectBody(200, caller.get(cy))
      const text = "Hi Cy,\r\n\r\nHow often does {{pump}} stop?\r\n\r\nAnn"
      const edited = yield* expectBody(
        200,
        caller.patch(`${cy}/emails/2`, { subject: " A question ", body: text, version: 1 })
      )
      const normalizedText = text.replaceAll("\r\n", "\n")
      assert.deepInclude(edited, { step: 2, subject: "A question", body: normalizedText, version: 2, edited: true })
      const rules = edited.findings.map(({ rule }: Finding) => rule)
      assert.include(rules, "template.leftover")
      assert.notInclude(rules, "test.fail")
      // POST /lint returns the same findings, except those about the sequence.
      const { campaign_id } = yield* expectBody(200, caller.get(`/lists/${list}`))
      const lead = { email: "cy@west.example", name: "Cy", company: "West", title: "fail hint" }
      const linted = yield* expectBody(
        200,
        caller.post("/lint", {
          subject: "A question",
          body: normalizedText,
          step: 2,
          email_count: 2,
          campaign_id,
          lead
        })
      )
      assert.deepStrictEqual(
        edited.findings.filter(({ place }: Finding) => place !== "sequence"),
        linted.findings
      )
      assert.deepStrictEqual(edited.claims, linted.claims)

      const readLead = yield* expectBody(200, caller.get(cy))
      assert.deepStrictEqual(readLead.emails[1], edited)
      assert.deepInclude(readLead.emails[0], { version: 1, edited: false, body: emails[0].body })
      assert.isTrue(readLead.edited)
      const [listedLead] = yield* leadsOf(caller, list, "q=cy")
      assert.deepInclude(listedLead, { edited: true })
      assert.deepInclude(listedLead?.["emails"][1], { subject: "A question", body: normalizedText })
      assert.deepStrictEqual(yield* namesOf(caller, list, "severity=fail"), ["cy"])
      const exported = yield* expectBody(200, caller.get(`/lists/${list}/export?format=json`))
      assert.deepInclude(exported.leads[3].sequence[1], { step: 2, subject: "A question", body: normalizedText })

      // A text without errors has no failing finding.
      const correctedText = "Hi Cy,\n\nWho looks after the pumps?\n\nAnn"
      const thirdVersion = yield* expectBody(200, caller.patch(`${cy}/emails/2`, { body: correctedText, version: 2 }))
      assert.deepInclude(thirdVersion, { version: 3, subject: "A question", body: correctedText })
      assert.deepStrictEqual(yield* namesOf(caller, list, "severity=fail"), [])
      // The same text again does not create a version.
      assert.deepStrictEqual(
        yield* expectBody(200, caller.patch(`${cy}/emails/2`, { body: correctedText, version: 3 })),
        thirdVersion
      )
      assert.deepStrictEqual(yield* expectBody(200, caller.patch(`${cy}/emails/2`, { version: 3 })), thirdVersion)
      yield* assertConsistent
    }).pipe(Effect.provide(layer({ writer: { sequence } })))
  )

  it.live("is rejected with the current text if it was changed since it was read", () =>
    Effect.gen(function* () {
      const { list, caller } = yield* reviewable()
      const { ann = "" } = yield* pathsOf(caller, list)
      const path = `${ann}/emails/2`
      const firstEdit = yield* expectBody(200, caller.patch(path, { subject: "First", version: 1 }))
      for (const version of [1, 3]) {
        const { email } = yield* expectError(409, "CONFLICT", caller.patch(path, { subject: "Second", version }))
        assert.deepStrictEqual(email, firstEdit)
      }
      const answers = yield* Effect.all(
        ["a", "b", "c", "d"].map((subject) => caller.patch(path, { subject, version: 2 })),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [200, 409, 409, 409])
      assert.strictEqual((yield* expectBody(200, caller.get(`${path}/versions`))).total, 3)
      for (const [input, invalidField] of [
        [{ subject: "x" }, "version"],
        [{ subject: "x", version: 0 }, "version"],
        [{ subject: "", version: 3 }, "subject"],
        [{ subject: "two\nlines", version: 3 }, "subject"],
        [{ subject: "x".repeat(1001), version: 3 }, "subject"],
        [{ body: " \n ", version: 3 }, "body"],
        [{ body: "x".repeat(20_001), version: 3 }, "body"]
      ] as const) {
        const { issues } = yield* expectError(400, "BAD_REQUEST", caller.patch(path, input))
        assert.deepStrictEqual(
          issues.map((issue: { readonly path: string }) => issue.path),
          [invalidField]
        )
      }
      for (const step of ["3", "0", "x", "-1"]) {
        yield* expectError(404, "NOT_FOUND", caller.patch(`${ann}/emails/${step}`, { subject: "x", version: 1 }))
        yield* expectError(404, "NOT_FOUND", caller.get(`${ann}/emails/${step}/versions`))
      }
      const { eve = "" } = yield* pathsOf(caller, list)
      yield* expectError(404, "NOT_FOUND", caller.patch(`${eve}/emails/1`, { subject: "x", version: 1 }))
    }).pipe(Effect.provide(layer({ writer: { sequence } })))
  )

  it.live("keeps all its versions, of which each can be restored", () =>
    Effect.gen(function* () {
      const { list, caller } = yield* reviewable()
      const { ann = "" } = yield* pathsOf(caller, list)
      const path = `${ann}/emails/1`
      const [writtenEmail] = (yield* expectBody(200, caller.get(ann))).emails
      const versions = yield* expectBody(200, caller.get(`${path}/versions`))
      assert.deepStrictEqual([versions.total, versions.has_more, versions.limit, versions.offset], [1, false, 50, 0])
      assert.deepInclude(versions.data[0], {
        version: 1,
        subject: writtenEmail.subject,
        body: writtenEmail.body,
        by: "writer"
      })
      assert.match(versions.data[0].at, /^\d{4}-\d\d-\d\dT/)
      yield* expectBody(200, caller.patch(path, { subject: "Mine", version: 1 }))
      yield* expectError(404, "NOT_FOUND", caller.post(`${path}/restore`, { version: 3 }))
      yield* expectError(400, "BAD_REQUEST", caller.post(`${path}/restore`, {}))
      const restored = yield* expectBody(200, caller.post(`${path}/restore`, { version: 1 }))
      const { body: text, subject } = writtenEmail
      assert.deepInclude(restored, { version: 3, edited: false, subject, body: text })
      assert.isFalse((yield* expectBody(200, caller.get(ann))).edited)
      // Restoring the current version changes nothing.
      assert.deepStrictEqual(yield* expectBody(200, caller.post(`${path}/restore`, { version: 3 })), restored)
      const restore = caller.send("POST", `${path}/restore`, idempotentJson("once", { version: 2 }))
      const restoredAgain = yield* expectBody(200, restore)
      assert.deepInclude(restoredAgain, { version: 4, edited: true, subject: "Mine" })
      assert.deepStrictEqual(yield* expectBody(200, restore), restoredAgain)
      const { data } = yield* expectBody(200, caller.get(`${path}/versions?limit=3`))
      assert.deepStrictEqual(
        data.map(({ by, subject, version }: any) => [version, by, subject]),
        [
          [4, "person", "Mine"],
          [3, "writer", subject],
          [2, "person", "Mine"]
        ]
      )
      const { data: lastVersion } = yield* expectBody(200, caller.get(`${path}/versions?offset=3`))
      assert.deepStrictEqual(lastVersion, versions.data)
      yield* assertConsistent
    }).pipe(Effect.provide(layer({ writer: { sequence } })))
  )

  it.live("is deleted with its list", () =>
    Effect.gen(function* () {
      const { list, caller } = yield* reviewable()
      const { ann = "" } = yield* pathsOf(caller, list)
      yield* expectBody(200, caller.patch(`${ann}/emails/1`, { subject: "Mine", version: 1 }))
      yield* expectBody(200, caller.delete(`/lists/${list}`))
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(yield* sql`SELECT lead_id FROM email_versions UNION SELECT lead_id FROM lead_reviews`, [])
    }).pipe(Effect.provide(layer({ writer: { sequence } })))
  )
})

describe("a review", () => {
  it.live("is stored for each lead, with a note", () =>
    Effect.gen(function* () {
      const { list, caller } = yield* reviewable()
      const { cy = "", eve = "" } = yield* pathsOf(caller, list)
      const rejected = yield* expectBody(
        200,
        caller.put(`${cy}/review`, { status: "rejected", note: " Wrong company " })
      )
      assert.deepInclude(rejected.review, { status: "rejected", note: "Wrong company" })
      assert.match(rejected.review.at, /^\d{4}-\d\d-\d\dT/)
      assert.deepStrictEqual(yield* expectBody(200, caller.get(cy)), rejected)
      yield* Effect.sleep(2)
      // Repeating the decision changes nothing.
      assert.deepStrictEqual(
        yield* expectBody(200, caller.put(`${cy}/review`, { status: "rejected", note: "Wrong company" })),
        rejected
      )
      // A person may approve a lead with failing findings. A new decision replaces the note.
      const approved = yield* expectBody(200, caller.put(`${cy}/review`, { status: "approved" }))
      assert.deepInclude(approved.review, { status: "approved", note: null })
      // An edit keeps the decision, unless the new text has failing findings and the old one had none.
      const email = `${cy}/emails/2`
      const correctedText = "Hi Cy,\n\nWho looks after the pumps?\n\nAnn"
      yield* expectBody(200, caller.patch(email, { body: correctedText, version: 1 }))
      const approvedAgain = yield* expectBody(200, caller.put(`${cy}/review`, { status: "approved", note: "Read" }))
      const assertStatus = (status: string) =>
        Effect.map(expectBody(200, caller.get(cy)), ({ review }) => assert.strictEqual(review.status, status))
      yield* expectBody(200, caller.patch(email, { subject: "Better", version: 2 }))
      assert.deepStrictEqual((yield* expectBody(200, caller.get(cy))).review, approvedAgain.review)
      yield* expectBody(200, caller.patch(email, { body: "Hi {{pump}}, who looks after it?", version: 3 }))
      yield* assertStatus("open")
      yield* expectBody(200, caller.put(`${cy}/review`, { status: "approved" }))
      yield* expectBody(200, caller.patch(email, { body: "Hi {{pump}}, who looks after them?", version: 4 }))
      yield* assertStatus("approved")
      yield* expectBody(200, caller.post(`${email}/restore`, { version: 3 }))
      yield* assertStatus("approved")
      yield* expectBody(200, caller.post(`${email}/restore`, { version: 5 }))
      yield* assertStatus("open")
      assert.deepInclude((yield* expectBody(200, caller.put(`${cy}/review`, { status: "open" }))).review, {
        status: "open"
      })
      yield* expectError(422, "UNPROCESSABLE", caller.put(`${eve}/review`, { status: "approved" }))
      for (const input of [
        {},
        { status: "done" },
        { status: "open", note: "x".repeat(2001) },
        { status: "approved", versions: [{ step: 1 }] },
        { status: "approved", versions: [{ step: 0, version: 1 }] },
        { status: "approved", versions: Array.from({ length: 5 }, () => ({ step: 1, version: 1 })) }
      ]) {
        yield* expectError(400, "BAD_REQUEST", caller.put(`${cy}/review`, input))
      }
    }).pipe(Effect.provide(layer({ writer: { sequence } })))
  )

  it.live("is refused if an email was changed since its version that was read", () =>
    Effect.gen(function* () {
      const { list, caller } = yield* reviewable()
      const { cy = "" } = yield* pathsOf(caller, list)
      const approve = (...versions: ReadonlyArray<{ readonly step: number; readonly version: number }>) =>
        caller.put(`${cy}/review`, { status: "approved", versions })
      yield* expectBody(200, caller.patch(`${cy}/emails/2`, { subject: "Better", version: 1 }))
      for (const readVersion of [1, 3]) {
        const conflict = yield* expectError(
          409,
          "CONFLICT",
          approve({ step: 1, version: 1 }, { step: 2, version: readVersion })
        )
        assert.deepStrictEqual(conflict.versions.slice(0, 2), [
          { step: 1, version: 1 },
          { step: 2, version: 2 }
        ])
      }
      yield* expectError(409, "CONFLICT", approve({ step: 4, version: 1 }))
      assert.strictEqual((yield* expectBody(200, caller.get(cy))).review.status, "open")
      const approved = yield* expectBody(200, approve({ step: 1, version: 1 }, { step: 2, version: 2 }))
      assert.strictEqual(approved.review.status, "approved")
      yield* expectBody(200, approve())
    }).pipe(Effect.provide(layer({ writer: { sequence } })))
  )

  it.live("is counted as open until it is decided, in all lists and in filtered ones", () =>
    Effect.gen(function* () {
      const firstReview = yield* reviewable()
      for (const { list, caller } of [firstReview, yield* reviewable()]) {
        const { ann = "", cy = "" } = yield* pathsOf(caller, list)
        yield* expectBody(200, caller.put(`${ann}/review`, { status: "approved" }))
        yield* expectBody(200, caller.put(`${cy}/review`, { status: "rejected" }))
        yield* expectBody(200, caller.put(`${cy}/review`, { status: "open" }))
      }
      const openLeads = yield* namesOf(firstReview.caller, firstReview.list, "review=open&status=completed")
      for (const filter of ["", "&status=completed", "&source=batch"]) {
        const { totals } = yield* expectBody(200, firstReview.caller.get(`/lists?totals=true${filter}`))
        assert.strictEqual(totals.leads_open, openLeads.length, filter)
      }
      const { caller, list } = firstReview
      const toReview = Effect.map(
        expectBody(200, caller.get("/lists?review=open&status=completed&totals=true")),
        ({ lists, total, totals }) => [lists.map(({ id }: { readonly id: string }) => id), total, totals.leads_open]
      )
      assert.deepStrictEqual(yield* toReview, [[list], 1, openLeads.length])
      const { data } = yield* expectBody(200, caller.get(`/lists/${list}/leads?status=completed`))
      for (const { id } of data) {
        yield* expectBody(200, caller.put(`/lists/${list}/leads/${id}/review`, { status: "rejected" }))
      }
      assert.deepStrictEqual(yield* toReview, [[], 0, 0])
      const path = `/lists/${list}/leads/${data[0].id}/review`
      yield* expectBody(200, caller.put(path, { status: "open" }))
      assert.deepStrictEqual(yield* toReview, [[list], 1, 1])
    }).pipe(Effect.provide(layer({ writer: { sequence } })))
  )

  it.live("can be decided for many leads at once, which never approves leads with failing findings", () =>
    Effect.gen(function* () {
      const { list, caller } = yield* reviewable()
      const decide = (decision: object) =>
        Effect.map(expectBody(200, caller.post(`/lists/${list}/review`, decision)), ({ changed }) => changed)
      const approved = namesOf(caller, list, "review=approved")
      const approve = (selection: object) => decide({ status: "approved", ...selection })
      const reset = decide({ status: "open" })
      const leads = yield* leadsOf(caller, list)
      const ids = Object.fromEntries(leads.map(({ email, id }) => [email.split("@")[0], id]))

      assert.strictEqual(yield* approve({ where: { severity: "none" } }), 1)
      assert.deepStrictEqual(yield* approved, ["zoe"])
      assert.strictEqual(yield* approve({ where: { severity: "hint" } }), 1)
      assert.deepStrictEqual(yield* approved, ["zoe", "ann"])
      assert.strictEqual(yield* approve({ where: { severity: "warn" } }), 2)
      assert.strictEqual(yield* approve({}), 0)
      assert.deepStrictEqual(yield* approved, ["zoe", "ann", "Bob", "dee"])
      assert.strictEqual(yield* reset, 4)

      // Leads that are named by id are not approved either.
      assert.strictEqual(yield* approve({ lead_ids: Object.values(ids) }), 4)
      assert.deepStrictEqual(yield* approved, ["zoe", "ann", "Bob", "dee"])
      yield* reset
      assert.strictEqual(
        yield* approve({ lead_ids: [ids["ann"], ids["Bob"], ids["ann"]], where: { severity: "hint" } }),
        1
      )
      assert.deepStrictEqual(yield* approved, ["ann"])
      assert.strictEqual(yield* approve({ lead_ids: [] }), 0)

      // A filter does not change rejected leads; naming them does.
      assert.strictEqual(yield* decide({ status: "rejected", lead_ids: [ids["zoe"], ids["cy"]] }), 2)
      assert.strictEqual(yield* approve({ where: { severity: "none" } }), 0)
      assert.strictEqual(yield* approve({ lead_ids: [ids["zoe"]] }), 1)
      yield* reset

      // A lead counts as seen if a key that may approve has opened it.
      const readOnlyCaller = yield* callerFor(caller.workspace, ["lists:read"])
      yield* expectBody(200, readOnlyCaller.get(`/lists/${list}/leads/${ids["zoe"]}`))
      yield* expectBody(200, caller.get(`/lists/${list}/leads/${ids["ann"]}`))
      yield* expectBody(200, caller.get(`/lists/${list}/leads/${ids["cy"]}`))
      // A HEAD request returns no emails, so it does not count.
      assert.strictEqual((yield* caller.send("HEAD", `/lists/${list}/leads/${ids["zoe"]}`)).status, 200)
      assert.strictEqual(yield* approve({ where: { seen: true } }), 1)
      assert.deepStrictEqual(yield* approved, ["ann"])
      yield* assertConsistent
    }).pipe(Effect.provide(layer({ writer: { sequence } })))
  )

  it.live("can be decided for the leads of a filter, and counted first with dry_run", () =>
    Effect.gen(function* () {
      const { list, caller } = yield* reviewable()
      const decide = (decision: object) =>
        expectBody(200, caller.post(`/lists/${list}/review`, { status: "approved", ...decision }))
      const westernLeads = { where: { filter: { q: "west" } } }
      assert.deepInclude(yield* decide({ ...westernLeads, dry_run: true }), { changed: 1, failing: 1, suppressed: 0 })
      assert.deepStrictEqual(yield* namesOf(caller, list, "review=approved"), [])
      const last = Effect.map(expectBody(200, caller.get(`/lists/${list}/review`)), ({ last }) => last)
      assert.isNull(yield* last)
      const { at } = yield* decide(westernLeads)
      assert.deepStrictEqual(yield* namesOf(caller, list, "review=approved"), ["dee"])
      assert.deepInclude(yield* decide({ status: "open", where: { at } }), { changed: 1, failing: 0 })
      assert.deepInclude(yield* decide({ where: { filter: { severity: "warn", persona_id: persona } } }), {
        changed: 1
      })
      assert.deepStrictEqual(yield* namesOf(caller, list, "review=approved"), ["Bob"])
      // A filter of failing findings shows them, and approves none.
      assert.deepInclude(yield* decide({ where: { filter: { severity: "fail" } } }), { changed: 0, failing: 1 })
      assert.deepInclude(yield* decide({ where: { severity: "none", filter: { review: "open" } } }), { changed: 1 })
      assert.deepStrictEqual(yield* namesOf(caller, list, "review=approved"), ["zoe", "Bob"])
      yield* expectError(
        400,
        "BAD_REQUEST",
        caller.post(`/lists/${list}/review`, { status: "open", where: { filter: { review: "new" } } })
      )
      yield* assertConsistent
    }).pipe(Effect.provide(layer({ writer: { sequence } })))
  )

  it.live("of many leads leaves out emails that were changed or written since they were read", () =>
    Effect.gen(function* () {
      const { list, caller } = yield* reviewable()
      const ids = Object.fromEntries(
        (yield* leadsOf(caller, list)).map(({ email, id }) => [email.split("@")[0], id] as const)
      )
      const decide = (decision: object) =>
        expectBody(200, caller.post(`/lists/${list}/review`, { status: "approved", ...decision }))
      // All emails were written after this moment.
      const beforeWriting = yield* decide({ where: { unchanged_since: "2020-01-01T00:00:00.000Z" } })
      assert.deepInclude(beforeWriting, { changed: 0, failing: 1, changed_since: 4 })
      yield* Effect.sleep(2)
      const { at: readAt, ...counted } = yield* decide({ dry_run: true })
      assert.deepStrictEqual(counted, { changed: 4, failing: 1, suppressed: 0, maybe: 0 })
      const email = `/lists/${list}/leads/${ids["zoe"]}/emails/2`
      const body = "Hi Zoe,\n\nWho looks after the pumps?\n\nAnn"
      yield* expectBody(200, caller.patch(email, { subject: "A question", body, version: 1 }))
      const sinceEdit = yield* decide({ lead_ids: [ids["zoe"], ids["Bob"]], where: { unchanged_since: readAt } })
      assert.deepInclude(sinceEdit, { changed: 1, changed_since: 1 })
      assert.deepInclude(yield* decide({ where: { unchanged_since: readAt } }), { changed: 2, changed_since: 1 })
      assert.deepStrictEqual(yield* namesOf(caller, list, "review=approved"), ["ann", "Bob", "dee"])
      // A second change does not undo the first.
      yield* expectBody(200, caller.patch(email, { subject: "Better", version: 2 }))
      assert.deepInclude(yield* decide({ where: { unchanged_since: readAt } }), { changed: 0, changed_since: 1 })
      yield* Effect.sleep(2)
      const { at: readAgainAt } = yield* decide({ dry_run: true })
      assert.deepInclude(yield* decide({ where: { unchanged_since: readAgainAt } }), { changed: 1, changed_since: 0 })
      const invalidTime = { status: "approved", where: { unchanged_since: "yesterday" } }
      const { issues } = yield* expectError(400, "BAD_REQUEST", caller.post(`/lists/${list}/review`, invalidTime))
      assert.strictEqual(issues[0].path, "where.unchanged_since")
      yield* assertConsistent
    }).pipe(Effect.provide(layer({ writer: { sequence } })))
  )

  it.live("of many leads can be undone by its time, without earlier and later decisions", () =>
    Effect.gen(function* () {
      const { list, caller } = yield* reviewable()
      const leads = yield* leadsOf(caller, list)
      const ids = Object.fromEntries(leads.map(({ email, id }) => [email.split("@")[0], id]))
      const decide = (decision: object) => expectBody(200, caller.post(`/lists/${list}/review`, decision))
      yield* expectBody(200, caller.put(`/lists/${list}/leads/${ids["zoe"]}/review`, { status: "approved" }))
      yield* Effect.sleep(2)
      const { at, changed } = yield* decide({ status: "approved" })
      assert.strictEqual(changed, 3)
      yield* Effect.sleep(2)
      yield* expectBody(200, caller.put(`/lists/${list}/leads/${ids["dee"]}/review`, { status: "rejected" }))
      assert.deepInclude(yield* decide({ status: "open", where: { at } }), { changed: 2 })
      assert.deepStrictEqual(yield* namesOf(caller, list, "review=approved"), ["zoe"])
      assert.deepStrictEqual(yield* namesOf(caller, list, "review=rejected"), ["dee"])
      yield* expectError(
        400,
        "BAD_REQUEST",
        caller.post(`/lists/${list}/review`, { status: "open", where: { at: "today" } })
      )
    }).pipe(Effect.provide(layer({ writer: { sequence } })))
  )

  it.live("of many leads is atomic, and idempotent with an Idempotency-Key", () =>
    Effect.gen(function* () {
      const { list, caller } = yield* reviewable()
      const path = `/lists/${list}/review`
      const leads = yield* leadsOf(caller, list)
      const ids = leads.map(({ id }) => id)
      yield* expectError(404, "NOT_FOUND", caller.post(path, { status: "approved", lead_ids: [...ids, unknownId] }))
      assert.deepStrictEqual(yield* namesOf(caller, list, "review=approved"), [])
      for (const input of [
        {},
        { status: "done" },
        { status: "approved", lead_ids: ["one"] },
        { status: "approved", lead_ids: Array.from({ length: 10_001 }, () => unknownId) },
        { status: "approved", where: { severity: "fail" } },
        { status: "approved", where: { seen: false } }
      ]) {
        yield* expectError(400, "BAD_REQUEST", caller.post(path, input))
      }
      yield* expectError(404, "NOT_FOUND", caller.post(`/lists/${unknownId}/review`, { status: "approved" }))
      const unknownIds = Array.from({ length: 10_000 }, (_, i) => unknownId.slice(0, -5) + String(i).padStart(5, "0"))
      yield* expectError(404, "NOT_FOUND", caller.post(path, { status: "approved", lead_ids: unknownIds }))
      const send = caller.send("POST", path, idempotentJson("all", { status: "approved" }))
      const answers = yield* Effect.all([send, send], { concurrency: "unbounded" })
      assert.includeMembers(
        [200, 409],
        answers.map(({ status }) => status)
      )
      const firstAnswer = yield* expectBody(200, send)
      assert.deepInclude(firstAnswer, { changed: 4 })
      yield* expectBody(200, caller.post(path, { status: "open" }))
      assert.deepStrictEqual(yield* expectBody(200, send), firstAnswer)
      assert.deepStrictEqual(yield* namesOf(caller, list, "review=approved"), [])
      yield* expectError(409, "CONFLICT", caller.send("POST", path, idempotentJson("all", { status: "rejected" })))
    }).pipe(Effect.provide(layer({ writer: { sequence } })))
  )
})

describe("an export", () => {
  const namedLeads = [
    { email: "ann@south.example", name: "Ann Marie Lee", title: "hint", company: "=Öl", custom_fields: { hall: 3 } },
    { email: "bob@east.example", name: "Bob", title: "warn", company: 'East, "Co"' }
  ]
  const linesOf = (caller: Caller, list: string, query: string) =>
    Effect.map(caller.get(`/lists/${list}/export?${query}`), (answer) => {
      assert.strictEqual(answer.status, 200, answer.text)
      assert.match(answer.headers.get("content-type") ?? "", /^text\/csv/)
      return answer.text.split("\r\n")
    })

  it.live("has only the approved leads with review=approved, in both formats", () =>
    Effect.gen(function* () {
      const { list, caller } = yield* reviewable()
      const emails = (query: string) =>
        Effect.map(expectBody(200, caller.get(`/lists/${list}/export?format=json${query}`)), ({ leads }) =>
          leads.map(({ email }: { readonly email: string }) => email)
        )
      assert.lengthOf(yield* emails(""), 5)
      assert.deepStrictEqual(yield* emails("&review=approved"), [])
      const [header = ""] = yield* linesOf(caller, list, "")
      assert.deepStrictEqual(yield* linesOf(caller, list, "review=approved"), [header, ""])
      yield* expectBody(200, caller.post(`/lists/${list}/review`, { status: "approved", where: { severity: "hint" } }))
      assert.deepStrictEqual(yield* emails("&review=approved"), ["zoe@north.example", "ann@south.example"])
      const [approvedHeader, ...rows] = yield* linesOf(caller, list, "review=approved")
      assert.strictEqual(approvedHeader, header)
      assert.isTrue(rows[0]?.startsWith("zoe@north.example,"))
      for (const invalidQuery of ["review=open", "preset=mailchimp", "columns=some"]) {
        yield* expectError(400, "BAD_REQUEST", caller.get(`/lists/${list}/export?${invalidQuery}`))
      }
      const asJson = caller.get(`/lists/${list}/export?format=json&preset=lemlist`)
      assert.strictEqual((yield* expectError(400, "BAD_REQUEST", asJson)).issues[0].path, "preset")
    }).pipe(Effect.provide(layer({ writer: { sequence } })))
  )

  it.live("omits leads that were suppressed since, with review=approved, a preset or suppressed=exclude", () =>
    Effect.gen(function* () {
      const { list, caller } = yield* reviewable()
      yield* expectBody(200, caller.post(`/lists/${list}/review`, { status: "approved", where: { severity: "warn" } }))
      const entries = [{ value: "south.example" }, { value: "BOB@east.example" }]
      yield* expectBody(200, caller.post("/suppressions", { entries }))
      const addresses = (query: string) =>
        Effect.map(linesOf(caller, list, query), (lines) => lines.slice(1, -1).map((line) => line.split(",")[0]))
      assert.deepStrictEqual(yield* addresses("review=approved"), ["zoe@north.example", "dee@west.example"])
      assert.deepStrictEqual(yield* addresses("preset=smartlead"), [
        "zoe@north.example",
        "cy@west.example",
        "dee@west.example"
      ])
      const { leads } = yield* expectBody(200, caller.get(`/lists/${list}/export?format=json&review=approved`))
      assert.lengthOf(leads, 2)
      // An export without options has every lead that was written to.
      assert.lengthOf(yield* addresses(""), 5)
      assert.deepStrictEqual(yield* addresses("suppressed=exclude"), yield* addresses("preset=smartlead"))
      const [header] = yield* linesOf(caller, list, "")
      assert.strictEqual((yield* linesOf(caller, list, "suppressed=exclude"))[0], header)
      const remaining = yield* expectBody(200, caller.get(`/lists/${list}/export?format=json&suppressed=exclude`))
      assert.lengthOf(remaining.leads, 3)
      yield* expectError(400, "BAD_REQUEST", caller.get(`/lists/${list}/export?suppressed=include`))
    }).pipe(Effect.provide(layer({ writer: { sequence } })))
  )

  it.live("has a count of its leads and of the leads that it omits", () =>
    Effect.gen(function* () {
      const { list, caller } = yield* reviewable()
      yield* expectBody(200, caller.post(`/lists/${list}/review`, { status: "approved", where: { severity: "warn" } }))
      yield* expectBody(
        200,
        caller.post("/suppressions", { entries: [{ value: "south.example" }, { value: "BOB@east.example" }] })
      )
      for (const [query, suppressed] of [
        ["", 0],
        ["suppressed=exclude", 2],
        ["review=approved", 2],
        ["preset=lemlist", 2],
        ["review=approved&suppressed=exclude", 2]
      ] as const) {
        const rows = (yield* linesOf(caller, list, query)).length - 2
        const counted = yield* expectBody(200, caller.get(`/lists/${list}/export/count?${query}`))
        assert.deepStrictEqual(counted, { leads: rows, suppressed }, query)
      }
      const other = yield* onboardedCaller()
      yield* expectError(404, "NOT_FOUND", other.get(`/lists/${list}/export/count`))
    }).pipe(Effect.provide(layer({ writer: { sequence } })))
  )

  it.live("counts every lead of a long list once", () =>
    Effect.gen(function* () {
      const thousandLeads = Array.from({ length: 1001 }, (_, i) => ({ email: `lead${i}@north.example`, title: "hint" }))
      const { list, caller } = yield* reviewable(thousandLeads)
      yield* expectBody(200, caller.post("/suppressions", { entries: [{ value: "LEAD700@north.example" }] }))
      assert.deepStrictEqual(yield* expectBody(200, caller.get(`/lists/${list}/export/count?suppressed=exclude`)), {
        leads: 1000,
        suppressed: 1
      })
    }).pipe(Effect.provide(layer({ writer: { sequence } })))
  )

  it.live("does not affect the last decision about many leads, which can be undone later", () =>
    Effect.gen(function* () {
      const { list, caller } = yield* reviewable()
      const last = () => Effect.map(expectBody(200, caller.get(`/lists/${list}/review`)), ({ last }) => last)
      const allLeads = yield* expectBody(200, caller.get(`/lists/${list}/leads`))
      const decide = (index: number, status: string) =>
        expectBody(200, caller.put(`/lists/${list}/leads/${allLeads.data[index].id}/review`, { status }))
      assert.isNull(yield* last())
      yield* decide(3, "approved")
      assert.isNull(yield* last())
      const { at, changed } = yield* expectBody(200, caller.post(`/lists/${list}/review`, { status: "approved" }))
      assert.strictEqual(changed, 4)
      assert.deepStrictEqual(yield* last(), { status: "approved", leads: 4, at })
      // A lead with a later decision keeps that, so it no longer counts.
      yield* decide(0, "rejected")
      assert.deepStrictEqual(yield* last(), { status: "approved", leads: 3, at })
      yield* expectBody(200, caller.post(`/lists/${list}/review`, { status: "open", where: { at } }))
      assert.strictEqual((yield* last()).status, "open")
      yield* expectError(404, "NOT_FOUND", (yield* onboardedCaller()).get(`/lists/${list}/review`))
    }).pipe(Effect.provide(layer({ writer: { sequence } })))
  )

  it.live("has the headers of a tool, and escapes cells that a spreadsheet would execute", () =>
    Effect.gen(function* () {
      const { list, caller } = yield* reviewable(namedLeads)
      const emails = "step_1_subject,step_1_body,step_2_subject,step_2_body"
      for (const [preset, header, rowStart] of [
        [
          "instantly",
          `email,first_name,last_name,job_title,company_name,linkedin_url,website,${emails},custom_hall`,
          "ann@south.example,Ann,Marie Lee,hint,'=Öl,,,"
        ],
        [
          "smartlead",
          `email,first_name,last_name,title,company_name,linkedin_profile,website,${emails},custom_hall`,
          "ann@south.example,Ann,Marie Lee,hint,'=Öl,,,"
        ],
        [
          "lemlist",
          "email,firstName,lastName,jobTitle,companyName,linkedinUrl,companyWebsite,step1Subject,step1Body,step2Subject,step2Body,customHall",
          "ann@south.example,Ann,Marie Lee,hint,'=Öl,,,"
        ],
        [
          "mailshake",
          `email,name,first,last,title,company,linkedin_url,website,${emails},custom_hall`,
          "ann@south.example,Ann Marie Lee,Ann,Marie Lee,hint,'=Öl,,,"
        ],
        [
          "hubspot",
          "Email,First Name,Last Name,Job Title,Company Name,LinkedIn URL,Website URL,Step 1 Subject,Step 1 Body,Step 2 Subject,Step 2 Body,Custom Hall",
          "ann@south.example,Ann,Marie Lee,hint,'=Öl,,,"
        ]
      ] as const) {
        const [actualHeader, firstRow = ""] = yield* linesOf(caller, list, `preset=${preset}`)
        assert.strictEqual(actualHeader, header, preset)
        assert.isTrue(firstRow.startsWith(rowStart), firstRow)
      }
    }).pipe(Effect.provide(layer({ writer: { sequence } })))
  )

  it.live("has a unique header for each custom field, also if a tool's spelling makes two equal", () =>
    Effect.gen(function* () {
      const fields = { a1: "one", a_1: "two", a_1_2: "three" }
      const { list, caller } = yield* reviewable([{ email: "ann@south.example", custom_fields: fields }])
      const [header = "", row = ""] = yield* linesOf(caller, list, "preset=lemlist")
      const names = header.split(",")
      assert.deepStrictEqual(names.slice(-3), ["customA1", "customA1_2", "customA12"])
      assert.strictEqual(new Set(names).size, names.length)
      assert.isTrue(row.endsWith(",one,two,three"), row)
    }).pipe(Effect.provide(layer({ writer: { sequence } })))
  )

  it.live("has more columns after the others with columns=all", () =>
    Effect.gen(function* () {
      const { list, caller } = yield* reviewable(namedLeads)
      const { ann = "" } = yield* pathsOf(caller, list)
      yield* expectBody(200, caller.patch(`${ann}/emails/2`, { subject: "Pumps", version: 1 }))
      yield* expectBody(200, caller.put(`${ann}/review`, { status: "approved", note: "=1" }))
      const plainCsv = (yield* linesOf(caller, list, "")).join("\r\n")
      const fullCsv = (yield* linesOf(caller, list, "columns=all")).join("\r\n")
      const [header = ""] = fullCsv.split("\r\n")
      assert.strictEqual(
        header,
        `${plainCsv.split("\r\n")[0]},send_day_1,send_day_2,findings_fail,findings_warn,findings_hint,persona_id,edited,review,review_note,ai_generated,model,prompt_version`
      )
      const { emails } = yield* expectBody(200, caller.get(ann))
      const count = (severity: string) =>
        emails.flatMap(({ findings }: any) => findings).filter((finding: Finding) => finding.severity === severity)
          .length
      assert.include(fullCsv, `,3,0,3,${count("fail")},${count("warn")},${count("hint")},,true,approved,'=1,,,\r\n`)
      assert.isTrue(fullCsv.endsWith(`,,0,3,0,1,0,${persona},false,open,,,,\r\n`), fullCsv)
    }).pipe(Effect.provide(layer({ writer: { sequence } })))
  )
})
