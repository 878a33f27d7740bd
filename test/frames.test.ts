// test/frames.test.ts: splitting and classifying a user's text, and the email frames that are filled with it.
import { assert, describe, it } from "@effect/vitest"
import { fillFrame, frames, type Slot } from "#layers/generator/playbook/Frames.ts"
import { firstClause, problemSubject } from "#layers/generator/playbook/SubjectTopics.ts"
import { builtinQuestions } from "#layers/generator/playbook/ClosingQuestions.ts"
import { templateProblems } from "#layers/generator/playbook/LiquidTemplate.ts"
import { countedPhrase, nounPhrases } from "#layers/text/NounPhrases.ts"
import {
  splitItems,
  splitLabel,
  splitSentences,
  classifyShape,
  startsWithVerb,
  countWords
} from "#layers/text/Sentences.ts"
import { splitParagraph as splitEmail } from "#layers/text/Words.ts"

const sentences = [
  "Whitestack washes, presses and delivers hired linen for hotels, serviced apartments and event caterers.",
  "We clean offices, medical clinics, churches and light industrial buildings in central Ohio.",
  "Return rates above 20% eat the margin of paid acquisition",
  "half of support tickets after a sale are about refunds",
  "size exchanges need three manual steps",
  "nobody knows which SKU is returned for which reason",
  "Mechanical seals leak and stop the line",
  "spare seals take 9 weeks",
  "the standby pump is cannibalised for parts.",
  "One call in three to the front desk is missed or not booked",
  "agencies report clicks, not patients",
  "implant leads shop on price",
  "hygiene chairs stand empty mid-week",
  "Wren & Co kept $312,000 of revenue in 2025 by turning 41% of returns into exchanges.",
  "Ridgeline Footwear cut refund tickets from 1,150 to 420 a month within one quarter.",
  "We listen to the calls.",
  "If exchanges do not rise in the first 60 days, both months are refunded.",
  "A 60,000 square foot distribution centre in Grove City saved $1,900 a month against its national vendor.",
  "A 96-unit apartment building cut its gas bill by $14,200 in one winter.",
  "cleaning crews turn over and nobody tells you",
  "medical areas are cleaned like offices",
  "runway is a guess",
  "the model does not survive diligence",
  "Parcelbeam closed a GBP 9m Series A in 11 weeks with the model we built and found 5 months of extra runway.",
  "Every partner has been CFO of a company that was sold or listed",
  "Boomerly is a returns app for Shopify brands.",
  "A pulp mill in Värmland replaced 22 sealed pumps and had no seal leak in 31 months.",
  "Desert Ridge Family Dental lifted call-to-appointment from 52% to 71% in two months.",
  "Olentangy Family Medicine went from 14 cleaning complaints a month to 1 after switching 3 clinics to us.",
  "Most brands that switch keep their portal design and change only what is offered before the refund.",
  "We're part-time CFOs for venture-backed software companies.",
  "invoices get paid late",
  "the board pack arrives three weeks after month end",
  "Setup takes two hours of your team's time.",
  "Telemetry is billed per gigabyte",
  "A Munich patent firm filed 46 validations in 2025 without one office action about language.",
  "Reports that say nothing cost us days",
  "When a storage site is managed remotely, the lockout call at 9 p.m. goes to somebody's own phone",
  "If we answer fewer than 95% of calls in any month, that month is free.",
  "If your safety team isn't happy with the script we walk away and you owe nothing, before any animating starts.",
  "Paid search brings calls, and a third go unanswered.",
  "Send us a roof plan and we will tell you whether it is worth surveying."
]

