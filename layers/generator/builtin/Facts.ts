// layers/generator/builtin/Facts.ts: proof, promises and doubts of a profile, as sentences that can stand in an email.
import {
  lowerFirst,
  type Phrase,
  phrase,
  pieces,
  statements,
  upperFirst,
  withArticle
} from "#layers/generator/builtin/Phrases.ts"
import { isPast, verbAt } from "#layers/generator/builtin/Verbs.ts"
import { words } from "#layers/text/Text.ts"

const stop = (text: string): string => `${upperFirst(text.replace(/[\s,;:.]+$/, ""))}.`
const count = (text: string) => words(text).length

/** Where a sentence's past tense begins, or -1. */
const pastAt = (all: ReadonlyArray<string>): number =>
  all.findIndex(
    (word, at) =>
      at > 0 &&
      at < 14 &&
      isPast(word.toLowerCase()) &&
      !/^(?:a|an|the|of|and|to|with|is|are|was|were|been|be)$/.test((all[at - 1] ?? "").toLowerCase())
  )

/**
 * A case as sentences: the whole, and, where it tells two results ("recovered ... and cut ..."), each alone.
 * What no sentence can be made of is told after "One result:".
 */
export const proofSentences = (text: string, ours: string, names: ReadonlySet<string>): ReadonlyArray<string> => {
  const found = statements(text).flatMap((each): ReadonlyArray<string> => {
    if (each.includes('"') || each.endsWith("?")) return []
    const sentence = each
      .replace(/ ?\([^)]{0,300}\)/g, "")
      .replace(/;.*$/, "")
      .replace(/\.$/, "")
    const all = sentence.split(" ")
    const first = (all[0] ?? "").toLowerCase()
    if (/^(?:they|it|he|she|this|that|these|those|their|which|and|but|so|now|then)$/.test(first)) return []
    if (isPast(first)) return [stop(`We ${lowerFirst(sentence, names)}`)]
    const verb = pastAt(all)
    if (verb > 0) {
      const split = /^(.*?) and ((?:\w+ly )?\w+)( .*)$/.exec(sentence)
      const [, before = "", second = "", rest = ""] = split ?? []
      if (split !== null && isPast(second.toLowerCase()) && before.split(" ").length > verb + 1) {
        const subject = all.slice(0, verb).join(" ")
        // Half of a case proves something only where it has a figure of its own.
        const halves = [before, `${subject} ${second}${rest}`].filter((half) => /\d/.test(half))
        return [sentence, ...halves].map(stop)
      }
      return [stop(sentence)]
    }
    if (verbAt(all.map((word) => word.toLowerCase())) > 0 || /^we\b/i.test(sentence)) return [stop(sentence)]
    return !/\d/.test(sentence)
      ? []
      : sentence.includes(": ")
        ? [stop(sentence)]
        : [`One result: ${lowerFirst(sentence, names)}.`]
  })
  // Who the client is may be left out where it stands between commas.
  const plainer = found.map((each) => each.replace(/, (?:a|an|the) [^,]+,/, ""))
  const short = [...new Set([...found, ...plainer])].filter((each) => count(each) <= 24)
  return short.length > 0
    ? short
    : plainer
        .filter((each) => count(each) <= 25)
        .slice(0, 1)
        .filter((each) => ours === "" || each !== ours)
}

/** A mark of trust as a sentence of ours. */
export const marks = (text: string, ours: string, names: ReadonlySet<string>): ReadonlyArray<string> =>
  statements(text)
    .slice(0, 1)
    .flatMap((each) => {
      const fact = lowerFirst(each.replace(/;.*$|\.(?=\s|$).*$/, ""), names)
      if (count(fact) > 16) return []
      const lower = fact.toLowerCase()
      if (/^we\b/.test(lower) || (ours !== "" && lower.startsWith(ours.toLowerCase()))) return [stop(fact)]
      const fans = /^(trusted|used) by (.+)$/i.exec(fact)
      if (fans !== null) return [stop(`${fans[2]} ${/^trusted$/i.test(fans[1] ?? "") ? "trust" : "use"} us`)]
      if (
        /^(?:trusted|used|backed|ranked|awarded|featured|named|voted|shortlisted|certified|accredited|recommended|approved|rated|based|founded|established|recogni[sz]ed|listed|registered|regulated)\b/.test(
          lower
        )
      ) {
        return [stop(`${/^(?:founded|established)/.test(lower) ? "We were" : "We're"} ${fact}`)]
      }
      if (/^in business\b/.test(lower)) return [stop(`We've been ${fact}`)]
      if (/(?:certified|accredited|approved|registered|licensed|owned|regulated|compliant)$/.test(lower))
        return [stop(`We're ${fact}`)]
      if (/^members? of\b/.test(lower)) return [stop(`We're ${withArticle(fact)}`)]
      if (/^(?:over |more than )?\d+\+? years\b/.test(lower)) return [stop(`We bring ${fact}`)]
      if (verbAt(words(lower)) > 0) return [stop(fact)]
      if (/ since (?:19|20)\d\d$/.test(lower)) return [stop(`We've been ${withArticle(fact)}`)]
      return /^(?:over |more than |about |some )?\d/.test(fact) ? [`Our count so far: ${fact}.`] : []
    })

