// layers/answerer/Search.ts: the lines that a question is about, and those of them that answer it.
import type { SearchOptions } from "minisearch"
import { type Entry, type Index, share } from "#layers/answerer/Index.ts"
import { key, type Line, type Passage } from "#layers/answerer/Passages.ts"
import type { Query } from "#layers/answerer/Question.ts"
import { contents, denial, exact, ofReaders, own, priced, stemOf, sum } from "#layers/answerer/Vocabulary.ts"

/** The lines of one passage that answer a question. */
export interface Found {
  readonly passage: Passage
  readonly lines: ReadonlyArray<Line>
}

/** What an earlier question was about. */
export interface Subject {
  readonly terms: ReadonlySet<string>
  /** The sections of the latest question. */
  readonly sections: ReadonlySet<string>
}

/** The least share of a question's terms that a line must match; rare terms count more. */
const leastCovered = 0.6
/** The same for questions of yes or no: "Do you rent diesel trucks?" is not answered by a line about trucks. */
const leastCoveredForYes = 0.75
/** The least share of the words beside a section ("price") and verbs. */
const leastWords = 0.4
/** The same for prices, which are easily those of something else. */
const leastWordsOfPrice = 0.5
/** The same for a line without an amount: it has to be about exactly the thing that is asked for. */
const leastWordsUnpriced = 0.75
/** The least share of the terms that the line itself has, without its heading and neighbours. */
const leastInLine = 0.5
const mostLines = 8

/** Answered by the campaign's own selections before the profile. */
const chosen = "@audience @people @size @area @industry @promise".split(" ")
const rivalries = "@apart @weakness @competitors".split(" ")

/** What other companies do, and what readers have to put up with. */
const ofOthers = /fall short|look for help|when to write|troubles|put up with|problems|solved/i
const ofThem = "@apart @weakness @competitors @pains @problems @trigger".split(" ")

interface Match extends Entry {
  readonly score: number
  /** The terms of the question that matched, in its own form. */
  readonly asked: ReadonlySet<string>
  /** The terms that matched in the line, its heading, its sections or a neighbouring line. */
  readonly met: ReadonlySet<string>
  /** Those of `met` that do not stand only in a neighbouring line. */
  readonly own: ReadonlySet<string>
  /** Those of `own` that do not stand only in the heading. */
  readonly said: ReadonlySet<string>
}

/** Lines by their likeness to the terms, those of earlier questions counting less. */
const search = (
  index: Index,
  terms: ReadonlySet<string>,
  before: ReadonlySet<string>,
  loosely: Pick<SearchOptions, "fuzzy" | "prefix"> = {}
): ReadonlyArray<Match> =>
  index.search
    .search({
      ...loosely,
      combineWith: "OR",
      queries: [
        { queries: [...terms], combineWith: "OR" },
        { queries: [...before].filter((term) => !terms.has(term)), combineWith: "OR", boostTerm: () => 0.3 }
      ]
    })
    .flatMap(({ id, match, queryTerms, score }) => {
      const entry = index.entries[Number(id)]
      if (entry === undefined) return []
      const met = Object.keys(match)
      const own = met.filter((term) => match[term]?.some((field) => field !== "around"))
      const said = own.filter((term) => match[term]?.some((field) => field !== "heading"))
      return [
        { ...entry, score, asked: new Set(queryTerms), met: new Set(met), own: new Set(own), said: new Set(said) }
      ]
    })

/** Whether a line may be offered at all: how to write, and what the profile leaves open, only where they are asked for. */
const isOffered = (
  { line: { origin, sections: of, text }, passage: { file } }: Entry,
  { chosen, ofEmails, sections }: Query
) =>
  (ofEmails || (file.source !== "playbook" && file.filename !== "Email instructions.md")) &&
  // How the documents are made answers nothing about the business.
  !/what it is made of/i.test(origin) &&
  (text !== "None chosen" || chosen) &&
  (!of.includes("@missing") || sections.has("@missing"))

