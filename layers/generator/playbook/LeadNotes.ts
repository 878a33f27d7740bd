// layers/generator/playbook/LeadNotes.ts: the lead's note or trigger column, if a stranger may read it as it is.
import notes from "#layers/generator/frames/notes.json" with { type: "json" }
import { hasContact } from "#layers/text/Contacts.ts"
import { countWords } from "#layers/text/Sentences.ts"
import { looksEnglish } from "#layers/text/Words.ts"
import type { Lead } from "#schema/Lead.ts"

/** A longer note is read for its writer, not for its reader. */
const maxNoteWords = 20
const maxNoteLength = 140

/** Markup, links and commands; a question or an exclamation is no fact. */
const notPlain = /[{}<>[\]=|\\?!\n\r]|https?:|www\./

/** Words of a salesperson's own work: what was agreed, how to write, whom to ask. */
const internalWords =
  /\b(?:I|we|us|our|me|my)\b|\b(?:called|call(?:ing)? back|callback|emailed|mailed|follow(?:ed)?[ -]?up|replied|reply|voicemail|no answer|not interested|interested|hot|warm|cold|lead|leads|prospect|priority|crm|pipeline|deal|discount|price|prices|pricing|budget|cheap|expensive|decision[ -]?maker|gatekeeper|competitor|persona|icp|opt(?:ed)?[ -]?out|unsubscribed?|gdpr|mention|tell|say|ask|avoid|don['’]?t|do not|never|must|always|please|careful|remember|maybe|probably|apparently|rumou?rs?|supposedly|seems?|test|todo|tbd|n\/a|unknown|none)\b/i

/** The reader as a person, and what no reader wants to be reminded of. */
const personalWords =
  /\b(?:he|she|him|her|his|hers|husband|wife|married|divorced?|pregnant|maternity|sick|ill|illness|cancer|health|died|death|funeral|birthday|age|aged|retir(?:es|ing|ed) (?:himself|herself)|religio\w*|friendly|nice|rude|difficult|angry|annoying|stupid|lazy|slow|speaks?|writes?|reads?|prefers?|likes?|hates?|loves?)\b/i
const embarrassingWords =
  /\b(?:fine[ds]?|penalt(?:y|ies)|sued|lawsuit|court|scandal|fraud|bankrupt\w*|insolven\w*|debts?|loss(?:es)?|losing|laid off|layoffs?|redundanc\w*|fired|sacked|strike|accident|injur\w*|fatal\w*|recall(?:ed|s)?|breach(?:ed)?|hacked|failed|fails?|failing|complaints?|bad|poor|worst|pays? late|late payer|overdue invoices?)\b/i

const isReadable = (text: string): boolean =>
  text.length <= maxNoteLength &&
  countWords(text) >= 2 &&
  countWords(text) <= maxNoteWords &&
  ![notPlain, internalWords, personalWords, embarrassingWords].some((pattern) => pattern.test(text)) &&
  !hasContact(text) &&
  looksEnglish(text)

const inColumns = (lead: Lead, columns: ReadonlyArray<string>): string | undefined => {
  for (const column of columns) {
    const value = lead.custom_fields?.[column]
    // The frame ends the sentence; an abbreviation at the end loses nothing by that.
    const text = typeof value === "string" ? value.trim().replace(/[.;,]+$/, "") : ""
    if (isReadable(text)) return text
  }
  return undefined
}

/** The variables `note` and `trigger` of a lead: a column with such a name, word for word, or undefined. */
export const leadNotes = (lead: Lead) => ({
  note: inColumns(lead, notes.note.columns),
  trigger: inColumns(lead, notes.trigger.columns)
})
