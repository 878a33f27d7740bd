// layers/research/extract/Names.ts: finds names of companies and people. Only a name that the company's own domain spells is
// certain; all others are offered to a person to pick from.
import { String } from "effect"
import * as Pattern from "effect/RegExp"
import { type Block, isThirdParty } from "#layers/research/extract/Blocks.ts"
import { headingTopic } from "#layers/research/extract/Labels.ts"

const legalForms =
  "GMBH|LTD\\.?|LIMITED|GmbH(?: & Co\\.? KG)?|UG|Ltd\\.?|Limited|Inc\\.?|LLC|LLP|CIC|PLC|plc|Corp\\.?|Co\\.|B\\.V\\.|BV|bv|vzw|N\\.V\\.|S\\.A\\.|SA|SAS|SARL|S\\.r\\.l\\.|Srl|S\\.p\\.A\\.|AG|eG|e\\.V\\.|e\\.U\\.|AB|ApS|A/S|AS|Oy|KG|OHG|e\\.K\\.|[Ss]p\\. z o\\. ?o\\.(?: [Ss]p\\. ?k\\.)?|s\\.r\\.o\\.|Kft\\.?|\\(?(?:Pty|Pte|Pvt\\.?|Private)\\)? (?:Ltd\\.?|Limited)|Sdn\\.? Bhd\\.?|SE|S\\.L\\."
const legalFormEnd = new RegExp(`,? (?:${legalForms})$`, "u")

/** A name as sentences have it: "Acme Tools" of "Acme Tools Ltd". */
export const removeLegalForm = (name: string): string => name.replace(legalFormEnd, "")

/** Whether a name ends in its legal form. */
export const hasLegalForm = (name: string): boolean => legalFormEnd.test(name)

const capitalizedWord = "[\\p{Lu}\\d][\\p{L}\\p{N}\\p{M}.&'’-]*"
const nameWithLegalForm = new RegExp(
  `(?<![\\p{L}\\p{N}@./'’-])${capitalizedWord}(?: (?:&|and|und|et|of|de|${capitalizedWord})){0,7},? (?:${legalForms})(?![\\p{L}\\p{N}])`,
  "gu"
)

const slug = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll("ß", "ss")
    .normalize("NFKD")
    .replace(/[^a-z0-9]/g, "")

/** How a domain may spell a name: with or without "and", with umlauts or their two letters. */
const spellings = (name: string): ReadonlyArray<string> => {
  const twoLetters = name.replaceAll(/[äöü]/gi, (letter) => `${letter.normalize("NFKD")[0]}e`)
  return [name, twoLetters, name.replaceAll("&", "and"), name.replaceAll(/ (?:and|und|et) /g, "")].map(slug)
}

/** The part of a domain that its owner chose: "acme-tools" of "shop.acme-tools.co.uk". */
const domainLabel = (host: string): string =>
  slug(host.split(".").at(/\.(?:co|com|org)\.\w\w$/.test(host) ? -3 : -2) ?? "")

/** Whether a domain is made of words of a name, in their order and with the first and the last: "acmelab.com" and "Acme Dental Lab". */
const isMadeOf = (name: string, label: string): boolean => {
  const words = name.split(/[ -]/).map(slug)
  const remainder = words.reduce(
    (rest, word) => (word !== "" && rest.startsWith(word) ? rest.slice(word.length) : rest),
    label
  )
  return (
    words.length < 6 && remainder === "" && label.startsWith(words[0] ?? " ") && label.endsWith(words.at(-1) ?? " ")
  )
}

/** Whether a domain spells a name, with or without its legal form: "acme-tools.com" and "Acme Tools Ltd". */
export const isSpelled = (name: string, host: string): boolean => {
  const label = domainLabel(host)
  const variants = [name, name.replace(legalFormEnd, ""), name.replace(/^(?:The|Die|Der|Das|Les?|La) /, "")]
  return (
    label.length > 2 &&
    /^[\p{Lu}\d]|\p{Lu}/u.test(name) &&
    variants.some((each) => spellings(each).includes(label) || isMadeOf(each, label))
  )
}

