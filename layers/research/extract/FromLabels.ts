// layers/research/extract/FromLabels.ts: what stands behind a label, taken down as it is.
import { String } from "effect"
import { sentences } from "#layers/text/Words.ts"
import type { Block } from "#layers/research/extract/Blocks.ts"
import * as Claims from "#layers/research/extract/Claims.ts"
import { isList, isText, names, type Notes, oneLine, unstopped } from "#layers/research/extract/Notes.ts"
import { isPerson } from "#layers/research/extract/People.ts"
import { emailsIn, phoneIn, websiteOf } from "#layers/research/extract/Reach.ts"
import { labelled } from "#layers/research/extract/Labels.ts"

/** `field: value`, wherever it stands. */
export const fromLabels = (all: ReadonlyArray<Block>, notes: Notes): void => {
  const one = (text: string, block: Block) => {
    const [first = "", ...more] = sentences(text)
    const found = labelled(first)
    if (found === undefined) return
    const { label } = found
    // The label speaks for its paragraph, up to where another begins or a customer is told of.
    const end = more.findIndex((next) => labelled(next) !== undefined || Claims.isCase({ text: next, block, at: 0 }))
    const value = [found.value, ...(end === -1 ? more : more.slice(0, end))].join(" ")
    if (label === "contact" || label === "core_products") return
    if (isList(label))
      for (const part of value.split(/;\s+|\s\|\s/)) notes.list(label, String.capitalize(unstopped(part)))
    else if (label === "contact_phone") notes.text(label, phoneIn(`tel ${value}`) ?? "")
    else if (label === "contact_email") notes.text(label, emailsIn(value)[0] ?? "")
    else if (label === "website_url") notes.text(label, websiteOf(value) ?? "")
    else if (label === "contact_name") {
      const [name = "", title = ""] = value.split(/,\s+/, 2)
      // A bare "Name" may be that of anything.
      if (/^name\b/i.test(first) && !isPerson(name)) return
      notes.text(label, unstopped(name))
      notes.text("contact_title", unstopped(title))
    } else if (isText(label))
      notes.text(label, names.has(label) || oneLine(label) ? unstopped(value) : String.capitalize(value))
  }
  for (const block of all) {
    if (block.kind === "heading" || block.kind === "row") continue
    // A letterhead has several labels on one line.
    for (const part of block.text.split(/\s+[|·•]\s+/)) one(part, block)
  }
}
