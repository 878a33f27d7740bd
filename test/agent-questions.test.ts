// test/agent-questions.test.ts: questions as salespeople type them, with the answer, or that it is not known.
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { readFileSync } from "node:fs"
import { GenerationFailed } from "#layers/generator/GenerationFailed.ts"
import { Generator } from "#layers/Generator.ts"
import { index } from "#layers/answerer/Index.ts"
import { aboutLeads } from "#layers/answerer/Leads.ts"
import { answer } from "#layers/answerer/Quote.ts"
import type { DetailsPatch } from "#schema/Details.ts"
import { body } from "./support/answers.ts"
import { ready } from "./support/campaigns.ts"
import { becomes } from "./support/lists.ts"
import { layer } from "./support/server.ts"

const forklifts: DetailsPatch = {
  company_name: "Liftrow",
  city_region: "Leipzig, Germany",
  contact_name: "Jens Adler",
  contact_phone: "+49 341 555 0177",
  contact_email: "adler@liftrow.example",
  target_job_titles: "Warehouse Manager, Logistics Director, Purchasing Manager",
  competitors: "Jungrent, Staplerhaus Ost",
  business_description:
    "Liftrow rents electric forklifts to warehouses in Saxony. A truck is on your dock within 24 hours of the order. Jens Adler founded Liftrow in 2003. We store idle trucks for clients. We wash them in Halle.",
  ideal_client_description: "Warehouses with 20 to 400 employees in Saxony and Thuringia.",
  pain_points: "Rental firms answer after two days; hidden cleaning fees",
  competitor_frustrations: "Jungrent has a minimum term of 12 months; Staplerhaus Ost only rents diesel",
  unique_differentiators: "Fleet of 260 electric trucks; no minimum term; one price with insurance",
  objections_and_responses: "Electric is too weak: ours lift up to 3.5 tonnes",
  core_products: [
    { product: "Day rental", pricing: "EUR 89 per truck" },
    { product: "Driver training", pricing: "EUR 240 per person" },
    { product: "Battery swap", pricing: "" }
  ],
  case_studies: ["Paketwerk Halle added 14 trucks for its peak and saved EUR 38,000."],
  credibility_markers: ["4,100 rentals in 2024"],
  guarantee: ["No truck within 24 hours: the first rental day is free."],
  lead_magnets: ["Peak planner spreadsheet"],
  additional_info:
    "No credit cards. Trucks are serviced by 9 mechanics of our own. The team has 31 people: we are 31 people."
}

const lab: DetailsPatch = {
  company_name: "Labor Aquatest GmbH",
  city_region: "Kassel",
  business_description:
    "Wir prüfen Trinkwasser auf Legionellen. Das Ergebnis liegt nach zehn Tagen vor. Gegründet wurde das Labor 1994 von Karl Vogt.",
  ideal_client_description: "Hausverwaltungen mit 200 bis 5.000 Wohnungen.",
  competitors: "Hydrolab Nord",
  core_products: [
    { product: "Legionellenprüfung", pricing: "29 EUR je Probe" },
    { product: "Nachtabholung", pricing: "35 EUR" }
  ],
  case_studies: ["Die Wohnbau Fulda hat seit 2019 keine Frist versäumt."],
  guarantee: ["Kommt der Befund zu spät, ist die Probe kostenlos."],
  lead_magnets: ["Checkliste Trinkwasser"],
  additional_info: "18 Mitarbeiter. Abholung nach Absprache."
}

