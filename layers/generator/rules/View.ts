// layers/generator/rules/View.ts: an email taken apart, as rules look at it.
import type { Draft } from "#layers/Generator.ts"
import { type Trigrams, trigrams } from "#layers/text/Likeness.ts"
import { prose, type Prose } from "#layers/text/Prose.ts"
import { sentences, words } from "#layers/text/Words.ts"

export interface View {
  readonly subject: string
  readonly subjectWords: ReadonlyArray<string>
  readonly greeting: string | undefined
  /** As it was written. */
  readonly body: string
  /** Body without greeting, signature and opt-out line. */
  readonly text: string
  readonly lower: string
  readonly prose: Prose
  readonly tokens: ReadonlySet<string>
  readonly trigrams: Trigrams
  /** Subject, greeting and body, as they would leave. */
  readonly whole: string
}

const greetingLine = /^(?:hi|hello|hey|dear|good (?:morning|afternoon|day))\b[^\n.?!]{0,60}[,!]?$/i
const optOutLine =
  /\b(?:unsubscribe|opt[ -]?out|stop writing|rather not hear|not hear from (?:me|us)|don't want (?:to hear|my|our|these))\b/i

export const saysOptOut = (text: string): boolean => optOutLine.test(text)

export const view = (draft: Draft, signature?: string): View => {
  const normal = draft.body.replaceAll("\r\n", "\n").trim()
  const unsigned =
    signature !== undefined && signature.trim() !== "" && normal.endsWith(signature.trim())
      ? normal.slice(0, -signature.trim().length).trimEnd()
      : normal
  const blocks = unsigned.split(/\n\s*\n/).flatMap((block) => {
    const lines = block.trim()
    const cut = lines.indexOf("\n")
    // A greeting may stand on the line right above its text.
    return cut > 0 && greetingLine.test(lines.slice(0, cut).trim())
      ? [lines.slice(0, cut).trim(), lines.slice(cut + 1).trim()]
      : [lines]
  })
  const greeting = blocks[0] !== undefined && greetingLine.test(blocks[0]) ? blocks[0] : undefined
  const rest = (greeting === undefined ? blocks : blocks.slice(1)).filter((block) => block !== "")
  // The whole line is left out where it is a paragraph; a closing sentence of a longer paragraph is the author's own.
  const kept = rest.filter(
    (block, at) => !(at === rest.length - 1 && at > 0 && optOutLine.test(block) && sentences(block).length < 3)
  )
  const text = kept.join("\n\n")
  const taken = prose(kept)
  // Few rules look at these, and many wordings are given up before.
  const spoken = () => taken.sentences.flatMap((sentence) => sentence.lower)
  let lower: string | undefined
  let grams: Trigrams | undefined
  let said: ReadonlySet<string> | undefined
  return {
    subject: draft.subject,
    subjectWords: words(draft.subject),
    greeting,
    body: draft.body,
    text,
    get lower() {
      return (lower ??= text.toLowerCase())
    },
    prose: taken,
    get tokens() {
      return (said ??= new Set(spoken()))
    },
    get trigrams() {
      return (grams ??= trigrams(spoken()))
    },
    whole: `${draft.subject}\n${draft.body}`
  }
}

/** The sentence that is to hold the ask. */
export const lastSentence = (email: View): string => email.prose.sentences.at(-1)?.text ?? ""
