// test/research.test.ts: what an import fills from texts of unlike companies, what it offers to pick from, and what it leaves.
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { readFileSync } from "node:fs"
import { extract as readAll } from "#layers/research/Extract.ts"
import { answer } from "#layers/research/Read.ts"
import { fromCsv } from "#layers/research/read/Csv.ts"
import { fromHtml } from "#layers/research/read/Html.ts"
import { DetailsPatch } from "#schema/Details.ts"

const extract = (text: string) => readAll(text).findings
const offered = (text: string, field: string) =>
  readAll(text).missing.find((each) => each.field === field)?.candidates ?? []
const fixture = (name: string) => readFileSync(new URL(`./fixtures/brochures/${name}`, import.meta.url), "utf8")

const site = async (url: string, ...pages: ReadonlyArray<string>) => {
  const told = await answer({ kind: "pages", site: url, pages: pages.map((text) => ({ html: true, text })) })
  return "findings" in told ? told : assert.fail(told.unreadable)
}

describe("from a document", () => {
  it("of an industrial workshop, where several claims share one paragraph", () => {
    assert.deepStrictEqual(extract(fixture("pumps.md")), {
      company_name: "Rossfell Drives",
      website_url: "https://rossfell-drives.example",
      contact_name: "Moira Okafor",
      contact_title: "Commercial Director",
      contact_email: "moira@rossfell-drives.example",
      contact_phone: "+44 113 496 0170",
      competitors: "SEW, Flender, Bonfiglioli",
      core_products: [
        { product: "Gearbox rebuild", pricing: "from GBP 3,200" },
        { product: "Emergency call-out", pricing: "GBP 450 per visit" }
      ]
    })
    assert.strictEqual(
      offered(fixture("pumps.md"), "business_description")[0],
      "Rossfell Drives (https://rossfell-drives.example) repairs and rewinds industrial gearboxes in Leeds, England."
    )
  })

  it("of a dental laboratory, whose customer's words are not its own", () => {
    const text = fixture("dental.md")
    assert.deepStrictEqual(extract(text), {
      company_name: "Brightwater Dental Lab",
      business_description:
        "We are a family-run dental laboratory based in Portland, Oregon. We make crowns, bridges and aligners for independent practices. Our team of 14 technicians has been at it since 1987.",
      ideal_client_description:
        "Independent practices with two to eight chairs that are tired of three-week turnarounds.",
      guarantee: ["If a crown does not seat, we remake it free within 48 hours."],
      credibility_markers: ["ISO 13485 certified", "Member of the National Association of Dental Laboratories"],
      website_url: "https://www.brightwaterlab.example",
      contact_email: "ruth@brightwaterlab.example",
      contact_phone: "(503) 555-0148",
      core_products: [
        { product: "Zirconia crown", pricing: "$129 per unit" },
        { product: "Night guard", pricing: "$85" },
        { product: "Full-arch bridge", pricing: "from $1,950" }
      ]
    })
    for (const [field, texts] of [
      [
        "case_studies",
        [
          "Hillside Family Dentistry cut remakes from 9% to 1.5% in one quarter.",
          "Marlow Smiles, a four-chair practice, saved $38,000 a year on lab bills."
        ]
      ],
      ["business_address", ["2210 Alder Street, Suite 4, Portland, OR 97205 www.brightwaterlab.example"]],
      ["city_region", ["Portland"]]
    ] as const)
      assert.includeMembers([...offered(text, field)], [...texts], field)
  })

  it("of a software company, with underlined headings and plans", () => {
    const text = fixture("software.md")
    assert.deepStrictEqual(extract(text), {
      company_name: "Ledgerloom",
      ideal_client_description: "Hotel groups with 5 to 80 properties and a finance team of two to ten.",
      case_studies: [
        "Costa Verde Hotels: the close went from 14 days to 3 across 22 properties.",
        "The Almar group recovered EUR 96,000 of missing commissions in its first year."
      ],
      objections_and_responses: '"We already have an ERP." Ledgerloom feeds it, it does not replace it.',
      contact_email: "beatriz@ledgerloom.example",
      contact_phone: "+351 21 555 0182",
      core_products: [
        { product: "Solo", pricing: "EUR 49 per month for one property" },
        { product: "Group", pricing: "EUR 39 per property and month, from five properties" },
        { product: "Enterprise", pricing: "Price on request" }
      ]
    })
    assert.deepStrictEqual(offered(text, "pain_points"), [
      "Night audits arrive as PDFs.",
      "Nobody trusts the intercompany balances."
    ])
    assert.deepStrictEqual(offered(text, "guarantee"), ["30-day money-back guarantee."])
  })

  it("of a wholesaler, as a table of fields", () => {
    assert.deepStrictEqual(extract(fromCsv(fixture("profile.csv"))), {
      company_name: "Tamsin & Rowe Bakery Supplies Ltd",
      website_url: "https://tamsinrowe.example",
      industry_vertical: "Food wholesale",
      business_description:
        "We mill and deliver organic flour to craft bakeries before 6 am. Orders close at midnight.",
      contact_name: "Priya Rowe",
      contact_phone: "020 7946 0321",
      contact_email: "priya@tamsinrowe.example",
      business_address: "14 Corn Lane, Bristol BS1 4QD, UK",
      target_job_titles: "Head bakers, owners",
      competitors: "BAKO, Cook Flour",
      guarantee: ["A late delivery is free"],
      lead_magnets: ["Free 5 kg tasting bag"]
    })
  })

  it("of a contractor, with rates in a table; a row that mixes two units stays for a person", () => {
    assert.deepStrictEqual(extract(fixture("hvac.md")).core_products, [
      { product: "Preventive maintenance plan", pricing: "$185 per unit per quarter" },
      { product: "Chiller retrofit", pricing: "from $48,000" },
      { product: "Duct cleaning", pricing: "$0.45 per sq ft" }
    ])
    assert.deepStrictEqual(extract(fixture("hvac.md")).guarantee, [
      "If we miss the two-hour window, the call-out is free.",
      "All work carries a five-year warranty on parts and labor."
    ])
  })

  it("of a press release, where the agency is not the company", () => {
    assert.deepStrictEqual(extract(fixture("press.txt")), {
      business_description:
        "Calder Bio makes trays, bowls and lids for supermarkets and caterers. It was founded in 2016 and is certified by BSI to EN 13432.",
      contact_email: "sales@calderbio.example",
      contact_phone: "0113 496 0222",
      website_url: "https://www.calderbio.example"
    })
  })

  it("of customers' stories, each under its headline", () => {
    assert.include(
      offered(fixture("stories.md"), "case_studies"),
      "Output went from 40 to 84 cabinets a day in nine weeks."
    )
  })

  it.each([
    ["the writer of an essay on other companies", fixture("essay.md")],
    ["a mail", "From: Ann Lee <ann@acme.example>\n\nThanks.\nAcme\n0113 496 0222"],
    ["an answer to one", "Acme\n\nann@acme.example\n\nOn Monday, 3 March 2025, Bo Oak wrote:\n\nCompetitors: Oak"],
    ["a chat", "[2025-10-06, 8:31:40 AM] Ann: Company: Acme\n\nEmail: ann@acme.example"],
    ["minutes", "# Minutes of 3 March\n\nCompany: Oak Ltd\n\nAnn Lee, ann@oak.example"],
    ["an invoice", "Invoice 1042\n\nAcme Ltd\n\nann@acme.example\n\n| Item | Price |\n|---|---|\n| Wash | €12 |"],
    ["a proposal to a client", "Linen for Oak\n\nPrepared for: Oak\n\ngm@oak.example"],
    ["a sheet of partners", "# Partner sheet\n\nOak - makes the cameras\n\nli@oak.example"],
    ["a template", "Company: Acme\n\nLorem ipsum dolor sit amet.\n\nann@acme.example"],
    ["blank", "   \n\n\t"]
  ])("of %s, nothing", (_, text) => assert.deepStrictEqual(extract(text), {}))
})

