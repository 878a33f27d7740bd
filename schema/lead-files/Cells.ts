// schema/lead-files/Cells.ts: what a cell says, and whether it is an address.
import { Schema } from "effect"
import { Email } from "#schema/Fields.ts"

/** A cell on one line: no space around it, no runs of space within. */
export const cleanCell = (cell: string) => cell.replace(/\s+/g, " ").trim()

const isEmail = Schema.is(Email)

/** The address that a cell means by `mailto:a@b` or `Name <a@b>`, otherwise what it holds. */
export const emailAddressIn = (cell: string) => {
  const inner = /<([^<>]*)>$/.exec(cell)?.[1] ?? cell
  const target = /^\s*mailto:([^?]*)/i.exec(inner)?.[1] ?? inner
  // Marks that no one sees come along when an address is copied from a web page.
  return target.replace(/[\u00AD\u200B-\u200F\u2060]/g, "").trim()
}

export const isEmailCell = (cell: string) => isEmail(emailAddressIn(cell))

/** A cell as part of a message, where it must not run on or steer the terminal. */
export const displayCell = (cell: string) => {
  const harmless = cell.replace(/[\p{Cc}\p{Cf}]/gu, "\uFFFD")
  return harmless.length > 60 ? `${harmless.slice(0, 60)}…` : harmless
}

export const quoteCell = (cell: string) => `"${displayCell(cell)}"`
