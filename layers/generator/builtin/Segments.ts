// layers/generator/builtin/Segments.ts: who a business could write to, by role, by moment and by product.
import { roleWording } from "#layers/generator/builtin/english/Roles.ts"
import { withArticle } from "#layers/generator/builtin/grammar/Articles.ts"
import { lowerFirst, namesIn, upperFirst } from "#layers/generator/builtin/grammar/Capitals.ts"
import { type Phrase, phrase } from "#layers/generator/builtin/grammar/Phrases.ts"
import { pieces } from "#layers/generator/builtin/grammar/Pieces.ts"
import { type Role, roleOf } from "#layers/generator/Roles.ts"
import { touches } from "#layers/generator/RoleWords.ts"
import { names, points, titleOf } from "#layers/text/Markdown.ts"
import { words } from "#layers/text/Words.ts"
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

/** Whom the profile describes, as a plural that a name can end with. */
const buyers = (profile: Details): string => {
  const first =
    (profile.ideal_client_description ?? "").split(/\b(?: that | who | which | with | whose |\(|;|\.|:)/)[0]?.trim() ??
    ""
  const described = titleOf(words(first).length <= 8 ? first : (first.split(",")[0] ?? ""), 60)
  if (described !== "" && words(described).length <= 8)
    return lowerFirst(described, namesIn(profile.ideal_client_description ?? ""))
  const served =
    /\b(?:for|to|help|helps)\s+((?:[\p{L}-]+ ){0,4}(?:firms|companies|businesses|practices|schools|shops|teams|owners|makers|importers|manufacturers|retailers|clinics|agencies|hotels|restaurants|farms|brands|builders|landlords|plants|mines))\b/u.exec(
      profile.business_description ?? ""
    )?.[1]
  return served ?? ""
}

const roleNames: Readonly<Record<Role, string>> = {
  logistics: "Logistics and supply chain leaders",
  finance: "Finance leaders",
  operations: "Operations leaders",
  purchasing: "Purchasing leaders",
  owner: "Owners and managing directors",
  sales: "Sales leaders",
  marketing: "Marketing leaders",
  it: "IT leaders",
  hr: "People and HR leaders",
  legal: "Legal leaders",
  maintenance: "Maintenance and plant managers",
  education: "School leaders and staff",
  health: "Practice managers and clinicians",
  other: "Managers"
}

type Product = NonNullable<Details["core_products"]>[number]

/** What of a list speaks to a role, or all of it where nothing does. */
const near = (items: ReadonlyArray<string>, role: Role): ReadonlyArray<string> => {
  const fitting = items.filter((item) => touches(item, role))
  return fitting.length > 0 ? fitting : items
}

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
    // The reader's trade is known only where the profile says whom it serves.
    industry_vertical: upperFirst(who),
    company_size: size.exec(ideal)?.[0].trim() ?? "",
    annual_revenue: revenue.exec(ideal)?.[0].trim() ?? "",
    geographic_location: placeOf(profile)
  }
  const titles = names(profile.target_job_titles)
  const everybody = titles.length > 1 ? titles.slice(0, 20) : (titles[0] ?? "")
  const pains = points(profile.pain_points)
  const problems = points(profile.problems_solved)
  const fit = ideal.trim() === "" ? [] : [ideal.trim()]

  const ofRole = (role: Role, decision_makers: ReadonlyArray<string>): Segment => ({
    ...base,
    segment_name: `${roleNames[role]}${who === "" ? "" : ` at ${who}`}`,
    decision_makers,
    additional_details: notes(
      ["Who they are", fit],
      ["What they put up with", near(pains, role)],
      ["What is solved for them", near(problems, role)],
      [`What counts in ${roleWording[role].area}`, near(points(profile.client_transformation), role)]
    )
  })

  const ofMoment = ({ kind, text }: Phrase): Segment => ({
    ...base,
    segment_name: `${who === "" ? "Companies" : upperFirst(who)} facing ${kind === "thing" ? withArticle(text) : text}`,
    decision_makers: everybody,
    additional_details: notes(
      ["What makes them look now", [upperFirst(text)]],
      ["Who they are", fit],
      ["What they put up with", pains]
    )
  })

  const ofProduct = ({ pricing, product }: Product): Segment => ({
    ...base,
    segment_name: `${titleOf(product, 50)}${who === "" ? "" : ` for ${who}`}`,
    decision_makers: everybody,
    additional_details: notes(
      ["What they would buy", [pricing.trim() === "" ? product : `${product}, ${pricing}`]],
      ["Who they are", fit],
      ["What is solved for them", problems]
    )
  })

  const found = new Map<string, Segment>()
  /** Until there are so many, those that are called like none before. */
  const add = (most: number, some: ReadonlyArray<Segment>) => {
    for (const segment of some)
      if (found.size < most && !found.has(segment.segment_name)) found.set(segment.segment_name, segment)
  }
  const roles = Map.groupBy(titles, roleOf)
  const capitals = namesIn(`${ideal}\n${profile.business_description ?? ""}`)
  const moments = pieces(profile.solution_triggers)
    .slice(0, 3)
    .map((trigger) => phrase(trigger, profile.company_name ?? "", capitals))
    .filter(({ count }) => count <= 9)
  add(
    3,
    [...roles].map(([role, wanted]) => ofRole(role, wanted))
  )
  add(roles.size + 2, moments.map(ofMoment))
  add(6, (profile.core_products ?? []).filter(({ product }) => product.trim() !== "").map(ofProduct))
  add(
    3,
    (["owner", "operations", "finance"] as const).map((role) => ofRole(role, [roleNames[role]]))
  )
  return [...found.values()]
}
