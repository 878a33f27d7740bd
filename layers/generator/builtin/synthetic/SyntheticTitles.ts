// layers/generator/builtin/synthetic/SyntheticTitles.ts: job titles for synthetic leads, from the segment.
import { String } from "effect"
import { splitNames } from "#layers/text/Markdown.ts"
import { readTitle } from "#layers/generator/routing/ReadTitle.ts"
import type { Department } from "#layers/generator/routing/Departments.ts"
import type { Campaign } from "#layers/generator/Brief.ts"

/** For phrases such as "finance leaders", which name a department and no title. */
const departmentTitles: Readonly<Partial<Record<Department, ReadonlyArray<string>>>> = {
  leadership: ["Owner", "Managing Director", "CEO"],
  operations: ["Operations Manager", "COO", "Head of Operations"],
  production: ["Plant Manager", "Production Manager", "Head of Manufacturing"],
  maintenance: ["Maintenance Manager", "Reliability Engineer", "Head of Maintenance"],
  facilities: ["Facilities Manager", "Property Manager", "Head of Facilities"],
  logistics: ["Logistics Manager", "Head of Supply Chain", "Warehouse Manager"],
  procurement: ["Purchasing Manager", "Head of Procurement", "Senior Buyer"],
  software: ["CTO", "VP Engineering", "Head of Software Development"],
  it: ["IT Manager", "CIO", "Head of IT"],
  finance: ["Finance Director", "CFO", "Financial Controller"],
  hr: ["HR Manager", "Head of People", "HR Director"],
  legal: ["General Counsel", "Head of Legal", "Compliance Manager"],
  marketing: ["Marketing Manager", "Head of Marketing", "CMO"],
  sales: ["Sales Director", "Head of Sales", "Commercial Manager"],
  ecommerce: ["Head of E-commerce", "E-commerce Manager", "Online Shop Manager"],
  support: ["Customer Service Manager", "Head of Customer Support", "Director of CX"],
  healthcare: ["Practice Manager", "Clinical Director", "Practice Owner"],
  education: ["Headteacher", "School Business Manager", "Deputy Head"]
}
const defaultTitles = ["Managing Director", "Operations Manager", "Finance Director"]

const titlesFor = (audience: string) => {
  const { department } = readTitle(audience)
  return (department === null ? undefined : departmentTitles[department]) ?? defaultTitles
}

/** A complete title: it names the person's role, not only the area of responsibility. */
const personTitle =
  /\b(?:\w*(?:manager|director|officer|president|owner|founder|partner|buyer|engineer|controller|head|chief|lead|leiter|leiterin)s?|vps?|c[efiomt]os?)\b/i

/** "Owners and plant managers" → "Owners", "plant managers"; "Maintenance and plant managers" share their last word. */
const splitTitleList = (title: string): ReadonlyArray<string> => {
  const parts = title.split(/\s+(?:and|or|und|&)\s+/i)
  if (/ (?:of|for) /i.test(title)) return parts.every((part) => personTitle.test(part)) ? parts : [title]
  const sharedNoun = /\S\s+(\S+s)$/.exec(parts.at(-1) ?? "")?.[1]
  return parts.map((part, index) => {
    const isComplete = index === parts.length - 1 || sharedNoun === undefined || /\s|[^s]s$/.test(part)
    return isComplete && !/^(?:sales|operations|logistics)$/i.test(part) ? part : `${part} ${sharedNoun ?? ""}`.trim()
  })
}

/** One person of a plural: "Plant directors" → "Plant director", "Heads of HR" → "Head of HR". */
const singularTitle = (title: string): string => {
  const singular = title.replace(/^([\w ]{2,})s(?= (?:of|for)\b)/, "$1")
  if (singular !== title || /(?:ss|us|is|les|ics|ons|rces)$|\b(?:of|for)\b/i.test(title))
    return String.capitalize(singular)
  return String.capitalize(title.replace(/ies$/i, "y").replace(/(?<=\p{L}{2})s$/iu, ""))
}

const groupWord =
  /^managers$|\b(?:leaders?|leadership|staff|people|teams?|professionals|executives|decision[ -]makers?)$/i

/** Words before a title that do not belong to it: "usually the CFO". */
const leadingQualifier = /^(?:(?:usually|often|mostly|typically|sometimes|mainly|the|an?|their|our|any|all)\s+)+/i

/** Descriptions and markup, which are no titles. */
const notTitlePattern =
  /[{}<>[\]=@|]|https?:|\d{3}|\b(?:who\w*|that|which|anyone|someone|in charge|responsible|signs?|decides?)\b/i

/** The titles that the segment names, or else the profile; a role stands for words such as "everyone". */
export const syntheticTitles = ({ audience, profile }: Campaign): ReadonlyArray<string> => {
  const titleLists = [[audience.decision_makers].flat(), [profile.target_job_titles ?? ""]].map((texts) =>
    texts
      .flatMap(splitNames)
      .map((title) => title.replace(leadingQualifier, ""))
      .flatMap(splitTitleList)
      .filter((title) => title.length > 1 && title.length <= 60 && !notTitlePattern.test(title))
  )
  const selectedTitles = titleLists.find((titles) => titles.length > 0) ?? []
  const expandedTitles = selectedTitles.flatMap((title) =>
    groupWord.test(title) ? titlesFor(title) : [singularTitle(title)]
  )
  return expandedTitles.length > 0 ? [...new Set(expandedTitles)] : defaultTitles
}
