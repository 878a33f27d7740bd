// test/segments.test.ts: segments name people from the profile, in its own complete words, and invent none.
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { noChoices } from "#layers/Generator.ts"
import { fieldOptionDrafts, valuePropositions } from "#layers/generator/builtin/Options.ts"
import { draftSegments } from "#layers/generator/builtin/Segments.ts"
import { extractJobTitles } from "#layers/generator/JobTitles.ts"
import { answerReadRequest } from "#layers/research/ReadSource.ts"
import { allTexts } from "#layers/model/SourceFacts.ts"
import { noSegment, type Segment } from "#schema/Audiences.ts"
import { type Details, noDetails } from "#schema/Details.ts"
import invented from "./fixtures/profiles.json" with { type: "json" }

const segmentsOf = (details: Partial<Details>) => draftSegments({ ...noDetails, ...details })
const namesOf = (segments: ReadonlyArray<Segment>) => segments.map(({ segment_name }) => segment_name)
const firstSegmentOf = (ideal_client_description: string) =>
  segmentsOf({ ideal_client_description })[0] ?? assert.fail("no segment")

describe("segments", () => {
  it("of a profile imported from a brochure have names that read as English, and separate job titles", async () => {
    const content = readFileSync(new URL("./fixtures/brochures/kestrel.md", import.meta.url))
    const reply = await answerReadRequest({ kind: "md", content })
    if (!("findings" in reply)) return assert.fail("the brochure was not read")
    const segments = segmentsOf({
      ...reply.findings,
      ideal_client_description:
        "We sell to mines, quarries and wastewater plants with 5 to 200 pumps in service. Typical buyers are maintenance managers and plant directors.",
      target_job_titles: "maintenance managers and plant directors"
    })
    assert.deepStrictEqual(namesOf(segments), [
      "Mines, quarries and wastewater plants",
      "Mines",
      "Quarries",
      "Wastewater plants"
    ])
    for (const { decision_makers } of segments)
      assert.deepStrictEqual(decision_makers, ["Maintenance managers", "Plant directors"])
    // A number of pumps is not a company's size.
    assert.strictEqual(segments[0]?.company_size, "")
  })

  it("give the size of clients, not of their buildings", () => {
    assert.strictEqual(firstSegmentOf("Care homes of two to four storeys.").company_size, "")
    assert.strictEqual(
      firstSegmentOf("Dairies with 50 to 900 employees: the larger ones.").company_size,
      "50 to 900 employees"
    )
  })

  it("take a country as the place and not as the industry, and keep job titles with their brackets", () => {
    const text = "New Zealand firms with 60 to 600 staff that take orders by phone."
    const segment = segmentsOf({
      ideal_client_description: text,
      target_job_titles: "Buyer (packaging, pallets), Plant Manager"
    })[0]
    assert.deepInclude(segment, {
      geographic_location: "New Zealand",
      industry_vertical: "",
      decision_makers: ["Buyer (packaging, pallets)", "Plant Manager"]
    })
    const severalCountries = firstSegmentOf("Dairies in Portugal, Spain and south-west Germany.")
    assert.strictEqual(severalCountries.geographic_location, "Portugal, Spain and south-west Germany")
  })

  it("do not turn what the business does not do into a value proposition", () => {
    const business_description = "We repair boilers. We do not install new ones. We answer the phone at night."
    const campaign = { profile: { ...noDetails, business_description }, audience: noSegment, ...noChoices }
    assert.notInclude(JSON.stringify(valuePropositions(campaign)), "do not install")
    assert.include(JSON.stringify(valuePropositions(campaign)), "at night")
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
    ["Most of the 640 boilers in our care are in schools of two to four storeys.", "Ideal clients"],
    [
      "We suit craft breweries, cheese makers and central production kitchens.",
      "Craft breweries, cheese makers and central production kitchens"
    ],
    ["Most of our customers are business parks and private hospitals.", "Business parks and private hospitals"],
    ["We serve around 720 farms. Our largest milks 1,850 cows on two sites.", "Farms"],
    ["Clients such as our largest, with two sites.", "Ideal clients"],
    ["Plant managers and HR directors at manufacturers with 80 to 900 employees.", "Manufacturers"],
    ["We work for some 140 dental practices between Leeds and York.", "Dental practices between Leeds and York"],
    [
      "Our customers are quality managers and lab managers in companies with 50 to 900 employees: dairies, breweries.",
      "Quality managers and lab managers"
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
    ["Maschinenbauer mit 50 bis 500 Mitarbeitern in Süddeutschland", "Maschinenbauer"],
    [
      "They hate waiting for a quote, and so they call somebody who picks up the phone at night and has the part on the van.",
      "Ideal clients"
    ],
    ["We help mines cut their water bill.", "Ideal clients"],
    // Clients named by a common word, a sentence that refers to one before it, and a line that is cut off.
    ["Sites with 50+ trees and a legal duty of care.", "Sites with 50+ trees and a legal duty of care"],
    ["Each one is fitted to the performer and built for eight shows a week.", "Ideal clients"],
    ["Precast installers, wind farm contractors and", "Ideal clients"],
    // A name must cover all clients of the text, or it is "Ideal clients".
    [
      "Long-haul fleets of 20 trucks up, bus operators, mines.",
      "Long-haul fleets of 20 trucks up, bus operators, mines"
    ],
    [
      "Aggregate producers with two or more pits, contract miners and coal terminals in Mpumalanga, Limpopo and Gauteng.",
      "Ideal clients"
    ],
    [
      "Meat exporters, bakery groups, ice-cream makers, 200+ pallets.",
      "Meat exporters, bakery groups, ice-cream makers"
    ],
    ["We tune pianos for schools, churches and families within 40 miles of Ely.", "Schools, churches and families"]
  ])("are named by whole words of %j", (ideal, name) => assert.strictEqual(firstSegmentOf(ideal).segment_name, name))

  it.each([
    [
      "Firms with 50 to 250 employees and a turnover of EUR 5 to 50 million.",
      "50 to 250 employees",
      "EUR 5 to 50 million"
    ],
    ["Brands doing $5M to $80M a year with return rates above 15%.", "", "$5M to $80M a year"],
    ["Shops that pay invoices within 30 to 60 days.", "", ""],
    ["Hotels with 20 to 200 rooms.", "", ""],
    ["Sites with 50+ trees and a legal duty of care.", "", ""],
    ["Meat exporters and bakery groups, 200+ pallets.", "", ""],
    ["Importers with a logistics team of 3 to 30 people.", "", ""],
    ["Retail chains with 5 to 40 shops.", "5 to 40 shops", ""],
    ["Startups that spend $2M a year on cloud.", "", ""],
    ["Independent practices with two to eight chairs.", "", ""],
    ["Manufacturers of more than 1,000 parts a day with over 200 people", "over 200 people", ""]
  ])("give the size and revenue only if %j states them", (ideal, size, revenue) => {
    const { annual_revenue, company_size } = firstSegmentOf(ideal)
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
  ])("give only the clients' place: %j, %j", (ideal_client_description, business_description, place) =>
    assert.strictEqual(segmentsOf({ ideal_client_description, business_description })[0]?.geographic_location, place)
  )

  it("of a thin profile are a single one, for all clients that the business names", () => {
    assert.deepStrictEqual(segmentsOf({}), [
      {
        segment_name: "All leads",
        industry_vertical: "",
        company_size: "",
        annual_revenue: "",
        geographic_location: "",
        decision_makers: [],
        additional_details: null
      }
    ])
    assert.deepStrictEqual(
      namesOf(segmentsOf({ business_description: "We find warehouse staff for logistics companies in the Midlands." })),
      ["Logistics companies in the Midlands"]
    )
    assert.deepStrictEqual(
      namesOf(segmentsOf({ business_description: "We build stands for firms from abroad and for Spanish firms." })),
      ["Firms from abroad and Spanish firms"]
    )
    assert.deepStrictEqual(namesOf(segmentsOf({ target_job_titles: "Warehouse Manager" })), ["Warehouse Manager"])
  })

  it("of a business description are a single one, however many kinds of clients it lists", () => {
    const business_description = "We rebuild pumps for mines, quarries and sewage plants."
    assert.deepStrictEqual(namesOf(segmentsOf({ business_description })), ["Mines, quarries and sewage plants"])
    assert.deepStrictEqual(namesOf(segmentsOf({ ideal_client_description: business_description })), [
      "Mines, quarries and sewage plants"
    ])
    assert.deepStrictEqual(
      namesOf(
        segmentsOf({
          business_description: "Osier weaves screens for landscape architects and garden centres, and sells them."
        })
      ),
      ["Landscape architects and garden centres"]
    )
  })

  it.each([
    [
      "HR managers, H&S advisers and operations directors call us first.",
      "HR managers, H&S advisers and operations directors"
    ],
    [
      "site superintendents, project managers at grading contractors",
      "Site superintendents and project managers at grading contractors"
    ],
    // Not every part of these is read as a job title, and a name must cover all of them.
    ["I usually speak with office managers or the person who buys the beans.", "All leads"],
    ["Stove retailers who need an installer, estate managers of listed property, conservation architects.", "All leads"]
  ])("of the job titles %j are named after them only if all of them are read", (target_job_titles, name) => {
    assert.deepStrictEqual(namesOf(segmentsOf({ target_job_titles })), [name])
  })

  it("are a single one for all kinds of clients in a sentence, without its brackets", () => {
    const business_description =
      "Whitestack washes, presses and delivers hired linen for hotels, serviced apartments and event caterers in Edinburgh, Fife and the Lothians."
    const segmentName = "Hotels, serviced apartments and event caterers"
    assert.deepStrictEqual(namesOf(segmentsOf({ business_description: business_description })), [segmentName])
    assert.deepStrictEqual(
      namesOf(
        segmentsOf({ business_description: business_description, ideal_client_description: business_description })
      ),
      [segmentName]
    )
    assert.strictEqual(
      firstSegmentOf(
        "(Refrigerated van and trailer hire for caterers, florists and pharmaceutical wholesalers across Kent and South London)"
      ).segment_name,
      "Caterers, florists and pharmaceutical wholesalers across Kent and South London"
    )
  })

  it("are a single one if the list of clients is a list of job titles", () => {
    const text = "Port captains; catering managers"
    assert.strictEqual(segmentsOf({ ideal_client_description: text, target_job_titles: text }).length, 1)
  })

  it("have no industry if the clients are described by their jobs", () => {
    const { industry_vertical, segment_name } = firstSegmentOf("Our clients are estate owners and vineyard managers.")
    assert.deepStrictEqual([segment_name, industry_vertical], ["Estate owners and vineyard managers", ""])
    assert.strictEqual(firstSegmentOf("Property managers").industry_vertical, "Property managers")
  })

  it("are one for each line of a list of clients, and none for a price tier", () => {
    const segments = segmentsOf({
      ideal_client_description: "- E-commerce brands\n- Subscription boxes with 500 to 5,000 orders a month",
      core_products: [{ product: "Core", pricing: "$390" }]
    })
    assert.deepStrictEqual(namesOf(segments), ["Ideal clients", "E-commerce brands", "Subscription boxes"])
    assert.strictEqual(segments[2]?.company_size, "")
    assert.strictEqual(segments[1]?.company_size, "")
  })
})

/** The name, industry, size, revenue and place of each segment of profiles that were written before the code was run on them. */
const expectedSegments: Readonly<
  Record<keyof typeof invented, ReadonlyArray<readonly [string, string, string, string, string]>>
> = {
  kiln: [
    [
      "Potteries, brickworks and tile makers in the Midlands",
      "Potteries, brickworks and tile makers",
      "",
      "£2 million to £40 million",
      "the Midlands"
    ]
  ],
  thin: [["All leads", "", "", "", ""]],
  titlesOnly: [["COO and Head of Operations", "", "", "", ""]],
  german: [
    ["Hersteller von Medizintechnik", "Hersteller von Medizintechnik", "20 bis 300 Mitarbeitern", "", "Norddeutschland"]
  ],
  list: [
    ["Ideal clients", "", "", "", ""],
    ["Crane hire firms", "Crane hire firms", "", "", ""],
    ["Main contractors in Wales and the South West", "Main contractors", "", "", "Wales and the South West"],
    ["Steel stockholders", "Steel stockholders", "", "£10 million to £100 million", ""]
  ],
  fragments: [
    ["Ideal clients", "", "", "", ""],
    ["Hotels", "Hotels", "", "", ""],
    ["Leisure centres", "Leisure centres", "", "", ""],
    ["Schools", "Schools", "", "", ""]
  ],
  brochure: [
    ["Fruit importers, supermarkets and wholesalers", "Fruit importers, supermarkets and wholesalers", "", "", "the UK"]
  ],
  size: [
    ["Irish restaurant groups", "Irish restaurant groups", "fewer than 400 employees", "between €3m and €90m", ""]
  ],
  odd: [["Ideal clients", "", "", "", ""]],
  sentence: [["Architects", "Architects", "10 to 120 people", "", "the Pacific Northwest"]],
  saas: [
    [
      "Physiotherapy, dental and eye clinics",
      "Physiotherapy, dental and eye clinics",
      "3 to 25 practitioners",
      "",
      "the US"
    ]
  ],
  french: [["Supermarchés et poissonneries", "Supermarchés et poissonneries", "", "", "Auvergne-Rhône-Alpes"]],
  agency: [["Independent food and drink brands", "Independent food and drink brands", "", "£500k to £5 million", ""]],
  dutch: [["Magazijnen en distributiecentra", "Magazijnen en distributiecentra", "", "", "Nederland en België"]],
  usTrades: [
    ["Ideal clients", "", "", "", "within 90 miles of Akron"],
    ["School districts", "School districts", "4 to 30 buildings", "", "within 90 miles of Akron"],
    ["Churches", "Churches", "", "", "within 90 miles of Akron"],
    ["Property managers", "Property managers", "more than 10 strip malls", "", "within 90 miles of Akron"]
  ],
  consult: [["Owner-managed manufacturers", "Owner-managed manufacturers", "", "£8m–£60m", "the UK"]],
  lab: [
    [
      "Care homes, dental practices, and holiday parks",
      "Care homes, dental practices, and holiday parks",
      "",
      "",
      "Cornwall & Devon"
    ]
  ],
  vagueIdeal: [["Ideal clients", "", "", "", ""]],
  mixed: [
    [
      "Machine builders in Germany, Poland and the Baltics",
      "Machine builders",
      "",
      "",
      "Germany, Poland and the Baltics"
    ]
  ],
  recruiter: [
    ["Ideal clients", "", "", "", ""],
    ["Shipyards", "Shipyards", "", "", ""],
    ["Offshore wind fabricators", "Offshore wind fabricators", "more than 100 employees", "", ""],
    ["Repair docks", "Repair docks", "", "", ""]
  ]
}

describe("the segments of invented profiles", () => {
  it.each(Object.entries(invented))("of the profile %s are exactly those that it states", (name, details) => {
    const profile: Details = { ...noDetails, ...details }
    const segments = draftSegments(profile)
    assert.deepStrictEqual(
      segments.map((segment) => [
        segment.segment_name,
        segment.industry_vertical,
        segment.company_size,
        segment.annual_revenue,
        segment.geographic_location
      ]),
      Object.entries(expectedSegments).flatMap(([profileName, rows]) =>
        profileName === name ? rows.map((row) => [...row]) : []
      )
    )
    const texts = allTexts(profile).join("\n")
    for (const { additional_details } of segments) assert.include(texts, additional_details ?? "")
  })
})

describe("option names", () => {
  it.each([
    ["Free: Quay Condition Self-Check (PDF, 2 pages)", "Quay Condition Self-Check (PDF, 2 pages)"],
    [
      "Recent job: In March we replaced 64 panes at Belton Lane Primary over one half-term, with no lost hours.",
      "Lead magnet"
    ],
    [
      "Comment (Yann, 14/09): add the size guide and the map of our rounds to the quote.",
      "Add the size guide and the map of our rounds to the quote"
    ],
    ["Weir Mills: 40 hours a month saved in the first year after the pumps were replaced with ours.", "Weir Mills"]
  ])("of %j are %j", (text, name) =>
    assert.strictEqual(fieldOptionDrafts({ ...noDetails, lead_magnets: [text] }, "lead_magnet")[0]?.name, name)
  )
})

describe("options and value propositions of invented profiles", () => {
  it.each(Object.entries(invented))("of the profile %s are whole texts of it", (_, details) => {
    const profile: Details = { ...noDetails, ...details }
    const campaign = { ...noChoices, profile, audience: draftSegments(profile)[0] ?? noSegment }
    const drafts = [
      ...(["social_proof", "lead_magnet", "risk_reversal"] as const).flatMap((type) =>
        fieldOptionDrafts(profile, type)
      ),
      ...valuePropositions(campaign)
    ]
    const texts = allTexts(profile)
    for (const { description, name } of drafts) {
      // A whole text starts and ends with a sentence, a line or a list item.
      const isWhole = texts.some((text) => {
        const start = text.indexOf(description)
        const textAfter = text.slice(start + description.length).trim()
        return (
          start >= 0 &&
          /^$|[.!?;,|•-]$/.test(text.slice(0, start).trim()) &&
          (textAfter === "" || /[.!?]$/.test(description) || /^[.!?;,|•-]/.test(textAfter))
        )
      })
      assert.isTrue(isWhole, description)
      assert.isTrue(
        /^[A-Z][\p{L} ]+(?: \d+)?$/u.test(name) || description.toLowerCase().startsWith(name.toLowerCase()),
        name
      )
    }
  })

  it("do not split a sentence in another language", () => {
    const propositions = valuePropositions({
      ...noChoices,
      profile: { ...noDetails, ...invented.german },
      audience: noSegment
    })
    assert.include(
      propositions.map(({ description }) => description),
      "Wir messen, während Sie produzieren."
    )
  })

  it("contain no heading", () => {
    const propositions = valuePropositions({
      ...noChoices,
      profile: { ...noDetails, ...invented.brochure },
      audience: noSegment
    })
    const [firstProposition] = propositions
    assert.match(firstProposition?.description ?? "", /^Meridian Freight Solutions Ltd\. is a leading provider/)
    assert.isFalse(propositions.some(({ description }) => /About Us/.test(description)))
  })
})

describe("segments, options and value propositions of imported sentences", () => {
  it("take no job title as an industry, and no half of a place or of a list", () => {
    const segment = segmentsOf({
      ideal_client_description: "We work with property managers and facility directors.",
      target_job_titles: "We work with property managers and facility directors."
    })[0]
    assert.deepInclude(segment, { industry_vertical: "", decision_makers: ["Property managers", "Facility directors"] })
    assert.strictEqual(firstSegmentOf("Hotels in the Bay of Plenty").geographic_location, "the Bay of Plenty")
    assert.strictEqual(
      firstSegmentOf("Unsere Kunden sind Bauamtsleiter, Leiter der Instandhaltung.").segment_name,
      "Ideal clients"
    )
    assert.strictEqual(
      firstSegmentOf("Our customers are hospitals, hotels (4 star and above) and pharma plants.").segment_name,
      "Ideal clients"
    )
    assert.strictEqual(
      firstSegmentOf("customers: main contractors, roofing firms.").segment_name,
      "Main contractors, roofing firms"
    )
  })

  it("contain no phone number and no company name alone", () => {
    const promises = (business_description: string) =>
      valuePropositions({
        ...noChoices,
        profile: { ...noDetails, company_name: "Clearair Services Pty Ltd", business_description },
        audience: noSegment
      }).map(({ description }) => description)
    assert.deepStrictEqual(promises("Secure document storage in Kent. Call 01452 770 416."), [
      "Secure document storage in Kent."
    ])
    assert.deepStrictEqual(promises("Clearair Services Pty Ltd"), [""])
  })

  it("are not named after the question in a guarantee", () => {
    const [option] = fieldOptionDrafts({ ...noDetails, guarantee: ["Not happy? We clean again."] }, "risk_reversal")
    assert.deepStrictEqual([option?.name, option?.description], ["Guarantee", "Not happy? We clean again."])
  })

  it("are not named after half of a quotation", () => {
    const [option] = fieldOptionDrafts(
      { ...noDetails, lead_magnets: ['PDF "Booking an Interpreter: 10 Questions"'] },
      "lead_magnet"
    )
    assert.strictEqual(option?.name, 'PDF "Booking an Interpreter: 10 Questions"')
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
    [
      "We work with property managers, facility directors and church administrators.",
      ["Property managers", "Facility directors", "Church administrators"]
    ],
    ["Who usually calls us: grounds managers, parish clerks.", ["Grounds managers", "Parish clerks"]],
    [
      "You will mostly be a buyer, a design engineer or a production manager.",
      ["Buyer", "Design engineer", "Production manager"]
    ],
    ["The people we deal with are plant managers and quality managers.", ["Plant managers", "Quality managers"]],
    ["The person we usually talk to is the head chef or the deli buyer.", ["Head chef", "Deli buyer"]],
    [
      "Decision makers are usually the operations director and the risk manager.",
      ["Operations director", "Risk manager"]
    ],
    ["Buyer = Practice Manager, Bursar, sometimes DPO", ["Bursar"]],
    ["Quarry managers · Mine surveyors", ["Quarry managers", "Mine surveyors"]],
    ["We make shop fascias, wayfinding and vehicle graphics for retail chains.", []],
    [
      "Purchasing managers, sourcing heads and design engineers of valve, meter and switchgear makers in Europe.",
      ["Purchasing managers", "Sourcing heads"]
    ],
    [
      "Patent attorneys, and export managers of machinery builders that need 20,000 words a month.",
      ["Patent attorneys"]
    ],
    ["Farm managers of corporate farms, and equity partnerships.", []],
    ["", []],
    ["Anyone who is tired of waiting three weeks for a rebuilt pump and wants it back", []],
    [
      "Usually signed by: the estates manager; in care, the registered manager",
      ["Estates manager", "Registered manager"]
    ],
    [
      "You are probably the production manager, the head brewer or the owner.",
      ["Production manager", "Head brewer", "Owner"]
    ],
    ["Talk to us if you are a works manager or a managing director.", ["Works manager", "Managing director"]],
    [
      "The order normally comes from the facilities manager or the health and safety manager.",
      ["Facilities manager", "Health and safety manager"]
    ],
    [
      "finance director if there is one, otherwise the owner-manager. Office mgr often rings first but can't sign",
      ["Finance director", "Owner-manager"]
    ],
    [
      "Ring us if you are the health and safety manager or the HR manager.",
      ["Health and safety manager", "HR manager"]
    ],
    [
      "You're probably the bid manager who has four live at once, or the managing director who writes them on Sundays.",
      ["Bid manager", "Managing director"]
    ],
    ["It's usually the park manager, or the owner on smaller sites.", ["Park manager", "Owner"]],
    ["the asset manager, Domestic: no", ["Asset manager"]]
  ])("are split: %j", (text, titles) => assert.deepStrictEqual([...extractJobTitles(text)], titles))
})
