// layers/generator/builtin/material/Troubles.ts: what clients put up with: its shape, its subject, whom it touches.
import { withArticle } from "#layers/generator/builtin/grammar/Articles.ts"
import { type Phrase, phrase } from "#layers/generator/builtin/grammar/Phrases.ts"
import { verbAt } from "#layers/generator/builtin/grammar/Verbs.ts"
import { type Role, roles } from "#layers/generator/Roles.ts"
import { roleWords } from "#layers/generator/RoleWords.ts"
import { content, words } from "#layers/text/Words.ts"

export interface Trouble {
  readonly kind: "clause" | "doing" | "thing" | "other"
  readonly text: string
  readonly topic: string | undefined
  /** Whether it speaks of a kind of people ("practices run out ..."), not of one company. */
  readonly general: boolean
  readonly stems: ReadonlySet<string>
  /** How many of its words each role cares about. */
  readonly affinity: ReadonlyMap<Role, number>
}

const turned: Readonly<Record<string, string>> = {
  we: "you",
  us: "you",
  our: "your",
  ours: "yours",
  i: "you",
  me: "you",
  my: "your",
  "we're": "you're",
  "we've": "you've",
  "we'll": "you'll",
  "i'm": "you're",
  am: "are",
  they: "you",
  them: "you",
  their: "your",
  "they're": "you're",
  "they've": "you've"
}

/** What a client says of themselves ("we never know when ..."), said to the reader. */
const toReader = (text: string): string =>
  text.replace(/\b[A-Za-z]+(?:'[a-z]+)?\b/g, (word, at: number) => {
    const swapped = turned[word.toLowerCase()]
    if (swapped === undefined) return word
    return at === 0 && /^[A-Z]/.test(word) ? swapped.charAt(0).toUpperCase() + swapped.slice(1) : swapped
  })

const pronouns =
  /^(?:you|your|it|its|this|that|these|those|they|there|nobody|no|everyone|everybody|someone|somebody|people|we|i|he|she|what|too|not|never|most|many|some|half|all)\b/i

export const people =
  /\b(?:staff|people|parents|patients|practices|schools|companies|firms|teams|clinics|shops|businesses|pupils|students|employees|clients|hours|days|weeks|time|\w*(?:own|manag|offic|teach|suppli|shipp|buy|driv|work|custom|deal|engine|us|lead|memb|partn|develop|carri|import|export|employ|farm|retail|build|lawy|plann|leas)ers|agencies|agents|candidates?|contractors|distributors|operators|directors|dentists|owners|lots?|lack|most|others)$/i

const vague =
  /^(?:patterns|prices|things|issues|problems|costs|errors|mistakes|delays|bills|data|information|quality|results|work|systems|processes|tools)$|^\S+ \S*ing$|\bmid-/i

/** The noun that a piece is about, where it is short enough to be named in a few words. */
const topicOf = ({ kind, text }: Pick<Phrase, "kind" | "text">): string | undefined => {
  const all = words(text)
  const lower = all.map((word) => word.toLowerCase())
  const end =
    kind === "clause"
      ? verbAt(lower)
      : lower.findIndex(
          (word, at) =>
            at > 0 &&
            /^(?:of|for|to|in|on|at|with|from|by|that|which|who|between|about|because|due|when|where|and|or)$/.test(
              word
            )
        )
  const head = text.startsWith("your ") || text.startsWith("the ") || text.startsWith("a ") ? 1 : 0
  const noun = all.slice(head, end < 0 ? all.length : end)
  const joined = noun.join(" ")
  if (people.test(joined) || vague.test(joined)) return undefined
  if (noun.length === 0 || noun.length > 3 || pronouns.test(joined) || /\d/.test(joined) || !text.includes(joined))
    return undefined
  if (
    noun.some((word) =>
      /^(?:and|or|of|too|much|many|more|less|every|each|as|any|few|new|often|still|high|low|long|slow|poor|lost|late|bad|only|other)$|ly$/i.test(
        word
      )
    )
  )
    return undefined
  return kind === "doing" || kind === "other" || withArticle(joined) !== joined ? undefined : joined
}

export const trouble = (raw: string, ours: string, names: ReadonlySet<string>): Trouble | undefined => {
  const mine = /^(?:we|we're|we've|i|i'm|they|they're|their|our|my)\b/i.test(raw) ? toReader(raw) : raw
  const read = phrase(mine, ours, names)
  const text = read.kind === "deed" ? `you ${read.text}` : read.text
  const kind = read.kind === "deed" ? "clause" : read.kind === "ours" ? "other" : read.kind
  const count = words(text).length
  if (count > 18 || count < 2 || /[?"]/.test(text)) return undefined
  const stems = content(words(text.toLowerCase()))
  return {
    kind,
    text,
    topic: read.kind === "deed" ? undefined : topicOf(read),
    general: people.test(text.split(" ").slice(0, 2).join(" ")) || people.test(text.split(" ")[0] ?? ""),
    stems,
    affinity: new Map(roles.map((role) => [role, roleWords[role].intersection(stems).size]))
  }
}
