// test/synthetic-leads.test.ts: the built-in writer's synthetic leads are plausible, match the segment, and use reserved domains.
import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { companyName } from "#layers/text/CompanyNames.ts"
import { firstName } from "#layers/text/PersonNames.ts"
import { Generator, noChoices, type SyntheticLead } from "#layers/Generator.ts"
import { noSegment } from "#schema/Audiences.ts"
import { noDetails } from "#schema/Details.ts"
import { Lead } from "#schema/Lead.ts"
import { snapshotOf } from "./support/playbook.ts"

const asLead = ({
  company,
  company_website,
  email,
  first_name,
  last_name,
  linkedin_url,
  title
}: SyntheticLead): Lead => ({
  email,
  name: `${first_name} ${last_name}`,
  title,
  company,
  linkedin_url,
  company_website
})

layer(Generator.layerBuiltin)("synthetic leads", (it) => {
  const segment = { ...noSegment, segment_name: "Mines" }
  const campaign = {
    profile: {
      ...noDetails,
      company_name: "Ashmere Boilers",
      business_description: "We service boilers for hotels.",
      problems_solved: "Boilers fail in winter; engineers turn up days late",
      case_studies: ["Brackenhill Hotels cut repair bills by 31% in one winter"],
      target_job_titles: "Operations Manager, Owner"
    },
    ...noChoices
  }
  const generateLeads = Effect.fnUntraced(function* (audience: object, seed = "a", count = 5) {
    const generator = yield* Generator
    const leads = yield* generator.syntheticLeads({ ...campaign, audience: { ...segment, ...audience } }, count, seed)
    assert.lengthOf(leads, count)
    return leads
  })
  const audiences = [
    {},
    { segment_name: "Hotel owners", geographic_location: "United Kingdom", decision_makers: "Owners" },
    { industry_vertical: "B2B SaaS", geographic_location: "United States", decision_makers: ["CTOs", "VP Sales"] },
    { industry_vertical: "Logistics", geographic_location: "Germany, France", company_size: "50 staff" },
    { industry_vertical: "Écoles", geographic_location: "Poland and the Nordics", decision_makers: "{{title}}" },
    { geographic_location: "Spain", decision_makers: "<script>" },
    { geographic_location: "Italy" },
    { geographic_location: "the Netherlands" },
    { geographic_location: "Europe" }
  ]

  it.effect("have feminine surnames for Polish women", () =>
    Effect.gen(function* () {
      const leads = (yield* Effect.forEach(["a", "b", "c", "d", "e", "f"], (seed) =>
        generateLeads({ geographic_location: "Poland" }, seed, 20)
      )).flat()
      const women = leads.filter(({ first_name }) => first_name.endsWith("a"))
      assert.isAbove(women.length, 20)
      // Surnames in -ski, -cki and -ny have another form for a woman.
      assert.deepStrictEqual(
        leads.filter(({ last_name }) => /[scd]z?k[iy]$|[nt]y$/.test(last_name)),
        []
      )
    })
  )

  it.effect("are valid leads that all differ, with reserved domains", () =>
    Effect.gen(function* () {
      for (const audience of audiences) {
        const leads = yield* generateLeads(audience)
        assert.lengthOf(leads, 5)
        for (const field of ["email", "first_name", "last_name", "company", "company_website"] as const) {
          assert.strictEqual(new Set(leads.map((lead) => lead[field])).size, 5, field)
        }
        for (const lead of leads) {
          assert.isTrue(Schema.is(Lead)(asLead(lead)))
          assert.match(lead.email, /^[a-z]+\.[a-z]+@[a-z]+\.example$/)
          assert.match(lead.company_website, /^https:\/\/www\.[a-z]+\.example$/)
          assert.match(lead.linkedin_url, /^https:\/\/linkedin\.example\/in\/[a-z-]+$/)
          assert.strictEqual(firstName(`${lead.first_name} ${lead.last_name}`), lead.first_name)
          assert.isDefined(companyName(lead.company), lead.company)
          for (const value of Object.values(lead)) assert.notMatch(value, /[{}<>]|undefined/)
          for (const value of [lead.title, lead.industry, lead.company_size, lead.location]) assert.isNotEmpty(value)
          // The sender and its clients are not used as companies.
          assert.notMatch(lead.company, /Ashmere|Brackenhill/)
        }
      }
    })
  )

  it.effect("are the same for the same seed, and differ for another seed", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* generateLeads({}), yield* generateLeads({}))
      const seeds = yield* Effect.forEach(["a", "b", "c", "d", "e"], (seed) => generateLeads({}, seed))
      assert.strictEqual(new Set(seeds.map((leads) => JSON.stringify(leads))).size, 5)
      const sixtyLeads = yield* generateLeads({}, "a", 60)
      for (const field of ["email", "company_website"] as const) {
        assert.strictEqual(new Set(sixtyLeads.map((lead) => lead[field])).size, 60)
      }
    })
  )

  it.effect.each([
    ["Plant directors", ["Plant director"]],
    ["Owners and general managers", ["General manager", "Owner"]],
    ["Maintenance and plant managers", ["Maintenance manager", "Plant manager"]],
    [
      ["CTOs", "VP Sales", "Heads of HR", "Directors of Operations", "Secretaries"],
      ["CTO", "Director of Operations", "Head of HR", "Secretary", "VP Sales"]
    ],
    ["Managing directors and heads of production", ["Head of production", "Managing director"]],
    ["VPs of Engineering; Heads of HR and Finance", ["Head of HR and Finance", "VP of Engineering"]],
    ["Whoever is in charge, usually the CFO or head of logistics", ["CFO", "Head of logistics"]],
    ["Geschäftsführer und Leiter Einkauf", ["Geschäftsführer", "Leiter Einkauf"]],
    ["Finance leaders", ["CFO", "Finance Director", "Financial Controller"]],
    ["", ["Operations Manager", "Owner"]]
  ] as const)("have the job titles of %s", ([decision_makers, titles]) =>
    Effect.gen(function* () {
      const leads = yield* generateLeads({ decision_makers })
      assert.deepStrictEqual([...new Set(leads.map(({ title }) => title))].toSorted(), [...titles])
    })
  )

  it.effect.each([
    ["Ohio", /^(?:Ohio)$/, / (?:Inc|LLC|Group|Corp)$/],
    ["Vienna", /^Vienna$/, / (?:GmbH|AG|KG)$/],
    ["Bayern und Hessen", /^(?:Bayern|Hessen)$/, / (?:GmbH|AG|KG)$/],
    ["Germany", /^(?:Leipzig|Stuttgart|Bremen|Hanover|Nuremberg|Dortmund|Kassel)$/, / (?:GmbH|AG|KG)$/],
    ["Austria", /^Austria$/, / (?:GmbH|AG|KG)$/],
    ["India", /^(?:Pune|Bengaluru|Chennai|Hyderabad|Ahmedabad|Jaipur|Kochi)$/, / (?:Ltd|Group)$/],
    ["Atlantis", /^Atlantis$/, / \S+$/]
  ] as const)("are in %s", ([geographic_location, expectedLocation, expectedCompany]) =>
    Effect.gen(function* () {
      for (const lead of yield* generateLeads({ geographic_location })) {
        assert.match(lead.location, expectedLocation)
        assert.match(lead.company, expectedCompany)
      }
    })
  )

  it.effect("are spread over all regions of the segment, with company names of their own region", () =>
    Effect.gen(function* () {
      for (const seed of ["a", "b", "c", "d"]) {
        const leads = yield* generateLeads({ geographic_location: "Germany, Poland" }, seed, 6)
        const german = leads.filter(({ company }) => / (?:GmbH|AG|KG)$/.test(company))
        assert.lengthOf(german, 3)
        assert.lengthOf(
          leads.filter(({ company }) => / (?:Sp\. z o\.o\.|SA)$/.test(company)),
          3
        )
        for (const { location } of german) {
          assert.include("Leipzig Stuttgart Bremen Hanover Nuremberg Dortmund Kassel", location)
        }
      }
    })
  )

  it.effect.each([
    ["Robotics", / Robotics /],
    ["Maschinenbau", / (?:Manufacturing|Engineering|Works) /],
    ["Religious organisations", / (?:Church|Chapel)$/],
    ["Non-profit", / (?:Trust|Foundation)$/],
    ["Various", / (?:Minerals|Quarries|Mining) /]
  ] as const)("have company names of the industry %s", ([industry_vertical, expectedCompany]) =>
    Effect.gen(function* () {
      for (const { company } of yield* generateLeads({ industry_vertical })) assert.match(company, expectedCompany)
    })
  )

  it.effect("have different company sizes within the segment's range", () =>
    Effect.gen(function* () {
      const sizes = (yield* generateLeads({ company_size: "200 to 2,000 beds" })).map(
        ({ company_size }) => company_size
      )
      assert.isAbove(new Set(sizes).size, 1)
      for (const size of sizes) {
        assert.match(size, /^[\d,]+ beds$/)
        const beds = Number(size.replace(/\D/g, ""))
        assert.isTrue(beds >= 200 && beds <= 2000, size)
      }
    })
  )

  it.effect("get emails from the built-in writer", () =>
    Effect.gen(function* () {
      const { sequence } = yield* Generator
      for (const audience of audiences) {
        for (const lead of yield* generateLeads(audience, "w")) {
          const fullCampaign = { ...campaign, audience: { ...segment, ...audience } }
          const drafts = yield* sequence({
            facts: [],
            campaign: fullCampaign,
            playbook: snapshotOf(fullCampaign),
            instructions: "",
            lead: asLead(lead),
            email_count: 2,
            additional_details: null,
            approved_ctas: ["Question CTA"],
            seed: "w"
          })
          assert.lengthOf(drafts, 2)
        }
      }
    })
  )
})
