// layers/research/extract/Prices.ts: what is sold, and for how much: rows of price tables, lines of price lists.
import { type Block, isOfOthers } from "#layers/research/extract/Blocks.ts"
import { labelled } from "#layers/research/extract/Labels.ts"
import { isComplete } from "#layers/research/extract/Lines.ts"
import { type Topic, topicOf } from "#layers/research/extract/Topics.ts"

interface Offer {
  readonly product: string
  readonly pricing: string
}

const currency =
  "(?:EUR|USD|GBP|CHF|PLN|SEK|NOK|DKK|CZK|HUF|CAD|AUD|NZD|JPY|INR|SGD|ZAR|US\\$|C\\$|A\\$|euros?|€|\\$|£|¥|₹|zł|kr|Kč)"
const amount =
  "\\d{1,3}(?:[ ,.'’]\\d{3})*(?:[.,]\\d{1,2})?(?:,-)?(?:\\s?(?:k|thousand)\\b)?|\\d+(?:[.,]\\d{1,2})?(?:,-)?"
const money = `(?:${currency}\\s?(?:${amount})|(?<![\\p{L}\\d.,])(?:${amount})\\s?(?:${currency})(?![\\p{L}]| ?\\d))`
const lead =
  "(?:(?:prices? )?(?:from|starting (?:at|from)|up to|about|approx\\.?|between|ab|ca\\.|od|dès|à partir de|vanaf|desde)\\s+)?"
/** What follows an amount in its line: another amount, a unit, a tax; never a sentence. */
const rest = `(?:\\s?(?:-|–|to|and|bis|à)\\s?(?:${money}|${amount}))?(?:(?:(?:, (?=from|ab|dès|min|plus|excl|incl|ex|zzgl|hors))? ?\\(?[+/]? ?|\\s)(?:(?:\\p{L}\\.)+|[\\p{L}\\d²³%/+-]+)){0,7}?\\)?`
const request = "price on request|on request|auf anfrage|sur demande|sur devis|on quotation|quote on request"
const price = `(?:${lead}${money}${rest}|${request})`
const isPrice = new RegExp(`^${price}$`, "iu")
const anyMoney = new RegExp(money, "iu")
/** "€4,350 €3,890": one of them is struck out, and the text does not show which. */
const twice = new RegExp(`${money}\\s*[/|→>]?\\s+${money}`, "iu")
export const hasMoney = (text: string) => anyMoney.test(text)

/** "Name: price", "Name, with words, price", "Name ..... price", "Name (price)", and the separator between the two. */
const separated = new RegExp(`^([^@]{2,120}?)(\\s[–—-]\\s|\\s?[:(;.,|]\\s?|\\s?\\.{2,}\\s?|\\s?…\\s?)(${price})$`, "iu")
const beside = new RegExp(`^([^@:.;|]{2,70}?)\\s(${price})$`, "iu")

