// layers/generator/bymodel/Typed.ts: what a model wrote, as somebody would have typed it.
import { visible } from "#layers/model/Fence.ts"

/** One line, of so many letters. */
export const line = (text: string, longest = 200): string => visible(text, longest).replace(/\s+/g, " ").trim()

/** A text of more, of so many letters. */
export const passage = (text: string): string => visible(text, 2000).trim()

/** An email by hand: what a keyboard has no key for says nothing more to a reader. */
export const typed = (text: string): string =>
  visible(text, 8000)
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u201c\u201d]/g, '"')
    .replace(/\u2026/g, "...")
    .replace(/(?<=\d)\s*[\u2013\u2014]\s*(?=\d)/g, "-")
    .replace(/\s*[\u2013\u2014]\s*/g, " - ")
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim()
