// layers/answerer/Answer.ts: what is answered from, and what an answer is.
import type { Citation, Message } from "#schema/Agent.ts"

/** A text of a campaign's knowledge: Markdown, and what to cite it as. */
export interface KnowledgeFile extends Citation {
  readonly filename: string
  readonly content: string
}

/** What was said in a conversation before, by either side. */
export type Turn = Pick<Message, "role" | "content">

export interface Answer {
  readonly content: string
  /** The files that the answer stands on, each once; none when it says that nothing is known. */
  readonly citations: ReadonlyArray<Citation>
}
