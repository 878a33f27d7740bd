// layers/research/extract/Addresses.ts: postal addresses of a text with their towns, and the people whom it names to contact.
import { type Block, isThirdParty } from "#layers/research/extract/Blocks.ts"
import { phonesIn } from "#layers/research/extract/Contacts.ts"
import { knownLabel, parseLabelled } from "#layers/research/extract/Labels.ts"
import { hasLegalForm, isJob, isPerson, peopleIn } from "#layers/research/extract/Names.ts"

const streetTypes =
  "Street|St|Road|Rd|Lane|Avenue|Ave|Drive|Dr|Blvd|Boulevard|Way|Court|Highway|Parkway|Spur|Bench|Square|Close|Quay|Wharf"
const wordPattern = "\\p{Lu}[\\p{L}’'-]+"
/** A second word is part of a town only where no number and no colon makes a label of it: "Hamburg Tel 040". */
const townPattern = `(?<town>(?!\\S+ (?:${streetTypes})\\b)${wordPattern}(?: (?:(?:upon|on|am|im|an der|bei|ob|sur|le|la|de|en|nad|pod) ${wordPattern}|${wordPattern}(?![\\p{L}’'-]*\\s*[:.\\d])(?! ?[+(\\d])))?(?![\\p{L}’'-]))`
const states =
  "Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Georgia|Hawaii|Idaho|Illinois|Indiana|Iowa|Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts|Michigan|Minnesota|Mississippi|Missouri|Montana|Nebraska|Nevada|New (?:Hampshire|Jersey|Mexico|York)|(?:North|South) (?:Carolina|Dakota)|Ohio|Oklahoma|Oregon|Pennsylvania|Rhode Island|Tennessee|Texas|Utah|Vermont|(?:West )?Virginia|Washington|Wisconsin|Wyoming"
/** A town with its postal code, in the order and forms of the countries that have one. */
const postalPatterns = [
  `${townPattern},? (?:[A-Z]{1,2}\\d[A-Z\\d]? \\d[A-Z]{2}|[A-Z]\\d[\\dWX] [A-Z\\d]{4})(?![\\p{L}\\d])`,
  `${townPattern},? (?:(?:[A-Z]{2}|${states}) \\d{5}|[A-Z]{2} (?:\\d{5}|[A-Z]\\d[A-Z] ?\\d[A-Z]\\d)|(?:NSW|VIC|QLD|WA|SA|TAS|ACT|NT) \\d{4})(?!\\d)`,
  `(?<![\\p{L}\\d])(?:[A-Z]{1,2}-)?(?:\\d{2}-\\d{3}|\\d{3} \\d{2}|\\d{4} ?[A-Z]{2}|\\d{5}|(?!(?:19|20)\\d\\d )\\d{4}) ${townPattern}(?! (?:${streetTypes})\\b)`
].map((pattern) => new RegExp(pattern, "u"))
const postalCodeOnly = /^[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}$/

/** A technical standard, whose number has the form of a postal code: "EN 14065". */
const standardNumber = /(?<![\p{L}\d])(?:ISO|EN|DIN|IEC|VDE|VDI|ASTM|ANSI|NEN)[ /:-]{1,2}\d/u
const months =
  "jan(?:uary|uar|vier)?|feb(?:ruary|ruar)?|février|mar(?:ch|s)|märz|apr(?:il)?|avril|may|mai|june?|juni|juin|july?|juli|juillet|aug(?:ust)?|août|sept?(?:ember|embre)?|o[ck]t(?:ober|obre)?|nov(?:ember|embre)?|de[cz](?:ember)?|décembre"
/** A day, or a range of days, with its month. */
const eventDay = new RegExp(
  `(?<![\\p{L}\\d])(?:(?:${months})\\.? \\d{1,2}(?!\\d)|\\d{1,2}\\.?(?: ?(?:[-–]|to|bis|au) ?\\d{1,2}\\.?)? (?:${months})(?:,? (?:19|20)\\d\\d| ?$))(?!\\p{L})`,
  "iu"
)
const standPattern = /(?<!\p{L})(?:booth|stand|stall|halle?|pavilion|pavillon|messestand) (?:no\.? |nr\.? )?[A-Z]?\d/iu

const boothPattern = /(?<!\p{L})booth (?:no\.? )?[A-Z]?\d/iu

/** Whether a text names a stand at a trade fair: a booth, or a hall or a stand with a day. */
const isAtFair = (text: string): boolean => boothPattern.test(text) || (standPattern.test(text) && eventDay.test(text))

/** Whether a line has the form of an address but names a technical standard or a stand at a trade fair. */
export const isNotAddress = (text: string): boolean => standardNumber.test(text) || isAtFair(text)

export interface Address {
  /** In one line: building, street, town and code. */
  readonly value: string
  readonly town: string
  readonly block: Block
}

interface Line {
  readonly text: string
  readonly block: Block
}

