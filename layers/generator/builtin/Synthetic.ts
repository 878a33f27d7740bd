// layers/generator/builtin/Synthetic.ts: people a campaign could write to if they existed. Every domain is under `.example`,
// which nobody can own.
import { names } from "#layers/generator/builtin/Markdown.ts"
import { upperFirst } from "#layers/generator/builtin/Phrases.ts"
import { regionOf } from "#layers/generator/builtin/Regions.ts"
import { Picker } from "#layers/generator/builtin/Template.ts"
import { type Role, roleOf } from "#layers/generator/Roles.ts"
import { hash } from "#layers/generator/Text.ts"
import type { Campaign, SyntheticLead } from "#layers/Generator.ts"

const usual: Readonly<Record<Role, ReadonlyArray<string>>> = {
  logistics: ["Logistics Manager", "Head of Supply Chain", "Shipping Manager"],
  finance: ["Finance Director", "CFO", "Financial Controller"],
  operations: ["Operations Manager", "COO", "Head of Operations"],
  purchasing: ["Purchasing Manager", "Head of Procurement", "Senior Buyer"],
  owner: ["Owner", "Managing Director", "CEO"],
  sales: ["Sales Director", "Head of Sales", "Commercial Manager"],
  marketing: ["Marketing Manager", "Head of Marketing", "CMO"],
  it: ["IT Manager", "CTO", "Head of IT"],
  hr: ["HR Manager", "Head of People", "HR Director"],
  legal: ["General Counsel", "Head of Legal", "Compliance Manager"],
  maintenance: ["Plant Manager", "Maintenance Manager", "Reliability Engineer"],
  education: ["Headteacher", "School Business Manager", "Deputy Head"],
  health: ["Practice Manager", "Clinical Director", "Practice Owner"],
  other: ["Managing Director", "Operations Manager", "Finance Director"]
}

const trades: ReadonlyArray<readonly [RegExp, ReadonlyArray<string>]> = [
  [/hotel|hospitality|resort/i, ["Hotels", "Hotel", "Inns"]],
  [/restaurant|cater|caf[eé]s?\b|bakeri/i, ["Kitchens", "Catering", "Foods"]],
  [/freight|logist|shipping|transport|warehous|haul/i, ["Logistics", "Freight", "Transport"]],
  [/import|export|wholesale|trading|distribut/i, ["Trading", "Imports", "Supply"]],
  [/software|saas|technolog|digital|cloud|\bdata\b/i, ["Software", "Systems", "Digital"]],
  [/dental|dentist/i, ["Dental", "Dental Care"]],
  [/clinic|health|medical|hospital|pharma|care\b/i, ["Health", "Medical", "Care"]],
  [/school|educat|universit|academ|training/i, ["School", "Academy", "College"]],
  [/law\b|legal|solicitor|attorney/i, ["Legal", "Law"]],
  [/account|bookkeep|financ|bank|insur/i, ["Finance", "Advisory", "Accountants"]],
  [/real estate|property|letting|landlord/i, ["Property", "Estates", "Homes"]],
  [/construct|builder|contractor|architect/i, ["Construction", "Building", "Contractors"]],
  [/mine\b|mines\b|mining|quarr|aggregat/i, ["Minerals", "Quarries", "Mining"]],
  [/energy|solar|utilit|water|power/i, ["Energy", "Utilities", "Power"]],
  [/farm|agri|dairy|grower/i, ["Farms", "Produce", "Growers"]],
  [/food|beverage|drink|brew/i, ["Foods", "Provisions", "Drinks"]],
  [/retail|shop|store|e-?commerce|fashion/i, ["Retail", "Stores", "Goods"]],
  [/agenc|marketing|media|advertis|design/i, ["Media", "Studio", "Creative"]],
  [/manufact|factor|plant|engineer|machin|industr|pump|maker/i, ["Manufacturing", "Engineering", "Works"]],
  [/recruit|staff|consult|advis|service/i, ["Consulting", "Services", "Advisory"]]
]

const anyTrade = ["Services", "Industries", "Partners"]

/** "Owners and plant managers" → "Owners", "plant managers"; "Maintenance and plant managers" share their last word. */
const parted = (title: string): ReadonlyArray<string> => {
  const parts = title.split(/\s+(?:and|or|&)\s+/i)
  const shared = /\S\s+(\S+s)$/.exec(parts.at(-1) ?? "")?.[1]
  return parts.map((part, at) => {
    const whole = at === parts.length - 1 || shared === undefined || /\s|[^s]s$/.test(part)
    return whole && !/^(?:sales|operations|logistics)$/i.test(part) ? part : `${part} ${shared ?? ""}`.trim()
  })
}

