// test/research.test.ts: what a careful reader would take down from texts of unlike companies, and what he would not.
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { readFileSync } from "node:fs"
import { extract as readAll } from "#layers/research/Extract.ts"
import { answer } from "#layers/research/Read.ts"
import { fromCsv } from "#layers/research/read/Csv.ts"
import { fromHtml } from "#layers/research/read/Html.ts"
import { DetailsPatch } from "#schema/Details.ts"

const extract = (text: string, site?: string) => readAll(text, site).findings
const candidates = (name: string, field: string) =>
  readAll(fixture(name)).missing.find((each) => each.field === field)?.candidates ?? []
const fixture = (name: string) => readFileSync(new URL(`./fixtures/brochures/${name}`, import.meta.url), "utf8")

describe("from a brochure", () => {
  it("of an industrial workshop, where several claims share one paragraph", () => {
    assert.deepStrictEqual(extract(fixture("pumps.md")), {
      company_name: "Rossfell Drives",
      website_url: "https://rossfell-drives.example",
      contact_name: "Moira Okafor",
      contact_title: "Commercial Director",
      contact_email: "moira@rossfell-drives.example",
      contact_phone: "+44 113 496 0170",
      competitors: "SEW, Flender, Bonfiglioli",
      unique_differentiators: "A rebuilt gearbox is back in four days, where the manufacturer needs six weeks.",
      guarantee: ["No charge if the gearbox fails within 18 months."],
      core_products: [
        { product: "Gearbox rebuild", pricing: "from GBP 3,200" },
        { product: "Emergency call-out", pricing: "GBP 450 per visit" }
      ]
    })
    assert.strictEqual(
      candidates("pumps.md", "business_description")[0],
      "Rossfell Drives (https://rossfell-drives.example) repairs and rewinds industrial gearboxes in Leeds, England."
    )
  })

  it("of a dental laboratory, whose customer's words are not its own", () => {
    assert.deepStrictEqual(extract(fixture("dental.md")), {
      company_name: "Brightwater Dental Lab",
      website_url: "https://www.brightwaterlab.example",
      city_region: "Portland, OR",
      contact_name: "Ruth Adeyemi",
      contact_title: "Practice Relations Manager",
      contact_email: "ruth@brightwaterlab.example",
      contact_phone: "(503) 555-0148",
      business_address: "2210 Alder Street, Suite 4, Portland, OR 97205",
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
      [
        "ideal_client_description",
        ["Independent practices with two to eight chairs that are tired of three-week turnarounds."]
      ],
      ["credibility_markers", ["ISO 13485 certified", "Member of the National Association of Dental Laboratories"]]
    ] as const)
      assert.includeMembers([...candidates("dental.md", field)], [...texts], field)
  })

  it("of a film agency, in plain text without a mark", () => {
    const found = extract(fixture("agency.txt"))
    assert.deepStrictEqual(found, {
      company_name: "Nordlys Studio AS",
      website_url: "https://nordlys-studio.example",
      city_region: "Bergen, Norway",
      contact_name: "Sindre Aasen",
      contact_title: "producer and founder",
      contact_email: "sindre@nordlys-studio.example",
      contact_phone: "+47 55 90 01 22",
      business_address: "Strandgaten 18, 5013 Bergen, Norway",
      core_products: [
        { product: "Campaign film", pricing: "EUR 18,000" },
        { product: "Product clip", pricing: "EUR 2,400 each" },
        { product: "Retainer", pricing: "from EUR 6,500 per month" }
      ]
    })
    assert.include(
      candidates("agency.txt", "case_studies"),
      "Fjellvåg Boots raised online sales by 31% in the season after the film."
    )
  })

  it("of a software company, with underlined headings and plans", () => {
    const found = extract(fixture("software.md"))
    assert.deepStrictEqual(found.core_products, [
      { product: "Solo", pricing: "EUR 49 per month for one property" },
      { product: "Group", pricing: "EUR 39 per property and month, from five properties" },
      { product: "Enterprise", pricing: "Price on request" }
    ])
    assert.strictEqual(found.company_name, "Ledgerloom")
    assert.deepStrictEqual([found.contact_name, found.contact_title], ["Beatriz Nunes", "Head of Partnerships"])
    assert.strictEqual(found.contact_email, "beatriz@ledgerloom.example")
    assert.isUndefined(found.website_url)
    assert.isUndefined(found.target_job_titles)
    assert.deepStrictEqual(candidates("software.md", "pain_points"), [
      "Night audits arrive as PDFs.",
      "Nobody trusts the intercompany balances."
    ])
    assert.deepStrictEqual(candidates("software.md", "guarantee"), ["30-day money-back guarantee."])
    assert.includeMembers(
      [...candidates("software.md", "case_studies")],
      [
        "Costa Verde Hotels: the close went from 14 days to 3 across 22 properties.",
        "The Almar group recovered EUR 96,000 of missing commissions in its first year."
      ]
    )
  })

  it("of a wholesaler, as a table of fields", () => {
    assert.deepStrictEqual(extract(fromCsv(fixture("profile.csv"))), {
      company_name: "Tamsin & Rowe Bakery Supplies Ltd",
      website_url: "https://tamsinrowe.example",
      industry_vertical: "Food wholesale",
      contact_name: "Priya Rowe",
      contact_title: "Managing Director",
      contact_phone: "020 7946 0321",
      contact_email: "priya@tamsinrowe.example",
      business_address: "14 Corn Lane, Bristol BS1 4QD, UK",
      city_region: "Bristol, UK",
      primary_goal: "Book tastings with head bakers",
      target_job_titles: "Head bakers, owners",
      competitors: "BAKO, Cook Flour",
      business_description:
        "We mill and deliver organic flour to craft bakeries before 6 am. Orders close at midnight.",
      guarantee: ["A late delivery is free"],
      lead_magnets: ["Free 5 kg tasting bag"]
    })
  })
})

