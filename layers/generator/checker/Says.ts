// layers/generator/checker/Says.ts: whether the first email says what the sender does.
import { whole } from "#layers/generator/checker/Findings.ts"
import type { Sources } from "#layers/generator/checker/Sources.ts"
import { alike } from "#layers/generator/checker/Quantities.ts"
import type { EmailText } from "#layers/generator/checker/Text.ts"
import type { Finding } from "#schema/Findings.ts"

const sharedBy = (said: ReadonlySet<string>, source: ReadonlySet<string>): number => {
  let shared = 0
  for (const stem of said) if (source.has(stem) || [...source].some((other) => alike(stem, other))) shared++
  return shared
}

/** How plainly: a sentence about the sender says it, the email as a whole lets it be understood, or neither. */
const plainness = (email: EmailText, { does, offers, own }: Sources): "plain" | "implied" | "missing" => {
  const any = new Set(does.flatMap((each) => [...each]))
  let implied = 0
  const said = new Set<string>()
  for (const { plain, question, stems } of email.sentences) {
    const sender =
      /\b(?:we|we're|our|ours|us|i)\b/i.test(plain) || [...own].some((name) => plain.toLowerCase().includes(name))
    const best = Math.max(0, ...does.map((each) => sharedBy(stems, each)))
    if (sender && !question && best >= 2) return "plain"
    if (best >= 3) implied++
    for (const stem of stems) if (any.has(stem) || offers.has(stem)) said.add(stem)
  }
  return implied > 0 || said.size >= 3 ? "implied" : "missing"
}

/** Fails where nothing in the first email tells a stranger what is sold. */
export const saysWhatWeDo = (email: EmailText, sources: Sources): ReadonlyArray<Finding> => {
  // With nothing to compare it with, no email can be blamed.
  if (sources.does.length === 0 || email.sentences.length === 0) return []
  const found = plainness(email, sources)
  if (found === "plain") return []
  return [
    found === "missing"
      ? whole(
          "body",
          "says.what_we_do",
          "fail",
          "No sentence says what you sell. Add one that a stranger understands, such as the first sentence of your description."
        )
      : whole("body", "says.what_we_do", "hint", "A stranger has to guess what you sell. Say it in one plain sentence.")
  ]
}
