// test/program/review-commands.test.ts: `overture review` shows, edits and restores emails on a server, and approves or
// rejects leads.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import type { ReviewedLead } from "#schema/Review.ts"
import { command, commandJson } from "#test/support/command.ts"
import { modelAnswers } from "#test/support/model-answers.ts"
import { journal, Mock, modelReplies } from "#test/support/model.ts"
import { onboardedWorkspace, namedLeads, options, workspaceIn } from "#test/support/program-workspace.ts"
import { dataDirectory, temporaryFolder, runProgram, serve } from "#test/support/process.ts"
import { mailServer } from "#test/support/smtp.ts"
import { until } from "#test/support/until.ts"
import { buildCampaign, apiClient } from "#test/support/api-client.ts"

const failingBody = "Hi there,\n\nWe are the best supplier in the world, recommended by all chefs.\n\nInterested?"

/** Starts a server with a written list of three leads, and creates a folder with its settings. */
const startServerWithList = Effect.gen(function* () {
  const { received, port } = yield* mailServer()
  const { data, key, workspace } = yield* onboardedWorkspace
  const server = yield* serve(data, { SMTP_URL: `smtp://127.0.0.1:${port}` })
  const api = apiClient(server.url, key)
  const campaign = yield* buildCampaign(api)
  const { list_id: list } = (yield* api.send("POST", `/campaigns/${campaign}/generate-batch`, {
    leads: namedLeads(3),
    options
  })).body
  yield* until(api.send("GET", `/lists/${list}`), ({ body }) => body.processing_status === "completed")
  const { data: leads } = (yield* api.send("GET", `/lists/${list}/leads`)).body
  const ids: ReadonlyArray<string> = leads.map(({ id }: { readonly id: string }) => id)
  const cwd = yield* temporaryFolder
  writeFileSync(`${cwd}/.env`, `OVERTURE_URL=${server.url}\nOVERTURE_API_KEY=${key}\n`)
  return {
    api,
    campaign,
    setOwner: (email: string) => command(data, "workspace", "owner", workspace, "--email", email),
    cwd,
    ids,
    list: list as string,
    persona: leads[0].persona_id as string,
    received,
    settings: { OVERTURE_URL: server.url, OVERTURE_API_KEY: key },
    review: (verb: string, ...args: ReadonlyArray<string>) => command(cwd, "review", verb, list, ...args),
    json: (verb: string, ...args: ReadonlyArray<string>) => commandJson(cwd, "review", verb, list, ...args),
    lead: (index: number) =>
      Effect.map(api.send("GET", `/lists/${list}/leads/${ids[index]}`), ({ body }): ReviewedLead => body),
    statuses: Effect.map(api.send("GET", `/lists/${list}/leads`), ({ body }) =>
      body.data.map(({ review }: ReviewedLead) => review.status)
    )
  }
})