/** The lines of a text; columns that stand side by side are read one after another, and a code alone is part of its town. */
const linesIn = (blocks: ReadonlyArray<Block>): ReadonlyArray<Line> => {
  const lines: Array<Line> = []
  const rightColumnLines: Array<Line> = []
  for (const block of blocks) {
    const isTable = block.isLaidOut || block.columns.length > 0
    const [firstCell = "", ...otherCells] = isTable ? block.cells : [parseLabelled(block.text)?.value ?? block.text]
    if (!isTable) lines.push(...rightColumnLines.splice(0))
    const lastLine = lines.at(-1)
    if (postalCodeOnly.test(firstCell) && lastLine !== undefined)
      lines[lines.length - 1] = { ...lastLine, text: `${lastLine.text} ${firstCell}` }
    else lines.push({ text: firstCell, block })
    rightColumnLines.push(...otherCells.map((text) => ({ text, block })))
  }
  return [...lines, ...rightColumnLines]
}

const splitParts = (text: string): ReadonlyArray<string> =>
  text
    .split(/\s+[|·•–—.]\s+|[,;]\s+|(?<=\p{L}{4})(?<!str|Blvd|Avda|Carr)\.\s+(?=\p{Lu})/u)
    .map((part) => part.replace(/^\p{L}[\p{L} &/]{0,20}:\s+/u, "").trim())

/** A day or a time to come, or the end of another line before a street that begins with its kind: "VENDREDI 14 h rue des Scieurs". */
const gluedBefore =
  /(?<!\p{L})(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:diens|donners|frei|sams|sonn)tags?|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo)(?!\p{L})|(?<![\p{L}\d])\d{1,2}(?:[:.]\d\d)? ?(?:h|am|pm|uhr)(?:\d\d)?(?![\p{L}\d])|^(?!\d+ ?(?:bis|ter|[A-D])?,? (?:rue|chemin|impasse|quai|calle)\b).*\p{L}\S* (?:rue|chemin|impasse|calle) \p{L}/iu

/** A building, a unit or a street: a short name, and no company, person, number to call or time to come. */
const isStreet = (part: string): boolean =>
  part.length > 2 &&
  part.length <= 45 &&
  /^(?:\p{Lu}|\d)/u.test(part) &&
  !/[@:?!]|www\.|\.$|\d{6}|(?<!\b(?:Suite|Ste|Unit|Room|No|Box)\.? )\b(?:19|20)\d\d\b|(?<!\p{L})(?:since|seit|depuis|hours?|Tel|Fax|tax|reg(?:istered)?)(?!\p{L})/iu.test(
    part
  ) &&
  !hasLegalForm(part) &&
  !gluedBefore.test(part) &&
  phonesIn(part).length === 0 &&
  knownLabel(part) === undefined &&
  part.split(" ").length <= 7

const building =
  /^(?:The|Old|New|Unit) |(?<!\p{L})(?:\p{L}*(?:works|house|mill|yard|hof|haus)|Court|Centre|Center|Building|Hall|Tower|Farm|Barn|Granary|Studios?|Exchange|Gate|Estate|Plaza|Campus|Arcade|Chambers|Quarter|Industrial|Business|Zone)(?!\p{L})/iu
const maxParts = 4
const maxLinesAbove = 3

/** The parts right before a town, on its line and, where that has none, on those above it. */
const findStreet = (textBefore: string, linesAbove: ReadonlyArray<string>): ReadonlyArray<string> => {
  const parts: Array<string> = []
  const takeParts = (text: string) => {
    for (const part of splitParts(text).toReversed()) {
      if (part === "") continue
      if (parts.length === maxParts || !isStreet(part)) return false
      parts.unshift(part)
    }
    return true
  }
  if (!takeParts(textBefore) || parts.length > 0) return parts
  for (const line of linesAbove.toReversed()) if (!takeParts(line) || /\d/.test(line)) break
  return parts
}

const numberOrStreetType = new RegExp(`\\d|(?<!\\p{L})(?:${streetTypes})$`, "u")
const isJobTitle = (part: string): boolean => isJob(part) && !building.test(part) && !numberOrStreetType.test(part)

/** "Write to Tom Reed". */
const addressedPerson = /^(?:Contact|Ask for|Call|Ring|Talk to|Write to):? /u

/** The parts of a street behind the person who may stand before it, with a job: "Jane Poe, Director, 12 Foundry Lane". */
const withoutPerson = (streetParts: ReadonlyArray<string>): ReadonlyArray<string> => {
  const [firstPart = "", ...otherParts] = streetParts.slice(streetParts.findLastIndex(isJobTitle) + 1)
  const isOfPerson =
    isPerson(firstPart.replace(addressedPerson, "")) &&
    !building.test(firstPart) &&
    otherParts.some((part) => /\d/.test(part))
  return isOfPerson ? otherParts : firstPart === "" ? [] : [firstPart, ...otherParts]
}

