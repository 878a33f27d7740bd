// layers/generator/checker/Claims.ts: the claims of an email, and the one source that supports each.
import { at, quoted, within } from "#layers/generator/checker/Findings.ts"
import { clientVerb, everyClient, pattern, pronoun, unnamed } from "#layers/generator/checker/Patterns.ts"
import { alike, type Quantity, quantitiesIn } from "#layers/generator/checker/Quantities.ts"
import type { Source, Sources } from "#layers/generator/checker/Sources.ts"
import { type Clause, clausesOf, type Numbers, numberSources, shareOf } from "#layers/generator/checker/Support.ts"
import { contentOf, type EmailText, normalOf, type Sentence } from "#layers/generator/checker/Text.ts"
import { companyName } from "#layers/text/Names.ts"
import type { Claim, Finding } from "#schema/Findings.ts"
import type { Lead } from "#schema/Lead.ts"

/** What claims are compared with. */
export interface Known {
  readonly sources: Sources
  /** What the lead's columns, research and remarks say. */
  readonly reader: ReadonlyArray<Source>
  readonly lead: Lead | null
}

/** One statement of a sentence, and what supports it. */
interface Assertion {
  readonly rule: string
  /** Its place in the sentence. */
  readonly from: number
  readonly length: number
  readonly message: string
  readonly sources: ReadonlyArray<Source>
}

interface Read {
  readonly sentence: Sentence
  /** The text with names and verbatim quotations of sources masked, of the same length. */
  readonly masked: string
  readonly clauses: ReadonlyArray<Clause>
  readonly quantities: ReadonlyArray<Quantity>
  /** Sources that the sentence repeats word by word. */
  readonly verbatim: ReadonlyArray<Source>
  /** The client named in it, or meant by a pronoun. */
  readonly client: string | null
  readonly named: boolean
  /** Whether it follows a sentence about a client. */
  readonly afterClient: boolean
  readonly before: ReadonlySet<string>
}

const supportOf = (each: Pick<Source, "from" | "at" | "text">) => ({ from: each.from, at: each.at, text: each.text })

/** Sources whose text stands in the sentence, or the other way round. */
const verbatimIn = (sentence: Sentence, known: Known): ReadonlyArray<Source> => {
  const normal = normalOf(sentence.text)
  const long = normal.length >= 12 && normal.includes(" ")
  // The reader's own name or company, repeated, is no quotation.
  const notes = known.reader.filter(({ at, from }) => from !== "lead" || at.startsWith("custom_fields."))
  return [...notes, ...known.sources.all].filter(
    (source) =>
      (long && ` ${source.normal} `.includes(` ${normal} `)) ||
      (source.normal.split(" ").length >= 3 && ` ${normal} `.includes(` ${source.normal} `))
  )
}

const blank = (text: string, from: number, length: number): string =>
  text.slice(0, from) + "_".repeat(length) + text.slice(from + length)

/** Hides what needs no support: text of a source word by word, and names with digits in them. */
const mask = (plain: string, verbatim: ReadonlyArray<Source>, names: ReadonlyArray<string>): string => {
  let masked = plain
  const lower = plain.toLowerCase()
  for (const text of [...verbatim.map((source) => source.plain.replace(/[.;,!?]+$/, "")), ...names]) {
    const from = text === "" ? -1 : lower.indexOf(text.toLowerCase())
    if (from >= 0) masked = blank(masked, from, text.length)
  }
  return masked
}

/** The reader's company, as it was typed and as it is said. */
const companyNames = (lead: Lead | null): ReadonlyArray<string> => {
  const said = companyName(lead?.company)
  return [...new Set([lead?.company?.trim() ?? "", said ?? ""])].filter((name) => name.length > 1)
}

