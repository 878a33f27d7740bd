// layers/research/extract/Said.ts: what a text says, sentence by sentence.
import { sentences } from "#layers/text/Words.ts"
import type { Block } from "#layers/research/extract/Blocks.ts"
import { topicOf } from "#layers/research/extract/Topics.ts"

/** A sentence with where it stands. */
export interface Said {
  readonly text: string
  readonly block: Block
  /** Its place in the text, to tell what stands near. */
  readonly at: number
}

/** Sentences, where one that begins in lower case, or in brackets, goes on with the one before: "Acme B.V. makes". */
const sentencesOf = (text: string) =>
  sentences(text).reduce<ReadonlyArray<string>>(
    (all, each) =>
      all.length > 0 && (/^\p{Ll}/u.test(each) || /\([^()]*$/.test(all.at(-1) ?? ""))
        ? [...all.slice(0, -1), `${all.at(-1)} ${each}`]
        : [...all, each],
    []
  )

/** Every sentence that is no heading and no row. A question within a paragraph is the heading of its answer. */
export const said = (all: ReadonlyArray<Block>): ReadonlyArray<Said> =>
  all.flatMap((block, at) => {
    if (block.kind === "heading" || block.kind === "row") return []
    let asked = block
    return sentencesOf(block.text).map((text) => {
      const topic = text.endsWith("?") && text.split(" ").length > 2 ? topicOf(text) : undefined
      if (topic !== undefined) asked = { ...block, topic }
      return { text, block: asked, at }
    })
  })
