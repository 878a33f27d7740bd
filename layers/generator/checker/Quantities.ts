// layers/generator/checker/Quantities.ts: the numbers in a sentence with what they count, for comparison with a source.
import { memoize } from "effect/Function"
import { cacheByText } from "#layers/lib/CacheByText.ts"
import { stemWord } from "#layers/text/Stem.ts"
import { isStopWord, wordSet } from "#layers/text/Words.ts"

export interface Quantity {
  readonly start: number
  readonly end: number
  readonly value: number
  /** "%", a currency, a unit of time or size; null for a count. */
  readonly measure: string | null
  /** Stems of the things counted, or of the whole that a share is taken from. */
  readonly nouns: ReadonlyArray<string>
  /** Whether `nouns` is the whole of a share: "41% of returns". */
  readonly isPartOfWhole: boolean
  /** The period in "420 a month". */
  readonly per: string | null
  /** "over 200", "nearly 240"; null when it is exact. */
  readonly comparator: "above" | "below" | "near" | null
  /** Whether a word such as "more" or "fewer" precedes what is counted. */
  readonly isChange: boolean
}

const numberWords: Readonly<Record<string, number>> = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  thirteen: 13,
  fourteen: 14,
  fifteen: 15,
  sixteen: 16,
  seventeen: 17,
  eighteen: 18,
  nineteen: 19,
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  seventy: 70,
  eighty: 80,
  ninety: 90,
  hundred: 100,
  third: 0.33,
  half: 0.5
}
const factors: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  m: 1e6,
  mn: 1e6,
  million: 1e6,
  bn: 1e9,
  billion: 1e9
}
const currencies: Readonly<Record<string, string>> = {
  $: "USD",
  "€": "EUR",
  "£": "GBP",
  dollars: "USD",
  euros: "EUR",
  pounds: "GBP"
}
const unitNames: Readonly<Record<string, string>> = Object.fromEntries(
  (
    "second:second seconds:second minute:minute minutes:minute min:minute mins:minute sec:second secs:second hour:hour hours:hour hr:hour hrs:hour day:day days:day " +
    "week:week weeks:week wk:week wks:week month:month months:month mo:month mos:month mth:month mths:month quarter:quarter quarters:quarter year:year years:year yr:year yrs:year percent:% " +
    "kg:kg km:km miles:mile mile:mile tons:ton tonnes:ton litres:litre liters:litre x:x times:x stars:star star:star"
  )
    .split(" ")
    .map((pair) => pair.split(":"))
)

const quantityPattern =
  /(?<![\w.,])(?:(?<sign>[$€£]|(?:USD|EUR|GBP|CHF|PLN|AUD|CAD|SEK|NOK|DKK)(?=\s?\d))\s?)?(?<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?<factor>\s?(?:k|m|mn|bn)(?![\w/])|\s(?:thousand|million|billion)\b)?(?<mark>\s?%|x(?!\w))?|\b(?<word>one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|half|(?<=\b(?:a|one|two) )thirds?(?= (?:less|more|fewer|cheaper|faster|lower|higher|of)\b))\b/gi

/** Words that end the noun phrase after a number. */
const phraseEnds = wordSet(
  "of in to from by for with at on per a an the and or that who which into within after before than is are was were will would " +
    "can could have has had do does did did not we you they it he she i our your their its as but if when while so then up down out " +
    "use uses used keep keeps kept book booked booking buy buys get gets got see sees make makes made turn turned become became"
)
const changeWords = wordSet("more fewer less extra additional new")
/** Words before a number that make it approximate: "over", "up to", "about". */
const comparatorPattern =
  /(?:\b(over|above|more than|at least|upwards of)|\b(under|below|less than|fewer than|up to|at most)|\b(about|around|nearly|almost|some|roughly|close to|approximately))\s+$/i

const quantityTokens = (text: string): ReadonlyArray<string> =>
  text.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'&-]*|[^\s\p{L}\p{N}]/gu) ?? []