/** Whether a line may answer: not what readers or competitors do, unless asked, and no gift or guarantee for a price. */
const admitted = (entry: Entry, query: Query, rivals: boolean) => {
  if (!isOffered(entry, query)) return false
  const {
    line: { origin, sections: of, text },
    passage: { file }
  } = entry
  const { sections } = query
  if (
    (ofOthers.test(origin) || /^what (?:is solved|they put up)/i.test(text)) &&
    !rivals &&
    file.source !== "playbook"
  ) {
    const asked = [...sections].some((section) => ofThem.includes(section))
    if (!asked && (/fall short/i.test(origin) || query.ofSelf)) return false
  }
  // "Do we interpret in court?" is not answered by a street of that name.
  if (of.includes("@contact") && query.yesOrNo && !query.ofPlace && sections.size === 0) return false
  if (of.includes("@competitors") && !rivalries.some((section) => sections.has(section))) return false
  const strictly = sections.has("@price") || sections.has("@duration") || sections.has("@staff")
  const guarantee = /guarantee|^risk|risk reversal/i.test(origin)
  // What is given away has no price of what is sold.
  const gift = of.includes("@magnet") && !sections.has("@magnet") && !query.terms.has("free")
  return !(
    strictly &&
    !sections.has("@guarantee") &&
    !query.yesOrNo &&
    ((ofReaders.test(origin) && !rivals) || guarantee || gift)
  )
}

interface Scored extends Entry {
  /** Share of the question's terms that match, 0 to 1. */
  readonly covered: number
  /** The same without neighbouring lines. */
  readonly direct: number
  /** Share of the earlier question's terms that match. */
  readonly near: number
}

/** Whether a line holds what is asked for: a price, an address, a number. */
const fits = ({ origin, text }: Line, query: Query, asked: ReadonlySet<string>) =>
  query.fits(text) &&
  (!asked.has("@price") || query.yesOrNo || priced.test(text) || (/products/i.test(origin) && /: .*\d/.test(text))) &&
  (!asked.has("@address") || text.includes("@"))

const matches = (index: Index, query: Query, terms: ReadonlySet<string>, before: Subject): ReadonlyArray<Scored> => {
  const rivalry = rivalries.some((section) => query.sections.has(section))
  const ofRivals = [...query.all].some((term) => index.rivals.has(term))
  // "Sign language" asks for no language that is spoken: then the line must have all of the question's own words.
  const literally = terms === query.literal
  const required = [
    ...(literally ? terms : exact.filter((section) => query.sections.has(section))),
    ...query.required,
    ...(rivalry ? [] : [...query.terms].filter((term) => index.others.has(term)))
  ]
  const asked = new Set([...query.sections, ...terms])
  // "How long does that take?" is about the same thing, and no more about its price.
  const subject = [...before.terms].filter((term) => !term.startsWith("@"))
  const past = subject.length > 0 && query.sections.size + terms.size > 0 ? new Set(subject) : before.terms
  return search(index, terms, before.terms).flatMap(({ met, own, said, ...entry }): ReadonlyArray<Scored> => {
    if (!admitted(entry, query, ofRivals) || !fits(entry.line, query, asked)) return []
    // What they say stands before the colon, and our answer behind it.
    const [objection = ""] = entry.line.text.split(": ")
    if (
      asked.has("@objections") &&
      query.terms.size > 0 &&
      !contents(objection).some((word) => query.terms.has(stemOf(word)))
    )
      return []
    if (
      !required.every(
        (term) => (literally || term.startsWith("@") ? own : met).has(term) || (rivalry && index.rivals.has(term))
      )
    )
      return []
    // "Do we ship to Norway?" is answered by "We do not serve Norway", and by where the clients are, whatever the verbs.
    const isOfPlaces =
      denial.test(entry.line.text) || /who it serves/i.test(entry.line.origin) || entry.line.sections.includes("@area")
    const minor = query.ofPlace && isOfPlaces ? new Set([...query.minor, ...query.verbs]) : query.minor
    const named = new Set([...terms].filter((term) => !term.startsWith("@") && !query.verbs.has(term)))
    const besides = terms.size === named.size || named.size === 0 ? 1 : share(index, named, met, minor)
    const covered = share(index, terms, met, minor)
    // A heading that is alike and one common word make no answer.
    if (named.size > 1 && share(index, terms, said, minor) < leastInLine) return []
    const ofPrice = sum.test(entry.line.text) ? leastWordsOfPrice : leastWordsUnpriced
    return besides < (asked.has("@price") ? ofPrice : leastWords) ||
      covered < (query.yesOrNo ? leastCoveredForYes : leastCovered)
      ? []
      : [
          {
            ...entry,
            covered,
            direct: share(index, terms, own, query.minor),
            near: share(index, past, met, query.minor)
          }
        ]
  })
}

/** Clients of a kind that questions name, from the results that begin with the client's name. */
const ofClients = (index: Index, kind: ReadonlyArray<string>): Found | undefined => {
  const found = index.passages.map((passage) => ({
    passage,
    lines: passage.lines.filter(({ origin, text }) => {
      const [client = ""] = text.split(": ")
      return (
        /case studies/i.test(origin) && kind.every((stem) => contents(client).some((word) => stemOf(word) === stem))
      )
    })
  }))
  // The selections hold some of them.
  const [most] = found.toSorted((a, b) => b.lines.length - a.lines.length)
  return most?.lines.length === 0 ? undefined : most
}

