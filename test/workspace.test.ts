// test/workspace.test.ts: the company profile, the documents generated from it, their signed links, and regeneration.
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Documents } from "#layers/Documents.ts"
import { GenerationFailed } from "#layers/generator/GenerationFailed.ts"
import { Links } from "#layers/Links.ts"
import { Workspaces } from "#layers/Workspaces.ts"
import { listFields, noDetails, textFields } from "#schema/Details.ts"
import { expectBody, expectError } from "./support/answers.ts"
import { newCaller, callerFor, awaitJob, onboardedCaller } from "./support/callers.ts"
import { builtCampaign, selectOption, createCampaign, assetOptions, selectAudience } from "./support/campaigns.ts"
import { gated } from "./support/faults.ts"
import { layer, Server } from "./support/server.ts"
import { until } from "./support/until.ts"
import { newWorkspace } from "./support/workspace.ts"
import { fakeWriter } from "./support/writer.ts"

const details = { ...noDetails, company_name: "Acme" }

/** Follows a link of an answer, as a browser would: without a key. */
const follow = Effect.fnUntraced(function* (link: string) {
  const { send } = yield* Server
  return yield* send("GET", `/../..${link}`)
})

describe("a workspace", () => {
  it.live("returns all of its details and the state of its documents", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      assert.deepStrictEqual(yield* expectBody(200, caller.get("/workspace")), {
        id: caller.workspace,
        name: "Acme",
        onboarding_completed: false,
        details,
        writer: { kind: "builtin", model: null, answered: null, problem: null, server: null },
        documents: [
          { type: "company_summary", title: "Company summary", status: "unavailable", download_url: null },
          { type: "market_research", title: "Market research", status: "unavailable", download_url: null }
        ]
      })
      const onboarded = yield* onboardedCaller()
      const documentStates = yield* expectBody(200, onboarded.get("/workspace"))
      assert.isTrue(documentStates.onboarding_completed)
      assert.deepStrictEqual((yield* expectBody(200, onboarded.get("/workspace/documents"))).documents.length, 2)
      for (const { download_url, status } of documentStates.documents) {
        assert.strictEqual(status, "ready")
        assert.match(download_url, /\/files\/[0-9a-f-]{36}\?expires=\d+&signature=[0-9a-f]{64}$/)
      }
    }).pipe(Effect.provide(layer()))
  )

  it.live("has the detail fields of the contract, each of which can be changed", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const texts = `company_name website_url city_region industry_vertical contact_name contact_title contact_phone
        contact_email business_address primary_goal target_job_titles ideal_client_urls competitors business_description
        problems_solved client_transformation ideal_client_description pain_points solution_triggers
        competitor_frustrations unique_differentiators objections_and_responses additional_info`.split(/\s+/)
      const lists = ["case_studies", "credibility_markers", "guarantee", "lead_magnets"]
      const allDetails = {
        ...Object.fromEntries(texts.map((field) => [field, `Our ${field}`])),
        core_products: [{ product: "K-200", pricing: "" }],
        ...Object.fromEntries(lists.map((field) => [field, [`Our ${field}`]])),
        website_url: "https://acme.example",
        contact_phone: "+48 32 555 01 00",
        contact_email: "ann@acme.example"
      }
      assert.hasAllKeys((yield* expectBody(200, caller.get("/workspace"))).details, Object.keys(allDetails))
      for (const [field, value] of Object.entries(allDetails)) {
        const input = field === "core_products" ? [{ product: "K-200" }] : value
        const { details } = yield* expectBody(200, caller.put("/workspace/details", { [field]: input }))
        assert.deepStrictEqual(details[field], value)
      }
      assert.deepStrictEqual((yield* expectBody(200, caller.get("/workspace"))).details, allDetails)
    }).pipe(Effect.provide(layer({ runsWorkers: false })))
  )

  it.live("has documents in progress while its research runs", () => {
    const marketResearch = gated(fakeWriter.marketResearch)
    return Effect.gen(function* () {
      const { onboarding, workspace } = yield* newWorkspace({
        owner_email: "ann@acme.example",
        details: { company_name: "Acme" },
        research: true
      })
      const caller = yield* callerFor(workspace.id)
      const documentStates = Effect.map(
        expectBody(200, caller.get("/workspace")),
        ({ documents, onboarding_completed }) => [
          onboarding_completed,
          ...documents.map(({ download_url, status }: any) => [status, download_url === null])
        ]
      )
      yield* marketResearch.started
      assert.deepStrictEqual(yield* documentStates, [false, ["processing", true], ["processing", true]])
      assert.deepStrictEqual(yield* expectError(409, "NOT_READY", caller.post("/campaigns", { name: "Spring" })), {
        missing: ["company_summary", "company_documents", "target_audiences"]
      })
      yield* marketResearch.open
      yield* awaitJob(caller, onboarding ?? "")
      assert.deepStrictEqual(yield* documentStates, [true, ["ready", false], ["ready", false]])
      yield* expectBody(202, caller.post("/workspace/regenerate"))
      const { details: _, documents, writer: __, ...otherFields } = yield* expectBody(200, caller.get("/workspace"))
      assert.deepStrictEqual(otherFields, { id: workspace.id, name: "Acme", onboarding_completed: true })
      assert.lengthOf(documents, 2)
    }).pipe(Effect.provide(layer({ writer: { marketResearch } })))
  })

  it.live("changes the details that are sent and leaves the others", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const changed = yield* expectBody(
        200,
        caller.put("/workspace/details", {
          city_region: "Katowice",
          core_products: [{ product: "K-200", pricing: "EUR 14,500" }, { product: "Sense" }],
          guarantee: ["No charge"],
          competitors: null,
          not_a_field: 5
        })
      )
      const expected = {
        ...details,
        city_region: "Katowice",
        core_products: [
          { product: "K-200", pricing: "EUR 14,500" },
          { product: "Sense", pricing: "" }
        ],
        guarantee: ["No charge"]
      }
      assert.deepStrictEqual(changed, { details: expected })
      const cleared = yield* expectBody(200, caller.put("/workspace/details", { city_region: "", guarantee: [] }))
      assert.deepStrictEqual(cleared, { details: { ...expected, city_region: null, guarantee: null } })
      assert.deepStrictEqual((yield* expectBody(200, caller.get("/workspace"))).details, cleared.details)
    }).pipe(Effect.provide(layer()))
  )

  it.live("clears a detail that is null or empty, which counts as a changed field", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      for (const [field, value] of [
        ["city_region", "Katowice"],
        ["contact_email", "ann@acme.example"],
        ["contact_phone", "(032) 555-0100 ext. 7"],
        ["website_url", "acme.example"],
        ["guarantee", ["No charge"]],
        ["core_products", [{ product: "Oak", pricing: "" }]]
      ] as const) {
        for (const empty of [null, typeof value === "string" ? "" : []]) {
          const filled = yield* expectBody(200, caller.put("/workspace/details", { [field]: value }))
          assert.deepStrictEqual(filled.details[field], value)
          assert.deepStrictEqual(yield* expectBody(200, caller.put("/workspace/details", { [field]: empty })), {
            details
          })
        }
      }
    }).pipe(Effect.provide(layer({ runsWorkers: false })))
  )

  it.live("names all invalid fields in one response", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const input = { contact_email: "a@b", contact_phone: "none", website_url: "a b" }
      const { issues } = yield* expectError(400, "BAD_REQUEST", caller.put("/workspace/details", input))
      assert.sameMembers(
        issues.map(({ path }: { readonly path: string }) => path),
        Object.keys(input)
      )
    }).pipe(Effect.provide(layer({ runsWorkers: false })))
  )

  it.live("fills no empty field with a value that a caller could not set", () =>
    Effect.gen(function* () {
      const { workspace } = yield* newWorkspace({ details: {} })
      const { filled } = yield* (yield* Workspaces).fillEmptyFields(workspace.id, {
        contact_email: "at our desk",
        website_url: "acme.example"
      })
      assert.deepStrictEqual(filled, ["website_url"])
    }).pipe(Effect.provide(layer({ runsWorkers: false })))
  )

  it.live("saves its details without regenerating anything", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      yield* expectBody(200, caller.put("/workspace/details", { company_name: "North" }))
      const { documents } = yield* expectBody(200, caller.get("/workspace/documents"))
      for (const { download_url, status } of documents) {
        assert.strictEqual(status, "ready")
        assert.notInclude((yield* follow(download_url)).text, "North")
      }
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(yield* sql`SELECT type, status FROM jobs`, [
        { type: "workspace.onboarding", status: "completed" }
      ])
    }).pipe(Effect.provide(layer()))
  )

  it.live("names every field that an owner may edit", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const allDetails = Object.fromEntries([
        ...textFields.map((field) => [field, `My ${field}`]),
        ...listFields.map((field) => [field, [`My ${field}`, "More"]]),
        ["core_products", [{ product: "Oak", pricing: "EUR 9" }]],
        ["contact_email", "ann@acme.example"],
        ["contact_phone", "+48 32 555 01 00"],
        ["website_url", "https://acme.example/about"]
      ])
      assert.lengthOf(Object.keys(allDetails), 28)
      assert.deepStrictEqual(yield* expectBody(200, caller.put("/workspace/details", allDetails)), {
        details: allDetails
      })
      assert.deepStrictEqual((yield* expectBody(200, caller.get("/workspace"))).details, allDetails)
    }).pipe(Effect.provide(layer({ runsWorkers: false })))
  )

  it.live.each([
    ["nothing", {}, ""],
    ["no known field", { nothing: "known" }, ""],
    ["an invalid email address", { contact_email: "not-an-email" }, "contact_email"],
    ["an invalid URL", { website_url: "kestrel pumps" }, "website_url"],
    ["an unsupported URL scheme", { website_url: "ftp://acme.example" }, "website_url"],
    ["an invalid phone number", { contact_phone: "call Ann" }, "contact_phone"],
    ["a number instead of a text", { company_name: 5 }, "company_name"],
    ["a text that is too long", { company_name: "x".repeat(20_001) }, "company_name"],
    ["a product without its name", { core_products: [{ pricing: "5" }] }, "core_products.0.product"],
    ["a text instead of a list", { case_studies: "one" }, "case_studies"],
    ["too long a list", { lead_magnets: Array.from({ length: 101 }, () => "x") }, "lead_magnets"]
  ] as const)("refuses %s and names the field", ([, input, path]) =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const { issues } = yield* expectError(400, "BAD_REQUEST", caller.put("/workspace/details", input))
      assert.strictEqual(issues[0].path, path)
      assert.deepStrictEqual((yield* expectBody(200, caller.get("/workspace"))).details, details)
    }).pipe(Effect.provide(layer({ runsWorkers: false })))
  )
})

