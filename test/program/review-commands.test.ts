// test/program/review-commands.test.ts: `overture review` against a server: emails shown, edited and restored, and leads decided about.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { writeFileSync } from "node:fs"
import type { ReviewedLead } from "#schema/Review.ts"
import { command, commandJson } from "#test/support/command.ts"
import { onboardedWorkspace, namedLeads, options } from "#test/support/program-workspace.ts"
import { temporaryFolder, runProgram, serve } from "#test/support/process.ts"
import { mailServer } from "#test/support/smtp.ts"
import { until } from "#test/support/until.ts"
import { buildCampaign, apiClient } from "#test/support/api-client.ts"

const worse = "Hi there,\n\nWe are the best supplier in the world, recommended by all chefs.\n\nInterested?"

/** A server with a written list of three leads, and a folder to call it from. */
const desk = Effect.gen(function* () {
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
  const { data: listed } = (yield* api.send("GET", `/lists/${list}/leads`)).body
  const ids: ReadonlyArray<string> = listed.map(({ id }: { readonly id: string }) => id)
  const cwd = yield* temporaryFolder
  writeFileSync(`${cwd}/.env`, `OVERTURE_URL=${server.url}\nOVERTURE_API_KEY=${key}\n`)
  return {
    api,
    setOwner: (email: string) => command(data, "workspace", "owner", workspace, "--email", email),
    cwd,
    ids,
    list: list as string,
    persona: listed[0].persona_id as string,
    received,
    settings: { OVERTURE_URL: server.url, OVERTURE_API_KEY: key },
    review: (verb: string, ...args: ReadonlyArray<string>) => command(cwd, "review", verb, list, ...args),
    json: (verb: string, ...args: ReadonlyArray<string>) => commandJson(cwd, "review", verb, list, ...args),
    lead: (at: number) =>
      Effect.map(api.send("GET", `/lists/${list}/leads/${ids[at]}`), ({ body }): ReviewedLead => body),
    statuses: Effect.map(api.send("GET", `/lists/${list}/leads`), ({ body }) =>
      body.data.map(({ review }: ReviewedLead) => review.status)
    )
  }
})