const read = (email: EmailText, known: Known): ReadonlyArray<Read> => {
  const found: Array<Read> = []
  const digits = [...companyNames(known.lead), ...known.sources.own].filter((name) => /\d/.test(name))
  let context: string | null = null
  let before: ReadonlySet<string> = new Set()
  for (const sentence of email.sentences) {
    const named = known.sources.clients.find(({ pattern }) => pattern.test(sentence.plain))?.name ?? null
    const verbatim = verbatimIn(sentence, known)
    // "ISO 9001" and "Microsoft 365" are names where a source has them.
    const numbered = (
      sentence.plain.match(/(?<=[\p{L},] )\p{Lu}[\p{L}-]+ \d[\d:-]*|\b\p{Lu}{2,} \d[\d:-]*/gu) ?? []
    ).filter(
      (name) =>
        known.sources.text.includes(name.toLowerCase()) ||
        known.reader.some(({ plain }) => plain.toLowerCase().includes(name.toLowerCase()))
    )
    const follows = named === null && context !== null
    found.push({
      sentence,
      masked: mask(sentence.plain, verbatim, [...digits, ...numbered]),
      clauses: clausesOf(sentence.plain),
      quantities: quantitiesIn(sentence.plain),
      verbatim,
      client: named ?? (context !== null && pronoun.test(sentence.plain) ? context : null),
      named: named !== null,
      afterClient: follows,
      before
    })
    // The client is meant until the email turns to the reader, the sender or another matter.
    context =
      named ??
      (context !== null &&
      (pronoun.test(sentence.plain) || /\b(?:the|that|later|after|it|we)\b/i.test(sentence.plain)) &&
      !/\b(?:you|your)\b/i.test(sentence.plain)
        ? context
        : null)
    before = sentence.stems
  }
  return found
}

const assertion = (
  rule: string,
  from: number,
  text: string,
  message: string,
  sources: ReadonlyArray<Source>
): Assertion => {
  const lead = text.length - text.trimStart().length
  return { rule, from: from + lead, length: text.trim().length, message, sources }
}

/** A number in a condition states no fact: "If two half-empty buses ever bother you", "With 60 meals a day, it is often". */
const supposed = (plain: string, { start }: Quantity): boolean =>
  /^(?:if|when|whenever|should|suppose|say|imagine)\b[^,]*$/i.test(plain.slice(0, start)) ||
  (/^(?:with|at|for)\b[^,]*$/i.test(plain.slice(0, start)) &&
    /,\s(?:you|it|they|there)\b[^.]*\b(?:often|usually|sometimes|seldom|rarely|soon|can|may|might)\b/i.test(
      plain.slice(start)
    ))

/** Whether a statement is about the sender, a client, or what companies in general do. */
const aboutSomebody = ({ afterClient, client, sentence }: Read, { sources }: Known): boolean =>
  client !== null ||
  afterClient ||
  /\b(?:we|we're|we've|us|ours?|clients|customers|users|(?:an?|one|another) (?:[\p{L}-]+ )?(?:client|customer|user)|average)\b/iu.test(
    sentence.plain
  ) ||
  [...sources.own].some((name) => sentence.plain.toLowerCase().includes(name))

const currency = /^[A-Z]{3}$/

/** "It takes you two minutes", "With two outside firms": small spelled-out numbers that make no claim about the sender. */
const isColloquial = (quantity: Quantity, read: Read, known: Known): boolean => {
  const { plain, paragraph } = read.sentence
  const { end, measure, per, start, value } = quantity
  if (measure === "%" || measure === "x" || (measure !== null && currency.test(measure)) || per !== null) return false
  // A subject such as "31 months" names its topic.
  if (
    paragraph < 0 &&
    !/\b(?:\p{L}+(?:ed|s)|we|our|you|your|faster|less|more|fewer|cut|in|within|by)\b/iu.test(plain.slice(0, start))
  )
    return measure !== null && value < 100
  return (
    value >= 1 &&
    value <= 12 &&
    /^\p{L}/u.test(plain.slice(start, end)) &&
    !/^\s(?:\p{L}+\s)?(?:in|out of|of every)\s(?:every\s)?(?:\d|two|three|four|five|six|seven|eight|nine|ten|twenty|hundred)/iu.test(
      plain.slice(end)
    ) &&
    !/\b(?:within|in|after|under|save[sd]?|saving|faster|cut|cuts|gain)\s$/i.test(plain.slice(0, start)) &&
    !aboutSomebody(read, known)
  )
}

