// test/audiences.test.ts: listing, searching, creating and updating target audiences, and linking them to campaigns.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { expectBody, expectError } from "./support/answers.ts"
import { onboardedCaller } from "./support/callers.ts"
import * as Campaigns from "./support/campaigns.ts"
import { unknownId } from "./support/endpoints.ts"
import { withServer } from "./support/server.ts"

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

describe("target audiences", () => {
  it.live("are listed with the most likely first, and searched in all their fields", () =>
    Effect.gen(function* () {
      const acme = yield* onboardedCaller()
      const listing = yield* expectBody(200, acme.get("/target-audiences"))
      assert.deepStrictEqual(
        listing.data.map((segment: { readonly segment_name: string }) => segment.segment_name),
        ["Mines", "Quarries", "Wastewater plants"]
      )
      assert.deepInclude(listing, { has_more: false, total: 3 })
      const { created_at, id, source, ...first } = listing.data[0]
      assert.match(id, uuid)
      assert.match(created_at, iso)
      assert.strictEqual(source, "market_research")
      assert.deepStrictEqual(first, {
        segment_name: "Mines",
        industry_vertical: "Pumps",
        company_size: "",
        annual_revenue: "",
        geographic_location: "",
        decision_makers: "Plant directors",
        additional_details: null
      })

      const campaign = yield* Campaigns.createCampaign(acme)
      const segment = {
        segment_name: "ÖLMÜHLEN_50%",
        decision_makers: ["Head of Press", "Buyer"],
        geographic_location: "Graz"
      }
      yield* expectBody(
        202,
        acme.post(`/campaigns/${campaign}/target-audience`, {
          target_audience: segment,
          is_custom_target_audience: true
        })
      )
      const search = (query: string) =>
        Effect.map(expectBody(200, acme.get(`/target-audiences?q=${encodeURIComponent(query)}`)), ({ data, total }) => {
          assert.strictEqual(total, data.length)
          return data.map((segment: { readonly segment_name: string }) => segment.segment_name)
        })
      assert.deepStrictEqual(yield* search("mINE"), ["Mines"])
      assert.deepStrictEqual(yield* search("plant"), ["Mines", "Quarries", "Wastewater plants"])
      for (const query of ["ölmühlen", "head of PRESS", "buyer", "graz", "_50%", "%", "N_5"]) {
        assert.deepStrictEqual(yield* search(query), ["ÖLMÜHLEN_50%"], query)
      }
      for (const query of ["_ine", "zzz", "\\", "'", "Mines Quarries"])
        assert.deepStrictEqual(yield* search(query), [], query)
      assert.lengthOf(yield* search(""), 4)
      const page = yield* expectBody(200, acme.get("/target-audiences?q=plant&limit=1&offset=1"))
      assert.deepStrictEqual([page.data[0].segment_name, page.has_more, page.total], ["Quarries", true, 3])
    }).pipe(withServer())
  )

  it.live("are created and updated by the campaigns that use them", () =>
    Effect.gen(function* () {
      const acme = yield* onboardedCaller()
      const campaign = yield* Campaigns.createCampaign(acme)
      const submit = (target_audience: object, is_custom_target_audience?: boolean | null) =>
        acme.post(`/campaigns/${campaign}/target-audience`, { target_audience, is_custom_target_audience })
      const find = (id: string) =>
        Effect.map(expectBody(200, acme.get("/target-audiences")), ({ data }) =>
          data.find((segment: { readonly id: string }) => segment.id === id)
        )

      const custom = {
        segment_name: " Ferries ",
        company_size: "10-50",
        decision_makers: ["Owner"],
        additional_details: null
      }
      const { target_audience_id, ...job } = yield* expectBody(202, submit({ ...custom, annual_revenue: null }, true))
      assert.deepStrictEqual(Object.keys(job), ["id", "type", "status"])
      assert.deepInclude(job, { type: "campaign.target_audience", status: "processing" })
      assert.deepInclude(yield* find(target_audience_id), {
        segment_name: "Ferries",
        company_size: "10-50",
        annual_revenue: "",
        decision_makers: ["Owner"],
        additional_details: null
      })
      // The same name is the same segment; omitted fields keep their value.
      const updatedAgain = yield* expectBody(202, submit({ segment_name: "Ferries", annual_revenue: "1M" }, true))
      assert.strictEqual(updatedAgain.target_audience_id, target_audience_id)
      assert.deepInclude(yield* find(target_audience_id), { company_size: "10-50", annual_revenue: "1M" })
      assert.strictEqual((yield* expectBody(200, acme.get("/target-audiences"))).total, 4)

      const { data } = yield* expectBody(200, acme.get("/target-audiences"))
      const mines = data.find((segment: { readonly segment_name: string }) => segment.segment_name === "Mines")
      const updated = yield* expectBody(
        202,
        submit({ id: mines.id, segment_name: "Deep mines", decision_makers: "Foremen" }, null)
      )
      assert.strictEqual(updated.target_audience_id, mines.id)
      assert.deepStrictEqual(yield* find(mines.id), {
        ...mines,
        segment_name: "Deep mines",
        decision_makers: "Foremen"
      })
      const search = (query: string) =>
        Effect.map(expectBody(200, acme.get(`/target-audiences?q=${query}`)), ({ total }) => total)
      assert.deepStrictEqual([yield* search("foremen"), yield* search("plant%20directors")], [1, 2])

      for (const id of [unknownId, "nope", ""]) yield* expectError(404, "NOT_FOUND", submit({ id, segment_name: "X" }))
      for (const id of [undefined, null]) {
        const { issues } = yield* expectError(400, "BAD_REQUEST", submit({ id, segment_name: "X" }, false))
        assert.strictEqual(issues[0].path, "target_audience.id")
      }
      assert.strictEqual((yield* expectBody(200, acme.get("/target-audiences"))).total, 4)
    }).pipe(withServer())
  )
})

