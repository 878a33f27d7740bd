// layers/research/extract/Said.ts: what a text says, sentence by sentence.
import { sentences } from "#layers/text/Words.ts"
import type { Block } from "#layers/research/extract/Blocks.ts"

/** A sentence with where it stands. */
export interface Said {
  readonly text: string
  readonly block: Block
  /** Its place in the text, to find what stands near. */
  readonly at: number
}

/** Sentences, where one that begins in lower case, in brackets or behind initials goes on with the one before: "Acme B.V. makes". */
const sentencesOf = (text: string) =>
  sentences(text).reduce<ReadonlyArray<string>>(
    (all, each) =>
      all.length > 0 && (/^\p{Ll}/u.test(each) || /\([^()]*$|(?<!\p{L})\p{Lu}\.(?:\p{Lu}\.)*$/u.test(all.at(-1) ?? ""))
        ? [...all.slice(0, -1), `${all.at(-1)} ${each}`]
        : [...all, each],
    []
  )

/** Every sentence that is no heading and no row. */
export const said = (all: ReadonlyArray<Block>): ReadonlyArray<Said> =>
  all.flatMap((block, at) =>
    block.kind === "heading" || block.kind === "row" ? [] : sentencesOf(block.text).map((text) => ({ text, block, at }))
  )