/** Longest line, in characters, that is searched for names; longer lines are prose. */
const maxLineLength = 120

/** The parts of a line between bars, dashes and marks of copyright: "© 2026 Acme Ltd. All rights reserved". */
const splitParts = (text: string): ReadonlyArray<string> =>
  text.length > maxLineLength
    ? []
    : text
        .replace(
          /©|\(c\)|\bcopyright\b|all rights reserved.*|alle rechte.*|tous droits.*|\b(?:19|20)\d\d(?:\s?[-–]\s?(?:19|20)\d\d)?\b/gi,
          " | "
        )
        .split(/(?:^|\s+)[–—|·•-]\s+|[:,|•·]\s+|(?<=\p{Ll}{2})\.\s+/u)
        .map((part) => part.trim())
        .filter((part) => part !== "")

/** More domains stand in a directory, and each costs a search of the text. */
export const maxHosts = 12

interface NameMatch {
  readonly value: string
  readonly block: Block
}

/** The names that stand alone in a block and that a domain spells as a whole. */
const findSpelledNames = (block: Block, host: string): ReadonlyArray<NameMatch> =>
  splitParts(block.text)
    .map((value) => ({ value: value.replace(/(?<=\p{Ll})\.$/u, ""), block }))
    // "A C M E" is set apart for its looks, and "Acme ToolsAcme Tools" is a logo beside its text.
    .filter(
      ({ value }) =>
        isSpelled(value, host) &&
        /^[\p{L}\d]/u.test(value) &&
        !/(?:^| )\p{L} \p{L}(?: |$)/u.test(value) &&
        !/^(.{3,})\1$/.test(slug(value))
    )

/** The name with its legal form, if the text has it with exactly one: "Acme Tools GmbH" in the imprint. */
const addLegalForm = (name: NameMatch, blocks: ReadonlyArray<Block>): NameMatch => {
  if (hasLegalForm(name.value)) return name
  const pattern = new RegExp(`(?<![\\p{L}\\d])${Pattern.escape(name.value)},? (?:${legalForms})(?![\\p{L}\\d])`, "gu")
  const namesWithForm = blocks.flatMap((block) =>
    [...block.text.matchAll(pattern)].map(([value]) => ({ value, block }))
  )
  // "Acme" at acme.com may be "Acme Tools LLC" where that stands alone, as in a footer.
  const longer = new RegExp(`^${Pattern.escape(name.value)}(?: \\p{Lu}[\\p{L}&]+){1,2},? (?:${legalForms})$`, "u")
  const longerNames = blocks.flatMap((block) =>
    splitParts(block.text).flatMap((value) => (longer.test(value) ? [{ value, block }] : []))
  )
  const candidates = namesWithForm.length > 0 ? namesWithForm : longerNames
  const [first] = candidates
  return first !== undefined && candidates.every(({ value }) => value === first.value) ? first : name
}

/** The company's name where it stands alone on a line and its domain spells the whole of it, with its legal form if it has one. */
const findSpelledName = (host: string, blocks: ReadonlyArray<Block>): NameMatch | undefined => {
  const ownBlocks = blocks.filter((block) => !isThirdParty(block))
  const names = ownBlocks
    .flatMap((block) => findSpelledNames(block, host))
    .toSorted((a, b) => b.value.length - a.value.length)
  const [first] = names
  if (first === undefined) return undefined
  const hasSmall = ({ value }: NameMatch) => /\p{Ll}/u.test(value)
  const [mixedCaseName] = names.filter(hasSmall)
  if (mixedCaseName !== undefined) return addLegalForm(mixedCaseName, ownBlocks)
  // "ACME TOOLS" over a text is "Acme Tools" in its sentences.
  const pattern = new RegExp(`(?<![\\p{L}\\d@.-])${Pattern.escape(first.value)}(?![\\p{L}\\d@-]|\\.\\p{Ll})`, "giu")
  const occurrences = ownBlocks.flatMap((block) =>
    [...block.text.matchAll(pattern)].map(([value]) => ({ value, block }))
  )
  const nameInSentence = occurrences.find(({ value }) => /^\p{Lu}.*\p{Ll}/u.test(value))
  // Capitals above more capitals may be the first line of a longer name.
  const nextText = ownBlocks[ownBlocks.indexOf(first.block) + 1]?.text ?? ""
  if (
    nameInSentence === undefined &&
    nextText.length < 40 &&
    /\p{Lu}{3}/u.test(nextText) &&
    !/[\p{Ll}\d]/u.test(nextText)
  )
    return undefined
  return addLegalForm(nameInSentence ?? first, ownBlocks)
}