describe("whose text it is", () => {
  const letterhead = "# Acme Tools\n\nann@acme-tools.example, 0113 496 0182\n\nwww.acme-tools.example"
  const own = {
    company_name: "Acme Tools",
    contact_email: "ann@acme-tools.example",
    contact_phone: "0113 496 0182",
    website_url: "https://www.acme-tools.example"
  }
  it.each([
    ["it names one domain", letterhead, own],
    ["it begins with the name of one of two domains", `${letterhead}\n\nPaper: bo@oak.example`, own],
    [
      "it names two domains and begins with neither",
      `Spring list\n\nFor all.\n\n${letterhead}\n\nOak, bo@oak.example`,
      {}
    ],
    ["another number stands in it", `${letterhead}\n\nOak: 0151 496 0022`, { ...own, contact_phone: undefined }],
    ["the press has a number of its own", `${letterhead}\n\nPress contact: Bo, 0151 496 0022`, own],
    ["a label names a competitor's site", `${letterhead}\n\nCompetitors: Oak`, { ...own, competitors: "Oak" }],
    ["a label is a client's", "# Case studies\n\nCompany: Oak\n\nIndustry: Mining", {}],
    ["two labels differ", "Company: Oak\n\nCompany: Ash", {}],
    ["only a mailbox of everybody's provider is there", "Acme\n\nacme@gmail.com", {}]
  ])("where %s", (_, text, found) => {
    const expected = Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined))
    assert.deepStrictEqual(extract(text), expected)
  })

  it.each([
    ["Levante Care", "Levante Care"],
    ["Levante Care S.L.", "Levante Care S.L."],
    ["Levante Care GmbH & Co. KG", "Levante Care GmbH & Co. KG"],
    ["© 2019-2026 Levante Care. All rights reserved", "Levante Care"],
    ["LEVANTE CARE\n\nLevante Care cleans panels in Leeds.", "Levante Care"],
    ["The Levante Care", "The Levante Care"],
    ["Levante Dental Care", "Levante Dental Care"],
    ["Levante Care Foods", undefined],
    ["Lunch and learn: Levante Care, 22 May 2025\n\nbo@oak.example", undefined],
    ["Levante Care\n\n© Oak, oak.example\n\nWho we are\n\n© Oak, oak.example", undefined],
    ["At Metzgerei Levante Care we cut. Your Levante Care", undefined],
    ["The Spenglerei was founded by Levante Care in 1990.", undefined],
    ["Solutions Levante Care", undefined],
    ["L E V A N T E Care", undefined]
  ])("names the company only as its domain does: %j", (head, name) =>
    assert.strictEqual(extract(`${head}\n\ncare@levantecare.example`).company_name, name)
  )

  it("knows the two ways of an address to write an umlaut, and a name with 'and'", () => {
    assert.strictEqual(extract("Müller Bau\n\ninfo@mueller-bau.example").company_name, "Müller Bau")
    assert.strictEqual(extract("Hale & Sons\n\ninfo@haleandsons.example").company_name, "Hale & Sons")
  })

  it.each([
    ["write to sales@acme.example or jobs@acme.example", "sales@acme.example"],
    ["noreply@acme.example, ann.lee@acme.example, info@acme.example", "info@acme.example"],
    ["ann.lee@acme.example, orders@acme.example", undefined],
    ["https://acme.example, agent bo@gmail.com, office@acme.example", "office@acme.example"],
    ["Emailinfo@acme.example", "info@acme.example"],
    ["privacy@acme.example", undefined],
    ["help@acme.example", undefined]
  ])("chooses the address to write to in %j", (text, email) =>
    assert.strictEqual(extract(`Acme\n\n${text}`).contact_email, email)
  )

  it.each([
    ["Tel: 020 7946 0000", "020 7946 0000"],
    ["Phone (216) 555-0l47", undefined],
    ["Fax +44 20 7946 0001\n\n+44 20 7946 0000", "+44 20 7946 0000"],
    ["+44 20 7946 0000\n\nTel. 020 7946 0000", "+44 20 7946 0000"],
    ["Call us on +1 (415) 555-0100 today", "+1 (415) 555-0100"],
    ["01904 555 022\n\n0113 496 0182", undefined],
    ["01/02/2026, version 0.1.2 of 2026-01-02 10:00", undefined],
    ["Founded 1998, revenue 12,500,000", undefined],
    ["SIREN 000 614 200, VAT PL 1234567890", undefined],
    ["EUR 14,500 to 22,000", undefined],
    ["Phone: 123-223-2321", undefined],
    ["Phone: +1-(647)20269-7386", undefined],
    ["Phone: (000) 000-0000", undefined],
    ["Phone: +91 98765 43210", undefined],
    ["Phone: 04 05 06 07 08", undefined]
  ])("takes only a phone number for one in %j", (text, phone) =>
    assert.strictEqual(extract(`Acme\n\nann@acme.example\n\n${text}`).contact_phone, phone)
  )
})