/** A line of a bill or of its terms, a step of a scale or a surcharge, in the languages of the labels. */
const notProduct =
  /^(?:(?:sub)?totals?|grund(?:gebühr|preis)|base (?:fee|rate)|summe|gesamt|montant|somme)\b|\b(?:vat|tax|tva|mwst|discount|surcharge|deposit|fees?|lost|damaged|missing|out of hours|total)\b\.?(?: \d+ ?%)?$|^(?:travel|cancellation|fuel|shipping|delivery|postage|minimum|monthly minimum|late|bank|savings?|payments?|disbursements|quote|offer|prices?|preise?|prix|port$|lieferung|zustellung|(?:starting|starts|only|nur|seulement)$|per|from|ab|dès|up to|over|under|further|each|next|first|free|anfahrt|versand|livraison|frais|transport|vor-ort-pauschale|stundensatz|hourly rate|aufpreis|aufschlag|zuschlag|supplément)\b|^[\d.,–-]+\s?\p{L}{0,3}\d?$|^\d[\d.,]* ?(?:to|bis|à|-|–|\+)(?: ?\d|$| )|^(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\bno$|§|^\d+ (?:minutes?|hours?|days?|weeks?|months?|years?|people|persons|users)\b|[+:?!]$|^(?:yes|no|ja|nein|oui|non)$|^(?:we|you|our|they|it|if|and|when|why|how|what)\b/iu
const asSentence =
  /(?<!\p{L})(?:we|you|your|our|us|please|click|is|are|was|were|costs?|spent|saved?|paid|pays?|sold|charges?|charged|at|for|of|to|in|with)$|\b(?:we|you|your|our|please|click)\b/iu

const isNamed = (product: string) =>
  /^["“„«]?[\p{Lu}\d].*\p{L}{2}|^\p{Lu}\p{L}/u.test(product) &&
  !hasMoney(product) &&
  product.length <= 120 &&
  isComplete(product) &&
  !notProduct.test(product) &&
  !asSentence.test(product) &&
  topicOf(product) === undefined

const offer = (product: string, pricing: string): Offer | undefined => {
  // A footnote's mark is no part of a name.
  const name = product.replace(/^[\s,;:.–—|-]+|[\s,;–—|-]+$/g, "").replace(/\s*(?:\(\d\)|[*★☆]+)$/, "")
  return isNamed(name) && !/\d\s?(?:m|million|bn)\b|\b(?:extra|zusätzlich|en sus)$/i.test(pricing)
    ? { product: name, pricing: pricing.replace(/^\(|(?<!\(.*)\)$|\s*(?:\(\d\)|(?<!\S)\*+)$/g, "").trim() }
    : undefined
}

/** A line of a price list, where a blank is enough between the name and the price. */
const offerIn = (whole: string): Offer | undefined => {
  const line = whole.replace(/(?<!\.\p{L})\.$/u, "")
  const [, before = "", mark = "", pricing = ""] = separated.exec(line) ?? []
  if (before === "") {
    const [, product = "", pricing = ""] = beside.exec(line) ?? []
    return product === "" ? undefined : offer(product, pricing)
  }
  // "With a report. From EUR 490" is a sentence about what stands in the line above.
  if (mark.trim() === "." && !before.includes(": ")) return undefined
  const [name = "", ...words] = before.split(/:\s|(?<=\p{L}{2})\.\s|\s[–—-]\s/u)
  // More than a name and what explains it is prose, and so is a figure in brackets behind a remark.
  if (words.length > 1 || (mark.includes("(") && words.length > 0) || /:\s.*\d/.test(before)) return undefined
  return offer(name, pricing)
}

const priceColumn =
  /^from$|^ab$|^per person$|price|pricing|cost|fee|rate\b|rates\b|per month|monthly|€|\beur\b|usd|gbp|preis|prix|tarif|cena/i
const nameColumn =
  /product|service|plan|package|item|name|course|treatment|bezeichnung|artikel(?!-?n)|leistung|produkt|produit|description|désignation|prestation|modell?|nazwa/i

const anyCurrency = new RegExp(`(?<!\\p{L})(?:${currency})(?!\\p{L})`, "iu")
const anyUnit =
  /(?<!\p{L})(?:per|pro(?! max)|par|je)\s\p{L}+(?:,? (?:and |und |et )?(?:per|pro|par|je)\s\p{L}+)?|(?<=[\p{L}€$£] ?)\/\s?\p{L}[\p{L}²³]*|\b(?:monthly|weekly|yearly)\b/iu

const anyYear = /\b20[12]\d\b/
/** "Price up to 2000 pieces" and "Price per 100"; a year or a rate of tax is none. */
const hasQuantity = (column: string) => /\d/.test(column.replace(anyYear, "").replace(/\d[\d.,]* ?%/g, ""))

/** A price with the currency and the unit that only the heading of its column or of its table has: "Price per week (EUR)". */
const withHeadings = (price: string, column: string, heading: string, only: string): string => {
  if (!/^\D{0,4}\d[\d.,' ]*\D{0,4}$/.test(price)) return price
  // "Price up to 2000 pieces/week" names a quantity, and "Price 2025 EUR" a year.
  const names = hasQuantity(column) ? [heading] : [column, heading]
  const first = (pattern: RegExp) => names.map((name) => pattern.exec(name)?.[0]).find((found) => found !== undefined)
  const coin = hasMoney(price) ? "" : (first(anyCurrency) ?? only)
  const unit = (/\p{L}{4}|\//u.test(price) ? undefined : first(anyUnit)) ?? ""
  const least = /(?<!\p{L})(?:from|ab|dès)\s*$/iu.exec(column)?.[0].trim().toLowerCase() ?? ""
  return [
    least,
    `${coin}${/^\p{L}/u.test(coin) ? " " : ""}${price}`,
    /^\/\s?(?:std|stk|stück|tag|monat|woche|person|heure|jour|mois|pièce|unité)/i.test(unit)
      ? unit
      : unit.replace(/^\/\s?/, "per ").toLowerCase()
  ]
    .filter((part) => part !== "")
    .join(" ")
}

const otherColumn =
  /^(?:compar(?:e|ison|aison)|vergleich|growers?|suppliers?|manufacturers?|clients?|customers?|partners?|lieferant|hersteller|kunde|fournisseur|client)$|\b(?:agency|agenc[ey]|agenzia|agentur|freelancers?|freelance|competitors?|elsewhere|wettbewerber?|ailleurs|concurrents?)\b/i
const asUnit = /^(?:per|pro|par|je) [\p{L} ]{2,20}$/iu
const unitColumn = /^(?:unit|einheit|unité|eenheid|unidad|jednostka)$/i

const byTime = /^(?:now|new|today|until|till|before|neu|jetzt|bis|ab|nouveau|actuel|jusqu.*|avant)(?!\p{L})/iu

/** A figure whose currency stands elsewhere, if anywhere. */
const figure = /^\d[\d.,' ]*$/
const isAmount = (text: string) =>
  !twice.test(text) && (isPrice.test(text) || figure.test(text) || (hasMoney(text) && !text.startsWith("+")))

/**
 * What a row asks for its product: the price of its only price column, or each with the name of its column, in the only
 * currency of the text where the table names none.
 */
const pricingIn = ({ cells, columns, under }: Block, currency: string): string | undefined => {
  const priceAt = columns.findIndex((name) => priceColumn.test(name))
  const priced = cells.flatMap((cell, at) => {
    const column = columns[at] ?? ""
    const isTier =
      at > 0 &&
      column !== "" &&
      (isPrice.test(cell) || (figure.test(cell) && priceColumn.test(column))) &&
      !/total|sum|vat|gesamt|mwst|tva|\b(?:old|previous|former|alt|bisher|ancien)/i.test(column)
    return isTier ? [{ cell, column }] : []
  })
  const amounts = priced.filter(({ cell }) => hasMoney(cell) || figure.test(cell)).length
  const isTiered = amounts > 1 || (priceAt === -1 && priced.length > 1 && amounts > 0)
  // "Until 31 January" and "Now": only a reader of today knows which of them counts.
  if (isTiered && priced.some(({ column }) => byTime.test(column))) return undefined
  const years = isTiered ? priced.map(({ column }) => Number(anyYear.exec(column)?.[0])) : []
  // "2024 price" and "2025 price": the latest counts.
  const latest = priced[years.indexOf(Math.max(...years.filter((year) => year > 0)))]
  const unit =
    cells[columns.findIndex((name) => unitColumn.test(name))] ?? cells.find((cell) => asUnit.test(cell)) ?? ""
  const perUnit = unit === "" ? "" : `${/^(?:per|pro|par|je|each|ea)\b/i.test(unit) ? "" : " /"} ${unit}`
  if (isTiered && latest === undefined) {
    const tiers = priced.map(({ cell, column }) => ({ column, price: withHeadings(cell, column, "", currency) }))
    if (tiers.some(({ price }) => figure.test(price))) return undefined
    return tiers.map(({ column, price }) => `${column}: ${price}${perUnit}`).join("; ")
  }
  const { cell, column } = latest ?? { cell: cells[priceAt] ?? "", column: columns[priceAt] ?? "" }
  if (!isAmount(cell)) return undefined
  const price = withHeadings(cell, column, under.at(-1) ?? "", currency)
  // "Price per 100 pieces" says how many, in words of its own.
  if (hasQuantity(column)) return `${column}: ${price}${perUnit}`
  return /\p{L}{3}/u.test(price.replace(anyCurrency, "")) ? price : `${price}${perUnit}`
}

/** "Art. no", "Item code", "SKU" */
const codeColumn =
  /^(?:(?:art(?:icle|ikel)?|item|product|produkt|order|bestell|cat)[. -]*)?(?:code|n[°o]|nr|number|nummer|ref|réf|sku|#)\.?$/i

const nameAt = (columns: ReadonlyArray<string>) => {
  const named = columns.findIndex((name) => nameColumn.test(name) && !codeColumn.test(name))
  return named >= 0
    ? named
    : Math.max(
        0,
        columns.findIndex((name) => !codeColumn.test(name))
      )
}

interface Text {
  readonly all: ReadonlyArray<Block>
  /** The only currency that the text names; empty where it names several or none. */
  readonly currency: string
}

const symbols: Readonly<Record<string, string>> = { EUR: "€", EURO: "€", EUROS: "€", GBP: "£" }
const everyCurrency = new RegExp(anyCurrency.source, "giu")
const currencyOf = (all: ReadonlyArray<Block>): string => {
  const named = all.flatMap(({ columns, text }) => [...`${columns.join(" ")} ${text}`.matchAll(everyCurrency)])
  const [only = "", ...more] = new Set(named.map(([each]) => symbols[each.toUpperCase()] ?? each))
  return more.length === 0 ? only : ""
}

/** "SERVICES | unit | EUR" in the middle of a table: what stands below has other columns. */
const named = new RegExp(`^(?:${currency}|(?:price|preis|prix|tarif)s?)$`, "iu")
const namesAgain = ({ cells, columns }: Block) =>
  columns.length > 0 && cells.some((cell, at) => at > 0 && named.test(cell) && cell !== columns[at])

/** As far as a table is searched for the same product. */
const mostRows = 50

/** What a row sells, with the first cell of the row where another one of the table sells the same: "Mombasa, 40 feet". */
const productIn = ({ cells, columns }: Block, all: ReadonlyArray<Block>, row: number): string => {
  const at = nameAt(columns)
  const [first = ""] = cells
  const product = cells[at] ?? ""
  const table = all.slice(Math.max(0, row - mostRows), row + mostRows)
  const isShared = table.filter((other) => other.columns === columns && other.cells[at] === product).length > 1
  return at > 0 && isShared && /^\p{L}+$/u.test(first.replace(/[ ()/&-]/g, "")) ? `${first}, ${product}` : product
}

const fromRow = (block: Block, whole: Text, at: number): Offer | undefined => {
  const { cells, columns, isLaidOut, topic } = block
  if (columns.length === 0) {
    const [product = "", pricing = "", ...more] = cells
    // Of a text's layout a single word is as often the end of a name that begins in the lines above.
    const isWhole = !isLaidOut || product.includes(" ")
    // Pairs elsewhere may be wages, fees, savings or sums insured.
    return topic === "products" && more.length === 0 && isPrice.test(pricing) && isWhole
      ? offer(product, pricing)
      : undefined
  }
  if (whole.all.slice(0, at).some((each) => each.columns === columns && namesAgain(each))) return undefined
  // Those who make or buy what is sold are no products.
  if ([...columns, cells[0] ?? ""].some((name) => otherColumn.test(name))) return undefined
  // Where the first column has no name, the rows say what the plans of the other columns have.
  const isOfPlans = columns[0] === "" && columns.length > 2 && !columns.some((name) => /\d/.test(name))
  if (isOfPlans || cells.length !== columns.length) return undefined
  const product = productIn(block, whole.all, at)
  const pricing = pricingIn(block, whole.currency)
  // A figure without a currency may count anything.
  return pricing === undefined || !(hasMoney(pricing) || isPrice.test(pricing)) ? undefined : offer(product, pricing)
}

/** "We pay you" is the price of what is bought, and what stands under "Delivery" is a charge. */
const notSold =
  /\bwe (?:pay|buy)\b|\bankauf|\brachat\b|^(?:deliver(?:y|ies)|loss|damages?|surcharges?|terms|payment|lieferung|livraison|zuschläge|fracht)(?!\p{L})/iu

/** Sections whose money is not asked for what is sold. */
const elsewhere: ReadonlySet<Topic | undefined> = new Set(["clients", "guarantee", "faq"] as const)

/** What a single block sells. */
const offersIn = (block: Block, whole: Text, at: number): ReadonlyArray<Offer | undefined> => {
  const { kind, text, topic, under } = block
  if (isOfOthers(block) || elsewhere.has(topic) || notSold.test(under.at(-1) ?? "")) return []
  if (kind === "row") return [fromRow(block, whole, at)]
  if (kind === "heading") {
    if (topicOf(under.at(-1) ?? "") !== "products") return []
    // "### Team", and its price in the line below.
    const below = whole.all[at + 1]?.kind === "paragraph" ? (whole.all[at + 1]?.text ?? "").replace(/\.$/, "") : ""
    return [isPrice.test(below) ? offer(text, below) : offerIn(text)]
  }
  // Without the heading of a price list, a priced line may be a wage, a fee, a sum insured or an answer to a question.
  if (topic !== "products" || labelled(text) !== undefined) return []
  return [offerIn(text)]
}

interface FoundOffer {
  readonly offer: Offer
  readonly block: Block
}

/** "Waxing: Brows", where another section sells brows at another price; dropped where no heading distinguishes the two. */
const underHeading = ({ block, offer }: FoundOffer): ReadonlyArray<FoundOffer> => {
  const heading = block.under.at(-1) ?? ""
  const isOfAll =
    heading === "" || topicOf(heading) === "products" || /\p{Ll}(?:preise?|preisliste)$|preisliste$/iu.test(heading)
  return isOfAll ? [] : [{ block, offer: { ...offer, product: `${heading}: ${offer.product}` } }]
}

/** All that is sold, in the order of the text, each with where it stands. */
export const offers = (all: ReadonlyArray<Block>): ReadonlyArray<FoundOffer> => {
  const whole = { all, currency: currencyOf(all) }
  const found = all.flatMap((block, at) =>
    offersIn(block, whole, at).flatMap((offer) => (offer === undefined ? [] : [{ block, offer }]))
  )
  const nameOf = ({ offer }: FoundOffer) => offer.product.toLowerCase()
  const isOne = (some: ReadonlyArray<FoundOffer> = []) => new Set(some.map(({ offer }) => offer.pricing)).size === 1
  const alike = Map.groupBy(found, nameOf)
  const apart = found.flatMap((each) => (isOne(alike.get(nameOf(each))) ? [each] : underHeading(each)))
  const named = [...Map.groupBy(apart, nameOf).values()].filter(isOne)
  return named.flatMap(([first]) => first ?? [])
}

/** Whatever has a name and a price, for a person to pick from. */
export const offersAnywhere = (all: ReadonlyArray<Block>): ReadonlyArray<Offer> =>
  all
    .filter((block) => !isOfOthers(block))
    .flatMap(({ cells, kind, text }) => offerIn(kind === "row" ? cells.join(": ") : text) ?? [])