/** Number of blocks at the start of a text: its title and the block below. */
const maxAtStart = 2

/** Minimum length of a word that a name and a domain share: "Barnwick Pest Prevention Co." and "barnwickpest.com". */
const minSharedLength = 5

/** The only name with a legal form, in a footer or a letterhead, one of whose words the domain begins with. */
export const findSharedName = (host: string, blocks: ReadonlyArray<Block>): NameMatch | undefined => {
  const label = domainLabel(host)
  const isShared = (name: string) =>
    name
      .replace(legalFormEnd, "")
      .split(/[ &-]+/)
      .map(slug)
      .some((word) => word.length >= minSharedLength && label.startsWith(word))
  const names = blocks
    .filter((block) => !isThirdParty(block))
    .flatMap((block) => legalNamesIn(block.text).flatMap((value) => (isShared(value) ? [{ value, block }] : [])))
  const [first, ...more] = [...Map.groupBy(names, ({ value }) => slug(value)).values()].flatMap(([each]) => each ?? [])
  return more.length === 0 ? first : undefined
}

/** What a title calls a text, and not its company. */
const documentWord =
  /^(?:about|brochure|catalog(?:ue)?|deck|draft|faqs?|guide|home(?:page)?|leaflet|list|newsletter|notes?|offer|overview|presentation|prices?|profile|proposal|rates?|report|sheet|summary|website|\d+)$/i

/** The title of a text, where its first words spell the domain and a sentence or a mark shows that the others belong to the name. */
const findTitleName = (host: string, blocks: ReadonlyArray<Block>): NameMatch | undefined => {
  const [block] = blocks
  const words = splitParts(block?.text ?? "")[0]?.split(" ") ?? []
  const start = words.findIndex((_, index) => isSpelled(words.slice(0, index + 1).join(" "), host)) + 1
  const otherWords = words.slice(start)
  if (block === undefined || start === 0 || otherWords.length === 0 || otherWords.length > 3) return undefined
  if (otherWords.some((word) => !/^(?:&|and$|\p{Lu})/u.test(word) || documentWord.test(word))) return undefined
  const pattern = new RegExp(`(?<![\\p{L}\\d])${Pattern.escape(words.join(" "))}(?= \\p{Ll})`, "iu")
  const mention = blocks.find(({ text }, index) => index > 0 && pattern.test(text))
  if (mention !== undefined) return { value: pattern.exec(mention.text)?.[0] ?? "", block: mention }
  return block.level === 1 && otherWords.length < 3 ? { value: words.join(" "), block } : undefined
}

/** The company's name as its domain spells it, on a line of its own, with a word that it shares, or in the title. */
export const findCompanyName = (host: string, blocks: ReadonlyArray<Block>): NameMatch | undefined => {
  const spelledName = findSpelledName(host, blocks)
  return spelledName !== undefined && hasLegalForm(spelledName.value)
    ? spelledName
    : (findSharedName(host, blocks) ?? spelledName ?? findTitleName(host, blocks))
}

const copyrightMark = /©|\(c\)|\bcopyright\b/i

/** The word before a name at the start of a sentence: "Today Acme Ltd makes". */
const leadingAdverb = /^(?:Today|Since|At|With|Now|From|For|By|When|Here at|Welcome to) (?=\p{Lu})/u

