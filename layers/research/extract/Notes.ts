// layers/research/extract/Notes.ts: what is taken down while a text is read, field by field.
import { cut } from "#layers/text/Cut.ts"
import type { Label } from "#layers/research/extract/Labels.ts"
import { listFields, textFields } from "#schema/Details.ts"

export type TextField = (typeof textFields)[number]
export type ListField = (typeof listFields)[number]
export const isText = (label: Label): label is Label & TextField => textFields.some((field) => field === label)
export const isList = (label: Label): label is Label & ListField => listFields.some((field) => field === label)

/** Fields whose value is a list of names on one line. */
export const names: ReadonlySet<string> = new Set(["target_job_titles", "competitors", "ideal_client_urls"])

export const oneLine = (field: TextField) =>
  field.startsWith("contact_") ||
  ["company_name", "website_url", "city_region", "business_address", "industry_vertical"].includes(field)

export const most = { text: 4000, list: 20, entry: 1000 }

/** Without its last stop, but for one that belongs to its last word: "Acme Co." */
export const unstopped = (text: string) => text.replace(/(?<!\b(?:Co|Corp|Inc|Ltd|\p{Lu}))\s*[.;,]$/u, "").trim()
const stopped = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)

export class Notes {
  readonly #texts = new Map<TextField, ReadonlyArray<string>>()
  readonly #lists = new Map<ListField, ReadonlyArray<string>>()

  /** Adds to a text what is not in it yet. */
  text(field: TextField, value: string) {
    const clean = value.trim()
    const kept = this.#texts.get(field) ?? []
    const within = (a: string, b: string) => b.toLowerCase().includes(unstopped(a).toLowerCase())
    if (clean === "" || kept.some((other) => within(clean, other))) return
    this.#texts.set(field, [...kept.filter((other) => !within(other, clean)), clean])
  }

  /** The same for a list. */
  list(field: ListField, value: string) {
    const clean = cut(value.trim(), most.entry)
    const kept = this.#lists.get(field) ?? []
    if (clean.length < 4 || kept.length >= most.list) return
    if (!kept.some((other) => other.toLowerCase().includes(clean.toLowerCase())))
      this.#lists.set(field, [...kept, clean])
  }

  noted(field: TextField) {
    const values = this.#texts.get(field)
    return oneLine(field) ? values?.[0] : values?.join(" ")
  }

  /** Puts a text in place of what was noted, if there is one. */
  settle(field: TextField, value: string | undefined) {
    if (value !== undefined && value !== "") this.#texts.set(field, [value])
  }

  /** Puts what is found in place of nothing, and all that was noted in place of its parts. */
  settleUnlessNoted(field: TextField, find: () => string | undefined) {
    this.settle(field, this.noted(field) ?? find())
  }

  /** Each text as its field holds it: one line, names, or prose. */
  get texts() {
    return [...this.#texts].map(([field, values]): readonly [TextField, string] => {
      const [first = ""] = values
      const prose = () => (values.length === 1 ? first : values.map(stopped).join(" "))
      const joined = oneLine(field) ? first : names.has(field) ? values.join(", ") : prose()
      return [field, cut(joined, most.text).trim()]
    })
  }

  get lists() {
    return [...this.#lists]
  }
}
