// layers/research/extract/LabelledFields.ts: the values behind labels that name a field, word for word.
import { String } from "effect"
import { type Block, isOfOthers } from "#layers/research/extract/Blocks.ts"
import { afterForm, isOfHost, shortName } from "#layers/research/extract/Company.ts"
import { isList, isText, labelled, names, oneLine, type TextField } from "#layers/research/extract/Labels.ts"
import { type Notes, unstopped } from "#layers/research/extract/Notes.ts"
import { isPerson } from "#layers/research/extract/People.ts"
import { addressIn, isWholeAddress } from "#layers/research/extract/Places.ts"
import { emailsIn, phoneIn, sitesIn } from "#layers/research/extract/Reach.ts"
import { isResult } from "#layers/research/extract/Results.ts"
import type { Topic } from "#layers/research/extract/Topics.ts"
import { sentences } from "#layers/text/Words.ts"

/** Fields that are about other companies. */
const ofOthers: ReadonlySet<string> = new Set(["competitors", "case_studies", "ideal_client_urls"])

/** Under these headings a contact is somebody at a client. */
const ofClients: ReadonlySet<Topic | undefined> = new Set(["clients", "ideal", "buyers", "cases"] as const)
const ofContact: ReadonlySet<string> = new Set(["contact_name", "contact_title", "contact_phone", "contact_email"])

const contactFor = (label: TextField, value: string, block: Block, notes: Notes): boolean => {
  if (label === "contact_phone") notes.add(label, phoneIn(`tel ${value}`) ?? "", block)
  else if (label === "contact_email") notes.add(label, emailsIn(value)[0] ?? "", block)
  else if (label === "website_url") notes.add(label, sitesIn(value)[0]?.origin ?? "", block)
  // "Pindan Systems Pty Ltd, started 2015"
  else if (label === "company_name" && !value.includes("@"))
    // ... and the same name in Arabic letters, which a PDF has the wrong way round.
    notes.add(
      label,
      unstopped(
        (value.split(/,\s+(?=\p{Ll})/u)[0] ?? "").replace(afterForm, "").replace(/\s*\([^()\p{Script=Latin}]+\)$/u, "")
      ),
      block
    )
  else if (label === "city_region" && /\d/.test(value)) return contactFor("business_address", value, block, notes)
  else if (label === "contact_name") {
    const [name = "", title = ""] = value.split(/,\s+/, 2)
    if (!isPerson(unstopped(name))) return true
    notes.add(label, unstopped(name), block)
    // "Contact person: Ann Lee, 0151 496 0000"
    if (!/[\d@]/.test(title)) notes.add("contact_title", unstopped(title), block)
  } else if (label === "business_address") {
    const address = addressIn(value)
    if (address !== undefined && isWholeAddress(address, [])) notes.add(label, address.text, block)
    notes.add("city_region", address?.city ?? "", block)
  } else return oneLine(label) && value.includes("@")
  return true
}

/** How the description of a page begins that invites its readers to visit. */
const invites =
  /^(?:learn|discover|read|find out|explore|welcome|contact|see|looking|get|call|book|découvrez|bienvenue|entdecken|erfahren|willkommen)\b/i

/** Adds the value of each label in a paragraph: it ends at the next label or at a customer's result. */
const fromLabel = (text: string, block: Block, notes: Notes): void => {
  const all = sentences(text)
  for (const [at, sentence] of all.entries()) {
    const found = labelled(sentence)
    if (found === undefined || found.label === "contact" || found.label === "core_products") continue
    const { label } = found
    if (!ofOthers.has(label) && (isOfOthers(block) || (ofContact.has(label) && ofClients.has(block.topic)))) continue
    const more = all.slice(at + 1)
    const end = more.findIndex((next) => labelled(next) !== undefined || isResult(next))
    const isProse = isText(label) && !names.has(label) && !oneLine(label)
    // "Dorn med. Systeme GmbH" and "J. B. Traders" are one name.
    const isName =
      label === "company_name" &&
      more.length === 1 &&
      (shortName(more[0] ?? "") !== more[0] || /(?<!\p{L})\p{Lu}\.$/u.test(found.value))
    const value = [
      found.value,
      ...(isProse || isName || label === "business_address" ? more.slice(0, end === -1 ? more.length : end) : [])
    ].join(" ")
    // "Customer story: Acme and the long text" is a link to it.
    if (label === "case_studies" && !/[.!?]["”“]?$/.test(value)) continue
    // "Free quote: ann@acme.example" says where to ask for it.
    if (isList(label) && !/\p{L}/u.test(emailsIn(value).reduce((rest, each) => rest.replace(each, ""), value))) continue
    if (isList(label)) {
      // "New roofs get 5 years; existing ones 4." is one sentence.
      const parts = value.split(/;\s+(?!\p{Ll}.*\.$)|\s\|\s/u)
      for (const part of parts) notes.add(label, String.capitalize(parts.length > 1 ? unstopped(part) : part), block)
    } else if (label === "competitors" && !areNames(unstopped(value))) continue
    else if (label === "business_description" && invites.test(value)) continue
    // A sentence says what the company is for, not what it wants of a letter.
    else if (label === "primary_goal" && /[.!]$/.test(value)) continue
    else if (isText(label) && !contactFor(label, value, block, notes))
      notes.add(label, isProse ? String.capitalize(value) : unstopped(value), block)
  }
}

/** A site names its company where it begins, or in a way that its domain knows; what else it labels so is a job or a client. */
const isAdvert = (text: string, home: string): boolean => {
  const { label, value = "" } = labelled(text) ?? {}
  return label === "company_name" && !isOfHost(unstopped(value), home)
}
/** How many blocks a page begins with: its title, its description and what its data says. */
const mostAtStart = 4

/** Takes down what stands behind labels, in a text or on the pages of the site whose domain is `home`. */
export const fromLabels = (all: ReadonlyArray<Block>, home: string | undefined, notes: Notes): void => {
  for (const [at, block] of all.entries()) {
    if (block.kind === "heading" || block.kind === "row") continue
    if (home !== undefined && at >= mostAtStart && isAdvert(block.text, home)) continue
    // A line that goes on in the next one, as in a cell of a table, is cut here.
    const isCut = /\p{L}$/u.test(block.text) && /^\p{Ll}/u.test(all[at + 1]?.text ?? "")
    const label = labelled(block.text)?.label
    if (isCut && label !== undefined && isText(label) && !oneLine(label)) continue
    // A letterhead has several labels on one line.
    for (const part of block.text.split(/\s+[|·•]\s+/)) fromLabel(part, block, notes)
  }
}

/** "Weir, KSB, in-house teams": names or plain nouns, and no remark on them. */
const areNames = (list: string) =>
  list
    .split(/,\s+(?:and |or )?|\s+(?:and|or)\s+/)
    .every(
      (part) =>
        part.split(/\s+/).length <= 5 &&
        !/^\p{Lu}\S*(?: (?:of|and|the|&|\p{Lu}\S*))* (?!of|and|the)\p{Ll}{3}/u.test(part) &&
        !/[?()]|\d{2}|\s[–—-]\s/.test(part)
    )
