// layers/generator/checker/Claims.ts: finds the claims of an email, and the source that supports each.
import { at, within } from "#layers/generator/checker/Findings.ts"
import { quantitiesIn } from "#layers/generator/checker/Quantities.ts"
import type { Source } from "#layers/generator/checker/Sources.ts"
import { type EmailText, normalOf } from "#layers/generator/checker/Text.ts"
import {
  type Known,
  type Assertion,
  type Read,
  supportOf,
  read,
  assertion,
  alikeSources
} from "#layers/generator/checker/claims/Assertion.ts"
import { swappedMatter, aboutClients, strangers } from "#layers/generator/checker/claims/Clients.ts"
import { numbers } from "#layers/generator/checker/claims/Numbers.ts"
import { ofKinds, rivalry, meetings, aboutReader, promises } from "#layers/generator/checker/claims/Statements.ts"
import type { Claim, Finding } from "#schema/Findings.ts"

/** Sources that share enough words with a sentence that makes no checkable claim. */
const restsOn = ({ quantities, sentence }: Read, known: Known): ReadonlyArray<Source> =>
  sentence.stems.size < 2 || quantities.length > 0
    ? []
    : alikeSources([...known.reader, ...known.sources.all], sentence.stems, 0.6).slice(0, 3)

const unique = (sources: ReadonlyArray<Source>): Claim["sources"] => {
  const found = new Map(sources.map((source) => [`${source.from} ${source.at} ${source.normal}`, supportOf(source)]))
  return [...found.values()].slice(0, 3)
}

const assertionsOf = (read: Read, known: Known): ReadonlyArray<Assertion> => {
  const whole = read.verbatim.some(({ normal }) => ` ${normal} `.includes(` ${normalOf(read.sentence.text)} `))
  // The user's own words, unchanged.
  if (whole) return [assertion("claim.verbatim", 0, read.sentence.plain, "", read.verbatim)]
  const counted = numbers(read, known)
  // If numbers are supported by a client's own source, the client is supported too.
  const supported = counted.length > 0 && counted.every(({ sources }) => sources.length > 0)
  return [
    ...promises(read),
    ...meetings(read, known),
    ...aboutReader(read, known),
    ...counted,
    ...ofKinds(read, known),
    ...rivalry(read, known),
    ...swappedMatter(read, known),
    ...aboutClients(read, known, supported),
    ...strangers(read, known)
  ]
}

export interface Judged {
  readonly claims: ReadonlyArray<Claim>
  readonly findings: ReadonlyArray<Finding>
}

/** The claims of one email; `known` is null if there is no evidence. */
export const claimsOf = (email: EmailText, known: Known, compared: boolean): Judged => {
  const claims: Array<Claim> = []
  const findings: Array<Finding> = []
  for (const one of read(email, known)) {
    const { sentence } = one
    const made = assertionsOf(one, known)
    const rests = made.length > 0 ? [] : [...one.verbatim, ...restsOn(one, known)]
    if (made.length === 0 && rests.length === 0) continue
    const failed = made.filter(({ sources }) => sources.length === 0)
    claims.push({
      sentence: sentence.text,
      start: sentence.start,
      end: sentence.end,
      supported: compared ? failed.length === 0 : null,
      sources: compared ? unique([...one.verbatim, ...made.flatMap(({ sources }) => sources), ...rests]) : []
    })
    if (!compared) continue
    for (const { from, length, message, rule } of failed) {
      // Overlapping findings are reduced to one.
      const span = within(sentence, from, length)
      if (
        !findings.some(
          ({ end, place, start }) =>
            place === "body" && start !== null && end !== null && span.start < end && start < span.end
        )
      )
        findings.push(at("body", rule, "fail", span, message))
    }
  }
  return { claims, findings }
}

/** Numbers, discounts and praise in a subject line. */
export const subjectClaims = (email: EmailText, known: Known): ReadonlyArray<Finding> => {
  const only = { ...email, sentences: [email.heading] }
  const around = new Set(email.sentences.flatMap(({ stems }) => [...stems]))
  // A subject shortens a sentence of the body, where its number is checked.
  const repeated = new Set(email.sentences.flatMap(({ plain }) => quantitiesIn(plain, true)).map(({ value }) => value))
  return read(only, known)
    .map((one) => ({ ...one, before: around }))
    .flatMap((one) =>
      [
        ...(one.quantities.every(({ value }) => repeated.has(value)) ? [] : numbers(one, known)),
        ...ofKinds(one, known),
        ...meetings(one, known)
      ]
        .filter(({ sources }) => sources.length === 0)
        .slice(0, 1)
        .map(({ from, length, message, rule }) =>
          at("subject", rule, "fail", within(one.sentence, from, length), message)
        )
    )
}
