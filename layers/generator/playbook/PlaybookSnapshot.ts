// layers/generator/playbook/PlaybookSnapshot.ts: the part of a playbook that emails are written from.
import type { Finding } from "#schema/Findings.ts"
import type { Message, MessagePart, Persona, Playbook, Template } from "#schema/Playbook.ts"

/** The model that wrote a text, and the version of the prompt that it was given. */
export interface ModelMark {
  readonly model: string
  readonly prompt_version: string
}

/** Null if no model wrote the text; undefined if unknown, for texts from before this was recorded. */
export type TextOrigin = ModelMark | null | undefined

export interface TemplateSnapshot extends Pick<Template, "id" | "step" | "variant" | "subject" | "body"> {
  /** The origin of the drafted text; a person's edits do not change it. */
  readonly mark?: TextOrigin
}

export interface PersonaSnapshot extends Pick<Persona, "id" | "name" | "kind" | "titles" | "message"> {
  readonly templates: ReadonlyArray<TemplateSnapshot>
}

/** Copied into each list when it is accepted, so that later edits do not change a list in progress. */
export interface PlaybookSnapshot extends Pick<Playbook, "version" | "never_say" | "personalization"> {
  /** The last one is "Everyone else". */
  readonly personas: ReadonlyArray<PersonaSnapshot>
}

export interface DraftedTemplate extends Omit<TemplateSnapshot, "id"> {
  /** Findings of the writer, in addition to the checker's. */
  readonly findings?: ReadonlyArray<Finding>
}

/** A drafted persona, before the store gives it an id. */
export interface DraftedPersona extends Omit<PersonaSnapshot, "id" | "templates"> {
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
