// layers/generator/checker/ProductStatement.ts: checks whether an email states what the sender does, or anything
// specific.
import { memoize } from "effect/Function"
import { type EmailText, findingAt, findingOnWhole, quoteShort } from "#layers/generator/checker/EmailText.ts"
import type { Sources } from "#layers/generator/checker/ClaimSources.ts"
import { hasSynonym, sharedStemCount } from "#layers/generator/checker/Quantities.ts"
import type { Finding } from "#schema/Findings.ts"

/** Shared words of a sentence and a description of what the sender does. One word is too common to show anything. */
const minSharedStems = 2
/** Without a word for the sender, a sentence needs more, because it may be about the reader's own work. */
const minImpliedStems = 3

/**
 * How clearly the email says what the sender does: in a sentence about the sender, only by implication, or not at
 * all.
 */
const statementClarity = (
  email: EmailText,
  { activityStems, offerStems, senderNames }: Sources
): "plain" | "implied" | "missing" => {
  const allActivityStems = new Set(activityStems.flatMap((each) => [...each]))
  let impliedCount = 0
  const matchedStems = new Set<string>()
  for (const { normalizedText, isQuestion, stems } of email.sentences) {
    const mentionsSender =
      /\b(?:we|we're|our|ours|us|i)\b/i.test(normalizedText) ||
      [...senderNames].some((name) => normalizedText.toLowerCase().includes(name))
    const bestOverlap = Math.max(0, ...activityStems.map((each) => sharedStemCount(stems, each)))
    if (mentionsSender && !isQuestion && bestOverlap >= minSharedStems) return "plain"
    if (bestOverlap >= minImpliedStems) impliedCount++
    for (const stem of stems) if (allActivityStems.has(stem) || offerStems.has(stem)) matchedStems.add(stem)
  }
  return impliedCount > 0 || matchedStems.size >= minImpliedStems ? "implied" : "missing"
}

/** Stems that several descriptions of the product share, such as "translat" for a translation agency; all stems if none is shared. */
const coreProductStems = memoize(({ activityStems }: Sources): ReadonlySet<string> => {
  const counts = new Map<string, number>()
  for (const each of activityStems) for (const stem of each) counts.set(stem, (counts.get(stem) ?? 0) + 1)
  const sharedStems = [...counts].filter(([, count]) => count >= 2).map(([stem]) => stem)
  return new Set(sharedStems.length > 0 ? sharedStems : counts.keys())
})

/**
 * Warns if an email has nothing about the sender, its clients or the reader's problem, only words that any company could
 * send.
 */
export const paddingFindings = (email: EmailText, sources: Sources, step: number): ReadonlyArray<Finding> => {
  const statements = email.sentences.filter(({ isQuestion }) => !isQuestion)
  // One or two sentences are a short note, such as a reminder.
  if (sources.activityStems.length === 0 || statements.length < 3) return []
  // A farewell need not state anything.
  if (
    /\b(?:last (?:email|note|message|mail)|stop writing|won't write|no more emails|close the file|leave it (?:here|there|at that))\b/i.test(
      email.body
    )
  )
    return []
  const isSpecific = email.sentences.some((sentence) => {
    const { normalizedText, isQuestion, stems } = sentence
    const mentionsSender =
      /\b(?:we|we're|our|ours|us|i|i'll|i'd)\b/i.test(normalizedText) ||
      [...sources.senderNames].some((name) => normalizedText.toLowerCase().includes(name))
    const productStemCount = [...stems].filter(
      (stem) => sources.offerStems.has(stem) || sources.activityStems.some((each) => each.has(stem))
    ).length
    const maxSharedStems = Math.max(0, ...sources.all.map((source) => sharedStemCount(stems, source.stems)))
    return (
      /\d|https?:/.test(normalizedText) ||
      sources.clients.some(({ pattern }) => pattern.test(normalizedText)) ||
      ((mentionsSender || isQuestion) && productStemCount >= 2) ||
      productStemCount >= 3 ||
      maxSharedStems >= 3
    )
  })
  if (isSpecific) return []
  // The whole body is empty of content, so the span covers all of it.
  const [first, last] = [statements[0], statements.at(-1)]
  return first === undefined || last === undefined
    ? []
    : [
        findingAt(
          "body",
          "padding",
          "warn",
          { start: first.start, end: last.end },
          `Email ${step} says nothing that another firm could not say, as in ${quoteShort(first.text)}. Say what you do, or name a problem that it solves.`
        )
      ]
}

/** A finding unless the email says what is sold: it fails if no sentence does, warns if the product is not named, and hints if it is only implied. */
export const productStatementFindings = (email: EmailText, sources: Sources): ReadonlyArray<Finding> => {
  // Without evidence there is nothing to compare with, so no email fails.
  if (sources.activityStems.length === 0 || email.sentences.length === 0) return []
  const clarity = statementClarity(email, sources)
  const coreStems = coreProductStems(sources)
  const lacksProductName = ![email.subjectSentence, ...email.sentences].some(({ stems }) =>
    [...stems].some((stem) => hasSynonym(coreStems, stem))
  )
  if (clarity === "plain" && lacksProductName)
    return [
      findingOnWhole(
        "body",
        "says.what_we_do",
        "warn",
        "The email never names what you sell. Add one sentence that a stranger understands, such as the first of your description."
      )
    ]
  if (clarity === "plain") return []
  return [
    clarity === "missing"
      ? findingOnWhole(
          "body",
          "says.what_we_do",
          "fail",
          "No sentence says what you sell. Add one that a stranger understands, such as the first sentence of your description."
        )
      : findingOnWhole(
          "body",
          "says.what_we_do",
          "hint",
          "A stranger has to guess what you sell. Say it in one plain sentence."
        )
  ]
}
