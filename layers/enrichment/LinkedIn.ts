// layers/enrichment/LinkedIn.ts: what the address of a LinkedIn page says of whose page it is.
import { String } from "effect"
import type { Lead } from "#schema/Lead.ts"

const slug = /^(?:https?:\/\/)?(?:[a-z]{2,3}\.)?linkedin\.com\/(in|company)\/([^/?#]{2,100})\/?(?:[?#].*)?$/i

const nameIn = (linkedin_url: string): Pick<Lead, "name" | "company"> => {
  const [, kind = "", path = ""] = slug.exec(linkedin_url.trim()) ?? []
  // The letters and digits that LinkedIn adds to a name that was taken are no part of it.
  const words = path.split("-").filter((word) => /^\p{L}+$/u.test(word))
  if (words.length < (kind.toLowerCase() === "in" ? 2 : 1)) return {}
  const said = words.map(String.capitalize).join(" ")
  return kind.toLowerCase() === "in" ? { name: said } : { company: said }
}

const isBlank = (text: string | null | undefined) => (text ?? "").trim() === ""

/** The lead with the name, or the company, that only the address of its LinkedIn page tells. The page is not fetched. */
export const named = <L extends Lead>(lead: L): L => {
  const { company, name } = nameIn(lead.linkedin_url ?? "")
  if (name !== undefined && isBlank(lead.name)) return { ...lead, name }
  return company !== undefined && isBlank(lead.company) ? { ...lead, company } : lead
}