describe("a signed link", () => {
  it.live("opens a document without a key, and fails if it is altered", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const [{ download_url }, otherDocument] = (yield* expectBody(200, caller.get("/workspace/documents"))).documents
      const opened = yield* follow(download_url)
      assert.deepStrictEqual([opened.status, opened.text], [200, "# Acme"])
      const expires = Number(/expires=(\d+)/.exec(download_url)?.[1])
      assert.closeTo(expires - Date.now() / 1000, Duration.toSeconds("15 minutes"), 60)
      assert.strictEqual(opened.headers.get("content-type"), "text/markdown; charset=utf-8")
      assert.strictEqual(opened.headers.get("cache-control"), "private, no-store")
      assert.strictEqual(opened.headers.get("x-content-type-options"), "nosniff")

      const id = /files\/([^?]+)/.exec(otherDocument.download_url)?.[1] ?? ""
      for (const altered of [
        download_url.replace(/signature=./, "signature=g"),
        download_url.replace(/expires=\d/, "expires=9"),
        download_url.replace(/&signature=.*/, ""),
        download_url.replace(/expires=\d+&/, ""),
        download_url.replace(/files\/[^?]+/, `files/${id}`)
      ]) {
        yield* expectError(403, "FORBIDDEN", follow(altered))
      }
      for (const path of [`/files/${id}`, "/files/x", "/files/x?expires=1&expires=2&signature=00"]) {
        yield* expectError(403, "FORBIDDEN", follow(path))
      }
    }).pipe(Effect.provide(layer()))
  )

  it.effect("expires", () =>
    Effect.gen(function* () {
      const links = yield* Links
      const link = new URL(yield* links.sign("/files/x", Duration.minutes(15)), "http://x.example")
      const query = {
        expires: link.searchParams.get("expires") ?? "",
        signature: link.searchParams.get("signature") ?? ""
      }
      yield* links.check("/files/x", query)
      yield* TestClock.adjust("15 minutes")
      assert.strictEqual((yield* Effect.flip(links.check("/files/x", query)))._tag, "FORBIDDEN")
    }).pipe(Effect.provide(layer({ runsWorkers: false })))
  )

  it.effect("of a document is an absolute URL that is valid for fifteen minutes", () =>
    Effect.gen(function* () {
      const { workspace } = yield* newCaller()
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE workspace_documents SET status = 'ready', content = '#'`
      const links = yield* Links
      yield* links.setListeningUrl("https://overture.example")
      const [{ download_url } = {}] = yield* (yield* Documents).listWorkspaceDocuments(workspace)
      assert.match(download_url ?? "", /^https:\/\/overture\.example\/files\/[^/]+$/)
      const link = new URL(download_url ?? "", "http://x.example")
      const check = links.check(link.pathname, Object.fromEntries(link.searchParams))
      yield* TestClock.adjust("899 seconds")
      yield* check
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* Effect.flip(check))._tag, "FORBIDDEN")
    }).pipe(Effect.provide(layer({ runsWorkers: false })))
  )

  it.live("is returned only while its document is ready, and the same document keeps its id", () => {
    const audienceResearch = gated(fakeWriter.audienceResearch)
    const emailInstructions = gated(fakeWriter.emailInstructions)
    return Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const campaign = yield* createCampaign(caller)
      const documents = Effect.map(
        expectBody(200, caller.get(`/campaigns/${campaign}/documents`)),
        ({ documents, ...rest }) => {
          assert.deepStrictEqual(rest, {})
          return documents.map(({ download_url, id, status, title, type, ...rest }: any) => {
            assert.deepStrictEqual(rest, {})
            assert.strictEqual(download_url !== null, status === "ready")
            assert.isNotEmpty(title)
            return [type, status, id]
          })
        }
      )
      const states = Effect.map(documents, (documents) => documents.map(([, status]: any) => status))
      assert.deepStrictEqual(yield* documents, [
        ["target_audience_research", "unavailable", null],
        ["email_instructions", "unavailable", null],
        ["knowledge_base", "unavailable", null]
      ])
      yield* selectAudience(caller, campaign)
      assert.deepStrictEqual(yield* states, ["processing", "unavailable", "unavailable"])
      yield* audienceResearch.open
      for (const type of ["social_proof", "lead_magnet", "risk_reversal"]) yield* selectOption(caller, campaign, type)
      const { id } = yield* expectBody(202, caller.post(`/campaigns/${campaign}/assets/value_proposition/generate`))
      yield* awaitJob(caller, id)
      assert.deepStrictEqual(yield* states, ["ready", "unavailable", "unavailable"])
      const { job: build } = yield* selectOption(caller, campaign, "value_proposition")
      assert.deepStrictEqual(yield* states, ["ready", "processing", "processing"])
      yield* emailInstructions.open
      yield* awaitJob(caller, build.id)
      const readyDocuments = yield* documents
      for (const [, status, id] of readyDocuments) {
        assert.strictEqual(status, "ready")
        assert.match(id, /^[0-9a-f-]{36}$/)
      }
      // Documents that were built from other choices are no longer available.
      yield* selectOption(caller, campaign, "lead_magnet", 1)
      assert.deepStrictEqual(yield* states, ["ready", "unavailable", "unavailable"])
      const rebuild = yield* selectOption(caller, campaign, "value_proposition")
      yield* awaitJob(caller, rebuild.job.id)
      assert.deepStrictEqual(yield* documents, readyDocuments)
    }).pipe(Effect.provide(layer({ writer: { audienceResearch, emailInstructions } })))
  })

  it.live("is returned for each document of a campaign once it is ready", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const newCampaign = yield* createCampaign(caller)
      const unavailable = yield* expectBody(200, caller.get(`/campaigns/${newCampaign}/documents`))
      assert.deepStrictEqual(
        unavailable.documents.map(({ download_url, id, status, type }: any) => [type, id, status, download_url]),
        ["target_audience_research", "email_instructions", "knowledge_base"].map((type) => [
          type,
          null,
          "unavailable",
          null
        ])
      )
      const campaign = yield* builtCampaign(caller)
      const { documents } = yield* expectBody(200, caller.get(`/campaigns/${campaign}/documents`))
      const texts = yield* Effect.forEach(documents, ({ download_url }: any) => follow(download_url))
      assert.deepStrictEqual(
        texts.map(({ text }) => text),
        ["# Mines", "# Write well", "# All we know"]
      )
      const other = yield* onboardedCaller()
      yield* expectError(403, "FORBIDDEN", other.get(`/campaigns/${campaign}/documents`))
    }).pipe(Effect.provide(layer()))
  )
})

describe("regenerating", () => {
  it.live("repeats the research, one job at a time, and keeps the user's choices", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      let runs = 0
      const companySummary: typeof fakeWriter.companySummary = (profile) =>
        Effect.suspend(() => (++runs === 1 ? Effect.void : Deferred.await(gate))).pipe(
          Effect.andThen(fakeWriter.companySummary(profile))
        )
      yield* Effect.gen(function* () {
        const caller = yield* onboardedCaller()
        const campaign = yield* builtCampaign(caller)
        const selectionsBefore = yield* expectBody(200, caller.get(`/campaigns/${campaign}/selections`))
        const outdated = Effect.map(expectBody(200, caller.get("/workspace/documents")), ({ documents }) =>
          documents.map(({ outdated }: any) => outdated)
        )
        const name = (yield* expectBody(200, caller.get("/workspace"))).details.company_name
        assert.deepStrictEqual(yield* outdated, [undefined, undefined])
        yield* expectBody(200, caller.put("/workspace/details", { company_name: "Acme Pumps" }))
        assert.deepStrictEqual(yield* outdated, [true, true])
        yield* expectBody(200, caller.put("/workspace/details", { company_name: name }))
        assert.deepStrictEqual(
          yield* outdated,
          [undefined, undefined],
          "a reverted change does not outdate the documents"
        )
        yield* expectBody(200, caller.put("/workspace/details", { company_name: "Acme Pumps" }))

        const regeneration = yield* expectBody(202, caller.post("/workspace/regenerate"))
        assert.deepInclude(regeneration, {
          type: "workspace.regenerate",
          status: "processing",
          targets: ["company_summary", "market_research"]
        })
        assert.strictEqual((yield* expectBody(202, caller.post("/workspace/regenerate"))).id, regeneration.id)
        const status = () => expectBody(200, caller.get(`/workspace/regenerate/${regeneration.id}`))
        assert.deepStrictEqual(
          (yield* expectBody(200, caller.get("/workspace/documents"))).documents.map(
            ({ download_url, status }: any) => [status, download_url]
          ),
          [
            ["processing", null],
            ["processing", null]
          ]
        )
        assert.deepStrictEqual(yield* status(), {
          id: regeneration.id,
          status: "processing",
          artifacts: [
            { type: "company_summary", status: "processing" },
            { type: "market_research", status: "processing" }
          ]
        })
        yield* Deferred.succeed(gate, undefined)
        const done = yield* until(status(), (answer) => answer.status === "completed")
        assert.deepStrictEqual(yield* outdated, [undefined, undefined])
        assert.deepStrictEqual(done.artifacts, [
          { type: "company_summary", status: "ready" },
          { type: "market_research", status: "ready" }
        ])
        const [{ download_url }] = (yield* expectBody(200, caller.get("/workspace/documents"))).documents
        assert.strictEqual((yield* follow(download_url)).text, "# Acme Pumps")

        const options = (yield* expectBody(200, caller.get(`/campaigns/${campaign}/assets/social_proof/options`)))
          .options
        assert.lengthOf(options, 2)
        const chosenId = selectionsBefore.selections.social_proof.items[0].id
        assert.include(
          options.map((option: any) => option.id),
          chosenId
        )
        const segments = (yield* expectBody(200, caller.get("/target-audiences"))).data
        assert.lengthOf(segments, 3)
        assert.include(
          segments.map((segment: any) => segment.id),
          selectionsBefore.target_audience.id
        )
      }).pipe(Effect.provide(layer({ writer: { companySummary } })))
    })
  )

  it.live("is rejected in a workspace without an owner", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller({ owner: null })
      const { documents } = yield* expectBody(200, caller.get("/workspace/documents"))
      yield* expectError(404, "NOT_FOUND", caller.post("/workspace/regenerate"))
      assert.deepStrictEqual((yield* expectBody(200, caller.get("/workspace/documents"))).documents, documents)
      yield* (yield* Workspaces).setOwner(caller.workspace, "ann@acme.example")
      yield* expectBody(202, caller.post("/workspace/regenerate"))
    }).pipe(Effect.provide(layer({ runsWorkers: false })))
  )

  it.live("requested several times at once is one job, during which no document can be read", () => {
    const companySummary = gated(fakeWriter.companySummary)
    return Effect.gen(function* () {
      const caller = yield* newCaller()
      const jobs = yield* Effect.all(
        Array.from({ length: 5 }, () => expectBody(202, caller.post("/workspace/regenerate"))),
        { concurrency: "unbounded" }
      )
      const [firstJob] = jobs
      assert.deepStrictEqual(
        jobs,
        jobs.map(() => ({
          id: firstJob.id,
          type: "workspace.regenerate",
          status: "processing",
          targets: ["company_summary", "market_research"]
        }))
      )
      const documents = Effect.map(expectBody(200, caller.get("/workspace/documents")), ({ documents }) => documents)
      assert.deepStrictEqual(yield* documents, [
        { type: "company_summary", title: "Company summary", status: "processing", download_url: null },
        { type: "market_research", title: "Market research", status: "processing", download_url: null }
      ])
      yield* companySummary.open
      yield* awaitJob(caller, firstJob.id)
      const readyDocuments = yield* documents
      assert.lengthOf(readyDocuments, 2)
      for (const { download_url, status } of readyDocuments) {
        assert.strictEqual(status, "ready")
        assert.strictEqual((yield* follow(download_url)).status, 200)
      }
      assert.notStrictEqual((yield* expectBody(202, caller.post("/workspace/regenerate"))).id, firstJob.id)
    }).pipe(Effect.provide(layer({ writer: { companySummary } })))
  })

  it.live("replaces the segments and options that no person changed, linked or chose", () => {
    let run = 0
    const writer: Partial<typeof fakeWriter> = {
      segments: (profile) =>
        Effect.map(fakeWriter.segments(profile), (segments) =>
          segments.map((segment) => ({ ...segment, segment_name: `${segment.segment_name} ${run}` }))
        ),
      options: (profile, type) =>
        Effect.map(fakeWriter.options(profile, type), (options) =>
          options.map(({ name }) => ({ name: `${name} ${run}`, description: `${name} ${run}, described` }))
        )
    }
    return Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const campaign = yield* createCampaign(caller)
      const segments = Effect.map(expectBody(200, caller.get("/target-audiences")), ({ data }) => data)
      const names = Effect.map(segments, (data) => data.map((segment: any) => segment.segment_name))
      const submit = (target_audience: object, is_custom_target_audience = false) =>
        expectBody(
          202,
          caller.post(`/campaigns/${campaign}/target-audience`, { target_audience, is_custom_target_audience })
        )
      assert.deepStrictEqual(yield* names, ["Mines 0", "Quarries 0", "Wastewater plants 0"])
      const [mines, quarries] = yield* segments
      // The campaign links a changed segment, then a custom one, and finally an unchanged one.
      // Changes are detected by their time.
      yield* Effect.sleep(2)
      yield* submit({ id: quarries.id, segment_name: "My quarries" })
      yield* submit({ segment_name: "Ferries" }, true)
      yield* submit({ id: mines.id })
      const types = ["social_proof", "lead_magnet", "risk_reversal"]
      for (const type of types) yield* selectOption(caller, campaign, type, 1)
      const selectionsBefore = yield* expectBody(200, caller.get(`/campaigns/${campaign}/selections`))
      run = 1
      yield* awaitJob(caller, (yield* expectBody(202, caller.post("/workspace/regenerate"))).id)
      const newNames = ["Mines 1", "Quarries 1", "Wastewater plants 1"]
      assert.deepStrictEqual(yield* names, [...newNames, "Ferries", "Mines 0", "My quarries"])
      for (const type of types) {
        assert.sameMembers(
          (yield* assetOptions(caller, campaign, type)).map(({ name }) => name),
          [`${type} two 0`, `${type} one 1`, `${type} two 1`]
        )
      }
      // Another campaign is not offered options of the earlier research.
      const other = yield* createCampaign(caller)
      for (const type of types) {
        const names = (yield* assetOptions(caller, other, type)).map(({ name }) => name)
        assert.deepStrictEqual(names, [`${type} one 1`, `${type} two 1`])
      }
      assert.deepStrictEqual(yield* expectBody(200, caller.get(`/campaigns/${campaign}/selections`)), selectionsBefore)
    }).pipe(Effect.provide(layer({ writer })))
  })

  it.live("does not change the documents if it fails", () =>
    Effect.gen(function* () {
      let runs = 0
      const marketResearch: typeof fakeWriter.marketResearch = (profile) =>
        Effect.suspend(() =>
          ++runs === 1
            ? fakeWriter.marketResearch(profile)
            : Effect.fail(new GenerationFailed({ message: "Nothing to read", transient: false }))
        )
      yield* Effect.gen(function* () {
        const caller = yield* onboardedCaller()
        const { id } = yield* expectBody(202, caller.post("/workspace/regenerate"))
        const failed = yield* until(expectBody(200, caller.get(`/jobs/${id}`)), (job) => job.status === "failed")
        assert.strictEqual(failed.error, "Nothing to read")
        const { documents } = yield* expectBody(200, caller.get("/workspace/documents"))
        for (const { download_url, status } of documents) {
          assert.strictEqual(status, "ready")
          assert.strictEqual((yield* follow(download_url)).status, 200)
        }
        assert.deepStrictEqual(yield* expectBody(200, caller.get(`/workspace/regenerate/${id}`)), {
          id,
          status: "failed",
          artifacts: [
            { type: "company_summary", status: "ready" },
            { type: "market_research", status: "ready" }
          ]
        })
        yield* selectAudience(caller, yield* createCampaign(caller))
      }).pipe(Effect.provide(layer({ writer: { marketResearch } })))
    })
  )

  it.live("has its own stricter rate limit", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const answers = yield* Effect.forEach(Array.from({ length: 11 }), () => caller.post("/workspace/regenerate"))
      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        [...Array.from({ length: 10 }, () => 202), 429]
      )
      assert.strictEqual(answers[10]?.headers.get("x-ratelimit-limit"), "10")
      assert.strictEqual((yield* caller.get("/workspace")).status, 200)
    }).pipe(Effect.provide(layer()))
  )

  it.live("is found only by the id of its own job", () =>
    Effect.gen(function* () {
      const caller = yield* onboardedCaller()
      const other = yield* onboardedCaller()
      const { id: research } = yield* selectAudience(caller, yield* createCampaign(caller))
      const { id } = yield* expectBody(202, caller.post("/workspace/regenerate"))
      yield* expectError(404, "NOT_FOUND", other.get(`/workspace/regenerate/${id}`))
      yield* expectError(404, "NOT_FOUND", caller.get(`/workspace/regenerate/${research}`))
    }).pipe(Effect.provide(layer()))
  )
})
