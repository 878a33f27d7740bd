// layers/generator/builtin/Segments.ts: the segments that a profile names.
import {
  surroundingArea,
  clientsIn,
  industryOf,
  splitClientKinds,
  placeIn,
  revenueIn,
  companySizeIn,
  clientPhrase
} from "#layers/generator/builtin/ClientDescriptions.ts"
import { areAllTitles, extractJobTitles } from "#layers/generator/JobTitles.ts"
import { withoutFullStop } from "#layers/generator/playbook/Frames.ts"
import type { Segment } from "#schema/Audiences.ts"
import type { Details } from "#schema/Details.ts"

/** The full description, if it says more than the name. */
const segmentDetails = (text: string, name: string): string | null =>
  text === "" || withoutFullStop(text).toLowerCase() === name.toLowerCase() ? null : text.slice(0, 10_000)

/** A list of more lines describes something else than kinds of clients. */
const maxListedKinds = 6

/** The lines of a list if each describes another kind of client; else none. */
const clientKindsIn = (ideal: string): ReadonlyArray<string> => {
  const lines = ideal.split(/\n|;/).flatMap((line) => line.replace(/^\s*(?:[-*+•]|\d{1,2}[.)])\s+/, "").trim() || [])
  return lines.length > 1 && lines.length <= maxListedKinds && lines.every((line) => clientPhrase(line) !== "")
    ? lines
    : []
}

/** Whether each of the clients is a title that the profile writes to. */
const consistsOfTitles = (clients: string, titles: ReadonlyArray<string>): boolean => {
  const titleKeys = new Set(titles.map((title) => title.toLowerCase()))
  return clients.split(/,\s+(?:and )?|\s+(?:and|·)\s+/).every((part) => titleKeys.has(part.toLowerCase()))
}

/** The largest number of job titles in a segment's name. */
const maxTitles = 3

/** A title within a list, written as the user wrote it: "project managers at grading contractors". */
const originalSpelling = (title: string, text: string): string => {
  const lowerCase = title.slice(0, 1).toLowerCase() + title.slice(1)
  return text.includes(title) || !text.includes(lowerCase) ? title : lowerCase
}

/** The name of a segment of job titles, where these are everybody whom the profile writes to. */
const nameFromTitles = (text: string, titles: ReadonlyArray<string>): string => {
  if (titles.length === 0 || titles.length > maxTitles || !areAllTitles(text)) return "All leads"
  const [first = "", ...others] = titles
  const lastTitle = others.pop()
  const middleTitles = others.map((title) => `, ${originalSpelling(title, text)}`).join("")
  return lastTitle === undefined ? first : `${first}${middleTitles} and ${originalSpelling(lastTitle, text)}`
}

const segmentName = (clients: string, ideal: string, profile: Details): string => {
  if (clients !== "") return clients
  if (ideal !== "") return "Ideal clients"
  return nameFromTitles(profile.target_job_titles ?? "", extractJobTitles(profile.target_job_titles))
}

/** The segments that are kinds of clients, and not only people by their job titles or everybody. */
export const kindsOfClients = (profile: Details): ReadonlyArray<Segment> => {
  const business = profile.business_description ?? ""
  const ideal = profile.ideal_client_description ?? ""
  const namedClients = new Set([clientPhrase(ideal), clientPhrase(clientsIn(ideal)), clientPhrase(clientsIn(business))])
  return draftSegments(profile).filter(
    (segment) => segment.industry_vertical !== "" || namedClients.has(segment.segment_name)
  )
}

/** One segment for everyone that the profile names, and one for each kind of client that it lists. */
export const draftSegments = (profile: Details): ReadonlyArray<Segment> => {
  const ideal = (profile.ideal_client_description ?? "").trim()
  const business = profile.business_description ?? ""
  const titles = extractJobTitles(profile.target_job_titles)
  // A list of job titles is of readers, and every one of them is written to.
  const lines = clientKindsIn(ideal)
  const kinds = lines.every((line) => consistsOfTitles(clientPhrase(line), titles)) ? [] : lines
  const description = ideal === "" ? clientsIn(business) : ideal
  // "We tune pianos for schools and churches" describes the clients behind "for".
  const clients = kinds.length > 0 ? "" : clientPhrase(description) || clientPhrase(clientsIn(ideal))
  const buildSegment = (segment_name: string, phrase: string, text: string, details = text): Segment => ({
    segment_name,
    // "We help QA managers and maintenance planners" names no industry.
    industry_vertical: consistsOfTitles(phrase, titles) ? "" : industryOf(phrase),
    company_size: companySizeIn(text),
    annual_revenue: revenueIn(text),
    geographic_location: placeIn(text) || placeIn(clientsIn(business)) || surroundingArea(business),
    decision_makers: titles,
    additional_details: segmentDetails(details, segment_name)
  })
  // Properties of one kind of client do not apply to the others.
  const everyone =
    kinds.length > 0
      ? buildSegment(segmentName("", ideal, profile), "", "", ideal)
      : buildSegment(segmentName(clients, ideal, profile), clients, description, ideal)
  const kindSegments = kinds.map((kind) => buildSegment(clientPhrase(kind), clientPhrase(kind), kind))
  // A sentence about the business names its clients only in passing: they are one segment.
  const coordinatedSegments = splitClientKinds(clientPhrase(ideal)).map((part) => ({
    ...everyone,
    segment_name: part,
    industry_vertical: part
  }))
  const segmentsByName = new Map<string, Segment>()
  for (const candidate of [everyone, ...kindSegments, ...coordinatedSegments])
    if (!segmentsByName.has(candidate.segment_name)) segmentsByName.set(candidate.segment_name, candidate)
  return [...segmentsByName.values()]
}
