// test/agent-questions.test.ts: typical questions of salespeople, and the passages that search finds for them.
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { GenerationFailed } from "#layers/generator/GenerationFailed.ts"
import { Generator } from "#layers/Generator.ts"
import { maybeMissing, nearestPassages, notInMaterial } from "#layers/answerer/Answer.ts"
import type { Model } from "#layers/Model.ts"
import { answerByModel } from "#layers/answerer/ByModel.ts"
import { answerAboutLeads } from "#layers/answerer/Leads.ts"
import * as Index from "#layers/answerer/Index.ts"
import { citationOf } from "#layers/answerer/Passages.ts"
import * as Search from "#layers/answerer/Search.ts"
import * as SearchAnswer from "#layers/answerer/SearchAnswer.ts"
import { runAtOnce } from "#layers/lib/Turns.ts"
import type { DetailsPatch } from "#schema/Details.ts"
import { expectBody } from "./support/answers.ts"
import { callerWithCampaign } from "./support/campaigns.ts"
import { waitForList } from "./support/lists.ts"
import { layer } from "./support/server.ts"

const answerBySearch = (...question: Parameters<typeof SearchAnswer.answerBySearch>) =>
  runAtOnce(SearchAnswer.answerBySearch(...question))
const passagesFor = (...question: Parameters<typeof Search.passagesFor>) => runAtOnce(Search.passagesFor(...question))
const { earlierQuestions } = Search

const buildIndex = (files: Parameters<typeof Index.buildIndex>[0]) => Effect.runSync(Index.buildIndex(files))