describe("a label", () => {
  it.each([
    ["Company: Dorn med. Systeme GmbH", { company_name: "Dorn med. Systeme GmbH" }],
    ["Company: Levante Care (Leeds)", { company_name: "Levante Care (Leeds)" }],
    [
      "Contact person: Ann Lee, Head of Sales, +44 151 496 0000",
      { contact_name: "Ann Lee", contact_title: "Head of Sales" }
    ],
    ["Address: Auer Str. 48 A, 76227 Karlsruhe", { business_address: "Auer Str. 48 A, 76227 Karlsruhe" }],
    ["Certificates: bizSAFE STAR; ISO 9001", { credibility_markers: ["bizSAFE STAR", "ISO 9001"] }],
    ["Guarantee: Call-back in 4 hours, or it is free.", { guarantee: ["Call-back in 4 hours, or it is free."] }],
    ["Headquarters: Leeds", { city_region: "Leeds" }],
    [
      "Certificates: New roofs get five years; old ones get four.",
      { credibility_markers: ["New roofs get five years; old ones get four."] }
    ],
    ["What we do: We bind books for banks in Leeds.", { business_description: "We bind books for banks in Leeds." }],
    [
      "**Company:** Acme Ltd\n**Founded:** 1987\n**Address:** 2 Mill Road, Wooster, OH 44691\n**Industry:** Machining (NAICS 332721)",
      {
        company_name: "Acme Ltd",
        business_address: "2 Mill Road, Wooster, OH 44691",
        industry_vertical: "Machining (NAICS 332721)"
      }
    ],
    [
      "Legal name:        Acme Ltd\nContact person:    Ann Lee (Owner)",
      { company_name: "Acme Ltd", contact_name: "Ann Lee", contact_title: "Owner" }
    ],
    [
      "| FIELD | ANSWER | | NOTES |\n|---|---|---|---|\n| Legal name | Acme, Inc. | | S-corp |\n| Industry | climbing | | 7139 |",
      { company_name: "Acme, Inc.", industry_vertical: "climbing" }
    ],
    ["Company ...... Acme Ltd\nHeadquarters ...... Leeds", { company_name: "Acme Ltd", city_region: "Leeds" }],
    [
      "| id | Field | Value | By |\n|---|---|---|---|\n| 1 | Company name | Acme Ltd | ann |\n| 2 | Industry | Saws | bo |",
      { company_name: "Acme Ltd", industry_vertical: "Saws" }
    ],
    ["Company: Ac\u200bme\u202e\u{e0041}", { company_name: "Acme" }]
  ])("is read whole: %j", (text, found) => assert.deepStrictEqual(extract(text), found))

  it.each([
    ["a sentence without a verb", "Wettbewerber: Überwiegend die großen Hersteller, regional Nordlift", "competitors"],
    [
      "a sheet whose right column wraps",
      "Web           acme.example\nPhone         0113 496 0182\nCompany       Acme Ltd\nCertifications  ISO 9001,\n              and more\nReference     Oak",
      "credibility_markers"
    ],
    ["where to look", "Competitors: See [[Battlecards/Oak]]", "competitors"],
    ["a remark", "Competitors: Kerrygold obviously. also Ornua", "competitors"],
    ["a plan that is not one yet", "Guarantee: still under discussion with legal", "guarantee"],
    ["a promise that is denied", "Garantie: keine Garantie auf Farben", "guarantee"],
    ["whom to ask", "Free consultation: desk@acme.example", "lead_magnets"],
    ["an invitation", "About us: Learn about our mission.", "business_description"],
    ["a link to a story", "Case study: Brightwell Foods and the 40 doors", "case_studies"],
    ["two labels in one line", "Ideal clients: machine builders. Who signs: CEO", "ideal_client_description"],
    ["a line that is cut", "Pain points: Outdated site, no lead\nfollow-up system", "case_studies"],
    [
      "two statements in one paragraph",
      "Certificates: ISO 9001 and IFS Food (higher level, audited in 2024)\nPlease ask for our list.",
      "credibility_markers"
    ],
    [
      "what stands under a heading of an unknown company's text",
      "## Guarantee\n\nWe come back within 4 hours.",
      "guarantee"
    ],
    ["what two columns make of it", "GARANTIE                    elf Nächten\n5 Jahre auf Verdichter", "guarantee"],
    ["what is struck out", "~~Guarantee: money back within a year.~~", "guarantee"]
  ])("is not read where it names %s, and is offered", (_, text, field) => {
    assert.isFalse(Object.hasOwn(extract(text), field))
  })
})