const linen: DetailsPatch = {
  company_name: "Fairlinen",
  city_region: "Whitby, England",
  contact_name: "Oda Marsh",
  target_job_titles: "Head Housekeeper, Ward Manager",
  business_description:
    "Fairlinen rents bed linen to hotels and clinics. A van collects it twice a week. The sheets are dried on the line.",
  ideal_client_description: "Hotels and clinics in Yorkshire with 20 to 300 beds.",
  pain_points: "Sheets come back grey; the laundry bill cannot be checked",
  objections_and_responses:
    "We wash in our own cellar: keep the towels there and give us the sheets; cellars flood. A contract is too long: ours ends after any month.",
  core_products: [
    { product: "Small set", pricing: "GBP 4 per week" },
    { product: "Large set", pricing: "GBP 7 per week" },
    { product: "Express run within 5 hours", pricing: "" },
    { product: "Curtain wash", pricing: "on request" },
    { product: "Linen count", pricing: "GBP 60 per visit" }
  ],
  case_studies: [
    "Dale Clinic, Leeds: the linen store was halved and GBP 9,000 a year is saved.",
    "Moor Clinic, York: 140 beds without a day of missing sheets.",
    "Hotel Harbour, Whitby: complaints about grey sheets fell to none."
  ],
  guarantee: ["A set that comes late is free."],
  lead_magnets: ["Stain chart"],
  additional_info: "We do not serve Wales. Starting takes three weeks. The towels are of organic cotton."
}

const housekeepers = [
  { email: "ada@bay.example", name: "Ada Lindqvist", title: "Head Housekeeper", company: "The Blue Bay (Filey)" },
  { email: "tom@bay.example", name: "Tom Archer", title: "Owner", company: "The Blue Bay (Filey)" },
  { email: "j@ward.example", name: "MÜLLER, JONAS", title: "Ward Manager", company: "Ward House Ltd" }
]

const people = [
  { email: "b.kurz@regal.example", name: "Birgit Kurz", title: "Warehouse Manager", company: "Regal Nord" },
  { email: "n@fracht.example", name: "Nina Lost", title: "Owner", company: "Frachtpunkt" }
]

/** The built-in writer, which fails for one lead. */
const answering = <A, E>(test: Effect.Effect<A, E, Effect.Services<ReturnType<typeof ready>>>) =>
  Generator.pipe(
    Effect.flatMap((writer) => {
      const failure = new GenerationFailed({ message: "No email passed its checks", transient: false })
      const sequence: typeof writer.sequence = (order) =>
        order.lead.name === "Nina Lost" ? Effect.fail(failure) : writer.sequence(order)
      const rate = { limit: 10_000, window: Duration.minutes(1) }
      return Effect.provide(test, layer({ writer: { ...writer, sequence }, rate }))
    }),
    Effect.provide(Generator.layerBuiltin)
  )

/** A question, what its answer and the cited passage hold, or null where the material holds no answer. */
type Table = ReadonlyArray<readonly [question: string, holds: string | null]>

const check = Effect.fnUntraced(function* (details: DetailsPatch, table: Table, leads = people) {
  const { campaign, who } = yield* ready({ details })
  const options = { email_count: 2, email_signature: "Ann", list_name: "Leipzig autumn" }
  const { list_id } = yield* body(202, who.post(`/campaigns/${campaign}/generate-batch`, { leads, options }))
  yield* becomes(who, list_id)
  let conversation_id: string | undefined
  for (const [asked, holds] of table) {
    const follows = asked.startsWith("> ")
    const message = follows ? asked.slice(2) : asked
    const given = { campaign_id: campaign, message, ...(follows ? { conversation_id } : {}) }
    const answer = yield* body(200, who.post("/agent/chat", given))
    conversation_id = answer.conversation_id
    if (holds === null) assert.deepStrictEqual(answer.citations, [], `${asked} ${answer.message.content}`)
    else {
      assert.include(answer.message.content, holds, asked)
      const cited = answer.citations.map(({ heading, passage }: any) => `${heading} ${passage.replaceAll("**", "")}`)
      assert.include(cited.join("\n"), holds, asked)
    }
  }
})

it("the last email to a lead is shown without those before it", () => {
  const content = "## Tom Archer\n\n**Email 1. Subject: Linen**\n\nOne.\n\n**Email 2. Subject: Towels**\n\nTwo."
  const files = [{ file_id: "1", filename: "First list", source: "playbook" as const, link: "", content }]
  const shown = (question: string) => aboutLeads(question, files).content
  assert.include(shown("what did we send to Tom Archer?"), "One.")
  assert.include(shown("what did we send to Tom Archer?"), "Overture does not send them")
  assert.notInclude(shown("what did we write to Tom Archer?"), "does not send")
  assert.include(shown("show me the last email to Tom Archer"), "Two.")
  assert.notInclude(shown("show me the last email to Tom Archer"), "One.")
})

