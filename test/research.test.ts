// test/research.test.ts: which profile fields an import fills from texts of many trades, and which values it only offers.
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { readFileSync } from "node:fs"
import { extract as extractProfile } from "#layers/research/ExtractProfile.ts"
import { answerReadRequest } from "#layers/research/ReadSource.ts"
import { fromCsv } from "#layers/research/read/Csv.ts"
import { detectKind } from "#layers/research/read/FileKinds.ts"
import { fromHtml } from "#layers/research/read/Html.ts"
import { DetailsPatch } from "#schema/Details.ts"

/** The fields that are filled in. */
const extract = (text: string) => extractProfile(text).findings
/** The values that are offered for a field that is not filled in. */
const candidatesFor = (text: string, wanted: string) =>
  extractProfile(text).missing.find(({ field }) => field === wanted)?.candidates ?? []
/** A text whose first lines show that it is Acme's own. */
const acmeText = (body: string) => `Acme Tools\n\nhello@acmetools.example\n\n${body}`
const extractAcme = (body: string) => extract(acmeText(body))
const fixture = (name: string) => readFileSync(new URL(`./fixtures/brochures/${name}`, import.meta.url), "utf8")

const site = async (url: string, ...pages: ReadonlyArray<string>) => {
  const reply = await answerReadRequest({
    kind: "pages",
    site: url,
    pages: pages.map((text) => ({ html: true, text }))
  })
  return "findings" in reply ? reply : assert.fail(reply.unreadable)
}