describe("a section of the company's own text", () => {
  const own = (section: string) => extract(`Acme Tools\n\nhello@acmetools.example\n\n${section}`)

  it.each([
    ["## Our promise\n\nWe come back within 4 hours.", { guarantee: ["We come back within 4 hours."] }],
    [
      "## Credentials\n\n- ISO 9001 since 2019\n- 140 customers\n- NOT organic certified",
      { credibility_markers: ["ISO 9001 since 2019", "140 customers"] }
    ],
    ["## Main competitors\n\nWeir, KSB, in-house teams", { competitors: "Weir, KSB, in-house teams" }],
    ["## What we do\n\nWe bind books.\n\nWe gild them.", { business_description: "We bind books. We gild them." }],
    [
      "## About us\n\nWe make saws for joiners in Leeds.",
      { business_description: "We make saws for joiners in Leeds." }
    ]
  ])("is what its heading says: %j", (section, found) => assert.deepInclude(own(section), found))

  it.each([
    ["a history", "## About us\n\nAcme Tools was founded in 1990 by two brothers.", "business_description"],
    ["clients", "## About us\n\nWe sell to quarries and ports in the north.", "business_description"],
    ["a plan", "## Guarantee\n\nStill under discussion with legal.", "guarantee"],
    ["a list of what is done", "## What we do\n\n- Cutting of steel.\n- Bending of it.", "business_description"],
    [
      "two sections, one without a mark",
      "## Credentials\n\nISO 9001.\n\nOur shop\n\nOpen daily.",
      "credibility_markers"
    ],
    ["another language", "## Warranty\n\nWir kommen innerhalb von vier Stunden und reparieren.", "guarantee"]
  ])("is not read where it holds %s", (_, section, field) => assert.notProperty(own(section), field))
})

