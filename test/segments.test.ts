// test/segments.test.ts: segments name the people that the profile names, in its own whole words, and invent nobody.
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { segments } from "#layers/generator/builtin/Segments.ts"
import { jobTitles } from "#layers/generator/JobTitles.ts"
import { answer } from "#layers/research/Read.ts"
import type { Segment } from "#schema/Audiences.ts"
import { type Details, noDetails } from "#schema/Details.ts"

const of = (details: Partial<Details>) => segments({ ...noDetails, ...details })
const namesOf = (found: ReadonlyArray<Segment>) => found.map(({ segment_name }) => segment_name)
const firstOf = (ideal_client_description: string) => of({ ideal_client_description })[0] ?? assert.fail("no segment")

describe("segments", () => {
  it("of a profile that a brochure filled read as English, and have their titles one by one", async () => {
    const content = readFileSync(new URL("./fixtures/brochures/kestrel.md", import.meta.url))
    const read = await answer({ kind: "md", content })
    if (!("findings" in read)) return assert.fail("the brochure was not read")
    const found = of({
      ...read.findings,
      ideal_client_description:
        "We sell to mines, quarries and wastewater plants with 5 to 200 pumps in service. Typical buyers are maintenance managers and plant directors.",
      target_job_titles: "maintenance managers and plant directors"
    })
    assert.deepStrictEqual(namesOf(found), [
      "Mines, quarries and wastewater plants",
      "Mines",
      "Quarries",
      "Wastewater plants"
    ])
    for (const { decision_makers } of found)
      assert.deepStrictEqual(decision_makers, ["Maintenance managers", "Plant directors"])
    assert.strictEqual(found[0]?.company_size, "5 to 200 pumps in service")
  })

  it.each([
    [
      "Offices, clinics and light industrial buildings of 8,000 to 60,000 square feet in Franklin and Delaware counties.",
      "Offices, clinics and light industrial buildings"
    ],
    [
      "Shopify Plus apparel, footwear and accessories brands doing $5M to $80M a year with return rates above 15%.",
      "Shopify Plus apparel, footwear and accessories brands"
    ],
    [
      "European importers and distributors that ship 500 to 20,000 containers a year with three or more carriers and a logistics team of 3 to 30 people.",
      "European importers and distributors"
    ],
    ["British hotels with 20 to 200 rooms and no engineer of their own.", "British hotels"],
    ["Our best clients are independent dental practices with 2 to 8 chairs.", "Independent dental practices"],
    ["companies with 20 to 300 people", "Companies with 20 to 300 people"],
    [
      "Groups of 3 to 40 full-service restaurants on Toast, Square or Clover.",
      "Groups of 3 to 40 full-service restaurants on Toast, Square or Clover"
    ],
    [
      "Warehouses and retail chains in Ireland and Britain with 50 to 800 hourly staff.",
      "Warehouses and retail chains in Ireland and Britain"
    ],
    [
      "Maschinenbauer mit 50 bis 500 Mitarbeitern in Süddeutschland",
      "Maschinenbauer"
    ],
    [
      "They hate waiting for a quote, and so they call somebody who picks up the phone at night and has the part on the van.",
      "Ideal clients"
    ],
    ["We help mines cut their water bill.", "Ideal clients"]
  ])("are named by whole words of %j", (ideal, name) => assert.strictEqual(firstOf(ideal).segment_name, name))

  it.each([
    [
      "Firms with 50 to 250 employees and a turnover of EUR 5 to 50 million.",
      "50 to 250 employees",
      "EUR 5 to 50 million"
    ],
    ["Brands doing $5M to $80M a year with return rates above 15%.", "", "$5M to $80M a year"],
    ["Shops that pay invoices within 30 to 60 days.", "", ""],
    ["Hotels with 20 to 200 rooms.", "20 to 200 rooms", ""],
    ["Startups that spend $2M a year on cloud.", "", ""],
    ["Independent practices with two to eight chairs.", "two to eight chairs", ""],
    ["Manufacturers of more than 1,000 parts a day with over 200 people", "over 200 people", ""]
  ])("say the size and revenue only where %j states them", (ideal, size, revenue) => {
    const { annual_revenue, company_size } = firstOf(ideal)
    assert.deepStrictEqual([company_size, annual_revenue], [size, revenue])
  })

  it.each([
    ["European importers", "", "Europe"],
    ["Manufacturers in the north of England with 100 instruments", "", "the north of England"],
    ["Warehouses in Ireland and Britain with 50 staff", "", "Ireland and Britain"],
    ["Farms in Denmark and southern Sweden", "", "Denmark and southern Sweden"],
    ["Quarries in Scotland and the north of England.", "", "Scotland and the north of England"],
    ["Italian restaurants", "", ""],
    ["English-speaking schools", "", ""],
    ["Independent hotels", "We are a dental lab in Milwaukee.", ""],
    ["", "We find warehouse staff for logistics companies in the Midlands.", "the Midlands"],
    ["Teams working in New South Wales", "", "New South Wales"]
  ])("say a place only where clients are: %j, %j", (ideal_client_description, business_description, place) =>
    assert.strictEqual(of({ ideal_client_description, business_description })[0]?.geographic_location, place)
  )

  it("of a thin profile are one, for everybody the business names", () => {
    assert.deepStrictEqual(of({}), [
      {
        segment_name: "All decision makers",
        industry_vertical: "",
        company_size: "",
        annual_revenue: "",
        geographic_location: "",
        decision_makers: [],
        additional_details: null
      }
    ])
    assert.deepStrictEqual(
      namesOf(of({ business_description: "We find warehouse staff for logistics companies in the Midlands." })),
      ["Logistics companies in the Midlands"]
    )
    assert.deepStrictEqual(namesOf(of({ target_job_titles: "Warehouse Manager" })), ["Warehouse Manager"])
  })

  it("are one for each line of a list of clients, and no price tier is one", () => {
    const found = of({
      ideal_client_description: "- E-commerce brands\n- Subscription boxes with 500 to 5,000 orders a month",
      core_products: [{ product: "Core", pricing: "$390" }]
    })
    assert.deepStrictEqual(namesOf(found), ["Ideal clients", "E-commerce brands", "Subscription boxes"])
    assert.strictEqual(found[2]?.company_size, "500 to 5,000 orders a month")
    assert.strictEqual(found[1]?.company_size, "")
  })
})

describe("job titles", () => {
  it.each([
    ["maintenance managers and plant directors", ["Maintenance managers", "Plant directors"]],
    ["Head of Sales and Marketing", ["Head of Sales and Marketing"]],
    ["Head of People & Culture, CFO", ["Head of People & Culture", "CFO"]],
    ["Typical buyers are head bakers, owners and buyers.", ["Head bakers", "Owners", "Buyers"]],
    ["Geschäftsführer und Einkaufsleiter", ["Geschäftsführer", "Einkaufsleiter"]],
    ["VP Operations or COO; Founder", ["VP Operations", "COO", "Founder"]],
    ["", []],
    ["Anyone who is tired of waiting three weeks for a rebuilt pump and wants it back", []]
  ])("of %j are apart", (text, titles) => assert.deepStrictEqual([...jobTitles(text)], titles))
})