/** In a question only figures that no ordinary question has are statements. */
const stated = (quantity: Quantity, read: Read, known: Known): boolean =>
  (!read.sentence.question &&
    !(quantity.measure === null && supposed(read.sentence.plain, quantity)) &&
    !isColloquial(quantity, read, known)) ||
  quantity.measure === "%" ||
  (quantity.measure !== null && currency.test(quantity.measure)) ||
  quantity.measure === "x" ||
  quantity.value >= 1000

const isMasked = (read: Read, { end, start }: Quantity): boolean => /_/.test(read.masked.slice(start, end))

/** Pieces of a clause that a comma or "and" joins, each with its numbers and a place in the sentence. */
const piecesIn = (clause: Clause, quantities: ReadonlyArray<Quantity>, plain: string, client: string | null) => {
  const joint = client === null ? /,\s+|\s(?:and|at|with|for)\s/g : /,\s+|\sand\s/g
  const pieces: Array<{ clause: Clause; quantities: Array<Quantity> }> = []
  let from = clause.from
  for (const [index, quantity] of quantities.entries()) {
    const between = plain.slice(quantities[index - 1]?.end ?? quantity.start, quantity.start)
    const cut = [...between.matchAll(joint)].at(-1)
    const last = pieces.at(-1)
    if (last !== undefined && cut === undefined) last.quantities.push(quantity)
    else pieces.push({ clause: { ...clause, from }, quantities: [quantity] })
    if (last !== undefined && cut !== undefined) {
      const start = quantity.start - between.length + cut.index + cut[0].length
      pieces[pieces.length - 1] = { clause: { ...clause, from: start }, quantities: [quantity] }
    }
    from = quantity.end
  }
  return pieces.map((piece, index) => {
    const text = plain.slice(piece.clause.from, pieces[index + 1]?.clause.from ?? clause.from + clause.text.length)
    return { quantities: piece.quantities, clause: { text, from: piece.clause.from, stems: contentOf(text) } }
  })
}

/** A list of facts, each with a source of its own: what supports all of them, and the first piece that nothing supports. */
const listed = (
  asked: Numbers,
  plain: string,
  all: ReadonlyArray<Source>
): { readonly found: ReadonlyArray<Source>; readonly open: ReadonlyArray<Quantity> } => {
  // Where one source has all the numbers, it says something else of them.
  const alone = all.some((source) =>
    asked.quantities.every(({ value }) => source.quantities.some((given) => given.value === value))
  )
  const pieces = alone ? [] : piecesIn(asked.clause, asked.quantities, plain, asked.client)
  if (pieces.length < 2) return { found: [], open: asked.quantities }
  const found: Array<Source> = []
  for (const { clause, quantities } of pieces) {
    const [best] = numberSources({ ...asked, clause, quantities }, all)
    if (best === undefined) return { found: [], open: quantities }
    found.push(best)
  }
  return { found, open: [] }
}