describe("the lines of a text", () => {
  const file = (source: "profile" | "imported", content: string) =>
    ({ file_id: null, filename: source, source, link: "", content }) as const
  const ask = (question: string, ...files: ReadonlyArray<ReturnType<typeof file>>) => answer(index(files), question, [])

  it("answer by what they say themselves, and not by their heading and neighbours alone", () => {
    const read = (name: string) => readFileSync(new URL(`./fixtures/questions/${name}`, import.meta.url), "utf8")
    const files = [file("profile", read("scanning-profile.md")), file("imported", read("scanning.md"))]
    const before = [{ role: "user" as const, content: "How much per page for scanning a file room?" }]
    assert.include(answer(index(files), "and how long would 400 boxes take?", before).content, "five weeks")
  })

  it("are quoted with the next where they are short", () => {
    const text = file("imported", "## Terms\n\nThere is no long contract. You may leave at the end of any quarter.")
    assert.include(ask("is there a long contract?", text).content, "You may leave")
  })

  it("answer a follow-up about the same thing, and not with its price", () => {
    const text = file(
      "imported",
      "## Times\n\nA crown takes five days from the scan. For crowns in a hurry we work within 2 days, at GBP 25 more.\n\n## Prices\n\n- Crown: GBP 68"
    )
    const before = [{ role: "user" as const, content: "how much is a crown?" }]
    assert.include(answer(index([text]), "and how long does that take?", before).content, "five days")
  })

  it("with the amount answer what a thing costs, and not those that say when it is free", () => {
    const text = file(
      "imported",
      "## Scanning\n\nEach page of a scan costs EUR 7 in all of our branches.\n\n## Faults\n\nA page of a scan that costs you time because nobody can read it is free of charge."
    )
    const { content } = ask("how much does a page of a scan cost?", text)
    assert.include(content, "EUR 7")
    assert.notInclude(content, "free of charge")
  })

  it("on where the business works are offered for a place that no line names", () => {
    const text = file("imported", "## Areas\n\nWe deliver in Wales and Kent.\n\n## Team\n\nWe are nine people.")
    const { citations, nearest } = ask("do we deliver to Belfast?", text)
    assert.deepStrictEqual(citations, [])
    assert.include(JSON.stringify(nearest), "Wales and Kent")
  })

  it("do not give the price of what is sold where they say what is given away", () => {
    const profile = file(
      "profile",
      "## What it does\n\nWe scan files.\n\n## Lead magnets\n\n- We give a free walk round the file room and a written estimate of pages and cost."
    )
    assert.deepStrictEqual(ask("How much per page for scanning a file room?", profile).citations, [])
    assert.include(ask("what do we give away?", profile).content, "free walk")
  })
})