describe("extraction from a document", () => {
  it("reads an industrial workshop's brochure, where several claims share one paragraph", () => {
    assert.deepStrictEqual(extract(fixture("pumps.md")), {
      company_name: "Rossfell Drives",
      website_url: "https://rossfell-drives.example",
      contact_name: "Moira Okafor",
      contact_title: "Commercial Director",
      contact_email: "moira@rossfell-drives.example",
      contact_phone: "+44 113 496 0170",
      competitors: "SEW, Flender, Bonfiglioli",
      business_description: "Rossfell Drives repairs and rewinds industrial gearboxes in Leeds, England.",
      unique_differentiators: "A rebuilt gearbox is back in four days, where the manufacturer needs six weeks.",
      guarantee: ["No charge if the gearbox fails within 18 months."],
      core_products: [
        { product: "Gearbox rebuild", pricing: "from GBP 3,200" },
        { product: "Emergency call-out", pricing: "GBP 450 per visit" },
        { product: "Torque Watch sensor kit", pricing: "" }
      ]
    })
  })

  it("reads a dental laboratory's brochure without taking a customer's words as its own", () => {
    const text = fixture("dental.md")
    assert.deepStrictEqual(extract(text), {
      company_name: "Brightwater Dental Lab",
      business_description:
        "We are a family-run dental laboratory based in Portland, Oregon. We make crowns, bridges and aligners for independent practices.",
      business_address: "2210 Alder Street, Suite 4, Portland, OR 97205",
      city_region: "Portland",
      case_studies: [
        "Hillside Family Dentistry cut remakes from 9% to 1.5% in one quarter.",
        "Marlow Smiles, a four-chair practice, saved $38,000 a year on lab bills."
      ],
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
  })

  it("reads a software company's brochure with underlined headings and plans", () => {
    const text = fixture("software.md")
    assert.deepStrictEqual(extract(text), {
      company_name: "Ledgerloom",
      business_description:
        "Ledgerloom is accounting software for hotel groups. It pulls every property's night audit into one ledger and closes the month in two days.",
      pain_points: "Night audits arrive as PDFs.\nNobody trusts the intercompany balances.",
      contact_name: "Beatriz Nunes",
      contact_title: "Head of Partnerships",
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
    assert.deepStrictEqual(candidatesFor(text, "guarantee"), ["30-day money-back guarantee.", "Cancel at any time."])
  })

  it("reads a wholesaler's CSV file of fields", () => {
    assert.deepStrictEqual(extract(fromCsv(fixture("profile.csv"))), {
      company_name: "Tamsin & Rowe Bakery Supplies Ltd",
      website_url: "https://tamsinrowe.example",
      industry_vertical: "Food wholesale",
      business_description:
        "We mill and deliver organic flour to craft bakeries before 6 am. Orders close at midnight.",
      contact_name: "Priya Rowe",
      contact_title: "Managing Director",
      contact_phone: "020 7946 0321",
      contact_email: "priya@tamsinrowe.example",
      business_address: "14 Corn Lane, Bristol BS1 4QD, UK",
      city_region: "Bristol",
      target_job_titles: "Head bakers, owners",
      competitors: "BAKO, Cook Flour",
      guarantee: ["A late delivery is free"],
      lead_magnets: ["Free 5 kg tasting bag"]
    })
  })

  it("reads a contractor's table of rates, except a row that mixes two units", () => {
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

  it("reads a press release without the agency's details", () => {
    assert.deepStrictEqual(extract(fixture("press.txt")), {
      business_description: "Calder Bio makes trays, bowls and lids for supermarkets and caterers.",
      contact_email: "sales@calderbio.example",
      contact_phone: "0113 496 0222",
      website_url: "https://www.calderbio.example"
    })
  })

  it("offers customers' stories, each under its headline, as case studies", () =>
    assert.include(candidatesFor(fixture("stories.md"), "case_studies").join("\n"), "injuries fell by 31%"))

  it.each([
    ["an essay on other companies", fixture("essay.md")],
    ["a mail", "From: Ann Lee <ann@acme.example>\n\nThanks.\nAcme\n0113 496 0222"],
    ["a reply to a mail", "Acme\n\nann@acme.example\n\nOn Monday, 3 March 2025, Bo Oak wrote:\n\nCompetitors: Oak"],
    ["a chat", "[2025-10-06, 8:31:40 AM] Ann: Company: Acme\n\nEmail: ann@acme.example"],
    ["minutes", "# Minutes of 3 March\n\nCompany: Oak Ltd\n\nAnn Lee, ann@oak.example"],
    ["an invoice", "Invoice 1042\n\nAcme Ltd\n\nann@acme.example\n\n| Item | Price |\n|---|---|\n| Wash | €12 |"],
    ["a proposal to a client", "Linen for Oak\n\nPrepared for: Oak\n\ngm@oak.example"],
    ["a partner sheet", "# Partner sheet\n\nOak - makes the cameras\n\nli@oak.example"],
    ["a template", "Company: Acme\n\nLorem ipsum dolor sit amet.\n\nann@acme.example"],
    ["blank text", "   \n\n\t"]
  ])("fills nothing from %s", (_, text) => assert.deepStrictEqual(extract(text), {}))
})

describe("the owner of a text", () => {
  const letterhead = "# Acme Tools\n\nann@acme-tools.example, 0113 496 0182\n\nwww.acme-tools.example"
  const acmeFields = {
    company_name: "Acme Tools",
    contact_email: "ann@acme-tools.example",
    contact_phone: "0113 496 0182",
    website_url: "https://www.acme-tools.example"
  }
  it.each([
    ["it names one domain", letterhead, acmeFields],
    ["it begins with the name of one of two domains", `${letterhead}\n\nPaper: bo@oak.example`, acmeFields],
    [
      "it names two domains and begins with neither",
      `Spring list\n\nFor all.\n\n${letterhead}\n\nOak, bo@oak.example`,
      {}
    ],
    [
      "it has a second phone number",
      `${letterhead}\n\nOak: 0151 496 0022`,
      { ...acmeFields, contact_phone: undefined }
    ],
    ["the second phone number is for the press", `${letterhead}\n\nPress contact: Bo, 0151 496 0022`, acmeFields],
    ["a label names a competitor's site", `${letterhead}\n\nCompetitors: Oak`, { ...acmeFields, competitors: "Oak" }],
    ["the labels are a client's", "# Case studies\n\nCompany: Oak\n\nIndustry: Mining", {}],
    ["two labels differ", "Company: Oak\n\nCompany: Ash", {}],
    ["its only mailbox is at a public mail provider", "Acme\n\nacme@gmail.com", {}]
  ])("is recognised, or nothing is filled, where %s", (_, text, fields) => {
    const expected = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
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
  ])("is named only as its domain is: %j", (head, name) =>
    assert.strictEqual(extract(`${head}\n\ncare@levantecare.example`).company_name, name)
  )

  it("is matched with a domain that spells an umlaut with two letters, or '&' as 'and'", () => {
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
  ])("has one contact address in %j", (text, email) =>
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
  ])("has a phone number only where that is certain: %j", (text, phone) =>
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
  ])("is read with its whole value: %j", (text, fields) => assert.deepStrictEqual(extract(text), fields))

  it.each([
    ["a sentence without a verb", "Wettbewerber: Überwiegend die großen Hersteller, regional Nordlift", "competitors"],
    [
      "a sheet whose right column wraps",
      "Web           acme.example\nPhone         0113 496 0182\nCompany       Acme Ltd\nCertifications  ISO 9001,\n              and more\nReference     Oak",
      "credibility_markers"
    ],
    ["a reference to another page", "Competitors: See [[Battlecards/Oak]]", "competitors"],
    ["a remark", "Competitors: Kerrygold obviously. also Ornua", "competitors"],
    ["an undecided plan", "Guarantee: still under discussion with legal", "guarantee"],
    ["a denied promise", "Garantie: keine Garantie auf Farben", "guarantee"],
    ["a contact address", "Free consultation: desk@acme.example", "lead_magnets"],
    ["an invitation", "About us: Learn about our mission.", "business_description"],
    ["a story's title", "Case study: Brightwell Foods and the 40 doors", "case_studies"],
    ["two labels in one line", "Ideal clients: machine builders. Who signs: CEO", "ideal_client_description"],
    ["a line that is cut off", "Pain points: Outdated site, no lead\nfollow-up system", "case_studies"],
    [
      "two statements in one paragraph",
      "Certificates: ISO 9001 and IFS Food (higher level, audited in 2024)\nPlease ask for our list.",
      "credibility_markers"
    ],
    ["a section of an unknown company's text", "## Guarantee\n\nWe come back within 4 hours.", "guarantee"],
    ["a line that mixes two columns", "GARANTIE                    elf Nächten\n5 Jahre auf Verdichter", "guarantee"],
    ["struck-out text", "~~Guarantee: money back within a year.~~", "guarantee"]
  ])("fills no field from %s", (_, text, field) => {
    assert.isFalse(Object.hasOwn(extract(text), field))
  })
})

describe("the text from which questions are answered", () => {
  it("keeps objections, quotations and statements about competitors", () => {
    const { own: ownText } = extractProfile(
      [
        "# Acme Tools",
        "## What they say",
        '**"You are too dear."** Count the wages.',
        "*“We wash at home.”* Then keep the towels.",
        "## Competitors",
        "Oak was founded in 1988.",
        "### Beech",
        "Beech was founded in 1990."
      ].join("\n\n")
    )
    assert.include(ownText, '"You are too dear": Count the wages.')
    assert.include(ownText, "“We wash at home.” Then keep the towels.")
    assert.include(ownText, "# Competitors\n\nOak was founded in 1988.")
    // A competitor's own section would read as if it were about the business.
    assert.notInclude(ownText, "1990")
  })

  it("keeps a client's events under their heading", () => {
    const minutes =
      "# Minutes: Harrow Joinery, annual meeting\n\n## 2. What went wrong\n\nHarrow had 6 blunt blades in May."
    assert.include(extractProfile(minutes).own, "# 2. What went wrong\n\nHarrow had 6 blunt blades in May.")
  })
})

describe("a section of the company's own text", () => {
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
  ])("fills the field that its heading names: %j", (section, fields) =>
    assert.deepInclude(extractAcme(section), fields)
  )

  it.each([
    ["a history", "## About us\n\nAcme Tools was founded in 1990 by two brothers.", "business_description"],
    ["clients", "## About us\n\nWe sell to quarries and ports in the north.", "business_description"],
    ["a plan", "## Guarantee\n\nStill under discussion with legal.", "guarantee"],
    ["a list of activities", "## What we do\n\n- Cutting of steel.\n- Bending of it.", "business_description"],
    [
      "two sections, one without heading markup",
      "## Credentials\n\nISO 9001.\n\nOur shop\n\nOpen daily.",
      "credibility_markers"
    ]
  ])("fills no field from %s", (_, section, field) => assert.notProperty(extractAcme(section), field))
})

describe("a statement in a company's own text", () => {
  it.each([
    ["Unlike the big chains, we mend every saw in Leeds.", "unique_differentiators"],
    ["Our customers are joiners with 2 to 20 saws.", "ideal_client_description"],
    ["We work with joinery shops in the north of England.", "ideal_client_description"],
    ["Most owners call us after a blade has broken.", "solution_triggers"],
    ["If a blade comes back blunt, the next one is free.", "guarantee"],
    ["We are ISO 9001 certified and members of the Saw Guild.", "credibility_markers"],
    ["Founded in 1987 by two joiners.", "credibility_markers"],
    ["Harrow Joinery cut its downtime from 40 to 6 hours a month.", "case_studies"],
    ["Your first two blades are free.", "lead_magnets"]
  ] as const)("is offered and does not fill its field: %j", (sentence, field) => {
    assert.notProperty(extractAcme(`We mend saws. ${sentence}`), field)
    assert.include(candidatesFor(acmeText(`We mend saws.\n\n${sentence}`), field), sentence)
  })

  it.each([
    ["the company's own saving", "Acme Tools cut its power use from 40 to 30 units.", "case_studies"],
    ["a certificate that is only hoped for", "We hope to be ISO 9001 certified next year.", "credibility_markers"],
    ["clients' names", "We work with Oak Ltd and Elm plc.", "ideal_client_description"],
    [
      "a list of clients by name",
      "## Our clients\n\n- Harrow Joinery with a shop in Leeds\n- Elm & Sons",
      "ideal_client_description"
    ],
    ["clients in place of job titles", "## Who calls us\n\nPort operators and steel mills.", "target_job_titles"],
    ["a client's quotation", '## What clients say\n\n"If a blade is blunt, the next one is free."', "guarantee"],
    ["terms among prices", "## Prices\n\n- Blade, £12\n- Cancel whenever you like", "lead_magnets"]
  ] as const)("fills no field from %s", (_, text, field) => assert.notProperty(extractAcme(text), field))

  it.each([
    ["## Who calls us", "Shop owners and workshop managers with 2 to 25 benches."],
    ["We mend saws.", "Typical buyers are workshop managers and owners."],
    ["## Who it is for", "We talk to the technical manager or the quality manager first."]
  ])("is offered whole where it names job titles: %s %s", (heading, sentence) => {
    const text = `${heading}\n\n${sentence}`
    assert.notProperty(extractAcme(text), "target_job_titles")
    assert.include(candidatesFor(acmeText(text), "target_job_titles"), sentence)
  })

  it("is offered in another language, and a notice says so", () => {
    for (const [field, heading, sentence] of [
      [
        "unique_differentiators",
        "Was uns unterscheidet",
        "Jede Säge und jedes Blatt wird in der eigenen Werkstatt geschärft und nicht im Werk."
      ],
      ["guarantee", "Notre engagement", "Une lame émoussée est reprise à nos frais."],
      ["business_description", "Über uns", "Die Acme Tools schärft Sägen für Tischler in Sachsen."]
    ] as const) {
      const { findings, missing, notice } = extractProfile(acmeText(`## ${heading}\n\n${sentence}`))
      assert.notProperty(findings, field)
      const candidates: ReadonlyArray<string> = missing.find((each) => each.field === field)?.candidates ?? []
      assert.include(candidates, sentence)
      assert.match(notice ?? "", /^The text is not in English/)
    }
    assert.isUndefined(extractProfile(acmeText("We make saws for the joiners of Leeds.")).notice)
  })

  it("names the contact by a mailbox or a letter's signature, and takes no job title as a person", () => {
    const contactIn = (text: string) => {
      const { contact_name, contact_title } = extract(`Acme Tools\n\n${text}`)
      return [contact_name, contact_title]
    }
    const team = "## Team\n\nBo Oak, Head of Sales\n\nAnn Lee, Founder & CEO\n\n"
    assert.deepStrictEqual(contactIn(`${team}ann@acmetools.example`), ["Ann Lee", "Founder & CEO"])
    assert.deepStrictEqual(contactIn(`${team}hello@acmetools.example`), [undefined, undefined])
    const letter = "hello@acmetools.example\n\nYours sincerely,\nMarta Lind\n\nSales Director\n\nAcme Tools Ltd"
    assert.deepStrictEqual(contactIn(letter), ["Marta Lind", "Sales Director"])
    const titles = "Ansprechpartner: Leiter Sägetechnik, Werkleiter oder der Chef.\n\nhello@acmetools.example"
    assert.deepStrictEqual(contactIn(titles), [undefined, undefined])
  })

  it("gives an address with the house's and the town's whole names, without the person's name or job title", () => {
    const addressIn = (...lines: ReadonlyArray<string>) => extractAcme(lines.join("\n")).business_address
    assert.strictEqual(addressIn("Luise Anders, Sägeweg 4", "87527 Sonthofen"), "Sägeweg 4, 87527 Sonthofen")
    for (const line of [
      "Contact: Jane Poe, Director, 12 Foundry Lane, Sheffield S1 2AB",
      "Jane Poe, Managing Director, 12 Foundry Lane, Sheffield S1 2AB",
      "Write to Jane Poe, Owner, 12 Foundry Lane, Sheffield S1 2AB.",
      "Write to Jane Poe, 12 Foundry Lane, Sheffield S1 2AB."
    ]) {
      assert.strictEqual(addressIn(line), "12 Foundry Lane, Sheffield S1 2AB", line)
    }
    for (const house of ["Principal Street", "Director's House, 12 Foundry Lane", "Manager Court, Unit 4"]) {
      assert.strictEqual(addressIn(`${house}, Sheffield S1 2AB`), `${house}, Sheffield S1 2AB`)
    }
    assert.strictEqual(
      addressIn("Cross House, 4 Westgate Road", "Newcastle upon Tyne NE1 4XX"),
      "Cross House, 4 Westgate Road, Newcastle upon Tyne NE1 4XX"
    )
    assert.strictEqual(
      addressIn("500 Main Street, Suite 1900", "Fort Worth, Texas 76102"),
      "500 Main Street, Suite 1900, Fort Worth, Texas 76102"
    )
  })

  it("is read from a form if the labels name the company whose site they give", () => {
    const form = (legalName: string, tradingName: string) =>
      [
        "TENDER REF: 12/2026",
        "Queries to: tenders@norwold.example",
        `1.1 Legal name of supplier          ${legalName}`,
        `1.2 Trading name                    ${tradingName}`,
        "1.3 Website                         https://acmetools.example",
        "1.4 Contact for this bid            Ms Ann Lee",
        "1.5 Position                        Bid Manager",
        "1.6 Quality guarantee offered       A blunt blade is replaced within two days.",
        "1.7 What distinguishes your offer   We employ every sharpener; nothing is subcontracted. All work is ours."
      ].join("\n")
    assert.deepStrictEqual(extract(form("Acme Tools Limited", "Acme Tools")), {
      company_name: "Acme Tools Limited",
      contact_name: "Ann Lee",
      contact_title: "Bid Manager",
      guarantee: ["A blunt blade is replaced within two days."],
      unique_differentiators: "We employ every sharpener; nothing is subcontracted. All work is ours.",
      website_url: "https://acmetools.example"
    })
    assert.deepStrictEqual(extract(form("Elm Joinery Limited", "Elm")), {})
  })

  it("is read from a page's questions, from labels above their values, and from lists without prices", async () => {
    const { findings } = await site(
      "https://acmetools.example",
      `<p>hello@acmetools.example</p><dl><dt>Who do you work with?</dt><dd>Joinery shops with 2 to 20 saws.</dd>
      <dt>What if a blade breaks?</dt><dd>We replace it within a day.</dd>
      <dt>What if we move?</dt><dd>Tell us your address.</dd><dt>Are you insured?</dt><dd>Yes. Up to £5m.</dd></dl>`
    )
    assert.strictEqual(findings.ideal_client_description, "Joinery shops with 2 to 20 saws.")
    assert.notProperty(findings, "guarantee")
    assert.deepStrictEqual(findings.credibility_markers, ["Up to £5m."])
    const labels =
      "Website\nhttps://acmetools.example\nIndustry\nSaw sharpening\nHeadquarters\nLeeds, England\nFounded\n2014"
    assert.deepInclude(extract(`Acme Tools\n\n${labels}`), {
      industry_vertical: "Saw sharpening",
      city_region: "Leeds, England"
    })
    assert.deepStrictEqual(extractAcme("## Our services\n\n- Blade sharpening, £9\n- Saw setting").core_products, [
      { product: "Blade sharpening", pricing: "£9" },
      { product: "Saw setting", pricing: "" }
    ])
    assert.notProperty(extractAcme("Competitors: Elm, Ash, a cousin with a file in a shed"), "competitors")
    assert.deepStrictEqual(extractAcme("Free blade check: we look at each of your saws.").lead_magnets, [
      "Free blade check: we look at each of your saws."
    ])
  })
})

describe("a price list", () => {
  const table = (header: string, ...rows: ReadonlyArray<string>) =>
    `# Hire\n\n| ${header} |\n|${"---|".repeat(header.split("|").length)}\n${rows.map((row) => `| ${row} |`).join("\n")}`
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
    // The seller's own cost beside one kind of customer's price, that cost alone, and prices of two kinds of customers.
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
  ])("is read only where it certainly lists what the company charges: %j", (text, products) =>
    assert.deepStrictEqual(extract(text).core_products, products)
  )

  it("is offered line by line where no heading says what is sold", () => {
    const text = "# Oak Desks\n\nAlignment, €12\n\n| Seal kit | from €80 |\n\nPackers €9\n\nWe paid €5 for it."
    assert.deepStrictEqual(candidatesFor(text, "core_products").slice(0, 3), [
      "Alignment | €12",
      "Seal kit | from €80",
      "Packers | €9"
    ])
  })
})

