// layers/generator/builtin/Segments.ts: the segments that a profile names.
import {
  aroundIn,
  clientsOf,
  partsOf,
  placeIn,
  revenueIn,
  sizeIn,
  whoIn,
  withoutPlace
} from "#layers/generator/builtin/Clients.ts"
import { jobTitles } from "#layers/generator/JobTitles.ts"
import { unstopped } from "#layers/generator/playbook/Frames.ts"
import type { Segment } from "#schema/Audiences.ts"
import type { Details } from "#schema/Details.ts"

/** The full description, if it says more than the name. */
const detailsOf = (text: string, name: string): string | null =>
  text === "" || unstopped(text).toLowerCase() === name.toLowerCase() ? null : text.slice(0, 10_000)

/** Lines of a list, each describing another kind of client. */
const kindsIn = (ideal: string): ReadonlyArray<string> => {
  const lines = ideal.split(/\n|;/).flatMap((line) => line.replace(/^\s*(?:[-*+•]|\d{1,2}[.)])\s+/, "").trim() || [])
  return lines.length > 1 && lines.length <= 6 && lines.every((line) => whoIn(line) !== "") ? lines : []
}

/** Most titles in the name of a segment. */
const mostTitles = 3

const nameFor = (who: string, ideal: string, titles: ReadonlyArray<string>): string => {
  if (who !== "") return who
  if (ideal !== "") return "Ideal clients"
  const last = titles.at(-1)
  if (last === undefined || titles.length > mostTitles) return "All decision makers"
  return titles.length === 1 ? last : `${titles.slice(0, -1).join(", ")} and ${last}`
}

/** One segment for everyone that the profile names, and one for each kind of client that it lists. */
export const segments = (profile: Details): ReadonlyArray<Segment> => {
  const ideal = (profile.ideal_client_description ?? "").trim()
  const business = profile.business_description ?? ""
  const titles = jobTitles(profile.target_job_titles)
  const kinds = kindsIn(ideal)
  const described = ideal === "" ? clientsOf(business) : ideal
  const who = kinds.length > 0 ? "" : whoIn(described)
  const segment = (segment_name: string, who: string, text: string, full = text): Segment => ({
    segment_name,
    industry_vertical: withoutPlace(who),
    company_size: sizeIn(text),
    annual_revenue: revenueIn(text),
    geographic_location: placeIn(text) || placeIn(clientsOf(business)) || aroundIn(business),
    decision_makers: titles,
    additional_details: detailsOf(full, segment_name)
  })
  // Properties of one kind of client do not apply to the others.
  const everyone =
    kinds.length > 0
      ? segment(nameFor("", ideal, titles), "", "", ideal)
      : segment(nameFor(who, ideal, titles), who, described, ideal)
  const listed = kinds.map((kind) => segment(whoIn(kind), whoIn(kind), kind))
  const coordinated = partsOf(who).map((part) => ({ ...everyone, segment_name: part, industry_vertical: part }))
  const found = new Map<string, Segment>()
  for (const each of [everyone, ...listed, ...coordinated])
    if (!found.has(each.segment_name)) found.set(each.segment_name, each)
  return [...found.values()]
}