/** One person of a plural: "Plant directors" → "Plant director", "Heads of HR" → "Head of HR". */
const single = (title: string): string => {
  const one = title.replace(/^(\w{3,})s(?= (?:of|for)\b)/, "$1")
  if (one !== title || /(?:ss|us|is|les|ics|ons|rces)$|\b(?:of|for)\b/i.test(title)) return upperFirst(one)
  return upperFirst(title.replace(/ies$/i, "y").replace(/(?<=\p{L}{3})s$/iu, ""))
}

const crowd = /^managers$|\b(?:leaders?|leadership|staff|people|teams?|professionals|executives|decision[ -]makers?)$/i

/** Whom the segment names, or else the profile; words for nobody in particular stand for a role. */
const titlesOf = ({ audience, profile }: Campaign): ReadonlyArray<string> => {
  const named = [[audience.decision_makers].flat(), [profile.target_job_titles ?? ""]].map((texts) =>
    texts
      .flatMap(names)
      .flatMap((title) => (/ (?:of|for) /i.test(title) ? [title] : parted(title)))
      .filter((title) => title.length > 1 && title.length <= 60 && !/[{}<>[\]=@|]|https?:|\d{3}/.test(title))
  )
  const chosen = named.find((titles) => titles.length > 0) ?? []
  const found = chosen.flatMap((title) => (crowd.test(title) ? usual[roleOf(title)] : [single(title)]))
  return found.length > 0 ? [...new Set(found)] : usual.other
}

/** Lower-case letters of an address. */
const bare = (text: string): string =>
  text
    .replace(/ł/gi, "l")
    .replace(/ø/gi, "o")
    .replace(/&/g, "and")
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "")

/** The items in an order of the picker's, each once; more than there are start over. */
const dealt = <A>(items: ReadonlyArray<A>, count: number, picker: Picker): ReadonlyArray<A> => {
  const left: Array<A> = []
  return Array.from({ length: items.length === 0 ? 0 : count }).flatMap(() => {
    if (left.length === 0) left.push(...items)
    return left.splice(picker.next(left.length), 1)
  })
}

export const syntheticLeads = (campaign: Campaign, count: number, seed: string): ReadonlyArray<SyntheticLead> => {
  const { audience, profile } = campaign
  const picker = new Picker(hash(seed))
  const region = regionOf(audience.geographic_location, audience.segment_name, profile.city_region ?? "")
  const tradeIn = (text: string) => trades.find(([pattern]) => pattern.test(text))?.[1]
  const trade = tradeIn(audience.industry_vertical) ?? tradeIn(audience.segment_name) ?? anyTrade
  // Whoever is made up must be neither us nor anybody we know of.
  const real = JSON.stringify(profile).toLowerCase()
  const stems = region.stems.filter((stem) => !real.includes(stem.toLowerCase()))
  const firsts = dealt(region.first, count, picker)
  const lasts = dealt(region.last, count, picker)
  const houses = dealt(stems, count, picker)
  const lines = dealt(trade, count, picker)
  const titles = dealt(titlesOf(campaign), count, picker)
  const cities = dealt(region.cities, count, picker)
  return firsts.map((first_name, at): SyntheticLead => {
    const last_name = lasts[at] ?? ""
    const company = `${houses[at] ?? "Millhaven"} ${lines[at] ?? ""} ${picker.of(region.forms) ?? ""}`.trim()
    // What would come round again is told apart by its number.
    const again = at < stems.length ? "" : String(at)
    const domain = `${bare(`${houses[at] ?? "Millhaven"}${lines[at] ?? ""}`)}${again}.example`
    return {
      email: `${bare(first_name)}.${bare(last_name)}@${domain}`,
      first_name,
      last_name,
      title: titles[at] ?? "Managing Director",
      company,
      linkedin_url: `https://linkedin.example/in/${bare(first_name)}-${bare(last_name)}`,
      company_website: `https://www.${domain}`,
      industry: audience.industry_vertical.trim() || audience.segment_name.trim(),
      company_size: audience.company_size.trim() || `${(1 + picker.next(20)) * 10} employees`,
      location: cities[at] ?? ""
    }
  })
}
