// layers/generator/builtin/material/Descriptions.ts: a description of a business, as sentences that can stand in an email.
import { withArticle } from "#layers/generator/builtin/grammar/Articles.ts"
import { lowerFirst, upperFirst } from "#layers/generator/builtin/grammar/Capitals.ts"
import { phrase, sentence, stopped } from "#layers/generator/builtin/grammar/Phrases.ts"
import { statements } from "#layers/generator/builtin/grammar/Pieces.ts"
import { baseOf, guessBase, isBaseVerb } from "#layers/generator/builtin/grammar/Verbs.ts"
import { topicsOf } from "#layers/generator/builtin/material/Topics.ts"
import { withoutAsides, wordCount, words } from "#layers/text/Words.ts"

const firms =
  /(?:firm|company|agency|studio|shop|supplier|manufacturer|consultancy|provider|maker|team|group|practice|distributor|wholesaler|business|partner|specialist|start-?up|nursery|bakery|brewery|workshop|laboratory|lab|school|clinic|office|bureau|co-?op|cooperative|family|importer|exporter|broker|contractor|builder|dealer)$/

/** The first of what a sentence says, and each other thing its subject does, where those read alone. */
const parts = (told: string): ReadonlyArray<string> => {
  const whole = withoutAsides(told.replace(/;.*$/, ""))
  const [head = "", ...others] = whole
    .replace(/\.$/, "")
    .split(
      /, (?:and )?|(?<=\w{3}) and (?=(?:show|help|give|deliver|send|tell|keep|make|find|recover|handle|manage|supply|install) )/
    )
  const isLong = wordCount(whole) > 16
  const areDeeds = others.length > 0 && others.every((part) => isBaseVerb(words(part.toLowerCase())[0] ?? ""))
  const headAlone =
    others.length > 0 && wordCount(head) >= 5 && (areDeeds || (isLong && !/^(?:and|or)\b/.test(others[0] ?? "")))
  const deeds = areDeeds && /^we /i.test(head) ? others : []
  return [
    ...(isLong && others.length > 0 ? [] : [whole]),
    ...(headAlone ? [head] : []),
    // What leans on the part before it ("match them") says nothing alone.
    ...deeds
      .filter((deed) => wordCount(deed) >= 4 && !/\b(?:them|it|its|this|these|those)\b/.test(deed))
      .map((deed) => `We ${deed}`)
  ]
    .map(stopped)
    .filter((each) => wordCount(each) <= 22)
}

/** A description without a subject ("Provides payroll to ...") gets one. */
const withSubject = (sentence: string): string => {
  const all = sentence.split(" ")
  const first = (all[0] ?? "").toLowerCase()
  const base = baseOf(first)
  if (base === undefined) {
    if (isBaseVerb(first) && !/^(?:cost|plan|order|report|support|stock|store)$/.test(first))
      return `We ${first} ${all.slice(1).join(" ")}`
    return sentence
  }
  const rest = all.slice(1)
  // "builds and services": what follows the first verb's "and" is a verb as well.
  if (rest[0] === "and" && rest[1] !== undefined) rest[1] = guessBase(rest[1])
  const isJoined = (at: number) =>
    (rest[at - 1] === "and" || rest[at - 1]?.endsWith(",") === true) && rest[at + 1] !== undefined
  return ["We", base, ...rest.map((word, at) => (isJoined(at) ? baseOf(word) : undefined) ?? word)].join(" ")
}

const headOf = (noun: string): string =>
  words(
    noun.split(
      / (?:of|for|to|in|on|at|with|from|by|that|which|who|helping|serving|specialising|specializing|based|offering|providing)\b|,/
    )[0] ?? ""
  )
    .at(-1)
    ?.toLowerCase() ?? ""

/** A firm is what it says it is; a planner or a platform is what it sells. */
const beingOrOffering = (noun: string): string =>
  firms.test(headOf(noun)) || !/^(?:an?|the) /.test(withArticle(noun)) ? "We're" : "We offer"

interface Described {
  readonly does: ReadonlyArray<string>
  readonly topics: ReadonlyArray<string>
}

/** What a statement says of us, with its subject; a mere noun is said of the `first` alone. */
const saidOf = (statement: string, ours: string, names: ReadonlySet<string>, first: boolean): string | undefined => {
  // A firm rarely writes its whole name out: "Harper & Lowe" of Harper & Lowe Recruitment.
  const given = ours.split(" ")
  const name = [ours, given.slice(0, -1).join(" "), given[0] ?? ""].find(
    (form) => form.length > 3 && statement.toLowerCase().startsWith(`${form.toLowerCase()} `)
  )
  const rest = name === undefined ? statement : statement.slice(name.length + 1)
  const verb = words(rest.toLowerCase())[0] ?? ""
  if (name !== undefined && baseOf(verb) === undefined && (name === ours || /^(?:is|are)$/.test(verb))) {
    const [, being] = /^(?:is|are) (.+)$/i.exec(rest) ?? []
    return being === undefined ? statement : `${beingOrOffering(being)} ${being}`
  }
  const said = name === undefined && /^we\b/i.test(statement) ? statement : withSubject(lowerFirst(rest, names))
  const { kind, text } = phrase(said.replace(/\.$/, ""), ours, names)
  if (kind === "ours") return upperFirst(said)
  if (kind === "thing" && first) return stopped(`${beingOrOffering(text)} ${withArticle(text)}`)
  return kind === "doing" && first ? stopped(`What we do: ${text}`) : undefined
}

export const describe = (text: string, ours: string, names: ReadonlySet<string>): Described => {
  const does: Array<string> = []
  for (const each of statements(text)) {
    const said = saidOf(each, ours, names, does.length === 0)
    if (said !== undefined) does.push(...parts(said))
  }
  const topics = new Set(does.flatMap((each) => topicsOf(each, names)))
  return { does, topics: [...topics].filter((topic) => topic.split(" ").length <= 3) }
}

/** How it works, as told of clients, for a description that never says what the business does. */
export const hows = (text: string | null, ours: string, names: ReadonlySet<string>): ReadonlyArray<string> =>
  statements(text)
    .map((each) => each.replace(/;.*$/, ""))
    .filter((each) => wordCount(each) <= 18 && phrase(each.replace(/\.$/, ""), ours, names).kind === "clause")
    .map(sentence)