describe("a price list", () => {
  const table = (head: string, ...rows: ReadonlyArray<string>) =>
    `# Hire\n\n| ${head} |\n|${"---|".repeat(head.split("|").length)}\n${rows.map((row) => `| ${row} |`).join("\n")}`
  const one = (product: string, pricing: string) => [{ product, pricing }]

  it.each([
    ["## Prices\n\n- Wash, €12", one("Wash", "€12")],
    ["## Plans\n\n- **Care plan** — monthly visits, from £49 a month", one("Care plan", "from £49 a month")],
    ["## Services and prices (ex VAT)\n\n- Audit: 1.200 EUR flat", one("Audit", "1.200 EUR flat")],
    ["We make rotas.\nProducts\n- Rota (EUR 4–6 per user)", one("Rota", "EUR 4–6 per user")],
    ["## Prices\n\n- Team\tEUR 4 per seat", one("Team", "EUR 4 per seat")],
    ["## Prices (per seat, per month)\n\n- Team: EUR 4", one("Team", "EUR 4 per seat, per month")],
    ["| Item | Price |\n| Seal, G2 | £420 |", one("Seal, G2", "£420")],
    [
      table("Art. no | Item | Unit | EUR", "T1 | Heat treatment | pallet | 14.50"),
      one("Heat treatment", "EUR 14.50 / pallet")
    ],
    [table("Item | Price per term", "Ballet | € 145"), one("Ballet", "€ 145 per term")],
    [table("Item | Price from 50 pieces", "Caps | € 2,90"), one("Caps", "€ 2,90 (Price from 50 pieces)")],
    // What it costs the seller, beside what kinds of customers pay; the second holds without the first.
    [table("Service | Sole trader | Cost to us", "VAT return | £60 | £30"), undefined],
    [table("Service | Cost to us", "VAT return | £30"), undefined],
    [table("Service | Price | Firms", "VAT return | £60 | £75"), undefined],
    [
      table("Item | Price", "Cone | €4 a week", "Cone lost | €11", "Carriage | €9", "Setup | €75 per run"),
      one("Cone", "€4 a week")
    ],
    [
      "# Stickwell\n\n## Label application\n\n| Service | Price |\n|---|---|\n| Jars, round | $0.09 each |",
      one("Label application: Jars, round", "$0.09 each")
    ],
    [
      table(
        "Item | Price",
        "Check | €68",
        "Missed visit | €30",
        "Two or more horses | €60",
        "Workshop rate | €48",
        "Read and sign, handling | €35"
      ),
      one("Check", "€68")
    ],
    ["## Prices\n\nMonteurstunde          78,50 €\nMeister im Dienst      92,00 €", undefined],
    [table("Item | Price", "Display | 539.00"), undefined],
    [table("Item | Until 31 Jan | Price now", "Crew day | €2,650 | €2,850"), undefined],
    [table("Item | Trade price | RRP", "Hive | £148 | £189"), undefined],
    [table("Item | Our price | Agency", "Film | €750 | €5,000"), undefined],
    [table("Supplier | Price", "Oak Ltd | €289"), undefined],
    [table("Package | Monthly price", "Rewiring, one-off | €289"), undefined],
    [table("Item | Price", "Wadstar | €640", "Wadstar | €585"), undefined],
    [table("Item | Price", "Wash | €12", "SERVICES | EUR", "Packing | €17"), undefined],
    [table("Item | Price", "Wash after rain | €20 extra"), undefined],
    [table("Item | Price", "Hive check | GBP 0.00"), undefined],
    ["# We pay you\n\n| Item | Price |\n|---|---|\n| Euro pallet | €7.90 |", undefined],
    ["## Extras\n\n| Item | Price |\n|---|---|\n| Press proof | €45 |", undefined],
    ["- Wash, €12\n- Wax, €9", undefined],
    ["## Prices\n\nAlignment €12", undefined],
    ["# Insurances\n\nPublic liability\t£10,000,000", undefined],
    ["The Audit Pro costs $900 per year.", undefined],
    ["## Products\n\nThe plant cost £12 million.", undefined],
    ["## Competitors\n\n| Item | Price |\n|---|---|\n| Liftwerk | 55 € |", undefined]
  ])("is read only where it is one: %j", (text, products) =>
    assert.deepStrictEqual(extract(text).core_products, products)
  )

  it("is offered line by line where no heading says what is sold", () => {
    const text = "# Oak Desks\n\nAlignment, €12\n\n| Seal kit | from €80 |\n\nPackers €9\n\nWe paid €5 for it."
    assert.deepStrictEqual(offered(text, "core_products").slice(0, 3), [
      "Alignment | €12",
      "Seal kit | from €80",
      "Packers | €9"
    ])
  })
})