describe("extraction from a site", () => {
  it("takes the page's content, and nothing from menus, baskets, cookie banners and newsletters", async () => {
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
      business_address: "8 Foundry Lane, Bristol BS2 0AB",
      city_region: "Bristol",
      business_description: "Tallow & Wick pours private-label candles for hotels and gift shops.",
      core_products: [
        { product: "Private-label candle", pricing: "from £4.20 per piece" },
        { product: "Gift set of three", pricing: "£11.50" }
      ]
    })
  })

  it("takes structured data where the page shows little text, and names it as the source", async () => {
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

  const structuredData = (value: object) =>
    `<script type="application/ld+json">${JSON.stringify(value)}</script><p>Books.</p>`
  it.each([
    ["a company that the domain spells", { name: "Oakline" }, "Oakline"],
    ["a company with a mailbox at the site", { name: "Leeds Binders", email: "a@oakline.example" }, "Leeds Binders"],
    [
      "a company that names the site as its own",
      { name: "Leeds Binders", url: "https://oakline.example/" },
      "Leeds Binders"
    ],
    ["the maker of the site", { name: "Pixel Studio", email: "hi@pixel.example" }, undefined],
    ["a page's title", { name: "Oakline Books - Boxes, Albums, Leeds", email: "a@oakline.example" }, undefined],
    ["a person", { "@type": "Person", name: "Oakline" }, undefined]
  ])("takes a name from structured data if it is the site's company: %s", async (_, company, name) => {
    const { findings } = await site("https://oakline.example", structuredData({ "@type": "Organization", ...company }))
    assert.strictEqual(findings.company_name, name)
  })

  it("offers values from another company's metadata", async () => {
    const { missing } = await site(
      "https://oakline.example",
      structuredData({ "@type": "Organization", name: "Pixel Studio" })
    )
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
  ])("takes the home page's description if it says what the company does: %j", async (text, isTaken) => {
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

  it("takes no label of a page, which may describe a client or a job, and neither of two numbers or mailboxes", async () => {
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

  it("takes the name that the domain spells from Open Graph where the page does not show it", async () => {
    const pageNamed = (name: string) =>
      `<title>Home</title><meta property="og:site_name" content="${name}"><p>Books.</p>`
    assert.strictEqual((await site("https://oakline.example", pageNamed("Oakline"))).findings.company_name, "Oakline")
    assert.isUndefined((await site("https://oakline.example", pageNamed("BH Studio"))).findings.company_name)
  })

  it("puts a space between links that touch, but none within a word", () => {
    const html = "<p><a>LinkedIn</a><a>ann@oakline.example</a></p><p>An <b>oa</b><b>ken</b> floor.</p>"
    assert.strictEqual(fromHtml(html, 1000).text.trim(), "LinkedIn ann@oakline.example\n\nAn oaken floor.")
  })

  it("takes no masked number, and reads a page whose class mentions cookies", async () => {
    const html =
      '<body class="cookies-not-set"><p>ann@oakline.example</p><p><a href="tel:0666011234">06.66.01.xx.xx</a></p></body>'
    const { findings } = await site("https://oakline.example", html)
    assert.deepStrictEqual([findings.contact_email, findings.contact_phone], ["ann@oakline.example", undefined])
  })
})

describe("a field that is missing", () => {
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
    assert.deepStrictEqual(candidatesFor(text, field), [text])
  })

  it("is offered every name, number and address that may be its value", () => {
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
      ["business_address", ["Unit 4, 12 Quay Street, Leeds LS1 4AB", "Unit 9, 3 Mill Lane, York YO1 7AB"]],
      ["city_region", ["Leeds", "York"]],
      ["website_url", ["https://harbour.example", "https://quay.example"]]
    ] as const) {
      assert.isFalse(Object.hasOwn(extract(text), field), field)
      assert.deepStrictEqual(candidatesFor(text, field), values, field)
    }
  })

  it("is not the description if a sentence names the company with its legal form", () => {
    const sentence = "Tri-Rivers Metrology, LLC calibrates gauges for shops."
    const text = `# Tri-Rivers Metrology, LLC\n\nquotes@tririversmetrology.example\n\nGauges drift. We come and see.\n\n${sentence}`
    assert.strictEqual(extract(text).business_description, sentence)
  })
})

it("says where each value was read", () => {
  const { sources } = extractProfile(fixture("kestrel.md"))
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
])("reads very long runs of %s, and fills no more than a workspace may hold", (_, text) => {
  // A regular expression that backtracks over such a text would exceed the test's time limit.
  assert.isTrue(Schema.is(DetailsPatch)(extract(text)))
})