describe("overture review", () => {
  it.live("shows the emails of a lead, saves new versions, and restores one", () =>
    Effect.gen(function* () {
      const { cwd, ids, json, lead, list, review, settings } = yield* desk
      const [first = ""] = ids
      const shown = yield* runProgram(cwd, settings, "review", "show", list, first)
      assert.strictEqual(shown.code, 0, shown.stderr)
      const before = (yield* lead(0)).emails[0]
      assert.include(shown.stdout, "Lead 1, open: lead0@company0.example, Ann Ortiz, Plant Director")
      assert.include(shown.stdout, `Email 1, version 1: ${before?.subject}`)
      assert.match(shown.stdout, /\nSource campaign \S.*, profile case_studies: Huta Wolbrom/, shown.stdout)
      assert.lengthOf((yield* json("show", first)).emails, 2)

      const edited = yield* review("edit", first, "1", "--body", worse.replaceAll("\n", "\\n"), "--from-version", "1")
      assert.strictEqual(edited.code, 0, edited.stderr)
      assert.include(edited.stdout, `Email 1, version 2, edited: ${before?.subject}\n  Hi there,\n  \n  We are`)
      assert.match(edited.stdout, /\nfail {2}\S+ {2}/)
      assert.strictEqual((yield* lead(0)).emails[0]?.body, worse)
      // Another's change is not overwritten.
      const late = yield* review("edit", first, "1", "--subject", "Late", "--from-version", "1")
      assert.deepStrictEqual([late.code, late.stdout], [1, ""])
      assert.include(late.stderr, "its current version is 2")

      writeFileSync(`${cwd}/email.txt`, "Subject: Pumps\n\nHi Ann,\n\nIs it yours?")
      const email = yield* json("edit", first, "1", "--file", `${cwd}/email.txt`, "--from-version", "2")
      assert.deepInclude(email, { subject: "Pumps", body: "Hi Ann,\n\nIs it yours?", version: 3 })

      const versions = yield* review("versions", first, "1")
      assert.match(versions.stdout, /^VERSION +BY +AT +SUBJECT\n3 +person .* Pumps\n2 +person .*\n1 +writer .*\n$/)
      assert.deepInclude(yield* json("versions", first, "1"), { has_more: false, total: 3 })
      const restored = yield* json("restore", first, "1", "1")
      assert.deepInclude(restored, { subject: before?.subject, body: before?.body, version: 4 })

      for (const [args, says] of [
        [[], "Give a --subject, a --body or a --file"],
        [["--body", "x", "--file", `${cwd}/email.txt`], "Give one of --body and --file"],
        [["--file", `${cwd}/absent.txt`], "Cannot read"]
      ] as const) {
        const { code, stderr } = yield* review("edit", first, "1", ...args, "--from-version", "4")
        assert.strictEqual(code, 1)
        assert.include(stderr, says)
      }
      assert.strictEqual((yield* lead(0)).emails[0]?.version, 4)
    })
  )

  it.live("lists leads, and decides about those that are named, with a note", () =>
    Effect.gen(function* () {
      const { api, cwd, ids, json, lead, list, persona, received, review, setOwner, settings, statuses } = yield* desk
      const [first = "", second = "", third = ""] = ids
      const listed = yield* runProgram(cwd, settings, "review", "list", list)
      assert.match(listed.stdout, /^ID +REVIEW +FINDINGS +EMAIL +SUBJECT\n/)
      assert.lengthOf(listed.stdout.trim().split("\n"), 4)
      const found = yield* json("list", "--search", "BOB", "--persona", persona, "--status", "open")
      assert.deepStrictEqual(
        found.leads.map(({ email }: ReviewedLead) => email),
        (yield* lead(1)).persona_id === persona ? ["lead1@company1.example"] : []
      )
      assert.strictEqual((yield* json("list", "--search", "carla")).total, 1)

      assert.strictEqual((yield* review("approve", first)).stdout, "Changed the review of 1 lead\n")
      assert.strictEqual((yield* review("reject", second, "--note", "Has left")).code, 0)
      assert.deepStrictEqual(yield* statuses, ["approved", "rejected", "open"])
      assert.strictEqual((yield* lead(1)).review.note, "Has left")
      yield* api.send("PATCH", `/lists/${list}/leads/${third}/emails/1`, { body: worse, version: 1 })
      const failing = yield* review("approve", third, "--note", "Fine")
      assert.include(failing.stdout, "Not approved: 1 lead with a failing finding")
      assert.deepInclude((yield* lead(2)).review, { status: "open", note: null })
      assert.strictEqual((yield* json("reopen", first, second)).changed, 2)
      assert.deepStrictEqual(yield* statuses, ["open", "open", "open"])

      yield* setOwner("piotr@kestrel-pumps.example")
      const mailed = yield* review("test-mail", first, "--step", "1")
      assert.strictEqual(mailed.stdout, "Sent 1 test mail to piotr@kestrel-pumps.example\n", mailed.stderr)
      assert.deepStrictEqual(
        received.map(({ to }) => to),
        [["piotr@kestrel-pumps.example"]]
      )
    })
  )

  it.live("decides by rule about leads without findings, or those that a person opened, and counts them first", () =>
    Effect.gen(function* () {
      const { api, ids, json, list, review, statuses } = yield* desk
      const [first = "", , third = ""] = ids
      yield* api.send("PATCH", `/lists/${list}/leads/${third}/emails/1`, { body: worse, version: 1 })
      const dry = yield* review("approve", "--severity", "warn", "--dry-run")
      assert.strictEqual(dry.stdout.split("\n")[0], "Would change the review of 2 leads")
      assert.deepStrictEqual(yield* statuses, ["open", "open", "open"])
      const since = /--unchanged-since (\S+)$/m.exec(dry.stdout)?.[1] ?? ""
      yield* api.send("PATCH", `/lists/${list}/leads/${first}/emails/1`, { subject: "Another subject", version: 1 })
      const unread = yield* review("approve", first, "--note", "Read", "--unchanged-since", since)
      assert.include(unread.stdout, "Left as they are: 1 lead with an email changed since")
      assert.deepStrictEqual(yield* statuses, ["open", "open", "open"])
      yield* api.send("POST", `/lists/${list}/leads/${first}/emails/1/restore`, { version: 1 })
      yield* review("show", first)
      assert.strictEqual((yield* json("approve", "--seen", "--severity", "warn")).changed, 1)
      assert.deepStrictEqual(yield* statuses, ["approved", "open", "open"])
      assert.strictEqual((yield* json("reject", "--search", "company1.example")).changed, 1)
      assert.strictEqual((yield* json("approve", "--all")).failing, 1)
      // A rule changes no lead that was rejected.
      assert.deepStrictEqual(yield* statuses, ["approved", "rejected", "open"])
      for (const args of [[], ["--dry-run"], ["--note", "x"], ["--all", "--note", "x"], [first, "--all"]]) {
        const { code, stderr } = yield* review("approve", ...args)
        assert.strictEqual(code, 1)
        assert.match(stderr, /^Name the leads/)
      }
    })
  )
})