/** Every name with a legal form. */
const legalNamesIn = (text: string): ReadonlyArray<string> =>
  [...text.slice(0, 500).matchAll(nameWithLegalForm)].map(([name]) =>
    name
      .replace(leadingAdverb, "")
      .replace(/^(?:ADDRESS|ADRESSE|CONTACT|IMPRESSUM|KONTAKT) (?=\p{Lu}\p{Ll})/u, "")
      .replace(/^(?:(?:19|20)\d\d|Inh\.|Prop\.|.*\d\.) /, "")
  )

/** A title with a date names an event, and the company that it is held at. */
const eventDate = /\b\d{1,2}\.? ?(?:\p{L}{3,9}|\d{1,2}\.) ?(?:19|20)\d\d\b/u
/** Number of repetitions from which a line counts as a footer. */
const minRepeats = 2

/** The domain whose company a text begins or is signed with, where it is the only one of these and no footer names another. */
export const findOwner = (hosts: ReadonlyArray<string>, blocks: ReadonlyArray<Block>): string | undefined => {
  const signatures = blocks.filter(({ text }) => copyrightMark.test(text))
  const outerBlocks = [...blocks.slice(0, maxAtStart).filter(({ text }) => !eventDate.test(text)), ...signatures]
  const [owner, ...otherHosts] = hosts.filter((host) =>
    outerBlocks.some((block) => findSpelledNames(block, host).length > 0)
  )
  const isSigner = (host: string) =>
    signatures.filter(({ text }) => slug(text).includes(domainLabel(host))).length >= minRepeats
  return otherHosts.length > 0 || hosts.some((host) => host !== owner && isSigner(host)) ? undefined : owner
}

/** Whether a text has a domain's name from the beginning of a word on: the layout may have cut the beginning of an address. */
const isWrittenIn = (text: string, label: string): boolean =>
  [text, text.replaceAll("&", " and ")].some((spelling) => {
    const words = spelling.split(/[\s/-]+/).map(slug)
    return words.some((_, from) =>
      words
        .slice(from, from + label.length)
        .join("")
        .startsWith(label)
    )
  })

/** Whether lines name the company at a domain, in whichever of its words. */
export const namesCompany = (lines: ReadonlyArray<string>, host: string): boolean => {
  const label = domainLabel(host)
  return (
    label.length > 3 &&
    lines.some(
      (line) =>
        isWrittenIn(line, label) ||
        [line.slice(0, maxLineLength), ...splitParts(line)].some((part) =>
          isMadeOf(part.replace(legalFormEnd, ""), label)
        )
    )
  )
}

/** Whether a sentence begins with the company's name as its domain spells it: "Acme Tools lends" at "acme.com". */
export const isAboutCompany = (sentence: string, host: string): boolean =>
  domainLabel(host).length > 3 &&
  /^\p{Lu}/u.test(sentence) &&
  slug(sentence.replace(/^(?:The |Die |Der |Das |Les? |La |El |L['’])/, "")).startsWith(domainLabel(host))

/** Whether a sentence begins with words of the company's name and then says something of it: "Acme makes" of "Acme Tools Ltd". */
export const startsWithName = (sentence: string, name: string): boolean => {
  const [, subject = "", next = ""] =
    /^(?:The |Die |Der |Das |Les? |La |El |L['’])?((?:[\p{Lu}\d&][\p{L}\p{N}.,&'’-]* |atelier )+)(\p{Ll}+)/u.exec(
      sentence
    ) ?? []
  const nameWords = name.split(/[ ,]+/).map(slug)
  const words = subject.trim().split(/[ ,]+/).map(slug)
  const isShort = words.length > 1 || (words[0] === nameWords[0] && (words[0] ?? "").length > 4)
  return isShort && words.every((word) => word === "" || nameWords.includes(word)) && !joiningWord.test(next)
}
const joiningWord = /^(?:and|und|et|y|of|de|der|für|for|pour|by|von|in|at|with|mit|avec)$/

/** Asterisks and waves around a name on a leaflet. */
const surroundingMarks = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}.)!]+$/gu
/** First lines that say what a paper is, or whose mail, or that are prose. */
const documentHeading =
  /^(?:from|to|subject|date|von|an|de|à|fwd?|re|aw|wg|notes?|notizen|minutes|agenda|price ?list|rate card|preisliste|tarifs?|brochure|leaflet|fact ?sheet|supplier|company|business|section|home|untitled|my site|new page|layout|deck export|document|accueil|startseite|inicio|welcome|we|our)(?!\p{L})/iu