describe("from a site", () => {
  it("takes what stands in the page, and nothing of menus, baskets, cookies and newsletters", async () => {
    const { findings } = await site(
      "https://tallowandwick.example",
      fixture("candles.html"),
      fixture("candles-products.html")
    )
    assert.deepStrictEqual(findings, {
      website_url: "https://tallowandwick.example",
      company_name: "Tallow & Wick",
      contact_email: "hello@tallowandwick.example",
      contact_phone: "+44 117 496 0221",
      business_description: "Tallow & Wick pours private-label candles for hotels and gift shops.",
      core_products: [
        { product: "Private-label candle", pricing: "from £4.20 per piece" },
        { product: "Gift set of three", pricing: "£11.50" }
      ]
    })
  })

  it("takes what a page tells machines where it shows people little, and says so", async () => {
    const { findings, sources } = await site("https://vantageroofing.example", fixture("roofing.html"))
    assert.deepStrictEqual(findings, {
      website_url: "https://vantageroofing.example",
      company_name: "Vantage Roofing Co.",
      contact_phone: "+1-303-555-0119",
      contact_email: "bids@vantageroofing.example",
      business_address: "2100 Blake Street, Denver, CO 80205",
      city_region: "Denver, CO",
      business_description: "Vantage Roofing installs and repairs flat roofs for warehouses in Denver, Colorado."
    })
    assert.deepInclude(sources, {
      field: "contact_phone",
      text: "+1-303-555-0119",
      heading: "Structured data of the page"
    })
  })

  const data = (value: object) => `<script type="application/ld+json">${JSON.stringify(value)}</script><p>Books.</p>`
  it.each([
    ["a company that its domain spells", { name: "Oakline" }, "Oakline"],
    ["a company with a mailbox there", { name: "Leeds Binders", email: "a@oakline.example" }, "Leeds Binders"],
    [
      "a company that names the site as its own",
      { name: "Leeds Binders", url: "https://oakline.example/" },
      "Leeds Binders"
    ],
    ["the maker of the site", { name: "Pixel Studio", email: "hi@pixel.example" }, undefined],
    ["a title", { name: "Oakline Books - Boxes, Albums, Leeds", email: "a@oakline.example" }, undefined],
    ["a person", { "@type": "Person", name: "Oakline" }, undefined]
  ])("reads of structured data: %s", async (_, company, name) => {
    const { findings } = await site("https://oakline.example", data({ "@type": "Organization", ...company }))
    assert.strictEqual(findings.company_name, name)
  })

  it("offers values from another company's metadata", async () => {
    const { missing } = await site("https://oakline.example", data({ "@type": "Organization", name: "Pixel Studio" }))
    assert.strictEqual(missing.find(({ field }) => field === "company_name")?.candidates[0], "Pixel Studio")
  })

  it.each([
    ["We bind books for banks in Leeds and York.", true],
    ["Oakline Binding offers binding, boxes and repair for banks in Leeds.", true],
    ["We bind books for banks in Leeds. We repair them for schools in York.", true],
    ["We bind books for banks in Leeds. Call us now.", false],
    ["Need a book bound? Oakline offers quick work in all of Leeds.", false],
    ["Your partner for books. Oakline will guide you through all.", false],
    ["We bind books for banks in Leeds and in the rest of", false],
    ["The website of Oakline is being rebuilt at the moment.", false],
    ["Family-owned binder of books for banks in Leeds and York.", false],
    ["Pixel Studio designs sites for binders of books in Leeds.", false],
    ["Notre atelier relie des livres pour les banques de Leeds.", false]
  ])("takes its home page's description for what it does where that is so: %j", async (text, isTaken) => {
    const page = (content: string) => `<meta name="description" content="${content}"><p>Books and boxes.</p>`
    const { findings, missing } = await site(
      "https://oakline.example",
      page(text),
      page("Oakline sells vouchers for books.")
    )
    assert.strictEqual(findings.business_description, isTaken ? text : undefined)
    const candidates = missing.find(({ field }) => field === "business_description")?.candidates
    assert.strictEqual(candidates?.includes(text), isTaken ? undefined : true)
  })

  it("takes no label of a page, which may be a client's or a job's, and of two numbers or mailboxes none", async () => {
    const contact = "<p>ann@oakline.example</p><p>Tel. 0113 496 0182</p>"
    const one = await site("https://oakline.example", `<h1>Books</h1><p>Company: Techcorp</p>${contact}`)
    assert.deepStrictEqual(one.findings, {
      website_url: "https://oakline.example",
      contact_email: "ann@oakline.example",
      contact_phone: "0113 496 0182"
    })
    const two = await site("https://oakline.example", `${contact}<p>bo@oakline.example</p><p>Tel. 0113 496 0199</p>`)
    assert.deepStrictEqual(two.findings, {})
  })

  it("takes the name that its domain spells, from Open Graph where the page does not show it", async () => {
    const named = (name: string) => `<title>Home</title><meta property="og:site_name" content="${name}"><p>Books.</p>`
    assert.strictEqual((await site("https://oakline.example", named("Oakline"))).findings.company_name, "Oakline")
    assert.isUndefined((await site("https://oakline.example", named("BH Studio"))).findings.company_name)
  })

  it("tells apart what stands side by side in elements of its own", () => {
    const text = "<p><a>LinkedIn</a><a>ann@oakline.example</a></p><p>An <b>oa</b><b>ken</b> floor.</p>"
    assert.strictEqual(fromHtml(text, 1000).text.trim(), "LinkedIn ann@oakline.example\n\nAn oaken floor.")
  })

  it("takes no number that its link hides in part, and is not hidden by a class that names cookies", async () => {
    const text =
      '<body class="cookies-not-set"><p>ann@oakline.example</p><p><a href="tel:0666011234">06.66.01.xx.xx</a></p></body>'
    const { findings } = await site("https://oakline.example", text)
    assert.deepStrictEqual([findings.contact_email, findings.contact_phone], ["ann@oakline.example", undefined])
  })
})

