// layers/enrichment/SiteNames.ts: finds a site's names for its company, and compares them with a lead's company.
import { nlp } from "#layers/text/Nlp.ts"
import * as Pattern from "effect/RegExp"
import type { PageText } from "#layers/enrichment/PageText.ts"
import { foldText } from "#layers/generator/routing/TitleTokens.ts"
import { isConsumerAddress } from "#layers/text/ConsumerAddresses.ts"
import { companyName } from "#layers/text/CompanyNames.ts"
import { wordSet } from "#layers/text/Words.ts"
import type { Lead } from "#schema/Lead.ts"

/** Words that do not distinguish one company from another. */
const genericWords = wordSet(
  "and of the for in at by co company companies group service services solutions consulting consultants consultancy partners partner international global studio studios agency limited holding holdings systems technologies technology digital media firm practice bros sons home homepage start welcome to our official website site page about us contact index news"
)

const nameTokens = (name: string): ReadonlyArray<string> =>
  foldText(name)
    .replaceAll("&", " and ")
    .replace(/['’.]/g, "")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((token) => token !== "")

/** The distinctive words of a name, without a plural "s". */
const distinctiveTokens = (name: string): ReadonlyArray<string> =>
  nameTokens(companyName(name) ?? name)
    .filter((token) => !genericWords.has(token))
    .map((token) => (token.length > 3 ? token.replace(/s$/, "") : token))

const isHostName = (name: string) => /^(?:https?:\/\/|www\.)?[\w-]+(?:\.[\w-]+)*\.[a-z]{2,24}\/?$/i.test(name)

/** Words of a phrase, which a name does not have. */
const phraseWords = /\b(?:is|are|was|has|have|now|part of|for|in|to|with|from|your|our|we|by)\b/

const maxNameLength = 60
const maxNames = 12

/** The company's names on its home page: from metadata, title and copyright line. */
export const siteNames = ({ blocks, names, title }: PageText): ReadonlyArray<string> => {
  const copyright = blocks.flatMap(
    ({ text }) => /(?:©|\(c\)|copyright)\s*(?:\d{4}(?:\s*[-–]\s*\d{4})?)?,?\s+([^.|·•\d]{2,60})/i.exec(text)?.[1] ?? []
  )
  const titles = title.split(/\s+[|–—·•»-]\s+|\s*[|:]\s+/).filter((part) => !phraseWords.test(part))
  return [...new Set([...names, ...titles, ...copyright])]
    .map((name) => name.replace(/^(?:welcome to|home of)\s+/i, "").trim())
    .filter(
      (name) => name !== "" && name.length <= maxNameLength && !isHostName(name) && distinctiveTokens(name).length > 0
    )
    .slice(0, maxNames)
}

const initialsOf = (words: ReadonlyArray<string>) => words.map((word) => word.charAt(0)).join("")

const isSubsequence = (subset: ReadonlyArray<string>, superset: ReadonlyArray<string>) =>
  subset.some((word) => word.length > 2) && subset.every((word) => superset.includes(word))

const isSameCompany = (name: string, company: string): boolean => {
  const [ours, theirs] = [distinctiveTokens(name), distinctiveTokens(company)]
  const [a, b] = [ours.join(""), theirs.join("")]
  if (a === "" || b === "") return false
  return (
    a === b ||
    isSubsequence(ours, theirs) ||
    isSubsequence(theirs, ours) ||
    (a.length > 2 && a === initialsOf(nameTokens(company))) ||
    (b.length > 2 && b === initialsOf(nameTokens(name)))
  )
}

const matchesDomain = (name: string, label: string): boolean => {
  const joinedName = nameTokens(name).join("")
  const [first = ""] = distinctiveTokens(name)
  const plainLabel = label.replaceAll("-", "")
  return (
    (joinedName.length > 3 && plainLabel.includes(joinedName)) ||
    (plainLabel.length > 3 && joinedName.includes(plainLabel)) ||
    (first.length > 4 && plainLabel.startsWith(first)) ||
    (plainLabel.length > 2 && plainLabel === initialsOf(nameTokens(name)))
  )
}

/** The label of a domain that its owner registered: "quay-foods" in "mail.quay-foods.co.uk". */
const domainLabel = (domain: string): string => {
  const parts = domain.toLowerCase().split(".")
  const isSecondLevel = parts.length > 2 && /^(?:co|com|org|net|gov|ac)$/.test(parts.at(-2) ?? "")
  return parts.at(isSecondLevel ? -3 : -2) ?? ""
}

/** Whether one of the names matches the lead's company or the domain of its email address. */
export const isSiteOf = (
  names: ReadonlyArray<string>,
  { company, email }: Pick<Lead, "company" | "email">
): boolean => {
  const leadCompany = (company ?? "").trim()
  const label = isConsumerAddress(email) ? "" : domainLabel(email.slice(email.lastIndexOf("@") + 1))
  return names.some(
    (name) =>
      (leadCompany !== "" &&
        (isHostName(leadCompany) ? matchesDomain(name, domainLabel(leadCompany)) : isSameCompany(name, leadCompany))) ||
      (label !== "" && matchesDomain(name, label))
  )
}

/** The company's names as subjects of sentences: also without legal form and without a general last word. */
export const subjectNames = (names: ReadonlyArray<string>, host: string): ReadonlyArray<string> => {
  const label = domainLabel(host.replace(/^www\./, "")).replaceAll("-", "")
  const candidates = names.flatMap((name) => {
    const nameWithoutForm = companyName(name) ?? name
    const words = nameWithoutForm.split(" ")
    const lastWord = words.at(-1)?.toLowerCase() ?? ""
    const shortNames = words.length > 1 && genericWords.has(lastWord) ? [words.slice(0, -1).join(" ")] : []
    // "Quay" for "Quay Foods", if the domain starts with it and it is not a place.
    const [first = ""] = words
    const isDomainWord = first.length > 3 && label.startsWith(foldText(first)) && !nlp(first).has("#Place")
    return [
      name,
      nameWithoutForm,
      ...shortNames,
      ...(isDomainWord ? [first] : []),
      ...words.map((_, index) => words.slice(0, index + 2).join(" ")).slice(0, -1)
    ]
  })
  return [...new Set(candidates)]
    .filter((name) => /^[\p{L}\p{N}]/u.test(name) && /\p{L}{2}/u.test(name) && !/(?:\s(?:&|and|of|the))$/i.test(name))
    .toSorted((a, b) => b.length - a.length)
    .map(Pattern.escape)
}