describe("the company that a text is about", () => {
  it("is known by a domain that spells whole words, and not by an address that the layout broke", () => {
    const extractTitled = (secondLine: string) =>
      extract(`BRIGHT FURNITURE\n${secondLine}\n\nWe mend desks.\n\nhi@brightfurniture.example`)
    assert.notProperty(extractTitled("PROJECT"), "company_name")
    assert.strictEqual(extractTitled("Leaflet").company_name, "Bright Furniture")
    const brokenAddresses = "KERERU PHYSIO & REHAB\n\nBook at kererup hysio.co.nz/book\n\nhemi@kererup"
    assert.notProperty(extract(brokenAddresses), "website_url")
    const wholeAddresses = "Stem & Vine lends plants.\n\nstemandvine.example / ines@stemandvine.example"
    assert.deepInclude(extract(wholeAddresses), {
      contact_email: "ines@stemandvine.example",
      website_url: "https://stemandvine.example"
    })
  })

  it("may mention partners below its title, and call its text a supplier profile", () => {
    const contact = "Holm & Reid LLP\nwww.holmreid.example\ninfo@holmreid.example"
    const contactFields = { contact_email: "info@holmreid.example", website_url: "https://www.holmreid.example" }
    const prose =
      "Today there are four partners, nine solicitors and a team of paralegals who act for farming families in Perth."
    assert.deepInclude(extract(`About us\n\n${prose}\n\n${contact}`), contactFields)
    assert.deepInclude(extract(`One-page supplier profile\n\n${contact}`), contactFields)
    assert.deepStrictEqual(extract(`Our partners\n\n${contact}`), {})
    assert.deepStrictEqual(extract(`List of suppliers\n\n${contact}`), {})
  })

  it("is named with its whole legal form", () => {
    const text = "Drewpal\n\nDrewpal Sp. z o.o. Sp.k.\n\nul. Długa 4\n\nbiuro@drewpal.example"
    assert.strictEqual(extract(text).company_name, "Drewpal Sp. z o.o. Sp.k.")
  })

  it("has no phone number with one person's extension", () => {
    const extractWithPhone = (phone: string) => extract(`Acme Tools\n\nPhone: ${phone}\n\ninfo@acmetools.example`)
    assert.strictEqual(extractWithPhone("(330) 555-0147").contact_phone, "(330) 555-0147")
    assert.notProperty(extractWithPhone("(330) 555-0147, ext. 12"), "contact_phone")
  })

  it("is known by labels of its name and address if the text has no other address", () => {
    const labels = "Company: Hollow Tree Care\n\nEmail: office@oakandash.example"
    assert.deepStrictEqual(extract(labels), {
      company_name: "Hollow Tree Care",
      contact_email: "office@oakandash.example"
    })
    assert.notProperty(extract(`${labels}\n\nwww.elm.example`), "contact_email")
    assert.notProperty(extract("Company: Hollow Tree Care\n\nWe asked ann@oakandash.example."), "contact_email")
  })

  it("has the longer name of its footer, and no prices that expire, are indicative or answer a tender", () => {
    const textWith = (line: string) =>
      `Acme\n\n${line}\n\n## Prices\n\n- Wash: €12\n\nAcme Tools LLC\n\nhi@acme.example`
    assert.deepInclude(extract(textWith("We wash.")), {
      company_name: "Acme Tools LLC",
      core_products: [{ product: "Wash", pricing: "€12" }]
    })
    for (const line of ["Valid until 31 March 2026", "Gültig bis 1.1.2026", "Indicative prices", "RFT 2025/118"])
      assert.notProperty(extract(textWith(line)), "core_products")
  })

  it("is named once, even if a logo repeats the name", async () => {
    const logo = "<a href='/'><svg><title>Oak Lane</title></svg></a>"
    const { findings } = await site(
      "https://oaklane.example",
      `<title>Studio — Oak Lane</title>${logo}<p>Chairs.</p><footer>© 2026 Oak Lane</footer>`
    )
    assert.strictEqual(findings.company_name, "Oak Lane")
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

  /** The URL of the first domain that the page names, which in these fixtures is the site's own. */
  const siteOf = ([page]: ReadonlyArray<{ readonly text: string }>) =>
    `https://${/[a-z0-9-]+\.example/.exec(page?.text ?? "")?.[0] ?? "site.example"}`

  it.each(Object.entries(expected))("fill exactly the fields that a reader confirmed in %s", async (name, findings) => {
    const content = readFileSync(new URL(name, folder))
    const kind = kindOf(name)
    const pages = [{ html: true, text: content.toString() }]
    const reply = await answerReadRequest(
      kind === undefined ? { kind: "pages", site: siteOf(pages), pages } : { kind, content }
    )
    if (!("findings" in reply)) return assert.fail(reply.unreadable)
    assert.deepStrictEqual(reply.findings, findings)
    // Every value is in the text, except for its case, spaces, and the punctuation after a bold lead.
    const withoutLayout = (text: string) =>
      text
        .toLowerCase()
        .replace(/~~[^~\n]+~~/g, "")
        .replace(/\.("?)(?=\*\*)/g, "$1:")
        .replace(/[\s|*#"“”,;:-]+/g, "")
    // Structured data is in the page's source only.
    const text = withoutLayout(kind === undefined ? `${reply.text} ${content}` : reply.text)
    // In a text of two columns, lines of the other column interrupt a sentence.
    if (name.endsWith("columns.txt")) return
    for (const value of [reply.findings.guarantee, reply.findings.credibility_markers].flatMap((list) => list ?? []))
      assert.include(text, withoutLayout(value))
    // Products and case studies join a cell with its column's name, or a point with its heading, so each word is looked up.
    const isJoined = (field: string) => field === "core_products" || field === "case_studies"
    for (const { candidates, field } of reply.missing) {
      // An address may have been read from several lines.
      if (field === "business_address") continue
      for (const part of candidates.flatMap((each) => each.split(isJoined(field) ? " " : / \| |(?<=\?) /)))
        // The scheme of a URL is added by the import.
        assert.include(text, withoutLayout(part.replace(/^https?:\/\/(?:www\.)?/, "")))
    }
  })
})

describe("the structure of a text", () => {
  it("keeps a town of three words whole, also before a district's number", () => {
    const { business_address, city_region } = extractAcme("Jihlavská 1204/9, 591 01 Žďár nad Sázavou 1")
    assert.strictEqual(city_region, "Žďár nad Sázavou")
    assert.match(business_address ?? "", /591 01 Žďár nad Sázavou/)
  })

  it.each([
    [
      "## The 7 a.m. promise\n\nIf the truck is late, the first week is free.",
      { guarantee: ["If the truck is late, the first week is free."] }
    ],
    [
      "## Contact\n\nAnn Lee, Sales Manager\nThe Old Mill, Mill Lane, Ludlow SY8 2ZZ",
      {
        contact_name: "Ann Lee",
        contact_title: "Sales Manager",
        business_address: "The Old Mill, Mill Lane, Ludlow SY8 2ZZ",
        city_region: "Ludlow"
      }
    ],
    ["Ring Ann Lee, Commercial Director", { contact_name: "Ann Lee", contact_title: "Commercial Director" }],
    [
      "8 rue de la Corderie          01 02 58 91 07\n56100 Lorient                 www.acmetools.example",
      { business_address: "8 rue de la Corderie, 56100 Lorient", city_region: "Lorient" }
    ]
  ])("fills fields from headings and from a letterhead: %j", (body, fields) =>
    assert.deepInclude(extractAcme(body), fields)
  )

  it.each([
    [
      "pain_points",
      "## Why growers call us\n\nThe complaints are these:\n\n- The hives came late.",
      "The hives came late."
    ],
    ["pain_points", "## What we keep hearing\n\n- Lifts come late\n- Tags out of date", "Tags out of date"],
    ["ideal_client_description", "## Who rents from Acme\n\n- Lumber yards\n- Food distributors", "Food distributors"],
    [
      "ideal_client_description",
      "## Who we serve\n\nFlour mills and bakeries in Ohio. Our contacts are plant managers.",
      "Flour mills and bakeries in Ohio."
    ],
    [
      "unique_differentiators",
      "## Was wir anders machen\n\n- Eigene Monteure für Sie\n- Lager",
      "Eigene Monteure für Sie"
    ],
    ["lead_magnets", "## Free chamber test\n\nSend us six of your orders.", "Send us six of your orders."],
    ["case_studies", "## What it has saved\n\nElectricity fell by 13 per cent.", "Electricity fell by 13 per cent."]
  ])("offers %s under a heading that is no label, and fills nothing: %j", (field, body, candidate) => {
    assert.notProperty(extractAcme(body), field)
    assert.include(candidatesFor(acmeText(body), field), candidate)
  })

  it.each([
    ["clients by name", "## Our clients\n\n- Oak Ltd\n- Ash Ltd", "ideal_client_description"],
    ["praise", "## Results\n\n- Everyone loves our work.\n- It is great.", "case_studies"],
    ["a quotation", '## What clients say\n\n"Weir Mills fell from 40 to 12." Bo Oak, Owner', "case_studies"],
    ["a client who is quoted", '## What clients say\n\n"Good." Bo Oak, Owner', "contact_name"],
    ["two addresses", "Yard: 1 Mill Lane, Leeds LS1 4AB\n\nOffice: 2 Mill Lane, York YO1 7AB", "city_region"],
    ["a job advert", "## We're hiring\n\nContact: Bo Oak, Site Manager", "contact_name"],
    [
      "a paragraph outside the section",
      "Our promise\nWe come within a day, or you do not pay anything at all.\n\nWe mend saws.",
      "business_description"
    ]
  ])("fills no field from %s", (_, body, field) => assert.notProperty(extractAcme(body), field))

  it("is read from a sheet of questions and answers, except a row with a doubtful note", () => {
    const sheet = [
      "FIELD,ANSWER,Notes",
      "Company name,Acme Tools,",
      "Email,hello@acmetools.example,",
      "What do you do?,Repair of hand saws for joiners in Leeds.,",
      'Where are you?,"2 Mill Lane, Leeds LS1 4AB",',
      'Biggest complaints,"1. Saws come back blunt\n2. The office is closed: the phone rings for hours",',
      "How are you different,Own workshop; one price for all,",
      "Price – saw,$49 each,incl GST",
      'Client story 1,"Oak Ltd: repairs fell from 40 to 12 a year",',
      'Client story 2,"Ash Ltd: repairs fell from 30 to 9 a year",not sure we can name them'
    ].join("\n")
    assert.deepStrictEqual(extract(fromCsv(sheet)), {
      company_name: "Acme Tools",
      contact_email: "hello@acmetools.example",
      business_description: "Repair of hand saws for joiners in Leeds.",
      business_address: "2 Mill Lane, Leeds LS1 4AB",
      city_region: "Leeds",
      pain_points: "Saws come back blunt\nThe office is closed: the phone rings for hours",
      unique_differentiators: "Own workshop\nOne price for all",
      case_studies: ["Oak Ltd: repairs fell from 40 to 12 a year"],
      core_products: [{ product: "Saw", pricing: "$49 each" }]
    })
  })

  it("gives no clients as job titles, and no label in capitals as part of a name", () => {
    assert.notProperty(extract("Who buys: Conservatoires and drama colleges\n"), "target_job_titles")
    const titles = "Estates Manager, Production Director"
    assert.propertyVal(extract(`Who buys: ${titles}\n`), "target_job_titles", titles)
    const withContactLine =
      "Fuel polishing\n\nWe clean diesel.\n\nCONTACT Clearwell Fuel Care Ltd, info@clearwellfuel.example, clearwellfuel.example\n"
    assert.propertyVal(extract(withContactLine), "company_name", "Clearwell Fuel Care Ltd")
  })

  it("is read from rows of labels below a price list", () => {
    const priceList = [
      "SKU,Category,Product,Pack,Price EUR ex VAT,Notes",
      "A-1,Saws,Hand saw,1,11.80,",
      'A-2,Saws,"Rip saw 2""",1,POA,New',
      "WHY SHOPS CHANGE TO US,,,,,",
      "Problem,,Saws come back blunt,,,",
      "Problem,,Calls are not returned,,,",
      "CONTACT,,,,,",
      "Company,,Acme Tools Ltd,,,Family owned",
      "Email,,hello@acmetools.example,,,"
    ].join("\n")
    assert.deepStrictEqual(extract(fromCsv(priceList)), {
      company_name: "Acme Tools Ltd",
      contact_email: "hello@acmetools.example",
      pain_points: "Saws come back blunt\nCalls are not returned",
      core_products: [
        { product: "Hand saw", pricing: "EUR 11.80" },
        { product: 'Rip saw 2"', pricing: "POA" }
      ]
    })
  })

  it("fills in a whole price list, or only offers its rows", () => {
    const priceList = (lastRow: string) =>
      `A4 sheet ........ 4.9p\nMinimum job ........ GBP 80\nA3 ........ 9p\nFilm, per roll ........ GBP 22\n${lastRow}`
    assert.deepStrictEqual(extract(priceList("Microfiche ........ ask")).core_products, [
      { product: "A4 sheet", pricing: "4.9p" },
      { product: "Minimum job", pricing: "GBP 80" },
      { product: "A3", pricing: "9p" },
      { product: "Film, per roll", pricing: "GBP 22" },
      { product: "Microfiche", pricing: "ask" }
    ])
    const unclear = priceList("Deeds ........ twice that of A3")
    assert.notProperty(extract(unclear), "core_products")
    assert.deepStrictEqual(candidatesFor(unclear, "core_products").slice(0, 2), ["A4 sheet | 4.9p", "A3 | 9p"])
    const plans = "## Pricing\n\n| Plan | Per pupil, per year | Includes |\n|---|---|---|\n| Core | £1.40 | Lists |"
    assert.deepStrictEqual(extract(plans).core_products, [{ product: "Core", pricing: "£1.40 per pupil, per year" }])
  })

  it("shows its company by a word that the domain and the legal name share", () => {
    const text = "Price list\n\nBarnwick Pest Prevention Co.\n2210 Tamarack Spur, Fargo, ND 58102\n\n"
    assert.deepStrictEqual(extract(`${text}service@barnwickpest.example`), {
      company_name: "Barnwick Pest Prevention Co.",
      contact_email: "service@barnwickpest.example",
      business_address: "2210 Tamarack Spur, Fargo, ND 58102",
      city_region: "Fargo"
    })
    assert.notProperty(extract(`${text}service@elm.example`), "company_name")
  })

  it("shows a site's company by the address that its pages give, despite a placeholder text", async () => {
    const page = (url: string) =>
      `<meta property="og:url" content="${url}"><p>Saws.</p><div><p>Lorem ipsum dolor.</p></div>
      <blockquote>Good.<footer>Bo Oak, Owner</footer></blockquote><p style="display:none">Ask for Bo Oak.</p>
      <footer>© 2009 Oakline Saws Ltd. <a href="mailto:hi@oakline.example">Write</a> <a href="tel:+441632960731">Ring</a></footer>`
    assert.deepStrictEqual((await site("http://127.0.0.1:1", page("https://www.oakline.example/"))).findings, {
      website_url: "http://127.0.0.1:1",
      company_name: "Oakline Saws Ltd.",
      contact_email: "hi@oakline.example",
      contact_phone: "+441632960731"
    })
  })

  it("shows a site's company by the canonical link, whatever other addresses it names", async () => {
    const page = '<link rel="canonical" href="https://oakline.example/"><p>hi@oakline.example</p><p>li@elm.example</p>'
    assert.strictEqual((await site("http://127.0.0.1:1", page)).findings.contact_email, "hi@oakline.example")
  })

  it("is read without what every page or slide repeats, and with hyphenated words joined", () => {
    const slides =
      "<!-- Slide number: 1 -->\n## The promise\n\nWe come in a day, or it is free.\n\nConfidential          7\n\n"
    assert.deepStrictEqual(extractAcme(slides).guarantee, ["We come in a day, or it is free."])
    const german =
      "hello@acmetools.example\n\n## Für wen wir arbeiten\n\n– Zinkdruckgie-\n  ßereien und die Gießer\n– Modell- und Formenbauer der Region und der Stadt"
    assert.deepStrictEqual(candidatesFor(german, "ideal_client_description"), [
      "Zinkdruckgießereien und die Gießer",
      "Modell- und Formenbauer der Region und der Stadt"
    ])
  })
})

describe("candidates", () => {
  it.each([
    ["industry_vertical", "# Oak\n\nScanning of drawings, deeds and files\n\nSkip to content", []],
    [
      "competitors",
      "# Oak Ltd\n\nUnlike Elm, we mend on site.\n\nUnlike other firms, we mend on site.\n\nWe never compete with Ash.",
      ["Unlike Elm, we mend on site."]
    ],
    [
      "unique_differentiators",
      "# Oak Ltd\n\nEach saw has the same sharpener every month.\n\nOur own line, 0113 496 0182, oak@oak.example.",
      ["Each saw has the same sharpener every month."]
    ],
    ["contact_title", "## Contact\n\nAnn Lee, Leeds\n\nBo Oak, Sales Manager", ["Sales Manager"]],
    [
      "target_job_titles",
      "## Who it's for\n\n| Sector | Who signs |\n|---|---|\n| Civils | Plant Director |\n| Vans | Head of Fleet |",
      ["Plant Director, Head of Fleet"]
    ],
    [
      "competitors",
      "# Acme Ltd\n\n## Why not the big two?\n\n| | Acme | Trakmont | Fleet |\n|---|---|---|---|\n| Plant | Y | N | N |",
      ["Trakmont, Fleet"]
    ],
    [
      "core_products",
      "## What it costs you\n\n| | Per day |\n|---|---|\n| Total | £310 |\n\n## We're hiring\n\n- Fitter, £21/hr",
      []
    ],
    ["guarantee", "## Sound familiar?\n\nThe refund comes out of our margin.\n\nNotre garantie.", []],
    [
      "contact_name",
      '## What clients say\n\n"Good." Bo Oak, Owner\n\n## Contact\n\nAnn Lee, Sales Manager',
      ["Ann Lee"]
    ],
    ["company_name", "Home\n\nWe mend saws.", []]
  ])("for %s include no unrelated text: %j", (field, text, values) =>
    assert.deepStrictEqual(candidatesFor(text, field), values)
  )
})

describe("offered sentences", () => {
  const text = [
    "Acme Cold Stores stores food for exporters in Kent.",
    "If the temperature is ever out of range by our fault, we pay the full value of the goods.",
    "We talk to supply chain managers and logistics buyers.",
    "Acme Cold Stores was set up in 2005 by two brothers.",
    "Hotels on a quarterly contract pay 20% less.",
    "Pallet moves fell from 40 to 12 a day at Weir Mills.",
    "Results in two days or the test is free.",
    "Ask for our free checklist on cold rooms.",
    "It started when Rob grew tired of problems with late lorries.",
    "thats a good guarantee??"
  ].join("\n\n")

  it.each([
    ["business_description", ["Acme Cold Stores stores food for exporters in Kent."]],
    ["target_job_titles", ["We talk to supply chain managers and logistics buyers."]],
    ["case_studies", ["Pallet moves fell from 40 to 12 a day at Weir Mills."]],
    ["lead_magnets", ["Ask for our free checklist on cold rooms."]],
    ["pain_points", []]
  ] as const)("for %s are about that field only", (field, sentences) =>
    assert.deepStrictEqual(candidatesFor(text, field), sentences)
  )

  it("for the company name include no document's title, mail header or ornament", () => {
    assert.deepStrictEqual(candidatesFor("From: Ann\n\nToday Acme Tools Ltd is a team of nine.", "company_name"), [
      "Acme Tools Ltd"
    ])
    assert.deepStrictEqual(candidatesFor("Notes for the website people\n\nWe mend pumps.", "company_name"), [])
    assert.deepStrictEqual(candidatesFor("* * *\n\nWe mend pumps.", "company_name"), [])
    assert.deepStrictEqual(candidatesFor("~ GILT & THREAD ~\n\nWe bind books.", "company_name"), ["Gilt & Thread"])
  })

  it("hold the whole of a value that wraps in its column, without the label above it", () => {
    const sheet = [
      "Company                    Slaney Crane Hire Limited",
      "Guarantee                  A new crane within 4 hours on breakdown,",
      "                           or that day's hire is not charged",
      "Accreditation              ISO 45001"
    ].join("\n")
    assert.deepStrictEqual(extract(sheet).guarantee, [
      "A new crane within 4 hours on breakdown, or that day's hire is not charged"
    ])
    const indented =
      "People we want to talk to\n    Purchasing managers at ship managers; port captains\n\nProof\n    ISSA member"
    assert.include(candidatesFor(indented, "target_job_titles"), "Purchasing managers at ship managers; port captains")
  })
})

describe("text that only looks like a value", () => {
  const withContactBelow = (text: string) => `Acme Tools\n\n${text}\n\nhello@acmetools.example`
  const extractBody = (text: string) => extract(withContactBelow(text))
  const address = "12 Mill Road, Leeds LS1 4AP"

  it.each([
    ["Send your application to team@acme.example.\n\nWrite to kanzlei@acme.example", "kanzlei@acme.example"],
    ["Send your CV to team@acme.example.\n\nann.lee@acme.example, orders@acme.example", undefined],
    ["Bewerbungen an:\n\nteam@acme.example", undefined],
    ["Write to team@acme.example", "team@acme.example"]
  ])("includes a mailbox for job applications: %j", (text, email) =>
    assert.strictEqual(extract(`Acme\n\n${text}`).contact_email, email)
  )

  it.each([
    "Reference 1 contact: Rosa Elm, Business Manager",
    "Client contact: Rosa Elm, Plant Manager",
    "## Referees\n\nContact: Rosa Elm, Plant Manager, 0151 496 0022",
    "Contact: Rosa Elm, Sales Manager (retired in May, ask Bo Oak instead)",
    "Contact: Rosa Elm, Sales Manager\n\nRosa Elm has left us.",
    "Ansprechpartnerin: Rosa Elm (ausgeschieden)"
  ])("includes a client's contact and a person who has left: %j", (text) => {
    const { contact_name, contact_title } = extractBody(text)
    assert.deepStrictEqual([contact_name, contact_title], [undefined, undefined])
  })

  it("does not include the contact of the company's customer service", () =>
    assert.strictEqual(extractBody("Customer service contact: Rosa Elm, Office Manager").contact_name, "Rosa Elm"))

  it("includes a client's result that names a contact at the client", () =>
    assert.notProperty(
      extractBody("## Case studies\n\nWeir Mills (contact: Luc Elm, 02 99 00 11 22) cut its stops from 9 to 4 a year."),
      "case_studies"
    ))

  it.each([
    "4 rolls with butter, Anna no cheese, RABC EN 14065",
    "Address: 4 rolls and bread, RABC EN 14065",
    "Visit us: Mill Fair West, Booth 2314, February 8-10, 2027",
    "Address: Hall 4, Stand B12, Messe Köln, 3-5 March 2027",
    "Hall 4, Stand B12\nFair House, Leeds LS1 4AP\n3-5 March 2027"
  ])("includes the number of a standard and the stand at a fair: %j", (text) => {
    const { business_address, city_region } = extractBody(text)
    assert.deepStrictEqual([business_address, city_region], [undefined, undefined])
  })

  it.each([
    [`Address: Acme Tools, Postal address, ${address}`, address],
    [`Address: Elm House, Postal address, ${address}`, `Elm House, ${address}`],
    [`Address: 3 Elm Row, Postal address, ${address}`, `3 Elm Row, Postal address, ${address}`]
  ])("includes the label and the company's name before an address: %j", (text, businessAddress) =>
    assert.strictEqual(extractBody(text).business_address, businessAddress)
  )

  it.each([
    "## About us\n\nHeading 2",
    "## Main competitors\n\nÜberschrift 2",
    "Titre 2\n\nGuarantee: Titre 1",
    "Industry: Heading 1"
  ])("includes the name of a paragraph's style: %j", (text) => {
    const { findings, missing, own: ownText } = extractProfile(acmeText(text))
    assert.notMatch(JSON.stringify([findings, missing, ownText.split("\n").slice(0, -1)]), /"(?:Heading|Titre|Über)/)
  })

  it.each([
    ["business_description", "## About us\n\nAcme Tools makes stain- less saws and blades for joiners in Leeds."],
    ["guarantee", "Guarantee: We repeat the work free [delete: within a year] within a month."],
    ["lead_magnets", "Free trial: A free blade and a free guide to saws."]
  ])("is offered if a broken word, an editor's mark or a second gift makes it doubtful: %s", (field, text) => {
    assert.notProperty(extractBody(text), field)
    assert.isNotEmpty(candidatesFor(withContactBelow(text), field))
  })
})

describe("values that are only offered", () => {
  const acmeCandidates = (text: string, field: string) => candidatesFor(acmeText(text), field)

  it.each([
    ["business_address", "Hangar 3, 1120 Springbank Airport Rd, Calgary T3Z 3S5"],
    ["lead_magnets", "Free: Yarn calculator for mills (ask Ann on the phone)"],
    ["lead_magnets", "Free: The checklist of 20 points at www.acmetools.example/list"],
    ["case_studies", "Reference: Elm Mill: 140 doors in 11 days, faults from 212 to 9. Head of works Mr. Oak"],
    ["unique_differentiators", "## Why us?\n\nBig firms (Algo, Porta) need weeks. We come within a day."],
    ["pain_points", "## The problem\n\n- Climbers: $1,400/tower and a week of rain\n- One drawing in five is wrong"],
    ["contact_title", "Position: Leaflet of spring"]
  ])("include a doubtful %s: %j", (field, text) => {
    assert.notProperty(extractAcme(text), field)
    if (field !== "contact_title") assert.isNotEmpty(acmeCandidates(text, field))
  })

  it("include each person if the text names several people and mailboxes", () => {
    const team = "Ann Lee, CEO\n\nBo Oak, Head of Sales\n\nInvestors: ann@acmetools.example"
    assert.notProperty(extractAcme(team), "contact_name")
    assert.deepStrictEqual(acmeCandidates(team, "contact_name").slice(0, 2), ["Ann Lee", "Bo Oak"])
  })

  it("are all that a meeting's minutes give, in Spanish too", () => {
    const minutes = "ACTA REUNIÓN COMERCIAL\n\nGarantía: si falla, devolvemos 3 cuotas.\n\nhola@acmetools.example"
    assert.deepStrictEqual(extract(minutes), {})
    assert.deepStrictEqual(candidatesFor(minutes, "guarantee"), ["si falla, devolvemos 3 cuotas."])
  })

  it.each([
    [
      "ideal_client_description",
      "Who we want more of: butchers and farm shops in Kent",
      "butchers and farm shops in Kent"
    ],
    ["ideal_client_description", "> 3. Who for?\nCO-OPS AND MARTS WITH 10+ STAFF", "CO-OPS AND MARTS WITH 10+ STAFF"],
    [
      "ideal_client_description",
      "| Field | Note | Other |\n|---|---|---|\n| customers | Makers of saws | |",
      "Makers of saws"
    ],
    ["target_job_titles", "Owner or area manager decides.", "Owner or area manager decides."],
    ["solution_triggers", "They come when: the lease ends, or an office moves", "the lease ends, or an office moves"],
    ["guarantee", "Pose en 72 h, sinon le premier mois est offert.", "Pose en 72 h, sinon le premier mois est offert."],
    ["competitor_frustrations", "Complaints we hear about Elm: a lease of five years", "a lease of five years"],
    [
      "case_studies",
      "## Done lately\n\nElm Mill took one stand to seven shows. Cost per show fell 38 %.",
      "Elm Mill took one stand to seven shows. Cost per show fell 38 %."
    ],
    ["credibility_markers", "## Proof\n\n- B Corp since 2022.", "B Corp since 2022."],
    ["pain_points", 'What clients tell us\n\n"We wait five weeks for a part."', '"We wait five weeks for a part."'],
    ["contact_phone", "Teléfono comercial 960 555 018", "960 555 018"],
    ["business_address", "Yard: Plot 55, Athi River zone", "Plot 55, Athi River zone"],
    ["core_products", "| Saw | 2025 | now |\n|---|---|---|\n| Band saw | £40 | £46 |", "Band saw | now £46"],
    ["core_products", "## Prices\n\nOne site C$690   |   100 sites C$540", "One site | C$690"]
  ])("for %s are read from %j", (field, text, value) => assert.include(acmeCandidates(text, field), value))

  it("include the name that the domain spells within a sentence", () =>
    assert.include(
      candidatesFor(
        "On paper we are Elm Ltd, and all say Acme Tools Hire.\n\nacmetoolshire.example, x.example",
        "company_name"
      ),
      "Acme Tools Hire"
    ))
})

it("says what to do with an RTF file that is named .txt", () =>
  assert.deepStrictEqual(detectKind("notes.txt", Buffer.from("{\\rtf1 Acme")), {
    refusal: "is named .txt but is an RTF file; save it as .docx or .pdf and send that"
  }))

describe("the layout of a form, a leaflet and a sheet", () => {
  it.each([
    [
      "| Frage | Antwort |\n|---|---|\n| Straße, Ort | Park 17, 8401 Kalsdorf bei Graz |",
      "Park 17, 8401 Kalsdorf bei Graz"
    ],
    ["Fábrica: Blvd. Hermanos Elm 5550, 37490 León", "Blvd. Hermanos Elm 5550, 37490 León"],
    [
      "Workshop & post: Unit 9 Globe Mills, Armley Road, Leeds LS12 2XX",
      "Unit 9 Globe Mills, Armley Road, Leeds LS12 2XX"
    ]
  ])("gives an address without its label: %j", (text, address) =>
    assert.strictEqual(extract(`Acme Tools\n\n${text}\n\nhello@acmetools.example`).business_address, address)
  )

  it("may end labels with dots and a colon, and hold two in a line", () => {
    const form = [
      "Trading name ..........: Acme Tools",
      "Sales contact .........: Ann Lee     Title: Owner",
      "Website ...............: acmetools.example"
    ].join("\n")
    const { company_name, contact_name, contact_title } = extract(form)
    assert.deepStrictEqual([company_name, contact_name, contact_title], ["Acme Tools", "Ann Lee", "Owner"])
  })

  it("may have two columns of prose above a rule, which no value joins", () => {
    const leaflet = [
      "Unser Versprechen                     Preise und Leistungen von",
      "Fünf Tage vom Wareneingang            Acme Tools aus Erbach, die",
      "bis zum Versand. Dauert es            wir seit Jahren gern auch",
      "länger, arbeiten wir zum              am Wochenende liefern und",
      "halben Preis.                         vor Ort einbauen.",
      "---------------------------------------------------------------"
    ].join("\n")
    const { findings, missing } = extractProfile(`Acme Tools\n\n${leaflet}\n\nhello@acmetools.example`)
    // The heading may belong to the text in the other column.
    assert.notProperty(findings, "guarantee")
    assert.include(
      missing.find(({ field }) => field === "guarantee")?.candidates ?? [],
      "Dauert es länger, arbeiten wir zum halben Preis."
    )
    assert.notMatch(JSON.stringify(missing), /Dauert es[^"]*wir seit/)
  })

  it("has its column names in the header row, and not in the contact row above it", () => {
    const sheet = "Acme,,,\nAnn Lee,Sales,0113 496 0182,ann@acme.example\nitem,unit,price EUR,note\nSaw,pc,12,new\n"
    assert.include(fromCsv(sheet), "| item | unit | price EUR | note |\n| --- |")
  })

  it("may number its points without a space", () =>
    assert.deepStrictEqual(
      candidatesFor("PROBLEMS WE HAVE SEEN\n1.Yield known too late\n2.Owner is calling all day", "pain_points"),
      ["Yield known too late", "Owner is calling all day"]
    ))

  it("may add a remark to a promise, and a second phone number to the first", () => {
    const text =
      "Acme Tools\n\nGuarantee: If a saw fails, we replace it free. Ann words it nicely.\n\nTel. 03135 / 555 27, emergencies 0676 555 2700\n\nhello@acmetools.example"
    const { contact_phone, guarantee } = extract(text)
    assert.deepStrictEqual(guarantee, ["If a saw fails, we replace it free."])
    assert.isUndefined(contact_phone)
  })
})

describe("extraction from documents like those of real companies", () => {
  const doc = (...parts: ReadonlyArray<string>) => ["# Acme Tools", ...parts, "hello@acmetools.example"].join("\n\n")

  it.each([
    ["Acme Tools kegs beer for small breweries in Leeds.", true],
    ["We keg beer for small breweries in Leeds.", true],
    ["Acme Tools is a keg filler for small breweries.", true],
    ["We make things that hold things.", false],
    ["We believe in kegs for all of the small breweries.", false],
    ["Acme Tools was a keg filler for small breweries.", false]
  ])("takes a sentence as the description by its subject and its verb: %j", (text, isTaken) =>
    assert.strictEqual(extract(doc(text)).business_description, isTaken ? text : undefined)
  )

  it.each([
    "COME AND SEE US, VENDREDI 14 h\nrue des Scieurs, 08000 Charleville",
    "Atelier rue des Scieurs, 08000 Sedan"
  ])("takes no address with the end of another line before its street: %j", (text) =>
    assert.notProperty(extract(doc("## Contact", text)), "business_address")
  )

  it("offers the results that stand under the names of clients with those names", () => {
    const story = (client: string, result: string) => `### ${client}\n\n${result}`
    const text = doc(
      "## Case studies",
      story("Oak Homes", "We cut standing time from 19 days to 11."),
      story("Elm & Poole Builders", "The programme ended 2 weeks earlier.")
    )
    assert.notProperty(extract(text), "case_studies")
    assert.sameMembers(
      [...candidatesFor(text, "case_studies")],
      [
        "Oak Homes: We cut standing time from 19 days to 11.",
        "Elm & Poole Builders: The programme ended 2 weeks earlier."
      ]
    )
  })

  it("takes a result with the client in the line above it, and none without", () => {
    const text = "## Case studies\n\nClient: Oak Homes\nResult: 4,100 surveys were done in 14 months."
    assert.deepStrictEqual(extract(doc(text)).case_studies, ["Oak Homes: 4,100 surveys were done in 14 months."])
    assert.notProperty(extract(doc(text.replace("Client: Oak Homes\n", ""))), "case_studies")
  })

  it("joins a service with its price", () =>
    assert.deepStrictEqual(
      extract(
        doc(
          "## Services\n\n- Saw repairs\n- Blade checks",
          "## Prices\n\n| Item | Price |\n|---|---|\n| Saw repair | £42 |"
        )
      ).core_products,
      [
        { product: "Blade checks", pricing: "" },
        { product: "Saw repair", pricing: "£42" }
      ]
    ))

  it.each([
    ["prices that are not read", "## Services\n\n- Saw repairs\n- Blade checks\n\n## Hire\n\nSaw hire £42"],
    ["a service that is not", "## Services\n\n- Saw repairs\n- Saws, 330 mm to 750 mm\n- Blade checks"]
  ])("fills no services beside %s, and offers those that it knows", (_, text) => {
    assert.notProperty(extract(doc(text)), "core_products")
    assert.includeMembers([...candidatesFor(doc(text), "core_products")], ["Saw repairs", "Blade checks"])
  })

  it("reads labels with numbers", () =>
    assert.strictEqual(
      extract(
        "Company: Acme Tools\nEmail: hello@acmetools.example\nBenefit 1: Kit packed per wearer\nBenefit 2: Caps per employee"
      ).unique_differentiators,
      "Kit packed per wearer\nCaps per employee"
    ))

  it.each([["Benefits", "- Kit packed per wearer\n- Caps per employee", "unique_differentiators"]])(
    "fills in the list under %j",
    (heading, text, field) => assert.propertyVal(extract(doc(`## ${heading}`, text)), field, text.replaceAll("- ", ""))
  )

  it("offers the values of labelled rows in a sheet, and of labels after an address", () => {
    const sheet = fromCsv(
      "Pos;Teil;mm;EUR netto\n1;Saw;12;9,80\nPark 14, 66564 Ottweiler;;Tel;06824 5550 19\nInhaber;Edgar Thull;mail;a@thull.example\nqui signe;gérant;acheteur;\nconcurrents;Oak;Elm;\ntexte site;Nous louons des fontaines.;;\nSteuerberater;Kanzlei;06824 5550 88;\n"
    )
    assert.deepStrictEqual(candidatesFor(sheet, "contact_phone"), ["06824 5550 19"])
    assert.deepStrictEqual(candidatesFor(sheet, "contact_name")[0], "Edgar Thull")
    assert.deepStrictEqual(candidatesFor(sheet, "competitors"), ["Oak", "Elm"])
  })

  it("takes no contact whose mailbox is another person's", () => {
    const { contact_email, contact_name } = extract(
      doc("## Contact", "Ann Lee, Managing Director\n\nBo Dahm, Projects Manager, dahm@acmetools.example").replace(
        "\n\nhello@acmetools.example",
        ""
      )
    )
    assert.deepStrictEqual([contact_email, contact_name], ["dahm@acmetools.example", undefined])
  })

  it("offers the lines of a slide one by one, and no heading in a sentence", () => {
    const slides =
      "SLIDE 2\nWhat keeps a manager awake?\n  one bent upright that is not reported\n  parts that come too late\n\nSLIDE 7 - Oak Trade Supplies (32 branches)\n  before: 188 red risks\n  after: 3 red risks, insurance excess halved"
    assert.deepStrictEqual(candidatesFor(slides, "case_studies"), ["after: 3 red risks, insurance excess halved"])
    assert.include(candidatesFor(slides, "pain_points"), "parts that come too late")
    const columns = [
      ["Whitestack washes and", "WHO SIGNS THE ORDER"],
      ["delivers hired linen", "Usually the Executive"],
      ["for hotels and the", "Housekeeper or the"],
      ["caterers in Fife.", "General Manager."]
    ]
    const page = columns.map(([left = "", right = ""]) => left.padEnd(36) + right).join("\n")
    assert.include(
      candidatesFor(page, "target_job_titles"),
      "Usually the Executive Housekeeper or the General Manager."
    )
  })

  it("offers a promise with its condition, a free offer with its name, and a result without the next client", () => {
    const promise = "Not happy within 48 hours? We clean again free of charge."
    assert.include(candidatesFor(acmeText(`- ${promise}`), "guarantee"), promise)
    assert.include(
      candidatesFor(acmeText("Lose it? We pay retail value, free of charge."), "guarantee"),
      "Lose it? We pay retail value, free of charge."
    )
    const gift = "Gratuit : un croquis à main levée de votre comptoir."
    assert.deepStrictEqual(candidatesFor(gift, "lead_magnets"), [gift])
    const results =
      "Case studies\nRedcap Taverns (61 pubs)\nResult: Insurer cut the fire premium by 12% after our certificates.\nSt Werburgh's Hospital, Chester\nResult: 140 m of duct cleaned in three nights with no meals lost."
    assert.include(
      candidatesFor(acmeText(results), "case_studies"),
      "Insurer cut the fire premium by 12% after our certificates."
    )
  })

  it("says whose result it is in a row: the client of another cell, or nothing", () => {
    const rows =
      'ACME PALLETS,,\n,,\nRECENT WORK,,\n"Thornby Pickles","pallet bill cut by 31% in a year",\n"Wolds Paving Co.","No refused load in 640",'
    assert.deepStrictEqual(candidatesFor(fromCsv(rows), "case_studies"), [
      "Thornby Pickles: pallet bill cut by 31% in a year",
      "Wolds Paving Co.: No refused load in 640"
    ])
    const table =
      "| Client | Trade | Result |\n|---|---|---|\n| Hollin Paper | mill | downtime cut from 31 hours to 4 |"
    assert.deepStrictEqual(candidatesFor(table, "case_studies"), ["Hollin Paper: downtime cut from 31 hours to 4"])
  })

  it("fills in a promise in prose, and offers it neither as a problem nor as a gift", () => {
    const guaranteeIn = (...lines: ReadonlyArray<string>) =>
      extract(["# Acme Tools", ...lines, "hello@acmetools.example"].join("\n\n")).guarantee
    for (const promise of [
      "If we are late you pay nothing.",
      "If a tank that we emptied backs up within 60 days, we come back at night and pay for the hire of another.",
      "If there is no agreement by the end of the day, you do not pay for it.",
      "If your score does not beat your last one, you get half the fee back.",
      "Should a bearing that we fitted fail within a year, we replace it at our own cost."
    ]) {
      assert.deepStrictEqual(guaranteeIn(`Most mills lose a day a month to a bearing. ${promise}`), [promise])
      assert.notInclude(candidatesFor(`# Acme\n\n${promise}`, "pain_points"), promise)
    }
    for (const condition of [
      "If you book two days, the third is free.",
      "If we cancel a day, we refund the fee.",
      "If we are in the area anyway, the visit is free.",
      "If it rains, we work inside.",
      "If the boiler is not ours, ring the maker."
    ])
      assert.isUndefined(guaranteeIn(condition), condition)
    assert.isUndefined(guaranteeIn("## Terms of business", "If goods are damaged, we refund the price."))
    const promiseInCell =
      "ACME PALLETS,,\n,,\nIF WE LET YOU DOWN,Trailer late by more than four hours? That load is free.,"
    assert.deepStrictEqual(candidatesFor(fromCsv(promiseInCell), "guarantee"), [
      "Trailer late by more than four hours? That load is free."
    ])
    assert.deepStrictEqual(candidatesFor(fromCsv(promiseInCell), "lead_magnets"), [])
  })

  it("offers the problems under a heading that asks whether the reader knows them", () => {
    const text = "# Acme Tools\n\n## Heard it before?\n\n- Ran out at 4pm on a Friday\n- A load refused at the docks"
    assert.includeMembers(
      [...candidatesFor(text, "pain_points")],
      ["Ran out at 4pm on a Friday", "A load refused at the docks"]
    )
  })

  it("reads a sheet's results below its price list, with columns of their own", () => {
    const sheet = [
      "Acme Scales Ltd,,,",
      "Service,Unit,Rate,Notes",
      "Scale test,per visit,£420,same day",
      ",,,",
      "CUSTOMERS,,,",
      ",Quarries and sand pits,,",
      ",,,",
      "RESULTS,,,",
      "Customer,Before,After,",
      "Marl Hill Quarry,9 tickets a month,1,",
      ",,,",
      "FREE,Free check of your last certificate: we tell you what it says.,,"
    ].join("\n")
    assert.deepStrictEqual(candidatesFor(fromCsv(sheet), "case_studies"), [
      "Marl Hill Quarry: before 9 tickets a month, after 1"
    ])
    assert.deepStrictEqual(candidatesFor(fromCsv(sheet), "ideal_client_description"), ["Quarries and sand pits"])
    assert.deepStrictEqual(candidatesFor(fromCsv(sheet), "lead_magnets"), [
      "Free check of your last certificate: we tell you what it says."
    ])
  })

  it("takes no strip of a layout or a price for a client's result, and offers a gift without the rhetorical question before it", () => {
    const strip =
      "Tender writing for builders | 57% win rate\n\n## Results\n\nGarrow Civils: quality score up from 61 to 88"
    assert.notInclude(JSON.stringify(candidatesFor(strip, "case_studies")), "Tender writing for builders:")
    assert.deepStrictEqual(
      candidatesFor("Want to see for yourself? We measure every tank free of charge.", "lead_magnets"),
      ["We measure every tank free of charge."]
    )
  })

  it("offers what stands under the headings of a slide or a leaflet, and no remark on a draft", () => {
    const text = doc(
      "leaflet, second draft, Jo to proof",
      "## Slide 4: For whom",
      "- Parcel firms\n- Bakery rounds",
      "## Who rings us?",
      "Farms with more than 60 cows. It's usually the park manager.",
      "## What they tell us",
      "- no one has the paperwork\n- A grievance costs an employer eleven weeks."
    )
    assert.includeMembers([...candidatesFor(text, "ideal_client_description")], ["Parcel firms", "Bakery rounds"])
    assert.deepStrictEqual(candidatesFor(text, "target_job_titles"), ["It's usually the park manager."])
    assert.deepStrictEqual(candidatesFor(text, "competitors"), [])
    assert.deepStrictEqual(candidatesFor(text, "credibility_markers"), [])
    assert.includeMembers(
      [...candidatesFor(text, "pain_points")],
      ["no one has the paperwork", "A grievance costs an employer eleven weeks."]
    )
  })

  it("offers a promise only with the question that it answers, and takes the company's name from its title", () => {
    const page = (...lines: ReadonlyArray<string>) =>
      ["# Acme Office Plants", "hello@acme.example", ...lines].join("\n\n")
    const dependent = page("## Our guarantee", "**What if a plant dies?** We replace it within seven days, free.")
    assert.notProperty(extract(dependent), "guarantee")
    assert.deepStrictEqual(candidatesFor(dependent, "guarantee"), [
      "What if a plant dies? We replace it within seven days, free."
    ])
    const withoutQuestion = candidatesFor(
      page("**And if a plant dies?** Any plant that dies in a year is replaced free."),
      "guarantee"
    )
    assert.deepStrictEqual(withoutQuestion, ["Any plant that dies in a year is replaced free."])
    const condition = extract(page("What if a plant dies? If a plant dies, we replace it free.")).guarantee
    assert.deepStrictEqual(condition, ["If a plant dies, we replace it free."])
    const withQuestion = candidatesFor(
      page("## Our promise", "Pests back between visits?", "We return free until they are gone."),
      "guarantee"
    )
    assert.deepStrictEqual(withQuestion, ["Pests back between visits? We return free until they are gone."])
    assert.strictEqual(extract(page()).company_name, "Acme Office Plants")
    assert.strictEqual(
      extract("ACME PEST CONTROL\n\nAcme Pest Control keeps mills free of mice.\n\nhello@acme.example").company_name,
      "Acme Pest Control"
    )
    for (const title of ["# Acme Price List", "# Acme Profile 2024", "ACME PEST CONTROL"])
      assert.notProperty(extract(`${title}\n\nhello@acme.example`), "company_name", title)
  })

  it("offers no remark of the author, no line of a letter and no page number", () => {
    const text = `Acme Tools

hello@acme.example

TODO check with Sam: free blade check?

I enclose our free blade check, which you can fill in without us.

Do not forward: we guarantee nothing in writing yet.

[Slide 2]  Our promise
If a blade breaks in a year, we replace it free.
                                                        2
--- Folie 3 --- Who it's for
Care homes with two or more floors
Small hotels in towns
(Not for: hospitals)`
    assert.deepStrictEqual(candidatesFor(text, "lead_magnets"), [])
    const { findings } = extractProfile(text)
    assert.deepStrictEqual(findings.guarantee, ["If a blade breaks in a year, we replace it free."])
    assert.sameMembers(candidatesFor(text, "ideal_client_description").slice(0, 2), [
      "Care homes with two or more floors",
      "Small hotels in towns"
    ])
  })

  it("reads a site's cards and ticks, the sentence below its banner, and no button or client's label", async () => {
    const page = (body: string) => site("https://acmetools.example", `<title>Acme Tools</title>${body}`)
    const { findings, missing } =
      await page(`<p>hello@acmetools.example</p><p>Home</p><p>Blades</p><h1>Sharp on Monday</h1>
      <a>Ask for a sample</a><p>Acme Tools sharpens saws for joinery shops. Founded in 1998 by two friends, we are nine.</p>
      <h2>Built for</h2><div><span>Joinery shops</span><span>Timber yards with kilns</span></div>
      <h2>Why us</h2><p>✓ Back in two days</p><p>✓ Own vans</p>
      <h2>Questions</h2><p>What happens if a tooth breaks?</p><p>We bring a new blade at no charge.</p>
      <h2>Case study: Oak Hall</h2><p>Client: Oak Trust</p>`)
    assert.strictEqual(findings.business_description, "Acme Tools sharpens saws for joinery shops.")
    assert.strictEqual(findings.unique_differentiators, "Back in two days\nOwn vans")
    const siteCandidates = (wanted: string) => missing.find(({ field }) => field === wanted)?.candidates ?? []
    assert.deepStrictEqual(siteCandidates("ideal_client_description"), ["Joinery shops · Timber yards with kilns"])
    assert.deepStrictEqual(siteCandidates("guarantee"), [
      "What happens if a tooth breaks? We bring a new blade at no charge."
    ])
    assert.deepStrictEqual(siteCandidates("lead_magnets"), [])
  })

  it("keeps lines of notes and a sentence behind a list apart, and offers no person as a job title", () => {
    const notes =
      'acme tools, ann@acmetools.example\n\nfree thing: saw calculator spreadsheet, on the website\nup against: Elm, Oak\n\nguarantee - she was clear: "If a saw fails, we mend it free."'
    assert.deepStrictEqual(candidatesFor(notes, "lead_magnets"), ["saw calculator spreadsheet, on the website"])
    assert.deepStrictEqual(extract(notes).guarantee, ["If a saw fails, we mend it free."])
    const lines =
      "Local authorities and academy trusts with more than 200 buildings or homes\nWe usually report to the Head of Asset Management.\n\nGwen Tansley, owner"
    assert.deepStrictEqual(candidatesFor(lines, "target_job_titles"), [
      "We usually report to the Head of Asset Management."
    ])
    const stories =
      "## Results\n\nAsk Oak Catering. Three failures in June, no event lost.\nAsk Elm Pharma. Passed its audit in 2 days."
    assert.notInclude(candidatesFor(stories, "case_studies").join(), "lost. Ask")
    const clients = "## Results\n\nOak Hall\nCalls fell from 11 to 1 in two years.\nAn academy trust of 60 schools"
    assert.include(candidatesFor(clients, "case_studies"), "Calls fell from 11 to 1 in two years.")
  })

  it("reads the English of a bilingual text, the letters of an interview and the numbered headings of slides", () => {
    const bilingual = `ACME SCALES GMBH

EN: We install scales for gravel pits in Germany and the Netherlands.
DE: Wir bauen Waagen für Kieswerke in Deutschland.

Problems / Probleme:
- Trucks queue on the road
- The scale is out of order
- Wiegescheine fehlen am Monatsende

Client: Kieswerk Brandt
Result: Wartezeit an der Waage von 14 auf 5 Minuten gesunken.
Client: Maas Recycling BV
Result: Weighing errors fell from 38 a month to 2.

Guarantee / Garantie: If a scale fails, we send another at no charge.

ann@acmescales.example`
    const { findings } = extractProfile(bilingual)
    assert.notProperty(findings, "pain_points")
    assert.include(candidatesFor(bilingual, "pain_points").join("\n"), "Trucks queue on the road")
    assert.deepStrictEqual(findings.case_studies, ["Maas Recycling BV: Weighing errors fell from 38 a month to 2."])
    assert.deepStrictEqual(findings.guarantee, ["If a scale fails, we send another at no charge."])
    assert.notInclude(JSON.stringify(extractProfile(bilingual)), "Wir bauen")
    const talk = `### Q&A with Acme Fruit

**Q: What does Acme do?**
A: We deliver fruit to offices in Bath before nine.

**Q: Anything free?**
A: The first box. No card.

**Q: And who is it for?**
A: Offices with 20 to 400 people.

ann@acmefruit.example`
    assert.strictEqual(extract(talk).business_description, "We deliver fruit to offices in Bath before nine.")
    assert.include(candidatesFor(talk, "ideal_client_description"), "Offices with 20 to 400 people.")
    assert.notProperty(extract(talk), "lead_magnets")
    assert.deepStrictEqual(candidatesFor(talk, "lead_magnets"), [])
    const slide =
      "# Deck\n\n## 4 | Proof\n\n| Printer | Before | After |\n|---|---|---|\n| Tayside Labels | 9 h down / week | 1 h |"
    assert.deepStrictEqual(candidatesFor(slide, "case_studies"), ["Tayside Labels: before 9 h down / week, after 1 h"])
  })

  it("keeps results and offers in notes apart, and offers nothing that a letter offers its reader", () => {
    const list =
      "Acme, ann@acmeneedles.example\n\nwhat you get\n~ parts on the van\n~ a loan machine\n\nHexley Sails: stoppages down from 11 a month to 2.\nA mattress factory in Hinckley -- breaks cut by half after 14 visits.\n\nIf the same fault is back inside 90 days we mend it for nothing.\nnew customers: first machine checked free\n\nI would be glad to fly your chapel free of charge."
    assert.include(candidatesFor(list, "case_studies"), "Hexley Sails: stoppages down from 11 a month to 2.")
    assert.deepStrictEqual(candidatesFor(list, "guarantee"), [
      "If the same fault is back inside 90 days we mend it for nothing."
    ])
    for (const text of candidatesFor(list, "lead_magnets")) assert.notMatch(text, /chapel|mend it/)
  })

  it("keeps the name of a client in a column apart from its result, and joins a definition to its term", () => {
    const columns = [
      ["We keep food premises", "WHAT HAPPENED"],
      ["free of mice and of", "- Ready for any audit"],
      ["flies in all of Kent.", ""],
      ["", "A feed mill in Shropshire"],
      ["WHAT WE DO ALL DAY", "Bait use halved within six"],
      ["- Mouse proofing of", "months."],
      ["bakeries and mills", "We return until they"],
      ["", "are gone."]
    ]
    const page = columns.map(([left = "", right = ""]) => left.padEnd(36) + right).join("\n")
    assert.include(candidatesFor(page, "case_studies"), "Bait use halved within six months.")
    const list =
      "## Results\n\nOak Brewing\n: 210 metres laid in two nights.\n\nElm Creamery\n: Slips fell from 11 to none.\n: Contact: Ann Lee"
    assert.deepStrictEqual(candidatesFor(list, "case_studies").slice(0, 2).toSorted(), [
      "Elm Creamery: Slips fell from 11 to none.",
      "Oak Brewing: 210 metres laid in two nights."
    ])
  })

  it("offers what a company does, and neither a row of its products nor a rival", () => {
    const text =
      "FROSTGATE GRITTING\n\nDear Ann,\n\nThank you for your time.\n\nYou asked what we do. Frostgate Gritting treats car parks and yards against ice. Nine vans.\n\n- Planned grit bin filling and care\n\nann@frostgate.example"
    assert.deepStrictEqual(candidatesFor(text, "business_description"), [
      "Frostgate Gritting treats car parks and yards against ice."
    ])
    const listed = `${text}\n\nWhat we can do for you: overnight gritting, snow clearance, grit bin filling.`
    assert.include(
      candidatesFor(listed, "business_description"),
      "Frostgate Gritting treats car parks and yards against ice."
    )
    assert.deepStrictEqual(candidatesFor(text, "competitors"), [])
  })

  it("reads a sheet of contents and remarks, and a label with an equals sign", () => {
    const sheet = fromCsv(
      'Field,Content,Remark\nTrading name,Bellwether Call Answering,logo to come\nOne-liner,"We answer the phone in your company\'s name.",\nEmail,ann@bellwethercalls.example,'
    )
    assert.deepInclude(extract(sheet), {
      company_name: "Bellwether Call Answering",
      business_description: "We answer the phone in your company's name."
    })
    assert.include(
      candidatesFor("call notes\n\nCompany = Maddern Payroll, Stoke Tolling. ann@maddernpay.example", "company_name"),
      "Maddern Payroll"
    )
  })

  it("takes no buyers as clients", () =>
    assert.notProperty(
      extract(doc("## Who hires us", "Usually the Practice Manager or the owner. Most have 20 staff.")),
      "ideal_client_description"
    ))

  it("offers no contact of the text's designer or printer, no page number and no draft's title", () => {
    const text =
      "Untitled Document\n\nTariff      p. 1/2\n\nWebsite by Oak Digital, hi@oak.example\n\nPhotos: Elm, 01632 960 112"
    for (const field of ["company_name", "contact_email", "contact_phone", "problems_solved"])
      assert.deepStrictEqual(candidatesFor(text, field), [], field)
  })

  it("takes a site's company from structured data of the type ProfessionalService", async () => {
    const company = { "@type": "ProfessionalService", name: "Büro Oak & Partner", url: "https://oakline.example" }
    const page = `<script type="application/ld+json">${JSON.stringify(company)}</script><p>Books.</p>`
    assert.strictEqual((await site("https://oakline.example", page)).findings.company_name, "Büro Oak & Partner")
  })

  it("takes no past of one client and no sentence of the business for a problem of many", () => {
    const text = [
      "KEELWASH - CASE STUDIES",
      "Keelwash cleans hulls for ferries that are always late.",
      "1. SOLWAY ISLAND FERRIES",
      "Vessel: MV Corran Lass\nThe problem: fuel use had crept up 11% since the last docking.\nThe result: fuel use fell by 9% on the next crossing.",
      "2. HUMBER AGGREGATES",
      "Vessel: Sand Piper\nThe problem: class wanted the sea chests seen before they would extend the certificate.\nThe result: certificate extended by twelve months.",
      "What customers tell us\n- The last contractor came at breakfast\n- Divers cost a day of lost sailings"
    ].join("\n\n")
    assert.notProperty(extract(text), "pain_points")
    assert.deepStrictEqual(candidatesFor(text, "pain_points"), [
      "Divers cost a day of lost sailings",
      "The last contractor came at breakfast"
    ])
    assert.include(
      candidatesFor(text, "case_studies"),
      "Solway Island Ferries: fuel use fell by 9% on the next crossing."
    )
    assert.notProperty(extract(doc("Problem: fuel use had crept up 11% since the last docking.")), "pain_points")
  })

  it("offers what stands under the titles of slides, with the client in capitals above a result", () => {
    const slides = [
      "What goes wrong\n> Copper tape stolen at ground level\n> The last certificate is from the previous owner",
      "Who for\nHospital trusts, universities and data halls",
      "Two buildings\nST WERBURGH'S HOSPITAL\n38 buildings, 611 earth points\nGLEN ORRIN DISTILLERY\nPremium reduced by £22,400 a year after the insurer saw our report",
      "Kostenlos\nWe check your last certificate and mark what has lapsed."
    ]
    const deck = slides.map((slide, index) => `[Slide ${index + 1}]\n${slide}`).join("\n\n")
    assert.includeMembers(
      [...candidatesFor(deck, "pain_points")],
      ["Copper tape stolen at ground level", "The last certificate is from the previous owner"]
    )
    assert.deepStrictEqual(candidatesFor(deck, "ideal_client_description"), [
      "Hospital trusts, universities and data halls"
    ])
    assert.deepStrictEqual(candidatesFor(deck, "case_studies"), [
      "Glen Orrin Distillery: Premium reduced by £22,400 a year after the insurer saw our report"
    ])
    assert.deepStrictEqual(candidatesFor(deck, "lead_magnets"), [
      "We check your last certificate and mark what has lapsed."
    ])
  })

  it.each([
    ["pain_points", "Typische Ausgangslage", "Die mechanische Verbindung frisst den Abstreifer"],
    ["pain_points", "Pourquoi on nous appelle", "Les tranches ne sont plus nettes dès le mercredi"],
    ["pain_points", "Why clubs send them to us", "The performers refuse to get in, and they are right"],
    ["lead_magnets", "Angebot zum Kennenlernen", "Wir gehen mit Ihnen jedes Band ab und schicken Ihnen eine Liste."],
    ["lead_magnets", "What you get free", "We stand a small tank in your reception for two weeks."],
    ["guarantee", "Nos engagements", "Un jeu de rechange vous est prêté pendant l'affûtage."],
    ["case_studies", "Some recent clocks", "Automatic winding saved the site team 104 climbs of the tower a year."]
  ])("offers for %s what stands under %s", (field, heading, line) =>
    assert.include(candidatesFor(doc(`## ${heading}`, `- ${line}`), field), line)
  )

  it("says which sentences to pick from are in another language", () => {
    const problems = [
      "Der Gurt reißt freitags um vier und der Lieferant hebt nicht mehr ab",
      "Keiner weiß, welcher Gurt auf dem Band liegt"
    ]
    const text = doc(
      "## Typische Ausgangslage",
      ...problems.map((each) => `- ${each}`),
      "## Guarantee",
      "We repair it free."
    )
    const missing = extractProfile(text).missing.find(({ field }) => field === "pain_points")
    assert.sameMembers([...(missing?.foreign_candidates ?? [])], problems)
    assert.isTrue(
      extractProfile(text).missing.every(
        ({ field, foreign_candidates }) => field !== "contact_email" || foreign_candidates === undefined
      )
    )
    assert.isTrue(extractProfile(fixture("kestrel.md")).missing.every((each) => !("foreign_candidates" in each)))
  })

  it("offers the troubles and the results that a letter tells, one by one", () => {
    const letter =
      "Most of the people who write to us have one of three troubles. The volumes that are asked for most cannot be opened any more. A scanning company has turned the job down because pages are loose.\n\nYou may wish to know how it went elsewhere. At Clun Valley Register Office we put 430 volumes back in use in 22 working days."
    assert.deepStrictEqual(candidatesFor(doc(letter), "pain_points"), [
      "The volumes that are asked for most cannot be opened any more.",
      "A scanning company has turned the job down because pages are loose."
    ])
    assert.deepStrictEqual(candidatesFor(doc(letter), "case_studies"), [
      "At Clun Valley Register Office we put 430 volumes back in use in 22 working days."
    ])
  })

  it("reads a sheet of 20,000 labels", { timeout: 180_000 }, () => {
    const rows = Array.from({ length: 20_000 }, (_, index) => `Tel: ${index}`).join("\n")
    assert.strictEqual(extract(`Company: Acme Tools\nEmail: hi@acmetools.example\n${rows}`).company_name, "Acme Tools")
  })
})
