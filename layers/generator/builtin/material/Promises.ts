// layers/generator/builtin/material/Promises.ts: what changes for a client, and what a client is guaranteed.
import { withArticle } from "#layers/generator/builtin/grammar/Articles.ts"
import { type Phrase, phrase, sentence, yours } from "#layers/generator/builtin/grammar/Phrases.ts"
import { pieces, statements } from "#layers/generator/builtin/grammar/Pieces.ts"
import { wordCount } from "#layers/text/Words.ts"

/** A guarantee, said whole or announced. */
export const promises = (text: string, ours: string, names: ReadonlySet<string>): ReadonlyArray<string> =>
  statements(text)
    .slice(0, 1)
    .flatMap((each) => {
      const fact = each.replace(/^(?:our |the )?(?:guarantee|promise|risk[- ]reversal) ?: ?/i, "").replace(/\.$/, "")
      if (wordCount(fact) > 24 || wordCount(fact) < 2) return []
      const read = phrase(fact, ours, names)
      if (read.kind === "ours" || read.kind === "clause" || /^(?:if|when|unless|until|you|should)\b/i.test(fact))
        return [sentence(fact)]
      return [`Our promise: ${read.text}.`]
    })

const aims = /^(?:more|fewer|less|better|faster)\b/

const gain = ({ kind, text }: Phrase): ReadonlyArray<string> => {
  switch (kind) {
    case "ours":
    case "clause":
      return [sentence(text.replace(/^they\b/i, "Clients"))]
    case "deed":
      return /^(?:can't|cannot|don't|never|not|unable|have|haven't)\b/.test(text)
        ? []
        : [sentence(`You'd ${yours(text)}`)]
    case "thing": {
      if (text.startsWith("no ")) return [sentence(`There's ${text}`)]
      const got = aims.test(text) ? `You'd get ${text}` : `You get ${withArticle(text)}`
      return [sentence(got.replace(/, no (?=[^,]*$)/, " and no "))]
    }
    default:
      return []
  }
}

const fromTo = (text: string): string | undefined => {
  const [, before, after = ""] =
    /^from (.+?ing\b.*?) to (\w+ing\b.*)$/i.exec(text) ?? /^from (.+?) to (.+)$/i.exec(text) ?? []
  return before === undefined ? undefined : `You'd go from ${yours(before)} to ${yours(after.replace(/,.*$/, ""))}`
}

/** What changes for a client: chosen promises first, then the profile's own words. */
export const gains = (
  values: ReadonlyArray<string>,
  transformation: string | null,
  differentiators: string | null,
  ours: string,
  names: ReadonlySet<string>
): ReadonlyArray<string> => {
  const said = [
    ...values.flatMap((text) => statements(text).slice(0, 1)),
    ...statements(transformation),
    ...pieces(differentiators)
  ]
  return said
    .map((text) => text.replace(/[.;]+$/, "").split(";")[0] ?? "")
    .flatMap((text) => {
      const moved = fromTo(text)
      if (moved !== undefined) return [sentence(moved)]
      const read = phrase(text, ours, names)
      const whole = gain(read)
      if (read.count <= 20) return whole
      // The first part of a long one may stand alone.
      return gain(phrase(text.split(/, (?:and|with|so|which|because)\b/)[0] ?? "", ours, names))
    })
    .filter((text) => wordCount(text) <= 22 && wordCount(text) >= 4)
}