describe("a target audience", () => {
  const createSubmitter = Effect.gen(function* () {
    const acme = yield* onboardedCaller()
    const campaign = yield* Campaigns.createCampaign(acme)
    const submit = (requestBody: object) => acme.post(`/campaigns/${campaign}/target-audience`, requestBody)
    return { acme, campaign, submit }
  })

  it.live("that is saved is linked by its id, and stays unchanged", () =>
    Effect.gen(function* () {
      const { acme, campaign, submit } = yield* createSubmitter
      const before = yield* expectBody(200, acme.get("/target-audiences"))
      const [, quarries] = before.data
      const response = yield* expectBody(202, submit({ target_audience: { id: quarries.id } }))
      assert.strictEqual(response.target_audience_id, quarries.id)
      assert.deepStrictEqual(yield* expectBody(202, submit({ target_audience: quarries })), response)
      assert.deepStrictEqual(
        (yield* expectBody(200, acme.get(`/campaigns/${campaign}/selections`))).target_audience,
        quarries
      )
      assert.deepStrictEqual(yield* expectBody(200, acme.get("/target-audiences")), before)
    }).pipe(withServer())
  )

  it.live("is shared by campaigns, and each keeps a copy from when it was linked", () =>
    Effect.gen(function* () {
      const acme = yield* onboardedCaller()
      const [firstCampaign, secondCampaign] = [
        yield* Campaigns.createCampaign(acme),
        yield* Campaigns.createCampaign(acme)
      ]
      const {
        data: [mines]
      } = yield* expectBody(200, acme.get("/target-audiences"))
      const link = (campaign: string, changes: object) =>
        expectBody(
          202,
          acme.post(`/campaigns/${campaign}/target-audience`, { target_audience: { id: mines.id, ...changes } })
        )
      const linkedAudiences = Effect.map(
        Effect.forEach([firstCampaign, secondCampaign], (campaign) =>
          expectBody(200, acme.get(`/campaigns/${campaign}/selections`))
        ),
        (responses) => responses.map(({ target_audience }) => target_audience)
      )
      yield* link(firstCampaign, {})
      yield* link(secondCampaign, { company_size: "500+", additional_details: null })
      const updatedSegment = { ...mines, company_size: "500+" }
      assert.deepStrictEqual(yield* linkedAudiences, [mines, updatedSegment])
      const { data, total } = yield* expectBody(200, acme.get("/target-audiences"))
      assert.deepStrictEqual([data[0], total], [updatedSegment, 3])
      assert.strictEqual((yield* Campaigns.buildStatusOf(acme, firstCampaign)).overall, "draft")
    }).pipe(withServer())
  )

  it.live("that is custom needs a name, and stores every field that is sent", () =>
    Effect.gen(function* () {
      const { acme, campaign, submit } = yield* createSubmitter
      for (const target_audience of [{}, { segment_name: null }, { company_size: "5" }]) {
        const requestBody = { target_audience, is_custom_target_audience: true }
        const { issues } = yield* expectError(400, "BAD_REQUEST", submit(requestBody))
        assert.strictEqual(issues[0].path, "target_audience.segment_name")
      }
      const { issues } = yield* expectError(
        400,
        "BAD_REQUEST",
        submit({ target_audience: { segment_name: "Ferries" } })
      )
      assert.deepStrictEqual(issues, [
        { path: "target_audience.id", message: "is required unless is_custom_target_audience is true" }
      ])
      const target_audience = {
        segment_name: "Ferries",
        industry_vertical: "Shipping",
        company_size: "10-50",
        annual_revenue: "1M-5M",
        geographic_location: "Baltic",
        decision_makers: ["Owner", "Head of crew"],
        additional_details: "Only those with cars"
      }
      const { target_audience_id } = yield* expectBody(
        202,
        submit({ target_audience, is_custom_target_audience: true })
      )
      // A custom segment does not overwrite a researched segment of the same name.
      yield* expectBody(202, submit({ target_audience: { segment_name: "Mines" }, is_custom_target_audience: true }))
      assert.strictEqual((yield* expectBody(200, acme.get("/target-audiences?q=mines"))).total, 2)
      yield* expectBody(202, submit({ target_audience, is_custom_target_audience: true }))
      const { data, total } = yield* expectBody(200, acme.get("/target-audiences?q=ferries"))
      assert.strictEqual(total, 1)
      const { created_at, ...saved } = data[0]
      assert.match(created_at, iso)
      assert.deepStrictEqual(saved, { id: target_audience_id, ...target_audience, source: "custom" })
      assert.deepStrictEqual(
        (yield* expectBody(200, acme.get(`/campaigns/${campaign}/selections`))).target_audience,
        data[0]
      )
    }).pipe(withServer())
  )

  it.live("has texts of at most 2,000 characters, and details of at most 10,000", () =>
    Effect.gen(function* () {
      const { submit } = yield* createSubmitter
      const maxLengths = {
        segment_name: 2000,
        industry_vertical: 2000,
        company_size: 2000,
        annual_revenue: 2000,
        geographic_location: 2000,
        decision_makers: 2000,
        additional_details: 10_000
      }
      for (const [field, maxLength] of Object.entries(maxLengths)) {
        const bodyWithLength = (length: number) => ({
          target_audience: { segment_name: field, [field]: "x".repeat(length) },
          is_custom_target_audience: true
        })
        yield* expectBody(202, submit(bodyWithLength(maxLength)))
        const { issues } = yield* expectError(400, "BAD_REQUEST", submit(bodyWithLength(maxLength + 1)))
        assert.deepStrictEqual([issues.length, issues[0].path], [1, `target_audience.${field}`])
      }
      for (const requestBody of [
        {},
        { target_audience: [] },
        { target_audience: { id: unknownId }, is_custom_target_audience: 1 }
      ]) {
        yield* expectError(400, "BAD_REQUEST", submit(requestBody))
      }
    }).pipe(withServer())
  )

  it.live("is listed in pages", () =>
    Effect.gen(function* () {
      const acme = yield* onboardedCaller()
      const getPage = Effect.fnUntraced(function* (query: string) {
        const { data, ...rest } = yield* expectBody(200, acme.get(`/target-audiences?${query}`))
        return [data.map(({ segment_name }: { readonly segment_name: string }) => segment_name), rest]
      })
      const allNames = ["Mines", "Quarries", "Wastewater plants"]
      assert.deepStrictEqual(yield* getPage(""), [allNames, { has_more: false, total: 3 }])
      assert.deepStrictEqual(yield* getPage("limit=0"), [["Mines"], { has_more: true, total: 3 }])
      assert.deepStrictEqual(yield* getPage("limit=101"), [allNames, { has_more: false, total: 3 }])
      assert.deepStrictEqual(yield* getPage("limit=2&offset=1"), [
        ["Quarries", "Wastewater plants"],
        { has_more: false, total: 3 }
      ])
      for (const offset of [3, 4, 1000]) {
        assert.deepStrictEqual(yield* getPage(`offset=${offset}`), [[], { has_more: false, total: 3 }])
      }
      assert.deepStrictEqual(yield* getPage("q=mines&offset=1"), [[], { has_more: false, total: 1 }])
    }).pipe(withServer())
  )
})
