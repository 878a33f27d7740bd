// layers/generator/builtin/grammar/Capitals.ts: which words keep their capital within a sentence.
import { plain } from "#layers/generator/builtin/grammar/Pieces.ts"
import { sentences, setOf, words } from "#layers/text/Words.ts"

/** Words that a text writes with a capital within a sentence, after one that has none: names. */
export const namesIn = (text: string): ReadonlySet<string> => {
  const found = new Set<string>()
  for (const line of text.split("\n")) {
    // A piece after a semicolon or colon starts anew, capital or not.
    for (const sentence of sentences(plain(line)).flatMap((each) => each.split(/[;:]/))) {
      const all = words(sentence)
      let inName = false
      for (let at = 1; at < all.length; at++) {
        const word = all[at] ?? ""
        const upper = /^\p{Lu}/u.test(word) && word !== "I"
        inName = upper && (inName || /^[\p{Ll}\d]/u.test(all[at - 1] ?? ""))
        if (inName) found.add(word)
      }
    }
  }
  return found
}

const alwaysNames = setOf(
  "Ofsted Excel Word Shopify Amazon Google Microsoft Xero Sage Brexit Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February " +
    "April June July August September October November December Christmas Easter Ramadan Europe European Britain British England English Ireland Irish " +
    "Scotland Scottish Wales Welsh Germany German France French Italy Italian Spain Spanish Poland Polish Dutch Belgium Belgian Sweden Swedish Norway " +
    "Norwegian Denmark Danish Finland Finnish America American Canada Canadian China Chinese Japan Japanese India Indian London Paris Berlin Brussels " +
    "Salesforce HubSpot Slack Teams Outlook Gmail LinkedIn Facebook Instagram WhatsApp Stripe Oracle Cyber"
)

/** First letter small, unless the first word is a name or an acronym. */
export const lowerFirst = (text: string, names: ReadonlySet<string>): string => {
  const [first = "", second = ""] = words(text)
  // "Midland Pallets": two capitals in a row are a name, where the rest has none of a title's.
  if (/^\p{Lu}\p{Ll}/u.test(second) && !names.has(first) && /^\p{Lu}\p{Ll}/u.test(first)) return text
  if (/^\p{Lu}.*[\p{Lu}\d]/u.test(first) || names.has(first) || alwaysNames.has(first) || /^I(?:'\w+)?$/.test(first))
    return text
  return text.charAt(0).toLowerCase() + text.slice(1)
}

/** First letter large, whatever it starts. */
export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** First letter large, unless a name starts small ("iPhone"). */
export const upperFirst = (text: string): string => (/^\p{Ll}\p{Lu}/u.test(text) ? text : capitalized(text))

/** "Invoice Audit" → "invoice audit", where no word of it is a name. */
export const calm = (text: string, names: ReadonlySet<string>): string =>
  text
    .split(" ")
    .map((word) =>
      /^\p{Lu}\p{Ll}+(?:-\p{L}+)*$/u.test(word) && !names.has(word) && !alwaysNames.has(word)
        ? word.charAt(0).toLowerCase() + word.slice(1)
        : word
    )
    .join(" ")