/** A guarantee, said whole or announced. */
export const promises = (text: string, ours: string, names: ReadonlySet<string>): ReadonlyArray<string> =>
  statements(text)
    .slice(0, 1)
    .flatMap((each) => {
      const fact = each.replace(/^(?:our |the )?(?:guarantee|promise|risk[- ]reversal) ?: ?/i, "").replace(/\.$/, "")
      if (count(fact) > 24 || count(fact) < 2) return []
      const read = phrase(fact, ours, names)
      if (read.kind === "ours" || read.kind === "clause" || /^(?:if|when|unless|until|you|should)\b/i.test(fact))
        return [stop(fact)]
      return [`Our promise: ${read.text}.`]
    })

const aims = /^(?:more|fewer|less|better|faster)\b/

const gain = ({ kind, text }: Phrase): ReadonlyArray<string> => {
  switch (kind) {
    case "ours":
    case "clause":
      return [stop(text.replace(/^they\b/i, "Clients"))]
    case "deed":
      return /^(?:can't|cannot|don't|never|not|unable|have|haven't)\b/.test(text)
        ? []
        : [stop(`You'd ${text.replace(/\btheir\b/g, "your")}`)]
    case "thing": {
      if (text.startsWith("no ")) return [stop(`There's ${text}`)]
      const got = aims.test(text) ? `You'd get ${text}` : `You get ${withArticle(text)}`
      return [stop(got.replace(/, no (?=[^,]*$)/, " and no "))]
    }
    default:
      return []
  }
}

const fromTo = (text: string): string | undefined => {
  const match = /^from (.+?ing\b.*?) to (\w+ing\b.*)$/i.exec(text) ?? /^from (.+?) to (.+)$/i.exec(text)
  const [, before = "", after = ""] = match ?? []
  return match === null
    ? undefined
    : `You'd go from ${before.replace(/\btheir\b/g, "your")} to ${after.replace(/,.*$/, "").replace(/\btheir\b/g, "your")}`
}

/** What changes for a client: chosen promises first, then the profile's own words. */
export const gains = (
  values: ReadonlyArray<string>,
  transformation: string | null,
  differentiators: string | null,
  ours: string,
  names: ReadonlySet<string>
): ReadonlyArray<string> => {
  const said = [
    ...values.flatMap((text) => statements(text).slice(0, 1)),
    ...statements(transformation),
    ...pieces(differentiators)
  ]
  return said
    .map((text) => text.replace(/[.;]+$/, "").split(";")[0] ?? "")
    .flatMap((text) => {
      const moved = fromTo(text)
      if (moved !== undefined) return [stop(moved)]
      const read = phrase(text, ours, names)
      const whole = gain(read)
      if (read.count <= 20) return whole
      // The first part of a long one may stand alone.
      return gain(phrase(text.split(/, (?:and|with|so|which|because)\b/)[0] ?? "", ours, names))
    })
    .filter((text) => count(text) <= 22 && count(text) >= 4)
}

export interface Doubt {
  readonly worry: string
  readonly answer: string
}

const yours = (text: string): string =>
  text
    .replace(/\bour\b/g, "your")
    .replace(/\bus\b/g, "you")
    .replace(/\bwe're\b/g, "you're")
    .replace(/\bwe\b/g, "you")
    .replace(/\bI\b/g, "you")
    .replace(/\bmy\b/g, "your")

/** Objections written as "We already have one: ...", turned to the reader. Others are left alone. */
export const doubts = (text: string | null, names: ReadonlySet<string>): ReadonlyArray<Doubt> =>
  statements(text).flatMap((each) => {
    const match =
      /^"?(we|i|you) ((?:already |currently )?)(have|use|do|are|work|buy|like|need)( [^:"]+)"?: ?"?([^"]+?)"?\.?$/i.exec(
        each
      )
    const [, , already = "", verb = "", rest = "", reply = ""] = match ?? []
    if (match === null || words(reply).length > 20 || words(rest).length > 12 || words(reply).length < 4) return []
    const answer = reply.replace(/, (we|you|they) /, ", and $1 ")
    if (verbAt(words(answer.toLowerCase())) < 0 && !/^(?:we|they|it|you|with|that)\b/i.test(answer)) return []
    return [
      {
        worry: stop(
          `You may ${already.toLowerCase()}${verb.toLowerCase() === "are" ? "be" : verb.toLowerCase()}${yours(rest)}`
        ),
        answer: stop(lowerFirst(answer, names))
      }
    ]
  })
