// layers/research/extract/Told.ts: what stands behind a label that names a field, taken down as it is.
import { String } from "effect"
import { type Block, isOfOthers } from "#layers/research/extract/Blocks.ts"
import { isList, isText, labelled, names, oneLine, type TextField } from "#layers/research/extract/Labels.ts"
import { type Notes, unstopped } from "#layers/research/extract/Notes.ts"
import { isPerson } from "#layers/research/extract/People.ts"
import { addressIn, isWholeAddress } from "#layers/research/extract/Places.ts"
import { emailsIn, phoneIn, websiteOf } from "#layers/research/extract/Reach.ts"
import { isResult } from "#layers/research/extract/Results.ts"
import type { Topic } from "#layers/research/extract/Topics.ts"
import { sentences } from "#layers/text/Words.ts"

/** What a text tells where it speaks of others. */
const ofOthers: ReadonlySet<string> = new Set(["competitors", "case_studies", "ideal_client_urls"])

/** Under these headings a contact is somebody at a client. */
const ofClients: ReadonlySet<Topic | undefined> = new Set(["clients", "ideal", "buyers", "cases"] as const)
const ofContact: ReadonlySet<string> = new Set(["contact_name", "contact_title", "contact_phone", "contact_email"])

const contactFor = (label: TextField, value: string, block: Block, notes: Notes): boolean => {
  if (label === "contact_phone") notes.add(label, phoneIn(`tel ${value}`) ?? "", block)
  else if (label === "contact_email") notes.add(label, emailsIn(value)[0] ?? "", block)
  else if (label === "website_url") notes.add(label, websiteOf(value) ?? "", block)
  // "Pindan Systems Pty Ltd, started 2015"
  else if (label === "company_name" && !value.includes("@"))
    notes.add(label, unstopped(value.split(/,\s+(?=\p{Ll})/u)[0] ?? ""), block)
  else if (label === "city_region" && /\d/.test(value)) return contactFor("business_address", value, block, notes)
  else if (label === "contact_name") {
    const [name = "", title = ""] = value.split(/,\s+/, 2)
    if (!isPerson(unstopped(name))) return true
    notes.add(label, unstopped(name), block)
    notes.add("contact_title", unstopped(title), block)
  } else if (label === "business_address") {
    const address = addressIn(value)
    if (address !== undefined && isWholeAddress(address, [])) notes.add(label, address.text, block)
    notes.add("city_region", address?.city ?? "", block)
  } else return oneLine(label) && value.includes("@")
  return true
}

/** A label speaks for its paragraph, up to where another begins or a customer's result is told. */
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
    const value = [
      found.value,
      ...(isProse || label === "business_address" ? more.slice(0, end === -1 ? more.length : end) : [])
    ].join(" ")
    if (isList(label)) {
      const parts = value.split(/;\s+|\s\|\s/)
      for (const part of parts) notes.add(label, String.capitalize(parts.length > 1 ? unstopped(part) : part), block)
    } else if (label === "competitors" && !areNames(unstopped(value))) continue
    else if (isText(label) && !contactFor(label, value, block, notes))
      notes.add(label, isProse ? String.capitalize(value) : unstopped(value), block)
  }
}

export const fromLabels = (all: ReadonlyArray<Block>, notes: Notes): void => {
  for (const block of all) {
    if (block.kind === "heading" || block.kind === "row") continue
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
