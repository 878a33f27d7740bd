// layers/generator/playbook/Book.ts: what a lead is written from: the part of a playbook that the writers read.
import type { Finding } from "#schema/Findings.ts"
import type { Message, MessagePart, Persona, Playbook, Template } from "#schema/Playbook.ts"

export type BookTemplate = Pick<Template, "id" | "step" | "variant" | "subject" | "body">

export interface BookPersona extends Pick<Persona, "id" | "name" | "kind" | "titles" | "message"> {
  readonly templates: ReadonlyArray<BookTemplate>
}

/** Copied into each list when it is accepted, so that later edits do not change a list under way. */
export interface Book extends Pick<Playbook, "version" | "never_say" | "personalization"> {
  /** The last one is "Everyone else". */
  readonly personas: ReadonlyArray<BookPersona>
}

export interface DraftedTemplate extends Omit<BookTemplate, "id"> {
  /** What its writer has to say of it, beside what the checker finds. */
  readonly findings?: ReadonlyArray<Finding>
}

/** A persona as it is drafted, before the store gives it an id. */
export interface DraftedPersona extends Omit<BookPersona, "id" | "templates"> {
  readonly templates: ReadonlyArray<DraftedTemplate>
  /** Sentences that would make its emails better. */
  readonly missing: ReadonlyArray<{ readonly part: MessagePart; readonly message: string }>
}

/** What a redraft starts from: a persona whose name, titles or message a person may have corrected. */
export interface PersonaOutline extends Pick<Persona, "name" | "kind" | "titles"> {
  readonly message: Message
  /** The campaign's phrases that no email may say. Omitted if there are none. */
  readonly never_say?: ReadonlyArray<string>
}
