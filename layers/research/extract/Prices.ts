// layers/research/extract/Prices.ts: finds products with their prices in price tables and price lists.
import { String } from "effect"
import { type Block, isThirdParty } from "#layers/research/extract/Blocks.ts"
import { isComplete } from "#layers/research/extract/Lines.ts"
import { type Topic, headingTopic } from "#layers/research/extract/Labels.ts"

export interface Offer {
  readonly product: string
  readonly pricing: string
}

const currencyPattern =
  "(?:EUR|USD|GBP|CHF|PLN|SEK|NOK|DKK|CZK|HUF|CAD|AUD|NZD|JPY|INR|SGD|ZAR|MXN|KES|AED|BRL|US\\$|C\\$|A\\$|euros?|€|\\$|£|¥|₹|zł|kr|Kč)"
/** "4.9p" is in pence, which no other figure with this letter is in a price list. */
const pence = "(?<![\\p{L}\\d.,])\\d{1,3}(?:\\.\\d{1,2})?p(?!\\p{L})"
const amountPattern =
  "\\d{1,3}(?:[ ,.'’]\\d{3})*(?:[.,]\\d{1,2})?(?:,-)?(?:\\s?(?:k|thousand)\\b)?|\\d+(?:[.,]\\d{1,2})?(?:,-)?"
const moneyPattern = `(?:${currencyPattern}\\s?(?:${amountPattern})|(?<![\\p{L}\\d.,])(?:${amountPattern})\\s?(?:${currencyPattern})(?![\\p{L}]| ?\\d))`
const pricePrefix =
  "(?:(?:prices? )?(?:from|starting (?:at|from)|up to|about|typically|approx\\.?|between|ab|ca\\.|od|dès|à partir de|vanaf|desde)\\s+)?"
/** What follows an amount in its line: another amount, a unit, a tax; never a sentence. */
const priceRest = `(?:\\s?(?:-|–|to|and|bis|à)\\s?(?:${moneyPattern}|${amountPattern}))?(?:(?:(?:, (?=from|ab|dès|min|plus|excl|incl|ex|zzgl|hors))? ?\\(?[+/]? ?|\\s)(?:(?:\\p{L}\\.)+|(?:min|max|pers|ca)\\.|[\\p{L}\\d²³%/+-]+)){0,7}?\\)?`
const priceOnRequest =
  "price on request|on request|(?:preis )?auf anfrage|(?:prix )?sur demande|sur devis|nous consulter|on quotation|quote on request|poa|ask|included|inkl\\.?|inclus|\\d+ ?%|no charge|free with [^.]{3,40}|bajo pedido"
const price = `(?:${pricePrefix}${moneyPattern}${priceRest}|${pence}|${priceOnRequest})`
const pricePattern = new RegExp(`^${price}$`, "iu")
const barePrice = new RegExp(`^${moneyPattern}$`, "iu")
const anyMoney = new RegExp(moneyPattern, "iu")
/** "€4,350 €3,890": one of them is struck out, and the text does not show which. */
const twoPrices = new RegExp(`${moneyPattern}\\s*[/|→>]?\\s+${moneyPattern}`, "iu")

/** Whether a text names an amount of money with its currency. */
export const hasMoney = (text: string): boolean => anyMoney.test(text)

/** "Name: price", "Name – price", "Name ..... price", "Name (price)", and the separator between the two. */
const separatedPrice = new RegExp(
  `^([^@]{2,120}?)(\\s[–—-]\\s|\\s?[:(;,|]\\s?|\\s?\\.{2,}\\s?|\\s?…\\s?)(${price})$`,
  "iu"
)
/** "Name ......... price": whatever the left side says, it is all of the name. */
const dottedPrice = new RegExp(`^([^@]{2,110}?)\\s*\\.{4,}\\s*(${price})$`, "iu")
const dottedLine = /^([^@]{2,110}?)\s*\.{4,}\s*(\S.{0,60})$/u
/** "Name price", where only a blank separates the two: enough to offer it, and not to fill it. */
const priceBesideName = new RegExp(`^([^@:.;|]{2,70}?)\\s(${price})$`, "iu")