/** Numbers and amounts, clause by clause, so that two facts in one sentence may have a source each. */
const numbers = (read: Read, known: Known): ReadonlyArray<Assertion> => {
  const { afterClient, before, client, clauses, named, quantities, sentence } = read
  const open = quantities.filter((each) => stated(each, read, known) && !isMasked(read, each))
  if (open.length === 0) return []
  const all = [...known.reader, ...known.sources.all]
  // A sentence that says little by itself ("Now it is 2%") goes on with the one before.
  const around = sentence.stems.size > 2 && named ? sentence.stems : new Set([...sentence.stems, ...before])
  const whole = { from: 0, text: sentence.plain, stems: sentence.stems }
  const together = numberSources({ around, clause: whole, client, named, quantities: open }, all)
  const groups =
    together.length > 0
      ? [{ clause: whole, quantities: open }]
      : clauses.map((clause, index) => ({
          clause,
          quantities: open.filter(({ start }) => start >= clause.from && start < (clauses[index + 1]?.from ?? Infinity))
        }))
  return groups.flatMap(({ clause, quantities }) => {
    if (quantities.length === 0) return []
    // A clause with a subject of its own is not about the client of the one before.
    const own = clause.from > 0 && /^\s*(?:\d|we\b|our\b|you\b|your\b)/i.test(clause.text)
    const about = own ? null : client
    const asked = { around, clause, client: about, named: named && !own, quantities }
    const single = numberSources(asked, all)
    const list = single.length > 0 ? { found: single, open: quantities } : listed(asked, sentence.plain, all)
    const { found } = list
    const faulty = found.length === 0 ? list.open : quantities
    const [from, to] = [faulty[0]?.start ?? 0, faulty.at(-1)?.end ?? 0]
    const text = sentence.plain.slice(from, to)
    const said = clausesOf(clause.text).filter(({ from, text }) =>
      quantities.some(({ start }) => start >= clause.from + from && start < clause.from + from + text.length)
    )
    const promised = promisedTo(
      said.map(({ text }) => text).join(" "),
      sentence,
      found,
      afterClient || named,
      companyNames(known.lead)
    )
    if (promised !== null) return [assertion("claim.guarantee", clause.from, clause.text, promised, [])]
    const rule = quantities.some(({ measure }) => measure !== null && /^[A-Z]{3}$/.test(measure))
      ? "claim.amount"
      : "claim.number"
    const name = named && !own ? known.sources.clients.find((each) => each.name === client) : undefined
    const start = name === undefined ? -1 : sentence.plain.search(name.pattern)
    if (
      found.length === 0 &&
      start >= 0 &&
      start < from &&
      numberSources({ around, clause, client: null, named: false, quantities }, all).length > 0
    ) {
      return [
        assertion(
          "claim.client",
          start,
          sentence.plain.slice(start, to),
          `The source says this about someone else than ${name?.name ?? ""}. Name the right client.`,
          []
        )
      ]
    }
    return [
      assertion(
        rule,
        from,
        text,
        `No single source supports ${quoted(text)} here, with this subject and unit. Use the figure as the profile or campaign gives it, or remove it.`,
        found
      )
    ]
  })
}