describe("overture review", () => {
  it.live("shows the emails of a lead, saves new versions, and restores one", () =>
    Effect.gen(function* () {
      const { cwd, ids, json, lead, list, review, settings } = yield* startServerWithList
      const [firstId = ""] = ids
      const shownLead = yield* runProgram(cwd, settings, "review", "show", list, firstId)
      assert.strictEqual(shownLead.code, 0, shownLead.stderr)
      const emailBefore = (yield* lead(0)).emails[0]
      assert.include(shownLead.stdout, "Lead 1, open: lead0@company0.example, Ann Ortiz, Plant Director")
      assert.include(shownLead.stdout, `Email 1, version 1: ${emailBefore?.subject}`)
      assert.match(shownLead.stdout, /\nSource campaign \S.*, profile case_studies: Huta Wolbrom/, shownLead.stdout)
      assert.lengthOf((yield* json("show", firstId)).emails, 2)

      const edit = yield* review(
        "edit",
        firstId,
        "1",
        "--body",
        failingBody.replaceAll("\n", "\\n"),
        "--from-version",
        "1"
      )
      assert.strictEqual(edit.code, 0, edit.stderr)
      assert.include(edit.stdout, `Email 1, version 2, edited: ${emailBefore?.subject}\n  Hi there,\n  \n  We are`)
      assert.match(edit.stdout, /\nfail {2}\S+ {2}/)
      assert.strictEqual((yield* lead(0)).emails[0]?.body, failingBody)
      // An edit of an old version does not overwrite a newer one.
      const conflictingEdit = yield* review("edit", firstId, "1", "--subject", "Late", "--from-version", "1")
      assert.deepStrictEqual([conflictingEdit.code, conflictingEdit.stdout], [1, ""])
      assert.include(conflictingEdit.stderr, "its current version is 2")

      writeFileSync(`${cwd}/email.txt`, "Subject: Pumps\n\nHi Ann,\n\nIs it yours?")
      const email = yield* json("edit", firstId, "1", "--file", `${cwd}/email.txt`, "--from-version", "2")
      assert.deepInclude(email, { subject: "Pumps", body: "Hi Ann,\n\nIs it yours?", version: 3 })

      const versions = yield* review("versions", firstId, "1")
      assert.match(versions.stdout, /^VERSION +BY +AT +SUBJECT\n3 +person .* Pumps\n2 +person .*\n1 +writer .*\n$/)
      assert.deepInclude(yield* json("versions", firstId, "1"), { has_more: false, total: 3 })
      const restoredEmail = yield* json("restore", firstId, "1", "1")
      assert.deepInclude(restoredEmail, { subject: emailBefore?.subject, body: emailBefore?.body, version: 4 })

      for (const [args, expectedText] of [
        [[], "Give a --subject, a --body or a --file"],
        [["--body", "x", "--file", `${cwd}/email.txt`], "Give one of --body and --file"],
        [["--file", `${cwd}/absent.txt`], "Cannot read"]
      ] as const) {
        const { code, stderr } = yield* review("edit", firstId, "1", ...args, "--from-version", "4")
        assert.strictEqual(code, 1)
        assert.include(stderr, expectedText)
      }
      assert.strictEqual((yield* lead(0)).emails[0]?.version, 4)
    })
  )

  it.live("lists leads, and approves, rejects or reopens named leads, with a note", () =>
    Effect.gen(function* () {
      const { api, cwd, ids, json, lead, list, persona, received, review, setOwner, settings, statuses } =
        yield* startServerWithList
      const [firstId = "", secondId = "", thirdId = ""] = ids
      const leadTable = yield* runProgram(cwd, settings, "review", "list", list)
      assert.match(leadTable.stdout, /^ID +REVIEW +FINDINGS +EMAIL +SUBJECT\n/)
      assert.lengthOf(leadTable.stdout.trim().split("\n"), 4)
      const foundLeads = yield* json("list", "--search", "BOB", "--persona", persona, "--status", "open")
      assert.deepStrictEqual(
        foundLeads.leads.map(({ email }: ReviewedLead) => email),
        (yield* lead(1)).persona_id === persona ? ["lead1@company1.example"] : []
      )
      assert.strictEqual((yield* json("list", "--search", "carla")).total, 1)

      assert.strictEqual((yield* review("approve", firstId)).stdout, "Changed the review of 1 lead\n")
      assert.strictEqual((yield* review("reject", secondId, "--note", "Has left")).code, 0)
      assert.deepStrictEqual(yield* statuses, ["approved", "rejected", "open"])
      assert.strictEqual((yield* lead(1)).review.note, "Has left")
      yield* api.send("PATCH", `/lists/${list}/leads/${thirdId}/emails/1`, { body: failingBody, version: 1 })
      const refusedApproval = yield* review("approve", thirdId, "--note", "Fine")
      assert.include(refusedApproval.stdout, "Not approved: 1 lead with a failing finding")
      assert.deepInclude((yield* lead(2)).review, { status: "open", note: null })
      assert.strictEqual((yield* json("reopen", firstId, secondId)).changed, 2)
      assert.deepStrictEqual(yield* statuses, ["open", "open", "open"])

      yield* review("approve", firstId)
      const all = ["export", list, "--review", "approved", "--columns", "all", "--out", `${cwd}/approved.csv`]
      assert.strictEqual((yield* command(cwd, ...all)).code, 0)
      const approvedRows = readFileSync(`${cwd}/approved.csv`, "utf8").trim().split("\r\n")
      assert.match(approvedRows[0] ?? "", /^email,.*,send_day_1,.*,review/)
      assert.lengthOf(readFileSync(`${cwd}/approved.csv`, "utf8").match(/^lead\d@/gm) ?? [], 1)
      const plain = ["export", list, "--out", `${cwd}/plain.csv`]
      assert.strictEqual((yield* command(cwd, ...plain)).code, 0)
      const plainCsv = readFileSync(`${cwd}/plain.csv`, "utf8")
      assert.notMatch(plainCsv, /^email,.*,review/)
      assert.lengthOf(plainCsv.match(/^lead\d@/gm) ?? [], 3)

      yield* setOwner("piotr@kestrel-pumps.example")
      const testMail = yield* review("test-mail", firstId, "--step", "1")
      assert.strictEqual(testMail.stdout, "Sent 1 test mail to piotr@kestrel-pumps.example\n", testMail.stderr)
      assert.deepStrictEqual(
        received.map(({ to }) => to),
        [["piotr@kestrel-pumps.example"]]
      )
    })
  )

  it.live(
    "approves by rule leads without findings, or leads that a person opened, and counts them with --dry-run",
    () =>
      Effect.gen(function* () {
        const { api, ids, json, list, review, statuses } = yield* startServerWithList
        const [firstId = "", , thirdId = ""] = ids
        yield* api.send("PATCH", `/lists/${list}/leads/${thirdId}/emails/1`, { body: failingBody, version: 1 })
        const dryRun = yield* review("approve", "--severity", "warn", "--dry-run")
        assert.strictEqual(dryRun.stdout.split("\n")[0], "Would change the review of 2 leads")
        assert.deepStrictEqual(yield* statuses, ["open", "open", "open"])
        const since = /--unchanged-since (\S+)$/m.exec(dryRun.stdout)?.[1] ?? ""
        yield* api.send("PATCH", `/lists/${list}/leads/${firstId}/emails/1`, { subject: "Another subject", version: 1 })
        const unread = yield* review("approve", firstId, "--note", "Read", "--unchanged-since", since)
        assert.include(unread.stdout, "Left as they are: 1 lead with an email changed since")
        assert.deepStrictEqual(yield* statuses, ["open", "open", "open"])
        yield* api.send("POST", `/lists/${list}/leads/${firstId}/emails/1/restore`, { version: 1 })
        yield* review("show", firstId)
        assert.strictEqual((yield* json("approve", "--seen", "--severity", "warn")).changed, 1)
        assert.deepStrictEqual(yield* statuses, ["approved", "open", "open"])
        assert.strictEqual((yield* json("reject", "--search", "company1.example")).changed, 1)
        assert.strictEqual((yield* json("approve", "--all")).failing, 1)
        // A rule changes no lead that was rejected.
        assert.deepStrictEqual(yield* statuses, ["approved", "rejected", "open"])
        for (const args of [[], ["--dry-run"], ["--note", "x"], ["--all", "--note", "x"], [firstId, "--all"]]) {
          const { code, stderr } = yield* review("approve", ...args)
          assert.strictEqual(code, 1)
          assert.match(stderr, /^Name the leads/)
        }
      })
  )
})