const fragments = [
  "quotes that creep up every year",
  "Open shifts, unbilled hours, expired licences on post, overtime nobody approved, dispatcher burnout.",
  "Live in 6 days on average.",
  "Open-source observability that stores traces, logs and metrics in your own S3 bucket.",
  "Brewery CIP line: unplanned stops fell from 6 to 1 a year.",
  "Five years on the magnetic coupling",
  "Returns teardown: we order, return and time your own returns flow",
  "Ad money spent on clicks from people who never book",
  "missed calls at the front desk",
  "empty chairs on Tuesday mornings",
  "Flat monthly price whatever the volume.",
  "Exchanges across the whole catalogue, not only the same item in another size.",
  "Used by 230 Shopify brands",
  "Spare parts shipped from Göteborg within 48 hours",
  "One practice per zip code.",
  "Month to month.",
  "Only dental since 2013",
  "140 practices in 11 states",
  "Refunds that could have been exchanges",
  "Refunds that could have been exchanges, support tickets asking where the refund is, and returned stock that sits for weeks before it can be sold again.",
  "support tickets asking where the refund is",
  "returned stock that sits for weeks before it can be sold again",
  "Google Ads, local SEO and a front-desk call review, reported per booked appointment rather than per click.",
  "Sizes from 2 to 180 m3/h, in PVDF, PP and 316L.",
  "Family-owned since 1994",
  "Same crew for at least 12 months on 9 of 10 sites",
  "20 new patients in 90 days or we work without a fee until you have them.",
  "energy bills nobody can explain",
  "Everything you need to run a clinic",
  "An answered phone until 10 pm",
  "Weekly inspection with photos",
  "Per-return fees that rise with volume and long onboarding projects.",
  "From 8 in 10 returns ending as refunds to 4 in 10 ending as an exchange or store credit.",
  "Part-time CFOs for venture-backed software companies",
  "Trusted by 40 hospitals",
  "No long-term contracts",
  "Custom kitchens built in Leeds",
  "Late deliveries",
  "invoices paid late",
  "Machines down for want of a part",
  "Maps of implant searches in your zip code",
  "ISO 9001 certified",
  "payroll errors that employees find first",
  "Crews that change weekly and leave keys behind",
  "Quotes that arrive late and never match the invoice",
  "When the people you need are away",
  "If you hire people who leave",
  "Racking of three makes on one site, no drawings",
  "Trusted by clinics when it gets busy",
  "10 working days lead time when the customer waits"
]

