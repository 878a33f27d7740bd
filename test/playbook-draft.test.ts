// test/playbook-draft.test.ts: playbooks drafted without a model, for complete, incomplete and arbitrary profiles.
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Effect, Schema } from "effect"
import { fieldOptionDrafts, valuePropositions } from "#layers/generator/builtin/Options.ts"
import type { DraftedPersona } from "#layers/generator/playbook/PlaybookSnapshot.ts"
import { draftPersona, draftPlaybook, draftPlaybookInTurns } from "#layers/generator/playbook/DraftPlaybook.ts"
import { templateProblems, render } from "#layers/generator/playbook/LiquidTemplate.ts"
import { runInTurns } from "#layers/lib/Turns.ts"
import { sellingPoints } from "#layers/generator/playbook/SellingPoints.ts"
import { offerTopic, productTopic, saysChange } from "#layers/generator/playbook/SubjectTopics.ts"
import type { Variables } from "#layers/generator/playbook/TemplateVariables.ts"
import { type Campaign, type Choice, noChoices } from "#layers/Generator.ts"
import { routePersona } from "#layers/generator/routing/RoutePersona.ts"
import { noSegment } from "#schema/Audiences.ts"
import { type Details, noDetails } from "#schema/Details.ts"
import hollowell from "./fixtures/hollowell.json" with { type: "json" }

const cleaningCompany: Details = {
  ...noDetails,
  company_name: "Buckeye Brite Cleaning LLC",
  industry_vertical: "Commercial cleaning",
  target_job_titles: "Facilities Manager, Practice Administrator, Owner, Finance Director",
  business_description:
    "We clean offices, medical clinics and churches in central Ohio. A supervisor inspects each site once a week and sends you photos. Every crew member is our own employee.",
  pain_points:
    "cleaning crews turn over and no one tells you; medical areas are cleaned like offices; invoices do not match the contract; buildings of 8,000 square feet get one cleaner",
  unique_differentiators: "Same crew for at least 12 months on 9 of 10 sites\nAn answered phone until 10 pm",
  objections_and_responses: "We already have a cleaner: keep them for the offices and try us on one floor.",
  case_studies: [
    "Olentangy Family Medicine went from 14 cleaning complaints a month to 1 after switching 3 clinics to us.",
    "A distribution centre in Grove City saved $1,900 a month against its national vendor."
  ],
  credibility_markers: ["Family-owned since 1994"],
  guarantee: ["We come back within 4 hours or that night is free."],
  lead_magnets: ["Walk-through and a written price in 48 hours"]
}
const thinProfile: Details = {
  ...noDetails,
  company_name: "Brightpath Staffing",
  target_job_titles: "Warehouse Manager",
  business_description: "We find warehouse staff for logistics companies in the Midlands."
}

const campaignOf = (profile: Details, choices: Partial<Campaign> = {}): Campaign => ({
  profile,
  audience: noSegment,
  ...noChoices,
  ...choices
})
const choiceOf = (...descriptions: ReadonlyArray<string>): Choice => ({
  items: descriptions.map((description, index) => ({ name: `Option ${index + 1}`, description })),
  additional_details: null
})

const promise = "Shoppers {see} an exchange before a refund, so more of the sale stays with you."
const campaignWithChoices = campaignOf(cleaningCompany, {
  value_proposition: choiceOf(promise),
  social_proof: choiceOf("A dentist in Dublin, Ohio has not called us in 9 months."),
  lead_magnet: choiceOf("Floor audit: we grade 12 rooms"),
  risk_reversal: choiceOf("Leave any month, with no fee.")
})

const namelessLead: Variables = { email: "maya@oak.example", custom: {} }
const variables: Variables = { ...namelessLead, first_name: "Maya", company: "Oak & Ember" }
/** The persona's emails for a lead: of each step the given variant, or the first. */
const renderedEmails = (persona: DraftedPersona, variant = 1, values = variables) =>
  persona.templates
    .filter(
      ({ step, variant: templateVariant }) =>
        templateVariant === variant ||
        (templateVariant === 1 && !persona.templates.some((other) => other.step === step && other.variant === variant))
    )
    .map((template) => {
      const result = render(template, values)
      if (result._tag === "Failure") throw new Error(result.failure.message)
      return { step: template.step, ...result.success }
    })

const bodies = (persona: DraftedPersona, variant = 1) => renderedEmails(persona, variant).map(({ body }) => body)
const variants = (persona: DraftedPersona) =>
  persona.templates.filter(({ step }) => step === 1).map(({ variant }) => variant)