/** Runs of up to four words anywhere in a text that spell a domain: "the Acme Tools team" at "acmetools.com". */
const findNamesInSentences = (hosts: ReadonlyArray<string>, blocks: ReadonlyArray<Block>): ReadonlyArray<string> => {
  const labels = new Set(hosts.map(domainLabel).filter((label) => label.length > 4))
  return blocks.flatMap(({ text }) => {
    const words = text.slice(0, 600).split(" ")
    const names = words.flatMap((word, from) =>
      /^["“„«(]?\p{Lu}/u.test(word)
        ? [1, 2, 3, 4]
            .map((count) =>
              words
                .slice(from, from + count)
                .join(" ")
                .replace(/[.,;:!?)]+$/, "")
            )
            .filter(
              (name) =>
                !name.includes("@") && !/\.\p{Ll}/u.test(name) && labels.has(slug(name.replaceAll(" & ", " and ")))
            )
        : []
    )
    return names.filter((name) => !legalNamesIn(text).some((legal) => legal.startsWith(name)))
  })
}

/** A name in capitals as the text writes its words elsewhere; a longer word that it writes nowhere else has one capital. */
export const toMixedCase = (name: string, blocks: ReadonlyArray<Block>): string => {
  if (/\p{Ll}/u.test(name) || !name.includes(" ")) return name
  const mixedCaseWords = new Set(blocks.flatMap(({ text }) => text.slice(0, 600).match(/\p{Lu}\p{Ll}+/gu) ?? []))
  return name.replace(/(?<= )(?:AND|DE|ET|FOR|FÜR|IN|OF|THE|UND)(?= )|\p{Lu}{2,}/gu, (word, index: number) => {
    if (index > 0 && /^(?:AND|DE|ET|FOR|FÜR|IN|OF|THE|UND)$/.test(word)) return word.toLowerCase()
    if (word === "LTD") return "Ltd"
    if (word === "GMBH") return "GmbH"
    const capitalized = String.capitalize(word.toLowerCase())
    return mixedCaseWords.has(capitalized) || (word.length > 3 && /[AEIOUYÄÖÜÉ]/u.test(word)) ? capitalized : word
  })
}

/** What may be the company's name: what a domain of the text spells, every name with a legal form, and the first line. */
export const companiesIn = (blocks: ReadonlyArray<Block>, hosts: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set(
    [
      ...hosts.slice(0, maxHosts).flatMap((host) => findSpelledName(host, blocks)?.value ?? []),
      ...blocks.filter((block) => !isThirdParty(block)).flatMap(({ text }) => legalNamesIn(text)),
      ...findNamesInSentences(hosts.slice(0, maxHosts), blocks),
      ...blocks
        .slice(0, 1)
        .flatMap(({ text }) => splitParts(text.slice(0, maxLineLength)).slice(0, 1))
        .filter((part) => headingTopic(part) === undefined && part.split(" ").length < 7 && !documentHeading.test(part))
    ]
      .map((name) => toMixedCase(name.replace(surroundingMarks, ""), blocks))
      .filter((name) => /\p{L}{2}/u.test(name))
  )
]

const personNamePattern =
  "(?:(?:Dr|Prof)\\.?\\s+)?\\p{Lu}[\\p{L}\\p{M}’'-]+(?:\\s+(?:van|de|der|den|von|la|le|di|da|del|dos|bin|al))?(?:\\s+\\p{Lu}\\.)?\\s+\\p{Lu}[\\p{L}\\p{M}’'-]+(?:\\s+\\p{Lu}[\\p{L}\\p{M}’'-]+)?"
