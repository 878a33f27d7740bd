// layers/research/extract/Places.ts: the business's address, and its city and region.
import { Array as Arr } from "effect"
import { type Block, isOfOthers } from "#layers/research/extract/Blocks.ts"
import { countries } from "#layers/text/Countries.ts"
import { ofMakers, shortName } from "#layers/research/extract/Company.ts"
import { unstopped } from "#layers/research/extract/Notes.ts"

// Hyphens are only allowed within words: if they could also separate words, long chains of them would take exponential time.
/** "Oberlaubach Telefon 05523": a label that a line break left beside the city. */
const label = "(?!(?:Tel|Tél|Telefon|Telephone|Téléphone|Phone|Fax|Mail|Email|Web)(?![\\p{L}]))"
const word = `${label}\\p{Lu}[\\p{L}\\p{M}'’]{1,30}(?:-[\\p{L}\\p{M}'’]{1,30}){0,3}`
const place = `(?:St\\.? )?${word}(?: (?:(?:upon|am|an der|de|la|le|del|sur|on|under) )?${word}){0,2}`
const wholePlace = new RegExp(`^(?:${word} d(?:es|u) )?${place}(?: ${word}){0,2}(?: \\(.{2,30}\\)| \\d{1,2})?$`, "u")

/** A postal code with its city, before or after it, in the forms of the countries that have one. */
const posts = [
  new RegExp(
    `^(?<city>${place})?\\s*(?:[A-Z]{1,2}\\d[A-Z\\d]? \\d[A-Z]{2}|[A-Z]\\d[\\dW] [A-Z\\d]{4})(?![\\p{L}\\d])`,
    "u"
  ),
  new RegExp(
    `^(?<city>${place})??\\s*(?<state>[A-Z]{2}) (?:\\d{5}(?:-\\d{4})?|[A-Z]\\d[A-Z] ?\\d[A-Z]\\d)(?![\\p{L}\\d])`,
    "u"
  ),
  new RegExp(`^(?<city>${place}?) (?:NSW|VIC|QLD|WA|SA|TAS|ACT|NT) \\d{4}(?!\\d)`, "u"),
  new RegExp(
    `^(?:[A-Z]{1,3}-)?(?:\\d{2}-\\d{3}|\\d{3} \\d{2}|\\d{4} ?[A-Z]{2}|\\d{4,5}) (?<city>${place})(?![\\p{L}\\d])`,
    "u"
  )
]
const room = "(?:Unit|Suite|Ste|Floor|Level|Hall|Building|Block|Apt|Room|Studio)\\b\\.? (?:\\d+\\w?|[A-Z])\\b"
const isRoom = new RegExp(
  `^${room}|^\\d{1,2}(?:st|nd|rd|th) floor|^(?:\\p{L}[\\p{L}'’]* ){1,3}(?:House|Mill|Court|Loft|Yard|Barn|\\p{L}*Works|Wharf|Building|Centre|Tower)$`,
  "iu"
)
/** "Roastery and workshop: Unit 3", "Samples to: 4410 Truax Blvd" begin with what is there. */
const labelledPart = new RegExp(`^(?:.*[.!] )?[\\p{L} +&/-]{2,40}:\\s+(?=${room}|\\d{1,5} \\p{Lu})`, "u")
const lane = "(?: (?:\\p{Lu}|\\d|rue|route|chemin|avenue|boulevard|bd|allée|place|quai|impasse|cours|zone|ul|via))"
const words = "(?: (?:\\p{L}[\\p{L}.'’-]*|\\d{1,3}(?:st|nd|rd|th)))"
/** A street with its number, in the order of either language: "14 Corn Lane", "Unit 9 Coble Dene", "Corn Lane 14". */
const streets = [
  new RegExp(
    `(?:^|\\. |\\b(?:at|in|bei) )((?:${room}|\\d{1,5}[a-zA-Z]?(?:[-–/]\\d{1,4})?)(?=${lane})${words}{1,5})$`,
    "u"
  ),
  new RegExp(
    `(?:^|\\. |\\b(?:at|in|bei) )((?:C/ ?|(?:ul|al|pl|os)\\. ?)?\\p{Lu}[\\p{L}.'’-]*(?: (?:de|la|le|les|des|du|der|den|van|von|zum|zur|am|an|do|dos|da|das|of|the|\\p{Lu}[\\p{L}.'’-]*)){0,4} \\d{1,4} ?[a-zA-Z]?(?:[-–/]\\d{1,4})?)$`,
    "u"
  )
]
/** Of England and Scotland, whose addresses often have one between the town and its code. */
const county =
  /shire$|^(?:(?:North|South|East|West) )?(?:Kent|Surrey|Sussex|Essex|Norfolk|Suffolk|Devon|Cornwall|Dorset|Somerset|Cumbria|Northumberland|Rutland|Merseyside|Midlands|Fife)$/
const month = /\b(?:January|February|March|April|May|June|July|August|September|October|November|December)\b/

/** "Christoph Schön Stadtweg 1": a person, and a street in one word. */
const afterPerson = /\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+(?:weg|stra(?:ß|ss)e|str\.|platz|allee|gasse|ring) \d/u

const streetIn = (part: string) =>
  part.length > 70 ||
  (afterPerson.test(part) && !/\b(?:Bad|St|Sankt) /.test(part)) ||
  month.test(part) ||
  /@|https?:|\bInh\./.test(part)
    ? undefined
    : (streets.flatMap((each) => each.exec(part)?.[1] ?? []).find((found) => /\p{L}{3}|\p{Lu}\p{Ll}$/u.test(found)) ??
      (isRoom.test(part) ? part : undefined))

