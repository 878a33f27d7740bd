// layers/answerer/StoredAnswers.ts: answers questions about reviews and the suppression list from stored data.
import { Effect } from "effect"
import type { Answer, KnowledgeFile, LeadReference } from "#layers/answerer/Answer.ts"
import type { Exclusions } from "#layers/answerer/LeadSets.ts"
import { citationOf, passagesOf } from "#layers/answerer/Passages.ts"

/** Lookups of stored data that the answers need. */
export interface StoredFacts {
  /** How the written leads of the campaign are reviewed. */
  readonly reviews: Effect.Effect<KnowledgeFile>
  /** The reason why this address, domain (`@osei.example`) or company is suppressed. */
  readonly suppressed: (person: {
    readonly email: string
    readonly company: string | null
  }) => Effect.Effect<string | undefined>
  /** The leads with these names in the campaign's lists, each with its emails. */
  readonly leads: (named: LeadReference) => Effect.Effect<ReadonlyArray<KnowledgeFile>>
  /** The reasons why leads should get no email: suppressed ones, and those at a client, a competitor or the own company. */
  readonly exclusions: Effect.Effect<Exclusions>
}

const reviewQuestion =
  /\bhow many (?:of (?:the |our |my |these )?)?(?:leads?|e-?mails?|people|contacts?|are|were|have|did (?:i|we)|still)\b.*\b(?:approved?|rejected?|reviewed?|unreviewed|open)\b/i

/** Captures the address, domain, company or name that a suppression question asks about. */
const suppressionQuestion =
  /^\W*(?:is|are|was|have we (?:put|got)|do we have)\s+(.+?)\s+(?:already |now |still |also )?(?:(?:on|in|under|part of)\s+(?:the |our |my |your )?[“"'‘]?(?:do[ -]not[ -]contact|suppression|blocked?|opt[ -]?out)\b.*|suppressed\W*)$/i

const createAnswer = (content: string, citations: Answer["citations"] = []): Answer => ({
  content,
  citations,
  nearest: [],
  answered_by: "search"
})

/** Uses the name that the console shows for the suppression list. */
const renameSuppressionList = (text: string) => text.replaceAll("on the suppression list", "on “Do not contact”")

/** The entry that an answer was taken from, with the page of all entries. */
const entryCitation = (reason: string | undefined): Answer["citations"] =>
  reason === undefined
    ? []
    : [{ file_id: null, filename: "Do not contact", passage: renameSuppressionList(reason), link: "/#/suppressions" }]

const isDomain = (text: string) => /^[^\s@]+\.[a-z]{2,}$/i.test(text)

const cleanSubject = (text: string) =>
  text
    .replace(/^(?:the )?(?:address|domain|company|lead|person) /i, "")
    .replace(/^[“"'‘(]+|[”"'’)?.,]+$/g, "")
    .trim()

const answerSuppression = Effect.fnUntraced(function* (subject: string, stored: StoredFacts) {
  if (subject.includes("@") || isDomain(subject)) {
    const email = (subject.includes("@") ? subject : `@${subject}`).toLowerCase()
    const reason = yield* stored.suppressed({ email, company: null })
    const content = reason ?? `${subject} is not on the suppression list, and neither is its domain.`
    return createAnswer(renameSuppressionList(content), entryCitation(reason))
  }
  const words = subject.toLowerCase().split(/\s+/)
  const names = [{ words, isMarked: true }]
  const reference = {
    addresses: [],
    words: words.join(" "),
    names,
    byTitle: false,
    colleagues: false,
    group: undefined
  }
  const leads = yield* stored.leads(reference)
  const companyReason = yield* stored.suppressed({ email: "", company: subject })
  if (leads.length === 0) {
    const notFoundText = `No company of the name ${subject} is on the suppression list, and no lead of this campaign has the name. Ask with an email address or a domain to be sure.`
    return createAnswer(renameSuppressionList(companyReason ?? notFoundText), entryCitation(companyReason))
  }
  const exclusions = yield* stored.exclusions
  const lines = yield* Effect.forEach(leads, ({ content, link }) =>
    Effect.gen(function* () {
      const [heading = ""] = content.replace(/^#+ /, "").split("\n")
      const [email = ""] = /[^\s(,]+@[^\s),]+/.exec(heading) ?? []
      const reason = exclusions.get(link)
      const suppressionReason = reason?.includes("suppression list")
        ? reason
        : yield* stored.suppressed({ email: email.toLowerCase(), company: null })
      return `- ${heading}: ${suppressionReason ?? "not on the suppression list."}`
    })
  )
  const companyLine = companyReason === undefined ? [] : [`- As a company: ${companyReason}`]
  const content = renameSuppressionList([...lines, ...companyLine].join("\n"))
  return createAnswer(content, [...passagesOf(leads).map(citationOf), ...entryCitation(companyReason)])
})

/** The answer to a question about reviews or the suppression list; undefined for any other. */
export const answerFromStore = Effect.fnUntraced(function* (question: string, stored: StoredFacts) {
  if (reviewQuestion.test(question) && !/\bopened\b/i.test(question)) {
    const passages = passagesOf([yield* stored.reviews])
    return createAnswer(passages.map(({ text }) => text).join("\n\n"), passages.map(citationOf))
  }
  const [, subject] = suppressionQuestion.exec(question.slice(0, 1000).trim()) ?? []
  const name = cleanSubject(subject ?? "")
  return name === "" || /^(?:there|any(?:one|body)?|who|which|all|any)\b/i.test(name)
    ? undefined
    : yield* answerSuppression(name, stored)
})
