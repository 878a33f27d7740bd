// layers/answerer/Answer.ts: the material that questions are answered from, and the form of an answer.
import type { Citation, Message, Reply } from "#schema/Agent.ts"

/** A text of a campaign's knowledge in Markdown, and how to cite it. */
export interface KnowledgeFile extends Pick<Citation, "file_id"> {
  readonly filename: string
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
export type Turn = Pick<Message, "role" | "content">

export interface Answer extends Pick<Reply, "answered_by"> {
  readonly content: string
  /** The passages that the answer was taken from; none for an answer that is not known. */
  readonly citations: ReadonlyArray<Citation>
  /** The passages nearest to a question whose answer is not known. */
  readonly nearest: ReadonlyArray<Citation>
}

export const unknown =
  "This campaign's documents, selections, playbook and lists do not answer that in these words. Other words may find it."
/** The same where there are passages to offer. */
export const uncertain =
  "This campaign's documents, selections, playbook and lists do not answer that for certain. The nearest passages may."