const leaning =
  /^(?:he|she|it|they|this|that|these|those|his|her|their|its|both|(?:the|that|this) (?:two|three|same|next|year|autumn|winter|spring|summer))\b/i
const mostBefore = 4

/** A single sentence that leans on those before it is quoted with them: "The two founded it in 2018." */
const withBefore = ({ lines: all }: Passage, lines: ReadonlyArray<Line>): ReadonlyArray<Line> => {
  const [only] = lines
  if (only === undefined || lines.length > 1 || only.point || !leaning.test(only.text)) return lines
  const at = all.indexOf(only)
  const from = all.findLastIndex(({ point, text }, place) => place < at && (point || !leaning.test(text)))
  return all.slice(Math.max(from, at - mostBefore, 0), at + 1).filter(({ point }) => !point)
}

/** A sentence this short says little without the next: "There is no long contract." */
const shortest = 8

const withAfter = ({ lines: all }: Passage, lines: ReadonlyArray<Line>): ReadonlyArray<Line> => {
  const [only] = lines
  if (only === undefined || lines.length > 1 || only.point || only.text.split(" ").length >= shortest) return lines
  const next = all[all.indexOf(only) + 1]
  return next === undefined || next.point ? lines : [only, next]
}

/** The best passage with those of its lines that answer equally well. */
const best = (found: ReadonlyArray<Scored>, query: Query): Found | undefined => {
  const ofChoice = query.chosen || chosen.some((section) => query.sections.has(section))
  const place = ({ line: { label, origin }, passage: { file } }: Scored) => {
    if (file.source === "selections") return ofChoice ? -1 : 2
    // It repeats the selections and the documents.
    if (file.filename === "Knowledge base.md") return 3
    // They follow from the profile, which says it in full.
    if (/^(?:Market|Target audience) research\.md$/.test(file.filename)) return 2
    const aside =
      query.sections.size === 0 &&
      (ofReaders.test(origin) || /^(?:industry|company name|job titles|decision makers)$/i.test(label || origin))
    const elsewhere = query.sections.has("@price") && !/products|pric/i.test(origin)
    return (aside || elsewhere ? 1 : 0) + (file.source === "profile" ? 0.5 : 0)
  }
  const current = Math.max(0, ...found.flatMap(({ covered, line }) => (line.isCurrent ? [covered] : [])))
  const isOutdated = ({ covered, line, passage: { file } }: Scored) =>
    file.source === "document" && !line.isCurrent && current >= covered - 0.15
  const [head] = found
    .filter((each) => !isOutdated(each))
    .toSorted((a, b) => b.covered - a.covered || b.near - a.near || b.direct - a.direct || place(a) - place(b))
  if (head === undefined) return undefined
  const seen = new Set<string>()
  const lines = found
    .toSorted((a, b) => a.id - b.id)
    .flatMap(({ covered, direct, line, near, passage }) => {
      const whole = query.sections.has("@personas") || direct >= head.direct - 0.01
      const same = passage === head.passage && covered >= head.covered - 0.01 && near >= head.near - 0.01 && whole
      if (!same || seen.has(key(line.text))) return []
      seen.add(key(line.text))
      return [line]
    })
  const { passage } = head
  return { passage, lines: withAfter(passage, withBefore(passage, lines.slice(0, mostLines))) }
}

/** The terms to look for, the best reading first. */
const readings = (index: Index, query: Query, before: Subject): ReadonlyArray<ReadonlySet<string>> => {
  const own = [...query.sections, ...query.terms]
  if (query.continues && !query.hasKind && query.sections.size === 0 && before.sections.size > 0)
    return [new Set([...own, ...before.sections])]
  // "And after that?" names nothing that a line could hold.
  if (own.length === 0) return query.hasKind ? [before.terms] : []
  // Whether something is free, its price says.
  if (query.sections.size === 0)
    return [
      new Set(own),
      ...(query.terms.has("free") ? [new Set([...own.filter((term) => term !== "free"), "@price"])] : [])
    ]
  // A competitor's name asks for no more than the section does.
  const rivalry = rivalries.some((section) => query.sections.has(section))
  const without = own.filter((term) => !index.rivals.has(term))
  const both = rivalry && without.length < own.length ? [new Set(own), new Set(without)] : [new Set(own)]
  const literal = exact.some((section) => query.sections.has(section)) && query.literal.size > 1 ? [query.literal] : []
  return [...(query.sections.has("@weakness") ? both : both.toReversed()), query.all, ...literal]
}