describe("a user's text", () => {
  it.each(sentences)("is a sentence: %s", (text) => assert.strictEqual(classifyShape(text), "sentence"))
  it.each(fragments)("is a fragment: %s", (text) => assert.strictEqual(classifyShape(text), "fragment"))
  it("is a question when it ends with a question mark", () =>
    assert.strictEqual(classifyShape("Who listens to your calls today?"), "question"))
  it("is a fragment when any of its sentences is", () =>
    assert.strictEqual(classifyShape("We clean offices. Weekly inspection with photos."), "fragment"))

  it("is split into sentences verbatim", () => {
    assert.deepStrictEqual(splitSentences("We sell pumps, e.g. for acids. Dr. Lee likes them! Do you?"), [
      "We sell pumps, e.g. for acids.",
      "Dr. Lee likes them!",
      "Do you?"
    ])
    assert.deepStrictEqual(splitSentences("- Month to month\n- No retainer"), ["Month to month", "No retainer"])
    assert.deepStrictEqual(splitSentences(" \n "), [])
  })

  it("is not split within opening hours", () => {
    const hours = ["Support from 7 a.m. to 7 p.m. on weekdays, and until 5 p.m. on Fridays.", "We answer at night too."]
    assert.deepStrictEqual(splitEmail(hours.join(" ")), hours)
    assert.deepStrictEqual(splitSentences(hours.join(" ")), hours)
    assert.lengthOf(splitEmail("We are there until 7 p.m. You are not."), 2)
  })

  it("is split at sentences without capitals, but not after an abbreviation", () => {
    assert.deepStrictEqual(
      splitSentences("We schedule guards. when someone calls off it texts the others. that is all."),
      ["We schedule guards.", "when someone calls off it texts the others.", "that is all."]
    )
    assert.lengthOf(splitSentences("We have approx. nine people in the dept. of works."), 1)
  })

  it("is split into items at semicolons and lines, not inside a number or a clause", () => {
    assert.deepStrictEqual(splitItems("Buildings of 8,000 square feet; seals that leak, even new ones"), [
      "Buildings of 8,000 square feet",
      "seals that leak, even new ones"
    ])
    assert.deepStrictEqual(
      splitItems("manuals are late; the last instalment is held back. Engineers write at weekends."),
      ["manuals are late", "the last instalment is held back.", "Engineers write at weekends."]
    )
    assert.deepStrictEqual(splitItems("(a) waste of short life; (b) audits that fail"), [
      "waste of short life",
      "audits that fail"
    ])
    assert.deepStrictEqual(splitItems("Same crew, every week\nA written quote"), [
      "Same crew, every week",
      "A written quote"
    ])
    assert.deepStrictEqual(splitItems("Agencies report clicks, not patients."), [
      "Agencies report clicks, not patients."
    ])
    assert.deepStrictEqual(splitItems("The model, which does not survive diligence."), [
      "The model, which does not survive diligence."
    ])
  })

  it("is split at commas if each part is a noun phrase", () =>
    assert.deepStrictEqual(
      splitItems(
        "Refunds that could have been exchanges, support tickets asking where the refund is, and returned stock."
      ),
      ["Refunds that could have been exchanges", "support tickets asking where the refund is", "returned stock."]
    ))

  it.each([
    ["Works with the client's software, 26 connected so far.", true],
    ["Built in Leeds", true],
    ["Used by 230 Shopify brands", true],
    ["Fixed price per machine", false],
    ["Samples on test the same night", false],
    ["Shipping within 48 hours", false]
  ])("starts with a verb, or with the thing it is about: %s", (text, expected) =>
    assert.strictEqual(startsWithVerb(text), expected)
  )

  it("has a label before a colon", () => {
    assert.deepStrictEqual(splitLabel("Returns teardown: we order and time your returns"), {
      label: "Returns teardown",
      rest: "we order and time your returns"
    })
    assert.isNull(splitLabel("Open from 9:30 to 17:00"))
    assert.strictEqual(countWords("It cost $8,000 in call-to-appointment"), 5)
  })

  it("has its noun phrases extracted verbatim", () => {
    const phrases = (text: string) => nounPhrases(text).map((phrase) => phrase.text)
    assert.deepStrictEqual(phrases("Mechanical seals leak and stop the line"), ["Mechanical seals"])
    assert.deepStrictEqual(phrases("half of support tickets after a sale are about refunds"), ["support tickets"])
    assert.deepStrictEqual(phrases("send you a one-page summary"), ["one-page summary"])
    assert.deepStrictEqual(phrases("Customs papers take weeks to find when an auditor asks"), ["Customs papers"])
    assert.deepStrictEqual(phrases("Clients charge guard companies penalties"), [])
    assert.deepStrictEqual(phrases("nobody knows which SKU is returned"), [])
    assert.strictEqual(countedPhrase("It replaced 22 sealed pumps and saved 31 months of $400"), "22 sealed pumps")
    assert.isNull(countedPhrase("It took 11 weeks and 1,150 to 420 a month"))
    assert.isNull(countedPhrase("It is dry for 2 winters now"))
    // Part of a name, a verb, and a phrasal verb are no noun phrases.
    assert.notInclude(phrases("We are an Independent ISO 17025 laboratory"), "Independent ISO")
    assert.notInclude(phrases("we walk away before any animating starts and you owe nothing"), "animating starts")
    assert.deepStrictEqual(phrases("Co-packer moves the date again, and the regulator asks"), [])
    assert.deepStrictEqual(phrases("late parts when the customer waits"), ["late parts"])
    assert.notInclude(phrases("The sheet works out what a call costs"), "works out")
  })
})