describe("from other texts", () => {
  it("of a contractor, with rates in a table and the contact below each other", () => {
    const found = extract(fixture("hvac.md"))
    assert.deepStrictEqual(found.core_products, [
      { product: "Preventive maintenance plan", pricing: "$185 per unit per quarter" },
      { product: "Emergency service", pricing: "$149/hour, 2-hour minimum" },
      { product: "Chiller retrofit", pricing: "from $48,000" },
      { product: "Duct cleaning", pricing: "$0.45 per sq ft" }
    ])
    assert.deepStrictEqual(candidates("hvac.md", "guarantee"), [
      "If we miss the two-hour window, the call-out is free.",
      "All work carries a five-year warranty on parts and labor."
    ])
    assert.strictEqual(found.business_address, "4415 Commerce Blvd, Suite 210, Tampa, FL 33619")
    assert.strictEqual(found.city_region, "Tampa, FL")
  })

  it("of a British firm, with its numbers as they are written at home", () => {
    const found = extract(fixture("accountants.md"))
    assert.deepStrictEqual([found.contact_name, found.contact_title], ["Helen Marsh", "Founding Partner"])
    assert.strictEqual(found.contact_phone, "01225 555 0190")
    assert.strictEqual(found.business_address, "27 Chapel Row, Bath BA1 1HN")
    assert.strictEqual(found.city_region, "Bath")
    assert.deepStrictEqual(candidates("accountants.md", "competitors"), [
      "Unlike Crunch and TaxAssist, we visit every client twice a year."
    ])
    assert.deepStrictEqual(found.core_products, [
      { product: "Bookkeeping", pricing: "£95 + VAT per month" },
      { product: "Year-end accounts", pricing: "from £850" },
      { product: "Payroll", pricing: "£6 per payslip" }
    ])
  })

  it("of a press release, where the agency is not the company and its opening no result", () => {
    assert.deepStrictEqual(extract(fixture("press.txt")), {
      company_name: "Calder Bio",
      contact_email: "sales@calderbio.example",
      contact_phone: "0113 496 0222",
      website_url: "https://www.calderbio.example"
    })
    assert.deepStrictEqual(
      candidates("press.txt", "business_description")[0],
      "Calder Bio makes trays, bowls and lids for supermarkets and caterers."
    )
  })

  it("of a supplier's mailbox and a client's name, nothing", () => {
    const text = (head: string) => `${head}

Tuning for schools. Call 902-555-0143 or 902-555-0186.

Parts come from Atlantic Piano Supply, 77 Tannery Road, Moncton, NB E1C 5X5, orders@atlanticpiano.example, 506-555-0120.`
    assert.deepStrictEqual(extract(text("Hennigar Piano Service")), {})
    const proposal = "Linen for Ballinroe House\n\nPrepared for: Ann Lee, Ballinroe House Ltd, gm@ballinroe.example\n\n"
    assert.deepStrictEqual(extract(`${proposal}By Suirside Linen Ltd, linen@suirside.example`), {
      contact_email: "linen@suirside.example",
      company_name: "Suirside Linen Ltd"
    })
  })

  it.each([
    "From: Ann Lee <ann@acme.example>\nTo: Bo <bo@oak.example>\n\nThanks.\nAcme Ltd, 0113 496 0222\n\n> From: Bo <bo@oak.example>\n> Dear Ann",
    "[2025-10-06, 8:31:40 AM] Ann: Quote for Oak Ltd, bo@oak.example\n[2025-10-06, 8:32:05 AM] Bo: Acme Ltd pays €40"
  ])("of mails and chats, nothing: %j", (text) => {
    assert.deepStrictEqual(extract(text), {})
  })

  it("of customers' stories, each under its headline", () => {
    const found = extract(fixture("stories.md"))
    assert.include(candidates("stories.md", "case_studies"), "Output went from 40 to 84 cabinets a day in nine weeks.")
    assert.strictEqual(found.company_name, "Holm Robotics")
    assert.deepStrictEqual([found.contact_name, found.contact_title], ["Erik Holm", "CEO"])
  })

  it("of a laboratory, with columns of spaces and headings in capitals", () => {
    const found = extract(fixture("lab.txt"))
    assert.strictEqual(found.company_name, "Veritas Water Testing")
    assert.deepStrictEqual([found.contact_name, found.contact_title], ["Dr Fiona MacRae", "Laboratory Director"])
    assert.strictEqual(found.business_address, "Unit 11, Camperdown Park, Dundee DD2 4TF")
    assert.deepStrictEqual(
      found.core_products?.map(({ pricing }) => pricing),
      ["£48 per sample", "£126 per sample", "£39 per sample", "from £620 per year"]
    )
  })

  it("of somebody who writes of other companies, nothing", () => {
    assert.deepStrictEqual(extract(fixture("essay.md")), {})
  })
})