/** A line of a bill or of its terms, a step of a scale or a surcharge, in the languages of the labels. */
const notProductLine =
  /^(?:(?:sub)?totals?|grund(?:gebühr|preis)|base (?:fee|rate)|summe|gesamt|montant|somme)\b|\b(?:vat|tax|tva|mwst|discount|surcharge|deposit|fees?|lost|damaged|missing|out of hours|total)\b\.?(?: \d+ ?%)?$|^(?:travel|cancellation|fuel|mileage|shipping|delivery|postage|minimum|monthly minimum|late|bank|savings?|payments?|disbursements|quote|offer|prices?|preise?|prix|port$|carriage|pallets?|palette|lieferung|zustellung|(?:starting|starts|only|nur|seulement)$|per|from|ab|dès|up to|over|under|further|each|next|first|free|franco|jede[rs]? weitere|anfahrt|versand|livraison|frais|transport|vor-ort-pauschale|stundensatz|hourly rate|aufpreis|aufschlag|(?:\p{L}*)zuschlag|supplément|was|now|before|old price|new price|budget|revenue|salary|rent|deposit|kaution|acompte|set-?up|die|tooling|einrichtung|werkzeugkosten|mise en service)\b|^[\d.,–-]+\s?\p{L}{0,3}\d?$|^\d[\d.,]* ?(?:to|bis|à|-|–|\+)(?: ?\d|$| )|^(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\bno$|§|^\d+ (?:minutes?|hours?|days?|weeks?|months?|years?|people|persons|users)\b|\b(?:missed|no-?shows?|cancel\w*|storn\w*|annul\w*)\b|\brates?$|\bhandling$|^(?:two|three|four|\d+) or more\b|\b(?:handelsware|resold)\b|[+:?!]$|^(?:yes|no|ja|nein|oui|non)$|^(?:we|you|our|they|it|if|and|when|why|how|what)\b/iu
/** A list with dots is taken as a whole, with its terms; only its sums are no part of it. */
const sumLine = /^(?:(?:sub)?totals?|summe|gesamt\p{L}*|montant|somme)(?!\p{L})|\b(?:vat|tax|tva|mwst)\b/iu
const sentenceLine =
  /(?<!\p{L})(?:we|you|your|our|us|please|click|is|are|was|were|costs?|spent|saved?|paid|pays?|sold|charges?|charged|at|for|of|to|in|with)$|\b(?:we|you|your|our|please|click)\b/iu

/** "A-1042", "SKU 88": the number of an article. */
const isCode = (text: string): boolean => !/\p{L}{3}/u.test(text) || /^\p{Lu}*[-. /]?\d[\d./-]*\p{Lu}?$/u.test(text)

const isProductName = (product: string, isListed: boolean, isRow = false): boolean =>
  /^["“„«]?(?:\p{Lu}|\d.*\p{L}{3})/u.test(product) &&
  (isListed || !isCode(product)) &&
  !hasMoney(product) &&
  product.length <= 120 &&
  // An inch mark is no quotation mark.
  isComplete(product.replace(/\d"/g, "")) &&
  !(isListed ? sumLine : notProductLine).test(product) &&
  !sentenceLine.test(product) &&
  // A plan may be called "Partner".
  (headingTopic(product) === undefined || (isRow && !/\s/.test(product)))

const makeOffer = (product: string, price: string, isListed = false, isRow = false): Offer | undefined => {
  // "Access panel, each" is priced so.
  const [, fullName = product, unit = ""] = /^(.+), (each|jeweils)$/u.exec(product) ?? []
  const pricing = `${price} ${unit}`.trim()
  // A footnote's mark is no part of a name.
  const name = fullName.replace(/^[\s,;:.–—|-]+|[\s,;–—|-]+$/g, "").replace(/\s*(?:\(\d\)|[*★☆]+)$/, "")
  const isSinglePrice =
    (isListed || /[1-9]|^\D+$/.test(pricing)) &&
    !twoPrices.test(pricing) &&
    !/\d\s?(?:m|million|bn)\b|\b(?:extra|zusätzlich|en sus)$/i.test(pricing)
  return isProductName(name, isListed, isRow) && isSinglePrice
    ? { product: name, pricing: pricing.replace(/^\(|(?<!\(.*)\)$|\s*(?:\(\d\)|(?<!\S)\*+)$/g, "").trim() }
    : undefined
}

/** A line of a price list: a name, what explains it where there is such, and the price. */
const parseOffer = (line: string, pattern: RegExp): Offer | undefined => {
  const [, nameText = "", separator = "", pricing = separator] =
    pattern.exec(line.replace(/(?<!\.\p{L})\.$/u, "")) ?? []
  // In a row of dots the left side is all name, be it a code.
  if (pattern === dottedPrice) return makeOffer(nameText, pricing, true)
  const [name = "", ...words] = nameText.split(/:\s|(?<=\p{L}{2})\.\s|\s[–—-]\s/u)
  // More than a name and what explains it is prose, and so is a figure in brackets behind a remark.
  // "Priced per drop" is a condition of the price.
  if (words.some((part) => /\b(?:per|priced)\b/i.test(part))) return undefined
  if (words.length > 1 || (separator.includes("(") && words.length > 0) || /:\s.*\d/.test(nameText)) return undefined
  return makeOffer(name, pricing)
}

const priceColumn =
  /price|pricing|cost|\bfee|\brates?\b|€|\beur\b|\bchf\b|\busd\b|\bgbp\b|preis|prix|tarif|cena|precio/i
const nameColumn =
  /^(?:(?:our|core|unsere?|nos) )?(?:productos?|servicios?|products?|services?|plans?|packages?|items?|names?|courses?|treatments?|descriptions?|articles?|models?|what|work|jobs?|bezeichnung|artikel|leistung(?:en)?|produkte?|pakete?|tarife?|kurse?|modelle?|produits?|arbeit(?:en)?|désignation|prestations?|formules?|articles?|modèles?|nazwa|usługa)(?:\s?[/&,(].*)?$/iu
/** Columns of article codes and groups: "Art. no", "Item code", "SKU". */
const codeColumn =
  /^(?:category|group|range|kategorie|gruppe|catégorie|gamme|categoría)$|\b(?:code|clave|código|n[°o]|nr|number|nummer|ref|réf|sku)\b\.?|^(?:#|art\.?|pos\.?)$/i
/** Sums, taxes, prices that count no more or not yet, and prices of other firms. */
const irrelevantPrice =
  /total|sum|vat|gesamt|mwst|tva|\b(?:old|new|now|until|till|before|previous|former|alt|neu|jetzt|bisher|bis|ancien|nouveau|actuel|savings?)\b|\b20[12]\d\b|agenc[ey]|agentur|freelance|competitor|elsewhere|wettbewerb|concurrent|ailleurs|market|vergleich|compar|\bkunde|client|customer|paid|retail|\brrp\b|\buvp\b|deposit|kaution|caution/i
/** A price without tax is none of these. */
const taxNote = /\b(?:ex|excl|incl|plus|hors|zzgl|inkl)\.? (?:vat|tva|mwst)\b/i
const thirdPartyColumn =
  /^(?:growers?|suppliers?|manufacturers?|clients?|customers?|partners?|lieferant|hersteller|kunde|fournisseur)$/i
const anyCurrency = new RegExp(`(?<!\\p{L})(?:${currencyPattern})(?!\\p{L})`, "iu")
const bareCurrency = new RegExp(`^(?:${currencyPattern}|(?:price|preis|prix|tarif)s?)$`, "iu")
/** A column that says no more than that it holds prices, and perhaps in which currency and with which tax. */
const plainColumn = new RegExp(
  `^(?:(?:net|unit|list|our) |netto)?(?:price|pricing|cost|fee|rate|preis|prix|tarif|precio)?e?s?\\W*(?:in )?(?:${currencyPattern})?\\W*(?:(?:ex|excl|incl|inkl|zzgl|netto|brutto|HT|TTC|sin|más)\\b.*)?$`,
  "iu"
)
const bareFigure = /^\d[\d.,' ]*$/

/** A price with the currency and the unit that only its column names: "2.90" under "Price per 100, EUR". */
const completePrice = (cell: string, column: string): string | undefined => {
  const [currencyMark] = anyCurrency.exec(column) ?? []
  const fullPrice =
    bareFigure.test(cell) && currencyMark !== undefined
      ? `${currencyMark}${/^\p{L}/u.test(currencyMark) ? " " : ""}${cell}`
      : cell
  if (!pricePattern.test(fullPrice)) return undefined
  if (plainColumn.test(column)) return fullPrice
  if (/^(?:per|pro|par|je) /iu.test(column)) return `${fullPrice} ${String.uncapitalize(column)}`
  const [unit] = /(?<=^(?:price|preis|prix|tarif) )(?:per|pro|par|je) [\p{L} ]+$/iu.exec(column) ?? []
  if (unit !== undefined) return `${fullPrice} ${unit}`
  // "Cost to us" is no price that a customer pays.
  return /^(?:price|preis|prix|tarif)/i.test(column) ? `${fullPrice} (${column})` : undefined
}

const unitColumn = /^(?:unit|einheit|unité|eenheid|unidad|jednostka|per)$/i

/** What a row of a table asks for its product, by its only column of prices: of several, only a reader knows which counts. */
const rowPrice = ({ cells, columns, topic }: Block, priceIndexes: ReadonlyArray<number>): string | undefined => {
  const priceColumns = [...columns.keys()].filter((column) => priceColumn.test(columns[column] ?? ""))
  // Under the heading of a price list the only column of prices needs no such name: "Per pupil, per year".
  const [priceIndex = -1, ...otherIndexes] =
    priceColumns.length > 0 || topic !== "core_products" ? priceColumns : priceIndexes
  if (
    priceIndex === -1 ||
    otherIndexes.length > 0 ||
    columns.some((column) => irrelevantPrice.test(column.replace(taxNote, "")))
  )
    return undefined
  const price = completePrice(cells[priceIndex] ?? "", columns[priceIndex] ?? "")
  const unit = cells[columns.findIndex((name) => unitColumn.test(name))] ?? ""
  const perUnit = unit === "" || /^(?:per|pro|par|je|each)\b/i.test(unit) ? unit : `/ ${unit}`
  return price !== undefined && hasMoney(price) ? `${price} ${perUnit}`.trim() : price
}

/** "Prices (per vehicle, per month)": a unit that only the heading names. */
const unitOf = (heading: string): string =>
  /(?<!\p{L})(?:per|pro|par|je) [^().]{2,40}/iu.exec(heading)?.[0].trim() ?? ""

/** Work on things that the rows below it name: "Label application", "Repairs", "Kranvermietung". */
const workHeading =
  /^(?:\S+ ){0,3}\S*(?:ing|ation|hire|rental|repairs?|services?|fitting|reparatur|reinigung|vermietung|prüfung|montage|wartung|nettoyage|réparation|pose|entretien)$/iu

/** Under "Label application", jars are not sold: the heading is the beginning of the name. */
const productName = (product: string, heading: string) =>
  headingTopic(heading) === undefined &&
  workHeading.test(heading) &&
  !product.toLowerCase().includes(heading.toLowerCase())
    ? `${heading}: ${product}`
    : product

const withUnit = (pricing: string, heading: string): string =>
  hasMoney(pricing) && !/(?<!\p{L})(?:per|pro|par|je|each)(?!\p{L})|\//iu.test(pricing)
    ? `${pricing} ${unitOf(heading)}`.trim()
    : pricing

const offerInSection = ({ pricing, product }: Offer, { under }: Block): Offer => {
  const heading = under.at(-1) ?? ""
  return { product: under.length < 2 ? product : productName(product, heading), pricing: withUnit(pricing, heading) }
}

const tableOffer = (block: Block, table: ReadonlyArray<Block>): Offer | undefined => {
  const { cells, columns } = block
  // Where the first column has no name, the rows say what the plans of the other columns have.
  const isOfPlans = columns[0] === "" && columns.length > 2
  // "SERVICES | unit | EUR" in the middle of a table: what stands below it has other columns.
  const isMixed = table.some((row) => row.cells.some((cell, index) => index > 0 && bareCurrency.test(cell)))
  // Prices of several columns are those of several kinds of customers.
  const priceIndexes = [...columns.keys()].filter((index) =>
    table.some((row) => pricePattern.test(row.cells[index] ?? ""))
  )
  if (isOfPlans || isMixed || priceIndexes.length > 1 || cells.length !== columns.length) return undefined
  if (columns.some((name) => thirdPartyColumn.test(name))) return undefined
  // What another column calls a product may be a part or a kind of it.
  const index = columns.findIndex((name) => !codeColumn.test(name))
  if (!nameColumn.test(columns[index] ?? "") && (block.topic !== "core_products" || priceIndexes.includes(index)))
    return undefined
  // "One-off" in a row of monthly prices.
  const isOnce = cells.some((cell) => /\bone[- ]?off\b|\bonce\b|\beinmalig|\bforfait\b|\bune fois\b/i.test(cell))
  const pricing = isOnce ? undefined : rowPrice(block, priceIndexes)
  return pricing === undefined ? undefined : makeOffer(cells[index] ?? "", pricing, false, true)
}

/** "We pay you" is the price of what is bought, and what stands under "Delivery" is a charge. */
const notSoldHeading =
  /\bwe (?:pay|buy)\b|\bankauf|\brachat\b|^(?:deliver(?:y|ies)|loss|damages?|surcharges?|terms|payment|lieferung|livraison|zuschläge|fracht|invoice|rechnung|facture|comparison|vergleich|extras|add-?ons|zusatzleistungen|suppléments)(?!\p{L})/iu
/** Sections whose money is not asked for what is sold. */
const topicsWithoutOffers: ReadonlySet<Topic | undefined> = new Set([
  "ideal_client_description",
  "guarantee",
  "faq"
] as const)

const findBlockOffers = (
  block: Block,
  next: Block | undefined,
  table: ReadonlyArray<Block>
): ReadonlyArray<Offer | undefined> => {
  const { cells, columns, isLaidOut, kind, text, topic, under } = block
  if (isThirdParty(block) || topicsWithoutOffers.has(topic) || under.some((each) => notSoldHeading.test(each)))
    return []
  const [, labelledProduct] = /^(?:price|preis|prix|precio)\s*[–—:-]\s*(.+)/iu.exec(cells[0] ?? "") ?? []
  if (labelledProduct !== undefined && hasMoney(cells[1] ?? ""))
    return [makeOffer(String.capitalize(labelledProduct), cells[1] ?? "")]
  if (columns.length > 0) return [tableOffer(block, table)]
  // "### Team", and its price in the line below.
  if (kind === "heading") {
    const nextText = next?.kind === "paragraph" ? next.text.replace(/\.$/, "") : ""
    return headingTopic(under.at(-1) ?? "") === "core_products" && pricePattern.test(nextText)
      ? [makeOffer(text, nextText)]
      : []
  }
  if (dottedLine.test(text)) return [parseOffer(text, dottedPrice)]
  // Without the heading of a price list, a priced line may be a wage, a fee, a sum insured or an answer to a question.
  if (kind === "paragraph" && topic === "business_description") return [parseOffer(text, separatedPrice)]
  if (topic !== "core_products") return []
  if (kind !== "row") return [parseOffer(text, separatedPrice) ?? unpricedOffer(block)]
  const [product = "", pricing = "", ...otherCells] = cells
  // Of a text's layout a single word is as often the end of a name that begins in the lines above.
  return otherCells.length === 0 && pricePattern.test(pricing) && (!isLaidOut || /[ -]/.test(product))
    ? [makeOffer(product, pricing)]
    : []
}

/** Headings of prices have terms among their points, and only some of them are sold. */
const priceHeading = /pric|preis|prix|tarif|precio|rates|fees|plans|packages|menu|cost/i

/** In a list of services it is one of them, and no charge. */
const deliveryService = /^(?:deliver(?:y|ies)|lieferung|livraison|transport|versand) (?:\S+ ){1,8}\S+$/iu

/** A point right under "Our products" that is a short name. */
const unpricedOffer = ({ kind, text, under }: Block): Offer | undefined => {
  const heading = under.at(-1) ?? ""
  const isName = kind === "point" && text.split(" ").length <= 10 && !/[.!?:;]|\d{3}| – /.test(text)
  return isName &&
    headingTopic(heading) === "core_products" &&
    !priceHeading.test(heading) &&
    (!notProductLine.test(text) || deliveryService.test(text))
    ? makeOffer(text, "", true)
    : undefined
}

export interface OfferMatch {
  readonly offer: Offer
  readonly block: Block
}

/** In a list with an hourly rate, the other bare prices may be hourly too. */
const hourlyRate = /stunden?(?:satz)?$|\bhourly\b|\bhoraire$|^heure/i
const isPossiblyHourly = ({ block, offer: { pricing } }: OfferMatch, offers: ReadonlyArray<Block>) =>
  barePrice.test(pricing) &&
  offers.some(
    ({ cells: [name = "", price = ""], under }) =>
      hourlyRate.test(name) && barePrice.test(price) && under.join("\n") === block.under.join("\n")
  )

/** Prices that end at a date, that depend on something else, or that were made for one buyer. */
const conditionalPrice =
  /\bvalid (?:un)?til\b|\bprices?\b[^.]{0,40}\b(?:hold|held|fixed) (?:un)?til\b|\bgültig bis\b|\bvalables? jusqu|\bindicati(?:ve|f)\b|\bguide prices?\b|\bunverbindlich|\b(?:precios|tarifas) orientativ|\bschedule of rates\b|\b(?:RFT|RFP|RFQ)\b/i

/** A line of a price list with dots that names something sold for more than nothing. */
const isPricedLine = (block: Block): boolean => {
  const [, name = "", pricing = ""] = isThirdParty(block) ? [] : (dottedLine.exec(block.text) ?? [])
  return name !== "" && pricing !== "" && !sumLine.test(name)
}

const isUnpriced = ({ offer }: OfferMatch) => offer.pricing === ""
const sectionKey = ({ columns, kind, under }: Block) => [kind, ...under, ...columns].join("\n")

const invitation = /^(?:ask|book|call|contact|download|order|request|see|send)\b/i

/** Whether a text names a service or a price beside those found: a reader would take the rest for all that there is. */
const lacksItems = (blocks: ReadonlyArray<Block>, offers: ReadonlyArray<OfferMatch>): boolean => {
  const offerBlocks = new Set(offers.map(({ block }) => block))
  const listedSections = new Set(offers.filter(isUnpriced).map(({ block }) => sectionKey(block)))
  const pricedSections = new Set(offers.filter((each) => !isUnpriced(each)).map(({ block }) => sectionKey(block)))
  const statesPrice = ({ cells, kind, text }: Block) =>
    kind === "row"
      ? cells.some((cell) => pricePattern.test(cell)) &&
        !cells.some((cell) => /\p{L}{3}/u.test(cell) && !pricePattern.test(cell) && notProductLine.test(cell))
      : parseOffer(text, separatedPrice) !== undefined ||
        (!text.endsWith(".") && parseOffer(text, priceBesideName) !== undefined)
  return blocks.some(
    (block) =>
      !offerBlocks.has(block) &&
      block.kind !== "heading" &&
      !isThirdParty(block) &&
      (block.topic === undefined || block.topic === "core_products") &&
      !block.under.some((heading) => notSoldHeading.test(heading)) &&
      ((block.kind === "point" && listedSections.has(sectionKey(block)) && !invitation.test(block.text)) ||
        ((listedSections.size > 0 || pricedSections.has(sectionKey(block))) && statesPrice(block)))
  )
}

/** Without a service that a price list has by its name, in one number or the other: "Deep cleans" and "Deep clean, £420". */
const joinPrices = (offers: ReadonlyArray<OfferMatch>): ReadonlyArray<OfferMatch> => {
  const nameOf = ({ offer }: OfferMatch) => offer.product.toLowerCase().replace(/s(?!\p{L})/gu, "")
  const pricedNames = new Set(offers.filter((each) => !isUnpriced(each)).map(nameOf))
  return offers.filter((each) => !isUnpriced(each) || !pricedNames.has(nameOf(each)))
}

/** All that a text sells, in its order, each with where it stands. What it sells at two prices is left out. */
export const findOffers = (blocks: ReadonlyArray<Block>): ReadonlyArray<OfferMatch> => {
  if (blocks.some(({ text }) => conditionalPrice.test(text))) return []
  const tables = Map.groupBy(blocks, ({ columns }) => columns)
  const offers = blocks.flatMap((block, index) =>
    findBlockOffers(block, blocks[index + 1], tables.get(block.columns) ?? []).flatMap((offer) =>
      offer === undefined ? [] : [{ block, offer: offerInSection(offer, block) }]
    )
  )
  // Of a list with a line that nothing explains, a reader takes what is meant.
  const isCut = blocks.some((block) => isPricedLine(block) && !offers.some((each) => each.block === block))
  const unambiguousOffers = offers.filter(
    (each) => !isPossiblyHourly(each, blocks) && !(isCut && dottedLine.test(each.block.text))
  )
  if (lacksItems(blocks, offers)) return []
  return [...Map.groupBy(joinPrices(unambiguousOffers), ({ offer }) => offer.product.toLowerCase()).values()]
    .filter((sameNamed) => new Set(sameNamed.map(({ offer }) => offer.pricing)).size === 1)
    .flatMap(([first]) => first ?? [])
}

/** Whether a cell is a price, with its currency or under a column of prices. */
const isPriceCell = (cell: string, column: string): boolean =>
  pricePattern.test(cell) || (priceColumn.test(column) && /^(?:from |ab |dès |desde )?\d[\d.,' –-]*$/iu.test(cell))

/** A row of a table with its prices, each with its column where there are several: "Day $165, Week $495". */
const pricedRow = (cells: ReadonlyArray<string>, columns: ReadonlyArray<string>): ReadonlyArray<Offer> => {
  const columnOf = (index: number) => columns[index] ?? ""
  const priceIndexes = [...cells.keys()].filter((index) => isPriceCell(cells[index] ?? "", columnOf(index)))
  const product = cells.find((_, index) => !codeColumn.test(columnOf(index)) && !priceIndexes.includes(index)) ?? ""
  // Of prices of several years the last is the newest.
  const currentIndexes = priceIndexes.filter((index) => !irrelevantPrice.test(columnOf(index).replace(taxNote, "")))
  const shownIndexes = currentIndexes.length > 0 ? currentIndexes : priceIndexes.slice(-1)
  const pricing = shownIndexes
    .map((index) => {
      const price = completePrice(cells[index] ?? "", columnOf(index)) ?? cells[index] ?? ""
      return shownIndexes.length > 1 || (currentIndexes.length === 0 && columnOf(index) !== "")
        ? `${columnOf(index)} ${price}`
        : price
    })
    .join(", ")
  return pricing === "" || notProductLine.test(product) || !isProductName(product, true) ? [] : [{ product, pricing }]
}

/** Money in currencies and words that no price is filled with. */
const looseMoney = /(?:Rs\.?|R|C\$|kr|¥|zł) ?\d|\d ?(?:lakh|million)\b/u

/** What lists name without prices, and whatever has a name and a price, for a person to pick from. */
export const findAllOffers = (blocks: ReadonlyArray<Block>): ReadonlyArray<Offer> => [
  ...blocks.flatMap((block) => (isThirdParty(block) ? [] : (unpricedOffer(block) ?? []))),
  ...findAllPricedItems(blocks)
]

const findAllPricedItems = (blocks: ReadonlyArray<Block>): ReadonlyArray<Offer> =>
  blocks
    .filter(({ topic }) => topic === undefined || topic === "core_products" || topic === "faq")
    .flatMap(({ cells, columns, kind, text }) => {
      const [, name, pricing] = dottedLine.exec(text) ?? []
      if (name !== undefined && pricing !== undefined) {
        return notProductLine.test(name) ? [] : [{ product: name.replace(/^[\d.]+\s+/, ""), pricing }]
      }
      const parse = (line: string) => parseOffer(line, separatedPrice) ?? parseOffer(line, priceBesideName) ?? []
      if (kind !== "row") return parse(text)
      if (columns.length > 0) return pricedRow(cells, columns)
      const [product = "", price = "", ...otherCells] = cells
      if (otherCells.length === 0 && looseMoney.test(price) && isProductName(product, true))
        return [{ product, pricing: price }]
      return parseOffer(cells.join(": "), separatedPrice) ?? cells.flatMap(parse)
    })
