// layers/generator/playbook/Book.ts: the part of a playbook that emails are written from.
import type { Finding } from "#schema/Findings.ts"
import type { Message, MessagePart, Persona, Playbook, Template } from "#schema/Playbook.ts"

export type BookTemplate = Pick<Template, "id" | "step" | "variant" | "subject" | "body">

export interface BookPersona extends Pick<Persona, "id" | "name" | "kind" | "titles" | "message"> {
  readonly templates: ReadonlyArray<BookTemplate>
}

/** Copied into each list when it is accepted, so that later edits do not change a list in progress. */
export interface Book extends Pick<Playbook, "version" | "never_say" | "personalization"> {
  /** The last one is "Everyone else". */
  readonly personas: ReadonlyArray<BookPersona>
}

export interface DraftedTemplate extends Omit<BookTemplate, "id"> {
  /** Findings of the writer, in addition to the checker's. */
  readonly findings?: ReadonlyArray<Finding>
}

/** A drafted persona, before the store gives it an id. */
export interface DraftedPersona extends Omit<BookPersona, "id" | "templates"> {
  readonly templates: ReadonlyArray<DraftedTemplate>
  /** Sentences that would make its emails better. */
  readonly missing: ReadonlyArray<{ readonly part: MessagePart; readonly message: string }>
}

/** The start of a redraft: a persona whose name, titles or message a person may have edited. */
export interface PersonaOutline extends Pick<Persona, "name" | "kind" | "titles"> {
  readonly message: Message
  /** The campaign's phrases that no email may contain. Omitted if there are none. */
  readonly never_say?: ReadonlyArray<string>
}
