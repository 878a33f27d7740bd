// layers/generator/builtin/Phrases.ts: prose that people typed into a profile, made into pieces that fit a sentence.
import { baseOf, guessBase, isBaseVerb, verbAt } from "#layers/generator/builtin/Verbs.ts"
import { looksEnglish, sentences, words } from "#layers/text/Text.ts"

/**
 * `clause` stands as a sentence of its own, `ours` is one that starts with "We" or our name, `doing` starts with a
 * participle, `thing` is a noun phrase, `deed` starts with a bare verb, `other` can only be quoted after a colon.
 */
export interface Phrase {
  readonly kind: "clause" | "ours" | "doing" | "thing" | "deed" | "other"
  /** Starts lower case unless with a name; no stop at its end. */
  readonly text: string
  readonly count: number
}

/** Plain typed characters: no curly quotes, dashes, bullets, links, addresses or emoji. */
export const plain = (text: string): string =>
  text
    .normalize("NFC")
    .replace(/[\u2018\u2019\u00b4`]/g, "'")
    .replace(/[\u201c\u201d\u00ab\u00bb]/g, '"')
    .replace(/(?<=\d) ?[\u2012-\u2015] ?(?=\d)/g, "-")
    .replace(/ ?[\u2012-\u2015] ?| -{1,2} /g, ", ")
    .replace(/\u2026|\.{3,}/g, ".")
    .replace(/[\u00a0\u2000-\u200a\u202f]/g, " ")
    .replace(/\b(?:https?:\/\/|www\.)\S+|(?<![^\s@])[^\s@]+@[^\s@.]+\.\S+/g, "")
    .replace(/(?![\d#*])[\p{Emoji_Presentation}\p{Extended_Pictographic}\p{Cf}]/gu, "")
    .replace(/\*\*|__|`/g, "")
    .replace(/[ \t]+/g, " ")
    .replace(/ ([,.;:])/g, "$1")
    .trim()

const bullet = /^\s*(?:[-*+\u2022\u25cf\u2013>]|\d{1,2}[.)]|[a-z]\)|#{1,6})\s+/i

/** Markup, and what people put into a field that they have nothing for. */
export const unfilled = /[{}<>[\]|\\]|\b(?:undefined|null|NaN|N\/A|TODO|FIXME|TBD|XXX|lorem ipsum)\b/i

/** The sentences of a field, lines and bullets apart. */
export const statements = (text: string | null | undefined): ReadonlyArray<string> =>
  (text ?? "")
    .split(/\r?\n/)
    .map((line) => plain(line.replace(bullet, "")))
    .flatMap(sentences)
    .map((each) => each.replace(/!+/g, ".").trim())
    .filter((each) => words(each).length > 0 && looksEnglish(each) && !unfilled.test(each))

const trim = (text: string): string => text.replace(/^[\s,;:.-]+|[\s,;:.-]+$/g, "")

/** What a list of troubles, gains or triggers holds, whether it was written with semicolons, commas or full stops. */
export const pieces = (text: string | null | undefined): ReadonlyArray<string> =>
  statements(text)
    .flatMap((each) => each.split(/;/))
    .flatMap((each) => {
      const part = trim(each)
      const all = part.split(/, (?:and |or )?/)
      // A comma list of fragments ("late bills, wrong rates and lost files") is a list of pieces; a clause with commas is one.
      const finite = (item: string | undefined) => verbAt(words((item ?? "").toLowerCase())) >= 0
      // Clauses that commas run together are told apart where each has its own verb.
      if (all.length > 1 && words(part).length > 12 && all.every(finite)) return all
      const last = all.at(-1) ?? ""
      const tail = last.split(/ (?:and|or) /)
      const items =
        all.length > 1 && tail.length === 2 && tail.every((item) => words(item).length < 7)
          ? [...all.slice(0, -1), ...tail]
          : all
      if (items.length < 3 || finite(all[0]) || finite(last) || items.some((item) => words(item).length > 9))
        return [part]
      return items
    })
    .map((piece) => trim(piece.replace(/^(?:and|or|also|plus|but) /i, "")))
    .filter((piece) => words(piece).length > 0)

/** Words that a text writes with a capital within a sentence, after one that has none: names. */
export const namesIn = (text: string): ReadonlySet<string> => {
  const found = new Set<string>()
  for (const line of text.split("\n")) {
    // A piece after a semicolon or colon starts anew, capital or not.
    for (const sentence of sentences(plain(line)).flatMap((each) => each.split(/[;:]/))) {
      const all = words(sentence)
      let inName = false
      for (let at = 1; at < all.length; at++) {
        const word = all[at] ?? ""
        const upper = /^\p{Lu}/u.test(word) && word !== "I"
        inName = upper && (inName || /^[\p{Ll}\d]/u.test(all[at - 1] ?? ""))
        if (inName) found.add(word)
      }
    }
  }
  return found
}

