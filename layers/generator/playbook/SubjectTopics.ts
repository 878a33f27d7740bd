// layers/generator/playbook/SubjectTopics.ts: subjects of two to five words from the user's own text.
import { countedPhrase, endsInNoun, nounPhrases } from "#layers/text/NounPhrases.ts"
import { sharedWordCount } from "#layers/generator/playbook/DepartmentVocabulary.ts"
import { classifyShape, splitLabel, splitSentences, countWords, wordsBeforeVerb } from "#layers/text/Sentences.ts"

const withoutFullStop = (text: string) => text.trim().replace(/[.!]+$/, "")

/** The whole text, if it is short enough for a subject. */
export const shortSubject = (text: string, maxWords = 5): string | null => {
  const line = withoutFullStop(text)
  const count = countWords(line)
  const hasUnbalancedMarks = (line.match(/["“”„]/g) ?? []).length % 2 === 1 || /^[^(]*\)|\([^)]*$/.test(line)
  return count >= 2 && count <= maxWords && line.length <= 45 && !/[:;$%\n]/.test(line) && !hasUnbalancedMarks
    ? line
    : null
}

const isAboutBuyers = (text: string): boolean => buyerNoun.test(wordsBeforeVerb(text) ?? "")

/** Most words of a problem that is a subject as a whole. */
const maxProblemWords = 7

/** The whole problem, if a subject line has space for it. */
export const wholeProblem = (text: string): string | null =>
  shortSubject(text) ?? (isAboutBuyers(text) ? null : shortSubject(text, maxProblemWords))

/** Words before which a sentence may already be whole: "Grid people are poached" before "with 20% more salary". */
const clauseEnd = / (?:and|after|at|because|before|by|during|for|from|in|on|when|while|with|without)(?= )/g

/** "Import duty is paid" of "Import duty is paid on the wrong tariff code" says something else. */
const passiveEnd = /\b(?:is|are|was|were|has|have|gets?) \p{L}+$/iu

/** The first clause of a problem, if it is short: up to its comma, or the longest start that is a sentence by itself. */
export const firstClause = (text: string): string | null => {
  const sentence = withoutFullStop(text)
  const clause = /^([^,]+), /.exec(sentence)?.[1] ?? null
  if (clause !== null) return countWords(clause) > 2 ? shortSubject(clause) : null
  if (isAboutBuyers(text)) return null
  const [, startBeforeAnd = null] =
    /^((?:[^\s,]+ ){2,4}[^\s,]+) and (?:the|an?|it|its|nobody|their|they)\b/.exec(sentence) ?? []
  return (
    [...sentence.matchAll(clauseEnd)]
      .map(({ index }) => sentence.slice(0, index))
      // Parsing takes milliseconds, and a long text has many starts.
      .filter((each) => shortSubject(each) !== null)
      .findLast(
        (each) => each === startBeforeAnd || (classifyShape(`${each}.`) === "sentence" && !passiveEnd.test(each))
      ) ?? null
  )
}

/** "Each engineer" of "Each engineer builds his own shelves" means no single person. */
const indefiniteStart = /^(?:any|each|every|most|nobody|no|one|some|somebody|someone)\b/i

/** What a problem is about: its words before the verb, "Holiday and Christmas pay" of "Holiday and Christmas pay is a surprise". */
export const problemSubject = (text: string): string | null => {
  const subject = wordsBeforeVerb(text)
  return subject === null || peopleNoun.test(subject) || indefiniteStart.test(subject) ? null : shortSubject(subject)
}

/** What many firms sell, by names that tell a reader nothing. */
const genericProduct =
  /^(?:(?:cloud|online|web)[ -])?(?:app|application|platform|service|software|solution|system|tool)s?$/i

/** Whether a text begins with a client's name and a colon: "Hof Brandt: night alarms fell ...". */
export const startsWithClient = (text: string): boolean => {
  const label = splitLabel(text)?.label.replace(/ *\([^)]*\)/g, "")
  return (
    label !== undefined &&
    /^\p{Lu}\S*(?: (?:(?:de|del|der|des|di|du|la|le|of|van|von|and|the|&)\b|\p{Lu}|&)\S*)+$/u.test(label)
  )
}

/** Words of a change: from one figure to another, more or less of something, or a share. */
const changeWords =
  /%|\bfrom\b.*\bto\b|\binstead of\b|\b(?:it|they) (?:was|were)\b|\bused to\b|\bbefore\b|\b(?:(?:less|fewer|more)(?! than \d)|lower|higher|faster|sooner|shorter|longer|cheaper|better|(?<!\bset )up|down|saved?|saves|saving|won|gained|fell|dropped|rose|grew|cut|halved|doubled|tripled|reduced|increased|raised|recovered|avoided|no longer)\b|\b(?:no|zero|without)\b/i

/** Whether a client's text says what changed, and does not only count the work: "Hof Brandt: 14,000 calls". */
export const saysChange = (text: string): boolean => changeWords.test(text)

/** Whether a client's result does not say whose it is: "Losses fell from 9% to 1.4% in a year." */
export const isUnnamedResult = (text: string): boolean =>
  saysChange(text) &&
  !/(?<=\S\s+["“‘(]?)\p{Lu}\p{Ll}/u.test(text) &&
  !/^(?:an?|the|each|every|some|most|one|two|three|four|five|six)\b|\b(?:we|our|us|you|your|they|their|clients?|customers?)\b/i.test(
    text
  )

/** The user's own label before a colon, or a noun phrase in the text. */
export const topicIn = (text: string): string | null => {
  const label = splitLabel(text)?.label
  if (
    label !== undefined &&
    countWords(label) > 1 &&
    countWords(label) <= 5 &&
    label.length <= 45 &&
    !/[()]/.test(label)
  )
    return label
  // "Free site walk" of "free site walk-through" is half of a word.
  const phrases = nounPhrases(text).filter(
    (phrase) => text[text.indexOf(phrase.text) + phrase.text.length] !== "-" && !peopleNoun.test(phrase.text)
  )
  return (phrases.find(({ plural }) => plural) ?? phrases[0])?.text ?? null
}

/** The first characters of a text, in which the subject of its first sentence begins. */
const openingLength = 30

const buyers =
  "agencies|brands|businesses|clients|companies|contractors|customers|firms|homeowners|homes|practices|suppliers|vendors|plants|mills|" +
  "breweries|hospitals|clinics|schools|hotels|restaurants|caf[eé]s|shops|stores|farms|dairies|bakeries|factories|offices|utilities|manufacturers|producers|processors|retailers|wholesalers|distributors|carriers|landlords|councils|authorities|associations|trusts|charities|universities|" +
  "airports|labs|laboratories|garages|[a-z]*makers|[a-z]*builders|startups|labels|employers|institutions"

/** The buyers are not the topic of a problem: "Chemical plants wait ...". */
const buyerNoun = new RegExp(`\\b(?:${buyers})$`, "i")

/** The people who have the problem are not its topic either: "Most site teams first hear ...". */
const peopleNoun = new RegExp(
  `\\b(?:directors|drivers|engineers|founders|managers|operators|owners|people|persons|staff|teams?|tenants|${buyers})$`,
  "i"
)

/**
 * Noun phrases for a subject line, best first: phrases of a person's question, then phrases of the problem that the proof
 * or the question shares, then plurals. Phrases of the description rank lower, because they only name the trade.
 */
export const rankTopics = (message: {
  readonly problem: string | null
  readonly question: string | null
  readonly proof: string | null
  readonly description: string | null
}): ReadonlyArray<string> => {
  const { problem, proof, question, description } = message
  const candidates = [question, problem].flatMap((text) =>
    nounPhrases(text ?? "").flatMap(({ compound, plural, text: phrase }) => {
      // "Local language", "below model": a single thing with an adjective is no subject without its article.
      if (!plural && !compound) return []
      if (peopleNoun.test(phrase)) return []
      // "Auditor asks, and it is lost": a subject and its verb.
      if (text?.startsWith(`${phrase},`) === true) return []
      const [headNoun = ""] = phrase.split(" ").slice(-1)
      const tieCount = [proof, question].filter(
        (other) => other !== null && sharedWordCount(headNoun, other) > 0
      ).length
      const isTrade = description?.toLowerCase().includes(phrase.toLowerCase()) === true
      const isOpening = (text ?? "").indexOf(phrase) < openingLength
      const score =
        2 * tieCount +
        (text === question ? 1 : 0) +
        (plural ? 1 : 0) +
        (compound ? 1 : 0) +
        (isOpening ? 1 : 0) -
        (isTrade ? 1 : 0)
      return [{ phrase, score }]
    })
  )
  const usable = candidates.filter(({ phrase, score }) => score > 0 && shortSubject(phrase) !== null)
  return [...new Set(usable.toSorted((a, b) => b.score - a.score).map(({ phrase }) => phrase))]
}

/**
 * The single word that a question asks about: "Who looks after the racking: you, or a colleague?", "Who writes your manuals
 * today?"
 */
export const questionTopic = (question: string): string | null =>
  /\b(?:the|your) ([\p{L}-]{4,})(?=[?,:]| (?:today|now|currently|before|after|at|in|on|for|when)\b)/u.exec(
    question.replace(/\bat the moment\b/, "now")
  )?.[1] ?? null

/** The topic of a result: what it counts, or its label; never the client's name. */
export const resultTopic = (text: string): string | null => {
  const labelled = splitLabel(text)
  if (labelled === null) return countedPhrase(text)
  const countPhrase = countedPhrase(labelled.rest)
  // A label names a client or a place as often as the work.
  return countPhrase !== null && shortSubject(countPhrase) !== null ? countPhrase : null
}

/** The first words of an offer, up to a preposition: "Map of implant searches", "Free boiler check". */
export const offerTopic = (text: string): string | null => {
  const starts = [
    ...text.matchAll(
      / (?:in|on|at|for|with|before|after|to|from|by|within|per|of|against|round|around|through|over)(?= )/g
    )
  ]
    .map(({ index }) => text.slice(0, index).replace(/[,;]$/, ""))
    .filter((start) => shortSubject(start) !== null && endsInNoun(start))
  const topic = topicIn(text)
  // The end of a sentence names a place or a means rather than the offer.
  return starts.at(-1) ?? (topic !== null && text.indexOf(topic) < openingLength ? topic : null)
}

/** "Top-rated local" of "Top-rated local handyman service" lacks its noun. */
const incompletePhrase =
  /^ \p{Ll}[\p{Ll}-]* (?:agency|company|contractors?|experts?|firm|maker|manufacturers?|provider|services?|solutions?|specialists?|studio|suppliers?|workshop)\b/u

/** "We harden, carburise and nitride": what comes next is the product. */
const severalVerbs = /^We \p{Ll}+(?:, \p{Ll}+)* and \p{Ll}+ /u

/** The product, by its first name in the description; never the sender's own name. */
export const productTopic = (text: string, sender: string | null): string | null => {
  const [sentence = ""] = splitSentences(
    text.replace(`We're ${sender ?? ""}. `, "").replace(`We're ${sender ?? ""}: `, "")
  )
  const names = sender?.split(/\s+/) ?? []
  return (
    // What comes after "for" or "in" are the buyers: "pumps for acids in chemical plants".
    nounPhrases(
      sentence.replace(severalVerbs, "").replace(/ (?:for|in|at|to|across|with|that|who|which|so) .*$/s, "")
    ).find(({ plural, text }) => {
      if (peopleNoun.test(text)) return false
      // "Independent microbiology" before "and chemistry laboratory" lacks its noun.
      if (!plural && /^ (?:and|or|&) /.test(sentence.slice(sentence.indexOf(text) + text.length))) return false
      // One product of several need not be of the reader's world: "trays and clamshells".
      if (/^(?:,| and | or )/.test(sentence.slice(sentence.indexOf(text) + text.length))) return false
      if (sender?.toLowerCase().includes(text.toLowerCase()) || genericProduct.test(text)) return false
      // "Golden Factory Company for mirrors" starts with a name.
      if (/^\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)+$/u.test(text)) return false
      if (incompletePhrase.test(sentence.slice(sentence.indexOf(text) + text.length))) return false
      // "Fit-Out designs" of Ironclad Fit-Out is the name and its verb; a capital at the start of a sentence shows nothing.
      const words = sentence.startsWith(text) ? text.split(" ").slice(1) : text.split(" ")
      return !words.some((word) => /^\p{Lu}/u.test(word) && names.includes(word))
    })?.text ?? null
  )
}
