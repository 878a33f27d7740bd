// layers/generator/builtin/Segments.ts: who a business could write to, by role, by moment and by product.
import { roleWording } from "#layers/generator/builtin/english/Roles.ts"
import { names, points, titleOf } from "#layers/text/Markdown.ts"
import { lowerFirst, namesIn, upperFirst } from "#layers/generator/builtin/grammar/Capitals.ts"
import { type Role, roleOf } from "#layers/generator/Roles.ts"
import { touches } from "#layers/generator/RoleWords.ts"
import { words } from "#layers/text/Words.ts"
import type { Segment } from "#schema/Audiences.ts"
import type { Details } from "#schema/Details.ts"
import { phrase } from "#layers/generator/builtin/grammar/Phrases.ts"
import { pieces } from "#layers/generator/builtin/grammar/Pieces.ts"
import { withArticle } from "#layers/generator/builtin/grammar/Articles.ts"

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

export const segments = (profile: Details): ReadonlyArray<Segment> => {
  const ideal = profile.ideal_client_description ?? ""
  const who = buyers(profile)
  const about = `${ideal}\n${profile.business_description ?? ""}`
  // Where we are says nothing of where clients are; "for firms in Ireland" does.
  const placed = /\b(?:for|to|help|helps) [^.]*?\b(?:in|across) (?:the )?(\p{Lu}\p{L}+(?: \p{Lu}\p{L}+)?)/u.exec(
    profile.business_description ?? ""
  )?.[1]
  const base = {
    // The reader's trade is known only where the profile says whom it serves.
    industry_vertical: upperFirst(who),
    company_size: size.exec(ideal)?.[0].trim() ?? "",
    annual_revenue: revenue.exec(ideal)?.[0].trim() ?? "",
    geographic_location:
      places.find(([pattern]) => pattern.test(ideal))?.[1] ??
      (placed === undefined ? "" : (places.find(([pattern]) => pattern.test(placed))?.[1] ?? placed))
  }
  const at = who === "" ? "" : ` at ${who}`
  const titles = names(profile.target_job_titles)
  const pains = points(profile.pain_points)
  const problems = points(profile.problems_solved)
  const fit = ideal.trim() === "" ? [] : [ideal.trim()]
  const byRole = new Map<Role, Array<string>>()
  for (const title of titles) {
    const role = roleOf(title)
    byRole.set(role, [...(byRole.get(role) ?? []), title])
  }
  const people = titles.length > 0 ? titles.slice(0, 20) : [""]
  const makers = people.length === 1 ? (people[0] ?? "") : people
  const found: Array<Segment> = []
  const add = (segment: Segment) => {
    if (!found.some((each) => each.segment_name === segment.segment_name)) found.push(segment)
  }
  const addRole = (role: Role, wanted: ReadonlyArray<string>) =>
    add({
      ...base,
      segment_name: `${roleNames[role]}${at}`,
      decision_makers: wanted,
      additional_details: notes(
        ["Who they are", fit],
        ["What they put up with", near(pains, role)],
        ["What is solved for them", near(problems, role)],
        [`What counts in ${roleWording[role].area}`, near(points(profile.client_transformation), role)]
      )
    })
  for (const [role, wanted] of byRole) if (found.length < 3) addRole(role, wanted)
  const triggers = pieces(profile.solution_triggers)
  for (const trigger of triggers.slice(0, 3)) {
    const moment = phrase(trigger, profile.company_name ?? "", namesIn(about))
    if (moment.count > 9) continue
    add({
      ...base,
      segment_name: `${who === "" ? "Companies" : upperFirst(who)} facing ${moment.kind === "thing" ? withArticle(moment.text) : moment.text}`,
      decision_makers: makers,
      additional_details: notes(
        ["What makes them look now", [upperFirst(moment.text)]],
        ["Who they are", fit],
        ["What they put up with", pains]
      )
    })
    if (found.length >= byRole.size + 2) break
  }
  for (const { pricing, product } of profile.core_products ?? []) {
    if (found.length >= 6 || product.trim() === "") continue
    add({
      ...base,
      segment_name: `${titleOf(product, 50)}${who === "" ? "" : ` for ${who}`}`,
      decision_makers: makers,
      additional_details: notes(
        ["What they would buy", [pricing.trim() === "" ? product : `${product}, ${pricing}`]],
        ["Who they are", fit],
        ["What is solved for them", problems]
      )
    })
  }
  for (const role of ["owner", "operations", "finance"] as const) {
    if (found.length < 3) addRole(role, [roleNames[role]])
  }
  return found
}
