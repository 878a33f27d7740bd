// layers/generator/builtin/material/Offers.ts: what a business gives away, as something one can offer in a question.
import { withArticle } from "#layers/generator/builtin/grammar/Articles.ts"
import { calm, lowerFirst } from "#layers/generator/builtin/grammar/Capitals.ts"
import { plain, unfilled } from "#layers/generator/builtin/grammar/Pieces.ts"
import { looksEnglish, withoutAsides, words } from "#layers/text/Words.ts"

export interface Offer {
  /** With its article: "a free audit of your last 50 invoices". */
  readonly thing: string
  /** What follows it at the end of a sentence: ", with results in 5 working days". */
  readonly tail: string
  readonly short: string
  /** Work done for the reader, which is arranged, not sent. */
  readonly service: boolean
}

const services =
  /\b(?:audit|consult(?:ation)?|trial|demo|assessment|review|session|workshop|sample|samples|inspection|survey|test|check|visit|analysis|tour|quote|estimate|health check|appraisal|call|pilot|benchmark)\b/

/** A lead magnet as something one can offer in a question; nothing where it is too long to say. */
export const offer = (text: string, names: ReadonlySet<string>): Offer | undefined => {
  const all = plain(text).replace(/^["']|["']$/g, "")
  if (!looksEnglish(all) || all.includes("?") || unfilled.test(all)) return undefined
  const [head = "", tail = ""] = withoutAsides(all).split(/(?:[,;:.!]| - )\s*(.*)/s)
  const bare = head
    .replace(
      /^(?:we (?:offer|give|do|run|provide)|get|download|grab|book|claim|try|request|receive|ask for|sign up for)\s+/i,
      ""
    )
    .replace(/^(?:your|a|an|our|the)\s+(?=\S)/i, "")
    .replace(
      /^(?:100% |totally |completely )?(?:free(?: of charge)?|complimentary|no-cost|no-obligation)(?:,? no[- ]obligation)?\s+/i,
      ""
    )
    .replace(/\s+(?:for free|free of charge|at no cost)$/i, "")
    .trim()
  const named = calm(bare, names)
  const cut =
    words(named).length > 11 ? (named.split(/ (?:that|which|with|showing|including|so|to help)\b/)[0] ?? "") : named
  const size = words(cut).length
  if (size === 0 || size > 12) return undefined
  // What the thing is comes before what it is of or for.
  const core = cut.split(/ (?:of|for|on|to|with|about|in|from|that|by|at|and|within|without|over)\b/)[0] ?? cut
  const service = services.test(core.toLowerCase())
  const thing = lowerFirst(cut, names)
  const titled =
    /^(?:guide|e-?book|checklist|white ?paper|report|webinar|template|video|cheat sheet|playbook|recording|course)$/i.test(
      cut
    ) &&
    tail !== "" &&
    words(tail).length < 11
  if (titled)
    return {
      thing: `our ${thing} "${tail.replace(/["]|[.!]$/g, "").trim()}"`,
      tail: "",
      short: lowerFirst(cut, names),
      service: false
    }
  const shown =
    service || /\byour\b/.test(thing)
      ? withArticle(thing)
      : /^(?:\d|one|two|three|five|ten)/i.test(thing)
        ? thing
        : `our ${thing}`
  // Of what follows a comma only the time it takes reads on as it is.
  const promise =
    /^results? (?:in|within) /i.test(tail) && words(tail).length < 8
      ? `, with ${lowerFirst(tail.replace(/[.!]$/, ""), names)}`
      : ""
  const head3 = lowerFirst(core, names).split(" ")
  return { thing: shown, tail: promise, short: (head3.length > 3 ? head3.slice(-2) : head3).join(" "), service }
}
