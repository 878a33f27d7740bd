// test/lead-files.test.ts: the lead-files endpoint: reading CSV, TSV and workbooks, reported problems, and invalid files.
import { assert, it, layer, vi } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { expectBody, expectError } from "./support/answers.ts"
import { LeadFiles } from "#layers/LeadFiles.ts"
import { type Scope, WorkspaceId } from "#schema/Auth.ts"
import { callerFor, newCaller, type Caller } from "./support/callers.ts"
import { proposedCampaign, callerWithCampaign } from "./support/campaigns.ts"
import { zip } from "./support/documents.ts"
import { options, upload } from "./support/endpoints.ts"
import { generateBatch, waitUntilSettled } from "./support/generation-requests.ts"
import * as Server from "./support/server.ts"
import { type Cell, partsOf, xlsx } from "./support/workbooks.ts"

const send = (
  caller: Caller,
  name: string,
  content: string | Uint8Array<ArrayBuffer>,
  fields: Record<string, string> = {}
) => {
  const init = upload(name, content)
  if (init.body instanceof FormData) for (const [key, value] of Object.entries(fields)) init.body.append(key, value)
  return caller.send("POST", "/lead-files", init)
}

const emailsOf = ({ rows }: { readonly rows: ReadonlyArray<{ readonly email: string }> }) =>
  rows.map(({ email }) => email)

const header = ["E-Mail", "Vorname", "Nachname", "Firma", "Größe (m²)"]