/** The words after a number: its unit, what it counts, and the period. */
const parseUnit = (text: string, isShare: boolean) => {
  const tokens = quantityTokens(text.slice(0, 90))
  let position = 0
  let measure: string | null = null
  if (tokens[position] === "-") position++
  const unit = unitNames[(tokens[position] ?? "").toLowerCase()]
  if (unit !== undefined) {
    measure = unit
    position++
  }
  const isChange = changeWords.has((tokens[position] ?? "").toLowerCase())
  if (isChange) position++
  const nouns: Array<string> = []
  let isPartOfWhole = false
  if ((isShare || unit === "%") && /^of$/i.test(tokens[position] ?? "")) {
    position++
    isPartOfWhole = true
    while (/^(?:the|their|its|your|our|all|these|those)$/i.test(tokens[position] ?? "")) position++
  }
  for (; position < tokens.length && nouns.length < 3; position++) {
    const word = (tokens[position] ?? "").toLowerCase()
    if (!/^\p{L}/u.test(word) || phraseEnds.has(word)) break
    if (!isStopWord(word)) nouns.push(stemWord(word))
  }
  const period =
    /^(?:[^.?!;,]{0,40}?)(?:\b(?:a|an|per|each|every)\s|\/\s?)(day|week|wk|month|mo|mth|quarter|year|yr)\b/i.exec(
      text
    )?.[1]
  return {
    measure,
    isChange,
    nouns,
    isPartOfWhole,
    per: period === undefined ? null : (unitNames[period.toLowerCase()] ?? null)
  }
}

/** Words before a number that make it a name: "page 4", "Windows 11". */
const namingPattern =
  /\b(?:question|page|step|unit|section|clause|article|form|part|room|line|level|number|no\.|chapter|option|phase|version|route|gate|bay|dock|windows|office|microsoft|dynamics)\s$/i