const filler: ReadonlyMap<string, Slot> = new Map(
  frames
    .flatMap(({ body, needs, subject }) => [...body.flat(), ...subject, ...needs.map((need) => `[[${need}]]`)])
    .flatMap((wording) => [...wording.matchAll(/\[\[([a-z_]+)/g)].map(([, name = ""]) => name))
    .map((name) => [name, { text: `user ${name}`, shape: "sentence" }])
)

describe("the subject of a problem", () => {
  it.each([
    ["Holiday and Christmas pay is a surprise.", "Holiday and Christmas pay"],
    ["Void properties stand empty waiting for a refurb survey", "Void properties"],
    ["No one knows which part is late", null],
    ["Tenants refuse access", null],
    ["late parts when the customer waits", null]
  ])("is the text before its verb: %s", (text, subject) => assert.strictEqual(problemSubject(text), subject))
})

describe("the first clause of a problem", () => {
  it.each([
    ["Import duty is paid on the wrong tariff code", null],
    ["Tariff codes are picked by the shipper", null],
    ["Refunds wait for weeks because a form is missing", "Refunds wait for weeks"]
  ])("is null if it changes the meaning on its own: %s", (text, clause) =>
    assert.strictEqual(firstClause(text), clause)
  )
})

describe("frames", () => {
  it("have unique ids and exist for steps 1 to 4", () => {
    assert.strictEqual(new Set(frames.map(({ id }) => id)).size, frames.length)
    for (const reader of ["role", "owner", "everyone_else"])
      for (const step of [1, 4]) {
        const matching = frames.filter((frame) => frame.readers.includes(reader) && frame.step === step)
        assert.isNotEmpty(matching)
      }
    for (const reader of ["role", "owner", "everyone_else"])
      for (const step of [2, 3, 4])
        assert.isTrue(
          frames.some((frame) => frame.readers.includes(reader) && frame.step === step && frame.needs.length === 0),
          `${reader} ${step}: a frame that needs nothing`
        )
  })

  it.each(frames.map((frame) => [frame.id, frame] as const))(
    "%s fills into a template without a problem",
    (_, frame) => {
      for (const shape of ["sentence", "fragment"] as const) {
        const slots = new Map([...filler].map(([name, slot]) => [name, { ...slot, shape }]))
        for (const need of frame.needs) {
          const [name = "", requiredShape] = need.split(":")
          const slot = slots.get(name)
          if (slot !== undefined && requiredShape !== undefined)
            slots.set(
              name,
              requiredShape === "sentence" || requiredShape === "fragment"
                ? { ...slot, shape: requiredShape }
                : { ...slot, kind: requiredShape }
            )
        }
        for (const turn of [0, 1, 2, 3]) {
          const email = fillFrame(frame, slots, new Set(), turn)
          assert.isDefined(email)
          if (email === undefined) continue
          assert.deepStrictEqual(templateProblems(email), [])
          assert.notMatch(email.subject + email.body, /\[\[|\]\]|\|\|/)
          assert.isAtMost(email.body.split("{{ company }}").length, 2, "names the company once at most")
        }
      }
    }
  )

  it.each(frames.map((frame) => [frame.id, frame] as const))(
    "%s mentions no silence, and asks at its end, or at its start and says that a line is enough",
    (_, frame) => {
      const text = frame.body.flat().join(" ")
      assert.notMatch(text, /hear(?:d)? back|no (?:reply|answer)|follow(?:ing)? up|bump|my last email to you|circling/i)
      const asksFirst = frame.body.length > 1 && /\[\[question\]\]/.test((frame.body[0] ?? []).join(" "))
      if (asksFirst) assert.match((frame.body.at(-1) ?? []).join(" "), /line/)
      for (const wording of (frame.body.at(asksFirst ? 0 : -1) ?? []).flatMap((wording) => wording.split(" || ")))
        assert.match(wording, /\?(?: |$)|\[\[(?:second_|end_)?question\]\]/)
    }
  )

  it("are not filled when a required slot is missing or has another shape", () => {
    const frame = {
      id: "x",
      step: 1,
      readers: ["role"],
      needs: ["problem:sentence"],
      subject: ["S"],
      body: [["[[problem]]"]]
    }
    const slotsWith = (text: string, shape: Slot["shape"]) => new Map([["problem", { text, shape }]])
    assert.isUndefined(fillFrame(frame, new Map()))
    assert.isUndefined(fillFrame(frame, slotsWith("late parts", "fragment")))
    assert.include(fillFrame(frame, slotsWith("parts come late", "sentence"))?.body, "\n\nParts come late.")
  })

  it("change only the first letter and the full stop of a user's text", () => {
    const frame = {
      id: "x",
      step: 2,
      readers: ["role"],
      needs: [],
      subject: ["[[a]]"],
      body: [["[[a]] [[b]]"], ["I mean: [[a]]"], ["“[[a]].”"], ["Is it [[a]], or not?"]]
    }
    const email = fillFrame(
      frame,
      new Map([
        ["a", { text: "iPhone parts {{ x }}.", shape: "fragment" }],
        ["b", { text: "who pays?", shape: "question" }]
      ])
    )
    assert.deepStrictEqual(
      email?.body
        .replaceAll(/\{\{ "([{}]+)" \}\}/g, "$1")
        .split("\n\n")
        .slice(1),
      [
        "iPhone parts {{ x }}. Who pays?",
        "I mean: iPhone parts {{ x }}.",
        "“iPhone parts {{ x }}.”",
        "Is it iPhone parts {{ x }}, or not?"
      ]
    )
    assert.deepStrictEqual(templateProblems(email ?? { subject: "", body: "" }), [])
  })

  it("put a sentence after a full stop, and a fragment after a colon in the right case", () => {
    const filledParagraphs = (id: string, text: string, shape: Slot["shape"], extraText = "") => {
      const frame = frames.find((frame) => frame.id === id) ?? assert.fail(id)
      const slots = new Map([
        ["problem", { text, shape }],
        ["what", { text: `We sort duty out. ${extraText}`, shape: "sentence" as const }]
      ])
      const body = frame.body.slice(0, 1)
      return [0, 1].map(
        (turn) => fillFrame({ ...frame, needs: [], body }, slots, new Set(), turn)?.body.split("\n\n")[1]
      )
    }
    assert.deepStrictEqual(filledParagraphs("first-problem", "Import duty is paid twice", "sentence"), [
      "We hear this a lot. Import duty is paid twice.",
      "We see this problem often. Import duty is paid twice."
    ])
    assert.deepStrictEqual(filledParagraphs("first-problem", "Late deliveries", "fragment", "No late parts."), [
      "We hear this a lot: late deliveries.",
      "A problem we see often: late deliveries."
    ])
    for (const name of ["Harbour Foods crates that leak", "HMRC letters", "Lieferungen am Abend"])
      assert.strictEqual(
        filledParagraphs("first-problem", name, "fragment", "The harbour is near.")[0],
        `We hear this a lot: ${name}.`
      )
    const wordings = frames.flatMap(({ body }) => body.flat()).flatMap((wording) => wording.split(" || "))
    for (const wording of wordings) assert.notMatch(wording, /: \[\[[a-z_]+:sentence\]\]/)
  })

  it("have questions that can be rendered and name the company at most once", () => {
    for (const questions of builtinQuestions.values())
      for (const wording of questions) {
        assert.deepStrictEqual(templateProblems({ subject: "S", body: wording }), [])
        assert.isAtMost(wording.split("{{ company }}").length, 2)
        assert.match(wording, /\?(?:\{% endif %\})?$/)
      }
  })
})