/** What is wrong when the result of a client is said of the reader or of everybody; null when nothing is. */
const promisedTo = (
  text: string,
  sentence: Sentence,
  found: ReadonlyArray<Source>,
  client: boolean,
  companies: ReadonlyArray<string>
): string | null => {
  if (found.length === 0 || !found.every(({ result }) => result)) return null
  if (
    pattern.toReader.test(text) ||
    (/\b(?:will|would|can)\b|'ll\b/i.test(text) && companies.some((name) => text.includes(name)))
  )
    return "This promises the reader a result that one client had. Say who had it, and promise nothing."
  return !client && everyClient.test(sentence.plain) && !unnamed.test(text)
    ? "This says of many clients what the source says of one. Name that client."
    : null
}

const each = (text: string, expression: RegExp): ReadonlyArray<RegExpExecArray> => [...text.matchAll(expression)]

/** Sources that have the same kind of wording and enough of the same words. */
const alikeSources = (
  sources: ReadonlyArray<Source>,
  stems: ReadonlySet<string>,
  least: number,
  kind?: RegExp
): ReadonlyArray<Source> =>
  sources
    .map((source) => ({ source, share: shareOf(stems, source.stems) }))
    .filter(({ share, source }) => share >= least && (kind === undefined || kind.test(source.plain)))
    .sort((a, b) => b.share - a.share)
    .map(({ source }) => source)

interface Kind {
  readonly rule: string
  readonly expression: RegExp
  /** What a source must say for it to be the same kind of statement. */
  readonly kind?: RegExp
  readonly least: number
  readonly message: (text: string) => string
  /** Whether the sentence is one of those that it is looked for in. */
  readonly when?: (read: Read, known: Known, found: string) => boolean
}

const aboutSender = ({ sentence }: Read, { sources }: Known): boolean =>
  /\b(?:we|we're|we've|our|us)\b/i.test(sentence.plain) ||
  [...sources.own].some((name) => sentence.plain.toLowerCase().includes(name))

const kinds: ReadonlyArray<Kind> = [
  {
    rule: "claim.number",
    expression: pattern.multiple,
    kind: /doubl|tripl|quadrupl|twice|\d+x|tenfold/i,
    least: 0.3,
    message: (text) => `No source says ${quoted(text)} of this. Use a result that the profile gives, or remove it.`
  },
  {
    rule: "claim.number",
    expression: pattern.crowd,
    kind: /hundreds|thousands|millions|dozens|\d{3}/i,
    least: 0.34,
    when: (read, known) => aboutSender(read, known),
    message: (text) => `No source supports ${quoted(text)}. Give the real number, or remove it.`
  },
  {
    rule: "claim.superlative",
    expression: pattern.superlative,
    kind: /\b(?:most|best|top|leading|largest|biggest|fastest|cheapest|easiest|greatest|number one|only|first|award|rated|#1|never|always|all|\p{L}{3,}est)\b/iu,
    least: 0.4,
    when: (read, known, found) =>
      aboutSender(read, known) ||
      /^(?:it|it's|this)\b/i.test(read.sentence.plain) ||
      /rated|loved|trusted|class|leading|winning|growing|planet|world|#1|number one/i.test(found),
    message: (text) => `No source supports ${quoted(text)}. Say what the product does instead.`
  },
  {
    rule: "claim.credential",
    expression: pattern.credential,
    kind: /recommend|endorse|approve|accredit|certif|licen[cs]|backed|ISO|SOC|HIPAA|GDPR|partner/i,
    least: 0.34,
    message: (text) => `No source supports ${quoted(text)}. Remove it, or add it to the profile.`
  },
  {
    rule: "claim.comparison",
    expression: pattern.comparison,
    kind: /\bthan\b|\bunlike\b|\bonly\b|instead|no other/i,
    least: 0.45,
    message: (text) => `No source supports the comparison ${quoted(text)}. Say what you do, without comparing.`
  },
  {
    rule: "claim.discount",
    expression: pattern.discount,
    kind: /free|discount|off\b|waive|no charge|without charge|no cost|trial|pilot|\bpay|cover|until|by the end/i,
    least: 0.3,
    message: (text) => `No source offers ${quoted(text)}. Offer only what the profile or campaign offers.`
  },
  {
    rule: "claim.guarantee",
    expression: pattern.guarantee,
    kind: /guarantee|refund|fee|free|bill|pay|cost|charge|risk|warrant|promise|years? on/i,
    least: 0.3,
    message: (text) => `No source gives the guarantee ${quoted(text)}. Use the guarantee of the profile as it stands.`
  }
]

/** Whether a generic kind of statement stands in the sentence, and its sources. */
const ofKinds = (read: Read, known: Known): ReadonlyArray<Assertion> => {
  const all = [...known.reader, ...known.sources.all]
  return kinds.flatMap(({ expression, kind, least, message, rule, when }) => {
    const [first] = each(read.masked, expression)
    if (first === undefined || (when !== undefined && !when(read, known, first[0]))) return []
    if (read.sentence.question && rule !== "claim.discount" && rule !== "claim.superlative") return []
    const clause = read.clauses.findLast(({ from }) => from <= first.index)
    const stems = clause === undefined || clause.stems.size < 2 ? read.sentence.stems : clause.stems
    // "Our guarantee: ..." announces what follows word by word.
    const announced = /:\s/.test(read.sentence.plain.slice(first.index))
      ? read.verbatim.filter(({ stems }) => stems.size >= 2)
      : []
    // "This is our guarantee." says only that there is one.
    const mentioned =
      /^guarantee$/i.test(first[0]) && /\b(?:our|this|the|a|one|my)\s$/i.test(read.masked.slice(0, first.index))
    const found = mentioned
      ? all.filter(({ at, plain }) => at === "guarantee" || at === "risk_reversal" || /guarantee/i.test(plain))
      : alikeSources(all, stems, least, kind)
    return [assertion(rule, first.index, first[0], message(first[0]), [...announced, ...found])]
  })
}

const measured =
  /\b(?:\p{L}{3,}er|better|less|fewer|worse|(?:more|less) \p{L}+(?: \p{L}+)?) than (?<name>(?:the )?\p{Lu}[\p{L}\p{N}&'-]*)|\b(?:unlike|beats?|outperforms?|outranks?|ahead of|instead of paying|(?:leaves?|left) behind) (?<other>\p{Lu}[\p{L}\p{N}&'-]*)/gu

/** A comparison with a rival by name, or a sentence that runs one down. */
const rivalry = (read: Read, known: Known): ReadonlyArray<Assertion> => {
  if (read.sentence.question) return []
  const { plain, stems } = read.sentence
  const named = known.sources.rivals.find((name) => plain.includes(name))
  const [found] = each(read.masked, measured)
  const versus =
    /\b(?:unlike|cheaper|faster|better|slower|worse|beats?|than|overcharg\w+|fails?|can't|cannot|doesn't|don't|loses?|never)\b/i.exec(
      plain
    )
  const name = found?.groups?.name ?? found?.groups?.other
  const start =
    found !== undefined && name !== undefined
      ? found.index
      : named !== undefined && versus !== null
        ? Math.min(plain.indexOf(named), versus.index)
        : -1
  if (
    start < 0 ||
    /^(?:I|You|We|January|February|March|April|May|June|July|August|September|October|November|December|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)$/.test(
      name ?? ""
    )
  )
    return []
  const end = Math.max(start + (found?.[0].length ?? 0), named === undefined ? 0 : plain.indexOf(named) + named.length)
  const text = plain.slice(start, end)
  return [
    assertion(
      "claim.comparison",
      start,
      text,
      `No source supports the comparison ${quoted(text)}. Say what you do, without comparing.`,
      alikeSources(
        [...known.reader, ...known.sources.all],
        stems,
        0.5,
        /\bthan\b|\bunlike\b|instead|\b(?:can't|cannot|doesn't|don't|no)\b/i
      )
    )
  ]
}

/** "$40,000 in fees" of a client whose source says nothing of fees. */
const swappedMatter = (read: Read, known: Known): ReadonlyArray<Assertion> => {
  const { client, quantities, sentence } = read
  if (client === null || sentence.question) return []
  const own = known.sources.all.filter((source) => source.client === client)
  for (const quantity of quantities) {
    if (quantity.measure === null || !currency.test(quantity.measure) || isMasked(read, quantity)) continue
    const found =
      /^ (?:\p{L}+ )?(?:in|of|on|worth of|from) (?!(?:the|its|their|one|two|three|a|an|\d)\b)(?<matter>\p{Ll}[\p{Ll}-]*(?: \p{Ll}[\p{Ll}-]*)?)/u.exec(
        sentence.plain.slice(quantity.end)
      )
    const stems = contentOf(found?.groups?.matter ?? "")
    const given = own.filter((source) => source.quantities.some(({ value }) => value === quantity.value))
    if (found === null || stems.size === 0 || given.length === 0) continue
    const same = given.filter((source) =>
      [...stems].some((stem) => source.stems.has(stem) || [...source.stems].some((other) => alike(stem, other)))
    )
    // A word that the rest of the profile has stands for another fact, not for a synonym.
    if (
      same.length > 0 ||
      ![...stems].some((stem) => known.sources.all.some((source) => source.client !== client && source.stems.has(stem)))
    )
      continue
    const [from, to] = [quantity.start, quantity.end + found[0].length]
    const text = sentence.plain.slice(from, to)
    return [
      assertion(
        "claim.client",
        from,
        text,
        `The source of this figure says nothing of ${quoted(found.groups?.matter ?? text)}. Say what the case study says.`,
        []
      )
    ]
  }
  return []
}

/** Meetings and words of the reader that nothing on record tells of. */
const meetings = ({ sentence }: Read, known: Known): ReadonlyArray<Assertion> => {
  const [first] = each(sentence.plain, pattern.meeting)
  if (first === undefined || (sentence.question && !/\b(?:after|when|since|as) (?:we|you|our)/i.test(first[0])))
    return []
  const record = known.reader.filter(({ plain }) =>
    /\b(?:met|meet|meeting|spoke|talk(?:ed)?|call|chat|told|asked|said|event|webinar|conference|fair|booth|demo|intro|dinner|download\w*|sign(?:ed)? up|regist\w+|visit\w*|request\w*|subscrib\w+)\b/i.test(
      plain
    )
  )
  return [
    assertion(
      "claim.meeting",
      first.index,
      first[0],
      `Nothing on record says ${quoted(first[0])}. Remove it, or add a column that says so.`,
      record
    )
  ]
}

const troubles = new Set(["pain_points", "problems_solved", "problem", "consequence", "competitor_frustrations"])

/** Statements about the reader's company as facts. */
const aboutReader = (read: Read, known: Known): ReadonlyArray<Assertion> => {
  const { sentence, verbatim } = read
  if (sentence.question || verbatim.length > 0) return []
  let plain = sentence.plain
  for (const name of companyNames(known.lead)) {
    const from = plain.indexOf(name)
    if (from >= 0) plain = `${plain.slice(0, from)}@${"c".repeat(name.length - 1)}${plain.slice(from + name.length)}`
  }
  // What one client had is not known of this reader.
  const stated = known.sources.all.filter(({ result }) => !result)
  return read.clauses.flatMap((clause) => {
    const text = plain.slice(clause.from, clause.from + clause.text.length)
    if (pattern.hedge.test(text) || (clause.from === 0 && pattern.hedge.test(plain))) return []
    const state = each(text, pattern.yourState)[0]
    const past = each(text, pattern.youState)[0]
    const found = state ?? past
    if (found === undefined) return []
    const stems = contentOf(text)
    const reader = alikeSources(known.reader, stems, 0.34)
    // An event is known only from what is on record about this reader; a trouble also from what readers like it have.
    const event = past !== undefined || pattern.event.test(found[0])
    const given = event
      ? []
      : alikeSources(pattern.trouble.test(text) ? stated.filter(({ at }) => troubles.has(at)) : stated, stems, 0.5)
    return [
      assertion(
        "claim.reader",
        clause.from,
        clause.text,
        "This states as a fact what nothing on record says about the reader's company. Ask it as a question, or say where it is known from.",
        [...reader, ...given]
      )
    ]
  })
}

const promises = ({ sentence }: Read): ReadonlyArray<Assertion> =>
  sentence.question
    ? []
    : each(sentence.plain, pattern.promise)
        .slice(0, 1)
        .map((found) =>
          assertion(
            "claim.guarantee",
            found.index,
            found[0],
            `${quoted(found[0])} promises the reader a result that nothing guarantees. Remove it.`,
            []
          )
        )

/** Statements about a client that its case study does not make. */
const aboutClients = (read: Read, known: Known, supported: boolean): ReadonlyArray<Assertion> => {
  const { client, named, sentence, verbatim } = read
  if (sentence.question || verbatim.length > 0 || supported) return []
  const own = known.sources.all.filter((source) => source.client !== null && source.client === client)
  if (named && client !== null) {
    const name = known.sources.clients.find((each) => each.name === client)
    const clause = read.clauses.find(({ text }) => name?.pattern.test(text) === true) ?? {
      from: 0,
      text: sentence.plain,
      stems: sentence.stems
    }
    const stems = new Set(
      [...clause.stems].filter(
        (stem) =>
          !contentOf(client).has(stem) &&
          !/^(?:us|use|work|client|custom|switch|chose|choos|join|exampl|similar|stori|team|compani|result)$/.test(stem)
      )
    )
    const text = clause.text
    if (stems.size === 0) return [assertion("claim.client", clause.from, text, "", own)]
    const found = own.filter((source) => shareOf(stems, source.stems) >= (stems.size > 2 ? 0.25 : 0.3))
    return [
      assertion(
        "claim.client",
        clause.from,
        text,
        `No source says this about ${client}. Use the case study as it stands, or remove the sentence.`,
        found
      )
    ]
  }
  // "We didn't buy one extra ad" tells more of the case than its source does.
  if (
    read.afterClient &&
    /^(?:we|nobody|no one) (?:didn't|did not|never|only|\p{L}+ed|built|found|took|made|ran|cut|gave|kept|put)\b/iu.test(
      sentence.plain
    )
  ) {
    const all = [...known.reader, ...known.sources.all]
    return [
      assertion(
        "claim.client",
        0,
        sentence.plain,
        "No source says this about that client's case. Remove the sentence, or add it to the case study.",
        alikeSources(all, sentence.stems, 0.5)
      )
    ]
  }
  return []
}

const word = "\\p{Lu}[\\p{L}\\p{N}'&-]*"
const subject = new RegExp(
  `(?<![\\p{L}\\p{N}] )(?<start>${word}(?: (?:&|of|and|${word}))* ${word}) (?:already )?${clientVerb}\\b|(?<=[\\p{Ll},] )(?<middle>${word}) (?:already )?${clientVerb}\\b`,
  "u"
)
const userOf = new RegExp(
  `^(?<start>${word}) (?:already )?(?:uses?|chose|switched to|trusts?|relies on|loves|recommends|runs on) (?=\\p{Lu}|us\\b|our\\b)`,
  "u"
)
const worksWith = new RegExp(
  `\\b(?:work(?:ed|s|ing)? (?:with|for)|clients? (?:like|such as|include)|customers? (?:like|such as|include)|companies like|brands like|trusted by|used by|built for|did (?:it |this |that |the same )?for|(?:same|just) as) (?<start>${word}(?: (?:&|${word}))*)`,
  "u"
)

/** Companies that are given a result or called a client, and that no source names. */
const strangers = ({ masked, sentence }: Read, known: Known): ReadonlyArray<Assertion> => {
  if (sentence.question) return []
  for (const expression of [subject, userOf, worksWith]) {
    const found = expression.exec(masked)
    const name = found?.groups?.start ?? found?.groups?.middle
    if (found === null || name === undefined) continue
    const lower = name.toLowerCase()
    const given =
      known.sources.text.includes(lower) || known.reader.some(({ plain }) => plain.toLowerCase().includes(lower))
    if (
      given ||
      /^(?:I|We|You|They|It|The|Our|Your|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|January|February|March|April|May|June|July|August|September|October|November|December|CEOs?|CFOs?|COOs?|CTOs?)$/.test(
        name
      )
    )
      continue
    const from = masked.indexOf(name, found.index)
    return [
      assertion(
        "claim.client",
        from,
        name,
        `No source names ${quoted(name)}. Name only clients of the profile or campaign.`,
        []
      )
    ]
  }
  return []
}

/** Sources that a sentence rests on by its words, for sentences that make no checkable claim. */
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
  // The user's own words, as they stand.
  if (whole) return [assertion("claim.verbatim", 0, read.sentence.plain, "", read.verbatim)]
  const counted = numbers(read, known)
  // Numbers that a client's own source supports say enough about that client.
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

/** The claims of one email; `known` is null where there is nothing to compare them with. */
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
      // One finding for a stretch of text is enough.
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
  // A subject shortens what the body says in full, where the number is checked.
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