/** Whether a number states nothing in its context: a time of day, the length of a call, a list of ideas. */
const isExempt = (textBefore: string, numberText: string, textAfter: string, isSource: boolean): boolean => {
  const isWord = /^[a-z]/i.test(numberText)
  // A time of day.
  if (/^(?::\d\d|\s?(?:am|pm|a\.m|p\.m|o'clock)\b)/i.test(textAfter)) return true
  if (
    /\b(?:by|at|after|before|until|till|past|from)\s$/i.test(textBefore) &&
    /^(?:[.,?!]|$|\s(?:whether|if|when|and|or|because|so|on|in the|each|every|most|tomorrow|today|sharp)\b)/i.test(
      textAfter
    ) &&
    Number(numberWords[numberText.toLowerCase()] ?? numberText) <= 24
  )
    return true
  if (
    /^(?:\s|-)?(?:quick\s)?(?:min|mins|minute|minutes)\b/i.test(textAfter) &&
    /\b(?:spare|call|chat|talk|free|grab|give me|take|have|for|conversation|question)\b/i.test(textBefore + textAfter)
  )
    return true
  if (/^-minute/i.test(textAfter) || /^\/7\b/.test(textAfter) || textBefore.endsWith("/")) return true
  if (
    /\b(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\s$/i.test(textBefore) ||
    /^(?:st|nd|rd|th)\b/i.test(textAfter)
  )
    return true
  const nextWord = /^[\s-]*([\p{L}'-]+)/u.exec(textAfter)?.[1]?.toLowerCase() ?? ""
  if (
    /^(?:ideas?|questions?|things?|reasons?|lines?|options?|sentences?|notes?|words?|thoughts?|ways?|emails?|slots?|times?|points?|lessons?|examples?|pages?|sides?|more|last|other|quick|short)$/.test(
      nextWord
    ) &&
    !isSource &&
    (isWord || Number(numberText) < 10)
  )
    return true
  if (/^(?:one)$/i.test(numberText)) {
    return (
      !isSource &&
      !(
        /^\s(?:in|out of|of every)\s(?:\d|two|three|four|five|six|seven|eight|nine|ten|twenty)/i.test(textAfter) ||
        /^\s\p{L}+\s(?:in|out of)\s(?:\d|two|three|four|five|six|seven|eight|nine|ten|twenty)/iu.test(textAfter) ||
        (/\b(?:within|in|after|under)\s$/i.test(textBefore) && /^(?:week|month|quarter|year|hour)$/.test(nextWord)) ||
        (/\bper\b/.test(textAfter.slice(0, 40)) && /^\s\p{Ll}+\sper\b/u.test(textAfter))
      )
    )
  }
  // "With half the gauges away" tells a story; "half the price" and "half of all crowns" state a quantity.
  if (/^half$/i.test(numberText))
    return !(
      /^\s(?:of|all|our)\b/i.test(textAfter) ||
      /^\s(?:(?:the|your|their|its)\s)?(?:price|cost|costs|time|fee|rate|money|staff|effort|work)\b/i.test(textAfter) ||
      (/^\s(?:the|your|their|its)\b/i.test(textAfter) &&
        /\b(?:we|our|us|clients?|customers?|cuts?|sav\w+|reduc\w+)\b/i.test(textBefore))
    )
  // "Question 14" and "unit 9" are names.
  if (!isWord && namingPattern.test(textBefore)) return true
  if (/^(?:hundred)$/i.test(numberText)) return /^\s?%?\s?percent/.test(textAfter)
  return false
}

/** A range gives its unit to both numbers: "from 52 to 71%". */
const inheritUnits = (quantities: Array<Quantity>, text: string): ReadonlyArray<Quantity> =>
  quantities.map((quantity, index) => {
    const next = quantities[index + 1]
    const previous = quantities[index - 1]
    // "from 17 days to 5" means five days.
    if (
      previous !== undefined &&
      previous.measure !== null &&
      quantity.measure === null &&
      quantity.nouns.length === 0 &&
      /^-?\s?(?:\p{L}+\s){0,2}?to\s$/u.test(text.slice(previous.end, quantity.start))
    )
      return { ...quantity, measure: previous.measure }
    if (
      next === undefined ||
      !/^\s?(?:to|and|-|or|through)\s?(?:[$€£]|[A-Z]{3}\s?)?$/.test(text.slice(quantity.end, next.start))
    )
      return quantity
    return {
      ...quantity,
      measure: quantity.measure ?? next.measure,
      nouns: quantity.nouns.length > 0 ? quantity.nouns : next.nouns,
      per: quantity.per ?? next.per
    }
  })

/** A number out of a hundred is a percentage: "9 remakes in every 100" is 9%. */
const outOfHundred = /^\s(?:\p{L}+\s){0,2}?(?:in|out of|of)\s(?:every\s)?100(?![\d.,]*\d)(?:\s(?<noun>\p{L}+))?/u
const firstPeriod = /\b(?:first|a single) (week|month|quarter|year)\b/gi

/** A first period is also one period: "in the first quarter" supports "in one quarter". */
const firstPeriods = (text: string): ReadonlyArray<Quantity> =>
  [...text.matchAll(firstPeriod)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    value: 1,
    measure: match[1]?.toLowerCase() ?? null,
    nouns: [],
    isPartOfWhole: false,
    per: null,
    comparator: null,
    isChange: false
  }))

const findQuantities = (text: string, isSource: boolean): ReadonlyArray<Quantity> => {
  if (
    !/\d|\b(?:first|single|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|[a-z]+teen|[a-z]+ty|hundred|thirds?|half)\b/i.test(
      text
    )
  )
    return []
  const quantities: Array<Quantity> = []
  let skipEnd = 0
  for (const match of text.matchAll(quantityPattern)) {
    const { digits, factor, mark, sign, word } = match.groups ?? {}
    const end = match.index + match[0].length
    const [textBefore, textAfter] = [text.slice(0, match.index), text.slice(end)]
    if (match.index < skipEnd) continue
    // "Tray2" and "3rd" are no quantities; "316L" is a name.
    if (/^\p{Lu}|^_/u.test(textAfter)) continue
    const currency = sign === undefined ? undefined : (currencies[sign] ?? sign.toUpperCase())
    if (currency === undefined && mark === undefined && isExempt(textBefore, match[0], textAfter, isSource)) continue
    const number =
      word === undefined
        ? Number((digits ?? "").replaceAll(",", ""))
        : (numberWords[word.toLowerCase().replace(/s$/, "")] ?? 0)
    const scale = factors[(factor ?? "").trim().toLowerCase()] ?? 1
    const perHundred = outOfHundred.exec(textAfter)
    if (perHundred !== null) skipEnd = end + perHundred[0].length
    const isPercent = mark?.includes("%") === true || perHundred !== null
    const { isChange, isPartOfWhole, measure, nouns, per } = parseUnit(textAfter, isPercent || /half/i.test(word ?? ""))
    const currencyWord = /^\s?(dollars|euros|pounds)\b/i.exec(textAfter)?.[1]
    const comparatorMatch = comparatorPattern.exec(textBefore)
    quantities.push({
      start: match.index,
      end,
      value: number * scale,
      measure: isPercent
        ? "%"
        : mark === "x"
          ? "x"
          : (currency ?? (currencyWord === undefined ? measure : (currencies[currencyWord.toLowerCase()] ?? measure))),
      nouns:
        perHundred?.groups?.noun === undefined ? nouns : [...nouns, stemWord(perHundred.groups.noun.toLowerCase())],
      isPartOfWhole,
      per,
      comparator:
        comparatorMatch === null
          ? null
          : comparatorMatch[1] !== undefined
            ? "above"
            : comparatorMatch[2] !== undefined
              ? "below"
              : "near",
      isChange
    })
  }
  return [...inheritUnits(quantities, text), ...(isSource ? firstPeriods(text) : [])]
}

const statedQuantities = cacheByText((text) => findQuantities(text, false))
const sourceQuantities = cacheByText((text) => findQuantities(text, true))

/** The numbers in a plain sentence that state a quantity; with `isSource`, also those that rarely do. */
export const quantitiesIn = (text: string, isSource = false): ReadonlyArray<Quantity> =>
  isSource ? sourceQuantities(text) : statedQuantities(text)

const synonymGroups: ReadonlyArray<ReadonlySet<string>> = [
  "customer client brand company firm business shop store merchant practice office clinic team organisation organization account user retailer school buyer",
  "ticket request case query complaint email contact enquiry inquiry",
  "crew team staff people person employee",
  "site location building branch office facility",
  "consult consultation appointment booking visit",
  "stop stoppage outage breakdown downtime",
  "worker employee staff people person",
  "order shipment delivery parcel",
  "free charge cost fee",
  "ahead before advance prior",
  "cut reduce lower drop fall less shrink decrease",
  "raise increase grow lift climb improve",
  "send bring return deliver",
  "begin start",
  "buy purchase",
  "second sec",
  "minute min",
  "hour hr",
  "week wk",
  "month mo mth",
  "year yr"
].map((line) => new Set(line.split(" ").map(stemWord)))

/** The stems of the groups that a stem is in, itself included; most stems are in none. */
const synonymsOf: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  synonymGroups.flatMap((group) =>
    [...group].map((stem): [string, ReadonlySet<string>] => [
      stem,
      new Set(synonymGroups.filter((each) => each.has(stem)).flatMap((each) => [...each]))
    ])
  )
)

/** The stems of a text, with all that name the same kinds of things. */
const withSynonyms = memoize(
  (stems: ReadonlySet<string>): ReadonlySet<string> =>
    new Set([...stems].flatMap((stem) => [stem, ...(synonymsOf.get(stem) ?? [])]))
)

/** Whether a text with these stems has the stem, or one that names the same kind of thing. */
export const hasSynonym = (stems: ReadonlySet<string>, stem: string): boolean => withSynonyms(stems).has(stem)

/** The number of stems of a statement that a source has too. */
export const sharedStemCount = (statementStems: ReadonlySet<string>, sourceStems: ReadonlySet<string>): number => {
  const sourceSynonyms = withSynonyms(sourceStems)
  let count = 0
  for (const stem of statementStems) if (sourceSynonyms.has(stem)) count++
  return count
}

/** Verbs in a source that support a claim with "less" or "more": "reduced by 3 tonnes" supports "3 tonnes less". */
const changeVerbs = "cut reduce lower drop fall save raise increase grow add".split(" ").map(stemWord)

const hasAnySynonym = (stems: ReadonlyArray<string>, otherStems: ReadonlySet<string>): boolean =>
  stems.some((each) => hasSynonym(otherStems, each))

/** "Over 200" is said of numbers up to this multiple of it; of a larger one, a writer would give a larger number. */
const maxAboveRatio = 1.3
/** "About 200" is said of numbers that differ by at most this share; a larger difference would mislead. */
const maxRoundingShare = 0.06

const isNearQuantity = (claimed: Quantity, sourceQuantity: Quantity): boolean => {
  const { value } = claimed
  if (value === sourceQuantity.value) return true
  if (claimed.comparator === "above")
    return sourceQuantity.value > value && sourceQuantity.value <= value * maxAboveRatio
  if (claimed.comparator === "near") return Math.abs(sourceQuantity.value - value) <= value * maxRoundingShare
  return false
}

/** Whether a source's number equals the claimed one: value, unit, what it counts and the period. */
export const isSameQuantity = (
  claimed: Quantity,
  sourceQuantity: Quantity,
  claimStems: ReadonlySet<string>,
  sourceStems: ReadonlySet<string>
): boolean => {
  if (!isNearQuantity(claimed, sourceQuantity)) return false
  if (claimed.measure !== sourceQuantity.measure && claimed.measure !== null) return false
  if (claimed.measure === null && sourceQuantity.measure !== null && claimed.nouns.length > 0) return false
  if (claimed.per !== null && sourceQuantity.per !== claimed.per && !sourceStems.has(stemWord(claimed.per)))
    return false
  if (claimed.per !== null && sourceQuantity.per !== null && sourceQuantity.per !== claimed.per) return false
  if (claimed.isChange && !sourceQuantity.isChange && !changeVerbs.some((stem) => sourceStems.has(stem))) return false
  if (claimed.measure === "%" && sourceQuantity.isPartOfWhole && !hasAnySynonym(sourceQuantity.nouns, claimStems))
    return false
  if (claimed.nouns.length === 0) return true
  if (claimed.measure === null && sourceQuantity.nouns.length > 0)
    return hasAnySynonym(claimed.nouns, new Set(sourceQuantity.nouns))
  return claimed.measure !== null && claimed.measure !== "%" ? true : hasAnySynonym(claimed.nouns, sourceStems)
}
