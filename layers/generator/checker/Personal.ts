// layers/generator/checker/Personal.ts: remarks about the reader's private life, and reproaches.
import { at, quoted } from "#layers/generator/checker/Findings.ts"
import { pattern } from "#layers/generator/checker/Patterns.ts"
import type { EmailText } from "#layers/generator/checker/Text.ts"
import type { Finding } from "#schema/Findings.ts"

const reproach = /\b(?:and you know it|you should be ashamed|shame on you|you clearly don't|you obviously don't|you can't afford to ignore)\b/gi

/** Fails for the family of a reader, unless the sender's business is about families. */
export const personal = (email: EmailText, ours: string): ReadonlyArray<Finding> =>
  email.sentences.flatMap((sentence) => {
    const found = [...sentence.plain.matchAll(pattern.personal)].filter(({ 0: text }) => !ours.includes(text.split(" ").at(-1)?.toLowerCase() ?? text))
    const blamed = [...sentence.plain.matchAll(reproach)]
    return [
      ...found.map((one) => at("body", "reader.personal", "fail", { start: sentence.start + one.index, end: sentence.start + one.index + one[0].length }, `${quoted(one[0])} is about the reader's private life. Remove it.`)),
      ...blamed.map((one) => at("body", "reader.blamed", "warn", { start: sentence.start + one.index, end: sentence.start + one.index + one[0].length }, `${quoted(one[0])} blames the reader. Remove it.`))
    ]
  })