describe("from a site", () => {
  const site = async (url: string, ...names: ReadonlyArray<string>) => {
    const pages = names.map((name) => ({ html: true, text: fixture(name) }))
    const told = await answer({ kind: "pages", site: url, pages })
    return "findings" in told ? { findings: told.findings } : told
  }

  it("takes what stands in the page, and nothing of menus, baskets, cookies and newsletters", async () => {
    assert.deepStrictEqual(await site("https://tallowandwick.example", "candles.html", "candles-products.html"), {
      findings: {
        website_url: "https://tallowandwick.example",
        company_name: "Tallow & Wick",
        contact_email: "hello@tallowandwick.example",
        contact_phone: "+44 117 496 0221",
        business_address: "8 Foundry Lane, Bristol BS2 0AB",
        city_region: "Bristol",
        business_description: "Tallow & Wick pours private-label candles for hotels and gift shops.",
        core_products: [
          { product: "Private-label candle", pricing: "from £4.20 per piece" },
          { product: "Gift set of three", pricing: "£11.50" }
        ]
      }
    })
  })

  it("takes what a page tells machines where it shows people little", async () => {
    assert.deepStrictEqual(await site("https://vantageroofing.example", "roofing.html"), {
      findings: {
        website_url: "https://vantageroofing.example",
        company_name: "Vantage Roofing Co.",
        contact_phone: "+1-303-555-0119",
        contact_email: "bids@vantageroofing.example",
        business_address: "2100 Blake Street, Denver, CO 80205",
        city_region: "Denver, CO",
        business_description: "Vantage Roofing installs and repairs flat roofs for warehouses in Denver, Colorado."
      }
    })
  })

  it("takes no employer of a job for the company, and nothing of what a template left to fill in", async () => {
    const text =
      "<title>Northgate Jobs</title><h1>Find work</h1><p>Open places in all towns of the north.</p><p>New each week.</p><p>No fees for you.</p><h3>Welder</h3><p>Company: Techcorp Solutions</p><p>Techcorp Solutions, Leeds</p><h2>Contact</h2><p>Northgate Jobs, Musterstraße 12, 10115 Berlin</p>"
    const told = await answer({ kind: "pages", site: "https://northgatejobs.example", pages: [{ html: true, text }] })
    assert.deepStrictEqual("findings" in told ? told.findings : told, {
      company_name: "Northgate Jobs",
      website_url: "https://northgatejobs.example"
    })
  })

  it("takes the name that its domain spells, and not that of who made the site", async () => {
    const text =
      '<title>Air Flex Services</title><meta property="og:site_name" content="BH Studio"><p>Air Flex Services rents compressors.</p>'
    const told = await answer({ kind: "pages", site: "https://airflexservices.example", pages: [{ html: true, text }] })
    assert.strictEqual("findings" in told ? told.findings.company_name : undefined, "Air Flex Services")
    const made = { html: true, text: `${text}<p>mail@oak.example</p><p>BH Studio - création site internet</p>` }
    const local = await answer({ kind: "pages", site: "http://127.0.0.1", pages: [made] })
    assert.isUndefined("findings" in local ? local.findings.company_name : "")
  })

  const books = "Oakline binding: books and boxes for banks, bound in Leeds."
  it.each([
    ["We bind books for banks in Leeds and York.", "We bind books for banks in Leeds and York."],
    ["We bind books for banks in Leeds. Call us now. We print too.", "We bind books for banks in Leeds. We print too."],
    ["Need a book bound? Oakline offers quick work in all of Leeds.", undefined],
    ["Your partner for books. Oakline will guide you through all.", undefined],
    ["Three plans for banks of every size. Month to month.", undefined],
    ["Is a binder of books.<br>Our company is well organized.", undefined],
    ["We bind books for banks in Leeds and in the rest of", undefined],
    ["We bind books for all banks in Leeds. Bind. Protect.", "We bind books for all banks in Leeds."],
    ["The website of Oakline is being made anew at the moment.", undefined],
    ["Case study: how we bound books for banks in Leeds.", undefined],
    ["Oakline Books and Boxes LLC. - Is a binder of books in Leeds.", undefined],
    ["Bound to last.", undefined],
    ["Family-owned binder of books for banks in Leeds and York.", undefined],
    ["Notre atelier relie des livres pour les banques de Leeds.", undefined],
    [
      "Oakline Binding offers binding, boxes and repair for banks in Leeds.",
      "Oakline Binding offers binding, boxes and repair for banks in Leeds."
    ]
  ])("takes of its home page's description what it says of the business: %j", async (description, value) => {
    const page = (text: string) => ({
      html: true,
      text: `<meta name="description" content="${text}"><p>${books}</p>`
    })
    const pages = [page(description), page("Oakline sells gift vouchers for books in Leeds.")]
    const told = await answer({ kind: "pages", site: "https://oakline.example", pages })
    assert.strictEqual("findings" in told ? told.findings.business_description : "", value)
    const organization = JSON.stringify({ "@type": "Organization", name: "Oak", email: "a@oak.example", description })
    const data = { html: true, text: `<script type="application/ld+json">${organization}</script><p>${books}</p>` }
    const other = {
      html: true,
      text: data.text.replace('"description":"', '"description":"Oak lends books to schools in York. ')
    }
    const byData = await answer({ kind: "pages", site: "https://oak.example", pages: [data, other] })
    assert.strictEqual("findings" in byData ? byData.findings.business_description : "", value)
  })

  it("takes no description that a template brought", async () => {
    const description = "Polyglot is a language switcher plugin for bilingual or multilingual blogs."
    const text = `<meta name="description" content="${description}"><p>${books}</p>`
    const told = await answer({ kind: "pages", site: "https://oakline.example", pages: [{ html: true, text }] })
    assert.isUndefined("findings" in told ? told.findings.business_description : "")
  })

  it("takes no title for a name", async () => {
    const name = "Oakline Books - Boxes, Albums, Leeds"
    const data = JSON.stringify({ "@type": "Organization", name, email: "a@oak.example" })
    const text = `<script type="application/ld+json">${data}</script><p>Books.</p>`
    const told = await answer({ kind: "pages", site: "https://oakline.example", pages: [{ html: true, text }] })
    assert.isUndefined("findings" in told ? told.findings.company_name : "")
  })

  it("tells apart what stands side by side in elements of its own", async () => {
    const text = "<p><a>LinkedIn</a><a>ann@oakline.example</a></p><p>An <b>oa</b><b>ken</b> floor.</p>"
    assert.strictEqual(fromHtml(text, 1000).trim(), "LinkedIn ann@oakline.example\n\nAn oaken floor.")
  })

  it("takes no number that its link hides in part", async () => {
    const text = '<p>ann@oakline.example</p><p><a href="tel:0666011234">06.66.01.xx.xx</a></p>'
    const told = await answer({ kind: "pages", site: "https://oakline.example", pages: [{ html: true, text }] })
    assert.isUndefined("findings" in told ? told.findings.contact_phone : "")
  })

  it("is not hidden by a class of its body that speaks of cookies", async () => {
    const text = '<body class="cookies-not-set"><p>Oakline makes oak floors. ann@oakline.example</p></body>'
    const told = await answer({ kind: "pages", site: "https://oakline.example", pages: [{ html: true, text }] })
    assert.strictEqual("findings" in told ? told.findings.contact_email : undefined, "ann@oakline.example")
  })
})