describe("a question as salespeople type it", () => {
  it.live("is answered from the passage that holds the answer, or is not known", () =>
    answering(
      check(forklifts, [
        ["what did we write to birgit", "Birgit Kurz"],
        ["> and the second one?", "Email 2"],
        ["> what does the first lorry of a quarter get?", null],
        ["what did we tell regal", "Birgit Kurz"],
        ["did we email Acme?", null],
        ["which leads are in the leipzig list", "Nina Lost"],
        ["how many leads failed and why", "No email passed its checks"],
        ["which leads failed", "Nina Lost"],
        ["how many leads are in the leipzig list", "2 leads"],
        ["how many employees do we have", "31 people"],
        ["how many mechanics do we have", "9 mechanics"],
        ["how many trucks are in the fleet", "260"],
        ["how many drivers do we have", null],
        ["Which warehouses do we serve?", "Warehouses with 20 to 400 employees"],
        ["do we serve hospitals", null],
        ["how fast can you deliver a truck", "24 hours"],
        ["how long does a repair take", null],
        ["who founded it", "Jens Adler founded"],
        ["who set the firm up?", "Jens Adler founded"],
        ["who founded it and what do diesel trucks weigh", "Jens Adler founded"],
        ["how many pigeons do we keep and who are they", null],
        ["how much did we turn over last year", null],
        ["when was it founded", "2003"],
        ["where do we wash trucks", "Halle"],
        ["how much does driver training cost", "EUR 240"],
        ["> and day rental?", "EUR 89"],
        ["> and battery swap?", null],
        ["whats the price for 20 seats", null],
        ["whats the minimum term", "No minimum term"],
        ["whats wrong with jungrent", "12 months"],
        ["do you rent diesel forklifts", null],
        ["is insurance included", "insurance"],
        ["can customers pay by credit card", "No credit cards"],
        ["how heavy can they lift", "3.5 tonnes"],
        ["what if they say electric is too weak", "3.5 tonnes"],
        ["what do we say to purchasing managers", "Purchasing Manager"],
        ["what did Paketwerk Halle save", "EUR 38,000"],
        ["what did we choose as proof", "Paketwerk Halle"],
        ["is there a guarentee", "the first rental day is free"],
        ["what happens if the truck is late", "the first rental day is free"],
        ["are we iso 9001 certified", null],
        ["who are we up against", "Jungrent"],
        ["what is a truck per head each week?", "EUR 89"],
        ["what do we pay mechanics per hour?", null],
        ["do we store trucks for dock workers?", null],
        ["which company makes the batteries?", null],
        ["what do they charge for a day?", null],
        ["give me the gist of this campaign", "electric forklifts"],
        ["do we have an office in berlin", null],
        ["what was our revenue in 2024", null],
        ["do warehouses get a discount", null],
        ["summarise this campaign", "electric forklifts"]
      ])
    )
  )

  it.live("says that there are no lists before the first", () =>
    answering(
      Effect.gen(function* () {
        const { campaign, who } = yield* ready({ details: linen })
        const { message } = yield* body(
          200,
          who.post("/agent/chat", { campaign_id: campaign, message: "Which lists do we have?" })
        )
        assert.include(message.content, "There are no lists yet.")
        assert.notInclude(message.content, "one at a time")
        const [ada] = housekeepers
        yield* body(
          200,
          who.post(`/campaigns/${campaign}/generate`, {
            lead: ada,
            options: { email_count: 2, email_signature: "Ann" }
          })
        )
        const summary = yield* body(
          200,
          who.post("/agent/chat", { campaign_id: campaign, message: "Summarise this campaign" })
        )
        assert.include(summary.message.content, "Written one at a time, outside of lists: 1 lead, 2 emails written")
        assert.notInclude(summary.message.content, "no lists yet")
      })
    )
  )

  it.live("names clients, prices, objections and leads only where all that it names is there", () =>
    answering(
      check(
        linen,
        [
          ["Which clinics do we work for?", "Moor Clinic"],
          ["> and which hotels?", "Hotel Harbour"],
          ["> and which schools?", null],
          ["Which schools are our clients?", null],
          ["what does the large set cost", "GBP 7"],
          ["what does the express run cost", null],
          ["what does a cotton set cost", null],
          ["what does the curtain wash cost", "on request"],
          ["is the linen count free?", "GBP 60"],
          ["how long does starting take?", "three weeks"],
          ["> and after that?", null],
          ["> and what do we charge for it?", null],
          ["what are the towels made of", "organic cotton"],
          ["> and the sheets?", null],
          ["do we deliver to Wales?", "We do not serve Wales"],
          ["do we deliver to Scotland?", null],
          ["how much did Dale Clinic save?", "GBP 9,000"],
          ["how much did Moor Clinic save?", null],
          ["what do we say if they wash in their own cellar?", "give us the sheets. Cellars flood"],
          ["what do we say if they think we are too expensive?", "We wash in"],
          ["a manager means his own cellar is cheaper, what do i tell him", "We wash in"],
          ["how many people do we write to in this campaign", "In all: 1 list"],
          ["give me the campaign in a few lines", "Chosen target audience"],
          ["what if they say their cellar has rats?", null],
          ["which offer do we make?", "Stain chart"],
          ["what did we write to ada lindqvist", "Ada Lindqvist"],
          ["> who else did we write to there?", "Tom Archer"],
          ["did we write to Ada Lindgren?", null],
          ["has the blue bay been written to?", "Ada Lindqvist"],
          ["Who is the Owner at The Blue Bay?", "Tom Archer"],
          ["> what did we write to him in the second email?", "Email 2"],
          ["what did we send to Jonas Mueller?", "JONAS"],
          ["did we write to any hotels in Leeds?", null],
          ["did Ada open our email?", null],
          ["who is the owner?", null],
          ["who are the founders?", null],
          ["do we wash in harbour towns?", null],
          ["how much per week is the large set", "GBP 7"]
        ],
        housekeepers
      )
    )
  )

  it.live("is offered what comes nearest, also where none of its words are known", () =>
    answering(
      Effect.gen(function* () {
        const { campaign, who } = yield* ready({ details: linen })
        const nearestTo = Effect.fnUntraced(function* (message: string) {
          const { citations, nearest } = yield* body(200, who.post("/agent/chat", { campaign_id: campaign, message }))
          assert.deepStrictEqual(citations, [], message)
          return nearest.flatMap(({ lines }: any) => lines).join("\n")
        })
        assert.include(yield* nearestTo("do we go to Belfast?"), "We do not serve Wales.")
        assert.include(yield* nearestTo("what happens if a van is stolen?"), "A set that comes late is free.")
      })
    )
  )

  it.live("is answered from the profile and the selections as they are now", () =>
    answering(
      Effect.gen(function* () {
        const { campaign, who } = yield* ready({ details: linen })
        yield* body(200, who.put("/workspace/details", { additional_info: "Starting takes five weeks." }))
        const message = "How long does starting take?"
        const answer = yield* body(200, who.post("/agent/chat", { campaign_id: campaign, message }))
        assert.strictEqual(answer.message.content, "Starting takes five weeks.")
        assert.deepStrictEqual(
          answer.citations.map(({ filename }: any) => filename),
          ["Business profile"]
        )
        yield* body(200, who.put(`/campaigns/${campaign}/assets/risk_reversal/selection`, { selected_ids: [] }))
        const chosen = yield* body(
          200,
          who.post("/agent/chat", { campaign_id: campaign, message: "Which guarantee did we choose?" })
        )
        assert.strictEqual(chosen.message.content, "Chosen risk reversal: None chosen.")
      })
    )
  )

  it.live("may be German", () =>
    answering(
      check(lab, [
        ["was kostet die legionellenprüfung", "29 EUR"],
        ["wie lange dauert es", "zehn Tagen"],
        ["wer hat das labor gegründet", "Karl Vogt"],
        ["gibt es eine garantie?", "kostenlos"],
        ["welche wettbewerber haben wir", "Hydrolab"],
        ["wie viele mitarbeiter haben wir", "18 Mitarbeiter"],
        ["was haben wir an Birgit Kurz geschickt?", "Birgit Kurz"],
        ["wo sitzt das labor", "Kassel"],
        ["Wem haben wir bei Regal Nord geschrieben?", "Birgit Kurz"],
        ["Welchen Betreff hatte die zweite Mail an Frau Kurz?", "Email 2"],
        ["Hat Birgit Kurz unsere Mail geöffnet?", null],
        ["Haben wir an Birgit Kurze geschrieben?", null],
        ["Welche Garantie haben wir ausgewählt?", "kostenlos"],
        ["wieviele mitarbeiter haben wir", "18 Mitarbeiter"],
        ["Was kostet die Abholung?", "35 EUR"],
        ["Prüft ihr auch Luft?", null]
      ])
    )
  )
})
