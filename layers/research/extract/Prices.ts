// layers/research/extract/Prices.ts: what is sold, and for how much: rows of price tables, and lines of price lists.
import { type Block, isOfOthers } from "#layers/research/extract/Blocks.ts"
import { isComplete } from "#layers/research/extract/Lines.ts"
import { type Topic, topicOf } from "#layers/research/extract/Topics.ts"

export interface Offer {
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
const isBare = new RegExp(`^${money}$`, "iu")
const anyMoney = new RegExp(money, "iu")
/** "€4,350 €3,890": one of them is struck out, and the text does not show which. */
const twice = new RegExp(`${money}\\s*[/|→>]?\\s+${money}`, "iu")

/** Whether a text names an amount of money with its currency. */
export const hasMoney = (text: string): boolean => anyMoney.test(text)

/** "Name: price", "Name – price", "Name ..... price", "Name (price)", and the separator between the two. */
const separated = new RegExp(`^([^@]{2,120}?)(\\s[–—-]\\s|\\s?[:(;,|]\\s?|\\s?\\.{2,}\\s?|\\s?…\\s?)(${price})$`, "iu")
/** "Name price", where only a blank separates the two: enough to offer it, and not to fill it. */
const beside = new RegExp(`^([^@:.;|]{2,70}?)\\s(${price})$`, "iu")

/** A line of a bill or of its terms, a step of a scale or a surcharge, in the languages of the labels. */
const notProduct =
  /^(?:(?:sub)?totals?|grund(?:gebühr|preis)|base (?:fee|rate)|summe|gesamt|montant|somme)\b|\b(?:vat|tax|tva|mwst|discount|surcharge|deposit|fees?|lost|damaged|missing|out of hours|total)\b\.?(?: \d+ ?%)?$|^(?:travel|cancellation|fuel|shipping|delivery|postage|minimum|monthly minimum|late|bank|savings?|payments?|disbursements|quote|offer|prices?|preise?|prix|port$|carriage|pallets?|palette|lieferung|zustellung|(?:starting|starts|only|nur|seulement)$|per|from|ab|dès|up to|over|under|further|each|next|first|free|anfahrt|versand|livraison|frais|transport|vor-ort-pauschale|stundensatz|hourly rate|aufpreis|aufschlag|zuschlag|supplément|was|now|before|old price|new price|budget|revenue|salary|rent|deposit|kaution|acompte|set-?up|die|tooling|einrichtung|werkzeugkosten|mise en service)\b|^[\d.,–-]+\s?\p{L}{0,3}\d?$|^\d[\d.,]* ?(?:to|bis|à|-|–|\+)(?: ?\d|$| )|^(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\bno$|§|^\d+ (?:minutes?|hours?|days?|weeks?|months?|years?|people|persons|users)\b|\b(?:missed|no-?shows?|cancel\w*|storn\w*|annul\w*)\b|\brates?$|\bhandling$|^(?:two|three|four|\d+) or more\b|, (?:each|jeweils)$|\b(?:handelsware|resold)\b|[+:?!]$|^(?:yes|no|ja|nein|oui|non)$|^(?:we|you|our|they|it|if|and|when|why|how|what)\b/iu
const asSentence =
  /(?<!\p{L})(?:we|you|your|our|us|please|click|is|are|was|were|costs?|spent|saved?|paid|pays?|sold|charges?|charged|at|for|of|to|in|with)$|\b(?:we|you|your|our|please|click)\b/iu

/** "A-1042", "SKU 88": the number of an article. */
const isCode = (text: string): boolean => !/\p{L}{3}/u.test(text) || /^\p{Lu}*[-. /]?\d[\d./-]*\p{Lu}?$/u.test(text)

const isNamed = (product: string): boolean =>
  /^["“„«]?(?:\p{Lu}|\d.*\p{L}{3})/u.test(product) &&
  !isCode(product) &&
  !hasMoney(product) &&
  product.length <= 120 &&
  isComplete(product) &&
  !notProduct.test(product) &&
  !asSentence.test(product) &&
  topicOf(product) === undefined

const offer = (product: string, pricing: string): Offer | undefined => {
  // A footnote's mark is no part of a name.
  const name = product.replace(/^[\s,;:.–—|-]+|[\s,;–—|-]+$/g, "").replace(/\s*(?:\(\d\)|[*★☆]+)$/, "")
  const isWhole =
    /[1-9]|^\D+$/.test(pricing) &&
    !twice.test(pricing) &&
    !/\d\s?(?:m|million|bn)\b|\b(?:extra|zusätzlich|en sus)$/i.test(pricing)
  return isNamed(name) && isWhole
    ? { product: name, pricing: pricing.replace(/^\(|(?<!\(.*)\)$|\s*(?:\(\d\)|(?<!\S)\*+)$/g, "").trim() }
    : undefined
}

/** A line of a price list: a name, what explains it where there is such, and the price. */
const offerIn = (line: string, pattern: RegExp): Offer | undefined => {
  const [, before = "", mark = "", pricing = mark] = pattern.exec(line.replace(/(?<!\.\p{L})\.$/u, "")) ?? []
  const [name = "", ...words] = before.split(/:\s|(?<=\p{L}{2})\.\s|\s[–—-]\s/u)
  // More than a name and what explains it is prose, and so is a figure in brackets behind a remark.
  if (words.length > 1 || (mark.includes("(") && words.length > 0) || /:\s.*\d/.test(before)) return undefined
  return offer(name, pricing)
}

const priceColumn = /price|pricing|cost|\bfee|\brates?\b|€|\beur\b|\bchf\b|\busd\b|\bgbp\b|preis|prix|tarif|cena/i
const nameColumn =
  /^(?:(?:our|core|unsere?|nos) )?(?:products?|services?|plans?|packages?|items?|names?|courses?|treatments?|descriptions?|articles?|models?|what|work|jobs?|bezeichnung|artikel|leistung(?:en)?|produkte?|pakete?|tarife?|kurse?|modelle?|produits?|désignation|prestations?|formules?|articles?|modèles?|nazwa|usługa)(?:\s?[/&,(].*)?$/iu
/** "Art. no", "Item code", "SKU" */
const codeColumn = /\b(?:code|n[°o]|nr|number|nummer|ref|réf|sku)\b\.?|^(?:#|art\.?|pos\.?)$/i
/** Sums, taxes, prices that count no more or not yet, and prices of other firms. */
const otherPrice =
  /total|sum|vat|gesamt|mwst|tva|\b(?:old|new|now|until|till|before|previous|former|alt|neu|jetzt|bisher|bis|ancien|nouveau|actuel|savings?)\b|\b20[12]\d\b|agenc[ey]|agentur|freelance|competitor|elsewhere|wettbewerb|concurrent|ailleurs|market|vergleich|compar|\bkunde|client|customer|paid|retail|\brrp\b|\buvp\b|deposit|kaution|caution/i
const ofMakers =
  /^(?:growers?|suppliers?|manufacturers?|clients?|customers?|partners?|lieferant|hersteller|kunde|fournisseur)$/i
const anyCurrency = new RegExp(`(?<!\\p{L})(?:${currency})(?!\\p{L})`, "iu")
const bareCurrency = new RegExp(`^(?:${currency}|(?:price|preis|prix|tarif)s?)$`, "iu")
/** A column that says no more than that it holds prices, and perhaps in which currency and with which tax. */
const plainColumn = new RegExp(
  `^(?:(?:net|unit|list|our) |netto)?(?:price|pricing|cost|fee|rate|preis|prix|tarif)?e?s?\\W*(?:in )?(?:${currency})?\\W*(?:(?:ex|excl|incl|inkl|zzgl|netto|brutto|HT|TTC)\\b.*)?$`,
  "iu"
)
const figure = /^\d[\d.,' ]*$/

/** A price with the currency and the unit that only its column names: "2.90" under "Price per 100, EUR". */
const priceIn = (cell: string, column: string): string | undefined => {
  const [coin] = anyCurrency.exec(column) ?? []
  const whole = figure.test(cell) && coin !== undefined ? `${coin}${/^\p{L}/u.test(coin) ? " " : ""}${cell}` : cell
  if (!isPrice.test(whole)) return undefined
  if (plainColumn.test(column)) return whole
  const [unit] = /(?<=^(?:price|preis|prix|tarif) )(?:per|pro|par|je) [\p{L} ]+$/iu.exec(column) ?? []
  if (unit !== undefined) return `${whole} ${unit}`
  // "Cost to us" is no price that a customer pays.
  return /^(?:price|preis|prix|tarif)/i.test(column) ? `${whole} (${column})` : undefined
}

const unitColumn = /^(?:unit|einheit|unité|eenheid|unidad|jednostka|per)$/i

/** What a row of a table asks for its product, by its only column of prices: of several, only a reader knows which counts. */
const pricingIn = ({ cells, columns }: Block): string | undefined => {
  const [at = -1, ...others] = [...columns.keys()].filter((column) => priceColumn.test(columns[column] ?? ""))
  if (at === -1 || others.length > 0 || columns.some((column) => otherPrice.test(column))) return undefined
  const price = priceIn(cells[at] ?? "", columns[at] ?? "")
  const unit = cells[columns.findIndex((name) => unitColumn.test(name))] ?? ""
  const perUnit = unit === "" || /^(?:per|pro|par|je|each)\b/i.test(unit) ? unit : `/ ${unit}`
  return price !== undefined && hasMoney(price) ? `${price} ${perUnit}`.trim() : price
}

/** "Prices (per vehicle, per month)": a unit that only the heading names. */
const unitOf = (heading: string): string =>
  /(?<!\p{L})(?:per|pro|par|je) [^().]{2,40}/iu.exec(heading)?.[0].trim() ?? ""

/** Work on things that the rows below it name: "Label application", "Repairs", "Kranvermietung". */
const work =
  /^(?:\S+ ){0,3}\S*(?:ing|ation|hire|rental|repairs?|services?|fitting|reparatur|reinigung|vermietung|prüfung|montage|wartung|nettoyage|réparation|pose|entretien)$/iu

/** Under "Label application", jars are not sold: the heading is the beginning of the name. */
const named = (product: string, heading: string) =>
  topicOf(heading) === undefined && work.test(heading) && !product.toLowerCase().includes(heading.toLowerCase())
    ? `${heading}: ${product}`
    : product

const withUnit = (pricing: string, heading: string): string =>
  hasMoney(pricing) && !/(?<!\p{L})(?:per|pro|par|je|each)(?!\p{L})|\//iu.test(pricing)
    ? `${pricing} ${unitOf(heading)}`.trim()
    : pricing

const inSection = ({ pricing, product }: Offer, { under }: Block): Offer => {
  const heading = under.at(-1) ?? ""
  return { product: under.length < 2 ? product : named(product, heading), pricing: withUnit(pricing, heading) }
}

const fromTable = (block: Block, table: ReadonlyArray<Block>): Offer | undefined => {
  const { cells, columns } = block
  // Where the first column has no name, the rows say what the plans of the other columns have.
  const isOfPlans = columns[0] === "" && columns.length > 2
  // "SERVICES | unit | EUR" in the middle of a table: what stands below it has other columns.
  const isMixed = table.some((row) => row.cells.some((cell, at) => at > 0 && bareCurrency.test(cell)))
  // Prices of several columns are those of several kinds of customers.
  const priced = columns.filter((_, at) => table.some((row) => isPrice.test(row.cells[at] ?? "")))
  if (isOfPlans || isMixed || priced.length > 1 || cells.length !== columns.length) return undefined
  if (columns.some((name) => ofMakers.test(name))) return undefined
  // What another column calls a product may be a part or a kind of it.
  const at = columns.findIndex((name) => !codeColumn.test(name))
  if (!nameColumn.test(columns[at] ?? "")) return undefined
  // "One-off" in a row of monthly prices.
  const isOnce = cells.some((cell) => /\bone[- ]?off\b|\bonce\b|\beinmalig|\bforfait\b|\bune fois\b/i.test(cell))
  const pricing = isOnce ? undefined : pricingIn(block)
  return pricing === undefined ? undefined : offer(cells[at] ?? "", pricing)
}

/** "We pay you" is the price of what is bought, and what stands under "Delivery" is a charge. */
const notSold =
  /\bwe (?:pay|buy)\b|\bankauf|\brachat\b|^(?:deliver(?:y|ies)|loss|damages?|surcharges?|terms|payment|lieferung|livraison|zuschläge|fracht|invoice|rechnung|facture|comparison|vergleich|extras|add-?ons|zusatzleistungen|suppléments)(?!\p{L})/iu
/** Sections whose money is not asked for what is sold. */
const elsewhere: ReadonlySet<Topic | undefined> = new Set(["clients", "guarantee", "faq"] as const)

const offersIn = (
  block: Block,
  next: Block | undefined,
  table: ReadonlyArray<Block>
): ReadonlyArray<Offer | undefined> => {
  const { cells, columns, isLaidOut, kind, text, topic, under } = block
  if (isOfOthers(block) || elsewhere.has(topic) || under.some((each) => notSold.test(each))) return []
  if (columns.length > 0) return [fromTable(block, table)]
  // "### Team", and its price in the line below.
  if (kind === "heading") {
    const below = next?.kind === "paragraph" ? next.text.replace(/\.$/, "") : ""
    return topicOf(under.at(-1) ?? "") === "products" && isPrice.test(below) ? [offer(text, below)] : []
  }
  // Without the heading of a price list, a priced line may be a wage, a fee, a sum insured or an answer to a question.
  if (topic !== "products") return []
  if (kind !== "row") return [offerIn(text, separated)]
  const [product = "", pricing = "", ...more] = cells
  // Of a text's layout a single word is as often the end of a name that begins in the lines above.
  return more.length === 0 && isPrice.test(pricing) && (!isLaidOut || product.includes(" "))
    ? [offer(product, pricing)]
    : []
}

export interface FoundOffer {
  readonly offer: Offer
  readonly block: Block
}

/** In a list with an hourly rate, the other bare prices may be hourly too. */
const hour = /stunden?(?:satz)?$|\bhourly\b|\bhoraire$|^heure/i
const isOfHours = ({ block, offer: { pricing } }: FoundOffer, all: ReadonlyArray<Block>) =>
  isBare.test(pricing) &&
  all.some(
    ({ cells: [name = "", price = ""], under }) =>
      hour.test(name) && isBare.test(price) && under.join("\n") === block.under.join("\n")
  )

/** Prices that end at a date, that depend on something else, or that were made for one buyer. */
const notFirm =
  /\b(?:valid|hold|held|fixed) (?:un)?til\b|\bgültig bis\b|\bvalables? jusqu|\bindicati(?:ve|f)\b|\bguide prices?\b|\bunverbindlich|\bschedule of rates\b|\b(?:RFT|RFP|RFQ)\b/i

/** All that a text sells, in its order, each with where it stands. What it sells at two prices is left out. */
export const offers = (all: ReadonlyArray<Block>): ReadonlyArray<FoundOffer> => {
  if (all.some(({ text }) => notFirm.test(text))) return []
  const tables = Map.groupBy(all, ({ columns }) => columns)
  const found = all.flatMap((block, at) =>
    offersIn(block, all[at + 1], tables.get(block.columns) ?? []).flatMap((offer) =>
      offer === undefined ? [] : [{ block, offer: inSection(offer, block) }]
    )
  )
  const sold = found.filter((each) => !isOfHours(each, all))
  return [...Map.groupBy(sold, ({ offer }) => offer.product.toLowerCase()).values()]
    .filter((alike) => new Set(alike.map(({ offer }) => offer.pricing)).size === 1)
    .flatMap(([first]) => first ?? [])
}

/** Whatever has a name and a price, for a person to pick from. */
export const offersAnywhere = (all: ReadonlyArray<Block>): ReadonlyArray<Offer> =>
  all
    .filter((block) => !isOfOthers(block))
    .flatMap(({ cells, kind, text }) => {
      const line = kind === "row" ? cells.join(": ") : text
      return offerIn(line, separated) ?? offerIn(line, beside) ?? []
    })
