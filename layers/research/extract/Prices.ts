// layers/research/extract/Prices.ts: what is sold, and for how much.
import { Array as Arr } from "effect"
import { type Block, isOfOthers } from "#layers/research/extract/Blocks.ts"
import { labelled } from "#layers/research/extract/Labels.ts"
import { isComplete } from "#layers/research/extract/Lines.ts"
import { type Topic, topicOf } from "#layers/research/extract/Topics.ts"
import { sentences } from "#layers/text/Words.ts"

interface Offer {
  readonly product: string
  readonly pricing: string
}

const currency =
  "(?:EUR|USD|GBP|CHF|PLN|SEK|NOK|DKK|CZK|HUF|CAD|AUD|NZD|JPY|INR|SGD|ZAR|US\\$|C\\$|A\\$|euros?|€|\\$|£|¥|₹|zł|kr|Kč)"
const amount =
  "\\d{1,3}(?:[ ,.'’]\\d{3})*(?:[.,]\\d{1,2})?(?:,-)?(?:\\s?(?:k|m|million|thousand)\\b)?|\\d+(?:[.,]\\d{1,2})?(?:,-)?"
const money = `(?:${currency}\\s?(?:${amount})|(?<![\\p{L}\\d.,])(?:${amount})\\s?(?:${currency})(?![\\p{L}]| ?\\d))`
const unit =
  "(?:\\s*(?:/|per|pro|par|je|an?\\b|every)\\s*[\\p{L}\\d²³-]+(?:[., ]\\d{3})*(?:\\s(?:and|per|/)\\s?[\\p{L}\\d²³-]+)?|\\s*(?:monthly|yearly|annually|weekly|p\\.\\s?[am]\\.|pcm|each|once|one-off|flat|net|plus VAT|\\+ VAT|ex\\. VAT))*"
/** A price as it is written: from what, to what, for what. */
const price = new RegExp(
  `(?:(?:prices? )?(?:from|starting (?:at|from)|starts at|up to|about|approx\\.?|between|ab|od|dès|vanaf)\\s+)?${money}(?:\\s?(?:-|–|to|and)\\s?(?:${money}|${amount}))?${unit}`,
  "iu"
)
const words =
  /(?<!\p{L})(?:price on request|on request|auf anfrage|sur demande|sur devis|on quotation|by quotation|quote on request|custom (?:pricing|quote)|contact us for (?:pricing|a quote)|included|free of charge|free (?:for|with) [\p{L} ]{3,40}(?=[).]|$))/iu

const priceIn = (text: string): string | undefined => price.exec(text)?.[0]?.trim().replace(/\s+/g, " ")

const anyMoney = new RegExp(money, "iu")
export const hasMoney = (text: string) => anyMoney.test(text)

const trimmed = (text: string) =>
  text
    .replace(/^[\s,;:.–—|()[\]-]+|[\s,;:–—|([\]-]+$/gu, "")
    .replace(/\.{2,}.*$/, "")
    .replace(/\((?![^)]*\))/g, "")
    .trim()

