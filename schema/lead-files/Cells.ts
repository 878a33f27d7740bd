// schema/lead-files/Cells.ts: cleans cells, and recognises email addresses in them.
import { Schema } from "effect"
import { Email } from "#schema/Fields.ts"

/** The cell on one line, trimmed, with single spaces. */
export const cleanCell = (cell: string) => cell.replace(/\s+/g, " ").trim()

const isEmail = Schema.is(Email)

/** The address in `mailto:a@b` or `Name <a@b>`, else the cell itself. */
export const emailAddressIn = (cell: string) => {
  const inner = /<([^<>]*)>$/.exec(cell)?.[1] ?? cell
  const target = /^\s*mailto:([^?]*)/i.exec(inner)?.[1] ?? inner
  // Removes invisible characters that are copied along with an address from a web page.
  return target.replace(/[\u00AD\u200B-\u200F\u2060]/g, "").trim()
}

export const isEmailCell = (cell: string) => isEmail(emailAddressIn(cell))

/** A cell for an error message: truncated, and without control characters that could affect a terminal. */
export const displayCell = (cell: string) => {
  const harmless = cell.replace(/[\p{Cc}\p{Cf}]/gu, "\uFFFD")
  return harmless.length > 60 ? `${harmless.slice(0, 60)}…` : harmless
}

export const quoteCell = (cell: string) => `"${displayCell(cell)}"`