/** Every address of the company's own text: a town with its code, behind or below a building or a street. */
export const addressesIn = (blocks: ReadonlyArray<Block>): ReadonlyArray<Address> => {
  const lines = linesIn(blocks.filter((block) => !isThirdParty(block) && block.kind !== "heading"))
  const addresses = lines.flatMap(({ block, text }, index): ReadonlyArray<Address> => {
    const isPostalCode = (match: RegExpExecArray) =>
      !standardNumber.test(text.slice(Math.max(0, match.index - 5), match.index + match[0].length))
    const match = postalPatterns
      .map((pattern) => pattern.exec(text))
      .find((candidate) => candidate !== null && isPostalCode(candidate))
    const name = match?.groups?.["town"]
    // "1120 Springbank Airport Rd" is a street, whose number has the form of a code.
    const isEnd = !/^ \p{Lu}[\p{L}.'’-]{2,}(?: |,|$)/u.test(text.slice((match?.index ?? 0) + (match?.[0].length ?? 0)))
    if (!match || name === undefined || !isEnd || text.length > 200 || /©/.test(text.slice(0, match.index))) return []
    const linesAbove = lines.slice(Math.max(0, index - maxLinesAbove), index).map((line) => line.text)
    if (isAtFair([...linesAbove.slice(-1), text, lines[index + 1]?.text ?? ""].join(", "))) return []
    const streetParts = findStreet(text.slice(0, match.index), linesAbove)
    const parts = withoutPerson(streetParts)
    return parts.length === 0 ? [] : [{ value: [...parts, match[0]].join(", "), town: name, block }]
  })
  return [
    ...Map.groupBy(addresses, ({ value }) => value.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "")).values()
  ].flatMap(([first]) => first ?? [])
}

/** A street with its number, in the order and words of the languages of the labels, and buildings that stand for one. */
const streetPattern = new RegExp(
  `\\d[\\d/-]*\\p{L}?,? (?:\\p{Lu}[\\p{L}’'.-]* ){1,3}(?:${streetTypes})(?!\\p{L})|\\p{L}+(?:straße|strasse|str\\.|weg|platz|gasse|allee|ring|park)\\s\\d|(?<!\\p{L})(?:rue|avenue|boulevard|chemin|quai|via|ulica|ul\\.|calle|c/|avda?\\.?|av\\.|blvd\\.?|plaza|plot|unit|suite|hangar|floor|p\\.? ?o\\.? box)(?!\\p{L}).{0,40}\\d|\\d(?:st|nd|rd|th) floor`,
  "iu"
)

/** Lines and their parts that name a street with a number, whether or not a town and its code stand there. */
export const streetsIn = (blocks: ReadonlyArray<Block>): ReadonlyArray<string> =>
  blocks.flatMap(({ cells, kind, text }) =>
    kind === "heading" || text.length > 600
      ? []
      : (kind === "row" ? cells.join(" | ") : text)
          .split(/\s+[|·•–—]\s+|;\s+|(?<=[\p{L}\d)]{2})(?<!(?:str|St|Blvd|Avda|Unit))\.\s+(?=\p{Lu})/u)
          .map((part) => part.replace(/^[\p{Lu}][\p{L} &()!'’]{0,40}:\s+/u, "").trim())
          .filter(
            (part) => streetPattern.test(part) && part.length <= 140 && phonesIn(part).length === 0 && !/@/.test(part)
          )
  )

/** The end of a letter, with the name of its writer. */
const closingPattern =
  /^(?:Yours (?:sincerely|faithfully|truly)|(?:Kind|Best|Warm) regards|Mit freundlichen Grüßen|Cordialement|Un saludo),? (\p{Lu}.{3,40})$/u

/** Who signs a letter, with the job in the line below the name. */
const signerIn = (blocks: ReadonlyArray<Block>) =>
  blocks.flatMap((block, index) => {
    const [, name = ""] = closingPattern.exec(block.text) ?? []
    const nextLine = blocks[index + 1]?.text ?? ""
    const title = isJob(nextLine) && nextLine.split(" ").length < 6 ? nextLine : ""
    return isPerson(name) ? [{ name, title, block, isToContact: true }] : []
  })

/** Where a text says whom to contact. */
const contactRequest =
  /(?<!\p{L})(?:[Aa]sk for|[Rr]ing|[Cc]ontact|[Tt]alk to|Questions:|[Aa]nsprechpartner(?:in)?)(?!\p{L})/u

/** The people whom a company's own text names, those to contact first; no client who is quoted, and no applicant's reader. */
export const contactsIn = (blocks: ReadonlyArray<Block>) => {
  const people = blocks
    .filter((block) => !isThirdParty(block))
    .flatMap((block) =>
      block.text.split(/\s+[|·•]\s+/).flatMap((line) =>
        peopleIn(line).map((person) => ({
          ...person,
          block,
          isToContact: block.topic === "contact" || contactRequest.test(block.text)
        }))
      )
    )
  const distinctPeople = [...Map.groupBy([...people, ...signerIn(blocks)], ({ name }) => name).values()].flatMap(
    ([first]) => first ?? []
  )
  return distinctPeople.toSorted((a, b) => Number(b.isToContact) - Number(a.isToContact))
}
