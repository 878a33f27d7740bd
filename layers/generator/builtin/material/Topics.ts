// layers/generator/builtin/material/Topics.ts: what a sentence about a business is about, in few words.
import { calm } from "#layers/generator/builtin/grammar/Capitals.ts"
import { yours } from "#layers/generator/builtin/grammar/Phrases.ts"
import { gerund, isBaseVerb } from "#layers/generator/builtin/grammar/Verbs.ts"
import { wordCount } from "#layers/text/Words.ts"

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

/** "help clinics to track attendance" → "tracking attendance"; nothing where it takes many words to say. */
const deedOf = (verb: string, object: string): ReadonlyArray<string> => {
  const noun = cutNoun(yours(object))
  return noun === "" || wordCount(noun) > 3 ? [] : [`${gerund(verb)} ${noun}`]
}

/** What a sentence with "We" is about: "slurry pumps", "tracking attendance". */
export const topicsOf = (sentence: string, names: ReadonlySet<string>): ReadonlyArray<string> => {
  const [, trade] =
    /^We're an? (.+?) (?:supplier|manufacturer|distributor|provider|maker|dealer|wholesaler|importer|exporter|agency|firm|platform|software|tool|app|system|consultancy|specialist|broker|studio)\b/.exec(
      sentence
    ) ?? []
  if (trade !== undefined)
    return nouns(
      trade.replace(
        /^(?:leading|independent|specialist|small|family-run|family|local|boutique|cloud|online|modern) /,
        ""
      ),
      names
    )
  const [, verb = "", rest = ""] = /^we(?: also)? (\w+)(?: and \w+)? (.+)\.$/i.exec(sentence) ?? []
  if (verb === "" || /^(?:are|were|have|believe|work|started|love|know|do|offers|offerings?)$/i.test(verb)) return []
  if (!/^(?:help|let|enable|allow|support)$/i.test(verb)) return nouns(rest, names)
  const all = rest.split(" ")
  const at = all.findIndex((word, index) => index > 0 && index < 6 && isBaseVerb(word))
  if (at > 0) return deedOf(all[at] ?? "", all.slice(at + 1).join(" "))
  const [, withWhat] = /^[^,.]*? with (?:their |the )?(.+)$/.exec(rest) ?? []
  return withWhat === undefined ? [] : nouns(withWhat, names)
}