/** A name of what is sold, as one would say it: without what explains it. */
const nameIn = (text: string) => {
  const before = trimmed(text.split(/\s[–—]\s|\s-\s|:\s|\.{3,}|\s{3,}|(?<=\p{L}{2})\.\s/u)[0] ?? "")
  const short = before.length > 70 ? trimmed(before.split(/[,(]/)[0] ?? "") : before
  return short
    .replace(/\s+(?:costs?|is|are|at|for|from|starts?(?: at)?|starting|priced(?: at)?|only|just)$/i, "")
    .trim()
}

/** How a sentence begins or breaks off, or an amount of time: no name of what is sold. */
const notNamed =
  /^(?:we|you|our|they|it|if|and|free|when|why|how|what)\b|^\d+ (?:minutes?|hours?|days?|weeks?|months?|years?)\b|\b(?:of|for|to|in|by|with|under|above|spent|saved?|paid|pays?|avoided|sold|won|revenue|turnover|sales|profit|savings|salary|budget|discount)$/i
/** No price that a stranger is told. */
const isMillions = (pricing: string) => /\d\s?(?:m|million)\b/i.test(pricing)

/** One line of a price list: a name, perhaps words, perhaps a price. */
const offerIn = (line: string): Offer | undefined => {
  const found = price.exec(line)
  const pricing = found?.[0] ?? words.exec(line)?.[0] ?? ""
  const place = found?.index ?? words.exec(line)?.index ?? line.length
  const product = nameIn(place > 2 ? line.slice(0, place) : line.slice(place + pricing.length))
  if (product.length < 2 || product.length > 120 || notNamed.test(product) || isMillions(pricing)) return undefined
  return { product, pricing: trimmed(pricing.replace(/\s+/g, " ")) }
}

/** Words of a column or a heading that is no product. */
const notProduct =
  /^(?:(?:price|pricing|total|plan|product|service|name|item|overview|note|faq|contact|term|payment|vat|delivery|shipping|trade discount|add-?on|extra|basket.*|cart.*|subtotal|deposit)s?|(?:travel|surcharges?|cancellation|fuel|shipping|delivery|postage|minimum|late|bank|savings?|total|discount|disbursements|anfahrt|versand|livraison|frais)\b.*|(?:all )?prices? .*|why .*|what .*|how .*)$/i

const column = (columns: ReadonlyArray<string>, pattern: RegExp) => columns.findIndex((name) => pattern.test(name))

/** Where money is a customer's or another's. */
const elsewhere: ReadonlySet<Topic | undefined> = new Set(["cases", "clients", "competitors", "guarantee"] as const)

const fromRow = ({ cells, columns, topic }: Block): Offer | undefined => {
  const priceAt = column(columns, /price|pricing|cost|fee|rate|per month|monthly|eur|usd|gbp|preis|prix|cena/i)
  const nameAt = Math.max(0, column(columns, /product|service|plan|package|item|name|course|treatment/i))
  const priceAlone = cells.findLast((cell) => priceIn(cell)?.length === cell.length)
  const fits = priceAt >= 0 || topic === "products" || (!elsewhere.has(topic) && priceAlone !== undefined)
  const inColumn = cells[priceAt] ?? ""
  const pricing =
    priceAt >= 0
      ? /\d/.test(inColumn) || words.test(inColumn)
        ? inColumn
        : ""
      : (priceAlone ?? cells.find((cell) => priceIn(cell) !== undefined) ?? "")
  const product = cells[nameAt] ?? ""
  if (!fits || product === "" || product === pricing || notProduct.test(product) || product.length > 120)
    return undefined
  return { product, pricing }
}

/** A short line that names and then prices: "Basic ..... EUR 29", "Basic - EUR 29 a month". */
const priced = new RegExp(
  `^(?!.*(?<!\\.)[.!?]\\s+\\p{Lu}.*[.!?]\\s+\\p{Lu})[^@]{2,90}?(?:\\s*[–—:,;.(|]|\\s-|\\.{2,})\\s*(?=${price.source}[).]?$)`,
  "iu"
)

/** "### Basic" under what is sold, with its price in it or in what comes `next`. */
const fromHeading = ({ text, topic, under }: Block, next: ReadonlyArray<Block>): Offer | undefined => {
  if (topic !== undefined || topicOf(under.at(-1) ?? "") !== "products") return undefined
  const own = offerIn(text)
  const below = Arr.takeWhile(next, ({ kind }) => kind !== "heading")
  const pricing = below
    .map((each) => priceIn(each.text) ?? words.exec(each.text)?.[0])
    .find((each) => each !== undefined)
  const known = own?.pricing || pricing || ""
  // A heading without a price may be about anything.
  return known === "" ? undefined : { product: own?.product ?? text, pricing: known }
}

/** Whether a paragraph under what is sold is an offer: a line with its price, or a name alone beside others that have one. */
const isOffer = (text: string, beside: ReadonlyArray<Block | undefined>) => {
  const place = price.exec(text)?.index
  if (place === undefined)
    return (
      /^\p{Lu}[^.!?:@\d]{3,50}$/u.test(text) &&
      beside.some((other) => other?.kind === "paragraph" && priced.test(other.text))
    )
  const isLine = text.length < 140 && !/(?<!\.)[.!?]\s+\p{Lu}/u.test(text)
  return place > 2 && place < 80 && isLine
}

/** "Products: this and that". */
const fromLabel = (block: Block): ReadonlyArray<Offer | undefined> =>
  sentences(block.text).flatMap((sentence) => {
    const given = labelled(sentence)
    if (given?.label !== "core_products") return []
    return given.value.split(/[,;](?!\d)\s*|\s+and\s+(?=\p{Lu})/u).map((part) => offerIn(part.replace(/\.$/, "")))
  })

/** A name that can stand alone: short, and no sentence or torn line. */
const isNamed = ({ pricing, product }: Offer) =>
  isComplete(product) &&
  !notProduct.test(product) &&
  !/\b(?:we|you|your|our|us|please|click|more info)\b/i.test(product) &&
  (pricing !== "" || (product.split(/\s+/).length <= 7 && !/[.!?:]$/.test(product)))

interface FoundOffer {
  readonly offer: Offer
  readonly block: Block
}

/** All that is sold, in the order of the text, each with where it stands. */
export const offers = (all: ReadonlyArray<Block>): ReadonlyArray<FoundOffer> => {
  const found = new Map<string, FoundOffer>()
  const add = (block: Block, offer: Offer | undefined) => {
    if (offer === undefined || !isNamed(offer)) return
    const key = offer.product.toLowerCase()
    const known = found.get(key)?.offer
    if (known === undefined || (known.pricing === "" && offer.pricing !== "")) found.set(key, { offer, block })
  }
  let heading = ""
  for (const [at, block] of all.entries()) {
    const { kind, text, topic } = block
    if (isOfOthers(block)) continue
    if (kind === "row") add(block, fromRow(block))
    else if (kind === "heading") {
      heading = text.toLowerCase()
      add(block, fromHeading(block, all.slice(at + 1, at + 7)))
    } else if (labelled(text) !== undefined) for (const offer of fromLabel(block)) add(block, offer)
    else if (elsewhere.has(topic)) continue
    else if (priced.test(text)) add(block, offerIn(text))
    else if (topic !== "products") continue
    else if (kind === "paragraph") {
      if (isOffer(text, [all[at - 1], all[at + 1]])) add(block, offerIn(text))
    }
    // What stands under an offer of its own heading are its features.
    else if (!found.has(heading) || priceIn(text) !== undefined) add(block, offerIn(text))
  }
  return [...found.values()]
}
