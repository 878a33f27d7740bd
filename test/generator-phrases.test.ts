// test/generator-phrases.test.ts: how the rough prose of profiles is made into sentences.
import { assert, describe, it } from "@effect/vitest"
import { withArticle } from "#layers/generator/builtin/grammar/Articles.ts"
import { namesIn } from "#layers/generator/builtin/grammar/Capitals.ts"
import { phrase } from "#layers/generator/builtin/grammar/Phrases.ts"
import { pieces, plain } from "#layers/generator/builtin/grammar/Pieces.ts"
import { describe as described } from "#layers/generator/builtin/material/Descriptions.ts"
import { doubts } from "#layers/generator/builtin/material/Doubts.ts"
import { offer } from "#layers/generator/builtin/material/Offers.ts"
import { gains, promises } from "#layers/generator/builtin/material/Promises.ts"
import { marks, proofSentences } from "#layers/generator/builtin/material/Proofs.ts"

const none = new Set<string>()

describe("pieces of a field", () => {
  const lists: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
    ["Bills arrive late; nobody knows why.", ["Bills arrive late", "nobody knows why"]],
    ["- late bills\n- wrong rates", ["late bills", "wrong rates"]],
    ["late bills, wrong rates and lost files", ["late bills", "wrong rates", "lost files"]],
    ["Charges, fees and fuel are billed twice", ["Charges, fees and fuel are billed twice"]],
    ["Kunden warten zu lange auf die Antwort und das Angebot", []],
    ["TBD", []]
  ]
  for (const [text, found] of lists) it(text, () => assert.deepStrictEqual(pieces(text), found))
})

describe("the shape of a piece", () => {
  const shapes: ReadonlyArray<readonly [string, string]> = [
    ["Bills arrive weeks late", "clause"],
    ["nobody knows which contract applied", "clause"],
    ["Guests complain of cold showers", "clause"],
    ["hours on the phone to reps", "thing"],
    ["settlement payments that could have been avoided", "thing"],
    ["Wasting Fridays on stock counts", "doing"],
    ["can't find good staff", "deed"],
    ["We bake at night", "ours"],
    ["You'd go from this to that", "clause"],
    ["the baker calls in sick", "other"],
    ["gremlins flummox everybody", "other"]
  ]
  for (const [text, kind] of shapes) it(`${text}: ${kind}`, () => assert.strictEqual(phrase(text, "", none).kind, kind))
})

describe("sentences out of facts", () => {
  it("splits a case that tells two results", () =>
    assert.deepStrictEqual(proofSentences("Pier Ltd (80 rooms) cut calls from 9 to 2 and saved 40 hours.", none), [
      "Pier Ltd cut calls from 9 to 2 and saved 40 hours.",
      "Pier Ltd cut calls from 9 to 2.",
      "Pier Ltd saved 40 hours."
    ]))

  it("gives a case without a subject one", () => {
    assert.deepStrictEqual(proofSentences("Filled 14 roles in 6 weeks", none), ["We filled 14 roles in 6 weeks."])
    assert.deepStrictEqual(proofSentences("30% fewer calls at Pier", none), ["One result: 30% fewer calls at Pier."])
    assert.deepStrictEqual(proofSentences('"They are great!" - Ann, Pier', none), [])
  })

  it("says what vouches for us", () => {
    assert.deepStrictEqual(marks("ISO 27001 certified", "", none), ["We're ISO 27001 certified."])
    assert.deepStrictEqual(marks("Licensed customs agents since 2011", "", none), [
      "We've been licensed customs agents since 2011."
    ])
    assert.deepStrictEqual(marks("Trusted by 60 hotels", "", none), ["60 hotels trust us."])
    assert.deepStrictEqual(marks("Family business since 1987", "", none), ["We've been a family business since 1987."])
  })

  it("says what we do, shortly and each part alone", () => {
    assert.deepStrictEqual(
      described(
        "We audit every invoice line by line, match them with rates, and show clients where they overpay.",
        "",
        none
      ).does,
      ["We audit every invoice line by line.", "We show clients where they overpay."]
    )
    assert.deepStrictEqual(described("Pier Pumps builds and services slurry pumps.", "Pier Pumps", none), {
      does: ["We build and service slurry pumps."],
      topics: ["slurry pumps"]
    })
    assert.deepStrictEqual(described("Provides payroll to small firms", "", none).does, [
      "We provide payroll to small firms."
    ])
    assert.deepStrictEqual(described("Family law firm in Leeds", "", none).does, ["We're a family law firm in Leeds."])
    assert.deepStrictEqual(described("We help schools track attendance.", "", none).topics, ["tracking attendance"])
  })

  it("says what changes for the reader", () =>
    assert.deepStrictEqual(
      gains([], "From guessing by hand to knowing at once, and more.", "a named rep; no hourly billing", "", none),
      ["You'd go from guessing by hand to knowing at once.", "You get a named rep.", "There's no hourly billing."]
    ))

  it("states a guarantee whole", () => {
    assert.deepStrictEqual(promises("If it fails, the repair is on us.", "", none), [
      "If it fails, the repair is on us."
    ])
    assert.deepStrictEqual(promises("30-day returns", "", none), ["Our promise: 30-day returns."])
  })

  it("turns an objection to the reader", () =>
    assert.deepStrictEqual(doubts("We already have a contractor: they come late, we come before.", none), [
      { worry: "You may already have a contractor.", answer: "They come late, and we come before." }
    ]))

  it("offers a gift in words that fit a question", () => {
    assert.strictEqual(
      offer("FREE audit of your last 50 bills, results in 5 days", none)?.thing,
      "an audit of your last 50 bills"
    )
    assert.strictEqual(
      offer("Free audit of your last 50 bills, results in 5 days", none)?.tail,
      ", with results in 5 days"
    )
    assert.strictEqual(offer("Download our checklist", none)?.thing, "our checklist")
    assert.strictEqual(offer("Guide: 7 mistakes to avoid", none)?.thing, 'our guide "7 mistakes to avoid"')
    assert.isUndefined(offer("{{magnet}}", none))
  })
})

describe("small words and marks", () => {
  it("finds the article", () => {
    const articles = ["audit of bills", "guides", "equipment", "user guide", "hour of help", "12-week plan", "the plan"]
    assert.deepStrictEqual(articles.map(withArticle), [
      "an audit of bills",
      "guides",
      "equipment",
      "a user guide",
      "an hour of help",
      "a 12-week plan",
      "the plan"
    ])
  })

  it("takes names for names", () =>
    assert.deepStrictEqual([...namesIn("We work with Pier Hotel daily; Guests like it.")], ["Pier", "Hotel"]))

  it("types like a person", () =>
    assert.strictEqual(
      plain("\u201cFast\u201d \u2014 it\u2019s 5\u201310 days \u{1f680} see https://x.example"),
      '"Fast", it\'s 5-10 days see'
    ))
})
