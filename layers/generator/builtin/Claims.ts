// layers/generator/builtin/Claims.ts: a description of a business, as sentences that can stand in an email and as what they are about.
import {
  calm,
  lowerFirst,
  phrase,
  statements,
  upperFirst,
  withArticle,
  withSubject
} from "#layers/generator/builtin/Phrases.ts"
import { baseOf, isBaseVerb } from "#layers/generator/builtin/Verbs.ts"
import { words } from "#layers/text/Text.ts"

const firms =
  /(?:firm|company|agency|studio|shop|supplier|manufacturer|consultancy|provider|maker|team|group|practice|distributor|wholesaler|business|partner|specialist|start-?up|nursery|bakery|brewery|workshop|laboratory|lab|school|clinic|office|bureau|co-?op|cooperative|family|importer|exporter|broker|contractor|builder|dealer)$/

const count = (text: string) => words(text).length
const stop = (text: string) => `${text.replace(/[\s,;:.]+$/, "")}.`

/** The first of what a sentence says, and each other thing its subject does, where those read alone. */
const parts = (sentence: string): ReadonlyArray<string> => {
  const whole = sentence.replace(/;.*$/, "").replace(/ ?\([^)]{0,300}\)/g, "")
  const split = whole
    .replace(/\.$/, "")
    .split(
      /, (?:and )?|(?<=\w{3}) and (?=(?:show|help|give|deliver|send|tell|keep|make|find|recover|handle|manage|supply|install) )/
    )
  const head = split[0] ?? ""
  const found: Array<string> = []
  const verbs = split.slice(1).map((part) => (isBaseVerb(words(part.toLowerCase())[0] ?? "") ? part : undefined))
  const coordinated = split.length > 1 && verbs.every((part) => part !== undefined)
  if (count(whole) <= 16 || split.length === 1) found.push(stop(whole))
  if (
    split.length > 1 &&
    count(head) >= 5 &&
    (coordinated || (count(whole) > 16 && !/^(?:and|or)\b/.test(split[1] ?? "")))
  )
    found.push(stop(head))
  if (coordinated && /^we /i.test(head)) {
    // What leans on the part before it ("match them") says nothing alone.
    for (const part of verbs)
      if (part !== undefined && count(part) >= 4 && !/\b(?:them|it|its|this|these|those)\b/.test(part))
        found.push(stop(`We ${part}`))
  }
  return found.filter((each) => count(each) <= 22)
}

export const gerund = (verb: string): string =>
  /(?:^|[^aeiou])(?:get|cut|run|stop|plan|ship|win|hit|put|set|drop|bid|spot|swap)$/.test(verb)
    ? `${verb}${verb.slice(-1)}ing`
    : /[^e]e$/.test(verb)
      ? `${verb.slice(0, -1)}ing`
      : `${verb}ing`

const cutNoun = (text: string): string =>
  (
    text
      .replace(/\b(\w+) (?:to|by) \1\b.*$/, "")
      .split(
        /[,;:.]| (?:for|to|in|on|at|with|by|that|which|who|so|from|across|using|through|as|when|where|of|into|all|every|before|after|without|line by line|and (?:show|help|match|give|make|deliver|send|tell|keep))\b/
      )[0] ?? ""
  )
    .replace(/^(?:the|a|an|our|your|their|all|every|any|some|high-quality|quality|premium|professional) /i, "")
    .replace(/ (?:line|step|day)$/, "")
    .trim()

