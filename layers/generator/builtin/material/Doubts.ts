// layers/generator/builtin/material/Doubts.ts: what makes clients hesitate, and what they are answered.
import { lowerFirst } from "#layers/generator/builtin/grammar/Capitals.ts"
import { sentence } from "#layers/generator/builtin/grammar/Phrases.ts"
import { statements } from "#layers/generator/builtin/grammar/Pieces.ts"
import { verbAt } from "#layers/generator/builtin/grammar/Verbs.ts"
import { words } from "#layers/text/Words.ts"

export interface Doubt {
  readonly worry: string
  readonly answer: string
}

const yours = (text: string): string =>
  text
    .replace(/\bour\b/g, "your")
    .replace(/\bus\b/g, "you")
    .replace(/\bwe're\b/g, "you're")
    .replace(/\bwe\b/g, "you")
    .replace(/\bI\b/g, "you")
    .replace(/\bmy\b/g, "your")

/** Objections written as "We already have one: ...", turned to the reader. Others are left alone. */
export const doubts = (text: string | null, names: ReadonlySet<string>): ReadonlyArray<Doubt> =>
  statements(text).flatMap((each) => {
    const match =
      /^"?(we|i|you) ((?:already |currently )?)(have|use|do|are|work|buy|like|need)( [^:"]+)"?: ?"?([^"]+?)"?\.?$/i.exec(
        each
      )
    const [, , already = "", verb = "", rest = "", reply = ""] = match ?? []
    if (match === null || words(reply).length > 20 || words(rest).length > 12 || words(reply).length < 4) return []
    const answer = reply.replace(/, (we|you|they) /, ", and $1 ")
    if (verbAt(words(answer.toLowerCase())) < 0 && !/^(?:we|they|it|you|with|that)\b/i.test(answer)) return []
    return [
      {
        worry: sentence(
          `You may ${already.toLowerCase()}${verb.toLowerCase() === "are" ? "be" : verb.toLowerCase()}${yours(rest)}`
        ),
        answer: sentence(lowerFirst(answer, names))
      }
    ]
  })