layer(Server.layer({ rate: { limit: 100_000, window: Duration.minutes(1) } }), { excludeTestServices: true })(
  "a lead file",
  (it) => {
    it.effect("for a campaign reports leads at clients, competitors and the sender's company", () =>
      Effect.gen(function* () {
        const details = { company_name: "Kestrel Pumps", competitors: "Coldharbour Ltd" }
        const { campaign, caller } = yield* callerWithCampaign({ details })
        const rows = ["Email,Company", "di@south.example,South", "cy@coldharbour.example,Coldharbour Ltd"].join("\n")
        const { problems } = yield* expectBody(200, send(caller, "a.csv", rows, { campaign_id: campaign }))
        assert.deepStrictEqual(
          problems.map(({ email, kind, row }: Record<string, unknown>) => [kind, row, email]),
          [["client", 2, "cy@coldharbour.example"]]
        )
        assert.include(problems[0].message, "Coldharbour")
        assert.deepStrictEqual((yield* expectBody(200, send(caller, "a.csv", rows))).problems, [])
        const other = yield* newCaller()
        yield* expectError(400, "BAD_REQUEST", send(other, "a.csv", rows, { campaign_id: campaign }))
        yield* expectError(400, "BAD_REQUEST", send(other, "a.csv", rows, { campaign_id: "none" }))
      })
    )

    it.effect("reports unusable names and companies, with the lead and the field", () =>
      Effect.gen(function* () {
        const caller = yield* newCaller()
        const rows = [
          "Email,Name,Company",
          'a@one.example,"=HYPERLINK(""http://x.example"",""Ann"")",North',
          "b@two.example,Ben,https://two.example/about",
          "c@three.example,cy@three.example,3M",
          "d@four.example,12345,N/A",
          "e@five.example,Test Test,test",
          "f@six.example,Jane N/A,-",
          "g@seven.example,Jane Poe,1&1"
        ].join("\n")
        const { problems } = yield* expectBody(200, send(caller, "a.csv", rows))
        assert.deepStrictEqual(
          problems
            .filter(({ kind }: Record<string, unknown>) => kind === "unusable")
            .map(({ field, message, row }: Record<string, unknown>) => [row, field, message]),
          [
            [1, "name", "The name is a formula, so no email uses it."],
            [2, "company", "The company is a link, so no email uses it."],
            [3, "name", "The name is an email address, so no email uses it."],
            [4, "name", "The name is a number, so no email uses it."],
            [4, "company", "The company is a placeholder, so no email uses it."],
            [5, "name", "The name is a placeholder, so no email uses it."],
            [5, "company", "The company is a placeholder, so no email uses it."],
            [6, "name", "The name is a placeholder, so no email uses it."],
            [6, "company", "The company is only punctuation, so no email uses it."]
          ]
        )
      })
    )

    it.effect("for a campaign reports leads whose company resembles a known or suppressed one", () =>
      Effect.gen(function* () {
        const details = { company_name: "Kestrel Pumps", competitors: "Coldharbour Ltd, Delta" }
        const { campaign, caller } = yield* callerWithCampaign({ details })
        yield* expectBody(200, caller.post("/suppressions", { entries: [{ value: "Hollowell", kind: "company" }] }))
        const rows = [
          "Email,Company",
          "a@one.example,Coldharbour Germany GmbH",
          "b@two.example,Coldharbour Labs",
          "c@three.example,Delta Dental",
          "d@four.example,Deltamax",
          "e@five.example,Hollowell Foods",
          "f@six.example,Hollowell UK Ltd"
        ].join("\n")
        const { problems } = yield* expectBody(200, send(caller, "a.csv", rows, { campaign_id: campaign }))
        assert.deepStrictEqual(
          problems.map(({ kind, message, row }: Record<string, unknown>) => [kind, row, message]),
          [
            ["client", 1, "Coldharbour Ltd is one of the competitors in your company profile."],
            ["maybe", 2, "Coldharbour Labs may be Coldharbour Ltd, one of the competitors in your company profile."],
            ["maybe", 3, "Delta Dental may be Delta, one of the competitors in your company profile."],
            ["maybe", 5, "Hollowell Foods may be hollowell, which is on the suppression list."],
            ["suppressed", 6, "hollowell is on the suppression list."]
          ]
        )
      })
    )

    it.effect("for a campaign reports leads that are suppressed or were written to before", () =>
      Effect.gen(function* () {
        const { campaign, caller } = yield* callerWithCampaign()
        const leads = [{ email: "bo@north.example" }]
        yield* expectBody(202, generateBatch(caller, campaign, { leads, options: { ...options, list_name: "Before" } }))
        yield* expectBody(
          202,
          generateBatch(caller, campaign, { leads, options: { ...options, list_name: "Trade fair" } })
        )
        yield* expectBody(200, caller.post("/suppressions", { entries: [{ value: "osei.example", reason: "Client" }] }))
        const rows = ["Email", "kim@osei.example", "BO@north.example", "di@south.example"].join("\n")
        const problems = (id: string) =>
          Effect.map(expectBody(200, send(caller, "a.csv", rows, { campaign_id: id })), ({ problems }) =>
            problems.map(({ kind, list, message, row }: Record<string, unknown>) => [kind, row, message, list])
          )
        const suppressed = ["suppressed", 1, "osei.example is on the suppression list (Client).", undefined]
        assert.deepStrictEqual(yield* problems(campaign), [
          suppressed,
          ["written_campaign", 2, "The list “Trade fair” of this campaign has this address.", "Trade fair"]
        ])
        assert.deepStrictEqual(yield* problems(yield* proposedCampaign(caller)), [
          suppressed,
          ["written_workspace", 2, "The list “Trade fair” of this workspace has this address.", "Trade fair"]
        ])
      })
    )

    it.effect("for a campaign reports leads that were left out or rejected in an earlier list", () =>
      Effect.gen(function* () {
        const { campaign, caller } = yield* callerWithCampaign()
        const writeList = Effect.fnUntraced(function* (
          list_name: string,
          leads: ReadonlyArray<string>,
          leftOut: ReadonlyArray<string> = []
        ) {
          const omitted_rows = [
            ...leftOut.map((email) => ({ email, reason: "left out by hand", by_hand: true })),
            { email: "di@south.example", reason: "same address as line 2" }
          ]
          const payload = {
            leads: leads.map((email) => ({ email })),
            options: { ...options, list_name, omitted_rows }
          }
          const { list_id } = yield* expectBody(202, generateBatch(caller, campaign, payload))
          yield* waitUntilSettled(caller, list_id)
          return list_id
        })
        const reviewAll = Effect.fnUntraced(function* (list: string, status: string) {
          yield* expectBody(200, caller.post(`/lists/${list}/review`, { status, max_severity: "fail" }))
        })
        const rows = ["Email", "kim@osei.example", "bo@north.example", "di@south.example", "al@west.example"].join("\n")
        const decidedProblems = Effect.map(
          expectBody(200, send(caller, "a.csv", rows, { campaign_id: campaign })),
          ({ problems }) =>
            problems.flatMap(({ email, kind, list, message }: Record<string, unknown>) =>
              kind === "decided" ? [[email, message, list]] : []
            )
        )
        const fairList = yield* writeList("Fair", ["bo@north.example", "al@west.example"], ["KIM@osei.example"])
        const kimLeftOut = ["kim@osei.example", "Left out by hand from the list “Fair”.", "Fair"]
        assert.deepStrictEqual(yield* decidedProblems, [kimLeftOut])
        yield* reviewAll(fairList, "rejected")
        assert.deepStrictEqual(yield* decidedProblems, [
          kimLeftOut,
          ["bo@north.example", "Rejected in the list “Fair”.", "Fair"],
          ["al@west.example", "Rejected in the list “Fair”.", "Fair"]
        ])
        // A newer list that writes to a lead replaces the earlier decision.
        yield* writeList("Second", ["kim@osei.example"], ["al@west.example"])
        assert.deepStrictEqual(yield* decidedProblems, [
          ["bo@north.example", "Rejected in the list “Fair”.", "Fair"],
          ["al@west.example", "Left out by hand from the list “Second”.", "Second"]
        ])
        yield* reviewAll(fairList, "open")
        assert.deepStrictEqual(yield* decidedProblems, [
          ["al@west.example", "Left out by hand from the list “Second”.", "Second"]
        ])
        const other = yield* callerWithCampaign()
        const { problems } = yield* expectBody(200, send(other.caller, "a.csv", rows, { campaign_id: other.campaign }))
        assert.deepStrictEqual(problems, [])
      })
    )

    it.effect("for a campaign is the same file with more problems, and is not parsed as a whole", () =>
      Effect.gen(function* () {
        const { campaign, caller } = yield* callerWithCampaign()
        yield* expectBody(200, caller.post("/suppressions", { entries: [{ value: "osei.example" }] }))
        const filler = "x".repeat(300)
        const rows = [
          "Email,Name,Company,Note,Exclude",
          'info@osei.example,Jörg Weiß,N/A,"""]}",',
          "jo@brandt.example,Jo,Brandt,b,yes",
          ",no address,,,",
          ...Array.from({ length: 800 }, (_, i) => `a${i}@b${i}.example,Na Me,North,${filler},`),
          "kim@osei.example,Kim,Osei,c,"
        ].join("\n")
        const plain = yield* expectBody(200, send(caller, "a.csv", rows))
        const parse = yield* Effect.acquireRelease(
          Effect.sync(() => vi.spyOn(JSON, "parse")),
          (spy) => Effect.sync(() => spy.mockRestore())
        )
        const answer = yield* send(caller, "a.csv", rows, { campaign_id: campaign })
        // The test itself parses the answer.
        const parsed = parse.mock.calls.map(([text]) => text).filter((text) => text !== answer.text)
        assert.isBelow(Math.max(...parsed.map((text) => text.length)), answer.text.length / 4)
        const suppressed = (row: number, email: string) => {
          const message = "osei.example is on the suppression list."
          return { kind: "suppressed", line: null, row, email, message, suggestion: null }
        }
        assert.sameMembers(
          plain.problems.map(({ kind }: Record<string, unknown>) => kind),
          ["excluded", "left_out", "role", "unusable"]
        )
        assert.deepStrictEqual(answer.body, {
          ...plain,
          problems: [...plain.problems, suppressed(1, "info@osei.example"), suppressed(802, "kim@osei.example")]
        })
        const only = "Email\nkim@osei.example"
        assert.deepStrictEqual(
          (yield* expectBody(200, send(caller, "a.csv", only, { campaign_id: campaign }))).problems,
          [suppressed(1, "kim@osei.example")]
        )
        for (const unmarked of ["Email\njo@brandt.example", "Email\ninfo@brandt.example", "Who\nJo"]) {
          const marked = yield* send(caller, "a.csv", unmarked, { campaign_id: campaign })
          assert.strictEqual(marked.text, (yield* send(caller, "a.csv", unmarked)).text)
        }
      })
    )

    it.effect("for a campaign reports lists and the suppression list only to keys that may read them", () =>
      Effect.gen(function* () {
        const { campaign, caller } = yield* callerWithCampaign({ details: { competitors: "Coldharbour Ltd" } })
        yield* expectBody(
          200,
          caller.post("/suppressions", { entries: [{ value: "osei.example", reason: "Lawsuit" }] })
        )
        const leads = [{ email: "bo@north.example" }]
        const omitted_rows = [{ email: "di@south.example", reason: "left out by hand", by_hand: true }]
        const payload = { leads, options: { ...options, list_name: "Secret fair", omitted_rows } }
        yield* expectBody(202, generateBatch(caller, campaign, payload))
        const rows = [
          "Email,Company",
          "kim@osei.example,Osei",
          "bo@north.example,North",
          "di@south.example,South",
          "cy@coldharbour.example,Coldharbour Ltd",
          "al@labs.example,Coldharbour Labs",
          "info@west.example,West"
        ].join("\n")
        const kinds = Effect.fnUntraced(function* (...scopes: ReadonlyArray<Scope>) {
          const reader = yield* callerFor(caller.workspace, ["lists:write", ...scopes])
          const answer = yield* send(reader, "a.csv", rows, { campaign_id: campaign })
          assert.strictEqual(answer.text.includes("Secret fair"), scopes.includes("lists:read"))
          assert.strictEqual(answer.text.includes("Lawsuit"), scopes.includes("workspace:read"))
          const { problems } = yield* expectBody(200, Effect.succeed(answer))
          return problems.map(({ kind, row }: Record<string, unknown>) => [row, kind])
        })
        const role = [6, "role"]
        const ofLists = [
          [2, "written_campaign"],
          [3, "decided"]
        ]
        const ofProfile = [
          [1, "suppressed"],
          [4, "client"],
          [5, "maybe"]
        ]
        assert.deepStrictEqual(yield* kinds(), [role])
        assert.deepStrictEqual(yield* kinds("lists:read"), [role, ...ofLists])
        assert.deepStrictEqual(yield* kinds("workspace:read"), [role, ...ofProfile])
        assert.deepStrictEqual(yield* kinds("lists:read", "workspace:read"), [
          role,
          [1, "suppressed"],
          ...ofLists,
          [4, "client"],
          [5, "maybe"]
        ])
      })
    )

    it.effect("of text is read with any delimiter, and returns its mapping", () =>
      Effect.gen(function* () {
        const caller = yield* newCaller()
        const rows = [
          header,
          ["jo@brandt.example", "Jo", "Brandt", "Brandt Tee", "1200"],
          ["", "Kim", "Osei", "Osei", ""],
          ["JO@brandt.example", "Jo", "Brandt", "", ""]
        ]
        for (const [name, delimiter] of [
          ["a.csv", ";"],
          ["a.CSV", ","],
          ["a.tsv", "\t"]
        ] as const) {
          const result = yield* expectBody(
            200,
            send(caller, name, rows.map((cells) => cells.join(delimiter)).join("\r\n"))
          )
          assert.deepStrictEqual(result, {
            sheet: null,
            sheets: [],
            columns: header,
            mapping: {
              email: ["E-Mail"],
              name: ["Vorname", "Nachname"],
              title: [],
              company: ["Firma"],
              linkedin_url: [],
              company_website: [],
              exclude: [],
              custom_fields: { grosse_m2: "Größe (m²)" }
            },
            rows: [
              {
                email: "jo@brandt.example",
                name: "Jo Brandt",
                company: "Brandt Tee",
                custom_fields: { grosse_m2: "1200" }
              }
            ],
            checks: { role: 0, disposable: 0, consumer: 0, typo: 0 },
            problems: [
              {
                kind: "left_out",
                line: 3,
                row: null,
                email: null,
                message: "no email address",
                suggestion: null,
                name: "Kim Osei"
              },
              {
                kind: "left_out",
                line: 4,
                row: null,
                email: "JO@brandt.example",
                message: "same address as line 2",
                suggestion: null,
                name: "Jo Brandt"
              }
            ]
          })
        }
      })
    )

    it.effect("leaves out the leads that a column of it marks, and gives each to be written to all the same", () =>
      Effect.gen(function* () {
        const { campaign, caller } = yield* callerWithCampaign()
        const rows = [
          ["Email", "Name", "Unsubscribed"],
          ["jo@brandt.example", "Jo Brandt", true],
          ["kim@osei.example", "Kim Osei", false]
        ]
        const read = yield* expectBody(200, send(caller, "a.xlsx", xlsx({ Leads: rows }), { campaign_id: campaign }))
        assert.deepStrictEqual(emailsOf(read), ["kim@osei.example"])
        assert.deepStrictEqual(read.mapping.exclude, ["Unsubscribed"])
        assert.deepStrictEqual(read.problems, [
          {
            kind: "excluded",
            line: 2,
            row: null,
            email: "jo@brandt.example",
            message: 'the column "Unsubscribed" says "true"',
            suggestion: null,
            opt_out: true,
            lead: { email: "jo@brandt.example", name: "Jo Brandt" }
          }
        ])
        const excluded = [rows[0]?.with(2, "Exclude") ?? [], ...rows.slice(1)]
        const [problem] = (yield* expectBody(200, send(caller, "a.xlsx", xlsx({ Leads: excluded })))).problems
        assert.deepInclude(problem, { kind: "excluded", email: "jo@brandt.example" })
        assert.notProperty(problem, "opt_out")
        const mapping = JSON.stringify({ exclude: [] })
        const all = yield* expectBody(200, send(caller, "a.xlsx", xlsx({ Leads: rows }), { mapping }))
        assert.lengthOf(all.rows, 2)
        const wrong = JSON.stringify({ exclude: ["Gone"] })
        const { issues } = yield* expectError(
          400,
          "BAD_REQUEST",
          send(caller, "a.xlsx", xlsx({ Leads: rows }), { mapping: wrong })
        )
        assert.strictEqual(issues[0].path, "mapping.exclude")
      })
    )

    it.effect("that is a workbook returns text, numbers, dates and the stored results of formulas", () =>
      Effect.gen(function* () {
        const caller = yield* newCaller()
        const rows: ReadonlyArray<ReadonlyArray<Cell>> = [
          ["Email", "Name", "Last meeting", "Call at", "Sites", "Client", "Score", "Ratio", "Fault", "Blank"],
          [
            { formula: 'CONCATENATE("jo","@brandt.example")', result: "jo@brandt.example" },
            "Jörg Weiß & Söhne <Köln>",
            { days: 46217 },
            { days: 46217.395833333336 },
            3,
            true,
            { formula: "SUM(A1)", result: "12" },
            0.25,
            { errorValue: "#DIV/0!" },
            { formula: "A1" }
          ],
          [],
          [null, "no address", null, null, 4]
        ]
        const result = yield* expectBody(200, send(caller, "leads.xlsx", xlsx({ Leads: rows })))
        assert.deepStrictEqual(result.rows, [
          {
            email: "jo@brandt.example",
            name: "Jörg Weiß & Söhne <Köln>",
            custom_fields: {
              last_meeting: "2026-07-14",
              call_at: "2026-07-14 09:30",
              sites: "3",
              client: "true",
              score: "12",
              ratio: "0.25"
            }
          }
        ])
        assert.deepStrictEqual(result.problems, [
          {
            kind: "left_out",
            line: 4,
            row: null,
            email: null,
            message: "no email address",
            suggestion: null,
            name: "no address"
          }
        ])
        assert.deepStrictEqual([result.sheet, result.sheets], ["Leads", ["Leads"]])
      })
    )

    it.effect("that is a workbook returns its first sheet or the named one", () =>
      Effect.gen(function* () {
        const caller = yield* newCaller()
        const file = xlsx({
          "Frühjahr & Messe": [["Email"], ["first@one.example"]],
          Zweite: [["Email"], ["second@two.example"]]
        })
        const sheets = ["Frühjahr & Messe", "Zweite"]
        const first = yield* expectBody(200, send(caller, "a.xlsx", file))
        assert.deepStrictEqual([emailsOf(first), first.sheet, first.sheets], [["first@one.example"], sheets[0], sheets])
        const second = yield* expectBody(200, send(caller, "a.xlsx", file, { sheet: "Zweite" }))
        assert.deepStrictEqual([emailsOf(second), second.sheet], [["second@two.example"], "Zweite"])
        const { issues } = yield* expectError(400, "BAD_REQUEST", send(caller, "a.xlsx", file, { sheet: "Dritte" }))
        assert.match(issues[0].message, /no sheet "Dritte".*"Frühjahr & Messe", "Zweite"/)
      })
    )

    it.effect("without an email column returns its headers, and accepts a mapping", () =>
      Effect.gen(function* () {
        const caller = yield* newCaller()
        const text = "Who,Where\nJo,jo at brandt\nKim,kim at osei"
        const unmapped = yield* expectBody(200, send(caller, "a.csv", text))
        assert.deepStrictEqual([unmapped.columns, unmapped.rows, unmapped.mapping.email], [["Who", "Where"], [], []])
        assert.strictEqual(unmapped.problems[0].kind, "no_email_column")
        const twoColumns = "Mail,Other mail,Boss\na@one.example,b@two.example,Jo"
        const mapping = JSON.stringify({ email: "Other mail", name: ["Boss"] })
        const result = yield* expectBody(200, send(caller, "a.csv", twoColumns, { mapping }))
        assert.deepInclude(result.rows[0], { email: "b@two.example", name: "Jo" })
        for (const invalidMapping of ["{", "[]", '{"mail": ["x"]}', '{"email": 1}']) {
          yield* expectError(400, "BAD_REQUEST", send(caller, "a.csv", twoColumns, { mapping: invalidMapping }))
        }
        const missingHeader = JSON.stringify({ email: ["Mail"], title: "Job" })
        const { issues } = yield* expectError(
          400,
          "BAD_REQUEST",
          send(caller, "a.csv", twoColumns, { mapping: missingHeader })
        )
        assert.strictEqual(issues[0].path, "mapping.title")
        assert.strictEqual(
          issues[0].message,
          'names the header "Job", which the file does not have. Its headers are "Mail", "Other mail", "Boss"'
        )
      })
    )

    it.effect("of 50,000 leads is read, and one more is refused", () =>
      Effect.gen(function* () {
        const caller = yield* newCaller()
        const rows = Array.from({ length: 50_000 }, (_, i): ReadonlyArray<Cell> => [
          `lead${i}@company.example`,
          `Änne ${i}`,
          "Head of Maintenance and Operations",
          i
        ])
        const file = xlsx({ Leads: [["Email", "Name", "Job title", "Number"], ...rows] })
        const result = yield* expectBody(200, send(caller, "a.xlsx", file))
        assert.lengthOf(result.rows, 50_000)
        // Every cell must be complete, even at the boundaries of the parser's chunks.
        for (const [i, row] of result.rows.entries()) {
          assert.deepStrictEqual(row, {
            email: `lead${i}@company.example`,
            name: `Änne ${i}`,
            title: "Head of Maintenance and Operations",
            custom_fields: { number: String(i) }
          })
        }
        const tooMany = ["Email", ...rows.map(([email]) => email), "more@company.example"].join("\n")
        const { issues } = yield* expectError(400, "BAD_REQUEST", send(caller, "a.csv", tooMany))
        assert.match(issues[0].message, /50001 rows below the headers; at most 50000/)
      })
    )

    it.effect("reports unusual addresses without excluding them", () =>
      Effect.gen(function* () {
        const caller = yield* newCaller()
        const expected: ReadonlyArray<readonly [string, ReadonlyArray<string>, string | null]> = [
          ["jo@brandt.example", [], null],
          ["Info@brandt.example", ["role"], null],
          ["sales+fair@brandt.example", ["role"], null],
          ["kim@mailinator.com", ["disposable"], null],
          ["kim.osei@gmail.com", ["consumer"], null],
          ["kim.osei@gmial.com", ["typo"], "kim.osei@gmail.com"],
          ["ann@hotmial.com", ["typo"], "ann@hotmail.com"],
          ["ann@brandt.con", ["typo"], "ann@brandt.com"],
          ["contact@gmx.net", ["consumer", "role"], null],
          // Company domains that resemble those of email providers.
          ["a@meta.com", [], null],
          ["a@cloud.com", [], null],
          ["informatik@brandt.example", [], null]
        ]
        const text = ["Email", ...expected.map(([email]) => email)].join("\n")
        const { checks, problems, rows } = yield* expectBody(200, send(caller, "a.csv", text))
        assert.lengthOf(rows, expected.length)
        assert.deepStrictEqual(checks, { role: 3, disposable: 1, consumer: 2, typo: 3 })
        for (const [index, [email, kinds, suggestion]] of expected.entries()) {
          const problemsOfRow = problems.filter((problem: { readonly row: number }) => problem.row === index + 1)
          assert.deepStrictEqual(
            problemsOfRow.map(({ kind }: { readonly kind: string }) => kind),
            kinds,
            email
          )
          for (const problem of problemsOfRow) assert.deepInclude(problem, { email, line: null, suggestion })
        }
      })
    )

    it.effect("can be sent to generate-batch as returned", () =>
      Effect.gen(function* () {
        const { campaign, caller } = yield* callerWithCampaign()
        const { rows } = yield* expectBody(
          200,
          send(
            caller,
            "a.xlsx",
            xlsx({
              Leads: [
                ["Email", "Town"],
                ["jo@brandt.example", "Köln"]
              ]
            })
          )
        )
        const { list_id } = yield* expectBody(202, generateBatch(caller, campaign, { leads: rows, options }))
        assert.strictEqual((yield* waitUntilSettled(caller, list_id)).processing_status, "completed")
      })
    )

    const validSheet = [["Email"], ["jo@brandt.example"]]
    const megabyte = "<c/>".repeat(256 * 1024)
    const zipBomb = zip([
      ...partsOf({ A: validSheet }).filter(({ name }) => !name.endsWith("sheet1.xml")),
      { name: "xl/worksheets/sheet1.xml", content: megabyte.repeat(40), claimedSize: 1000 }
    ])
    const manyZipBombs = zip([
      ...partsOf({ A: validSheet }),
      ...Array.from({ length: 90 }, (_, i) => ({
        name: `xl/worksheets/more${i}.xml`,
        // Each part is small enough, but together they are too large.
        content: Array.from(
          { length: 50_000 },
          (_, index) => `<c r="A${index}"><v>${(index * 7919) % 100_003}</v></c>`
        ).join(""),
        claimedSize: 10
      }))
    ])
    const workbookWithCell = (cell: string, row = "1048576", sheets = { A: validSheet, B: validSheet }) =>
      zip(
        partsOf(sheets).map((part) =>
          part.name.endsWith("sheet1.xml")
            ? {
                ...part,
                content: `<x:worksheet xmlns:x="x"><x:sheetData><x:row r="${row}">${cell}</x:row></x:sheetData></x:worksheet>`
              }
            : part
        )
      )
    const lastCell = '<x:c r="XFD1048576"><x:v>1</x:v></x:c>'

    const invalidFiles: ReadonlyArray<readonly [string, string, () => string | Uint8Array<ArrayBuffer>, RegExp]> = [
      ["a document", "a.docx", () => zip([{ name: "word/document.xml", content: "<w/>" }]), /\.csv, \.tsv or \.xlsx/],
      ["no extension", "leads", () => "Email\na@b.example", /\.csv, \.tsv or \.xlsx/],
      ["an old workbook", "a.xls", () => "\u00d0\u00cf", /save it as \.xlsx/],
      ["a workbook that is none", "a.xlsx", () => "Email\na@b.example", /named \.xlsx/],
      ["a workbook under another name", "a.csv", () => xlsx({ A: validSheet }), /named \.csv/],
      ["another archive", "a.xlsx", () => zip([{ name: "a.txt", content: "x" }]), /not an \.xlsx/],
      ["an archive that breaks off", "a.xlsx", () => xlsx({ A: validSheet }).slice(0, 300), /damaged/],
      [
        "tags nested so deep that reading them takes minutes",
        "a.xlsx",
        // Of several names, because a file that is packed to almost nothing is refused before it is parsed.
        () => workbookWithCell(Array.from({ length: 500_000 }, (_, i) => `<a${(i * 7919) % 100_003}>`).join("")),
        /nested deeper than 64 levels/
      ],
      [
        "a sheet that is no XML",
        "a.xlsx",
        () =>
          zip(
            partsOf({ A: validSheet }).map((part) =>
              part.name.includes("sheet1") ? { ...part, content: "<<<" } : part
            )
          ),
        /damaged/
      ],
      [
        "a protected workbook",
        "a.xlsx",
        () => zip(partsOf({ A: validSheet }).map((part) => ({ ...part, flags: 1 }))),
        /password/
      ],
      ["a bomb", "a.xlsx", () => zipBomb, /inflates/],
      ["many small bombs", "a.xlsx", () => manyZipBombs, /inflates|memory/],
      [
        "a cell at the end of the world",
        "a.xlsx",
        () => workbookWithCell(lastCell),
        /"A" is too large: with the cell XFD1048576/
      ],
      [
        "a cell in no column",
        "a.xlsx",
        () => workbookWithCell(lastCell.replace("XFD", "ZZZZZZZ")),
        /"A" is too large: with the cell Z/
      ],
      [
        "a row beyond the end of the world",
        "a.xlsx",
        () => workbookWithCell("", "1e9"),
        /"A" is too large: it has a row 1e9/
      ],
      [
        "too many parts",
        "a.xlsx",
        () =>
          zip([
            ...partsOf({ A: validSheet }),
            ...Array.from({ length: 1001 }, (_, i) => ({ name: `${i}.xml`, content: "" }))
          ]),
        /1000 parts/
      ],
      ["an image", "a.csv", () => new Uint8Array(Buffer.from("\u0089PNG\r\n\u001a\n\0\0", "latin1")), /image/],
      ["bytes that are no text", "a.csv", () => new Uint8Array([0x41, 0, 0x42, 0]), /not text/],
      ["nothing", "a.csv", () => "", /is empty/],
      ["only headers", "a.csv", () => "Email,Name", /nothing below it/],
      ["a quote that is never closed", "a.csv", () => 'Email,Name\na@b.example,"x', /never closed/]
    ]

    it.effect.each(invalidFiles)("that is %s is refused with a reason", ([, name, content, message]) =>
      Effect.gen(function* () {
        const caller = yield* newCaller()
        const { issues } = yield* expectError(400, "BAD_REQUEST", send(caller, name, content()))
        assert.strictEqual(issues[0].path, "file")
        assert.match(issues[0].message, message)
        // The parser still works for the next file.
        assert.lengthOf((yield* expectBody(200, send(caller, "a.xlsx", xlsx({ A: validSheet })))).rows, 1)
      })
    )

    it.effect("that is a workbook is read if only another sheet is too large or a distant cell is empty", () =>
      Effect.gen(function* () {
        const caller = yield* newCaller()
        assert.lengthOf(
          (yield* expectBody(200, send(caller, "a.xlsx", workbookWithCell(lastCell), { sheet: "B" }))).rows,
          1
        )
        const parts = partsOf({ A: validSheet }).map((part) => ({
          ...part,
          content: String(part.content).replace(
            "</sheetData>",
            '<row r="1048576"><c r="XFD1048576" s="1"/></row></sheetData>'
          )
        }))
        assert.lengthOf((yield* expectBody(200, send(caller, "a.xlsx", zip(parts)))).rows, 1)
      })
    )

    it.effect("must be sent in one part, and needs lists:write", () =>
      Effect.gen(function* () {
        const caller = yield* newCaller()
        const form = new FormData()
        for (const name of ["a.csv", "b.csv"]) form.append("file", new File(["Email\na@b.example"], name))
        yield* expectError(400, "BAD_REQUEST", caller.send("POST", "/lead-files", { body: form }))
        yield* expectError(400, "BAD_REQUEST", caller.send("POST", "/lead-files", { body: new FormData() }))
        yield* expectError(400, "BAD_REQUEST", caller.post("/lead-files", { file: "a" }))
        const readOnlyCaller = yield* newCaller({ scopes: ["lists:read"] })
        yield* expectError(403, "FORBIDDEN", send(readOnlyCaller, "a.csv", "Email\na@b.example"))
      })
    )
  }
)

it.live("a large file is moved to the thread that reads it, not copied", () =>
  Effect.gen(function* () {
    const content = new TextEncoder().encode("Email\nida@north.example")
    const workspace = WorkspaceId.make("01980f3e-7c1a-7d52-9b7e-2f64c0a81d35")
    const file = { format: "csv", content, sheet: undefined, chosen: {} } as const
    const { json } = yield* (yield* LeadFiles).read(workspace, file)
    assert.include(new TextDecoder().decode(json), "ida@north.example")
    assert.strictEqual(content.length, 0)
  }).pipe(Effect.provide(LeadFiles.layer))
)
