// layers/generator/builtin/Synthetic.ts: people a campaign could write to if they existed. Every domain is under
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
  /** An integer from 0 to below `below`, which is at least 1. */
  next(below: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let hash = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    hash ^= hash + Math.imul(hash ^ (hash >>> 7), hash | 61)
    return ((hash ^ (hash >>> 14)) >>> 0) % below
  }
  of<A>(items: ReadonlyArray<A>): A | undefined {
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
export const contactDetails = (first_name: string, last_name: string, house: string) => ({
  email: `${asciiSlug(first_name)}.${asciiSlug(last_name)}@${asciiSlug(house)}.example`,
  linkedin_url: `https://linkedin.example/in/${asciiSlug(first_name)}-${asciiSlug(last_name)}`,
  company_website: `https://www.${asciiSlug(house)}.example`
})

/** Picks one size from a range such as "200 to 2,000 employees". */
const companySize = (range: string, picker: Picker): string =>
  range.replace(/(\d[\d,]*)\s*(?:-|\u2013|to|bis)\s*(\d[\d,]*)/, (whole, from: string, to: string) => {
    const [low, high] = [from, to].map((each) => Number(each.replaceAll(",", "")))
    if (low === undefined || high === undefined || low >= high) return whole
    // Picks from the lower half of the range, where most companies are.
    const size = low + picker.next(1 + Math.floor((high - low) / 2))
    const step = 10 ** Math.max(0, Math.floor(Math.log10(size + 1)) - 1)
    return Math.max(low, Math.floor(size / step) * step).toLocaleString("en-GB")
  })

export const syntheticLeads = (campaign: Campaign, count: number, seed: string): ReadonlyArray<SyntheticLead> => {
  const { audience, profile } = campaign
  const picker = new Picker(seed)
  const taken = new Set<string>()
  /** Picks a value that was not picked before, as long as there is one. */
  const fresh = (items: ReadonlyArray<string>): string => {
    if (items.every((item) => taken.has(item))) for (const item of items) taken.delete(item)
    const one = picker.of(items.filter((item) => !taken.has(item))) ?? ""
    taken.add(one)
    return one
  }
  const regions = regionsForSegment(audience, profile)
  const places = placesIn(audience.geographic_location)
  const trades = companySuffixesFor(audience)
  const titles = syntheticTitles(campaign)
  const domains = new Set<string>()
  // A synthetic company must not have the name of the sender or of a company that the profile mentions.
  const profileText = JSON.stringify(profile).toLowerCase()
  const from = picker.next(regions.length)
  return Array.from({ length: count }, (_, index): SyntheticLead => {
    const region = regions[(from + index) % regions.length] ?? regions[0]
    const first_name = fresh(region.first)
    const last_name = fresh(region.last)
    const companyStem = fresh(region.stems.filter((stem) => !profileText.includes(stem.toLowerCase()))) || "Millhaven"
    const trade = fresh(trades)
    const name = asciiSlug(`${companyStem}${trade}`)
    // Repeated names get a number.
    const domain = `${name}${domains.has(name) ? index : ""}`
    domains.add(name)
    return {
      first_name,
      last_name,
      title: fresh(titles),
      company: `${companyStem} ${trade}${isIncorporated(trade) ? ` ${picker.of(region.legalForms) ?? ""}` : ""}`,
      ...contactDetails(first_name, last_name, domain),
      industry: audience.industry_vertical.trim() || audience.segment_name.trim() || trade,
      company_size: companySize(audience.company_size.trim() || "10 to 200 employees", picker),
      location: fresh(places.length > 0 ? places : region.cities)
    }
  })
}