describe("what is missing", () => {
  it.each([
    ["Unlike Asana and Trello, Rota knows the law.", "competitors"],
    ["We compete with Shred-it, Iron Mountain and PulpCo.", "competitors"],
    ["Our typical buyers are head bakers and owners.", "target_job_titles"],
    ["We sell to mines with 5 to 200 pumps in service.", "ideal_client_description"],
    ["If a crown does not seat, you pay nothing.", "guarantee"],
    ["Acme cut its waste from 40 to 12 tonnes.", "case_studies"],
    ["Book a free audit today.", "lead_magnets"]
  ])("is offered the sentence %j for %s", (text, field) => {
    assert.isFalse(Object.hasOwn(extract(text), field))
    assert.deepStrictEqual(offered(text, field), [text])
  })

  it("is offered every name, number and address that could be it", () => {
    const text = [
      "# Rates 2026",
      "",
      "Harbour Cranes Ltd hires out cranes. Quay Plant Ltd services them.",
      "",
      "Ask for Ann Lee, sales manager, 0113 496 0182, ann@harbour.example. Ben Ode (workshop manager), 0113 496 0199.",
      "",
      "Offices: Unit 4, 12 Quay Street, Leeds LS1 4AB",
      "",
      "Yard: Unit 9, 3 Mill Lane, York YO1 7AB",
      "",
      "harbour.example, quay.example, desk@quay.example"
    ].join("\n")
    for (const [field, values] of [
      ["company_name", ["Harbour Cranes Ltd", "Quay Plant Ltd"]],
      ["contact_name", ["Ann Lee", "Ben Ode"]],
      ["contact_title", ["sales manager", "workshop manager"]],
      ["contact_phone", ["0113 496 0182", "0113 496 0199"]],
      ["contact_email", ["ann@harbour.example", "desk@quay.example"]],
      [
        "business_address",
        ["Offices: Unit 4, 12 Quay Street, Leeds LS1 4AB", "Yard: Unit 9, 3 Mill Lane, York YO1 7AB"]
      ],
      ["city_region", ["Leeds", "York"]],
      ["website_url", ["https://harbour.example", "https://quay.example"]]
    ] as const) {
      assert.isFalse(Object.hasOwn(extract(text), field), field)
      assert.deepStrictEqual(offered(text, field), values, field)
    }
  })

  it("is offered first the sentence in which the company says what it does", () => {
    const sentence = "Tri-Rivers Metrology, LLC calibrates gauges for shops."
    const text = `# Tri-Rivers Metrology, LLC\n\nquotes@tririversmetrology.example\n\nGauges drift. We come and see.\n\n${sentence}`
    assert.strictEqual(offered(text, "business_description")[0], sentence)
  })
})

it("says where each value was read", () => {
  const { sources } = readAll(fixture("kestrel.md"))
  assert.deepStrictEqual(
    sources.find(({ field }) => field === "core_products"),
    { field: "core_products", text: "K-200 slurry pump, from EUR 14,500", heading: "Products" }
  )
  for (const { text } of sources) assert.include(fixture("kestrel.md").replace(/^- /gm, ""), text)
})

it.each([
  ["letters", "a".repeat(400_000)],
  ["spaces", " ".repeat(400_000)],
  ["capitals", "Aa ".repeat(130_000)],
  ["dots", "a.".repeat(200_000)],
  ["at signs", "a@".repeat(200_000)],
  ["digits", "1 ".repeat(200_000)],
  ["brackets", "[".repeat(400_000)],
  ["stars", "**".repeat(200_000)],
  ["bars", "|".repeat(400_000)],
  ["prices", "EUR 1,".repeat(60_000)],
  ["names", "Aa, Bb\n".repeat(60_000)],
  ["links", "http://".repeat(55_000)],
  ["lines of rivals", `${"unlike A, ".repeat(480)}\n`.repeat(80)]
])("is not held up by %s without end, and keeps within what a workspace holds", (_, text) => {
  // A rule that goes back and forth over such a text would not end before the runner gives up.
  assert.isTrue(Schema.is(DetailsPatch)(extract(text)))
})

