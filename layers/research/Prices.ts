// layers/research/Prices.ts: what is sold, and for how much.
import type { Block, Said } from "#layers/research/Blocks.ts"
import { labelled } from "#layers/research/Topics.ts"

export interface Offer {
  readonly product: string
  readonly pricing: string
}

const currency =
  "(?:EUR|USD|GBP|CHF|PLN|SEK|NOK|DKK|CZK|HUF|CAD|AUD|NZD|JPY|INR|SGD|ZAR|US\\$|C\\$|A\\$|€|\\$|£|¥|₹|zł|kr|Kč)"
const amount = "\\d{1,3}(?:[ ,.'’]\\d{3})*(?:[.,]\\d{1,2})?(?:\\s?(?:k|m|million|thousand)\\b)?|\\d+(?:[.,]\\d{1,2})?"
const money = `(?:${currency}\\s?(?:${amount})|(?:${amount})\\s?(?:${currency})(?![\\p{L}]))`
const unit =
  "(?:\\s*(?:/|per|an?\\b|every)\\s*[\\p{L}\\d²³-]+(?:\\s(?:and|per|/)\\s?[\\p{L}\\d²³-]+)?|\\s*(?:monthly|yearly|annually|weekly|p\\.\\s?[am]\\.|pcm|each|once|one-off|flat|net|plus VAT|\\+ VAT|ex\\. VAT))*"
/** A price as it is written: from what, to what, for what. */
const price = new RegExp(
  `(?:(?:prices? )?(?:from|starting (?:at|from)|starts at|up to|about|approx\\.?|between|ab)\\s+)?${money}(?:\\s?(?:-|–|to|and)\\s?(?:${money}|${amount}))?${unit}`,
  "iu"
)
const words =
  /\b(?:price on request|on request|on quotation|by quotation|quote on request|custom (?:pricing|quote)|contact us for (?:pricing|a quote)|included|free of charge)\b/i

const priceIn = (text: string): string | undefined => price.exec(text)?.[0]?.trim().replace(/\s+/g, " ")

export const hasMoney = (text: string) => new RegExp(money, "iu").test(text)

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

/** One line of a price list: a name, perhaps words, perhaps a price. */
const offerIn = (line: string): Offer | undefined => {
  const found = price.exec(line)
  const pricing = found?.[0] ?? words.exec(line)?.[0] ?? ""
  const place = found?.index ?? words.exec(line)?.index ?? line.length
  const product = nameIn(place > 2 ? line.slice(0, place) : line.slice(place + pricing.length))
  if (product.length < 2 || product.length > 120 || /^(?:we|you|our|they|it|if|and)\b/i.test(product)) return undefined
  return { product, pricing: trimmed(pricing.replace(/\s+/g, " ")) }
}

/** Words of a column or a heading that is no product. */
const notProduct =
  /^(?:(?:price|pricing|total|plan|product|service|name|item|overview|note|faq|contact|term|payment|vat|delivery|shipping)s?|(?:all )?prices? .*|why .*|what .*|how .*)$/i

const column = (columns: ReadonlyArray<string>, pattern: RegExp) => columns.findIndex((name) => pattern.test(name))

const fromRow = ({ cells, columns, topic }: Block): Offer | undefined => {
  const priceAt = column(columns, /price|pricing|cost|fee|rate|per month|monthly|eur|usd|gbp/i)
  const nameAt = Math.max(0, column(columns, /product|service|plan|package|item|name|course|treatment/i))
  const fits = priceAt >= 0 || topic === "products"
  const pricing = priceAt >= 0 ? (cells[priceAt] ?? "") : (cells.find((cell) => priceIn(cell) !== undefined) ?? "")
  const product = cells[nameAt] ?? ""
  if (!fits || product === "" || product === pricing || notProduct.test(product) || product.length > 120)
    return undefined
  return { product, pricing }
}

const costs = new RegExp(
  `^(?:The |Our |An? )?([\\p{Lu}\\d][\\p{L}\\p{N} '’&+/-]{1,60}?)\\s+(?:costs?|starts? (?:at|from)|is priced at|is|are|comes? at|sells? (?:for|at))\\s+(?:only |just )?(?=(?:from )?${money})`,
  "u"
)

/** All that is sold, in the order of the text. */
export const offers = (all: ReadonlyArray<Block>, sentences: ReadonlyArray<Said>): ReadonlyArray<Offer> => {
  const found = new Map<string, Offer>()
  const add = (offer: Offer | undefined) => {
    if (offer === undefined || notProduct.test(offer.product)) return
    const key = offer.product.toLowerCase()
    const known = found.get(key)
    if (known === undefined || (known.pricing === "" && offer.pricing !== "")) found.set(key, offer)
  }
  for (const [at, block] of all.entries()) {
    const topical = block.topic === "products"
    if (block.kind === "row") add(fromRow(block))
    else if (block.kind === "point") {
      const label = labelled(block.text)
      if (label !== undefined && label.label !== "core_products") continue
      if (
        topical ||
        (block.topic === undefined && price.test(block.text) && (price.exec(block.text)?.index ?? 0) < 90)
      ) {
        add(offerIn(block.text))
      }
    } else if (block.kind === "paragraph" && topical) {
      // "Basic ..... EUR 29": a price list without marks. A sentence is none.
      const place = price.exec(block.text)?.index
      if (
        place !== undefined &&
        place > 2 &&
        place < 80 &&
        block.text.length < 140 &&
        !/(?<!\.)[.!?]\s+\p{Lu}/u.test(block.text)
      ) {
        if (!costs.test(block.text)) add(offerIn(block.text))
      }
    } else if (block.kind === "heading") {
      // "### Basic", and its price below.
      const above = all.slice(0, at).findLast((other) => other.kind === "heading" && other.level < block.level)
      if (block.topic !== undefined || above?.topic !== "products") continue
      const rest = all.slice(at + 1)
      const end = rest.findIndex((other) => other.kind === "heading")
      const below = (end === -1 ? rest : rest.slice(0, end)).slice(0, 6).map((other) => other.text)
      const own = offerIn(block.text)
      add({
        product: own?.product ?? block.text,
        pricing:
          own?.pricing ||
          below.map((each) => priceIn(each) ?? words.exec(each)?.[0]).find((each) => each !== undefined) ||
          ""
      })
    }
  }
  for (const { block, text } of sentences) {
    const given = labelled(text)
    if (given?.label === "core_products") {
      for (const part of given.value.split(/[,;](?!\d)\s*|\s+and\s+(?=\p{Lu})/u)) add(offerIn(part.replace(/\.$/, "")))
      continue
    }
    const product = costs.exec(text)?.[1]
    if (
      block.topic === "cases" ||
      product === undefined ||
      /^(?:It|This|That|They|There|We|You|Prices?|Shipping|Delivery)\b/.test(product)
    )
      continue
    add({ product: product.trim(), pricing: priceIn(text) ?? "" })
  }
  return [...found.values()]
}
