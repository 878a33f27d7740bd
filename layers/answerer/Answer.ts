// layers/answerer/Answer.ts: the material that questions are answered from, and the form of an answer.
import type { Citation, Message, Reply } from "#schema/Agent.ts"

/** A text of a campaign's knowledge in Markdown, and how to cite it. */
export interface KnowledgeFile extends Pick<Citation, "file_id"> {
  readonly filename: string
  /** A title, for texts whose first heading does not state the subject, for example a lead's job title. */
  readonly title?: string
  readonly source: NonNullable<Citation["source"]>
  /** The console page that shows the text. */
  readonly link: string
  /** The part of that address for the passage under a heading, if it has one. */
  readonly anchor?: (heading: string) => string | undefined
  readonly content: string
  /** Whether the text was too long and has only its beginning. */
  readonly isCut?: boolean
}

/** How a question refers to a lead. */
export interface LeadReference {
  readonly addresses: ReadonlyArray<string>
  /** The words of the question in lower case, with single spaces. */
  readonly words: string
  /** Words in a row that may be a name; one alone must be marked as a name by a capital or the word before it. */
  readonly names: ReadonlyArray<{ readonly words: ReadonlyArray<string>; readonly isMarked: boolean }>
  /** A job title alone may name a lead. */
  readonly byTitle: boolean
  /** Whether the question asks for other leads of the same company. */
  readonly colleagues: boolean
  /** The leads of the lists that it names, or of all lists; `failed` means those without emails. */
  readonly group: "all" | "failed" | undefined
}

/** An earlier message of a conversation. */
export interface Turn extends Pick<Message, "role" | "content"> {
  readonly citations?: ReadonlyArray<Citation> | null
  readonly nearest?: ReadonlyArray<Citation> | null
}

export interface Answer extends Pick<Reply, "answered_by"> {
  readonly content: string
  /** The passages that the answer was taken from; none for an answer that is not known. */
  readonly citations: ReadonlyArray<Citation>
  /** If no passage matches a word of the question: the passages of the most similar kind. */
  readonly nearest: ReadonlyArray<Citation>
}

export const unknownAnswer =
  "No passage of this campaign's documents, selections, playbook and lists matches these words. Other words may find it."
/** Introduces the closest passages if no passage can contain the answer. */
export const notInMaterial = "Probably not in your material"

/** Starts an answer if the question's words occur only in different passages. */
export const maybeMissing = "Your material may not say this"
/** Introduces passages and claims nothing about them. */
export const nearestPassages = "The passages nearest to your question"
/** Introduces the leads whose columns have words of the question, and all leads if none has. */
export const nearestRows = "The leads whose rows are nearest to your question"
export const noRowHas = "No lead's row has the words of your question. All leads"