const personNameOnly = new RegExp(`^${personNamePattern}$`, "u")
const notPerson =
  /^(?:TODO|Ring|Ask|Call|Contact|Write|Mrs?|Client) |(?<!\p{L})(?:StB(?:in)?|RAin|WPin?|Dipl|Street|Road|Avenue|Ltd|GmbH|Inc|LLC|Limited|Group|Solutions|Services?|Systems|Consulting|Studio|Agency|Team|Office|Park|House|Contact|Phone|Email|Address|Sales|Marketing|Management|Director|Manager|Head|Desk|Department|\p{L}*leitung|\p{L}*abteilung|Einkauf|Vertrieb|Verwaltung|Direction|Service|Achats|Accueil|Secrétariat|Reception|Support|Finance|Operations|Purchasing|Staff|People)(?!\p{L})/iu

/** Whether a text is a person's name and nothing else. */
export const isPerson = (text: string): boolean => personNameOnly.test(text) && !notPerson.test(text) && !isJob(text)

const jobWords =
  /(?<!\p{L})(?:director|manager|founder|co-founder|owner|ceo|cto|coo|cfo|cmo|head|vp|president|partner|officer|principal|consultant|advisor|engineer|executive|geschäftsführer(?:in)?|\p{L}*leiter(?:in)?|inhaber(?:in)?|gérante?|directeur|directrice|responsable|coordinator|architect|chief|producer|lead|superintendent|md|resp\.|gerente|jef[ea]|encargad[oa]|dueñ[oa]|director[ae]|direktor(?:in)?)(?!\p{L})/iu
/** Whether a text names a job. */
export const isJob = (text: string): boolean => jobWords.test(text)

const nameWithJob = new RegExp(
  `(?<![\\p{L}\\p{N}])(${personNamePattern})(?:,\\s*|\\s\\(|\\s[–—|·-]\\s)((?:[\\p{L}&][\\p{L}/&'’-]*\\s?){1,6})`,
  "gu"
)
const contactRequest = new RegExp(
  `\\b(?:[Cc]ontact|Questions|[Aa]sk for|[Tt]alk to|[Cc]all|[Ww]rite to|[Rr]ing|[Aa]nsprechpartner(?:in)?|[Ii]nterlocut(?:eur|rice))\\s*:?\\s+(${personNamePattern})(?:,\\s+((?:\\p{L}[\\p{L}/&'’-]*\\s?){1,6}))?`,
  "gu"
)

const anyName = new RegExp(
  `(?<![\\p{L}\\p{N}])(${personNamePattern})(?:(?:,|\\s\\(|\\s[–—|·-])\\s*((?:\\p{L}[\\p{L}./&'’-]*\\s?){1,6}))?`,
  "gu"
)

/** What stands before a name and begins with a capital as it does. */
const addressedName =
  /(?<!\p{L})(?:Contact|Contacto|Ask for|Ring|Call|Talk to|Write to|Lic|Ing|Mag|Ms|Mrs|Mr|Mme|Frau|Herrn?|Sra?|Mev)\b\.?:? (?=\p{Lu})/gu

/** Whatever may be a person's name, with what stands behind it as a job does. */
export const peopleNamedIn = (text: string): ReadonlyArray<{ readonly name: string; readonly title: string }> =>
  [...text.replace(addressedName, "| ").matchAll(anyName)]
    .map(([, name = "", title = ""]) => ({ name, title: isJob(title) ? title.trim() : "" }))
    .filter(({ name }) => isPerson(name))

/** People who are named with a job title, or whom the text asks to talk to; the title may be empty. */
export const peopleIn = (text: string): ReadonlyArray<{ readonly name: string; readonly title: string }> => [
  ...[...text.matchAll(nameWithJob)]
    .map(([, name = "", title = ""]) => ({ name, title: title.trim() }))
    .filter(({ name, title }) => isPerson(name) && jobWords.test(title)),
  ...[...text.matchAll(contactRequest)]
    .map(([, name = "", title = ""]) => ({ name, title: jobWords.test(title) ? title.trim() : "" }))
    .filter(({ name }) => isPerson(name))
]