/** How much of what the earlier question named an answer must hold. */
const leastOfBefore = (query: Query, before: Subject): number => {
  const named = [...before.terms].filter((term) => !term.startsWith("@"))
  if (named.length === 0) return 0
  const continues = query.continues && before.sections.size === 0
  if (query.sections.size > 0)
    return query.terms.size === 0 && (query.ofIt || (query.refers && query.sections.has("@price"))) ? 0.5 : 0
  // After "What are the towels made of?", "And the sheets?" leaves nothing to look for.
  return continues && query.terms.size > 0 && named.length === 1 ? 2 : query.refers || continues ? 0.5 : 0
}

/** Nothing where no passage answers the question. */
export const answering = (index: Index, query: Query, before: Subject): Found | undefined => {
  if (query.stranger) return undefined
  const clients = query.clients.length === 0 ? undefined : ofClients(index, query.clients)
  if (clients !== undefined || (query.clients.length > 0 && !query.serves)) return clients
  // What holds of others than those who were named before is no answer.
  const least = leastOfBefore(query, before)
  const found = readings(index, query, before).map((terms) =>
    matches(index, query, terms, before).filter(({ near }) => near >= least)
  )
  const isImport = ({ passage: { file } }: Scored) => file.source === "imported"
  // An import may be older than the profile, so that it answers only what nothing else does.
  const ranked = [
    ...found.map((some) => some.filter((each) => !isImport(each))),
    ...found.map((some) => some.filter(isImport))
  ]
  for (const some of ranked) {
    const answer = best(some, query)
    if (answer !== undefined) return answer
  }
  return undefined
}

/** What is said of others, is not in the profile, or is not of the kind that is asked for is less likely meant. */
const weightOf = ({ line, passage: { file } }: Entry, query: Query): number =>
  (/https?:/.test(line.text) && !query.sections.has("@website") ? 0 : 1) *
  (fits(line, query, query.sections) ? 1 : 0.3) *
  (ofReaders.test(line.origin) && !query.sections.has("@objections") ? 0.6 : 1) *
  (file.source === "document" && !line.isCurrent ? 0.4 : 1)

const refusal = /^(?:we|it)\b.*\b(?:not|never)\b|^no\b|\b(?:nicht|kein\w*)\b/i
/** What the business says that it does not do, and where it works. */
const denials = ({ passages }: Index, ofPlace: boolean): ReadonlyArray<Found> =>
  passages.flatMap((passage) => {
    const lines = passage.lines.filter(
      ({ isCurrent, origin, sections, text }) =>
        ((isCurrent && own.test(origin)) || passage.file.source === "imported") &&
        !ofReaders.test(origin) &&
        (refusal.test(text) || (ofPlace && sections.includes("@area")))
    )
    return lines.length === 0 ? [] : [{ passage, lines }]
  })

/** A line with one common word of many is not near. */
const leastShare = 0.25
/** A line this far behind the best is near no more. */
const leastScore = 0.4

/** Passages by their lines that are most like the question: words count by their beginnings too, and almost the same spelling. */
export const nearest = (index: Index, query: Query, before: ReadonlySet<string>): ReadonlyArray<Found> => {
  const isSection = (term: string) => term.startsWith("@")
  const meant = new Set([...query.sections, ...query.all, ...before].filter((term) => index.frequency.has(term)))
  const near = search(index, new Set([...query.sections, ...query.all]), before, {
    prefix: (term) => !isSection(term) && term.length > 3,
    fuzzy: (term) => (isSection(term) || term.length < 6 ? false : 0.2)
  })
    .filter(
      (entry) =>
        isOffered(entry, query) &&
        [...entry.own].some((term) => !query.verbs.has(term)) &&
        share(index, meant, entry.asked, query.minor) >= leastShare
    )
    .map((entry) => ({ ...entry, score: entry.score * weightOf(entry, query) }))
    .toSorted((a, b) => b.score - a.score)
  const [best] = near
  const seen = new Set<string>()
  const found = new Map<Passage, Array<Line>>()
  for (const { line, passage, score } of near) {
    const said = key(line.label === "" ? line.text : line.text.slice(line.label.length))
    if (seen.has(said)) continue
    seen.add(said)
    const lines = found.get(passage) ?? []
    if (!query.stranger && score > 0 && score >= leastScore * (best?.score ?? 0)) lines.push(line)
    found.set(passage, lines)
  }
  const offered = [...found].map(([passage, lines]) => ({ passage, lines }))
  // "Can I sell to a shop in Belfast?" may be answered by where the business does not work.
  return query.yesOrNo && !offered.some(({ lines }) => lines.length > 0)
    ? [...denials(index, query.ofPlace), ...offered]
    : offered
}
