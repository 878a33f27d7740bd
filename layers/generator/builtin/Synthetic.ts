// layers/generator/builtin/Synthetic.ts: invents leads for a campaign. Every domain is under
// `.example`, which is reserved.
import type { Campaign, SyntheticLead } from "#layers/generator/Brief.ts"
import { placesIn, regionsForSegment } from "#layers/generator/builtin/synthetic/Regions.ts"
import { syntheticTitles } from "#layers/generator/builtin/synthetic/SyntheticTitles.ts"
import { isIncorporated, companySuffixesFor } from "#layers/generator/builtin/synthetic/CompanySuffixes.ts"
import { hash } from "#layers/text/Hash.ts"

/** A sequence of numbers from a seed; the same seed gives the same sequence. */
class Picker {
  #state: number
  constructor(seed: string) {
    this.#state = hash(seed)
  }
  /** An integer from 0 up to, but not including, `limit`, which is at least 1. */
  next(limit: number): number {
    // The generator mulberry32.
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit
  }
  pickItem<A>(items: ReadonlyArray<A>): A | undefined {
    return items.length === 0 ? undefined : items[this.next(items.length)]
  }
}

/** The lower-case letters for an address. */
export const asciiSlug = (text: string): string =>
  text
    .replace(/ł/gi, "l")
    .replace(/ø/gi, "o")
    .replace(/&/g, "and")
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "")

/** The address and URLs of a synthetic person, all under reserved `.example` domains. */
export const contactDetails = (first_name: string, last_name: string, company: string) => ({
  email: `${asciiSlug(first_name)}.${asciiSlug(last_name)}@${asciiSlug(company)}.example`,
  linkedin_url: `https://linkedin.example/in/${asciiSlug(first_name)}-${asciiSlug(last_name)}`,
  company_website: `https://www.${asciiSlug(company)}.example`
})

/** Picks one size from a range such as "200 to 2,000 employees". */
const companySize = (range: string, picker: Picker): string =>
  range.replace(/(\d[\d,]*)\s*(?:-|\u2013|to|bis)\s*(\d[\d,]*)/, (match, lowText: string, highText: string) => {
    const [low, high] = [lowText, highText].map((text) => Number(text.replaceAll(",", "")))
    if (low === undefined || high === undefined || low >= high) return match
    // Picks from the lower half of the range, where most companies are.
    const size = low + picker.next(1 + Math.floor((high - low) / 2))
    const step = 10 ** Math.max(0, Math.floor(Math.log10(size + 1)) - 1)
    return Math.max(low, Math.floor(size / step) * step).toLocaleString("en-GB")
  })

export const syntheticLeads = (campaign: Campaign, count: number, seed: string): ReadonlyArray<SyntheticLead> => {
  const { audience, profile } = campaign
  const picker = new Picker(seed)
  const usedValues = new Set<string>()
  /** Picks a value that was not picked before, as long as there is one. */
  const pickUnused = (items: ReadonlyArray<string>): string => {
    if (items.every((item) => usedValues.has(item))) for (const item of items) usedValues.delete(item)
    const value = picker.pickItem(items.filter((item) => !usedValues.has(item))) ?? ""
    usedValues.add(value)
    return value
  }
  const regions = regionsForSegment(audience, profile)
  const places = placesIn(audience.geographic_location)
  const trades = companySuffixesFor(audience)
  const titles = syntheticTitles(campaign)
  const domains = new Set<string>()
  // A synthetic company must not have the name of the sender or of a company that the profile mentions.
  const profileText = JSON.stringify(profile).toLowerCase()
  const firstRegion = picker.next(regions.length)
  return Array.from({ length: count }, (_, index): SyntheticLead => {
    const region = regions[(firstRegion + index) % regions.length] ?? regions[0]
    const first_name = pickUnused(region.first)
    const last_name = pickUnused(region.last)
    const companyStem =
      pickUnused(region.stems.filter((stem) => !profileText.includes(stem.toLowerCase()))) || "Millhaven"
    const trade = pickUnused(trades)
    const companySlug = asciiSlug(`${companyStem}${trade}`)
    // Repeated names get a number.
    const domain = `${companySlug}${domains.has(companySlug) ? index : ""}`
    domains.add(companySlug)
    return {
      first_name,
      last_name,
      title: pickUnused(titles),
      company: `${companyStem} ${trade}${isIncorporated(trade) ? ` ${picker.pickItem(region.legalForms) ?? ""}` : ""}`,
      ...contactDetails(first_name, last_name, domain),
      industry: audience.industry_vertical.trim() || audience.segment_name.trim() || trade,
      company_size: companySize(audience.company_size.trim() || "10 to 200 employees", picker),
      location: pickUnused(places.length > 0 ? places : region.cities)
    }
  })
}
