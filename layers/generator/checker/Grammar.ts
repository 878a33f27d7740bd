// layers/generator/checker/Grammar.ts: grammar errors that can be detected with certainty.
import { nlp } from "#layers/text/Nlp.ts"
import {
  type EmailText,
  findingAt,
  findingInSentence,
  quoteShort,
  type Sentence
} from "#layers/generator/checker/EmailText.ts"
import { cacheByText } from "#layers/lib/CacheByText.ts"
import { wordSet } from "#layers/text/Words.ts"
import type { Finding } from "#schema/Findings.ts"

// "had had" and "that that" are correct; so is a name such as "Duran Duran".
const doubledWord =
  /(?<![\p{L}'-])(?<word>the|a|an|of|to|in|is|and|for|with|at|on|by|are|we|you|your|our|it|be|or|from|as|if|was|were|has|have|this|will|would|not|but)\s+\k<word>(?![\p{L}'-])/giu

/** Misspellings in profiles, with the right spelling. None of them is another word that an email would use. */
const misspellings: ReadonlyMap<string, string> = new Map(
  Object.entries({
    dont: "don't",
    doesnt: "doesn't",
    didnt: "didn't",
    cant: "can't",
    couldnt: "couldn't",
    wouldnt: "wouldn't",
    shouldnt: "shouldn't",
    isnt: "isn't",
    arent: "aren't",
    wasnt: "wasn't",
    werent: "weren't",
    hasnt: "hasn't",
    havent: "haven't",
    youre: "you're",
    theyre: "they're",
    youve: "you've",
    theyve: "they've",
    thats: "that's",
    themself: "themselves",
    "see's": "sees",
    alot: "a lot",
    recieve: "receive",
    seperate: "separate",
    seperately: "separately",
    definately: "definitely",
    occured: "occurred",
    untill: "until",
    becuase: "because",
    accomodate: "accommodate"
  })
)
const misspellingPattern = new RegExp(`(?<![\\p{L}'-])(?:${[...misspellings.keys()].join("|")})(?![\\p{L}'-])`, "giu")
/** An apostrophe in a plural: "photo's of every panel". */
const apostrophePlural =
  /(?<![\p{L}'-])(?:photo|video|logo|demo|menu|pub|quote|invoice|price|report)'s(?= (?:of|are|were)\b)/giu

const spellingFinding = (match: RegExpExecArray, correction: string): Finding =>
  findingAt(
    "body",
    "grammar.spelling",
    "warn",
    { start: match.index, end: match.index + match[0].length },
    `${quoteShort(match[0])} is misspelled. Write ${quoteShort(correction)}; if the profile has it too, correct it there.`,
    correction
  )

const spellingFindings = (sentence: string): ReadonlyArray<Finding> => [
  ...[...sentence.matchAll(misspellingPattern)].map((match) => {
    const correction = misspellings.get(match[0].toLowerCase()) ?? match[0]
    const isCapital = /^\p{Lu}/u.test(match[0])
    return spellingFinding(match, isCapital ? correction[0]?.toUpperCase() + correction.slice(1) : correction)
  }),
  ...[...sentence.matchAll(apostrophePlural)].map((match) => spellingFinding(match, match[0].replace("'s", "s")))
]

/** Words that start with a vowel sound: "hour", "SLA", but not "user". */
const vowelSound =
  /^(?:[aeio]|u(?!n(?:i(?!n|m)|a\b)|s[aeiu]|t[ei]l|k\b|r[aio]|bi))|^(?:hour|honest|honou?r|heir|mri|sla|seo|sku|xml|html|hr|mba|nda|fda|rfp|rfq|lms|smb|fmcg|sdk|sms|f1)(?![a-gi-z])/i
/** Words that start with a consonant sound though they start with a vowel: "one", "European". */
const consonantSound = /^(?:eu|ew|one\b|once|ouija|u\.?s|uk\b|uni|use|usu|uti|url|ubi)/i
const spelledAbbreviation = /^\p{Lu}{2,}/u

/** "a hour", "an user": only words whose first sound is certain. */
const articleFindings = (sentence: string): ReadonlyArray<Finding> =>
  [...sentence.matchAll(/(?<![\p{L}\p{N}'.-])(?<article>an?)\s+(?<next>[\p{L}][\p{L}'-]*)/giu)].flatMap((match) => {
    const { article = "", next = "" } = match.groups ?? {}
    // The grade "A" and initials are no articles; the pronunciation of an acronym is uncertain.
    if ((article === "A" && match.index > 0) || spelledAbbreviation.test(next)) return []
    const startsWithVowel = vowelSound.test(next) && !consonantSound.test(next)
    const isWrong =
      article.toLowerCase() === "a"
        ? startsWithVowel
        : !startsWithVowel && /^[bcdfgjklmnpqrstvwxyz]|^(?:eu|one\b|uni[^nm]|use|usu)/i.test(next)
    if (!isWrong) return []
    const correctArticle = article.toLowerCase() === "a" ? `${article}n` : article.slice(0, 1)
    return [
      findingAt(
        "body",
        "grammar.article",
        "fail",
        { start: match.index, end: match.index + article.length },
        `${quoteShort(match[0])} has the wrong article. Write "${correctArticle} ${next}".`,
        correctArticle
      )
    ]
  })

/** Patterns of sentences that are broken in any context, for example two finite verbs in a row or an article without a noun. */
const brokenPatterns: ReadonlyArray<{ readonly expression: RegExp; readonly fix: string }> = [
  {
    expression:
      /(?<!\b(?:it|this|that|there|what) )\b(?:is|are|was|were) (?:has|have|had|does|do|is|are|was|were)\b(?! (?:been|not|what|the|a)\b)/gi,
    fix: "Two verbs stand next to each other. Keep one."
  },
  { expression: /\b(?:has|have|had) (?:is|are|was|were)\b/gi, fix: "Two verbs stand next to each other. Keep one." },
  {
    expression: /\b(?:to|will|would|can|could|should|must) (?:is|are|was|were|has|had)\b/gi,
    fix: "The verb has the wrong form."
  },
  {
    expression:
      /\ban? (?:live|same|only|flat|month to month|open|free|fast|quick) (?:in|on|at|to|across|from|within|for|since)\b/gi,
    fix: "A noun is missing after the article."
  },
  { expression: /\ban? month to month\b(?! [\p{L}]+)/giu, fix: "A noun is missing after the article." },
  {
    expression: /\b(?:a same|an only (?!child))\b/gi,
    fix: 'The article does not fit. Write "the same" or "the only".'
  },
  {
    expression:
      /\b(?:we've|we have|we're|been) (?:been )?(?:an?|\d[\d,.]*) [^.?!]{0,40}?(?:-owned|-run|-led|-based|-certified|supported|owned|dental|medical|only|ed) since \d{4}\b/gi,
    fix: 'A noun is missing before "since".'
  },
  {
    expression:
      /\byou (?:return rates|invoice queues|support tickets|seal leaks) [^.?!]{0,40}\b(?:eat|cost|take|stop|leak)\b/gi,
    fix: "The sentence has two verbs. Rewrite it."
  },
  {
    expression:
      /\b(?:I|we|they) (?:has|does|is|was(?! the| a))\b|(?<!\b(?:do|does|did|could|can|would|will|should|may|might|must|make|makes|made|let|lets|help|helps|has|have|had|is|are|was|were|if|were|as|and|or|than|wish|see|watch|like|when|what|how|where) )\b(?:he|she|it) (?:have|are|were|do)\b(?! (?:to|not))/gi,
    fix: "Subject and verb do not agree."
  },
  {
    // An article before a word that cannot follow one shows that a fragment was inserted in place of a noun.
    expression:
      /(?<![\p{L}\p{N}'.-])(?:a|an|An) (?:we|you|they|he|she|our|your|their|my|his|this|these|those|that|the|is|are|was|were|has|have|had|does|and|or|but|from|with)\b(?!['-])/gu,
    fix: "An article stands before a word that cannot follow it. Rewrite the sentence."
  },
  {
    expression:
      /\b(?:a|an) (?:two|three|four|five|six|seven|eight|nine|ten|[2-9]|\d{2,}) (?:[\p{Ll}-]+ )?(?!(?:days|weeks|months|years|hours|minutes|business|sales|series|plus|times)\b)[\p{Ll}]{3,}(?<!s)s\b(?! \p{Ll}+(?:\s|[.,?!]|$)(?<!\b(?:on|in|at|for|of|with|and|per|to|from|who|that|is|are)[\s.,?!]))/gu,
    fix: "An article stands before a number and a plural. Remove the article."
  },
  {
    expression:
      /\b(?:get|gets|offer|offers|have|has|with|give|gives|is|be|to|us|provide|provides|want|need) an? no (?!brainer|go\b|show|obligation|nonsense|strings|fuss|frills|risk|cost\b|deal|win\b|code|deposit|contract|commitment|claims|fault|blame|quibble|limit|pressure)\p{Ll}+/giu,
    fix: 'An article stands before "no". Keep one of them.'
  },
  {
    // "We're a hire out cranes": a verb with its object in place of a noun.
    expression:
      /\b(?:we're|we are|i'm|i am|it's|they're) an? (?:help|make|give|provide|offer|translate|install|clean|repair|recruit|hire|rent|sell|build|deliver|cook|calibrate|collect|run|keep|take|write|train|teach|manage|handle|bring|ship|supply|print|test|check|design|develop) (?:out|up|your|the|our|you|it|them|for|from|to|(?:\p{Ll}+ )?(?!\p{Ll}+ness|business|process|address|access|glass)\p{Ll}{3,}(?<![su])s\b(?! (?:company|firm|agency|team|business|service|provider|lab|laboratory|software|platform|tool|app|shop|office|studio|group|school|broker)))\b/giu,
    fix: "An article stands before a verb. Remove it, or write a noun."
  },
  {
    expression:
      /\b(?:are you|is your \p{L}+)(?: also| already| still)? (?:an?|the) \p{Ll}+ (?:asks?|comes?|needs?|goes|gets?|takes?|makes?|wants?|has|is|are|was|leaves?|loses?|finds?|turns?|calls?|fails?|falls?|rises?|drops?|eats?|waits?|hangs?|lives?|borrows?|costs?|stops?|breaks?|leaks?|misses|changes?|complains?|rewrites?|accepts?|doubles?)\b/giu,
    fix: "A sentence stands where a noun belongs. Rewrite the question."
  },
  {
    // "Crowns that come back needs is": a sentence as the subject of another.
    expression:
      /(?<=^|[,;] (?:and|but|so) )(?<![,;:] [^.?!]*)(?!.*\b(?:that|what|why|which|who|whom|whose|how|if|when|where|whether|because|while|once|until|all|everything|nothing|way|day|time|reason|moment|people|one)\b[^.?!]* (?:is|are) )(?!(?:you|we|i|they|he|she|it|there|this|here|that)\b)(?:[\p{L}'-]+ ){1,5}(?:are|is|was|were|can't|cannot|don't|doesn't) [^,.;:?!]{2,60}? is (?:an?|another|one|the|why|what)\b/giu,
    fix: "A whole sentence stands where a noun belongs. Rewrite it."
  },
  { expression: /\b(?:could|would|should|must) of\b/gi, fix: 'Write "have" instead of "of".' },
  { expression: /\b[\p{L}']+ ,[\p{L}]|,,|\.\.(?!\.)(?<!\.\.\.)|\?\.|\.\?/giu, fix: "The punctuation is broken." }
]

/** Plurals that are recognised without the tagger, which may read some of them as verbs. */
const pluralNouns = wordSet(
  "exchanges refunds returns results savings leads calls reviews reports days weeks months hours people emails clients customers patients orders"
)

const singularEnding =
  /(?:ss|us|is|ics)$|^(?:lens|gas|series|means|news|species|headquarters|crossroads|chaos|bias|atlas|canvas|alias|yes|plus|times|works|sales|bonus|overseas|always|barracks|perhaps|kudos|mess|sans|has|was|does|goods|savings|gives|gets|needs|makes|takes)$/i

/** Whether the tagger reads a word only as a plural. */
const isPlural = (noun: string): boolean => {
  const tags = nlp(`the ${noun} are here`).terms().json()[1]?.terms?.[0]?.tags
  return Array.isArray(tags) && tags.includes("Plural")
}

/** "an exchanges across the catalogue". */
const pluralAfterArticleFindings = (sentence: string): ReadonlyArray<Finding> =>
  [...sentence.matchAll(/\ban? (?<noun>[\p{Ll}]+s)\b(?!['-])(?<next>\s+[\p{Ll}]+)?/giu)].flatMap((match) => {
    const { next = "", noun = "" } = match.groups ?? {}
    // "a returns app" is a compound.
    const nextWord = next.trim()
    if (
      !(
        pluralNouns.has(noun.toLowerCase()) &&
        (nextWord === "" || /^(?:across|in|on|at|for|from|with|to|and|of|per|is|are|a|the|than|by)$/.test(nextWord))
      ) &&
      !(
        (nextWord === "" ||
          /^(?:from|in|on|at|for|with|across|per|take|are|have|come|need|don't|can't)$/.test(nextWord)) &&
        !singularEnding.test(noun) &&
        isPlural(noun)
      )
    )
      return []
    return [
      findingAt(
        "body",
        "grammar.broken",
        "fail",
        { start: match.index, end: match.index + match[0].trimEnd().length },
        `${quoteShort(match[0])} puts a plural after an article. Rewrite it.`
      )
    ]
  })

/** Words that end like a verb in the third person but are not verbs. */
const nonVerbs = wordSet(
  "always sometimes perhaps thus as us was is has does this its yes towards afterwards besides nowadays overseas upwards whereas"
)

/** "We offers", "they needs": a pronoun and a verb that do not agree, if the tagger is certain of the verb. */
const agreementFindings = (sentence: string): ReadonlyArray<Finding> =>
  [
    ...sentence.matchAll(
      /(?<!\b(?:of|to|for|with|from|by|about|between|among|than|and|or) )(?<![\p{L}'-])(?:[Ww]e|[Tt]hey|[Yy]ou|I) (?<verb>\p{Ll}{2,}[^sui\P{Ll}]s|\p{Ll}+ies|\p{Ll}+(?:ss|sh|ch|x|z)es)\b(?!['-])/gu
    )
  ].flatMap((match) => {
    const verb = match.groups?.verb ?? ""
    if (nonVerbs.has(verb)) return []
    const tags = nlp(`she ${verb} it`).terms().json()[1]?.terms?.[0]?.tags
    if (!Array.isArray(tags) || !tags.includes("Verb")) return []
    const start = match.index
    return [
      findingAt(
        "body",
        "grammar.broken",
        "fail",
        { start, end: start + match[0].length },
        `${quoteShort(match[0])}: Subject and verb do not agree.`
      )
    ]
  })

/** "a support people": an article and a plural without "s". */
const articleBeforePeopleFindings = (sentence: string): ReadonlyArray<Finding> =>
  [
    ...sentence.matchAll(
      /(?<![\p{L}\p{N}'.-])an? (?!(?:few|million|hundred|thousand|dozen|couple|good|great|lot|billion|number|team|group|handful|bunch|majority)\b)(?:\p{Ll}[\p{Ll}-]* )?(?:people|children|men|women|specialists|technicians|engineers|nurses|employees|customers|clients)\b(?= (?:who|that|in|of|with|for|from|and|on|at)\b|[.,;?!]|$)/giu
    )
  ].map((match) => {
    const start = match.index
    return findingAt(
      "body",
      "grammar.broken",
      "fail",
      { start, end: start + match[0].length },
      `${quoteShort(match[0])} puts a plural after an article. Rewrite it.`
    )
  })

/** "You get a live in 6 days": an article, no noun, and a preposition, if the tagger is certain of each. */
const missingNounFindings = (sentence: string): ReadonlyArray<Finding> => {
  const match =
    /\b(?:get|gets|is|have|has|offer|want|been) (?<part>an? (?<word>[\p{Ll}-]+) (?:in|on|at|across|since|within)\b)/iu.exec(
      sentence
    )
  const { part, word } = match?.groups ?? {}
  if (
    match === null ||
    part === undefined ||
    word === undefined ||
    /^(?:few|little|bit|lot|must|first|second|third|quarter|half|regular|live)$/.test(word)
  )
    return []
  const tags = nlp(word).terms().json()[0]?.terms?.[0]?.tags
  if (!Array.isArray(tags) || tags.includes("Noun") || !tags.includes("Adjective")) return []
  const start = match.index + match[0].length - part.length
  return [
    findingAt(
      "body",
      "grammar.broken",
      "warn",
      { start, end: start + part.length },
      `${quoteShort(part)} lacks a noun. Rewrite the sentence.`
    )
  ]
}

const lowerStartFindings = (sentence: Sentence): ReadonlyArray<Finding> =>
  /^\p{Ll}[\p{Ll}']*\s/u.test(sentence.normalizedText) && !/^(?:e[A-Z]|i[A-Z])/.test(sentence.normalizedText)
    ? [
        findingAt(
          "body",
          "grammar.capital",
          "hint",
          { start: sentence.start, end: sentence.start + 1 },
          "The sentence starts with a small letter."
        )
      ]
    : []

const sentenceFindings = cacheByText((sentence): ReadonlyArray<Finding> => [
  ...[...sentence.matchAll(doubledWord)].map((match) =>
    findingAt(
      "body",
      "grammar.doubled",
      "fail",
      { start: match.index, end: match.index + match[0].length },
      `${quoteShort(match[0])} says a word twice. Remove one.`,
      match.groups?.word ?? null
    )
  ),
  ...spellingFindings(sentence),
  ...articleFindings(sentence),
  ...brokenPatterns.flatMap(({ expression, fix }) =>
    [...sentence.matchAll(expression)].map((match) =>
      findingAt(
        "body",
        "grammar.broken",
        "fail",
        { start: match.index, end: match.index + match[0].length },
        `${quoteShort(match[0])}: ${fix}`
      )
    )
  ),
  ...pluralAfterArticleFindings(sentence),
  ...agreementFindings(sentence),
  ...articleBeforePeopleFindings(sentence),
  ...missingNounFindings(sentence)
])

export const grammarFindings = (email: EmailText): ReadonlyArray<Finding> =>
  email.sentences.flatMap((sentence, index) => [
    ...sentenceFindings(sentence.normalizedText).map((finding) => findingInSentence(sentence, finding)),
    ...(index === 0 ? lowerStartFindings(sentence) : [])
  ])
