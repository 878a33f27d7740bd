// test/drafting.test.ts: what a playbook drafted without a model promises, for full profiles, thin ones and wild ones.
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { fieldOptionDrafts, valuePropositions } from "#layers/generator/builtin/Options.ts"
import type { DraftedPersona } from "#layers/generator/playbook/PlaybookSnapshot.ts"
import { draftPersona, draftPlaybook } from "#layers/generator/playbook/DraftPlaybook.ts"
import { templateProblems, render } from "#layers/generator/playbook/LiquidTemplate.ts"
import { sellingPoints } from "#layers/generator/playbook/SellingPoints.ts"
import { productTopic, saysChange } from "#layers/generator/playbook/SubjectTopics.ts"
import type { Variables } from "#layers/generator/playbook/TemplateVariables.ts"
import { type Campaign, type Choice, noChoices } from "#layers/Generator.ts"
import { routePersona } from "#layers/generator/routing/RoutePersona.ts"
import { noSegment } from "#schema/Audiences.ts"
import { type Details, noDetails } from "#schema/Details.ts"
import hollowell from "./fixtures/hollowell.json" with { type: "json" }

const cleaning: Details = {
  ...noDetails,
  company_name: "Buckeye Brite Cleaning LLC",
  industry_vertical: "Commercial cleaning",
  target_job_titles: "Facilities Manager, Practice Administrator, Owner, Finance Director",
  business_description:
    "We clean offices, medical clinics and churches in central Ohio. A supervisor inspects each site once a week and sends you photos. Every crew member is our own employee.",
  pain_points:
    "cleaning crews turn over and nobody tells you; medical areas are cleaned like offices; invoices do not match the contract; buildings of 8,000 square feet get one cleaner",
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
const thin: Details = {
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
const choice = (...descriptions: ReadonlyArray<string>): Choice => ({
  items: descriptions.map((description, at) => ({ name: `Option ${at + 1}`, description })),
  additional_details: null
})

const promise = "Shoppers {see} an exchange before a refund, so more of the sale stays with you."
const chosen = campaignOf(cleaning, {
  value_proposition: choice(promise),
  social_proof: choice("A dentist in Dublin, Ohio has not called us in 9 months."),
  lead_magnet: choice("Floor audit: we grade 12 rooms"),
  risk_reversal: choice("Leave any month, with no fee.")
})

const nobody: Variables = { email: "maya@oak.example", custom: {} }
const variables: Variables = { ...nobody, first_name: "Maya", company: "Oak & Ember" }
/** Its emails as a reader gets them; of each step the variant that is asked for, or the first. */
const sent = (persona: DraftedPersona, variant = 1, values = variables) =>
  persona.templates
    .filter(
      ({ step, variant: own }) =>
        own === variant ||
        (own === 1 && !persona.templates.some((other) => other.step === step && other.variant === variant))
    )
    .map((template) => {
      const result = render(template, values)
      if (result._tag === "Failure") throw new Error(result.failure.message)
      return { step: template.step, ...result.success }
    })

const bodies = (persona: DraftedPersona, variant = 1) => sent(persona, variant).map(({ body }) => body)
const variants = (persona: DraftedPersona) =>
  persona.templates.filter(({ step }) => step === 1).map(({ variant }) => variant)

describe("a playbook of a full profile", () => {
  const personas = draftPlaybook(campaignOf(cleaning))

  it("has at most four roles and everyone else, who comes last and has no titles", () => {
    assert.isAtMost(personas.length, 5)
    assert.deepStrictEqual(
      personas.map(({ kind }) => kind),
      [...personas.slice(1).map(() => "role" as const), "everyone_else"]
    )
    assert.deepStrictEqual(personas.at(-1)?.titles, [])
    const titles = ["Facilities Manager", "Finance Director", "Owner", "Practice Administrator"]
    assert.deepStrictEqual(personas.flatMap((persona) => [...persona.titles]).toSorted(), titles)
  })

  it("gives a department the problem that is its own", () => {
    const of = (title: string) => personas.find((persona) => persona.titles.includes(title))?.message.problem
    assert.strictEqual(of("Finance Director"), "invoices do not match the contract")
    assert.strictEqual(of("Facilities Manager"), "cleaning crews turn over and nobody tells you")
  })

  it("has four emails for each persona, and every first one says what the sender does", () => {
    for (const persona of personas)
      for (const variant of variants(persona)) {
        const emails = sent(persona, variant)
        assert.deepStrictEqual(
          emails.map(({ step }) => step),
          [1, 2, 3, 4]
        )
        assert.include(emails[0]?.body, persona.message.what_we_do ?? "nothing")
        assert.include(emails[0]?.body, "We clean offices, medical clinics and churches in central Ohio.")
      }
  })

  it("repeats no fact within a sequence, and each later email is shorter than the first", () => {
    const facts = [
      ...(cleaning.business_description ?? "").split(/(?<=\.) /),
      ...(cleaning.pain_points ?? "").split("; "),
      ...(cleaning.unique_differentiators ?? "").split("\n"),
      ...[cleaning.case_studies, cleaning.credibility_markers, cleaning.guarantee, cleaning.lead_magnets].flatMap(
        (list) => list ?? []
      )
    ]
    for (const persona of personas)
      for (const variant of variants(persona)) {
        const all = bodies(persona, variant).map((body) => body.toLowerCase())
        for (const fact of facts)
          assert.isAtMost(all.filter((body) => body.includes(fact.toLowerCase())).length, 1, fact)
        for (const body of all.slice(1)) assert.isBelow(body.length, all[0]?.length ?? 0)
      }
  })

  it("claims nothing about a role to everyone else, and asks for the right person", () => {
    const [first] = bodies(personas.at(-1) ?? assert.fail())
    assert.match(first ?? "", /familiar at [^?]+, or a question for a colleague\?/)
    assert.notMatch(first ?? "", /your (?:team|numbers)/)
  })

  it("never has the same subject twice in a sequence, nor two first emails that start or end alike", () => {
    for (const persona of personas) {
      for (const variant of variants(persona)) {
        const subjects = sent(persona, variant).map(({ subject }) => subject.toLowerCase())
        assert.deepStrictEqual([...new Set(subjects)], subjects)
      }
      const [one, two] = variants(persona).map((variant) => bodies(persona, variant)[0]?.split("\n\n") ?? [])
      assert.notStrictEqual(one?.[1], two?.[1])
      assert.notStrictEqual(one?.at(-1), two?.at(-1))
    }
  })

  it("leads colleagues into their later emails with different words", () => {
    const [one, two] = personas.filter(({ kind }) => kind === "role").map((persona) => bodies(persona))
    assert.notStrictEqual(one?.[3]?.split("\n\n")[2], two?.[3]?.split("\n\n")[2])
  })

  it("prefers a problem that is a whole sentence, and one that a client's result is about", () => {
    const of = (pain_points: string) =>
      draftPlaybook(
        campaignOf({
          ...cleaning,
          target_job_titles: "Warehouse Manager",
          pain_points,
          case_studies: ["Castlegate Foods got 61 taped-off bays back within two weekends."]
        })
      )[0]?.message
    assert.strictEqual(
      of("pallets of three makes on one site, no drawings; Red bays leave stock without a place.")?.problem,
      "Red bays leave stock without a place"
    )
    const proven = of("Empty lanes wait for stock; Empty bays wait for stock")
    assert.strictEqual(proven?.problem, "Empty bays wait for stock")
    assert.include(proven?.proof, "Castlegate")
  })

  it("names the problem that an email cannot begin with, and says what is wrong with it", () => {
    const noteOn = (pain_points: string) =>
      draftPlaybook(
        campaignOf({ ...cleaning, target_job_titles: "Warehouse Manager", problems_solved: "", pain_points })
      )
        .flatMap(({ missing }) => missing)
        .find(({ message, part }) => part === "problem" && message.includes("begin with it"))?.message
    assert.match(noteOn("20-week lead time for racks") ?? "", /“20-week lead time for racks” as a whole sentence/)
    // It is a whole sentence, but a reader takes it for news of one warehouse.
    const single = noteOn("The warehouse cannot be closed for repairs.") ?? ""
    assert.match(single, /“The warehouse cannot be closed for repairs” of companies in general/)
    assert.notMatch(single, /whole sentence/)
  })

  it("asks right behind a problem, of companies in general or of a single company", () => {
    const firstTo = (pain_points: string, variant = 1) => {
      const profile = { ...cleaning, target_job_titles: "Facilities Manager", pain_points }
      return bodies(draftPlaybook(campaignOf(profile))[0] ?? assert.fail("no persona"), variant)[0] ?? ""
    }
    const general = "Cleaners leave the restrooms to the last hour."
    // The question stands beside what it asks about.
    assert.match(
      firstTo(general),
      /^Hi Maya,\n\n[^\n]+\. Cleaners leave the restrooms to the last hour\. [^\n]+\?\n\nWe clean/
    )
    assert.match(firstTo(general, 2), /\n\n[^\n]+\. Cleaners leave the restrooms to the last hour\. [^\n]+\?$/)
    for (const note of [
      "the restrooms cannot be closed for cleaning",
      "Cleaner leaves the restrooms to the last hour."
    ]) {
      const line = note.replace(/\.$/, "").replace(/^the/, "The")
      // A note is a line of its own, with the question behind it.
      assert.match(firstTo(note), new RegExp(`^Hi Maya,\\n\\n[^\\n]+:\\n${line}\\.\\n\\n[^\\n]+\\?\\n\\nWe clean`))
      assert.match(firstTo(note, 2), /^Hi Maya,\n\nWe clean offices/)
      assert.match(firstTo(note, 2), new RegExp(`\\n\\nThe problem we solve:\\n${line}\\.\\n\\n[^\\n]*\\?$`))
    }
  })

  it("begins no email with a job that went wrong, and cuts no subject out of a clause", () => {
    const wrong = "A hotel in Akron did not work out, the floor was too old."
    const [good = ""] = cleaning.case_studies ?? []
    const pain_points = "Quoted 40k, whole lot needs ripping out before any visit."
    const profile = { ...cleaning, case_studies: [wrong, good], pain_points }
    for (const persona of draftPlaybook(campaignOf(profile)))
      for (const { body, subject } of persona.templates) {
        assert.notInclude(body, "did not work out")
        assert.notInclude(subject, "lot needs")
      }
  })

  it("gives titles the problem and the result that say a word of theirs", () => {
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
    const solar =
      roles.find(({ name }) => name === "Solar Plant Operations Manager") ?? assert.fail("no persona of its own")
    assert.include(solar.message.problem, "solar farm")
    assert.include(solar.message.proof, "solar park")
    const personas = roles.map((role, at) => ({ ...role, id: String(at) }))
    assert.strictEqual(routePersona("Operations Manager Solar", personas).persona, solar.name)
    assert.notStrictEqual(routePersona("Centre Operations Manager", personas).persona, solar.name)
  })

  it("asks everyone else first about the problem, in a person's words where there are any", () => {
    const everyone = personas.at(-1) ?? assert.fail("no persona for other titles")
    assert.match(bodies(everyone)[0] ?? "", /^Hi Maya,\n\n[^\n]+\?\n\nWe clean offices/)
    const problem = "In many clinics the waiting room is judged before the doctors are."
    const typed = draftPersona(campaignOf(cleaning), { ...everyone, message: { ...everyone.message, problem } })
    assert.isTrue(bodies(typed)[0]?.startsWith(`Hi Maya,\n\n${problem} `))
  })

  it("says how it works with the sentence that is about the reader's problem", () => {
    const description =
      "We clean offices. A supervisor inspects each site once a week. The invoices follow the contract line by line."
    const role = (title: string) =>
      draftPlaybook(campaignOf({ ...cleaning, business_description: description, target_job_titles: title }))[0]
    assert.include(role("Finance Director")?.message.what_we_do, "The invoices follow the contract line by line.")
    assert.include(role("Facilities Manager")?.message.what_we_do, "A supervisor inspects each site once a week.")
  })

  it("asks heads of a business for no colleague, and promises no more than the guarantee", () => {
    const [owner = assert.fail("no persona")] = draftPlaybook(campaignOf({ ...cleaning, target_job_titles: "Owner" }))
    assert.notMatch(bodies(owner).join("\n"), /colleague|risk/)
    assert.include(bodies(owner)[3], cleaning.guarantee?.[0] ?? "no guarantee")
  })

  it("renders for a lead without a name and a company, and names neither", () => {
    for (const persona of personas)
      for (const { body, subject } of sent(persona, 1, nobody)) {
        assert.match(body, /^Hello,/)
        assert.notMatch(body + subject, / at\?| at ,|\{|\}| {2}/)
      }
  })

  it("has a persona for heads of a business where no title names them, and four roles at most", () => {
    const titlesOf = (target_job_titles: string) =>
      draftPlaybook(campaignOf({ ...cleaning, target_job_titles })).flatMap(({ titles }) => [...titles])
    assert.include(titlesOf("Facilities Manager"), "Managing Director")
    assert.notInclude(titlesOf("Facilities Manager, Founder"), "Managing Director")
    const four = draftPlaybook(
      campaignOf({
        ...cleaning,
        target_job_titles: "Facilities Manager, Software Engineer, Finance Director, Warehouse Manager, HR Manager"
      })
    )
    assert.isAtMost(four.length, 5)
  })

  it("says what the sender does differently about the problem, and what a client got", () => {
    const difference = "Own workshop, so spare valves are made in 48 hours."
    const other = "Oak Foods: spare valves in 2 days instead of 5 weeks."
    const profile = {
      ...cleaning,
      target_job_titles: "Maintenance Engineer",
      pain_points: "Spare valves take 5 weeks.",
      unique_differentiators: `Family team. ${difference}`,
      case_studies: [other],
      credibility_markers: null
    }
    const campaign = campaignOf(profile, { social_proof: choice(other) })
    const [first = ""] = bodies(draftPlaybook(campaign)[0] ?? assert.fail("no persona"))
    assert.include(first, difference)
    assert.notInclude(first, "Family team")
    assert.include(first, `The result at ${other}`)
  })

  it("introduces a result that does not say whose it is, and asks no reader to let us set up what the reader has to send", () => {
    const result = "Waste fell from 9% to 1.4% in a year."
    const offer = "Ask for a free photo report of one room."
    const profile = { ...cleaning, case_studies: [result], lead_magnets: [offer] }
    const campaign = campaignOf(profile, { social_proof: choice(result), lead_magnet: choice(offer) })
    for (const persona of draftPlaybook(campaign)) {
      const all = variants(persona).flatMap((variant) => bodies(persona, variant))
      const paragraphs = all.flatMap((body) => body.split("\n\n"))
      assert.include(all.join("\n"), result)
      assert.notInclude(paragraphs, result)
      const offering = all.filter((body) => body.includes(offer))
      assert.isNotEmpty(offering)
      for (const body of offering) assert.notMatch(body, /set it up|Shall we do that|What we could do first|send it/)
    }
  })

  it("asks for no proof of a problem that it lacks", () => {
    const profile = { ...thin, case_studies: ["Oak Foods: waste fell from 9% to 1%."] }
    for (const { message, missing } of draftPlaybook(campaignOf(profile))) {
      assert.deepStrictEqual([message.problem, message.proof], [null, null])
      assert.notInclude(
        missing.map(({ part }) => part),
        "proof"
      )
    }
  })

  it("offers to send a document that has its title in front", () => {
    for (const offer of [
      "“Seven places your air is leaking” – a four-page guide, posted or by email.",
      'Checklist "Before the calibration officer comes" (English, Deutsch)'
    ])
      for (const persona of draftPlaybook(campaignOf({ ...cleaning, lead_magnets: [offer], case_studies: null }))) {
        const all = variants(persona).flatMap((variant) => bodies(persona, variant))
        for (const body of all.filter((body) => body.includes(offer.slice(0, 30)))) assert.match(body, /send it|copy/)
      }
  })

  it("has nothing of a lead's note or trigger column in its emails", () => {
    const noted = { ...variables, custom: { notes: "41 locations", recent_news: "new site" } }
    for (const persona of personas)
      for (const variant of variants(persona))
        assert.deepStrictEqual(sent(persona, variant, noted), sent(persona, variant, variables))
  })

  it("asks a role about its problem right behind it, and asks only everyone else for a colleague", () => {
    for (const persona of personas)
      for (const { body } of persona.templates) {
        if (persona.kind === "role") assert.notMatch(body, /colleague|Who (?:deals|looks)|right person/)
        const problem = persona.message.problem?.replace(/\.$/, "").toLowerCase() ?? "no problem"
        const question = /(?:familiar|that problem|same problem|the same (?:at|for))/.test(body)
        if (persona.kind === "role" && question)
          assert.match(body.toLowerCase().split(problem)[1] ?? "", /^\.\s+[^.\n]*(?:familiar|problem|the same)/)
      }
  })

  it("gives a drafted problem as what the sender hears, not as a fact about the reader", () => {
    const [role = assert.fail("no persona")] = draftPlaybook(
      campaignOf({ ...cleaning, pain_points: "Quarterly checks on medical areas are behind." })
    )
    for (const variant of variants(role)) {
      const first = bodies(role, variant)[0] ?? ""
      const at = first.indexOf("Quarterly checks")
      if (at > -1)
        assert.match(
          first.slice(0, at),
          /(?:We hear this a lot|We see this problem often|This is the problem we solve|one problem)\. $/
        )
    }
  })

  it("calls a count of work no result, and leaves out an objection whose answer asks back", () => {
    const other = "Oak Foods: 14,000 calls about spare valves"
    const profile = {
      ...cleaning,
      target_job_titles: "Maintenance Engineer",
      pain_points: "Spare valves take 5 weeks.",
      case_studies: [other],
      credibility_markers: null,
      objections_and_responses: "We have an agency: How many of those hours are on overtime?"
    }
    const text = JSON.stringify(
      draftPlaybook(campaignOf(profile, { social_proof: choice(other) })).map((each) => each.templates)
    )
    assert.include(text, `Work we have done:\\n${other}`)
    assert.notInclude(text, "The result at Oak")
    assert.isTrue(saysChange("Calder Homes: surveys turned round in 26 hours, it was 8 working days"))
    assert.isFalse(saysChange("Calder Homes: set up 14 lines, with more than 400 calls"))
    assert.notInclude(text, "on overtime")
  })

  it("gives the leads of a persona emails of several shapes, with the chosen offer in each", () => {
    for (const persona of draftPlaybook(chosen).filter(({ kind }) => kind === "role")) {
      const steps = Map.groupBy(persona.templates, ({ step }) => step)
      for (const [step, templates] of steps) {
        assert.isAtLeast(templates.length, 2, `step ${step}`)
        assert.strictEqual(new Set(templates.map(({ body }) => body)).size, templates.length)
      }
      for (const { body } of steps.get(2) ?? []) assert.include(body, "Floor audit: we grade 12 rooms")
    }
    // Colleagues of another persona do not get the same order of thought.
    const starts = personas
      .filter(({ kind }) => kind === "role")
      .map((persona) => [2, 3].map((variant) => bodies(persona, variant)[0]?.split("\n\n")[1]?.slice(0, 20)).join())
    assert.isAbove(new Set(starts).size, 1)
  })

  it("has the name of no buyer for a subject", () => {
    const business_description = "We wash tanks, hoses and lines for food factories, chemical plants and breweries."
    const profile = { ...cleaning, business_description, pain_points: "chemical plants wait for a clean tank" }
    for (const { templates } of draftPlaybook(campaignOf(profile)))
      for (const { subject } of templates) assert.notMatch(subject, /plants|factories|breweries/i)
    assert.isNull(productTopic("We work for chemical plants.", null))
    assert.notMatch(productTopic("We help chemical plants cut their energy bills.", null) ?? "", /plants/)
  })

  it("says no promise a second time as a difference", () => {
    const difference = "An answered phone until 10 pm for medical areas"
    const profile = { ...cleaning, unique_differentiators: difference }
    for (const persona of draftPlaybook(campaignOf(profile, { value_proposition: choice(difference) })))
      for (const variant of variants(persona)) assert.lengthOf((bodies(persona, variant)[0] ?? "").split(difference), 2)
  })

  it("reads a quoted objection and its answer at the dash", () => {
    const objections_and_responses = '"Switching is a pain" - we bring the keys, the plan and the crew.'
    const [persona] = draftPlaybook(campaignOf({ ...cleaning, objections_and_responses }))
    assert.include(JSON.stringify(persona?.templates), "“Switching is a pain.”")
  })

  it("takes notes in one line for one problem each", () => {
    const pain_points = "wrong pay on sleep-ins. queries at 9pm. holiday pay by hand"
    const { message } = draftPlaybook(campaignOf({ ...cleaning, pain_points })).at(-1) ?? assert.fail("no persona")
    assert.strictEqual(message.problem, "wrong pay on sleep-ins")
  })

  it("keeps a first email of long sentences readable, and its result for a later one", () => {
    const long = (start: string, end: string) =>
      `${start} ${"and then the crew of the next floor has to wait ".repeat(2)}${end}`
    const result = long("A clinic in Dublin had its restrooms cleaned first by our crew", "for nothing.")
    const profile = {
      ...cleaning,
      target_job_titles: "Facilities Manager",
      pain_points: long("Cleaning crews leave the restrooms to the last hour of the night", "for the keys."),
      business_description:
        "We clean offices, medical clinics and churches in central Ohio with crews of our own, who come on the nights that you choose, begin with the rooms that your patients see first, and leave photos of each of them for the person who opens in the morning.",
      case_studies: [result],
      credibility_markers: null
    }
    const campaign = campaignOf(profile, { social_proof: choice(result) })
    const [first = "", ...later] = bodies(draftPlaybook(campaign)[0] ?? assert.fail("no persona"))
    assert.isAtMost(first.split(/\s+/).length, 140)
    assert.include(later.join("\n"), "A clinic in Dublin")
  })

  it("says what is sold with a sentence that begins with the year", () => {
    const sold = "Since 1987 we have built washers for laboratories at our own factory."
    const description = `${sold} We deliver and install them ourselves in Denmark.`
    const [persona] = draftPlaybook(campaignOf({ ...cleaning, business_description: description }))
    assert.include(persona?.message.what_we_do, sold)
    const history = "Since 1987, a family business. We deliver and install washers ourselves in Denmark."
    const [other] = draftPlaybook(campaignOf({ ...cleaning, business_description: history }))
    assert.notInclude(other?.message.what_we_do, "Since 1987")
  })

  it("asks for the meeting that the profile aims at, and for none where it names no length", () => {
    const all = (primary_goal: string) =>
      draftPlaybook(campaignOf({ ...cleaning, primary_goal }))
        .flatMap((persona) => bodies(persona))
        .join("\n")
    assert.match(all("Book 25 min calls with practice managers"), /\ba 25-minute call\b/)
    assert.match(all("8-minute phone calls"), /\ban 8-minute phone call\b/)
    assert.notMatch(all("Get calls with practice managers"), /-minute/)
  })

  it("writes a trade in small letters after the name only if the user does so elsewhere", () => {
    const what = (business_description: string) =>
      draftPlaybook(
        campaignOf({ ...cleaning, business_description, pain_points: "payroll mistakes come back every month." })
      )[0]?.message.what_we_do
    assert.match(what("Payroll bureau that only does care") ?? "", /^We're Buckeye Brite Cleaning: payroll bureau/)
    assert.match(what("Paylocity bureau that only does care") ?? "", /^We're Buckeye Brite Cleaning: Paylocity bureau/)
  })

  it("has other problems of the user in other first emails, and one for everyone else that asks for the right person", () => {
    const problems = (cleaning.pain_points ?? "").split("; ")
    for (const persona of personas) {
      const firsts = variants(persona).map((variant) => (bodies(persona, variant)[0] ?? "").toLowerCase())
      const said = problems.filter((problem) => firsts.some((first) => first.includes(problem)))
      assert.isAbove(said.length, 1, persona.name)
      assert.strictEqual(
        firsts.some((first) => first.endsWith("a name is all i need: who looks after this at oak & ember?")),
        persona.kind === "everyone_else"
      )
      // A problem that a person wrote is the only one.
      const problem = "Night crews go home early."
      const typed = draftPersona(campaignOf(cleaning), { ...persona, message: { ...persona.message, problem } })
      for (const first of variants(typed).map((variant) => bodies(typed, variant)[0] ?? ""))
        assert.include(first, problem.slice(0, -1))
    }
  })

  it("asks about the competitor that a column names, and says how many of the things a lead has that clients are counted by", () => {
    const [role = assert.fail("no persona"), ...others] = draftPlaybook(
      campaignOf({ ...cleaning, ideal_client_description: "Companies with 3 to 40 sites within 60 miles." })
    )
    const first = (persona: DraftedPersona, values: Partial<Variables>) =>
      sent(persona, 1, { ...variables, ...values })[0]?.body ?? ""
    assert.match(first(role, { custom: { sites: "12", miles: 9 } }), / at Oak & Ember(?: today)?, with 12 sites\?/)
    for (const sites of ["4", "n/a", "many", ""]) assert.notInclude(first(role, { custom: { sites } }), "sites")
    assert.match(first(role, { competitor: "Halden" }), /Does Halden solve that for you at Oak & Ember\?/)
    assert.match(
      first(others.at(-1) ?? role, { competitor: "Halden" }),
      /Does Halden solve that at Oak & Ember, or would a colleague know\?/
    )
  })

  it("takes no sentence without its subject for a difference, and a short clause of a long problem for a subject", () => {
    const difference = "Reads the invoices of each contract every night."
    const pain_points = "invoices miss the agreed discount and the second reminder goes to the wrong address"
    const [role = assert.fail("no persona")] = draftPlaybook(
      campaignOf({
        ...cleaning,
        target_job_titles: "Finance Director",
        unique_differentiators: difference,
        pain_points
      })
    )
    assert.notInclude(bodies(role)[0], difference)
    assert.strictEqual(sent(role)[0]?.subject, "Invoices miss the agreed discount")
  })

  it("says the same twice", () => assert.deepStrictEqual(draftPlaybook(campaignOf(cleaning)), personas))
})

it("takes what is sold from the description, but not the sender's own name with its verb", () => {
  const vets = "We're Front Range Relief Vets. Relief veterinarians for small animal and mixed practices in Colorado."
  assert.strictEqual(productTopic(vets, "Front Range Relief Vets"), "Relief veterinarians")
  const builders = "Ironclad Fit-Out designs and builds clinics for dental practices in Texas."
  assert.notInclude(productTopic(builders, "Ironclad Fit-Out") ?? "", "Fit-Out")
})

describe("what was chosen", () => {
  it("appears in every sequence, in the words the user gave it", () => {
    for (const persona of draftPlaybook(chosen))
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

  it("proves a problem in the first email only with a result about that problem, or about what is sold", () => {
    const sold = "A medical clinic in Akron got photos of every site inspected each week."
    for (const persona of draftPlaybook(campaignOf(cleaning, { social_proof: choice(sold) })))
      for (const variant of variants(persona)) assert.include(bodies(persona, variant)[0], sold)
    const about = "Two hotels have kept the same crew for 3 years since they came to us."
    const personas = draftPlaybook(campaignOf(cleaning, { social_proof: choice(about) }))
    const of = (title: string) => personas.find(({ titles }) => titles.includes(title)) ?? assert.fail(title)
    for (const variant of variants(of("Facilities Manager")))
      assert.include(bodies(of("Facilities Manager"), variant)[0], about)
    for (const variant of variants(of("Finance Director"))) {
      const [first = "", ...later] = bodies(of("Finance Director"), variant)
      assert.notInclude(first, about)
      assert.include(later.join("\n"), about)
    }
    assert.isTrue(of("Finance Director").missing.some(({ message }) => /about this problem/.test(message)))
  })

  it("gives its email a subject without a comma at the end", () => {
    const magnet = "Photo book with 30 rooms, before and after, with the price of each"
    for (const persona of draftPlaybook(campaignOf(cleaning, { lead_magnet: choice(magnet) })))
      assert.include(
        sent(persona).map(({ subject }) => subject),
        "Photo book with 30 rooms"
      )
  })

  it("stands for the description when it says what is sold", () => {
    const both =
      "We clean offices, medical clinics and churches in central Ohio. Every crew member is our own employee."
    for (const persona of draftPlaybook(campaignOf(cleaning, { value_proposition: choice(both) })))
      assert.strictEqual(bodies(persona)[0]?.split("We clean offices").length, 2)
  })

  it("costs the first email no sentence on how it works, and leaves none out between two", () => {
    const profile: Details = { ...noDetails, ...hollowell }
    const what = (promise: string) =>
      draftPlaybook(campaignOf(profile, { value_proposition: choice(promise) })).map(
        ({ message }) => message.what_we_do
      )
    const [sold = "", how = ""] = profile.business_description?.split(/(?<=\.) /) ?? []
    for (const said of what("The engineer who finds the leak carries the fittings to fix it."))
      assert.strictEqual(said, `${sold} ${how}`)
    // "Afterwards" continues the sentence before it, for which there is no space beside this promise.
    for (const said of what(profile.client_transformation ?? "")) assert.notInclude(said, "Afterwards")
  })

  it("is the one that is nearest to the persona where there are several", () => {
    const proofs = choice(
      "A hospital has had no complaint since May.",
      "Kroll Ltd now pays invoices that match the contract."
    )
    const personas = draftPlaybook(campaignOf(cleaning, { social_proof: proofs }))
    const finance = personas.find(({ titles }) => titles.includes("Finance Director"))
    assert.strictEqual(finance?.message.proof, proofs.items[1]?.description)
  })
})

describe("a step that was answered with none", () => {
  const none: Choice = { items: [], additional_details: null }
  it.each([
    ["social_proof", /Olentangy|Grove City|Family-owned/],
    ["lead_magnet", /Walk-through/],
    ["risk_reversal", /that night is free/]
  ] as const)("leaves the profile's own texts for it out: %s", (step, theirs) => {
    const all = (choices: Partial<Campaign>) =>
      draftPlaybook(campaignOf(cleaning, choices))
        .flatMap((persona) => bodies(persona))
        .join("\n")
    assert.match(all({}), theirs)
    assert.notMatch(all({ [step]: none }), theirs)
  })
})

describe("a thin profile", () => {
  it("gets four honest emails and a note for each sentence that is missing", () => {
    const [role, everyone] = draftPlaybook(campaignOf(thin))
    for (const persona of [role, everyone]) {
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

  it("puts the sender's name before a description that has no subject", () => {
    const fragment = "Open-source observability that stores traces in your own bucket."
    const [, everyone] = draftPlaybook(
      campaignOf({ ...thin, company_name: "Tracelight", business_description: fragment })
    )
    assert.include(bodies(everyone ?? assert.fail())[0], `We're Tracelight: ${fragment}`)
  })

  it.each([
    ["Oakwell - gutters and roofs for schools in Leeds.", "We're Oakwell - gutters and roofs for schools in Leeds."],
    ["Oakwell, LLC provides gutters and roofs to schools.", "Oakwell, LLC provides gutters and roofs to schools."],
    ["Premier roofing company. Gutters and sheds.", "We're Oakwell: Premier roofing company."]
  ])("makes no broken sentence of a description that is a title: %s", (business_description, said) => {
    const profile = { ...thin, company_name: "Oakwell", business_description }
    const [, everyone] = draftPlaybook(campaignOf(profile))
    const [first = ""] = bodies(everyone ?? assert.fail())
    assert.include(first.split("\n"), said)
  })

  it.each([
    ["Top-rated local handyman service providing home maintenance in Leeds.", "Top-rated local"],
    ["Golden Factory Company for mirrors, leading in sheet metal.", "Golden Factory"],
    ["Professioneller Garten- & Landschaftsbau in Kuppenheim, Rastatt & Umgebung.", "Professioneller Garten"]
  ])("takes no cut phrase of such a description for a subject: %s", (business_description, cut) => {
    const profile = { ...thin, company_name: "Oakwell", business_description }
    const [, everyone] = draftPlaybook(campaignOf(profile))
    for (const { subject } of everyone?.templates ?? []) assert.notInclude(subject, cut)
  })

  it("takes no noun for what the sender does", () => {
    const of = (business_description: string) => {
      const [, everyone] = draftPlaybook(campaignOf({ ...thin, company_name: "Dropfold", business_description }))
      return bodies(everyone ?? assert.fail())[0] ?? ""
    }
    const notes = "route planning + driver app for multi-drop food rounds"
    assert.include(of(notes), `We're Dropfold: ${notes}.`)
    assert.include(of("fix rubber surfaces in Cork"), "At Dropfold, we fix rubber surfaces in Cork.")
  })

  it("names the sender once where the description begins with a part of the name", () => {
    const business_description = "Hallam & Pryce is an independent insurance broker for builders."
    for (const persona of draftPlaybook(
      campaignOf({ ...thin, company_name: "Hallam & Pryce Insurance Brokers Ltd", business_description })
    ))
      assert.notInclude(bodies(persona)[0], "We're Hallam")
  })

  it("calls a credential no client's result in its last email", () => {
    const credibility_markers = ["ISO 27001 certified since 2013"]
    const social_proof = choice(...credibility_markers)
    const profile = { ...noDetails, company_name: "Oakwell Ltd", credibility_markers }
    for (const persona of draftPlaybook(campaignOf(profile, { social_proof }))) {
      const last = bodies(persona).at(-1) ?? ""
      assert.match(last, /\n\nAbout Oakwell: ISO 27001 certified since 2013\.\n/)
      assert.notMatch(last, /client/)
    }
  })

  it("notes a problem that belongs to no persona's work", () => {
    const profile = { ...thin, target_job_titles: "General Counsel", pain_points: "Shelves are empty on Mondays" }
    const [legal] = draftPlaybook(campaignOf(profile))
    assert.isTrue(legal?.missing.some(({ part }) => part === "problem"))
    assert.strictEqual(legal?.message.question, "Does that come up?")
  })

  it("shows the sender's site before it asks for a month", () => {
    const site = { ...thin, website_url: "https://www.brightpath.example/jobs" }
    const later = bodies(draftPlaybook(campaignOf(site))[0] ?? assert.fail("no persona")).join("\n")
    assert.include(later, "look first: brightpath.example.")
    assert.notInclude(JSON.stringify(draftPlaybook(campaignOf(thin))), "look first")
  })

  it("of nothing at all still has a first email and a closing one", () => {
    const [everyone] = draftPlaybook(campaignOf(noDetails))
    const steps = new Set(everyone?.templates.map(({ step }) => step))
    assert.isTrue(steps.has(1) && steps.has(4))
    assert.isTrue(everyone?.missing.some(({ part }) => part === "what_we_do"))
  })
})

describe("a corrected message", () => {
  const [drafted] = draftPlaybook(campaignOf(cleaning))
  if (drafted === undefined) throw new Error("no persona")
  const message = {
    what_we_do: "We keep clinics {clean}, and show it.",
    problem: "Your waiting room is judged before your doctors are.",
    consequence: "Patients say so in reviews.",
    proof: "Saint Ann's has had no complaint since May.",
    offer: "Ten photos of your own rooms, with notes",
    question: "Who reads your reviews?"
  }
  const persona = draftPersona(campaignOf(cleaning), {
    name: "Clinics",
    kind: "role",
    titles: ["Practice Administrator"],
    message
  })

  it("is what the emails say", () => {
    const all = bodies(persona)
    for (const text of [message.what_we_do, message.problem, message.consequence, message.proof, message.question])
      assert.include(all[0], text)
    assert.include(all.slice(1).join("\n"), message.offer)
    assert.isTrue(all[0]?.endsWith("Who reads your reviews?"))
    assert.deepStrictEqual(persona.message, message)
    assert.deepStrictEqual(persona.missing, [])
  })

  it("asks its question with a capital and a question mark", () => {
    const asks = draftPersona(campaignOf(cleaning), {
      name: "Clinics",
      kind: "role",
      titles: ["Practice Administrator"],
      message: { ...message, question: "who reads your reviews" }
    })
    assert.isTrue(bodies(asks)[0]?.endsWith("Who reads your reviews?"))
  })

  it("has its typed sentences used as sentences, whatever their grammar looks like", () => {
    const problem = "Nurses from abroad who fail the exam at the first attempt work for half a year as assistants."
    const own = draftPersona(campaignOf(cleaning), {
      name: "Clinics",
      kind: "role",
      titles: ["Practice Administrator"],
      message: { ...message, problem, offer: "Who wants it gets ten photos of the rooms from us." }
    })
    const [first = "", second = ""] = bodies(own)
    assert.isTrue(first.includes(`\n\n${problem} Patients say so`) && !first.includes(`: ${problem}`))
    assert.isTrue(second.includes("\n\nWho wants it gets ten photos of the rooms from us.\n\n"))
  })

  it("gives the first email a subject out of its question", () => {
    const subjectOf = (question: string, problem: string) =>
      draftPersona(campaignOf(cleaning), {
        name: "Clinics",
        kind: "role",
        titles: ["Practice Administrator"],
        message: { ...message, problem, question }
      }).templates[0]?.subject
    const problem = "Nobody who is new here ever knows what to do."
    assert.strictEqual(subjectOf("Who takes your after-hours calls today?", problem), "After-hours calls")
    assert.strictEqual(
      subjectOf("Who answers when the manager cannot?", problem),
      "Who answers when the manager cannot?"
    )
    assert.strictEqual(
      subjectOf("How do those who are new in it prepare for the accreditation?", problem),
      "Accreditation"
    )
    const drafted = draftPlaybook(campaignOf(cleaning))[0]
    assert.notInclude(drafted?.templates[0]?.subject, "?")
  })

  it("is not repeated in the words of the profile", () => {
    const description = "We clean clinics. An inspector visits each site once a week and sends photos."
    const proof = "Olentangy Family Medicine went from 14 cleaning complaints a month to 1 after switching 3 clinics."
    const own = draftPersona(
      campaignOf(
        { ...cleaning, business_description: description },
        { value_proposition: choice("An inspector visits each site once a week and sends photos.") }
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
    const all = [...bodies(own), ...bodies(own, 2)].join("\n")
    assert.notInclude(all, "An inspector visits each site")
    assert.notInclude(all, proof.slice(0, 40))
  })

  it("is drafted around what must not be said", () => {
    const free = draftPersona(campaignOf(cleaning), drafted)
    const phrases = ["turn over", "that night is free", "Olentangy", "my last email"]
    const all = (persona: DraftedPersona) =>
      persona.templates.map(({ body, subject }) => `${subject}\n${body}`).join("\n\n")
    for (const phrase of phrases) {
      const avoiding = draftPersona(campaignOf(cleaning), { ...drafted, never_say: [phrase] })
      assert.include(all(free), phrase)
      assert.notInclude(all(avoiding), phrase)
      assert.deepStrictEqual([...new Set(avoiding.templates.map(({ step }) => step))], [1, 2, 3, 4])
      assert.include(bodies(avoiding)[0], "We clean offices")
      // What a person reads as the message stays, so that they can correct it.
      assert.deepStrictEqual(avoiding.message, drafted.message)
    }
  })

  it("gives the same emails when it is as it was drafted", () =>
    assert.deepStrictEqual(draftPersona(campaignOf(cleaning), drafted).templates, drafted.templates))
})

describe("options", () => {
  it("are the user's own texts, with names that are whole", () => {
    const proofs = fieldOptionDrafts(cleaning, "social_proof")
    assert.deepStrictEqual(proofs, [
      { name: "Case study 1", description: cleaning.case_studies?.[0] ?? "" },
      { name: "Case study 2", description: cleaning.case_studies?.[1] ?? "" },
      { name: "Family-owned since 1994", description: "Family-owned since 1994" }
    ])
    // The numbers count the options that have no name of their own.
    const mixed = {
      ...cleaning,
      credibility_markers: [],
      case_studies: ["Short result", ...(cleaning.case_studies ?? [])]
    }
    assert.deepStrictEqual(
      fieldOptionDrafts(mixed, "social_proof").map(({ name }) => name),
      ["Short result", "Case study 1", "Case study 2"]
    )
    const labelled = { ...cleaning, lead_magnets: ["Floor audit: we grade 12 rooms"] }
    assert.strictEqual(fieldOptionDrafts(labelled, "lead_magnet")[0]?.name, "Floor audit")
  })

  it("promise only what stands in the profile, and one thing alone where it says nothing", () => {
    const found = valuePropositions(campaignOf(cleaning))
    assert.isAtLeast(found.length, 3)
    const profile = JSON.stringify(cleaning)
    for (const { description } of found) assert.include(profile, description)
    assert.include(
      found.map(({ description }) => description),
      "Same crew for at least 12 months on 9 of 10 sites"
    )
    assert.deepStrictEqual(
      valuePropositions(campaignOf(thin)).map(({ description }) => description),
      [thin.business_description]
    )
    assert.lengthOf(valuePropositions(campaignOf(noDetails)), 1)
    const refusing = { ...thin, business_description: `${thin.business_description} We do not place office staff.` }
    assert.notInclude(JSON.stringify(valuePropositions(campaignOf(refusing))), "office staff")
    const founded = `${thin.business_description} We were founded by two brothers in 1998 and still work in Cleeve Row.`
    assert.notInclude(JSON.stringify(valuePropositions(campaignOf({ ...thin, business_description: founded }))), "1998")
    const priced = { ...thin, core_products: [{ product: "Night shift cover", pricing: "GBP 19" }] }
    assert.notInclude(JSON.stringify(valuePropositions(campaignOf(priced))), "Night shift cover")
  })

  it("put the promise about the chosen proof's topic first", () => {
    const profile = { ...cleaning, business_description: null }
    const firstWith = (...proof: ReadonlyArray<string>) =>
      valuePropositions(campaignOf(profile, { social_proof: choice(...proof) }))[0]?.description
    assert.strictEqual(
      firstWith("Two clinics have kept the same crew for 3 years."),
      "Same crew for at least 12 months on 9 of 10 sites"
    )
    assert.strictEqual(firstWith("Oak Dental had its phone answered on 61 nights."), "An answered phone until 10 pm")
  })
})

const piece = Schema.Literals([
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
  "Nobody knows.",
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
const text = Arbitrary.map(Arbitrary.array(Arbitrary.schema(piece), { maxLength: 6 }), (pieces) => pieces.join(" "))
const wild = Arbitrary.all({
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

describe("a wild profile", () => {
  it.prop(
    "gets templates without a problem, with steps 1 and 4 for each persona",
    [wild],
    ([{ magnet, promise, proof, ...fields }]) => {
      const profile: Details = {
        ...noDetails,
        ...fields,
        case_studies: [proof],
        lead_magnets: [magnet],
        guarantee: [promise]
      }
      const personas = draftPlaybook(
        campaignOf(profile, { value_proposition: choice(promise), social_proof: choice(proof) })
      )
      assert.strictEqual(personas.at(-1)?.kind, "everyone_else")
      assert.isAtLeast(valuePropositions(campaignOf(profile)).length, 1)
      for (const persona of personas) {
        const steps = persona.templates.map(({ step }) => step)
        assert.include(steps, 1)
        assert.include(steps, 4)
        for (const template of persona.templates)
          assert.deepStrictEqual(templateProblems(template), [], JSON.stringify(template))
        sent(persona)
      }
    },
    { arbitrary: { runs: 150 } }
  )
})

describe("a playbook of a profile that an import has only begun to fill", () => {
  const products = (...names: ReadonlyArray<string>) => names.map((product) => ({ product, pricing: "" }))
  const everyone = (profile: Partial<Details>) =>
    draftPlaybook(campaignOf({ ...noDetails, company_name: "Kestrel Racking Ltd", ...profile })).at(-1) ??
    assert.fail("no persona for other titles")

  it("names products behind a colon, since their names are no sentences", () => {
    const persona = everyone({ core_products: products("Rack inspection", "Rack repair.") })
    assert.strictEqual(
      persona.message.what_we_do,
      "We're Kestrel Racking. What we offer: Rack inspection; Rack repair."
    )
    const trade = everyone({ industry_vertical: "Racking safety" })
    assert.strictEqual(trade.message.what_we_do, "We're Kestrel Racking. Our field: Racking safety.")
  })

  it.each([
    ["names alone", ["Column", "Arch", "Colonnade"]],
    ["rows of a price list", ["Label, apply only", "Polo 65/35", "Paket PARK", "Care tunic"]],
    ["names of another language", ["Wäsche der Kisten", "Reparatur der Paletten", "Lagerung"]]
  ])("does not name products by %s, which tell a stranger nothing", (_, names) => {
    const persona = everyone({ core_products: products(...names) })
    assert.isNull(persona.message.what_we_do)
    for (const name of names) assert.notInclude(JSON.stringify(persona.templates), name)
  })

  it("asks which product is closest only where there are several to choose from", () => {
    const description = "We inspect pallet racking for warehouses in Wales."
    const of = (...names: ReadonlyArray<string>) =>
      bodies(everyone({ business_description: description, core_products: products(...names) })).join("\n")
    assert.include(of("Rack inspection", "Rack repair."), "- Rack inspection\n- Rack repair\n\nWhich of these")
    assert.notInclude(of("Rack inspection"), "Which of these")
  })

  it("quotes no sentence of another language in an English email, and says so where it asks for one", () => {
    const german = everyone({
      business_description: "Wir prüfen Regale in Lagern und reparieren sie am selben Tag.",
      pain_points: "Gesperrte Regale stehen wochenlang leer und kosten Platz",
      guarantee: ["Auf jede Reparatur geben wir fünf Jahre Garantie."],
      lead_magnets: ["Festpreis-Angebot"],
      core_products: products("Regalprüfung", "Reparatur von Regalen und Bühnen", "Ersatzteile binnen 24 Stunden")
    })
    const all = bodies(german).join("\n")
    assert.notMatch(all, /Wir prüfen|Gesperrte|Garantie|Festpreis|und Bühnen/)
    assert.isNull(german.message.problem)
    for (const { message } of german.missing) assert.include(message, "Write it in English")
    const half = everyone({
      company_name: "Staplerschule Hagenried",
      business_description: "Wir schulen Gabelstaplerfahrer direkt im Betrieb unserer Kunden, in Bayern und Thüringen.",
      case_studies: ["Möbel Kranzeder: Anfahrschäden in einem Jahr um 70 % gesunken."]
    })
    assert.notInclude(bodies(half).join(), "Kranzeder")
    const english = everyone({ business_description: "We inspect pallet racking for warehouses in Wales." })
    for (const { message } of english.missing) assert.notInclude(message, "in English")
  })
})

describe("a playbook of an imported profile", () => {
  const everyone = (profile: Partial<Details>, choices: Partial<Campaign> = {}) =>
    sent(
      draftPlaybook(campaignOf({ ...noDetails, company_name: "Weserlift GmbH", ...profile }, choices)).at(-1) ??
        assert.fail("no persona")
    )

  it("without a usable description names the sender in the first email, and repeats no email", () => {
    for (const business_description of [
      null,
      "Wir warten und reparieren Aufzüge in Bremen.",
      "B1.",
      "Weserlift GmbH"
    ]) {
      const emails = everyone({ business_description })
      assert.include(emails[0]?.body, "Weserlift")
      assert.notInclude(emails[0]?.body, "B1")
      assert.strictEqual(new Set(emails.map(({ body }) => body)).size, emails.length)
    }
    const nameless = everyone({ company_name: "deck_v7_FINAL(2).pptx" })
    assert.strictEqual(new Set(nameless.map(({ body }) => body)).size, nameless.length)
  })

  it("says what is sold in each first email where it knows that and no problem", () => {
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

  it("names the problem and what a client gets where it does not know what is sold", () => {
    const [first] = everyone(
      { pain_points: "Missed calls while out on jobs" },
      { value_proposition: choice("Calls answered within four rings") }
    )
    assert.include(first?.body, "I work for Weserlift.")
    assert.include(first?.body, "The problem we solve:\nMissed calls while out on jobs.")
    assert.include(first?.body, "calls answered within four rings.")
  })

  it("has space for an offer behind a short first email, and asks for no setting up of what the reader does", () => {
    const ask = "Ask for a free one-square-metre sample patch laid in your busiest corner."
    for (const offer of [
      ask,
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

  it("says no sentence twice in one email", () => {
    const said = "Weserlift runs the lifts of 430 employers in the north."
    const result = "Nordbau cut its lift waste from 14% to 3% in one season."
    for (const { body } of everyone({ business_description: said, pain_points: result, case_studies: [said, result] }))
      for (const text of [said, result]) assert.isAtMost(body.split(text).length, 2)
  })

  it("holds no telephone number, no leader dots and no half of a sentence or a quotation", () => {
    const emails = everyone(
      {
        business_description: "Secure document storage in Kent. Call 01452 770 416.",
        pain_points:
          "Today eleven of us roast about four tonnes a month, nearly all of it for people who sell coffee on: hotels."
      },
      {
        lead_magnet: choice("Remakes ........ free for 5 years"),
        risk_reversal: choice('"Ten questions to ask before you let a diver in" – a checklist.')
      }
    )
    for (const { body, subject } of emails) {
      assert.notMatch(body, /01452|\.{4}|four tonnes a month\./)
      assert.strictEqual((subject.match(/"/g) ?? []).length % 2, 0)
    }
  })

  it("has no subject that lacks its noun", () => {
    const what = "We are an independent microbiology and chemistry laboratory in Dublin."
    assert.notMatch(productTopic(what, null) ?? "", /microbiology$/)
    const emails = everyone({ business_description: what }, { lead_magnet: choice("Free: a free site walk-through") })
    assert.isFalse(emails.some(({ subject }) => /walk$|^Free$/.test(subject)))
  })

  it("has no subject from the end of an offer", () => {
    const emails = everyone(
      { business_description: "We look after dairy herds." },
      { lead_magnet: choice("Pick up our free Mating Calendar at the counter or from the web site.") }
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
        pain_points: '"Saws come back blunt."\n"Nobody called us back for a month."',
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
