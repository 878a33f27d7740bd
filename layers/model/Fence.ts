// layers/model/Fence.ts: makes untrusted text safe for a prompt: cleaned, truncated, and between marks that the text
// cannot guess.
import { Array as Arr, Predicate } from "effect"
import type { PromptData } from "#layers/Model.ts"
import { truncate } from "#layers/text/Words.ts"

// Characters that models read and people cannot see: zero-width, bidi and tag characters, fillers, selectors, controls.
const invisibleCharacters = /[\p{DI}\p{Cf}]|(?![\n\t])\p{Cc}/gu

/** The text without invisible characters, truncated to `maxLength` characters. */
export const removeInvisible = (text: string, maxLength: number): string =>
  truncate(text.toWellFormed().replace(/\r\n?/g, "\n").replace(invisibleCharacters, ""), maxLength)

/** Bounds for a prompt, whatever the store has. */
const maxListEntries = 250
const maxBlockCharacters = 120_000

const isEmptyValue = (value: unknown) =>
  value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0)

const cleanValue = (value: unknown, maxLength: number): unknown => {
  if (typeof value === "string") return removeInvisible(value, maxLength).trim()
  if (Array.isArray(value)) return Arr.take(value, maxListEntries).map((item) => cleanValue(item, maxLength))
  if (!Predicate.isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]) => {
      const cleaned = cleanValue(field, maxLength)
      return isEmptyValue(cleaned) ? [] : [[name, cleaned]]
    })
  )
}

/** A list of strings as lines; all else as JSON, in which a string cannot end itself. */
const formatValue = (name: string, value: unknown): string =>
  Array.isArray(value) && value.every(Predicate.isString)
    ? `${name}:\n${value.join("\n")}`
    : JSON.stringify({ [name]: value })

/** Each value of the material as a fenced block that its text cannot close. */
export const fenceMaterial = (tag: string, material: PromptData, maxLength: number): ReadonlyArray<string> =>
  Object.entries(material).flatMap(([name, value]) => {
    const cleaned = cleanValue(value, maxLength)
    if (isEmptyValue(cleaned)) return []
    const text = truncate(formatValue(name, cleaned), maxBlockCharacters).replaceAll(tag, "")
    return [`<${tag}>\n${text}\n</${tag}>`]
  })