/** What a sentence with "We" is about: "slurry pumps", "tracking attendance". */
const topicsOf = (sentence: string, names: ReadonlySet<string>): ReadonlyArray<string> => {
  const trade =
    /^We're an? (.+?) (?:supplier|manufacturer|distributor|provider|maker|dealer|wholesaler|importer|exporter|agency|firm|platform|software|tool|app|system|consultancy|specialist|broker|studio)\b/.exec(
      sentence
    )?.[1]
  if (trade !== undefined)
    return nouns(
      trade.replace(
        /^(?:leading|independent|specialist|small|family-run|family|local|boutique|cloud|online|modern) /,
        ""
      ),
      names
    )
  const match = /^we(?: also)? (\w+)(?: and (\w+))? (.+)\.$/i.exec(sentence)
  if (match === null) return []
  const [, verb = "", , rest = ""] = match
  if (/^(?:help|let|enable|allow|support)$/i.test(verb)) {
    const withWhat = /^[^,.]*? with (?:their |the )?(.+)$/.exec(rest)?.[1]
    const all = rest.split(" ")
    const at = all.findIndex(
      (word, index) => index > 0 && index < 6 && (all[index - 1] === "to" || isBaseVerb(word)) && isBaseVerb(word)
    )
    if (at > 0) {
      const deed = all.slice(at)
      const object = cutNoun(
        deed
          .slice(1)
          .join(" ")
          .replace(/\btheir\b/g, "your")
      )
      return object === "" || count(object) > 3 ? [] : [`${gerund(deed[0] ?? "")} ${object}`]
    }
    return withWhat === undefined ? [] : nouns(withWhat, names)
  }
  if (
    /^(?:are|were|have|believe|work|started|love|know|do|offer(?:ing)?s?)$/i.test(verb) &&
    verb.toLowerCase() !== "offer"
  )
    return []
  return nouns(rest, names)
}

const nouns = (text: string, names: ReadonlySet<string>): ReadonlyArray<string> => {
  const other = /\band other ([a-z-]+(?: [a-z-]+)?)\b/.exec(text)?.[1]
  if (other !== undefined) return [cutNoun(other)]
  const noun = calm(cutNoun(text), names)
  const all = noun.split(" ")
  const joined = all.includes("and") ? all.slice(all.indexOf("and") + 1) : all
  const short = joined.length > (all.includes("and") ? 2 : 3) ? joined.slice(-2) : joined
  const topic = short.join(" ")
  if (
    topic === "" ||
    topic.length > 30 ||
    /\d|["()]/.test(topic) ||
    /^(?:you|them|it|people|clients|customers|everything|things|companies|businesses|what|how|up|out)$/i.test(topic)
  )
    return []
  return [topic]
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

export interface Described {
  readonly does: ReadonlyArray<string>
  readonly topics: ReadonlyArray<string>
}

export const describe = (text: string, ours: string, names: ReadonlySet<string>): Described => {
  const does: Array<string> = []
  // A firm rarely writes its whole name out: "Harper & Lowe" of Harper & Lowe Recruitment.
  const given = ours.split(" ")
  const called = [ours, given.slice(0, -1).join(" "), given[0] ?? ""].filter((form) => form.length > 3)
  for (const each of statements(text)) {
    const name = called.find((form) => each.toLowerCase().startsWith(`${form.toLowerCase()} `))
    const own = name !== undefined
    const rest = name === undefined ? each : each.slice(name.length + 1)
    const verb = words(rest.toLowerCase())[0] ?? ""
    if (own && baseOf(verb) === undefined && (name === ours || /^(?:is|are)$/.test(verb))) {
      const is = /^(?:is|are) (.+)$/i.exec(rest)?.[1]
      does.push(...parts(is === undefined ? each : `${beingOrOffering(is)} ${is}`))
      continue
    }
    const sentence = own || !/^we\b/i.test(each) ? withSubject(lowerFirst(rest, names)) : each
    const read = phrase(sentence.replace(/\.$/, ""), ours, names)
    if (read.kind === "ours") does.push(...parts(upperFirst(sentence)))
    else if (read.kind === "thing" && does.length === 0) {
      does.push(...parts(stop(`${beingOrOffering(read.text)} ${withArticle(read.text)}`)))
    } else if (read.kind === "doing" && does.length === 0) does.push(...parts(stop(`What we do: ${read.text}`)))
  }
  return {
    does,
    topics: [...new Set(does.flatMap((each) => topicsOf(each, names)))].filter((topic) => topic.split(" ").length <= 3)
  }
}

/** How it works, as told of clients, for a description that never says what the business does. */
export const hows = (text: string | null, ours: string, names: ReadonlySet<string>): ReadonlyArray<string> =>
  statements(text)
    .map((each) => each.replace(/;.*$/, ""))
    .filter((each) => count(each) <= 18 && phrase(each.replace(/\.$/, ""), ours, names).kind === "clause")
    .map((each) => stop(upperFirst(each)))
