// layers/generator/bymodel/CleanText.ts: a model's text, limited to characters that a keyboard has.
import { removeInvisible } from "#layers/model/Fence.ts"

/** One line of limited length. */
export const cleanLine = (text: string, maxLength = 200): string =>
  removeInvisible(text, maxLength).replace(/\s+/g, " ").trim()

/** Several lines of limited length. */
export const cleanPassage = (text: string): string => removeInvisible(text, 2000).trim()

/** An email without typographic characters, which would show that no person typed it. */
export const cleanEmail = (text: string): string =>
  removeInvisible(text, 8000)
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u201c\u201d]/g, '"')
    .replace(/\u2026/g, "...")
    .replace(/(?<=\d)\s*[\u2013\u2014]\s*(?=\d)/g, "-")
    .replace(/\s*[\u2013\u2014]\s*/g, " - ")
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim()