const forkliftCompany: DetailsPatch = {
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

const labCompany: DetailsPatch = {
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

const linenCompany: DetailsPatch = {
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

const linenLeads = [
  { email: "ada@bay.example", name: "Ada Lindqvist", title: "Head Housekeeper", company: "The Blue Bay (Filey)" },
  { email: "tom@bay.example", name: "Tom Archer", title: "Owner", company: "The Blue Bay (Filey)" },
  { email: "j@ward.example", name: "MÜLLER, JONAS", title: "Ward Manager", company: "Ward House Ltd" }
]

const defaultLeads = [
  { email: "b.kurz@regal.example", name: "Birgit Kurz", title: "Warehouse Manager", company: "Regal Nord" },
  { email: "n@fracht.example", name: "Nina Lost", title: "Owner", company: "Frachtpunkt" }
]

/** Runs a test with the built-in writer, which fails for the lead Nina Lost. */
const withBuiltinWriter = <A, E>(test: Effect.Effect<A, E, Effect.Services<ReturnType<typeof callerWithCampaign>>>) =>
  Generator.pipe(
    Effect.flatMap((writer) => {
      const failure = new GenerationFailed({ message: "No email passed its checks", transient: false })
      const sequence: typeof writer.sequence = (brief) =>
        brief.lead.name === "Nina Lost" ? Effect.fail(failure) : writer.sequence(brief)
      const rate = { limit: 10_000, window: Duration.minutes(1) }
      return Effect.provide(test, layer({ writer: { ...writer, sequence }, rate }))
    }),
    Effect.provide(Generator.layerBuiltin)
  )

/**
 * Questions with the text that a cited passage must contain. Null means that the material has no answer: the response must
 * claim nothing and cite no lead. A question that starts with "> " continues the conversation.
 */
type ExpectedAnswers = ReadonlyArray<readonly [question: string, holds: string | null]>

const claimsNothing = new RegExp(
  `^(?:${nearestPassages}|${notInMaterial}|${maybeMissing}|No passage of|Overture writes emails and does not send)`
)

const checkAnswers = Effect.fnUntraced(function* (
  details: DetailsPatch,
  expectedAnswers: ExpectedAnswers,
  leads = defaultLeads
) {
  const { campaign, caller } = yield* callerWithCampaign({ details })
  const options = { email_count: 2, email_signature: "Ann", list_name: "Leipzig autumn" }
  const { list_id } = yield* expectBody(202, caller.post(`/campaigns/${campaign}/generate-batch`, { leads, options }))
  yield* waitForList(caller, list_id)
  let conversation_id: string | undefined
  const failures: Array<string> = []
  for (const [entry, expectedText] of expectedAnswers) {
    const isFollowUp = entry.startsWith("> ")
    const message = isFollowUp ? entry.slice(2) : entry
    const request = { campaign_id: campaign, message, ...(isFollowUp ? { conversation_id } : {}) }
    const answer = yield* expectBody(200, caller.post("/agent/chat", request))
    conversation_id = answer.conversation_id
    const citedText = answer.citations.map(({ heading, passage }: any) => `${heading}: ${passage.replaceAll("**", "")}`)
    const isRight =
      expectedText === null
        ? claimsNothing.test(answer.message.content) && !JSON.stringify(answer.citations).includes('"source":"lead"')
        : citedText.join("\n").includes(expectedText)
    if (!isRight || answer.citations.length > 10) failures.push(`${entry} -> ${answer.message.content}`)
  }
  assert.deepStrictEqual(failures, [])
})

it("a question for the last email to a lead shows only that email", () => {
  const content = "## Tom Archer\n\n**Email 1. Subject: Linen**\n\nOne.\n\n**Email 2. Subject: Towels**\n\nTwo."
  const files = [{ file_id: "1", filename: "First list", source: "playbook" as const, link: "", content }]
  const answerTo = (question: string) => answerAboutLeads(question, files).content
  assert.include(answerTo("what did we send to Tom Archer?"), "One.")
  assert.include(answerTo("what did we send to Tom Archer?"), "Overture does not send them")
  assert.notInclude(answerTo("what did we write to Tom Archer?"), "does not send")
  assert.include(answerTo("show me the last email to Tom Archer"), "Two.")
  assert.notInclude(answerTo("show me the last email to Tom Archer"), "One.")
  const long = `Hi Tom,\n\n${"A long email. ".repeat(80)}`
  const filesWithLongEmail = [{ ...files[0], content: content.replace("One.", long) }] as typeof files
  const longAnswer = answerAboutLeads("what did we write to Tom Archer?", filesWithLongEmail)
  assert.isTrue(
    longAnswer.content.indexOf(long.trim()) > 0 && longAnswer.content.endsWith("Two."),
    "a long email hides no other"
  )
  assert.lengthOf(longAnswer.citations, 1)
})

describe("search for passages", () => {
  const file = (
    source: "profile" | "imported" | "document" | "selections",
    content: string,
    filename = source as string
  ) => ({ file_id: null, filename, source, link: "", content }) as const
  const ask = (question: string, ...files: ReadonlyArray<ReturnType<typeof file>>) =>
    answerBySearch(buildIndex(files), question, [])
  const headings = (answer: ReturnType<typeof ask>) => answer.citations.map(({ heading }) => heading)

  const prices = file(
    "imported",
    "## Prices\n\n- Crown: GBP 68\n- Bridge: GBP 190\n\n## Times\n\nA crown takes five days from the scan. Hurried work costs more.\n\n## Team\n\nWe are nine people."
  )

  it("returns whole passages, shows them in the answer and names the best matching lines", () => {
    const { citations, content } = ask("what does a bridge cost?", prices)
    assert.strictEqual(citations[0]?.passage, "- Crown: GBP 68\n- Bridge: GBP 190")
    assert.strictEqual(citations[0]?.lines?.[0], "Bridge: GBP 190")
    assert.isTrue(content.startsWith(`${nearestPassages}:`))
    assert.include(content, "- Bridge: GBP 190")
  })

  it("finds synonyms, misspelt words and word beginnings", () => {
    for (const question of ["bridge fee", "the prise of a brdge", "bridges' charges", "what does the bri cost"])
      assert.strictEqual(headings(ask(question, prices))[0], "Prices", question)
  })

  it("prefers passages with the kind of value that the question asks for", () => {
    assert.strictEqual(headings(ask("how long is a crown?", prices))[0], "Times")
    assert.strictEqual(headings(ask("how much is a crown?", prices))[0], "Prices")
  })

  it("omits repeated passages and prefers the profile to documents made from it", () => {
    const profile = file("profile", "## Guarantee\n\n- A crown that cracks within five years is free.")
    const document = file(
      "document",
      "## What they get\n\n- A crown that cracks within five years is free. Concerns all of them.\n- **Promise:** A crown that cracks within five years is free.",
      "Knowledge base.md"
    )
    const selections = file("selections", "## Chosen risk reversal\n\n- A crown that cracks within five years is free.")
    const { citations } = ask("is a cracked crown free?", selections, document, profile)
    assert.deepStrictEqual(
      citations.map(({ filename }) => filename),
      ["profile"]
    )
    assert.strictEqual(
      headings(ask("what did we choose as risk reversal?", selections, document, profile))[0],
      "Chosen risk reversal"
    )
  })

  it("splits long sections into groups of paragraphs", () => {
    const paragraph = (topic: string) => `${topic} ${"This is a long sentence that says little. ".repeat(12)}`
    const long = file("imported", `## Notes\n\n${["Cats.", "Dogs.", "Parrots eat seeds."].map(paragraph).join("\n\n")}`)
    const { citations } = ask("what do parrots eat?", long)
    assert.include(citations[0]?.passage, "Parrots eat seeds.")
    assert.isBelow(citations[0]?.passage?.length ?? 0, 900)
  })

  it("names the words of the question that no passage has", () => {
    const { content } = ask("do we lease a crown in Belfast?", prices)
    assert.include(content, "Nothing mentions “belfast”.")
    assert.notInclude(ask("how long does a crown take?", prices).content, "No passage has")
  })

  it("returns only the nearest passages, without citations, when no word of the question is found", () => {
    const { citations, nearest } = ask("how much is a parrot?", prices)
    assert.deepStrictEqual(citations, [])
    assert.strictEqual(nearest[0]?.heading, "Prices")
    const answer = ask("who trains parrots?", prices)
    assert.deepStrictEqual([answer.citations, answer.nearest], [[], []])
    assert.match(answer.content, /^No passage of this campaign's/)
  })

  const laundryNotes = file(
    "imported",
    [
      "## Sheets\n\nWe rent sheets to clinics and hotels. Our people answer the phone by day. A clinic may send its own bags.",
      "## Our story\n\nThe laundry was set up in Whitby in 2004 by Oda Marsh, who still buys the sheets.",
      "## People\n\n- Oda Marsh, sheets\n- Ben Hale, managing director",
      "## Ordering\n\nTell the van by Thursday 3 p.m. what you need next week.",
      "## Calling off\n\nUp to two weeks before it is free, after that 35 percent of the sum is due.",
      "## Leaving\n\nIn the first 45 days a clinic gets its fees back.",
      "## Clinics we turn down\n\nChains with more than 15 houses, and vets.",
      "## Torn sheets\n\nWe do not mend. What tears is replaced at the normal rate.",
      '## What they say\n\n"You are dearer than our own cellar." Count the wages and the gas.',
      "## Who we meet in bids\n\nMostly Bluewash from Leeds, which has no vans of its own.",
      "## Promise\n\nSheets are on the ward at 7 a.m. or the day is free.",
      "## Bags\n\nOwn bags of clinics are washed on Mondays."
    ].join("\n\n")
  )
  const laundryProfile = file(
    "profile",
    "## Guarantee\n\n- A sheet that is grey is washed again.\n\n## Company name\n\nMarsh Sheets\n\n## Job titles\n\nHead Housekeeper"
  )

  it.each([
    ["they say we are too dear for their people, what do I answer?", "What they say"],
    ["Dr Lang thinks her clinic is cheaper. what's our reply?", "What they say"],
    ["who are we up against?", "Who we meet in bids"],
    ["who do we lose sheets against?", "Who we meet in bids"],
    ["can a clinic get their money back?", "Leaving"],
    ["which kinds of businesses do we refuse?", "Clinics we turn down"],
    ["who started the company?", "Our story"],
    ["what is our ceo's name?", "People"],
    ["what is the deadline for sheets?", "Ordering"],
    ["what's the damage if a clinic calls it off?", "Calling off"],
    ["can we fix sheets?", "Torn sheets"],
    ["what if the sheets are not there in time?", "Guarantee"]
  ])("finds passages that use other words: %s", (question, heading) => {
    const { citations, nearest } = ask(question, laundryNotes, laundryProfile)
    assert.strictEqual([...citations, ...nearest][0]?.heading, heading)
  })

  it("matches two words of the question with one compound word", () => {
    const backupText = file("imported", "## Where data is kept\n\nIn Cork. Backups are made every hour.")
    assert.strictEqual(headings(ask("how often do you back up?", prices, backupText))[0], "Where data is kept")
  })

  it("finds a word with two letters swapped", () => {
    assert.strictEqual(headings(ask("on which day are own bags washed?", laundryNotes))[0], "Bags")
    assert.notInclude(ask("when are own bags wahsed?", laundryNotes).content, "wahsed")
  })

  it("names the missing words when no passage has all of them", () => {
    const { content } = ask("is Bluewash due on Thursday?", laundryNotes)
    assert.match(content, /^Your material may not say this: no passage has all of your words, and the first lacks/)
    assert.include(content, "“thursday”")
    assert.notInclude(ask("when are own bags washed?", laundryNotes).content, "may not say this")
  })

  it("does not match a word that merely resembles another", () => {
    const { citations, content } = ask("who is the ceo of Acme?", laundryProfile)
    assert.deepStrictEqual(citations, [])
    assert.include(content, "“ceo” or “acme”")
  })

  it("keeps the subject of the previous two questions in a follow-up", () => {
    const userMessage = (content: string) => ({ role: "user" as const, content })
    const citedAfter = (question: string, ...previousQuestions: ReadonlyArray<string>) =>
      answerBySearch(buildIndex([prices]), question, previousQuestions.map(userMessage)).citations.map(
        ({ heading, lines }) => [heading, lines?.[0]]
      )
    assert.deepStrictEqual(citedAfter("and how much is it?", "how long does a bridge take?")[0], [
      "Prices",
      "Bridge: GBP 190"
    ])
    assert.deepStrictEqual(citedAfter("and how much is it?", "tell me about the bridge", "is it good?")[0], [
      "Prices",
      "Bridge: GBP 190"
    ])
    assert.deepStrictEqual(citedAfter("and a bridge?", "what does a crown cost?")[0], ["Prices", "Bridge: GBP 190"])
    assert.deepStrictEqual(citedAfter("how many people are we?", "what does a crown cost?")[0], [
      "Team",
      "We are nine people."
    ])
  })
})

describe("synonyms", () => {
  it.each([
    ["do we clean mid-sized halls?", "Medium halls take a day."],
    ["how thick is the panel?", "A door is 40 mm."],
    ["what is the average stay?", "The mean stay is 3 nights."],
    ["do vets call?", "Doctors ring the desk."],
    ["how many megawatts does it have?", "The roof has 3 MWp."],
    ["is two months the notice?", "Notice is given 60 days ahead."],
    ["are we locked in?", "The contract ends after any month."]
  ])("match each other: %s", (question, line) => {
    const otherSection = ["## Other", ...Array.from({ length: 5 }, (_, index) => `Pipe ${index} is blue.`)].join("\n\n")
    const content = `${otherSection}\n\n## This\n\n${line}`
    const file = { file_id: null, filename: "notes.md", source: "imported", link: "", content } as const
    assert.strictEqual(answerBySearch(buildIndex([file]), question, []).citations[0]?.heading, "This")
  })
})

describe("the best matching line", () => {
  const textFile = (content: string, filename = "notes.md") =>
    ({ file_id: null, filename, source: "imported", link: "", content }) as const
  const lead = (name: string, title: string, content: string) =>
    ({
      file_id: null,
      filename: "List",
      title,
      source: "lead",
      link: "",
      content: `# Lead: ${name}\n\n- ${content}`
    }) as const
  const ask = (question: string, ...files: ReadonlyArray<ReturnType<typeof textFile> | ReturnType<typeof lead>>) =>
    answerBySearch(buildIndex(files), question, [])
  const firstCitation = (...args: Parameters<typeof ask>) => ask(...args).citations[0]

  const hireRates = textFile(
    [
      "# Hire",
      "## Weekly rates",
      "- Drill; 2 to 9 weeks: GBP 40; 10 to 20 weeks: GBP 30",
      "- Pump; 2 to 9 weeks: GBP 70; 10 to 20 weeks: GBP 55",
      "",
      "## Rules",
      "Rebates for clients",
      "",
      "- up to 6% : you decide",
      "- 6 to 14% : ask Nora",
      "",
      "## Handover",
      "The yard opens at seven. We hand a drill over with a full tank. The driver shows how it starts. A drill without fuel is not taken back.",
      "## A long job",
      `In Ely a client kept a drill for a year. ${"The drill ran on the site by day, and the drill was cleaned there. ".repeat(6)}`,
      "The client's own sum was that the hire paid for itself within 11 weeks."
    ].join("\n"),
    "hire_2025.md"
  )

  it("is shown with its heading and file name, and the citation holds the whole passage", () => {
    const { citations, content } = ask("what does a pump cost?", hireRates)
    assert.include(content, "**Weekly rates** (hire_2025.md)\n\n- Drill; 2 to 9 weeks")
    assert.include(content, "\n- Pump; 2 to 9 weeks: GBP 70")
    assert.include(citations[0]?.passage, "Drill; 2 to 9 weeks")
    assert.deepStrictEqual(citations[0]?.lines, ["Pump; 2 to 9 weeks: GBP 70; 10 to 20 weeks: GBP 55"])
  })

  it("has the rare words of the question or their synonyms rather than many common words", () => {
    assert.include(
      firstCitation("how long was the payback of the drill?", hireRates)?.lines?.[0],
      "paid for itself within 11 weeks"
    )
  })

  it("has one rare word rather than two common ones", () => {
    const halls = Array.from({ length: 12 }, (_, n) => `## Hall ${n}\n\nThe pump and the hose of hall ${n} are grey.`)
    const fluids = textFile(["# Halls", ...halls, "## Fluids", "Mineral oil alone."].join("\n\n"))
    assert.strictEqual(firstCitation("which oil for pump and hose?", fluids)?.heading, "Fluids")
  })

  it("has the range that contains the number of the question", () => {
    assert.deepStrictEqual(firstCitation("a client wants 9% off, may I?", hireRates)?.lines, [
      "Rebates for clients",
      "6 to 14% : ask Nora"
    ])
    assert.include(firstCitation("what is a pump for 15 weeks?", hireRates)?.lines?.[0], "Pump")
  })

  it("has a number directly before the counted noun", () => {
    const team = textFile(
      "# Us\n\nThe team cares for 9 gardens and 40 trees.\n\nOur gardens have been cared for since 1999."
    )
    assert.include(firstCitation("how many gardens do we care for?", team)?.lines?.[0], "9 gardens")
  })

  it("is shown with the neighbouring sentences of a short paragraph", () => {
    const { content } = ask("who shows how a drill starts?", hireRates)
    assert.include(
      content,
      "The yard opens at seven. We hand a drill over with a full tank. The driver shows how it starts."
    )
    assert.isBelow(ask("what did the client in Ely keep?", hireRates).content.length, 900)
  })

  it("finds a lead by name without accents, company or remark, and not by title alone", () => {
    const zoe = lead("Zoë Núñez", "Owner", "Owner; Harbour Yard; Remark: met at the boat fair, asks for French")
    const ben = lead("Ben Cole", "Buyer", "Buyer; Cole Mills; Remark: ring after 4pm")
    const heading = (question: string) => firstCitation(question, zoe, ben)?.heading
    assert.strictEqual(heading("what do we know about zoe nunez"), "Lead: Zoë Núñez")
    assert.strictEqual(heading("who is at harbour yard"), "Lead: Zoë Núñez")
    assert.strictEqual(heading("which of the leads did we meet at an exhibition"), "Lead: Zoë Núñez")
    assert.strictEqual(heading("when can i ring ben"), "Lead: Ben Cole")
    assert.isUndefined(heading("who is the owner?"))
    assert.isUndefined(heading("what do we know about ben colt"))
  })

  const boats = textFile(
    [
      "# Boats",
      "## Berths",
      "Summer berth, price per month",
      "",
      "- up to 8 metres: GBP 120",
      "- 9 to 14 metres: GBP 190",
      "- 15 metres and larger: GBP 260",
      "",
      "Flyers, price per sheet",
      "",
      "- 500 - 1,999: GBP 0.30",
      "- 2,000 - 49,999: GBP 0.20",
      "",
      "## Winter",
      "We turn the slip off in January. The mast comes down first. It bent twice in a gale, since the yard is open to the west.",
      "## Our crane",
      "The crane was bought in 2019. It lifts 12 tonnes and cost GBP 48,000. Rope is thrown away each spring, at GBP 300.",
      "## Cover",
      "Public Liability Insurance is GBP 3m. Our yard manager is Ada Pine.",
      "## Talks",
      "The harbour master visits schools. He talks on Fridays."
    ].join("\n"),
    "boats.md"
  )
  const matchedLine = (question: string) => firstCitation(question, boats)?.lines?.[0]

  it("is the price row whose range contains the number, shown below its introducing line", () => {
    assert.strictEqual(matchedLine("what is a summer berth for 11 metres?"), "9 to 14 metres: GBP 190")
    assert.strictEqual(matchedLine("price of a summer berth, 20 metres"), "15 metres and larger: GBP 260")
    const matchedRows = (question: string) => firstCitation(question, boats)?.lines?.slice(1)
    assert.deepStrictEqual(matchedRows("what do 40k flyers cost per sheet?"), ["2,000 - 49,999: GBP 0.20"])
    assert.deepStrictEqual(matchedRows("price per sheet for 1500 flyers"), ["500 - 1,999: GBP 0.30"])
    assert.include(
      ask("what is a summer berth for 11 metres?", boats).content,
      "Summer berth, price per month\n- up to 8 metres: GBP 120\n- 9 to 14 metres: GBP 190"
    )
  })

  it("matches a German compound of the words in the question", () => {
    const terms = textFile(
      "# Mandat\n\n## Honorar\n\nDas Mindesthonorar ist EUR 900.\n\n## Ablauf\n\nDer Vertrag folgt."
    )
    assert.include(firstCitation("what's the lowest fee?", terms)?.lines?.[0], "Mindesthonorar")
  })

  it("matches reasons, spelled-out initials and synonyms", () => {
    assert.include(matchedLine("why was the mast bent?"), "since the yard is open to the west")
    assert.include(matchedLine("how high is our PLI?"), "Public Liability Insurance is GBP 3m")
    assert.include(matchedLine("what is written off each spring?"), "thrown away")
  })

  it("comes from the passage with the rarest word", () => {
    const priceSections = Array.from(
      { length: 8 },
      (_, n) => `## Prices ${n}\n\nOur product ${n} has a price: GBP ${n + 2}.`
    )
    const shopText = textFile(["# Stall", ...priceSections, "## Nuts", "There are no walnuts here."].join("\n\n"))
    assert.strictEqual(firstCitation("can we take a product with walnuts?", shopText)?.heading, "Nuts")
  })

  it("of a follow-up keeps the subject and file of the previous answer", () => {
    const index = buildIndex([boats])
    const citationAfter = (question: string, previousQuestion: string) => {
      const { citations, content } = answerBySearch(index, previousQuestion, [])
      return answerBySearch(index, question, [
        { role: "user", content: previousQuestion },
        { role: "assistant", content, citations }
      ]).citations[0]
    }
    assert.deepStrictEqual(citationAfter("and 20?", "what is a summer berth for 11 metres?")?.lines, [
      "15 metres and larger: GBP 260"
    ])
    assert.strictEqual(citationAfter("On which day?", "who visits schools?")?.heading, "Talks")
    assert.strictEqual(citationAfter("how much was it?", "when was the crane bought?")?.heading, "Our crane")
  })

  it("of a follow-up about a person comes from the passage that named the person", () => {
    const team = textFile(
      "## Team\n\nSales in the north are led by Sven Carstens. He sits in Kiel.\n\n## Harbours\n\nHull."
    )
    const locationFile = { ...textFile("## Based in\n\nRotterdam"), source: "profile" } as const
    const index = buildIndex([locationFile, team])
    const teamCitations = index.passages.filter(({ heading }) => heading === "Team").map(citationOf)
    const history = [
      { role: "user", content: "who is responsible?" },
      { role: "assistant", content: "", citations: teamCitations }
    ] as const
    assert.include(answerBySearch(index, "where is he based?", history).content, "Kiel")
    assert.notInclude(answerBySearch(index, "where is the office based?", history).content, "Kiel")
  })

  it("is shown with its missing words named when a passage has most words of the question", () => {
    const { citations, content } = ask("is the crane of the yard polished in 2019?", boats)
    assert.isAbove(citations.length, 0)
    assert.notInclude(content, notInMaterial)
    assert.isTrue(ask("does the crane have a carousel and a whistle?", boats).content.startsWith(maybeMissing))
    assert.deepStrictEqual(ask("do we have a carousel?", boats).citations, [])
  })

  it("of a named lead comes with a statement of what the lists lack", () => {
    const zoe = lead("Zoë Núñez", "Owner", "Owner; Harbour Yard; Remark: met at the boat fair")
    const { citations, content } = ask("what is Zoe's turnover?", boats, zoe)
    assert.isTrue(content.startsWith("Your lists say this about Zoë Núñez, and do not mention “turnover”:"), content)
    assert.deepStrictEqual(citations[0]?.heading, "Lead: Zoë Núñez")
    assert.isTrue(ask("where did we meet Zoë Núñez?", boats, zoe).content.startsWith(`${nearestPassages}:`))
    assert.notInclude(ask("what do we know about Zoe Adler?", boats, zoe).content, "Your lists say")
  })

  it("of a lead is not sent to the model", () => {
    const ben = lead("Ben Cole", "Buyer", "Buyer; Cole Mills; Remark: ring after 4pm")
    const passages = passagesFor(buildIndex([hireRates, ben]), "when can i ring ben cole?", [])
    assert.isAbove(passages.length, 0)
    assert.isFalse(passages.some(({ file }) => file.source === "lead"))
  })

  it("is asked of the model with room for a long answer", () =>
    Effect.gen(function* () {
      const limits: Array<number | undefined> = []
      const model: Model = {
        name: "stub",
        serverInfo: () => ({ api: undefined, host: "127.0.0.1", context: undefined, atOnce: undefined }),
        verification: "off",
        probe: () => Effect.succeed(null),
        write: ({ maxTextLength }) => {
          limits.push(maxTextLength)
          return Effect.fail(new GenerationFailed({ message: "No answer", transient: false }))
        }
      }
      yield* Effect.flip(answerByModel(model, "and on Sundays?", [{ role: "assistant", content: "a" }], []))
      assert.deepStrictEqual(limits, [6000])
    }).pipe(Effect.runPromise))

  it("is absent when nothing matches, with at most two nearest passages", () => {
    for (const [question, word] of [
      ["what was our turnover last year?", "turnover"],
      ["how many engines does a drill have?", "engines"],
      ["do the drills work with Procore?", "procore"]
    ] as const) {
      const { citations, content, nearest } = ask(question, hireRates)
      assert.isTrue(content.startsWith(`Probably not in your material. Nothing mentions “${word}”.`), content)
      assert.deepStrictEqual(citations, [])
      assert.isAtMost(nearest.length, 2)
    }
    // A verb or noun that is rare in texts is no reason to doubt the answer.
    assert.isTrue(ask("which rates apply to a pump?", hireRates).content.startsWith(nearestPassages))
  })

  it("is found although a name in the question is also a common word", () => {
    const bids = textFile("# Bids\n\n- Lost Thornby to them in May because they wanted one invoice")
    assert.include(firstCitation("why did we lose Thornby?", bids)?.lines?.[0], "one invoice")
  })
})

describe("leads found for a question", () => {
  const lead = (name: string, title: string, content: string) =>
    ({
      file_id: null,
      filename: "Spring",
      title,
      source: "lead",
      link: "",
      content: `# Lead: ${name}\n\n- ${title}; ${content}`
    }) as const
  const index = buildIndex([
    {
      file_id: null,
      filename: "notes.md",
      source: "imported",
      link: "",
      content: "## Move\n\nMoving from Tallyo is free."
    },
    lead("Ida Moreau", "Buyer", "Quarry North; Lorries: 40; Tool today: Excel; Seit monaten: 5"),
    lead("Ben Cole", "Owner", "Cole Mills; Lorries: 85; Tool today: Tallyo; Seit monaten: 9"),
    lead(
      "Zoë Adler",
      "Buyer",
      "Adler Stone; Lorries: 1,210; Tool today: Tallyo; Seit monaten: 2; Event: fined for overweight"
    )
  ])
  const ask = (question: string, history: Parameters<typeof answerBySearch>[2] = []) =>
    answerBySearch(index, question, history)
  const names = (answer: ReturnType<typeof ask>) =>
    answer.citations.flatMap(({ heading = "", source }) => (source === "lead" ? [heading.replace("Lead: ", "")] : []))

  it("are all with a column value in the range, also in German columns", () => {
    assert.deepStrictEqual(names(ask("Which of our leads run more than 40 lorries?")), ["Ben Cole", "Zoë Adler"])
    assert.deepStrictEqual(names(ask("which leads have at least 40 lorries")), ["Ida Moreau", "Ben Cole", "Zoë Adler"])
    assert.deepStrictEqual(names(ask("which leads wait for less than 6 months?")), ["Ida Moreau", "Zoë Adler"])
  })

  it("are those with a word of the question, together with matching passages", () => {
    const answer = ask("Who on our list uses Tallyo, and what does moving from it cost?")
    assert.deepStrictEqual(names(answer), ["Ben Cole", "Zoë Adler"])
    assert.strictEqual(answer.citations.at(-1)?.heading, "Move")
    assert.deepStrictEqual(names(ask("which leads are still on spreadsheets?")), ["Ida Moreau"])
    assert.deepStrictEqual(names(ask("Anyone on the list who got caught overloaded?")), ["Zoë Adler"])
  })

  it("are those that match a column, even when the question does not say lead", () => {
    assert.deepStrictEqual(names(ask("Which quarries have more than 1,000 lorries?")), ["Zoë Adler"])
    assert.deepStrictEqual(names(ask("Does anyone use Excel?")), ["Ida Moreau"])
    assert.deepStrictEqual(names(ask("Who has 85 lorries?")), ["Ben Cole"])
    assert.deepStrictEqual(names(ask("What is Excel?")), [])
    assert.match(
      ask("How many leads use Tallyo?").content,
      /^The leads whose rows are nearest to your question \(2 of 3\):/
    )
  })

  it("of a follow-up are only among those shown before", () => {
    const question = "Which leads run more than 40 lorries?"
    const { citations, content } = ask(question)
    const history = [
      { role: "user", content: question },
      { role: "assistant", content, citations }
    ] as const
    assert.deepStrictEqual(names(ask("which of those was fined?", history)), ["Zoë Adler"])
    assert.deepStrictEqual(names(ask("which of them are too far away?", history)), ["Ben Cole", "Zoë Adler"])
  })

  it("are all leads of a short list when none has a word of the question", () => {
    const answer = ask("Which leads can we not ship to?")
    assert.isTrue(answer.content.startsWith("No lead's row has the words of your question."), answer.content)
    assert.lengthOf(names(answer), 3)
  })

  it("are not found by job title alone", () => {
    assert.deepStrictEqual(names(ask("who is the owner?")), [])
  })
})

it("thousands of leads are compared with a question in turns", () => {
  const leads = Array.from({ length: 2000 }, (_, index) => ({
    file_id: null,
    filename: "Spring",
    source: "lead" as const,
    link: `/#/lists/a/${index}`,
    content: `# Lead: Ann Bee\n\n- Buyer; Vans: ${index}; Tool: Excel`
  }))
  const index = buildIndex(leads)
  for (const question of [
    "Which lead has the most vans?",
    "How many vans 12 have ann?",
    "Which leads like 12 mills?"
  ]) {
    const turns = SearchAnswer.answerBySearch(index, question, [])
    let pauses = 0
    while (turns.next().done !== true) pauses++
    assert.isAtLeast(pauses, 2000, question)
  }
})

describe("leads found for a comparison", () => {
  const lead = (name: string, content: string) =>
    ({
      file_id: null,
      filename: "Spring",
      title: "Buyer",
      source: "lead",
      link: `/#/lists/a/${name}`,
      content: `# Lead: ${name}\n\n- Buyer; ${content}`
    }) as const
  const profile = {
    file_id: null,
    filename: "Business profile",
    source: "profile",
    link: "",
    content: "## Company name\n\nStonewash\n\n## Who it serves\n\nQuarries with 20 to 300 lorries in Wales."
  } as const
  const index = buildIndex([
    profile,
    lead("Ida", "Quarry North; Lorries: 40; Dust score: 7"),
    lead("Ben", "Cole Mills; Lorries: 6; Dust score: 9; Supplier: Stonewash"),
    lead("Zoe", "Adler Stone; Lorries: 1,210; Dust score: 2")
  ])
  const ask = (question: string, exclusions?: ReadonlyMap<string, string>) =>
    answerBySearch(index, question, [], exclusions)
  const names = (answer: ReturnType<typeof ask>) =>
    answer.citations.flatMap(({ heading = "", source }) => (source === "lead" ? [heading.replace("Lead: ", "")] : []))

  it("are sorted by the numeric column that the question names", () => {
    assert.deepStrictEqual(names(ask("Which lead has the most lorries?")), ["Zoe", "Ida", "Ben"])
    assert.deepStrictEqual(names(ask("which of our leads is the dustiest?")), ["Ben", "Ida", "Zoe"])
    assert.include(ask("Which lead has the fewest lorries?").content, "“Lorries”, the lowest first:\n\n- Ben: ")
    assert.deepStrictEqual(names(ask("lead with the most lorries?")), ["Zoe", "Ida", "Ben"])
  })

  it("are not sorted for a question about something else, and a question about leads that are no customers does not list customers", () => {
    const exclusions = new Map([["/#/lists/a/Ida", "Quarry North is named as a client in your case studies."]])
    assert.notInclude(
      ask("Which quarry in our report had the most lorries on strike?").content,
      "The leads in the order of"
    )
    const { content } = ask("Which lead has the most lorries and isn't a customer?", exclusions)
    assert.include(content, "“Lorries”, the highest first:\n\n- Zoe: ")
    assert.notInclude(content, "The leads that this applies to")
  })

  it("are those at clients and competitors, each with a reason", () => {
    const exclusions = new Map([["/#/lists/a/Ida", "Quarry North is one of the competitors in your company profile."]])
    const competitors = ask("Is a competitor among the leads?", exclusions)
    assert.deepStrictEqual(names(competitors), ["Ida"])
    assert.include(competitors.content, "- Ida: Quarry North is one of the competitors in your company profile. Buyer;")
    assert.include(
      ask("Who on the list is already a client?", exclusions).content,
      "“Supplier: Stonewash” names your business."
    )
    assert.deepStrictEqual(names(ask("Which leads should get no email?", exclusions)), ["Ida", "Ben"])
    assert.match(ask("Which leads are competitors?").content, /^No lead is known that this applies to/)
  })

  it.live("are found through the profile and the suppression list", () =>
    withBuiltinWriter(
      Effect.gen(function* () {
        const { campaign, caller } = yield* callerWithCampaign({ details: forkliftCompany })
        const leads = [
          { email: "a@jungrent.example", name: "Ada Lind", title: "Owner", company: "Jungrent" },
          { email: "b@depot.example", name: "Bo Lang", title: "Owner", company: "Depot" },
          { email: "c@hall.example", name: "Cy Hall", title: "Owner", company: "Hall" }
        ]
        const options = { email_count: 2, email_signature: "Ann", list_name: "All", include_clients: true }
        const { list_id } = yield* expectBody(
          202,
          caller.post(`/campaigns/${campaign}/generate-batch`, { leads, options })
        )
        yield* waitForList(caller, list_id)
        yield* caller.post("/suppressions", { entries: [{ value: "depot.example", reason: "asked us to stop" }] })
        const request = { campaign_id: campaign, message: "Which leads should get no email?" }
        const { message } = yield* expectBody(200, caller.post("/agent/chat", request))
        assert.include(message.content, "Ada Lind: Jungrent is one of the competitors in your company profile.")
        assert.include(message.content, "Bo Lang: depot.example is on the suppression list (asked us to stop).")
        assert.notInclude(message.content, "Cy Hall")
      })
    )
  )

  it.live("are counted by review status, and looked up one by one on the suppression list", () =>
    withBuiltinWriter(
      Effect.gen(function* () {
        const { campaign, caller } = yield* callerWithCampaign({ details: forkliftCompany })
        const ask = (message: string) =>
          Effect.map(
            expectBody(200, caller.post("/agent/chat", { campaign_id: campaign, message })),
            ({ citations, message }) => ({
              content: message.content,
              citations
            })
          )
        const approvedQuestion = "How many leads are approved?"
        assert.strictEqual((yield* ask(approvedQuestion)).content, "No lead of this campaign has emails yet.")
        const leads = [
          { email: "ada@quay.example", name: "Ada Lind", title: "Owner", company: "Quay Stores" },
          { email: "bo@depot.example", name: "Bo Lang", title: "Owner", company: "Depot Halls" },
          { email: "cy@hall.example", name: "Cy Hall", title: "Owner", company: "Hall Works" }
        ]
        const options = { email_count: 2, email_signature: "Ann", list_name: "All" }
        const { list_id } = yield* expectBody(
          202,
          caller.post(`/campaigns/${campaign}/generate-batch`, { leads, options })
        )
        yield* waitForList(caller, list_id)
        const { data } = yield* expectBody(200, caller.get(`/lists/${list_id}/leads`))
        yield* expectBody(200, caller.put(`/lists/${list_id}/leads/${data[0].id}/review`, { status: "approved" }))
        // A suppression of another workspace must not affect this one.
        const other = yield* callerWithCampaign({ details: forkliftCompany })
        yield* other.caller.post("/suppressions", { entries: [{ value: "hall.example" }] })

        const reviewAnswer = yield* ask(approvedQuestion)
        const expectedCounts =
          "Of 3 leads with emails in the lists of this campaign, 1 is approved, 0 rejected and 2 open."
        assert.strictEqual(reviewAnswer.content, expectedCounts)
        assert.strictEqual(reviewAnswer.citations[0].link, "/#/lists")
        assert.strictEqual((yield* ask("how many emails did we reject or leave open")).content, expectedCounts)

        const entries = [
          { value: "depot.example", reason: "asked us to stop" },
          { value: "Quay Stores", kind: "company" }
        ]
        yield* expectBody(200, caller.post("/suppressions", { entries }))
        for (const [question, answer] of [
          ["Is bo@depot.example on do not contact?", "depot.example is on “Do not contact” (asked us to stop)."],
          ["Is depot.example already on the suppression list?", "depot.example is on “Do not contact”"],
          ["is Bo Lang on “Do not contact”?", "depot.example is on “Do not contact” (asked us to stop)."],
          ["Is Ada Lind on do not contact?", "quay stores is on “Do not contact”."],
          ["Is Quay Stores suppressed?", "quay stores is on “Do not contact”."],
          ["Is cy@hall.example on do not contact?", "cy@hall.example is not on “Do not contact”"],
          ["Is Cy Hall on do-not-contact?", "Cy Hall (Owner, Hall Works, cy@hall.example): not on “Do not contact”"],
          ["Is Zed Zander on do not contact?", "no lead of this campaign has the name"]
        ] as const)
          assert.include((yield* ask(question)).content, answer, question)
        const citation = {
          file_id: null,
          filename: "Do not contact",
          passage: "depot.example is on “Do not contact” (asked us to stop).",
          link: "/#/suppressions"
        }
        assert.deepStrictEqual((yield* ask("Is depot.example on do not contact?")).citations, [citation])
        assert.deepStrictEqual((yield* ask("Is cy@hall.example on do not contact?")).citations, [])
      })
    )
  )
})

describe("a text in another language", () => {
  const text = (content: string) =>
    ({ file_id: null, filename: "notiz.md", source: "imported", link: "", content }) as const
  const profile = {
    file_id: null,
    filename: "Business profile",
    source: "profile",
    link: "",
    content: "## What it does\n\nWe clean facades and speak with people. Prices are fair. Three teams work in weeks."
  } as const
  const german = text(
    [
      "## Ablauf\n\nDie Lieferung kommt in der dritten Woche und wird mit dem Kunden vereinbart.",
      "## Sprachen\n\nWir sprechen Deutsch und Polnisch.",
      "## Austausch\n\nDer Ersatz ist für zwei Jahre kostenlos.",
      "## Haus\n\nWir haben 38 Mitarbeiter in Wien und in der Schweiz.",
      "## Filiale\n\nNiederlassung in Genf seit 2021.",
      "## Ende\n\nDie Kündigungsfrist ist drei Monate.",
      "## Konditionen\n\nMindesthonorar 21.000 EUR, je nach Auftrag."
    ].join("\n\n")
  )
  const heading = (question: string, ...files: ReadonlyArray<typeof german>) =>
    answerBySearch(buildIndex([profile, ...files]), question, []).citations[0]?.heading

  it.each([
    ["when is the delivery?", "Ablauf"],
    ["which languages do we speak?", "Sprachen"],
    ["do we speak Polish?", "Sprachen"],
    ["is a replacement free?", "Austausch"],
    ["how many employees are in Vienna?", "Haus"],
    ["are we in Switzerland?", "Haus"],
    ["do we have a branch in Geneva?", "Filiale"],
    ["what is the notice period?", "Ende"],
    ["what is the lowest fee?", "Konditionen"]
  ])("is found in English: %s", (question, expected) => assert.strictEqual(heading(question, german), expected))

  it("is found in French and Spanish too", () => {
    const french = text("## Suite\n\nLe contrat est pour une année et la livraison est dans les trois semaines.")
    const spanish = text(
      "## Resto\n\nEl contrato es para un año y la entrega se hace en tres semanas con los clientes."
    )
    for (const [file, expected] of [
      [french, "Suite"],
      [spanish, "Resto"]
    ] as const)
      for (const question of ["how long is the contract?", "when is the delivery?"])
        assert.strictEqual(heading(question, file), expected, question)
    // "Fin" in an English text must not mark it as French.
    const english = text("## Boats\n\nThe fin of the boat is of steel, and it is not for sale by us.")
    assert.notInclude(buildIndex([english]).entries[0]?.searchText, "\n")
  })

  it("may contain a word that search cannot translate, so the answer does not deny it", () => {
    const ask = (question: string, ...files: ReadonlyArray<typeof german>) =>
      answerBySearch(buildIndex(files), question, []).content
    const english = text("## Boats\n\nThe boat is of steel and we rent it by the week.")
    assert.isTrue(ask("do we have a carousel with the boat?", english).includes("Nothing mentions “carousel”"))
    const germanAnswer = ask("do we have a carousel with delivery?", german)
    assert.include(germanAnswer, "No passage has “carousel”, but a text in another language may say it otherwise.")
    assert.notMatch(germanAnswer, /Nothing mentions|^Probably not/)
    assert.isTrue(
      ask("what is our turnover?", english).startsWith("No passage") ||
        ask("what is our turnover?", english).startsWith(notInMaterial)
    )
  })
})

describe("the excerpt of a passage", () => {
  const ask = (question: string, content: string) =>
    answerBySearch(
      buildIndex([{ file_id: null, filename: "kayaks.txt", source: "imported", link: "", content }]),
      question,
      []
    )

  it("is all of a short passage, and the matching lines with their neighbours of a long one", () => {
    const short = "## Deposit\n\n- A kayak needs a deposit.\n- It is GBP 45.\n- Cards are taken."
    assert.include(ask("is there a deposit for a kayak?", short).content, "- It is GBP 45.\n- Cards are taken.")
    const rules = Array.from({ length: 12 }, (_, index) => `- Rule ${index} is about boat ${index}.`)
    const long = `## Rules\n\n${[...rules, "- Paddles stay dry.", "- They are wiped.", "- The end."].join("\n")}`
    const { content } = ask("do paddles stay dry?", long)
    assert.include(content, "- Rule 11 is about boat 11.\n- Paddles stay dry.\n- They are wiped.")
    assert.notInclude(content, "Rule 3")
    assert.notInclude(content, "The end.")
  })

  it("includes the reply after a question, and the body after a message header", () => {
    const filler = Array.from({ length: 12 }, (_, index) => `Line ${index} is about the pier.`)
    const chat = `## Chat\n\n${[...filler, "Do the kayaks have rudders?", "Two of them.", "The long ones.", "Since May.", ...filler.slice(0, 3)].join("\n")}`
    assert.include(ask("do kayaks have rudders?", chat).content, "Two of them.\nThe long ones.\nSince May.")
    const mail = `${[...filler, "From: Tom Archer", "Subject: Rudders", "Hello Ann,", "here is what you asked.", "They cost GBP 40.", "Tom"].join("\n")}`
    assert.include(ask("what did Tom Archer write of rudders?", mail).content, "They cost GBP 40.")
  })

  it("prefers a row with a price column to prices in the profile or an invoice", () => {
    const file = (source: "imported" | "profile", filename: string, content: string) =>
      ({ file_id: null, filename, source, link: "", content }) as const
    const index = buildIndex([
      file("profile", "Business profile", "## Products and services\n\n- Double kayak: from GBP 15 per day"),
      file("imported", "chat.md", "## Chat\n\nA double kayak is GBP 70."),
      file("imported", "invoice 12.md", "## Positions\n\n| Item | Price |\n| --- | --- |\n| Double kayak | GBP 90 |"),
      file("imported", "rates.csv", "- Kayak, double; price_gbp: 55; Length: 4 m")
    ])
    const { citations } = answerBySearch(index, "what would a double kayak cost?", [])
    const filenames = citations.map(({ filename }) => filename)
    assert.deepStrictEqual(filenames, ["rates.csv", "Business profile", "invoice 12.md"])
  })

  it("shows a table row with the table header, also in a long table", () => {
    const rows = Array.from({ length: 40 }, (_, index) => `| Model ${index} | ${index + 2} kg | GBP ${index + 300} |`)
    const table = ["| Kayak | Weight | Price |", "| --- | --- | --- |", ...rows, "| Otter | 19 kg | GBP 640 |"].join(
      "\n"
    )
    const { citations, content } = ask("how much is the Otter?", `## Boats\n\n${table}`)
    assert.include(content, "Kayak | Weight | Price\n- ")
    assert.include(content, "- Otter | 19 kg | GBP 640")
    assert.strictEqual(citations[0]?.lines?.[0], "Otter | 19 kg | GBP 640")
  })

  it("pairs a name with the amount in the next line, and no column of names with a column of amounts", () => {
    const alternatingLines = "## Hire\n\nSingle kayak\nGBP 18 per hour\nDouble kayak\nGBP 27 per hour\nDry bag\n20 l"
    assert.strictEqual(
      ask("what is a single kayak?", alternatingLines).citations[0]?.lines?.[0],
      "Single kayak: GBP 18 per hour"
    )
    assert.strictEqual(ask("size of the dry bag", alternatingLines).citations[0]?.lines?.[0], "Dry bag: 20 l")
    const separateColumns = "## Hire\n\nSingle kayak\nDouble kayak\nGBP 18\nGBP 27"
    assert.notInclude(ask("what is a double kayak?", separateColumns).content, "Double kayak: GBP 18")
  })

  it("uses the question above it as its heading", () => {
    const content =
      "Q. What does it cost? EUR 6 per boat.\n\nQ. Who calls you? Clubs, in May.\n\n> 3. Why you? WE ARE CLOSE."
    const headings = (question: string) => ask(question, content).citations.map(({ heading }) => heading)
    assert.strictEqual(headings("what's the price?")[0], "What does it cost?")
    assert.strictEqual(headings("are we close?")[0], "Why you?")
  })

  it("uses a short line above it as its heading, except in letters", () => {
    const content =
      "Greenwall\n\n# About\n\nWe hire plants.\n\nLiving walls\n\nReady in seven weeks. The weight is 38 kg.\n\nHi there,\n\nglad you are with us.\n\nSee you\n\nAnn"
    const headings = buildIndex([
      { file_id: null, filename: "plants.txt", source: "imported", link: "", content }
    ]).passages.map(({ heading }) => heading)
    assert.deepStrictEqual(headings, ["plants.txt", "About", "Living walls"])
    assert.strictEqual(ask("how heavy is a living wall?", content).citations[0]?.heading, "Living walls")
  })

  it("uses a line in capitals above it as its heading", () => {
    const content =
      "# About\n\nWe hire kayaks in Wroxham.\n\nRATES 2026 (GBP, ex VAT)\n\n- Kayak: GBP 18\n\nPARKING, 24 HOURS\n\nThe cars stand behind the mill."
    assert.strictEqual(ask("what does a kayak cost?", content).citations[0]?.heading, "RATES 2026 (GBP, ex VAT)")
    assert.strictEqual(ask("what is behind the mill?", content).citations[0]?.heading, "PARKING, 24 HOURS")
    assert.strictEqual(ask("who hires in Wroxham?", content).citations[0]?.heading, "About")
  })
})

describe("the introduction above the passages", () => {
  const ask = (question: string, content: string) =>
    answerBySearch(
      buildIndex([{ file_id: null, filename: "tours.md", source: "imported", link: "", content }]),
      question,
      []
    ).content

  const tours =
    "## Tours\n\n- The island tour with lunch leaves at nine.\n- The night tour is for adults.\n\n## Staff\n\nEight guides work here. Some shells are sold."

  it("does not deny the answer when a passage has two words of the question", () => {
    assert.match(
      ask("does the island lunch come from Fort Wayne Zanesville?", tours),
      /^Your material may not say this/
    )
    assert.match(ask("do we sell bicycles in Zanesville?", tours), /^(?:Probably not|No passage)/)
  })

  it("does not doubt a passage that has most of the rare words", () => {
    const toursAndBoats = `${tours}\n\n## Boats\n\n${Array.from({ length: 9 }, (_, index) => `- Boat ${index} may carry guides.`).join("\n")}`
    assert.match(ask("is the island lunch for guides on a boat?", toursAndBoats), new RegExp(`^${nearestPassages}`))
  })

  it("says which kind of value no passage gives", () => {
    const otterText = "## Boats\n\nThe Otter is 19 kg. It is built in 3 weeks.\n\n## Seats\n\nA seat is KES 900."
    const answerTo = (question: string) => ask(question, otterText)
    assert.match(answerTo("how much is the Otter?"), /^Your material may not say this: no passage gives a price beside/)
    assert.match(answerTo("when was the Otter built?"), /no passage gives a date/)
    assert.match(
      ask("what does a mast cost?", "## Masts\n\n- Mast; price (net): 900"),
      new RegExp(`^${nearestPassages}`)
    )
    for (const question of ["how much is a seat?", "how long is the Otter built?", "does the Otter cost much?"])
      assert.match(answerTo(question), new RegExp(`^${nearestPassages}`), question)
  })

  it("names the decisive word that no text has", () => {
    assert.match(ask("who founded the tours?", tours), /^(?:Your material may not say this|Probably not).*“founded”/)
    // "Retail" must not match "retain".
    assert.include(ask("is there a retail tour?", tours), "Nothing mentions “retail”")
  })

  it("accepts a price after its currency and a colon", () => {
    const rates = "## Rates\n\n- Weekend work; Unit: day; EUR: 1,200\n- Steam; Unit: day; EUR: 890"
    assert.match(ask("how much is weekend work?", rates), new RegExp(`^${nearestPassages}`))
  })

  it("accepts a number after its label", () => {
    const answer = ask("how many seats do we rent?", "## 2025\n\n- Rented seats: 412\n- Rented boats: 9")
    assert.match(answer, new RegExp(`^${nearestPassages}`))
  })

  it("does not doubt a passage because of missing verbs or adjectives", () => {
    const dinghyText =
      "## Dinghies\n\nTwo dinghies lie at the pier. A dinghy is checked in April.\n\n## Crews\n\n4 crews at present."
    const answerTo = (question: string) => ask(question, dinghyText)
    for (const question of ["Are the dinghies outside the pier normal?", "Do crews check a dinghy?"])
      assert.match(answerTo(question), new RegExp(`^${nearestPassages}`), question)
    assert.include(answerTo("Are the dinghies outside the pier normal?"), "Nothing mentions “outside” or “normal”")
    assert.include(answerTo("What does Rob dislike in dinghies?"), "Nothing mentions “rob” or “dislike”")
    assert.match(answerTo("How many installation crews do we have?"), /^Your material may not say this.*“installation”/)
    assert.match(answerTo("Do we paint dinghies?"), /^Your material may not say this. Nothing mentions “paint”/)
    assert.include(answerTo("Is a dinghy checked before March?"), maybeMissing)
    assert.include(answerTo("Which dinghies at the pier has Ann Present checked?"), maybeMissing)
    assert.include(answerTo("Is a dinghy checked before March?"), "“march”")
  })

  it("quotes the words of the question as typed", () => {
    const text =
      "## Bay\n\nOtters swim.\n\n## Shop\n\nShells shine.\n\n## Office\n\nLanterns hang.\n\n## Mill\n\nBarley grows."
    const answer = ask("otters shellz lanternz barlee", text)
    assert.match(answer, /the first lacks “\p{L}+”/u)
    for (const [, word = ""] of answer.matchAll(/“([^”]+)”/g))
      assert.include(["otters", "shellz", "lanternz", "barlee"], word)
  })
})

describe("a question as salespeople type it", () => {
  it.live("that names a lead shows the lead's emails only if it asks for them", () =>
    withBuiltinWriter(
      Effect.gen(function* () {
        const { campaign, caller } = yield* callerWithCampaign({
          details: { ...forkliftCompany, additional_info: "Birgit Kurz says that her dock is closed in May." }
        })
        const options = { email_count: 2, email_signature: "Ann", list_name: "Leipzig" }
        const { list_id } = yield* expectBody(
          202,
          caller.post(`/campaigns/${campaign}/generate-batch`, { leads: [defaultLeads[0]], options })
        )
        yield* waitForList(caller, list_id)
        const ask = (message: string) => expectBody(200, caller.post("/agent/chat", { campaign_id: campaign, message }))
        const answer = yield* ask("What did Birgit Kurz tell us?")
        assert.include(answer.message.content, "her dock is closed in May")
        assert.notInclude(answer.message.content, "**Email 1.")
        assert.include((yield* ask("What did we tell Birgit Kurz?")).message.content, "**Email 1.")
      })
    )
  )

  it("does not need earlier questions when its pronoun refers to its own noun", () => {
    const userMessage = { role: "user", content: "what does a crown cost?" } as const
    assert.deepStrictEqual(earlierQuestions("what do clients say when they leave?", [userMessage]), [])
    assert.deepStrictEqual(earlierQuestions("which are the teeth that we whiten?", [userMessage]), [])
    assert.lengthOf(earlierQuestions("and do they hold?", [userMessage]), 1)
    assert.lengthOf(earlierQuestions("what does that cost them?", [userMessage]), 1)
  })

  it.live("is answered from the matching passage, or the answer claims nothing", () =>
    withBuiltinWriter(
      checkAnswers(forkliftCompany, [
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

  it.live("is answered that there are no lists before the first", () =>
    withBuiltinWriter(
      Effect.gen(function* () {
        const { campaign, caller } = yield* callerWithCampaign({ details: linenCompany })
        const { message } = yield* expectBody(
          200,
          caller.post("/agent/chat", { campaign_id: campaign, message: "Which lists do we have?" })
        )
        assert.include(message.content, "There are no lists yet.")
        assert.notInclude(message.content, "one at a time")
        const [ada] = linenLeads
        yield* expectBody(
          200,
          caller.post(`/campaigns/${campaign}/generate`, {
            lead: ada,
            options: { email_count: 2, email_signature: "Ann" }
          })
        )
        const summary = yield* expectBody(
          200,
          caller.post("/agent/chat", { campaign_id: campaign, message: "Summarise this campaign" })
        )
        assert.include(summary.message.content, "Written one at a time, outside of lists: 1 lead, 2 emails written")
        assert.notInclude(summary.message.content, "no lists yet")
      })
    )
  )

  it.live("about clients, prices, objections and leads is answered only when everything it names is known", () =>
    withBuiltinWriter(
      checkAnswers(
        linenCompany,
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
        linenLeads
      )
    )
  )

  it.live("without known words is answered with the nearest passages", () =>
    withBuiltinWriter(
      Effect.gen(function* () {
        const { campaign, caller } = yield* callerWithCampaign({ details: linenCompany })
        const message = "do we go to Belfast?"
        const { citations, nearest } = yield* expectBody(
          200,
          caller.post("/agent/chat", { campaign_id: campaign, message })
        )
        assert.deepStrictEqual(citations, [])
        assert.include(nearest[0].lines, "We do not serve Wales.")
      })
    )
  )

  it.live("is answered from the profile and the selections as they are now", () =>
    withBuiltinWriter(
      Effect.gen(function* () {
        const { campaign, caller } = yield* callerWithCampaign({ details: linenCompany })
        yield* expectBody(200, caller.put("/workspace/details", { additional_info: "Starting takes five weeks." }))
        const message = "How long does starting take?"
        const answer = yield* expectBody(200, caller.post("/agent/chat", { campaign_id: campaign, message }))
        assert.deepInclude(answer.citations[0], { filename: "Business profile", passage: "Starting takes five weeks." })
        assert.notInclude(JSON.stringify(answer), "three weeks")
        yield* expectBody(
          200,
          caller.put(`/campaigns/${campaign}/assets/risk_reversal/selection`, { selected_ids: [] })
        )
        const guaranteeAnswer = yield* expectBody(
          200,
          caller.post("/agent/chat", { campaign_id: campaign, message: "Which guarantee did we choose?" })
        )
        assert.deepInclude(guaranteeAnswer.citations[0], { heading: "Chosen risk reversal", passage: "- None chosen" })
      })
    )
  )

  it.live("may be German", () =>
    withBuiltinWriter(
      checkAnswers(labCompany, [
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

it.live("lets other requests run while the index of a long text is built", () =>
  Effect.gen(function* () {
    const content = Array.from({ length: 3000 }, (_, at) => `- Part ${at} costs EUR ${at * 7}`).join("\n")
    let turns = 0
    const others = Effect.forever(
      Effect.andThen(
        Effect.yieldNow,
        Effect.sync(() => void turns++)
      )
    )
    const file = { file_id: null, filename: "prices.txt", source: "imported", link: "", content } as const
    const index = yield* Effect.raceFirst(Index.buildIndex([file]), others)
    assert.lengthOf(index.entries, 3000)
    assert.isAtLeast(turns, 10)
  })
)