const alwaysNames = new Set(
  (
    "Ofsted Excel Word Shopify Amazon Google Microsoft Xero Sage Brexit Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February " +
    "April June July August September October November December Christmas Easter Ramadan Europe European Britain British England English Ireland Irish " +
    "Scotland Scottish Wales Welsh Germany German France French Italy Italian Spain Spanish Poland Polish Dutch Belgium Belgian Sweden Swedish Norway " +
    "Norwegian Denmark Danish Finland Finnish America American Canada Canadian China Chinese Japan Japanese India Indian London Paris Berlin Brussels " +
    "Salesforce HubSpot Slack Teams Outlook Gmail LinkedIn Facebook Instagram WhatsApp Stripe Oracle Cyber"
  ).split(" ")
)

/** First letter small, unless the first word is a name or an acronym. */
export const lowerFirst = (text: string, names: ReadonlySet<string>): string => {
  const [first = "", second = ""] = words(text)
  // "Midland Pallets": two capitals in a row are a name, where the rest has none of a title's.
  if (/^\p{Lu}\p{Ll}/u.test(second) && !names.has(first) && /^\p{Lu}\p{Ll}/u.test(first)) return text
  if (/^\p{Lu}.*[\p{Lu}\d]/u.test(first) || names.has(first) || alwaysNames.has(first) || /^I(?:'\w+)?$/.test(first))
    return text
  return text.charAt(0).toLowerCase() + text.slice(1)
}

export const upperFirst = (text: string): string => {
  // A name that starts small ("iPhone") keeps its looks.
  if (/^\p{Ll}\p{Lu}/u.test(text)) return text
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** "Invoice Audit" → "invoice audit", where no word of it is a name. */
export const calm = (text: string, names: ReadonlySet<string>): string =>
  text
    .split(" ")
    .map((word) =>
      /^\p{Lu}\p{Ll}+(?:-\p{L}+)*$/u.test(word) && !names.has(word) && !alwaysNames.has(word)
        ? word.charAt(0).toLowerCase() + word.slice(1)
        : word
    )
    .join(" ")

const notDoing = new Set(
  (
    "nothing something anything everything pricing billing marketing shipping training spring string king ring during missing existing " +
    "growing rising increasing aging ageing building buildings evening morning meeting housing staffing scheduling planning reporting " +
    "accounting ongoing incoming outgoing outstanding engineering manufacturing farming banking funding recurring conflicting"
  ).split(" ")
)

const deeds = new Set(
  "stop start win gain cut save reduce increase improve know avoid fill free hire track lower raise boost double halve close speed simplify automate protect".split(
    " "
  )
)

const afterPlural =
  /^(?:of|for|to|in|on|at|with|from|by|that|which|who|between|about|and|or|due|when|where|without|within|because|after|before|during|per|across|against|under|over|than|as|into|through|via|instead|mid-.*|.*ing|.*ed|.*ly|not|no|too|lost|left|late|early|away|out|down|up)$/

const oddAfterPlural = (next: string | undefined): boolean => next !== undefined && !afterPlural.test(next)

const kindOf = (text: string, ours: string): Phrase["kind"] => {
  const lower = words(text.toLowerCase())
  const first = lower[0] ?? ""
  if (/["?]/.test(text)) return "other"
  const mine =
    /^(?:we|we're|we've|we'll|our)$/.test(first) ||
    (ours !== "" && text.toLowerCase().startsWith(`${ours.toLowerCase()} `))
  if (mine) return first === "our" && verbAt(lower) < 0 ? "thing" : "ours"
  const second = lower[1] ?? ""
  if (
    /^[a-z]{2,}ing$/.test(first) &&
    (!notDoing.has(first) || /^(?:past|to|from|in|out|into|through|over|the|a|an|your|up|down|on)$/.test(second))
  )
    return "doing"
  if (first === "not" && second.endsWith("ing")) return "other"
  if (/^(?:you|they|it|nobody|everyone|everybody)(?:'\w+)?$/.test(first) && lower.length > 2) return "clause"
  if (/^(?:can't|cannot|don't|haven't|never|have)$/.test(first)) return "deed"
  if (verbAt(lower) >= 0) return "clause"
  if (
    deeds.has(first) ||
    (isBaseVerb(first) &&
      /^(?:the|a|an|your|our|their|every|all|more|less|to|too|up|out|who|what|which|how|track|time|hours|days|money|[a-z]+s)$/.test(
        lower[1] ?? ""
      ))
  )
    return "deed"
  if (
    /^(?:if|when|while|because|after|before|since|what|how|why|where|once|so|but|to|for|in|on|at|by|with|without|from|under|not)$/.test(
      first
    )
  )
    return "other"
  // So does a plural that something other than a preposition follows ("guests grumble about ...").
  if (lower.slice(0, 4).some((word, at) => /[^s]s$/.test(word) && oddAfterPlural(lower[at + 1]))) return "other"
  // A word that may well be the verb of this fragment makes a poor noun phrase.
  if (
    lower.some(
      (word, at) => at > 0 && (baseOf(word) !== undefined || (isBaseVerb(word) && (lower[at - 1] ?? "").endsWith("s")))
    )
  )
    return "other"
  return "thing"
}

/** Reads one piece. `ours` is our company's name, `names` what is to keep its capital. */
export const phrase = (piece: string, ours: string, names: ReadonlySet<string>): Phrase => {
  const short = words(piece).length > 12 ? piece.replace(/ ?\([^)]{0,300}\)/g, "") : piece
  const trimmed = trim(short)
  const all = words(trimmed.toLowerCase())
  // "Works with ..." is said of what is sold.
  const said =
    baseOf(all[0] ?? "") !== undefined &&
    /^(?:with|in|on|from|for|like|as|the|a|an|your|every|all|by|to|without|any)$/.test(all[1] ?? "") &&
    (all[0] ?? "") !== "costs"
  const text = said ? `it ${lowerFirst(trimmed, new Set())}` : lowerFirst(trimmed, names)
  return { kind: kindOf(text, ours), text, count: words(text).length }
}

/** A description without a subject ("Provides payroll to ...") gets one. */
export const withSubject = (sentence: string): string => {
  const all = sentence.split(" ")
  const first = (all[0] ?? "").toLowerCase()
  const base = baseOf(first)
  if (base === undefined) {
    if (isBaseVerb(first) && !/^(?:cost|plan|order|report|support|stock|store)$/.test(first))
      return `We ${first} ${all.slice(1).join(" ")}`
    return sentence
  }
  const rest = all.slice(1)
  // "builds and services": what follows the first verb's "and" is a verb as well.
  if (rest[0] === "and" && rest[1] !== undefined) rest[1] = guessBase(rest[1])
  return `We ${base} ${rest.map((word, at) => ((rest[at - 1] === "and" || rest[at - 1]?.endsWith(",") === true) && baseOf(word) !== undefined && rest[at + 1] !== undefined ? (baseOf(word) ?? word) : word)).join(" ")}`
}

const mass =
  /(?:ing|ware|ment|ance|ence|ship|support|advice|equipment|access|delivery|expertise|help|data|work|care|cover|stock|visibility|transparency|accuracy|quality|time|money|capacity|maintenance|law|safety|security|flexibility|matching|energy|turnover|cash|paperwork|admin|traffic|growth|knowledge|evidence|staff|people|bread|food|coffee|tea|wine|beer|milk|meat|fruit|paper|steel|wood|furniture|clothing|insurance|content|payroll|freight|research|design|storage|labour|labor|overtime|demurrage|waste|debt|churn|demand|supply|production|distribution|protection|communication|automation|documentation|administration|retention|compliance|hygiene|fraud|shrinkage|software|fuel|power|heat|gas|water|oil|law|rent|stock)$/

/** "audit of your invoices" → "an audit of your invoices"; nothing for plurals, masses and what has an article already. */
export const withArticle = (text: string): string => {
  const lower = text.toLowerCase()
  if (
    /^(?:a|an|the|your|our|my|its|their|no|one|two|three|all|every|each|any|some|more|less|fewer|this|that|\d+(?!-[a-z]|\d))\b/.test(
      lower
    )
  )
    return text
  const head =
    words(
      lower.split(
        / (?:of|for|to|in|on|at|with|from|by|that|which|who|between|about|against|within|without|under|before|after|until|since)\b|,/
      )[0] ?? ""
    ).at(-1) ?? ""
  if ((head.endsWith("s") && !/(?:ss|is|us|analysis)$/.test(head)) || mass.test(head)) return text
  const vowel =
    /^(?:[aeio]|u(?!ni|se|sa|ti|ser)|hour|honest|heir|[FHLMNRSX][A-Z]{1,4}\b|8|11|18)/.test(text) ||
    /^[aeio]/i.test(lower)
  return `${vowel && !/^(?:one|eu|uni|use)/.test(lower) ? "an" : "a"} ${text}`
}