/** "73730 Esslingen Projektleitung: ..." are two lines that became one. */
const afterPost =
  /^(?:$|\.(?:\s|$)|\s*\(|\s+(?:www\.|https?:|\S+@|\/)|\s*:?\s*(?:T[eé]l|Fon|Phone|Mob|Fax|T|P|E-?mail|Mail|Web)(?!\p{L}))/iu

interface Address {
  readonly text: string
  readonly city: string | undefined
  /** What stands before it. */
  readonly before: string
}

/** "The Exchange" before "19 Corn Street" is a house that belongs to the address, or a company that does not. */
const proper = /^(?:(?:\p{Lu}[\p{L}'’.]*|\d+|d[eu]|des|la|of|the|and|&)[ ,:]*){2,}$/u

/** Whether an address is whole: no other name stands before it than the business's own, or that of a company. */
export const isWholeAddress = ({ before }: Address, ours: ReadonlyArray<string>): boolean =>
  before === "" ||
  shortName(before) !== before ||
  ours.some((each) => before.toLowerCase().includes(each.toLowerCase())) ||
  !proper.test(before.replace(/\s*\([^)]*\)$/, ""))

/** A street with its number, up to the postal code and the city. */
export const addressIn = (text: string): Address | undefined => {
  // An accountant's or a client's, or one that a template left to be filled in.
  if (/\bc\/o\b|\bMuster(?:stra(?:ß|ss)e|str|weg|stadt|ort)|\b12345\b|\bAnytown\b/i.test(text)) return undefined
  const parts = text.split(/\s*[,;|·•\n]\s*|\s[–—]\s/).map((part) => part.replace(labelledPart, ""))
  for (const [at, part] of parts.entries()) {
    const post = posts.map((each) => each.exec(part)).find((each) => each !== null)
    if (post === undefined || post === null || !afterPost.test(part.slice(post[0].length))) continue
    // "1000 ML" is a bottle, and "22261 Skyway Church Road" a street.
    if (
      /^\p{Lu}{1,3}$|\b(?:Road|Rd|Street|Lane|Avenue|Ave|Drive|Boulevard|Blvd|Highway|Parkway)$/u.test(
        post.groups?.["city"] ?? ""
      )
    )
      continue
    // A room comes before its street or after it.
    const isStart = (from: number) => streetIn(parts[from] ?? "") !== undefined
    const nearest = [at - 1, at - 2, at - 3].find(isStart)
    if (nearest === undefined) continue
    const isWith = (at: number) => isStart(at - 1) && (isRoom.test(parts[at - 1] ?? "") || isRoom.test(parts[at] ?? ""))
    let from = nearest
    while (isWith(from)) from--
    const between = parts.slice(from + 1, at)
    // Districts and towns are names; anything else between comes from another column.
    if (!between.every((each) => isRoom.test(each) || streetIn(each) !== undefined || wholePlace.test(each))) continue
    const next = unstopped(parts[at + 1] ?? "")
    const abroad = post[0] === part && countries.has(next) ? next : undefined
    const { city: named = between.at(-1), state } = post.groups ?? {}
    const town = between.at(-1)
    const city =
      named !== undefined && county.test(named) && town !== undefined && town !== named ? `${town}, ${named}` : named
    const region = state ?? abroad
    return {
      before:
        from === 0
          ? ""
          : parts.slice(/^(?:Inc\.?|LLC|Lda|Ltd)$/.test(parts[from - 1] ?? "") ? from - 2 : from - 1, from).join(", "),
      text: [streetIn(parts[from] ?? ""), ...between, post[0], ...(abroad === undefined ? [] : [abroad])].join(", "),
      city: city === undefined || region === undefined ? city : `${city.replace(/ \d+$/, "")}, ${region}`
    }
  }
  return undefined
}

const isLine = ({ kind, text }: Block) => kind !== "heading" && kind !== "row" && text.length <= 90

/** The texts of blocks, where short lines that follow each other are one. */
const runsOf = (all: ReadonlyArray<Block>): ReadonlyArray<string> =>
  Arr.isReadonlyArrayNonEmpty(all)
    ? Arr.groupWith(all, (a, b) => isLine(a) && isLine(b)).map((run) => run.map(({ text }) => text).join(", "))
    : []

/** Every address of a text, whosever it is. */
export const addressesIn = (all: ReadonlyArray<Block>): ReadonlyArray<Address> =>
  [...runsOf(all), ...all.map(({ text }) => text)].flatMap((text) => addressIn(text) ?? [])

/** The only address, which may take several short lines, that stands beside the name or the contact data of the business. */
export const letterheadIn = (all: ReadonlyArray<Block>, ours: ReadonlyArray<string>): Address | undefined => {
  const runs = runsOf(all.filter((block) => !isOfOthers(block) && block.columns.length === 0))
  const found = runs.flatMap((run, at) => {
    const address = addressIn(run)
    const around = `${runs[at - 1] ?? ""}\n${run}\n${runs[at + 1] ?? ""}`.toLowerCase()
    // A form in brackets says where to send it, and a page by whom it was made.
    const isOurs =
      !run.startsWith("(") &&
      !ofMakers.test(run) &&
      (ours.length === 0 || ours.some((each) => around.includes(each.toLowerCase())))
    return address === undefined || !isOurs ? [] : [address]
  })
  return new Set(found.map(({ text }) => text)).size === 1 ? found[0] : undefined
}
