// layers/research/extract/Notes.ts: the values found in a text, field by field, each with where it was read.
import type { Block } from "#layers/research/extract/Blocks.ts"
import { type Field, isList, type ListField, names, oneLine, type TextField } from "#layers/research/extract/Labels.ts"
import { isComplete } from "#layers/research/extract/Lines.ts"
import type { ImportSource } from "#schema/Imports.ts"

export const most = { text: 4000, list: 20, entry: 1000 }

/** Without its last stop, but for one that belongs to its last word: "Acme Co." */
export const unstopped = (text: string) => text.replace(/(?<!\b(?:Co|Corp|Inc|Ltd|\p{Lu}))\s*[.;,]$/u, "").trim()

export const sourceOf = (field: Field, block: Block): ImportSource => ({
  field,
  text: block.text.slice(0, 2000).toWellFormed(),
  heading: block.under.at(-1)?.slice(0, 200).toWellFormed() ?? null
})

/** Remarks of somebody who does not know yet. */
const undecided =
  /\?\?|\b(?:tbd|tbc|to be confirmed|under discussion|ask again|not sure|^(?:none|nothing|n\/a|unknown|keine?|aucune?)$|(?:see|terms) below|noch offen|unklar|zu klären|à confirmer|à définir|(?:not|never) guarantee|keine garantie|reference ok|in writing|no logo|not public|(?:don['’]t|do not|never) (?:name|quote|publish|mention)|aucune garantie|check with)\b/i
interface Note {
  readonly value: string
  readonly block: Block
}

/** "+49 69 870017" is "069 / 870017", and "Mont-Cenis-Str. 4" is "Mont-Cenis-Straße 4". */
const bareOf = (field: Field, text: string) =>
  field === "contact_phone"
    ? text.replace(/\D/g, "").replace(/^0+/, "").slice(-8)
    : unstopped(text)
        .toLowerCase()
        .replace(/str(?:a(?:ß|ss)e|\.)/g, "str")
        .replace(/\s+/g, " ")

export class Notes {
  readonly #notes = new Map<Field, ReadonlyArray<Note>>()

  /** Adds what is not noted yet. A value that begins or breaks off in the middle of a sentence is none. */
  add(field: TextField | ListField, value: string, block: Block) {
    const clean = value.trim()
    const kept = this.#notes.get(field) ?? []
    if (clean.length < (isList(field) ? 4 : 2) || clean.length > most.entry || !isComplete(clean)) return
    // Of what is all in capitals, only names and credentials are values; anything else is a heading.
    const isShouted = !/\p{Ll}/u.test(clean) && !oneLine(field) && !names.has(field) && field !== "credibility_markers"
    if (undecided.test(clean) || isShouted) return
    const bare = (text: string) => bareOf(field, text)
    if (kept.length >= most.list || kept.some((note) => bare(note.value).includes(bare(clean)))) return
    this.#notes.set(field, [...kept.filter((note) => !bare(clean).includes(bare(note.value))), { value: clean, block }])
  }

  /** The value of a field that holds one; undefined where the text gives two that differ. */
  noted(field: TextField): string | undefined {
    const [first, ...more] = this.#notes.get(field) ?? []
    return oneLine(field) && more.length > 0 ? undefined : first?.value
  }

  has(field: Field) {
    return this.#notes.has(field)
  }

  drop(field: Field) {
    this.#notes.delete(field)
  }

  addUnlessNoted(field: TextField, found: Note | undefined) {
    if (found !== undefined && !this.has(field)) this.add(field, found.value, found.block)
  }

  #valueOf(field: TextField, notes: ReadonlyArray<Note>): string {
    const values = notes.map(({ value }) => value)
    if (oneLine(field)) return this.noted(field) ?? ""
    if (names.has(field)) return values.join(", ")
    // Lists of several sections ("Industries served: ...") are about what each section sells, not about the business.
    const areSentences =
      values.length === 1 || values.every((value) => /[.!?]$/.test(value) && value.split(" ").length > 4)
    return areSentences ? values.join(" ") : ""
  }

  /** Each field as the profile holds it; a text that would be too long is left out, never cut. */
  get texts() {
    return [...this.#notes].flatMap(([field, notes]): ReadonlyArray<readonly [TextField, string]> => {
      if (isList(field) || field === "core_products") return []
      const value = this.#valueOf(field, notes)
      return value === "" || value.length > most.text ? [] : [[field, value]]
    })
  }

  get lists() {
    return [...this.#notes].flatMap(([field, notes]): ReadonlyArray<readonly [ListField, ReadonlyArray<string>]> =>
      isList(field) ? [[field, notes.map(({ value }) => value)]] : []
    )
  }

  get sources(): ReadonlyArray<ImportSource> {
    return [...this.#notes].flatMap(([field, notes]) => notes.map(({ block }) => sourceOf(field, block)))
  }
}
