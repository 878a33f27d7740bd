// layers/generator/builtin/Segments.ts: whom a business could write to, by department and by product.
import type { Department } from "#layers/generator/routing/Departments.ts"
import { readTitle } from "#layers/generator/routing/ReadTitle.ts"
import { names, points } from "#layers/text/Markdown.ts"
import { words } from "#layers/text/Words.ts"
import { String } from "effect"
import type { Segment } from "#schema/Audiences.ts"
import type { Details } from "#schema/Details.ts"

const places: ReadonlyArray<readonly [RegExp, string]> = [
  [/\bEurope(?:an)?\b/, "Europe"],
  [/\b(?:UK|United Kingdom|British|Britain)\b/, "United Kingdom"],
  [/\bEngland|English\b/, "England"],
  [/\b(?:US|USA|United States|American)\b/, "United States"],
  [/\b(?:Germany|German|DACH)\b/, "Germany"],
  [/\b(?:Netherlands|Dutch)\b/, "Netherlands"],
  [/\b(?:Poland|Polish)\b/, "Poland"],
  [/\b(?:France|French)\b/, "France"],
  [/\b(?:Spain|Spanish)\b/, "Spain"],
  [/\b(?:Italy|Italian)\b/, "Italy"],
  [/\b(?:Ireland|Irish)\b/, "Ireland"]
]

const amount = "\\d[\\d.,]{0,20}(?: ?(?:-|to|\u2013) ?\\d[\\d.,]{0,20})?\\+?"
const size = new RegExp(`(?:${amount})(?: [\\p{L}-]+){1,4}(?= with| and|,|\\.|;|$)|team of ${amount} people`, "u")
const revenue =
  /(?:(?:EUR|USD|GBP|\u20ac|\$|\u00a3) ?\d[\d.,]*(?: ?(?:-|to) ?\d[\d.,]*)? ?(?:k|m|bn|million|billion)?[^,.;]{0,20}(?:revenue|turnover|sales)|(?:revenue|turnover)[^,.;]{0,40}\d[^,.;]*)/i

/** Whom the profile describes in a few words of its own; empty where it takes more than a few to say. */
const buyers = (profile: Details): string => {
  const first =
    (profile.ideal_client_description ?? "").split(/\b(?: that | who | which | with | whose |\(|;|\.(?= |$)|:)/)[0] ??
    ""
  const described = first.trim()
  return described !== "" && words(described).length <= 8 ? described : ""
}

const departmentNames: Readonly<Partial<Record<Department, string>>> = {
  leadership: "Owners and managing directors",
  maintenance: "Maintenance managers",
  logistics: "Logistics and supply chain leaders",
  procurement: "Purchasing leaders",
  software: "Software leaders",
  it: "IT leaders",
  hr: "People and HR leaders",
  ecommerce: "E-commerce leaders",
  support: "Customer service leaders",
  healthcare: "Practice managers and clinicians",
  education: "School leaders and staff",
  administration: "Office and practice managers",
  public: "Public officers"
}

const nameOf = (department: Department | null) =>
  department === null ? "Decision makers" : (departmentNames[department] ?? `${String.capitalize(department)} leaders`)

type Product = NonNullable<Details["core_products"]>[number]

const notes = (...lines: ReadonlyArray<readonly [string, ReadonlyArray<string>]>): string | null => {
  const said = lines.flatMap(([title, items]) =>
    items.length === 0 ? [] : [`${title}: ${items.map((item) => item.replace(/\.$/, "")).join("; ")}.`]
  )
  return said.length === 0 ? null : said.join("\n").slice(0, 10_000)
}

const known = (text: string): string | undefined => places.find(([pattern]) => pattern.test(text))?.[1]

/** Where we are says nothing of where clients are; "for firms in Ireland" does. */
const placeOf = ({ business_description, ideal_client_description }: Details): string => {
  const named = known(ideal_client_description ?? "")
  if (named !== undefined) return named
  const [, placed = ""] =
    /\b(?:for|to|help|helps) [^.]*?\b(?:in|across) (?:the )?(\p{Lu}\p{L}+(?: \p{Lu}\p{L}+)?)/u.exec(
      business_description ?? ""
    ) ?? []
  return known(placed) ?? placed
}

export const segments = (profile: Details): ReadonlyArray<Segment> => {
  const ideal = profile.ideal_client_description ?? ""
  const who = buyers(profile)
  const base = {
    industry_vertical: who,
    company_size: size.exec(ideal)?.[0].trim() ?? "",
    annual_revenue: revenue.exec(ideal)?.[0].trim() ?? "",
    geographic_location: placeOf(profile)
  }
  const titles = names(profile.target_job_titles)
  const fit = ideal.trim() === "" ? [] : [ideal.trim()]
  const trouble = ["What they put up with", points(profile.pain_points)] as const
  const solved = ["What is solved for them", points(profile.problems_solved)] as const

  const ofDepartment = (department: Department | null, decision_makers: ReadonlyArray<string>): Segment => ({
    ...base,
    segment_name: `${nameOf(department)}${who === "" ? "" : ` at ${who}`}`,
    decision_makers,
    additional_details: notes(["Who they are", fit], trouble, solved)
  })

  const ofProduct = ({ pricing, product }: Product): Segment => ({
    ...base,
    segment_name: `Buyers of ${product.trim()}`,
    decision_makers: titles.length > 1 ? titles.slice(0, 20) : (titles[0] ?? ""),
    additional_details: notes(
      ["What they would buy", [pricing.trim() === "" ? product : `${product}, ${pricing}`]],
      ["Who they are", fit],
      solved
    )
  })

  const found = new Map<string, Segment>()
  /** Adds segments of new names until there are `most`. */
  const add = (most: number, some: ReadonlyArray<Segment>) => {
    for (const segment of some)
      if (found.size < most && !found.has(segment.segment_name)) found.set(segment.segment_name, segment)
  }
  const everyone: Segment = {
    ...ofDepartment(null, titles),
    segment_name: who === "" ? "All decision makers" : `All decision makers at ${who}`
  }
  const departments = Map.groupBy(titles, (title) => readTitle(title).department)
  if (titles.length > 0) add(1, [everyone])
  if (departments.size > 1)
    add(
      4,
      [...departments].map(([department, some]) => ofDepartment(department, some))
    )
  add(6, (profile.core_products ?? []).filter(({ product }) => product.trim() !== "").map(ofProduct))
  add(
    3,
    (["leadership", "operations", "finance"] as const).map((department) =>
      ofDepartment(department, [nameOf(department)])
    )
  )
  return [...found.values()]
}
