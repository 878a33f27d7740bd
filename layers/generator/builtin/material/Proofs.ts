// layers/generator/builtin/material/Proofs.ts: what clients achieved and what else vouches for us, as sentences.
import { withArticle } from "#layers/generator/builtin/grammar/Articles.ts"
import { lowerFirst } from "#layers/generator/builtin/grammar/Capitals.ts"
import { sentence } from "#layers/generator/builtin/grammar/Phrases.ts"
import { statements } from "#layers/generator/builtin/grammar/Pieces.ts"
import { isPast, verbAt } from "#layers/generator/builtin/grammar/Verbs.ts"
import { withoutAsides, wordCount, words } from "#layers/text/Words.ts"

/** Where a sentence's past tense begins, or -1. */
const pastAt = (all: ReadonlyArray<string>): number =>
  all.findIndex(
    (word, at) =>
      at > 0 &&
      at < 14 &&
      isPast(word.toLowerCase()) &&
      !/^(?:a|an|the|of|and|to|with|is|are|was|were|been|be)$/.test((all[at - 1] ?? "").toLowerCase())
  )

/** Of a case that tells two results ("recovered ... and cut ..."), each alone, where it has a figure of its own. */
const halvesOf = (told: string, verb: number): ReadonlyArray<string> => {
  const [, before = "", second = "", rest = ""] = /^(.*?) and ((?:\w+ly )?\w+)( .*)$/.exec(told) ?? []
  if (!isPast(second.toLowerCase()) || before.split(" ").length <= verb + 1) return []
  const subject = told.split(" ").slice(0, verb).join(" ")
  return [before, `${subject} ${second}${rest}`].filter((half) => /\d/.test(half))
}

/** What no sentence can be made of is told after "One result:". */
const toldOf = (statement: string, names: ReadonlySet<string>): ReadonlyArray<string> => {
  if (statement.includes('"') || statement.endsWith("?")) return []
  const told = withoutAsides(statement).replace(/;.*$/, "").replace(/\.$/, "")
  const all = told.split(" ")
  const first = (all[0] ?? "").toLowerCase()
  if (/^(?:they|it|he|she|this|that|these|those|their|which|and|but|so|now|then)$/.test(first)) return []
  if (isPast(first)) return [sentence(`We ${lowerFirst(told, names)}`)]
  const verb = pastAt(all)
  if (verb > 0) return [told, ...halvesOf(told, verb)].map(sentence)
  if (verbAt(all.map((word) => word.toLowerCase())) > 0 || /^we\b/i.test(told)) return [sentence(told)]
  if (!/\d/.test(told)) return []
  return [told.includes(": ") ? sentence(told) : `One result: ${lowerFirst(told, names)}.`]
}

/** A case as sentences: the whole, and what of it can be told alone. */
export const proofSentences = (text: string, names: ReadonlySet<string>): ReadonlyArray<string> => {
  const found = statements(text).flatMap((each) => toldOf(each, names))
  // Who the client is may be left out where it stands between commas.
  const plainer = found.map((each) => each.replace(/, (?:a|an|the) [^,]+,/, ""))
  const short = [...new Set([...found, ...plainer])].filter((each) => wordCount(each) <= 24)
  return short.length > 0 ? short : plainer.filter((each) => wordCount(each) <= 25).slice(0, 1)
}

/** A mark of trust as a sentence of ours. */
export const marks = (text: string, ours: string, names: ReadonlySet<string>): ReadonlyArray<string> =>
  statements(text)
    .slice(0, 1)
    .flatMap((each) => {
      const fact = lowerFirst(each.replace(/;.*$|\.(?=\s|$).*$/, ""), names)
      if (wordCount(fact) > 16) return []
      const lower = fact.toLowerCase()
      if (/^we\b/.test(lower) || (ours !== "" && lower.startsWith(ours.toLowerCase()))) return [sentence(fact)]
      const fans = /^(trusted|used) by (.+)$/i.exec(fact)
      if (fans !== null) return [sentence(`${fans[2]} ${/^trusted$/i.test(fans[1] ?? "") ? "trust" : "use"} us`)]
      if (
        /^(?:trusted|used|backed|ranked|awarded|featured|named|voted|shortlisted|certified|accredited|recommended|approved|rated|based|founded|established|recogni[sz]ed|listed|registered|regulated)\b/.test(
          lower
        )
      ) {
        return [sentence(`${/^(?:founded|established)/.test(lower) ? "We were" : "We're"} ${fact}`)]
      }
      if (/^in business\b/.test(lower)) return [sentence(`We've been ${fact}`)]
      if (/(?:certified|accredited|approved|registered|licensed|owned|regulated|compliant)$/.test(lower))
        return [sentence(`We're ${fact}`)]
      if (/^members? of\b/.test(lower)) return [sentence(`We're ${withArticle(fact)}`)]
      if (/^(?:over |more than )?\d+\+? years\b/.test(lower)) return [sentence(`We bring ${fact}`)]
      if (verbAt(words(lower)) > 0) return [sentence(fact)]
      if (/ since (?:19|20)\d\d$/.test(lower)) return [sentence(`We've been ${withArticle(fact)}`)]
      return /^(?:over |more than |about |some )?\d/.test(fact) ? [`Our count so far: ${fact}.`] : []
    })