describe("overture rewrite", () => {
  it.live("fills in the named variant of the template", () =>
    Effect.gen(function* () {
      const { api, campaign, cwd, ids, lead, list, persona } = yield* startServerWithList
      const [firstId = ""] = ids
      const { personas } = (yield* api.send("GET", `/campaigns/${campaign}/playbook`)).body
      const templates: ReadonlyArray<Record<"id" | "step" | "variant", unknown>> = personas.find(
        ({ id }: { readonly id: string }) => id === persona
      ).templates
      const current = (yield* lead(0)).emails[0]?.template_id
      const used = Number(templates.find(({ id }) => id === current)?.variant)
      // Of three variants the one that a rewrite without the flag would not take.
      const variant = ((used + 1) % 3) + 1
      const rewritten = yield* command(cwd, "rewrite", list, firstId, "--step", "1", "--variant", `${variant}`)
      assert.strictEqual(rewritten.code, 0, rewritten.stderr)
      const email = (yield* lead(0)).emails[0]
      assert.include(rewritten.stdout, `Email 1, version 2: ${email?.subject}\n`)
      const template = templates.find((template) => template.step === 1 && template.variant === variant)
      assert.strictEqual(email?.template_id, template?.id)
    })
  )

  it.live("sends the instruction to the model", () =>
    Effect.gen(function* () {
      const { url: model } = yield* Mock
      yield* modelReplies(modelAnswers)
      const profile = new URL("../fixtures/hollowell.json", import.meta.url).pathname
      const { data, key } = yield* Effect.flatMap(dataDirectory, (data) =>
        workspaceIn(data, "Hollowell", "--profile", profile)
      )
      const settings = { OVERTURE_GENERATOR: "openai", OPENAI_BASE_URL: model, OVERTURE_MODEL: "tiny" }
      const { url } = yield* serve(data, settings)
      const api = apiClient(url, key)
      const { list_id: list } = (yield* api.send("POST", `/campaigns/${yield* buildCampaign(api)}/generate-batch`, {
        leads: namedLeads(1),
        options
      })).body
      yield* until(api.send("GET", `/lists/${list}`), ({ body }) => body.processing_status === "completed")
      const [{ id: lead }] = (yield* api.send("GET", `/lists/${list}/leads`)).body.data
      writeFileSync(`${data}/.env`, `OVERTURE_URL=${url}\nOVERTURE_API_KEY=${key}\n`)
      yield* modelReplies(modelAnswers)
      const rewrite = ["rewrite", list, lead, "--step", "1", "--instruction", "Mention weekends"]
      const rewritten = yield* command(data, ...rewrite)
      assert.strictEqual(rewritten.code, 0, rewritten.stderr)
      assert.match(rewritten.stdout, /^Email 1, version \d: /)
      assert.isTrue((yield* journal).some(({ user }) => user.includes("For this rewrite: Mention weekends")))
    }).pipe(Effect.provide(Mock.layer))
  )
})