describe("a playbook of a full profile", () => {
  const personas = draftPlaybook(campaignOf(cleaningCompany))

  it("has at most four roles, and last everyone else without titles", () => {
    assert.isAtMost(personas.length, 5)
    assert.deepStrictEqual(
      personas.map(({ kind }) => kind),
      [...personas.slice(1).map(() => "role" as const), "everyone_else"]
    )
    assert.deepStrictEqual(personas.at(-1)?.titles, [])
    const titles = ["Facilities Manager", "Finance Director", "Owner", "Practice Administrator"]
    assert.deepStrictEqual(personas.flatMap((persona) => [...persona.titles]).toSorted(), titles)
  })

  it("gives each department its own problem", () => {
    const problemOf = (title: string) => personas.find((persona) => persona.titles.includes(title))?.message.problem
    assert.strictEqual(problemOf("Finance Director"), "invoices do not match the contract")
    assert.strictEqual(problemOf("Facilities Manager"), "cleaning crews turn over and no one tells you")
  })

  it("has four emails for each persona, and every first one says what the sender does", () => {
    for (const persona of personas)
      for (const variant of variants(persona)) {
        const emails = renderedEmails(persona, variant)
        assert.deepStrictEqual(
          emails.map(({ step }) => step),
          [1, 2, 3, 4]
        )
        assert.include(emails[0]?.body, persona.message.what_we_do ?? "nothing")
        assert.include(emails[0]?.body, "We clean offices, medical clinics and churches in central Ohio.")
      }
  })

  it("does not repeat facts within a sequence, and later emails are shorter than the first", () => {
    const facts = [
      ...(cleaningCompany.business_description ?? "").split(/(?<=\.) /),
      ...(cleaningCompany.pain_points ?? "").split("; "),
      ...(cleaningCompany.unique_differentiators ?? "").split("\n"),
      ...[
        cleaningCompany.case_studies,
        cleaningCompany.credibility_markers,
        cleaningCompany.guarantee,
        cleaningCompany.lead_magnets
      ].flatMap((list) => list ?? [])
    ]
    for (const persona of personas)
      for (const variant of variants(persona)) {
        const lowerBodies = bodies(persona, variant).map((body) => body.toLowerCase())
        for (const fact of facts)
          assert.isAtMost(lowerBodies.filter((body) => body.includes(fact.toLowerCase())).length, 1, fact)
        for (const body of lowerBodies.slice(1)) assert.isBelow(body.length, lowerBodies[0]?.length ?? 0)
      }
  })

  it("asks everyone else for the right person and claims nothing about their role", () => {
    const [first] = bodies(personas.at(-1) ?? assert.fail())
    assert.match(first ?? "", /familiar at [^?]+, or a question for a colleague\?/)
    assert.notMatch(first ?? "", /your (?:team|numbers)/)
  })

  it("never has the same subject twice in a sequence, nor two first emails that start or end alike", () => {
    for (const persona of personas) {
      for (const variant of variants(persona)) {
        const subjects = renderedEmails(persona, variant).map(({ subject }) => subject.toLowerCase())
        assert.deepStrictEqual([...new Set(subjects)], subjects)
      }
      const [firstBody, secondBody] = variants(persona).map(
        (variant) => bodies(persona, variant)[0]?.split("\n\n") ?? []
      )
      assert.notStrictEqual(firstBody?.[1], secondBody?.[1])
      assert.notStrictEqual(firstBody?.at(-1), secondBody?.at(-1))
    }
  })

  it("introduces later emails to different roles with different words", () => {
    const [firstBody, secondBody] = personas.filter(({ kind }) => kind === "role").map((persona) => bodies(persona))
    assert.notStrictEqual(firstBody?.[3]?.split("\n\n")[2], secondBody?.[3]?.split("\n\n")[2])
  })

  it("prefers a problem that is a whole sentence, or one with a matching client result", () => {
    const draftMessage = (pain_points: string) =>
      draftPlaybook(
        campaignOf({
          ...cleaningCompany,
          target_job_titles: "Warehouse Manager",
          pain_points,
          case_studies: ["Castlegate Foods got 61 taped-off bays back within two weekends."]
        })
      )[0]?.message
    assert.strictEqual(
      draftMessage("pallets of three makes on one site, no drawings; Red bays leave stock without a place.")?.problem,
      "Red bays leave stock without a place"
    )
    const message = draftMessage("Empty lanes wait for stock; Empty bays wait for stock")
    assert.strictEqual(message?.problem, "Empty bays wait for stock")
    assert.include(message?.proof, "Castlegate")
  })

  it("notes a problem that cannot begin an email, with the reason", () => {
    const missingNote = (pain_points: string) =>
      draftPlaybook(
        campaignOf({ ...cleaningCompany, target_job_titles: "Warehouse Manager", problems_solved: "", pain_points })
      )
        .flatMap(({ missing }) => missing)
        .find(({ message, part }) => part === "problem" && message.includes("begin with it"))?.message
    assert.match(missingNote("20-week lead time for racks") ?? "", /“20-week lead time for racks” as a whole sentence/)
    // A whole sentence, but it reads like news about one warehouse.
    const note = missingNote("The warehouse cannot be closed for repairs.") ?? ""
    assert.match(note, /“The warehouse cannot be closed for repairs” of companies in general/)
    assert.notMatch(note, /whole sentence/)
  })

  it("asks its question directly after the problem", () => {
    const firstEmail = (pain_points: string, variant = 1) => {
      const profile = { ...cleaningCompany, target_job_titles: "Facilities Manager", pain_points }
      return bodies(draftPlaybook(campaignOf(profile))[0] ?? assert.fail("no persona"), variant)[0] ?? ""
    }
    const generalProblem = "Cleaners leave the restrooms to the last hour."
    // The question follows the problem directly.
    assert.match(
      firstEmail(generalProblem),
      /^Hi Maya,\n\n[^\n]+\. Cleaners leave the restrooms to the last hour\. [^\n]+\?\n\nWe clean/
    )
    assert.match(
      firstEmail(generalProblem, 2),
      /\n\n[^\n]+\. Cleaners leave the restrooms to the last hour\. [^\n]+\?$/
    )
    for (const note of [
      "the restrooms cannot be closed for cleaning",
      "Cleaner leaves the restrooms to the last hour."
    ]) {
      const line = note.replace(/\.$/, "").replace(/^the/, "The")
      // A note is on a separate line, followed by the question.
      assert.match(firstEmail(note), new RegExp(`^Hi Maya,\\n\\n[^\\n]+:\\n${line}\\.\\n\\n[^\\n]+\\?\\n\\nWe clean`))
      assert.match(firstEmail(note, 2), /^Hi Maya,\n\nWe clean offices/)
      assert.match(firstEmail(note, 2), new RegExp(`\\n\\nThe problem we solve:\\n${line}\\.\\n\\n[^\\n]*\\?$`))
    }
  })

  it("does not use a failed job or a fragment of a clause", () => {
    const failedJob = "A hotel in Akron did not work out, the floor was too old."
    const [goodResult = ""] = cleaningCompany.case_studies ?? []
    const pain_points = "Quoted 40k, whole lot needs ripping out before any visit."
    const profile = { ...cleaningCompany, case_studies: [failedJob, goodResult], pain_points }
    for (const persona of draftPlaybook(campaignOf(profile)))
      for (const { body, subject } of persona.templates) {
        assert.notInclude(body, "did not work out")
        assert.notInclude(subject, "lot needs")
      }
  })

  it("gives a title the problem and the result that share a word with it", () => {
    const pain_points = "Droppings on pallets fail audits; Panels at a solar farm lose output to nests"
    const case_studies = [
      "A mill had 60 pigeons in June instead of 1,100.",
      "A solar park near Upington got 4% more output."
    ]
    const target_job_titles = "Shopping Centre Operations Manager, Solar Plant Operations Manager"
    const business_description = "We fly hawks over places where pigeons cost people money."
    const profile = {
      ...noDetails,
      company_name: "Kestrel",
      business_description,
      pain_points,
      case_studies,
      target_job_titles
    }
    const roles = draftPlaybook(campaignOf(profile)).map(({ kind, message, name, titles }) => ({
      kind,
      message,
      name,
      titles
    }))
    const solarPersona =
      roles.find(({ name }) => name === "Solar Plant Operations Manager") ?? assert.fail("no persona of its own")
    assert.include(solarPersona.message.problem, "solar farm")
    assert.include(solarPersona.message.proof, "solar park")
    const personas = roles.map((role, index) => ({ ...role, id: String(index) }))
    assert.strictEqual(routePersona("Operations Manager Solar", personas).persona, solarPersona.name)
    assert.notStrictEqual(routePersona("Centre Operations Manager", personas).persona, solarPersona.name)
  })

  it("begins with the problem for everyone else, in the user's words if there are any", () => {
    const everyoneElse = personas.at(-1) ?? assert.fail("no persona for other titles")
    assert.match(bodies(everyoneElse)[0] ?? "", /^Hi Maya,\n\n[^\n]+\?\n\nWe clean offices/)
    const problem = "In many clinics the waiting room is judged before the doctors are."
    const typedPersona = draftPersona(campaignOf(cleaningCompany), {
      ...everyoneElse,
      message: { ...everyoneElse.message, problem }
    })
    assert.isTrue(bodies(typedPersona)[0]?.startsWith(`Hi Maya,\n\n${problem} `))
  })

  it("describes how it works with the sentence about the reader's problem", () => {
    const description =
      "We clean offices. A supervisor inspects each site once a week. The invoices follow the contract line by line."
    const firstPersona = (title: string) =>
      draftPlaybook(campaignOf({ ...cleaningCompany, business_description: description, target_job_titles: title }))[0]
    assert.include(
      firstPersona("Finance Director")?.message.what_we_do,
      "The invoices follow the contract line by line."
    )
    assert.include(
      firstPersona("Facilities Manager")?.message.what_we_do,
      "A supervisor inspects each site once a week."
    )
  })

  it("does not ask owners for a colleague, and promises only the guarantee", () => {
    const [owner = assert.fail("no persona")] = draftPlaybook(
      campaignOf({ ...cleaningCompany, target_job_titles: "Owner" })
    )
    assert.notMatch(bodies(owner).join("\n"), /colleague|risk/)
    assert.include(bodies(owner)[3], cleaningCompany.guarantee?.[0] ?? "no guarantee")
  })

  it("renders for a lead without a name and a company, and names neither", () => {
    for (const persona of personas)
      for (const { body, subject } of renderedEmails(persona, 1, namelessLead)) {
        assert.match(body, /^Hello,/)
        assert.notMatch(body + subject, / at\?| at ,|\{|\}| {2}/)
      }
  })

  it("adds a persona for heads of a business if no title names them", () => {
    const titlesOf = (target_job_titles: string) =>
      draftPlaybook(campaignOf({ ...cleaningCompany, target_job_titles })).flatMap(({ titles }) => [...titles])
    assert.include(titlesOf("Facilities Manager"), "Managing Director")
    assert.notInclude(titlesOf("Facilities Manager, Founder"), "Managing Director")
    const manyTitles = draftPlaybook(
      campaignOf({
        ...cleaningCompany,
        target_job_titles: "Facilities Manager, Software Engineer, Finance Director, Warehouse Manager, HR Manager"
      })
    )
    assert.isAtMost(manyTitles.length, 5)
  })

  it("says what the sender does differently about the problem, and what a client got", () => {
    const difference = "Own workshop, so spare valves are made in 48 hours."
    const result = "Oak Foods: spare valves in 2 days instead of 5 weeks."
    const profile = {
      ...cleaningCompany,
      target_job_titles: "Maintenance Engineer",
      pain_points: "Spare valves take 5 weeks.",
      unique_differentiators: `Family team. ${difference}`,
      case_studies: [result],
      credibility_markers: null
    }
    const campaign = campaignOf(profile, { social_proof: choiceOf(result) })
    const [first = ""] = bodies(draftPlaybook(campaign)[0] ?? assert.fail("no persona"))
    assert.include(first, difference)
    assert.notInclude(first, "Family team")
    assert.include(first, `The result at ${result}`)
  })

  it("introduces a result without a client name, and words an offer that the reader requests", () => {
    const result = "Waste fell from 9% to 1.4% in a year."
    const offer = "Ask for a free photo report of one room."
    const profile = { ...cleaningCompany, case_studies: [result], lead_magnets: [offer] }
    const campaign = campaignOf(profile, { social_proof: choiceOf(result), lead_magnet: choiceOf(offer) })
    for (const persona of draftPlaybook(campaign)) {
      const allBodies = variants(persona).flatMap((variant) => bodies(persona, variant))
      const paragraphs = allBodies.flatMap((body) => body.split("\n\n"))
      assert.include(allBodies.join("\n"), result)
      assert.notInclude(paragraphs, result)
      const emailsWithOffer = allBodies.filter((body) => body.includes(offer))
      assert.isNotEmpty(emailsWithOffer)
      for (const body of emailsWithOffer)
        assert.notMatch(body, /set it up|Shall we do that|What we could do first|send it/)
    }
  })

  it("does not ask for proof when there is no problem", () => {
    const profile = { ...thinProfile, case_studies: ["Oak Foods: waste fell from 9% to 1%."] }
    for (const { message, missing } of draftPlaybook(campaignOf(profile))) {
      assert.deepStrictEqual([message.problem, message.proof], [null, null])
      assert.notInclude(
        missing.map(({ part }) => part),
        "proof"
      )
    }
  })

  it("offers to send a document that begins with its title", () => {
    for (const offer of [
      "“Seven places your air is leaking” – a four-page guide, posted or by email.",
      'Checklist "Before the calibration officer comes" (English, Deutsch)'
    ])
      for (const persona of draftPlaybook(
        campaignOf({ ...cleaningCompany, lead_magnets: [offer], case_studies: null })
      )) {
        const allBodies = variants(persona).flatMap((variant) => bodies(persona, variant))
        for (const body of allBodies.filter((body) => body.includes(offer.slice(0, 30))))
          assert.match(body, /send it|copy/)
      }
  })

  it("does not use a lead's notes or trigger columns", () => {
    const leadWithNotes = { ...variables, custom: { notes: "41 locations", recent_news: "new site" } }
    for (const persona of personas)
      for (const variant of variants(persona))
        assert.deepStrictEqual(
          renderedEmails(persona, variant, leadWithNotes),
          renderedEmails(persona, variant, variables)
        )
  })

  it("asks a role about its problem directly after it, and asks only everyone else for a colleague", () => {
    for (const persona of personas)
      for (const { body } of persona.templates) {
        if (persona.kind === "role") assert.notMatch(body, /colleague|Who (?:deals|looks)|right person/)
        const problem = persona.message.problem?.replace(/\.$/, "").toLowerCase() ?? "no problem"
        const question = /(?:familiar|that problem|same problem|the same (?:at|for))/.test(body)
        if (persona.kind === "role" && question)
          assert.match(body.toLowerCase().split(problem)[1] ?? "", /^\.\s+[^.\n]*(?:familiar|problem|the same)/)
      }
  })

  it("presents a drafted problem as something the sender hears, not as a fact about the reader", () => {
    const [role = assert.fail("no persona")] = draftPlaybook(
      campaignOf({ ...cleaningCompany, pain_points: "Quarterly checks on medical areas are behind." })
    )
    for (const variant of variants(role)) {
      const first = bodies(role, variant)[0] ?? ""
      const position = first.indexOf("Quarterly checks")
      if (position > -1)
        assert.match(
          first.slice(0, position),
          /(?:We hear this a lot|We see this problem often|This is the problem we solve|one problem)\. $/
        )
    }
  })

  it("does not present a workload as a result, and omits an objection answered with a question", () => {
    const countOfWork = "Oak Foods: 14,000 calls about spare valves"
    const profile = {
      ...cleaningCompany,
      target_job_titles: "Maintenance Engineer",
      pain_points: "Spare valves take 5 weeks.",
      case_studies: [countOfWork],
      credibility_markers: null,
      objections_and_responses: "We have an agency: How many of those hours are on overtime?"
    }
    const text = JSON.stringify(
      draftPlaybook(campaignOf(profile, { social_proof: choiceOf(countOfWork) })).map((persona) => persona.templates)
    )
    assert.include(text, `Work we have done:\\n${countOfWork}`)
    assert.notInclude(text, "The result at Oak")
    assert.isTrue(saysChange("Calder Homes: surveys turned round in 26 hours, it was 8 working days"))
    assert.isFalse(saysChange("Calder Homes: set up 14 lines, with more than 400 calls"))
    assert.notInclude(text, "on overtime")
  })

  it("has several variants per step, each with the selected offer", () => {
    for (const persona of draftPlaybook(campaignWithChoices).filter(({ kind }) => kind === "role")) {
      const steps = Map.groupBy(persona.templates, ({ step }) => step)
      for (const [step, templates] of steps) {
        assert.isAtLeast(templates.length, 2, `step ${step}`)
        assert.strictEqual(new Set(templates.map(({ body }) => body)).size, templates.length)
      }
      for (const { body } of steps.get(2) ?? []) assert.include(body, "Floor audit: we grade 12 rooms")
    }
    // Personas begin their emails in different ways.
    const openings = personas
      .filter(({ kind }) => kind === "role")
      .map((persona) => [2, 3].map((variant) => bodies(persona, variant)[0]?.split("\n\n")[1]?.slice(0, 20)).join())
    assert.isAbove(new Set(openings).size, 1)
  })

  it("does not use a kind of buyer as a subject", () => {
    const business_description = "We wash tanks, hoses and lines for food factories, chemical plants and breweries."
    const profile = { ...cleaningCompany, business_description, pain_points: "chemical plants wait for a clean tank" }
    for (const { templates } of draftPlaybook(campaignOf(profile)))
      for (const { subject } of templates) assert.notMatch(subject, /plants|factories|breweries/i)
    assert.isNull(productTopic("We work for chemical plants.", null))
    assert.notMatch(productTopic("We help chemical plants cut their energy bills.", null) ?? "", /plants/)
  })

  it("does not repeat the promise as a difference", () => {
    const difference = "An answered phone until 10 pm for medical areas"
    const profile = { ...cleaningCompany, unique_differentiators: difference }
    for (const persona of draftPlaybook(campaignOf(profile, { value_proposition: choiceOf(difference) })))
      for (const variant of variants(persona)) assert.lengthOf((bodies(persona, variant)[0] ?? "").split(difference), 2)
  })

  it("splits a quoted objection and its answer at the dash", () => {
    const objections_and_responses = '"Switching is a pain" - we bring the keys, the plan and the crew.'
    const [persona] = draftPlaybook(campaignOf({ ...cleaningCompany, objections_and_responses }))
    assert.include(JSON.stringify(persona?.templates), "“Switching is a pain.”")
  })

  it("splits notes in one line into problems", () => {
    const pain_points = "wrong pay on sleep-ins. queries at 9pm. holiday pay by hand"
    const { message } =
      draftPlaybook(campaignOf({ ...cleaningCompany, pain_points })).at(-1) ?? assert.fail("no persona")
    assert.strictEqual(message.problem, "wrong pay on sleep-ins")
  })

  it("keeps a first email of long sentences short, and moves the result to a later email", () => {
    const longSentence = (start: string, end: string) =>
      `${start} ${"and then the crew of the next floor has to wait ".repeat(2)}${end}`
    const result = longSentence("A clinic in Dublin had its restrooms cleaned first by our crew", "for nothing.")
    const profile = {
      ...cleaningCompany,
      target_job_titles: "Facilities Manager",
      pain_points: longSentence("Cleaning crews leave the restrooms to the last hour of the night", "for the keys."),
      business_description:
        "We clean offices, medical clinics and churches in central Ohio with crews of our own, who come on the nights that you choose, begin with the rooms that your patients see first, and leave photos of each of them for the person who opens in the morning.",
      case_studies: [result],
      credibility_markers: null
    }
    const campaign = campaignOf(profile, { social_proof: choiceOf(result) })
    const [first = "", ...laterBodies] = bodies(draftPlaybook(campaign)[0] ?? assert.fail("no persona"))
    assert.isAtMost(first.split(/\s+/).length, 140)
    assert.include(laterBodies.join("\n"), "A clinic in Dublin")
  })

  it("uses a sentence that begins with a year as the description", () => {
    const soldSentence = "Since 1987 we have built washers for laboratories at our own factory."
    const description = `${soldSentence} We deliver and install them ourselves in Denmark.`
    const [persona] = draftPlaybook(campaignOf({ ...cleaningCompany, business_description: description }))
    assert.include(persona?.message.what_we_do, soldSentence)
    const history = "Since 1987, a family business. We deliver and install washers ourselves in Denmark."
    const [otherPersona] = draftPlaybook(campaignOf({ ...cleaningCompany, business_description: history }))
    assert.notInclude(otherPersona?.message.what_we_do, "Since 1987")
  })

  it("asks for the meeting that the profile names, if it has a length", () => {
    const allEmails = (primary_goal: string) =>
      draftPlaybook(campaignOf({ ...cleaningCompany, primary_goal }))
        .flatMap((persona) => bodies(persona))
        .join("\n")
    assert.match(allEmails("Book 25 min calls with practice managers"), /\ba 25-minute call\b/)
    assert.match(allEmails("8-minute phone calls"), /\ban 8-minute phone call\b/)
    assert.notMatch(allEmails("Get calls with practice managers"), /-minute/)
  })

  it("lowercases a trade after the name only if the profile does", () => {
    const whatWeDo = (business_description: string) =>
      draftPlaybook(
        campaignOf({ ...cleaningCompany, business_description, pain_points: "payroll mistakes come back every month." })
      )[0]?.message.what_we_do
    assert.match(whatWeDo("Payroll bureau that only does care") ?? "", /^We're Buckeye Brite Cleaning: payroll bureau/)
    assert.match(
      whatWeDo("Paylocity bureau that only does care") ?? "",
      /^We're Buckeye Brite Cleaning: Paylocity bureau/
    )
  })

  it("uses different problems in the first emails, and asks everyone else for the right person", () => {
    const problems = (cleaningCompany.pain_points ?? "").split("; ")
    for (const persona of personas) {
      const firstEmails = variants(persona).map((variant) => (bodies(persona, variant)[0] ?? "").toLowerCase())
      const usedProblems = problems.filter((problem) => firstEmails.some((first) => first.includes(problem)))
      assert.isAbove(usedProblems.length, 1, persona.name)
      assert.strictEqual(
        firstEmails.some((first) => first.endsWith("a name is all i need: who looks after this at oak & ember?")),
        persona.kind === "everyone_else"
      )
      // A problem written by the user is used in all first emails.
      const problem = "Night crews go home early."
      const typedPersona = draftPersona(campaignOf(cleaningCompany), {
        ...persona,
        message: { ...persona.message, problem }
      })
      for (const first of variants(typedPersona).map((variant) => bodies(typedPersona, variant)[0] ?? ""))
        assert.include(first, problem.slice(0, -1))
    }
  })

  it("mentions the competitor and the count from lead columns", () => {
    const [role = assert.fail("no persona"), ...others] = draftPlaybook(
      campaignOf({ ...cleaningCompany, ideal_client_description: "Companies with 3 to 40 sites within 60 miles." })
    )
    const firstEmail = (persona: DraftedPersona, values: Partial<Variables>) =>
      renderedEmails(persona, 1, { ...variables, ...values })[0]?.body ?? ""
    assert.match(firstEmail(role, { custom: { sites: "12", miles: 9 } }), / at Oak & Ember(?: today)?, with 12 sites\?/)
    for (const sites of ["4", "n/a", "many", ""]) assert.notInclude(firstEmail(role, { custom: { sites } }), "sites")
    assert.match(firstEmail(role, { competitor: "Halden" }), /Does Halden solve that for you at Oak & Ember\?/)
    assert.match(
      firstEmail(others.at(-1) ?? role, { competitor: "Halden" }),
      /Does Halden solve that at Oak & Ember, or would a colleague know\?/
    )
  })

  it("does not use a sentence without a subject as a difference, and shortens a long problem for the subject line", () => {
    const difference = "Reads the invoices of each contract every night."
    const pain_points = "invoices miss the agreed discount and the second reminder goes to the wrong address"
    const [role = assert.fail("no persona")] = draftPlaybook(
      campaignOf({
        ...cleaningCompany,
        target_job_titles: "Finance Director",
        unique_differentiators: difference,
        pain_points
      })
    )
    assert.notInclude(bodies(role)[0], difference)
    assert.strictEqual(renderedEmails(role)[0]?.subject, "Invoices miss the agreed discount")
  })

  it("is the same when drafted again", () =>
    assert.deepStrictEqual(draftPlaybook(campaignOf(cleaningCompany)), personas))
})

it("takes the product from the description, without the sender's name", () => {
  const vetsText =
    "We're Front Range Relief Vets. Relief veterinarians for small animal and mixed practices in Colorado."
  assert.strictEqual(productTopic(vetsText, "Front Range Relief Vets"), "Relief veterinarians")
  const buildersText = "Ironclad Fit-Out designs and builds clinics for dental practices in Texas."
  assert.notInclude(productTopic(buildersText, "Ironclad Fit-Out") ?? "", "Fit-Out")
})

describe("the campaign's selections", () => {
  it("appear in every sequence verbatim", () => {
    for (const persona of draftPlaybook(campaignWithChoices))
      for (const variant of variants(persona)) {
        const [first = "", second = "", third = "", last = ""] = bodies(persona, variant)
        assert.include(first, promise)
        assert.include(`${second}\n${third}`, "Floor audit: we grade 12 rooms")
        assert.include(last, "Leave any month, with no fee.")
        for (const sequence of [
          [first, last],
          [first, second, last],
          [first, second, third, last]
        ])
          assert.lengthOf(sequence.join("\n").split("A dentist in Dublin, Ohio has not called us in 9 months."), 2)
      }
  })

  it("use a result in the first email only if it is about the problem or the product", () => {
    const resultAboutProduct = "A medical clinic in Akron got photos of every site inspected each week."
    for (const persona of draftPlaybook(campaignOf(cleaningCompany, { social_proof: choiceOf(resultAboutProduct) })))
      for (const variant of variants(persona)) assert.include(bodies(persona, variant)[0], resultAboutProduct)
    const resultAboutProblem = "Two hotels have kept the same crew for 3 years since they came to us."
    const personas = draftPlaybook(campaignOf(cleaningCompany, { social_proof: choiceOf(resultAboutProblem) }))
    const personaFor = (title: string) => personas.find(({ titles }) => titles.includes(title)) ?? assert.fail(title)
    for (const variant of variants(personaFor("Facilities Manager")))
      assert.include(bodies(personaFor("Facilities Manager"), variant)[0], resultAboutProblem)
    for (const variant of variants(personaFor("Finance Director"))) {
      const [first = "", ...laterBodies] = bodies(personaFor("Finance Director"), variant)
      assert.notInclude(first, resultAboutProblem)
      assert.include(laterBodies.join("\n"), resultAboutProblem)
    }
    assert.isTrue(personaFor("Finance Director").missing.some(({ message }) => /about this problem/.test(message)))
  })

  it("give an email a subject without a final comma", () => {
    const magnet = "Photo book with 30 rooms, before and after, with the price of each"
    for (const persona of draftPlaybook(campaignOf(cleaningCompany, { lead_magnet: choiceOf(magnet) })))
      assert.include(
        renderedEmails(persona).map(({ subject }) => subject),
        "Photo book with 30 rooms"
      )
  })

  it("replace the description when they contain it", () => {
    const promiseWithDescription =
      "We clean offices, medical clinics and churches in central Ohio. Every crew member is our own employee."
    for (const persona of draftPlaybook(
      campaignOf(cleaningCompany, { value_proposition: choiceOf(promiseWithDescription) })
    ))
      assert.strictEqual(bodies(persona)[0]?.split("We clean offices").length, 2)
  })

  it("keep the sentence on how it works in the first email", () => {
    const profile: Details = { ...noDetails, ...hollowell }
    const whatWeDo = (promise: string) =>
      draftPlaybook(campaignOf(profile, { value_proposition: choiceOf(promise) })).map(
        ({ message }) => message.what_we_do
      )
    const [soldSentence = "", howSentence = ""] = profile.business_description?.split(/(?<=\.) /) ?? []
    for (const text of whatWeDo("The engineer who finds the leak carries the fittings to fix it."))
      assert.strictEqual(text, `${soldSentence} ${howSentence}`)
    // "Afterwards" refers to the previous sentence, which does not fit beside this promise.
    for (const text of whatWeDo(profile.client_transformation ?? "")) assert.notInclude(text, "Afterwards")
  })

  it("are matched to the persona if there are several", () => {
    const proofs = choiceOf(
      "A hospital has had no complaint since May.",
      "Kroll Ltd now pays invoices that match the contract."
    )
    const personas = draftPlaybook(campaignOf(cleaningCompany, { social_proof: proofs }))
    const finance = personas.find(({ titles }) => titles.includes("Finance Director"))
    assert.strictEqual(finance?.message.proof, proofs.items[1]?.description)
  })
})

describe("a step with an empty selection", () => {
  const noChoice: Choice = { items: [], additional_details: null }
  it.each([
    ["social_proof", /Olentangy|Grove City|Family-owned/],
    ["lead_magnet", /Walk-through/],
    ["risk_reversal", /that night is free/]
  ] as const)("omits the profile's texts for it: %s", (step, profileTexts) => {
    const allEmails = (choices: Partial<Campaign>) =>
      draftPlaybook(campaignOf(cleaningCompany, choices))
        .flatMap((persona) => bodies(persona))
        .join("\n")
    assert.match(allEmails({}), profileTexts)
    assert.notMatch(allEmails({ [step]: noChoice }), profileTexts)
  })
})

describe("a thin profile", () => {
  it("gets four emails and a note for each missing sentence", () => {
    const [role, everyoneElse] = draftPlaybook(campaignOf(thinProfile))
    for (const persona of [role, everyoneElse]) {
      if (persona === undefined) return assert.fail("a persona is missing")
      assert.deepStrictEqual(
        persona.missing.map(({ part }) => part),
        ["problem", "proof", "offer"]
      )
      assert.include(bodies(persona)[0], "We find warehouse staff for logistics companies in the Midlands.")
      assert.deepStrictEqual([...new Set(persona.templates.map(({ step }) => step))], [1, 2, 3, 4])
    }
    assert.match(role?.missing[0]?.message ?? "", /which problem your product solves for logistics/)
  })

  it("gets follow-ups that are one short question each, and no two with the same", () => {
    const profile = { ...thinProfile, company_name: "Brightpath Ltd" }
    const owners = { ...profile, target_job_titles: "Owner" }
    for (const persona of [profile, owners, noDetails].flatMap((each) => draftPlaybook(campaignOf(each)))) {
      const asked = bodies(persona)
        .slice(1)
        .map((body) => body.split("\n\n").slice(1).join(" "))
      for (const text of asked) {
        assert.match(text, /\?/)
        assert.isAtMost(text.split(" ").length, 30, text)
        assert.notMatch(text, /reply to this email|price, time/)
      }
      assert.lengthOf(new Set(asked), asked.length)
    }
    const first = (title: string) =>
      bodies(draftPlaybook(campaignOf({ ...profile, target_job_titles: title }))[0] ?? assert.fail())
    assert.match(first("Owner")[1] ?? "", /look at Brightpath yourself/)
    assert.match(first("Logistics Manager")[1] ?? "", /someone else.*about Brightpath\? A name/)
  })

  it("puts the sender's name before a description without a subject", () => {
    const fragment = "Open-source observability that stores traces in your own bucket."
    const [, everyoneElse] = draftPlaybook(
      campaignOf({ ...thinProfile, company_name: "Tracelight", business_description: fragment })
    )
    assert.include(bodies(everyoneElse ?? assert.fail())[0], `We're Tracelight: ${fragment}`)
  })

  it.each([
    ["Oakwell - gutters and roofs for schools in Leeds.", "We're Oakwell - gutters and roofs for schools in Leeds."],
    ["Oakwell, LLC provides gutters and roofs to schools.", "Oakwell, LLC provides gutters and roofs to schools."],
    ["Premier roofing company. Gutters and sheds.", "We're Oakwell: Premier roofing company."]
  ])("completes a description that is a title: %s", (business_description, expected) => {
    const profile = { ...thinProfile, company_name: "Oakwell", business_description }
    const [, everyoneElse] = draftPlaybook(campaignOf(profile))
    const [first = ""] = bodies(everyoneElse ?? assert.fail())
    assert.include(first.split("\n"), expected)
  })

  it.each([
    ["Top-rated local handyman service providing home maintenance in Leeds.", "Top-rated local"],
    ["Golden Factory Company for mirrors, leading in sheet metal.", "Golden Factory"],
    ["Professioneller Garten- & Landschaftsbau in Kuppenheim, Rastatt & Umgebung.", "Professioneller Garten"]
  ])("does not use a cut phrase as a subject: %s", (business_description, cutPhrase) => {
    const profile = { ...thinProfile, company_name: "Oakwell", business_description }
    const [, everyoneElse] = draftPlaybook(campaignOf(profile))
    for (const { subject } of everyoneElse?.templates ?? []) assert.notInclude(subject, cutPhrase)
  })

  it("does not use a noun as the sender's activity", () => {
    const firstEmail = (business_description: string) => {
      const [, everyoneElse] = draftPlaybook(
        campaignOf({ ...thinProfile, company_name: "Dropfold", business_description })
      )
      return bodies(everyoneElse ?? assert.fail())[0] ?? ""
    }
    const notes = "route planning + driver app for multi-drop food rounds"
    assert.include(firstEmail(notes), `We're Dropfold: ${notes}.`)
    assert.include(firstEmail("fix rubber surfaces in Cork"), "At Dropfold, we fix rubber surfaces in Cork.")
  })

  it("names the sender once if the description begins with a part of the name", () => {
    const business_description = "Hallam & Pryce is an independent insurance broker for builders."
    for (const persona of draftPlaybook(
      campaignOf({ ...thinProfile, company_name: "Hallam & Pryce Insurance Brokers Ltd", business_description })
    ))
      assert.notInclude(bodies(persona)[0], "We're Hallam")
  })

  it("does not present a credential as a client's result", () => {
    const credibility_markers = ["ISO 27001 certified since 2013"]
    const social_proof = choiceOf(...credibility_markers)
    const profile = { ...noDetails, company_name: "Oakwell Ltd", credibility_markers }
    for (const persona of draftPlaybook(campaignOf(profile, { social_proof }))) {
      const last = bodies(persona).at(-1) ?? ""
      assert.match(last, /\n\nAbout Oakwell: ISO 27001 certified since 2013\.\n/)
      assert.notMatch(last, /client/)
    }
  })

  it("notes a problem that fits no persona", () => {
    const profile = {
      ...thinProfile,
      target_job_titles: "General Counsel",
      pain_points: "Shelves are empty on Mondays"
    }
    const [persona] = draftPlaybook(campaignOf(profile))
    assert.isTrue(persona?.missing.some(({ part }) => part === "problem"))
    assert.strictEqual(persona?.message.question, "Does that come up?")
  })

  it("offers the sender's website", () => {
    const site = { ...thinProfile, website_url: "https://www.brightpath.example/jobs" }
    const emails = bodies(draftPlaybook(campaignOf(site))[0] ?? assert.fail("no persona")).join("\n")
    assert.include(emails, "look first: brightpath.example.")
    assert.notInclude(JSON.stringify(draftPlaybook(campaignOf(thinProfile))), "look first")
  })

  it("without any data still has a first and a last email", () => {
    const [everyoneElse] = draftPlaybook(campaignOf(noDetails))
    const steps = new Set(everyoneElse?.templates.map(({ step }) => step))
    assert.isTrue(steps.has(1) && steps.has(4))
    assert.isTrue(everyoneElse?.missing.some(({ part }) => part === "what_we_do"))
  })
})

describe("a message edited by the user", () => {
  const [drafted] = draftPlaybook(campaignOf(cleaningCompany))
  if (drafted === undefined) throw new Error("no persona")
  const message = {
    what_we_do: "We keep clinics {clean}, and show it.",
    problem: "Your waiting room is judged before your doctors are.",
    consequence: "Patients say so in reviews.",
    proof: "Saint Ann's has had no complaint since May.",
    offer: "Ten photos of your own rooms, with notes",
    question: "Who reads your reviews?"
  }
  const persona = draftPersona(campaignOf(cleaningCompany), {
    name: "Clinics",
    kind: "role",
    titles: ["Practice Administrator"],
    message
  })

  it("is used in the emails verbatim", () => {
    const emails = bodies(persona)
    for (const text of [message.what_we_do, message.problem, message.consequence, message.proof, message.question])
      assert.include(emails[0], text)
    assert.include(emails.slice(1).join("\n"), message.offer)
    assert.isTrue(emails[0]?.endsWith("Who reads your reviews?"))
    assert.deepStrictEqual(persona.message, message)
    assert.deepStrictEqual(persona.missing, [])
  })

  it("asks its question with a capital and a question mark", () => {
    const personaWithQuestion = draftPersona(campaignOf(cleaningCompany), {
      name: "Clinics",
      kind: "role",
      titles: ["Practice Administrator"],
      message: { ...message, question: "who reads your reviews" }
    })
    assert.isTrue(bodies(personaWithQuestion)[0]?.endsWith("Who reads your reviews?"))
  })

  it("has its sentences used as sentences, whatever their grammar", () => {
    const problem = "Nurses from abroad who fail the exam at the first attempt work for half a year as assistants."
    const correctedPersona = draftPersona(campaignOf(cleaningCompany), {
      name: "Clinics",
      kind: "role",
      titles: ["Practice Administrator"],
      message: { ...message, problem, offer: "Who wants it gets ten photos of the rooms from us." }
    })
    const [first = "", second = ""] = bodies(correctedPersona)
    assert.isTrue(first.includes(`\n\n${problem} Patients say so`) && !first.includes(`: ${problem}`))
    assert.isTrue(second.includes("\n\nWho wants it gets ten photos of the rooms from us.\n\n"))
  })

  it("gives the first email a subject from its question", () => {
    const subjectOf = (question: string, problem: string) =>
      draftPersona(campaignOf(cleaningCompany), {
        name: "Clinics",
        kind: "role",
        titles: ["Practice Administrator"],
        message: { ...message, problem, question }
      }).templates[0]?.subject
    const problem = "No one who is new here ever knows what to do."
    assert.strictEqual(subjectOf("Who takes your after-hours calls today?", problem), "After-hours calls")
    assert.strictEqual(
      subjectOf("Who answers when the manager cannot?", problem),
      "Who answers when the manager cannot?"
    )
    assert.strictEqual(
      subjectOf("How do those who are new in it prepare for the accreditation?", problem),
      "Accreditation"
    )
    const drafted = draftPlaybook(campaignOf(cleaningCompany))[0]
    assert.notInclude(drafted?.templates[0]?.subject, "?")
  })

  it("is not repeated in the profile's words", () => {
    const description = "We clean clinics. An inspector visits each site once a week and sends photos."
    const proof = "Olentangy Family Medicine went from 14 cleaning complaints a month to 1 after switching 3 clinics."
    const correctedPersona = draftPersona(
      campaignOf(
        { ...cleaningCompany, business_description: description },
        { value_proposition: choiceOf("An inspector visits each site once a week and sends photos.") }
      ),
      {
        name: "Clinics",
        kind: "role",
        titles: ["Practice Administrator"],
        message: {
          ...message,
          what_we_do: "We keep medical rooms clean and inspect them weekly, with photos.",
          proof: "Complaints at Olentangy Family Medicine fell from 14 a month to 1 in 3 clinics."
        }
      }
    )
    const emails = [...bodies(correctedPersona), ...bodies(correctedPersona, 2)].join("\n")
    assert.notInclude(emails, "An inspector visits each site")
    assert.notInclude(emails, proof.slice(0, 40))
  })

  it("avoids never-say phrases", () => {
    const unrestricted = draftPersona(campaignOf(cleaningCompany), drafted)
    const phrases = ["turn over", "that night is free", "Olentangy", "my last email"]
    const textOf = (persona: DraftedPersona) =>
      persona.templates.map(({ body, subject }) => `${subject}\n${body}`).join("\n\n")
    for (const phrase of phrases) {
      const restricted = draftPersona(campaignOf(cleaningCompany), { ...drafted, never_say: [phrase] })
      assert.include(textOf(unrestricted), phrase)
      assert.notInclude(textOf(restricted), phrase)
      assert.deepStrictEqual([...new Set(restricted.templates.map(({ step }) => step))], [1, 2, 3, 4])
      assert.include(bodies(restricted)[0], "We clean offices")
      // The message itself is unchanged, so that the user can correct it.
      assert.deepStrictEqual(restricted.message, drafted.message)
    }
  })

  it("gives the same emails when it is unchanged", () =>
    assert.deepStrictEqual(draftPersona(campaignOf(cleaningCompany), drafted).templates, drafted.templates))
})

describe("drafted options", () => {
  it("are the profile's texts, with complete names", () => {
    const proofs = fieldOptionDrafts(cleaningCompany, "social_proof")
    assert.deepStrictEqual(proofs, [
      { name: "Case study 1", description: cleaningCompany.case_studies?.[0] ?? "" },
      { name: "Case study 2", description: cleaningCompany.case_studies?.[1] ?? "" },
      { name: "Family-owned since 1994", description: "Family-owned since 1994" }
    ])
    // Only options without a name are numbered.
    const profileWithShortResult = {
      ...cleaningCompany,
      credibility_markers: [],
      case_studies: ["Short result", ...(cleaningCompany.case_studies ?? [])]
    }
    assert.deepStrictEqual(
      fieldOptionDrafts(profileWithShortResult, "social_proof").map(({ name }) => name),
      ["Short result", "Case study 1", "Case study 2"]
    )
    const profileWithLabel = { ...cleaningCompany, lead_magnets: ["Floor audit: we grade 12 rooms"] }
    assert.strictEqual(fieldOptionDrafts(profileWithLabel, "lead_magnet")[0]?.name, "Floor audit")
  })

  it("promise only what is in the profile, and one default when it is empty", () => {
    const propositions = valuePropositions(campaignOf(cleaningCompany))
    assert.isAtLeast(propositions.length, 3)
    const profile = JSON.stringify(cleaningCompany)
    for (const { description } of propositions) assert.include(profile, description)
    assert.include(
      propositions.map(({ description }) => description),
      "Same crew for at least 12 months on 9 of 10 sites"
    )
    assert.deepStrictEqual(
      valuePropositions(campaignOf(thinProfile)).map(({ description }) => description),
      [thinProfile.business_description]
    )
    assert.lengthOf(valuePropositions(campaignOf(noDetails)), 1)
    const profileWithRefusal = {
      ...thinProfile,
      business_description: `${thinProfile.business_description} We do not place office staff.`
    }
    assert.notInclude(JSON.stringify(valuePropositions(campaignOf(profileWithRefusal))), "office staff")
    const descriptionWithHistory = `${thinProfile.business_description} We were founded by two brothers in 1998 and still work in Cleeve Row.`
    assert.notInclude(
      JSON.stringify(valuePropositions(campaignOf({ ...thinProfile, business_description: descriptionWithHistory }))),
      "1998"
    )
    const profileWithPrice = { ...thinProfile, core_products: [{ product: "Night shift cover", pricing: "GBP 19" }] }
    assert.notInclude(JSON.stringify(valuePropositions(campaignOf(profileWithPrice))), "Night shift cover")
  })

  it("put the promise about the selected proof's topic first", () => {
    const profile = { ...cleaningCompany, business_description: null }
    const firstProposition = (...proof: ReadonlyArray<string>) =>
      valuePropositions(campaignOf(profile, { social_proof: choiceOf(...proof) }))[0]?.description
    assert.strictEqual(
      firstProposition("Two clinics have kept the same crew for 3 years."),
      "Same crew for at least 12 months on 9 of 10 sites"
    )
    assert.strictEqual(
      firstProposition("Oak Dental had its phone answered on 61 nights."),
      "An answered phone until 10 pm"
    )
  })
})

const textPart = Schema.Literals([
  "We clean offices.",
  "late parts; seals leak",
  "{{ x }}",
  "{% if %}",
  "{",
  "}}",
  "\n",
  "\u2028",
  "- ",
  "1. ",
  ", ",
  ": ",
  "?",
  "“quoted”",
  "\u{1F9F9}",
  "ünïcödé",
  "\u202e",
  "  ",
  "8,000",
  "$5.50",
  "Dr. Lee",
  "…",
  "[[problem]]",
  "[[",
  "]]",
  "and ",
  "which is",
  "https://x.example/?a=1&b=2",
  "no verb here",
  "No one knows.",
  "x".repeat(300),
  "word ".repeat(120),
  "\u0000",
  "\ud800",
  "<b>",
  "\\",
  "$&",
  "%",
  "日本語。"
])
const text = Arbitrary.map(Arbitrary.array(Arbitrary.schema(textPart), { maxLength: 6 }), (pieces) => pieces.join(" "))
const arbitraryProfile = Arbitrary.all({
  company_name: text,
  business_description: text,
  target_job_titles: text,
  pain_points: text,
  problems_solved: text,
  unique_differentiators: text,
  objections_and_responses: text,
  industry_vertical: text,
  proof: text,
  magnet: text,
  promise: text
})

describe("an arbitrary profile", () => {
  it.prop(
    "gets templates without a problem, with steps 1 and 4 for each persona",
    [arbitraryProfile],
    ([{ magnet, promise, proof, ...fields }]) => {
      const profile: Details = {
        ...noDetails,
        ...fields,
        case_studies: [proof],
        lead_magnets: [magnet],
        guarantee: [promise]
      }
      const personas = draftPlaybook(
        campaignOf(profile, { value_proposition: choiceOf(promise), social_proof: choiceOf(proof) })
      )
      assert.strictEqual(personas.at(-1)?.kind, "everyone_else")
      assert.isAtLeast(valuePropositions(campaignOf(profile)).length, 1)
      for (const persona of personas) {
        const steps = persona.templates.map(({ step }) => step)
        assert.include(steps, 1)
        assert.include(steps, 4)
        for (const template of persona.templates)
          assert.deepStrictEqual(templateProblems(template), [], JSON.stringify(template))
        renderedEmails(persona)
      }
    },
    { arbitrary: { runs: 150 } }
  )
})

describe("a playbook of a partly imported profile", () => {
  const products = (...names: ReadonlyArray<string>) => names.map((product) => ({ product, pricing: "" }))
  const everyoneElse = (profile: Partial<Details>) =>
    draftPlaybook(campaignOf({ ...noDetails, company_name: "Kestrel Racking Ltd", ...profile })).at(-1) ??
    assert.fail("no persona for other titles")

  it("lists product names after a colon", () => {
    const persona = everyoneElse({ core_products: products("Rack inspection", "Rack repair.") })
    assert.strictEqual(
      persona.message.what_we_do,
      "We're Kestrel Racking. What we offer: Rack inspection; Rack repair."
    )
    const personaOfField = everyoneElse({ industry_vertical: "Racking safety" })
    assert.strictEqual(personaOfField.message.what_we_do, "We're Kestrel Racking. Our field: Racking safety.")
  })

  it.each([
    ["names alone", ["Column", "Arch", "Colonnade"]],
    ["rows of a price list", ["Label, apply only", "Polo 65/35", "Paket PARK", "Care tunic"]],
    ["names of another language", ["Wäsche der Kisten", "Reparatur der Paletten", "Lagerung"]]
  ])("does not name products given as %s", (_, names) => {
    const persona = everyoneElse({ core_products: products(...names) })
    assert.isNull(persona.message.what_we_do)
    for (const name of names) assert.notInclude(JSON.stringify(persona.templates), name)
  })

  it("asks which product is closest only if there are several", () => {
    const description = "We inspect pallet racking for warehouses in Wales."
    const emailsWithProducts = (...names: ReadonlyArray<string>) =>
      bodies(everyoneElse({ business_description: description, core_products: products(...names) })).join("\n")
    assert.include(
      emailsWithProducts("Rack inspection", "Rack repair."),
      "- Rack inspection\n- Rack repair\n\nWhich of these"
    )
    assert.notInclude(emailsWithProducts("Rack inspection"), "Which of these")
  })

  it("does not quote other languages in English emails, and asks for English text", () => {
    const german = everyoneElse({
      business_description: "Wir prüfen Regale in Lagern und reparieren sie am selben Tag.",
      pain_points: "Gesperrte Regale stehen wochenlang leer und kosten Platz",
      guarantee: ["Auf jede Reparatur geben wir fünf Jahre Garantie."],
      lead_magnets: ["Festpreis-Angebot"],
      core_products: products("Regalprüfung", "Reparatur von Regalen und Bühnen", "Ersatzteile binnen 24 Stunden")
    })
    const emails = bodies(german).join("\n")
    assert.notMatch(emails, /Wir prüfen|Gesperrte|Garantie|Festpreis|und Bühnen/)
    assert.isNull(german.message.problem)
    for (const { message } of german.missing) assert.include(message, "Write it in English")
    const partlyGerman = everyoneElse({
      company_name: "Staplerschule Hagenried",
      business_description: "Wir schulen Gabelstaplerfahrer direkt im Betrieb unserer Kunden, in Bayern und Thüringen.",
      case_studies: ["Möbel Kranzeder: Anfahrschäden in einem Jahr um 70 % gesunken."]
    })
    assert.notInclude(bodies(partlyGerman).join(), "Kranzeder")
    const english = everyoneElse({ business_description: "We inspect pallet racking for warehouses in Wales." })
    for (const { message } of english.missing) assert.notInclude(message, "in English")
  })
})

describe("a playbook of an imported profile", () => {
  const everyoneElse = (profile: Partial<Details>, choices: Partial<Campaign> = {}) =>
    renderedEmails(
      draftPlaybook(campaignOf({ ...noDetails, company_name: "Weserlift GmbH", ...profile }, choices)).at(-1) ??
        assert.fail("no persona")
    )

  it("without a usable description names the sender in the first email, and has no duplicate emails", () => {
    for (const business_description of [
      null,
      "Wir warten und reparieren Aufzüge in Bremen.",
      "B1.",
      "Weserlift GmbH"
    ]) {
      const emails = everyoneElse({ business_description })
      assert.include(emails[0]?.body, "Weserlift")
      assert.notInclude(emails[0]?.body, "B1")
      assert.strictEqual(new Set(emails.map(({ body }) => body)).size, emails.length)
    }
    const unnamedSenderEmails = everyoneElse({ company_name: "deck_v7_FINAL(2).pptx" })
    assert.strictEqual(new Set(unnamedSenderEmails.map(({ body }) => body)).size, unnamedSenderEmails.length)
  })

  it("describes the product in each first email if there is no problem", () => {
    const business_description = "We look after plants in offices around Bristol."
    for (const { templates } of draftPlaybook(
      campaignOf({
        ...noDetails,
        company_name: "Fernhollow",
        target_job_titles: "Office Manager",
        business_description
      })
    ))
      for (const { body, step } of templates) if (step === 1) assert.include(body, business_description)
  })

  it("names the problem and the benefit if the product is unknown", () => {
    const [first] = everyoneElse(
      { pain_points: "Missed calls while out on jobs" },
      { value_proposition: choiceOf("Calls answered within four rings") }
    )
    assert.include(first?.body, "I work for Weserlift.")
    assert.include(first?.body, "The problem we solve:\nMissed calls while out on jobs.")
    assert.include(first?.body, "calls answered within four rings.")
  })

  it("introduces an offer once, and says whose it is where nothing in it tells", () => {
    const draftedWith = (lead_magnet: string, guarantee: string) =>
      draftPlaybook(
        campaignOf({
          ...noDetails,
          company_name: "Stoop Bird Control",
          target_job_titles: "Site Manager",
          business_description: "We fly trained hawks over waste sites until the gulls stay away.",
          lead_magnets: [lead_magnet],
          guarantee: [guarantee]
        })
      ).flatMap(({ templates }) => templates.map(({ body }) => body))
    const bodiesWith = (all: ReadonlyArray<string>, text: string) => {
      const found = all.filter((body) => body.includes(text))
      assert.isNotEmpty(found)
      return found
    }
    const hull = "For a first look: we will fly one hawk free of charge when we are next near you."
    const ask = "Ask for a free count of the gulls on your roof."
    for (const offer of [hull, ask])
      for (const body of bodiesWith(draftedWith(offer, "You pay nothing."), offer))
        assert.include(body, `\n\n${offer}\n\n`)
    const unclear = "We will come at first light and send you the numbers by noon."
    const fee = "If the number is above what we agreed, that month is not charged."
    const emails = draftedWith(unclear, fee)
    for (const body of bodiesWith(emails, unclear))
      assert.include(body, `A first step from Stoop Bird Control:\n${unclear}`)
    for (const body of bodiesWith(emails, fee)) assert.include(body, `Our guarantee at Stoop Bird Control:\n${fee}`)
    const clear = "If the gulls come back, that month is not charged."
    for (const body of bodiesWith(draftedWith(unclear, clear), clear)) assert.include(body, `\n\n${clear}\n\n`)
  })

  it("begins no email with the past of one client, and gives a result without a verb an introduction", () => {
    const problem = "class wanted the sea chests seen before they would extend the certificate"
    const result = "Premium reduced by £22,400 a year after the insurer saw our report"
    const emails = draftPlaybook(
      campaignOf({
        ...noDetails,
        company_name: "Keelclean Divers",
        target_job_titles: "Fleet Manager",
        business_description: "We clean and inspect hulls at the berth.",
        pain_points: problem,
        case_studies: [result]
      })
    ).flatMap(({ templates }) => templates.map(({ body }) => body))
    assert.include(emails.join(), result)
    for (const body of emails) {
      assert.notMatch(body, /We hear this a lot|We see this problem often/)
      assert.notInclude(body.split("\n\n"), `${result}.`)
    }
  })

  it("includes the offer after a short first email, worded as a request of the reader", () => {
    const request = "Ask for a free one-square-metre sample patch laid in your busiest corner."
    for (const offer of [
      request,
      "Send us your site drawing and we'll send back a plan with a fixed price within three days."
    ]) {
      const emails = draftPlaybook(
        campaignOf({
          ...noDetails,
          company_name: "Kestrel Lane",
          target_job_titles: "Production Manager",
          business_description: "We lay floors in breweries.",
          lead_magnets: [offer]
        })
      ).flatMap(({ templates }) => templates.map(({ body }) => body))
      assert.include(emails.join(), offer)
      for (const body of emails) if (body.includes(offer)) assert.notMatch(body, /set it up|do that|could do first/)
    }
  })

  it("does not repeat a sentence in one email", () => {
    const description = "Weserlift runs the lifts of 430 employers in the north."
    const result = "Nordbau cut its lift waste from 14% to 3% in one season."
    for (const { body } of everyoneElse({
      business_description: description,
      pain_points: result,
      case_studies: [description, result]
    }))
      for (const text of [description, result]) assert.isAtMost(body.split(text).length, 2)
  })

  it("contains no telephone number, leader dots, or half a sentence or quotation", () => {
    const emails = everyoneElse(
      {
        business_description: "Secure document storage in Kent. Call 01452 770 416.",
        pain_points:
          "Today eleven of us roast about four tonnes a month, nearly all of it for people who sell coffee on: hotels."
      },
      {
        lead_magnet: choiceOf("Remakes ........ free for 5 years"),
        risk_reversal: choiceOf('"Ten questions to ask before you let a diver in" – a checklist.')
      }
    )
    for (const { body, subject } of emails) {
      assert.notMatch(body, /01452|\.{4}|four tonnes a month\./)
      assert.strictEqual((subject.match(/"/g) ?? []).length % 2, 0)
    }
  })

  it("has no subject without its noun", () => {
    const description = "We are an independent microbiology and chemistry laboratory in Dublin."
    assert.notMatch(productTopic(description, null) ?? "", /microbiology$/)
    const emails = everyoneElse(
      { business_description: description },
      { lead_magnet: choiceOf("Free: a free site walk-through") }
    )
    assert.isFalse(emails.some(({ subject }) => /walk$|^Free$/.test(subject)))
  })

  it("does not use the end of an offer as a subject", () => {
    const emails = everyoneElse(
      { business_description: "We look after dairy herds." },
      { lead_magnet: choiceOf("Pick up our free Mating Calendar at the counter or from the web site.") }
    )
    assert.isFalse(emails.some(({ subject }) => /web site/i.test(subject)))
  })
})

describe("texts that an import left", () => {
  it("are a client's result without its label, a quotation without its marks, and no client's own words", () => {
    const points = sellingPoints({
      ...noChoices,
      profile: {
        ...noDetails,
        company_name: "Acme Tools",
        city_region: "Leeds",
        pain_points: '"Saws come back blunt."\n"No one called us back for a month."',
        case_studies: [
          "Oak Depot, Leeds — 28 saws. Stops fell from 9 to 2 a month.",
          "Elm Mill: Stops fell from 7 to 3."
        ],
        guarantee: ['"if a saw fails, you get the fee back. never had to pay it."']
      },
      audience: noSegment
    })
    assert.deepStrictEqual(points.problems, ["Saws come back blunt."])
    assert.deepStrictEqual(
      points.proofs.map(({ text }) => text),
      ["Stops fell from 9 to 2 a month.", "Elm Mill: Stops fell from 7 to 3."]
    )
    assert.deepStrictEqual(points.guarantees, ["if a saw fails, you get the fee back"])
    assert.strictEqual(points.town, "Leeds")
  })
})

it("a profile in another language gives no text with only words that English shares with it", () => {
  const points = sellingPoints({
    ...noChoices,
    profile: {
      ...noDetails,
      company_name: "Feinmaß Kalibrierdienst",
      business_description: "Wir kalibrieren Messschieber und Lehren für Betriebe der Region.",
      unique_differentiators: "Kalibrierschein noch am selben Abend per Mail.",
      core_products: [{ product: "Kalibrierung im Haus", pricing: "ab 12 EUR" }]
    },
    audience: noSegment
  })
  assert.deepStrictEqual([points.facts, points.changes, points.description, points.products], [[], [], [], []])
})

it("the subject of an offer keeps the noun before its preposition", () => {
  assert.strictEqual(
    offerTopic("Free half-hour noise walk round your shop floor with a calibrated meter."),
    "Free half-hour noise walk"
  )
})

it("a profile of thousands of sentences is used from its beginning, 60 items of each kind", () => {
  const pain_points = Array.from(
    { length: 400 },
    (_, i) => `They lose half of the day because the drain is blocked with grease in kitchen ${i}.`
  ).join("\n")
  const { problems } = sellingPoints(
    campaignOf({ ...noDetails, business_description: "We clean kitchens.", pain_points })
  )
  assert.lengthOf(problems, 60)
  assert.strictEqual(problems[59], "They lose half of the day because the drain is blocked with grease in kitchen 59.")
})

it("value propositions use a credibility marker behind many certificates if the profile promises nothing else", () => {
  const certificates = Array.from({ length: 30 }, (_, i) => `ISO ${9000 + i}`)
  const marker = "We have cleaned the kitchens of the same three hospitals since 2004."
  const drafts = valuePropositions(campaignOf({ ...noDetails, credibility_markers: [...certificates, marker] }))
  assert.deepStrictEqual(
    drafts.map(({ description }) => description),
    [marker]
  )
})

it.effect("a playbook is drafted in turns, between which other work runs", () =>
  Effect.gen(function* () {
    let turns = 0
    const count = Effect.forever(
      Effect.andThen(
        Effect.sync(() => turns++),
        Effect.yieldNow
      )
    )
    yield* Effect.forkChild(count)
    const personas = yield* runInTurns(draftPlaybookInTurns(campaignOf(cleaningCompany)))
    assert.deepStrictEqual(personas, draftPlaybook(campaignOf(cleaningCompany)))
    assert.isAtLeast(turns, 2)
  })
)
