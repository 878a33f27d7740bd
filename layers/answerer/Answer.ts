// layers/answerer/Answer.ts: the material that questions are answered from, and the form of an answer.
import type { Citation, Message, Reply } from "#schema/Agent.ts"

/** A text of a campaign's knowledge in Markdown, and how to cite it. */
export interface KnowledgeFile extends Pick<Citation, "file_id"> {
  readonly filename: string
  /** What it is about, if its first heading does not say it: the job title of a lead. */
  readonly title?: string
  readonly source: NonNullable<Citation["source"]>
  /** Where the console shows it. */
  readonly link: string
  /** The part of that address for the passage under a heading, if it has one. */
  readonly anchor?: (heading: string) => string | undefined
  readonly content: string
}

/** What a question names a lead by. */
export interface Named {
  readonly addresses: ReadonlyArray<string>
  /** The words of the question in lower case, with single spaces. */
  readonly words: string
  /** Words in a row that may be a name; one alone must be marked as a name by a capital or the word before it. */
  readonly names: ReadonlyArray<{ readonly words: ReadonlyArray<string>; readonly isMarked: boolean }>
  /** A job title alone may name a lead. */
  readonly byTitle: boolean
  /** It asks for the others of the same company. */
  readonly colleagues: boolean
  /** The leads of the lists that it names, or of all lists; `failed` means those without emails. */
  readonly group: "all" | "failed" | undefined
}

/** An earlier message of a conversation. */
export interface Turn extends Pick<Message, "role" | "content"> {
  readonly citations?: ReadonlyArray<Citation> | null
}

export interface Answer extends Pick<Reply, "answered_by"> {
  readonly content: string
  /** The passages that the answer was taken from; none for an answer that is not known. */
  readonly citations: ReadonlyArray<Citation>
  /** Where no passage has a word of the question, those that are nearest in kind. */
  readonly nearest: ReadonlyArray<Citation>
}

export const unknown =
  "No passage of this campaign's documents, selections, playbook and lists matches these words. Other words may find it."
/** Introduces what is nearest where no passage can hold the answer. */
export const notInMaterial = "Probably not in your material"

/** Begins an answer where the words of a question stand in different passages only. */
export const maybeMissing = "Your material may not say this"
/** Introduces passages and claims nothing about them. */
export const nearestPassages = "The passages nearest to your question"
/** Introduces the leads whose columns have words of the question, and all leads if none has. */
export const nearestRows = "The leads whose rows are nearest to your question"
export const noRowHas = "No lead's row has the words of your question. All leads"