describe("the company whose text it is", () => {
  it("is known by its domain from the beginning of a word on, and not by what the layout left of an address", () => {
    const title = (next: string) => extract(`BRIGHT FURNITURE\n${next}\n\nWe mend desks.\n\nhi@brightfurniture.example`)
    assert.notProperty(title("PROJECT"), "company_name")
    assert.strictEqual(title("Leaflet").company_name, "BRIGHT FURNITURE")
    const cut = "KERERU PHYSIO & REHAB\n\nBook at kererup hysio.co.nz/book\n\nhemi@kererup"
    assert.notProperty(extract(cut), "website_url")
    const whole = "Stem & Vine lends plants.\n\nstemandvine.example / ines@stemandvine.example"
    assert.deepInclude(extract(whole), {
      contact_email: "ines@stemandvine.example",
      website_url: "https://stemandvine.example"
    })
  })

  it("may speak of partners below its title, and call its profile one of a supplier", () => {
    const contact = "Holm & Reid LLP\nwww.holmreid.example\ninfo@holmreid.example"
    const own = { contact_email: "info@holmreid.example", website_url: "https://www.holmreid.example" }
    const prose =
      "Today there are four partners, nine solicitors and a team of paralegals who act for farming families in Perth."
    assert.deepInclude(extract(`About us\n\n${prose}\n\n${contact}`), own)
    assert.deepInclude(extract(`One-page supplier profile\n\n${contact}`), own)
    assert.deepStrictEqual(extract(`Our partners\n\n${contact}`), {})
    assert.deepStrictEqual(extract(`List of suppliers\n\n${contact}`), {})
  })

  it("is named with the whole of its legal form", () => {
    const text = "Drewpal\n\nDrewpal Sp. z o.o. Sp.k.\n\nul. Długa 4\n\nbiuro@drewpal.example"
    assert.strictEqual(extract(text).company_name, "Drewpal Sp. z o.o. Sp.k.")
  })

  it("has no number that reaches one person of it", () => {
    const at = (phone: string) => extract(`Acme Tools\n\nPhone: ${phone}\n\ninfo@acmetools.example`)
    assert.strictEqual(at("(330) 555-0147").contact_phone, "(330) 555-0147")
    assert.notProperty(at("(330) 555-0147, ext. 12"), "contact_phone")
  })

  it("is known by the only address of a text where labels give its name and that address", () => {
    const labels = "Company: Hollow Tree Care\n\nEmail: office@oakandash.example"
    assert.deepStrictEqual(extract(labels), {
      company_name: "Hollow Tree Care",
      contact_email: "office@oakandash.example"
    })
    assert.notProperty(extract(`${labels}\n\nwww.elm.example`), "contact_email")
    assert.notProperty(extract("Company: Hollow Tree Care\n\nWe asked ann@oakandash.example."), "contact_email")
  })

  it("has the longer name of its footer, and none of the prices that end, vary or were made for one buyer", () => {
    const text = (line: string) => `Acme\n\n${line}\n\n## Prices\n\n- Wash: €12\n\nAcme Tools LLC\n\nhi@acme.example`
    assert.deepInclude(extract(text("We wash.")), {
      company_name: "Acme Tools LLC",
      core_products: [{ product: "Wash", pricing: "€12" }]
    })
    for (const line of ["Valid until 31 March 2026", "Gültig bis 1.1.2026", "Indicative prices", "RFT 2025/118"])
      assert.notProperty(extract(text(line)), "core_products")
  })

  it("has its name once, however often a logo repeats it", async () => {
    const logo = "<a href='/'><svg><title>Oak Lane</title></svg></a>"
    const read = await site(
      "https://oaklane.example",
      `<title>Studio — Oak Lane</title>${logo}<p>Chairs.</p><footer>© 2026 Oak Lane</footer>`
    )
    assert.strictEqual(read.findings.company_name, "Oak Lane")
    assert.notProperty(extract("Oak LaneOak Lane\n\nhello@oaklane.example"), "company_name")
  })
})

describe("documents of many trades, half of them messy", () => {
  const folder = new URL("./fixtures/imports/", import.meta.url)
  const expected: Readonly<Record<string, object>> = JSON.parse(readFileSync(new URL("expected.json", folder), "utf8"))
  const kinds = { md: "md", txt: "txt", csv: "csv" } as const
  const kindOf = (name: string) => {
    const [, ext = ""] = name.split(".")
    return Object.entries(kinds).find(([kind]) => kind === ext)?.[1]
  }

  /** A site's own domain is the first that its page names. */
  const siteOf = ([page]: ReadonlyArray<{ readonly text: string }>) =>
    `https://${/[a-z0-9-]+\.example/.exec(page?.text ?? "")?.[0] ?? "site.example"}`

  it.each(Object.entries(expected))(
    "fill what a reader found right in %s, and nothing else",
    async (name, findings) => {
      const content = readFileSync(new URL(name, folder))
      const kind = kindOf(name)
      const pages = [{ html: true, text: content.toString() }]
      const told = await answer(kind === undefined ? { kind: "pages", site: siteOf(pages), pages } : { kind, content })
      if (!("findings" in told)) return assert.fail(told.unreadable)
      assert.deepStrictEqual(told.findings, findings)
      // Every value stands in the text; only its first letter, its spaces and the mark after a bold lead may differ.
      const flat = (text: string) =>
        text
          .toLowerCase()
          .replace(/~~[^~\n]+~~/g, "")
          .replace(/\.("?)(?=\*\*)/g, "$1:")
          .replace(/[\s|*#"“”,;:-]+/g, "")
      // What a page states for machines stands in its source alone.
      const text = flat(kind === undefined ? `${told.text} ${content}` : told.text)
      // A sentence of one column has those of the other between its lines.
      if (name.endsWith("columns.txt")) return
      for (const value of [told.findings.guarantee, told.findings.credibility_markers].flatMap((list) => list ?? []))
        assert.include(text, flat(value))
      // An address may take several lines, and that of a site is completed.
      for (const { candidates, field } of told.missing)
        for (const each of candidates.flatMap((each) => each.split(" | ")))
          if (field !== "business_address") assert.include(text, flat(each.replace(/^https?:\/\/(?:www\.)?/, "")))
    }
  )
})