describe("a careful reader", () => {
  it.each([
    ["", {}],
    ["   \n\n\t", {}],
    ["The weather was fine and the sea was calm.", {}],
    ["Lorem ipsum dolor sit amet, consectetur adipiscing elit. Sed do eiusmod tempor.", {}]
  ])("takes nothing from %j", (text, found) => assert.deepStrictEqual(extract(text), found))

  it("takes the number, the mailbox and the address that stand beside the business, and none where others fit as well", () => {
    const lines = [
      "# Alder Cold Stores",
      "Alder Cold Stores freezes fish for canteens. For space in Kiel ring Nordkai, 0431 555 0118.",
      "Do you drive for us? Write to drivers@alderstores.example.",
      "Alder Cold Stores Ltd\n4 Quay Lane, Grimsby DN31 1AB\nTel. 01472 555 019\nhello@alderstores.example"
    ]
    const found = extract(lines.join("\n\n"))
    assert.strictEqual(found.contact_phone, "01472 555 019")
    assert.strictEqual(found.contact_email, "hello@alderstores.example")
    assert.strictEqual(found.business_address, "4 Quay Lane, Grimsby DN31 1AB")
    const two = extract(`${lines.join("\n\n")}\n\nTel. 01472 555 077\nhello@alderstores.example`)
    assert.isUndefined(two.contact_phone)
  })

  it("reads each price of a row, and nothing that is struck through", () => {
    const table =
      "# Prices\n\n| Item | 1-9 | 10-49 |\n|---|---|---|\n| Work jacket | ~~£30~~ £28 | £24 |\n| Cap | £9 | – |"
    assert.deepStrictEqual(extract(table).core_products, [{ product: "Work jacket", pricing: "1-9: £28; 10-49: £24" }])
    assert.isUndefined(extract("# Offer\n\n~~Guarantee: money back within a year.~~").guarantee)
  })

  it.each([
    [
      "the name that fits the domain",
      "# Oakline - better floors\n\nOakline makes floors. ann@oakline.example",
      "Oakline"
    ],
    ["no name in a sentence", "# Better floors\n\nOakline makes floors. ann@oakline.example", undefined],
    [
      "the name above and below",
      "Alder & Sons | Floors\n\nOak.\n\n© 2026 Alder & Sons. All rights reserved",
      "Alder & Sons"
    ],
    ["no part of a customer's name", "We test dies.\n\nJim Lee - Superior Die, Tool & Machine Co.", undefined],
    ["no name of what is sold", "Racket strings\n\nOak.\n\nAsh.\n\nElm.\n\nOakline\n\nann@oakline.example", undefined],
    ["no name after a copyright, which may be an agency's", "Floors that last.\n\n© 2026 Fastweb Media.", undefined]
  ])("finds %s", (_, text, name) => assert.strictEqual(extract(text).company_name, name))

  it.each([
    ["write to sales@acme.example or jobs@acme.example", "sales@acme.example"],
    ["noreply@acme.example, ann.lee@acme.example, info@acme.example", "info@acme.example"],
    ["ann.lee@acme.example, orders@acme.example", undefined],
    ["https://acme.example, agent bo@gmail.com, office@acme.example", "office@acme.example"],
    ["privacy@acme.example", undefined]
  ])("chooses the address to write to in %j", (text, email) => assert.strictEqual(extract(text).contact_email, email))

  it.each([
    ["Tel: 020 7946 0000", "020 7946 0000"],
    ["Ann Lee, ann@acme.example, 01904 555 014", "01904 555 014"],
    ["Fax +44 20 7946 0001\n\n+44 20 7946 0000\n\nann@acme.example", "+44 20 7946 0000"],
    ["+33 4 72 55 01 23\n12 rue des Lilas\n\nann@acme.example", "+33 4 72 55 01 23"],
    [
      `ann@acme.example\n\n01904 555 014\n\n${"Oak.\n\n".repeat(5)}York: 01904 555 022\n\nLeeds: 0113 496 0182`,
      undefined
    ],
    ["01/02/2026, version 0.1.2 of 2026-01-02 10:00", undefined],
    ["Call us on +1 (415) 555-0100 today\n\nann@acme.example", "+1 (415) 555-0100"],
    ["For a reference ring Sr. Artal, +34 978 555 041", undefined],
    ["Founded 1998, revenue 12,500,000", undefined],
    ["ISO 9001:2015, VAT PL 1234567890", undefined],
    ["EUR 14,500 to 22,000", undefined]
  ])("takes only a phone number for one in %j", (text, phone) => assert.strictEqual(extract(text).contact_phone, phone))

  it.each([
    ["## Prices\n\n- Wash, €12", [{ product: "Wash", pricing: "€12" }]],
    [
      "## Plans\n\n- **Care plan** — monthly visits, from £49 a month",
      [{ product: "Care plan", pricing: "from £49 a month" }]
    ],
    ["## Services and prices (ex VAT)\n\n- Setup: 1.200 EUR flat", [{ product: "Setup", pricing: "1.200 EUR flat" }]],
    ["We make rotas.\nProducts\n- Rota (EUR 4–6 per user)", [{ product: "Rota", pricing: "EUR 4–6 per user" }]],
    ["- Wash, €12\n- Wax, €9", undefined],
    ["# Insurances\n\nPublic liability\t£10,000,000\nProfessional indemnity\t£2,000,000", undefined],
    ["The Audit Pro costs $900 per year.", undefined],
    ["We saved Acme $900.", undefined],
    ["The plant cost £12 million.", undefined],
    ["- Nike spent $35 on its logo", undefined],
    ["## Prices\n\n- Team\tEUR 4 per seat", [{ product: "Team", pricing: "EUR 4 per seat" }]],
    ["| Part | Price |\n| Seal, G2 | £420 |", [{ product: "Seal, G2", pricing: "£420" }]],
    [
      "# Products\n\n**Soup bowl** Stackable. € 9,- each\n**Cup** With saucer. €7.25",
      [
        { product: "Soup bowl", pricing: "€ 9,- each" },
        { product: "Cup", pricing: "€7.25" }
      ]
    ]
  ])("reads a price list: %j", (text, products) => assert.deepStrictEqual(extract(text).core_products, products))

  it("keeps a social page, a competitor's and a customer's site from being the company's own", () => {
    const text =
      "Oakline\n\nhttps://www.linkedin.com/company/oakline\n\nCompetitors: https://rival.example\n\nhttps://oakline.example/about"
    assert.strictEqual(extract(text).website_url, "https://oakline.example")
    assert.isUndefined(extract("Oakline\n\nPictures: Ann Reed, photostock.example").website_url)
  })

  it.each([
    ["Lindenstraße 14\n80331 München\nGermany", "Lindenstraße 14, 80331 München, Germany", "München, Germany"],
    [
      "Mail: a@b.example, Level 3, 88 Pitt Street, Sydney NSW 2000",
      "Level 3, 88 Pitt Street, Sydney NSW 2000",
      "Sydney"
    ],
    ["Studio Renn bv, Kortrijksesteenweg 88, 9000 Gent", "Kortrijksesteenweg 88, 9000 Gent", "Gent"],
    ["Acme · Keizersgracht 220, 1016 DX Amsterdam", "Keizersgracht 220, 1016 DX Amsterdam", "Amsterdam"],
    ["ul. Głogowska 31/33, 60-702 Poznań, Poland", "ul. Głogowska 31/33, 60-702 Poznań, Poland", "Poznań, Poland"],
    ["Acme GmbH, Zeppelinstr. 212, 73730 Esslingen Projektleitung: Marco Tietz", undefined, undefined],
    ["Our team of 12, 10000 Users strong, 3 March 2026 Leeds", undefined, undefined]
  ])("finds the address in %j", (text, address, city) => {
    const found = extract(`We mill flour.\n\n${text}`)
    assert.deepStrictEqual([found.business_address, found.city_region], [address, city])
  })

  it.each([
    ["Unlike Asana and Trello, Rota knows the law.", "competitors"],
    ["We compete with Shred-it, Iron Mountain and PulpCo.", "competitors"],
    ["Our typical buyers are head bakers and owners.", "target_job_titles"],
    ["We sell to mines with 5 to 200 pumps in service.", "ideal_client_description"],
    ["If a crown does not seat, you pay nothing.", "guarantee"],
    ["Acme cut its waste from 40 to 12 tonnes.", "case_studies"],
    ["Book a free audit today.", "lead_magnets"]
  ])("fills nothing out of %j, and offers it to pick from for %s", (text, field) => {
    const { findings, missing } = readAll(text)
    assert.isFalse(Object.hasOwn(findings, field))
    assert.deepStrictEqual(missing.find((each) => each.field === field)?.candidates, [text])
  })

  it("offers of the names, numbers and addresses that several could be, each to pick from", () => {
    const { findings, missing } = readAll(
      [
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
    )
    const offered = (field: string) => missing.find((each) => each.field === field)?.candidates
    for (const [field, values] of [
      ["company_name", ["Harbour Cranes Ltd", "Quay Plant Ltd"]],
      ["contact_name", ["Ann Lee", "Ben Ode"]],
      ["contact_title", ["sales manager", "workshop manager"]],
      ["contact_phone", ["0113 496 0182", "0113 496 0199"]],
      ["contact_email", ["ann@harbour.example", "desk@quay.example"]],
      ["business_address", ["Unit 4, 12 Quay Street, Leeds LS1 4AB", "Unit 9, 3 Mill Lane, York YO1 7AB"]],
      ["city_region", ["Leeds", "York"]],
      ["website_url", ["https://harbour.example", "https://quay.example"]]
    ] as const) {
      assert.isFalse(Object.hasOwn(findings, field), field)
      assert.deepStrictEqual(offered(field), values, field)
    }
  })

  it("takes the number of a register for no phone, and the address of a site's maker for no address", () => {
    const text = [
      "Cordier Emballage SAS – 14 rue des Tonneliers, ZA des Cerisières, 21200 Beaune – devis@cordier-emballage.example",
      "SIREN 000 614 200",
      "Site réalisé par l'agence Trait d'Encre, 3 quai Nord, 69009 Lyon"
    ].join("\n\n")
    const { business_address, contact_phone } = extract(text)
    assert.deepStrictEqual(
      [business_address, contact_phone],
      ["14 rue des Tonneliers, ZA des Cerisières, 21200 Beaune", undefined]
    )
  })

  it("ends a name where its legal form or the title of a paper does, and takes a company for the one of its only domain", () => {
    const named = (head: string) => extract(`${head}\n\norders@levantecare.example, sales@levantecare.example`)
    assert.strictEqual(named("Levante Care S.L. CIF B-5400918X").company_name, "Levante Care S.L.")
    assert.strictEqual(named("Levante Care Ltd. Registered in Scotland").company_name, "Levante Care Ltd.")
    assert.strictEqual(named("© 2026 Ann Levante Care GmbH & Co. KG").company_name, "Ann Levante Care GmbH & Co. KG")
    assert.strictEqual(named("Levante Care Pvt. Ltd. - Home").company_name, "Levante Care Pvt. Ltd.")
    assert.strictEqual(named("Levante Care Engine does the rest for you.").company_name, undefined)
    assert.strictEqual(named("Levante Care Sdn. Bhd. is trusted.").company_name, "Levante Care Sdn. Bhd.")
    assert.strictEqual(named("Levante Care Foods").company_name, "Levante Care Foods")
    assert.strictEqual(named("Levante Care Foods Beaune - Levante Care").company_name, "Levante Care")
    assert.strictEqual(named("Solutions Levante Care").company_name, undefined)
    assert.strictEqual(named("Levante Care Company Profile").company_name, "Levante Care")
    assert.strictEqual(named("At Metzgerei Levante Care we cut. Your Levante Care").company_name, undefined)
    assert.strictEqual(named("Levante Care Shop is open. Levante Care cleans panels.").company_name, undefined)
    assert.strictEqual(named("Levante Care Shop is open.\n\nLevante Care cleans panels.").company_name, undefined)
    assert.strictEqual(extract("Email\n\ncare@levantecare.example", "https://email.example").company_name, undefined)
    assert.strictEqual(named("The Spenglerei was founded by Levante Care in 1990.").company_name, undefined)
    assert.strictEqual(named("Levante Care Mustermann GmbH").company_name, undefined)
    assert.strictEqual(named("I'm Kaden, founder of Levante Care.").contact_name, undefined)
    assert.strictEqual(named("Division Chief, OTC+Levante Care Centre").company_name, undefined)
    assert.strictEqual(named("© Copyright Levante Care 2019").company_name, "Levante Care")
    const branches =
      "© 2026 Levante Care & Co Ltd.\n\nLevante Care France SARL\n12 rue des Cordeurs\n69800 Lyon Tél 04 78 55 50 55"
    assert.strictEqual(named(`Levante Care & Co\n\n${branches}`).company_name, "Levante Care & Co Ltd.")
    assert.strictEqual(named(branches).city_region, "Lyon")
    assert.strictEqual(extract("Company: Dorn med. Systeme GmbH").company_name, "Dorn med. Systeme GmbH")
    assert.strictEqual(extract("Company: J.B. TRADERS").company_name, "J.B. TRADERS")
    assert.strictEqual(extract("Company: Dorn Ltd. We sell beds.").company_name, "Dorn Ltd.")
    assert.strictEqual(extract("Company: Altron Cast Pvt. Ltd.").company_name, "Altron Cast Pvt. Ltd.")
    assert.strictEqual(extract("Company: Levante Care (ﺔﺳﺪﻨﻬﻠﻟ)").company_name, "Levante Care")
  })

  it("takes no figure without a currency for a price, no model for a unit, and no surcharge for a product", () => {
    const table = (head: string, row: string) => extract(`# Prices\n\n| Item | ${head} |\n|---|---|\n| ${row} |`)
    assert.deepStrictEqual(table("Price", "Front display | 539.00"), {})
    assert.deepStrictEqual(table("Price iphone 12 pro max", "Front display | 539.00"), {})
    assert.deepStrictEqual(table("Price", "Aufpreis für Farbe | 10,00 €"), {})
    const codes =
      "# Prices\n\n| Art. no | Concept | Unit | EUR |\n|---|---|---|---|\n| T1 | Heat treatment | pallet | 14.50 |"
    assert.deepStrictEqual(extract(codes).core_products, [{ product: "Heat treatment", pricing: "EUR 14.50 / pallet" }])
    assert.deepStrictEqual(table("€/Std.", "Monteur ★ | 58,00").core_products, [
      { product: "Monteur", pricing: "€58,00 /Std" }
    ])
    const lists = "## Prices\n\n### Waxing\n\n- Brows, CHF 14\n- Chin, CHF 10\n\n### Colour\n\n- Brows, CHF 15"
    assert.deepStrictEqual(extract(lists).core_products, [
      { product: "Waxing: Brows", pricing: "CHF 14" },
      { product: "Chin", pricing: "CHF 10" },
      { product: "Colour: Brows", pricing: "CHF 15" }
    ])
    assert.deepStrictEqual(table("Price", "Front display | CHF 539"), {
      core_products: [{ product: "Front display", pricing: "CHF 539" }]
    })
  })

  it("reads a price in the only currency of the text, and none that counts by time, twice, or elsewhere", () => {
    const list = (head: string, ...rows: ReadonlyArray<string>) =>
      extract(`All prices in EUR.\n\n# Prices\n\n| ${head} |\n|---|---|\n${rows.map((row) => `| ${row} |`).join("\n")}`)
        .core_products
    assert.deepStrictEqual(list("Item | Price", "Heat treatment | 14.50"), [
      { product: "Heat treatment", pricing: "€14.50" }
    ])
    assert.deepStrictEqual(list("Item | Price 2024 | Price 2025", "Berth | 62 | 66"), [
      { product: "Berth", pricing: "€66" }
    ])
    assert.deepStrictEqual(list("Item | What you get | Price", "Subtitles | per film | 180"), [
      { product: "Subtitles", pricing: "€180 per film" }
    ])
    assert.deepStrictEqual(
      list("Item | Price EUR/100 pcs | Unit", "Caps | 2,90 | box", "SERVICES | EUR | unit", "Packing | 17,50 | hour"),
      [{ product: "Caps", pricing: "Price EUR/100 pcs: €2,90 / box" }]
    )
    assert.deepStrictEqual(list("Item | Prix (EUR, hors TVA 8,1 %)", "Relecture | 0.21"), [
      { product: "Relecture", pricing: "EUR 0.21" }
    ])
    assert.isUndefined(
      extract("# Services\n\nDeep clean\n  With particle measurement, to ISO 14644. From EUR 4,900 per hall")
        .core_products
    )
    assert.isUndefined(list("Item | Until 31 Jan | Now", "Crew day | 2,650 | 2,850"))
    assert.isUndefined(list("Variety | Price", "Wadstar | 640", "Wadstar | 585"))
    assert.isUndefined(list("Group | Item | Price", "Compare | Marina Vala | 5,480"))
    assert.isUndefined(list("Item | Price", "Wash after rain | €20 extra"))
  })

  it("finds a street before a suite, and takes no 'Starting' for a product", () => {
    const { business_address } = extract("# Okari\n\n14221 SW 120th St, Ste 206\nMiami, FL 33186\ninfo@okari.example")
    assert.strictEqual(business_address, "14221 SW 120th St, Ste 206, Miami, FL 33186")
    assert.deepStrictEqual(extract("# Services and prices\n\nWebsite development\n\nStarting ₹6,000"), {})
  })

  it.each(["Tri-Rivers calibrates gauges for shops.", "Tri-Rivers Metrology, LLC calibrates gauges for shops."])(
    "offers, and does not fill, the sentence in which a company says what it does: %s",
    (sentence) => {
      const letterhead = "# Tri-Rivers Metrology, Inc.\n\nquotes@tririversmetrology.example"
      const { findings, missing } = readAll(`${letterhead}\n\nGauges drift. We come and see.\n\n${sentence}`)
      assert.isUndefined(findings.business_description)
      assert.strictEqual(missing.find(({ field }) => field === "business_description")?.candidates[0], sentence)
    }
  )

  it("keeps a sentence of two clauses whole, and takes no invitation for what a company does", () => {
    const text = "Certificates: New roofs get five years; old ones get four.\n\nDescription: Learn about our mission."
    const { business_description, credibility_markers } = extract(text)
    assert.deepStrictEqual(credibility_markers, ["New roofs get five years; old ones get four."])
    assert.isUndefined(business_description)
  })

  it("takes no value that a line cuts, no list of one section for the whole business, and no number that was made up", () => {
    assert.deepStrictEqual(extract("Phone: 123-223-2321"), {})
    assert.deepStrictEqual(extract("Phone: +1-(647)20269-7386"), {})
    assert.deepStrictEqual(extract("Email: info@example.com\n\nEmail: demo@site.com\n\nEmail: info@gmail.com"), {})
    assert.deepStrictEqual(extract("Company: Acme\n\nLorem ipsum dolor sit amet."), {})
    const ways = ["Phone: +49 69 8700174", "Telefon: 069 / 8700174", "Address: Alte Straße 4, 12109 Berlin"]
    const said = extract([...ways, "Adresse: Alte Str. 4, 12109 Berlin"].join("\n\n"))
    assert.deepStrictEqual(
      [said.contact_phone, said.business_address],
      ["+49 69 8700174", "Alte Straße 4, 12109 Berlin"]
    )
    assert.strictEqual(extract("Email: mail@acme.example").contact_email, "mail@acme.example")
    assert.deepStrictEqual(extract("Contact person: Ann Lee, +44 151 496 0000"), { contact_name: "Ann Lee" })
    const text = [
      "Okari Sites",
      "Pain points: Outdated site, no lead\nfollow-up system",
      "# Doors\n\nIndustries served: oil, gas",
      "# Pipes\n\nIndustries served: food, warehouses",
      "Phone: (000) 000-0000",
      "Phone: +91 98765 43210",
      "Phone: 04 05 06 07 08",
      "Customer story: Brightwell Foods and the 40 doors",
      "Address: Auer Str. 48 A, 76227 Karlsruhe"
    ].join("\n\n")
    const { business_address, case_studies, contact_phone, ideal_client_description, pain_points } = extract(text)
    assert.isUndefined(case_studies)
    assert.strictEqual(business_address, "Auer Str. 48 A, 76227 Karlsruhe")
    assert.deepStrictEqual(
      [contact_phone, ideal_client_description, pain_points?.includes("no lead") === true],
      [undefined, undefined, pain_points?.includes("follow-up") === true]
    )
  })

  it("takes no place to fill for a contact, no street for a town, and no address of a form", () => {
    const text = [
      "Okari Sites",
      "Job title: Electrician",
      "P.O. Box 1067\n22261 Skyway Church Road",
      "Write to yourname@yourbusiness.com",
      "Okari Solutions, Your Digital Growth Partner, okari.solutions@gmail.com"
    ].join("\n\n")
    assert.deepStrictEqual(extract(text), { contact_email: "okari.solutions@gmail.com" })
  })

  it("takes no name for a part of a street, no other firm's prices, and nothing that another firm says of itself", () => {
    const text = [
      "Okari Sites",
      "Kusum Electrical Ltd, founded in 1992, is its mother. We wire plants and lay cables for factories.",
      "| Work | Okari | Freelancer | Agency |\n|---|---|---|---|\n| Site | €750 | €2,000 | €5,000 |",
      "Christoph Schön Stadtweg 1, 27308 Kirchlinteln",
      "Goal: To strengthen democracy.",
      "Emailinfo@okari.example"
    ].join("\n\n")
    const { business_address, business_description, contact_email, core_products, primary_goal } = extract(text)
    assert.strictEqual(contact_email, "info@okari.example")
    assert.deepStrictEqual(
      [business_address, business_description, core_products, primary_goal],
      [undefined, undefined, undefined, undefined]
    )
  })

  it("takes no bottle for a town, and no bare list for what is sold", () => {
    const text = "# Nishman\n\nContact@nishman.example\n\nCream 12\n1000 ML\n\n## Our services\n\n- Leeds\n- Licensed"
    assert.deepStrictEqual(extract(text), { company_name: "Nishman", contact_email: "Contact@nishman.example" })
  })

  it("takes no charge and no price that is paid for a product", () => {
    const table = (heading: string, ...rows: ReadonlyArray<string>) =>
      `# ${heading}\n\n| Item | Price |\n|---|---|\n${rows.map((row) => `| ${row} |`).join("\n")}`
    assert.isUndefined(extract(table("Delivery", "Within 25 km | €35", "Beyond | €60")).core_products)
    assert.isUndefined(extract(table("We pay you", "Euro pallet | €7.90", "Half pallet | €3.10")).core_products)
    assert.deepStrictEqual(extract(table("Hire", "Cone | €4 a week", "Cone lost | €11")).core_products, [
      { product: "Cone", pricing: "€4 a week" }
    ])
  })

  it("keeps the unit of a row with every price, and the price of the latest year beside a remark in euros", () => {
    const rates =
      "# Prices\n\n| Item | Unit | Weeks 1-8 | Extra week |\n|---|---|---|---|\n| Tied scaffold | m2 | £14.20 | £0.62 |"
    assert.deepStrictEqual(extract(rates).core_products, [
      { product: "Tied scaffold", pricing: "Weeks 1-8: £14.20 / m2; Extra week: £0.62 / m2" }
    ])
    const years =
      "# Tarifs\n\n| Prestation | 2024 | 2025 | Remarque |\n|---|---|---|---|\n| Plomb | 190 € | 200 € | 120 € le second |"
    assert.deepStrictEqual(extract(years).core_products, [{ product: "Plomb", pricing: "200 €" }])
  })

  it("offers every line with a price where no heading says what is sold", () => {
    const { findings, missing } = readAll(
      "# Oak Desks\n\nAlignment, €12\n\n| Seal kit | from €80 |\n\nWe paid €5 for it."
    )
    assert.isUndefined(findings.core_products)
    assert.deepStrictEqual(missing.find(({ field }) => field === "core_products")?.candidates.slice(0, 2), [
      "Alignment | €12",
      "Seal kit | from €80"
    ])
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
    ["a remark", "Competitor: Kerrygold obviously. also Ornua", "competitors"],
    ["a client's", "# Case study\n\nIndustry: Mining\n\nLocation: Kiruna", "industry_vertical"],
    ["two that differ", "Industry: Mining\n\nIndustry: Dairy", "industry_vertical"],
    ["what stands under a heading", "## Guarantee\n\nWe come back within 4 hours.", "guarantee"],
    ["a plan that is not one yet", "Guarantee: still under discussion with legal", "guarantee"],
    ["whom to ask", "Free consultation: desk@acme.example", "lead_magnets"],
    ["a step of a price", "| Weight | Rate |\n|---|---|\n| up to 100 kg | £1.90 |\n| 30 t | £9 |", "core_products"],
    ["the head of a table", "## Prices\n\n| Package | Per person |\n| Bar | on |", "core_products"],
    ["prose beside a price", "lifts in the    Rope test    CHF 4,200\nAlps.    Season    CHF 9,000", "core_products"],
    ["a promise for a person", "hammerhome@acme.example\n\n## The Hammer Promise\n\n— The Owner", "contact_name"],
    ["a slogan for a title", "Acme Cleaning, Ihr Partner für Glanz, ann@acme.example", "contact_name"],
    [
      "a subject for a title",
      "**Lena Fischer** | Sales coaching for engineers\n\nlena@fischer.example",
      "contact_title"
    ],
    [
      "the next label",
      "Ideal clients: machine builders with 20 people in Switzerland and Austria\nWho signs: CEO",
      "Who"
    ],
    ["what stands under another heading", "## Garantie\n\nFünf Jahre.\n\nAktuelles\n\nWir suchen einen Fahrer.", "none"]
  ])("does not take %s for a value", (_, text, field) => {
    const found = extract(text)
    assert.isFalse(Object.hasOwn(found, field))
    assert.notInclude(JSON.stringify(found), "Fahrer")
  })

  it("drops what no eye can see", () => {
    assert.strictEqual(extract("Company: Ac\u200bme\u202e\u{e0041}").company_name, "Acme")
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
    const began = performance.now()
    const found = extract(text)
    assert.isBelow(performance.now() - began, 5000)
    assert.isTrue(Schema.is(DetailsPatch)(found))
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

  it.each(Object.entries(expected))(
    "fill what a reader found right in %s, and nothing else",
    async (name, findings) => {
      const content = readFileSync(new URL(name, folder))
      const kind = kindOf(name)
      const pages = [{ html: true, text: content.toString() }]
      const told = await answer(
        kind === undefined ? { kind: "pages", site: "https://site.example", pages } : { kind, content }
      )
      if (!("findings" in told)) return assert.fail(told.unreadable)
      assert.deepStrictEqual(told.findings, findings)
      // Every value stands in the text; only its first letter, its spaces and the mark after a bold lead may differ.
      const flat = (text: string) =>
        text
          .toLowerCase()
          .replace(/~~[^~\n]+~~/g, "")
          .replace(/\.("?)(?=\*\*)/g, "$1:")
          .replace(/[\s|*#"“”,;:-]+/g, "")
      const text = flat(told.text)
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
