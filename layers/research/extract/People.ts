// layers/research/extract/People.ts: the person to contact, with a name and a job title.
import { type Block, isOfOthers } from "#layers/research/extract/Blocks.ts"
import { labelled } from "#layers/research/extract/Labels.ts"
import { emailsIn, ofPress } from "#layers/research/extract/Reach.ts"

const title =
  /(?<!\p{L})(?:director|manager|founder|co-founder|owner|ceo|cto|coo|cfo|cmo|cro|head|vp|vice president|president|partner|lead|officer|chair(?:man|woman)?|principal|consultant|advisor|adviser|engineer|executive|representative|proprietor|geschäftsführer(?:in)?|\p{L}*leiter(?:in)?|inhaber(?:in)?|właściciel(?:ka)?|prezes|gérante?|directeur|directrice|responsable|eigenaar|specialist|coordinator|architect|dentist|chief|pilot|producer)(?!\p{L})/iu
/** A department or a role that stands where a name is expected. */
const department =
  /(?<!\p{L})(?:\p{L}*leitung|management|direction|service|support|sales|purchasing|procurement|finance|marketing|operations|\p{L}*abteilung|einkauf|vertrieb|verwaltung|achats|accueil|secrétariat|reception|desk|department|staff|people)(?!\p{L})/iu
const capital = "\\p{Lu}[\\p{L}\\p{M}’'-]+"
const person = `(?:(?:Dr|Prof)\\.?\\s+)?${capital}(?:\\s+(?:(?:van|de|der|den|von|la|le|di|da|del|dos|bin|al)\\s+){0,2}(?:\\p{Lu}\\.\\s+)?${capital}){1,3}`
const wholly = new RegExp(`^${person}$`, "u")

export const isPerson = (text: string) =>
  wholly.test(text) &&
  !title.test(text) &&
  !department.test(text) &&
  !/\b(?:Street|Road|Avenue|Ltd|GmbH|Inc|LLC|Limited|Group|Solutions|Services|Systems|Consulting|Studio|Agency|Team|Office|Park|House|Contact|Phone|Email|Address|Us|Poland|Germany)\b|^(?:I['’]m|We['’]re|The|Our|Your|Ask|Call|Dear|Email|From|Hi|Meet|Mr|Mrs|Ms|Questions|Write)\b/.test(
    text
  )
/** "Sales coaching for engineers" is no title: what follows "for" holds no job. */
const isTitle = (role: string) =>
  role.length <= 60 &&
  /^\p{L}/u.test(role) &&
  title.test(role.split(/ (?:of|for|in) /)[0] ?? "") &&
  !/\b(?:we|is|are|was|has|still|who|your|ihre?|votre)\b/i.test(role)

export interface Contact {
  readonly name: string
  readonly title: string
  readonly block: Block
}

const role = "([^,;:()|\\n@–—·•\\d]{2,60}?)"
/** "Ann Lee, Head of Sales", "Ann Lee (owner)", "Ann Lee, our owner"; somebody "at Acme" works for Acme. */
const personThenRole = new RegExp(
  `(?<![\\p{L}\\p{N}])(${person})(?: [A-Z][A-Za-z]{1,4})?\\s*(?:,\\s*|\\(|\\s[–—|·-]\\s|,?\\s+is )(?:(?:our|the) )?${role}(?=[,;:()|\\n–—·•]|\\.?\\s*$|\\.\\s|\\s+(?:on|or|via)\\b|\\s+[\\w.+-]+@|\\s+[+\\d])(?!\\s+at\\b)`,
  "gu"
)
/** "Still medical director and we are glad of it". */
const aside = /^(?:still|now|currently|also) | (?:and|but|who|which) (?:we|he|she|they|is|are|was|has|have)\b.*$/gi
const slug = (text: string) =>
  text
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[^a-z]/g, "")

const peopleIn = (block: Block, next: Block | undefined): ReadonlyArray<Contact> => {
  const text = block.text.replace(/^.*?\b(?:Contact|Kontakt|Ask|Call|Ring)\s?:?\s+/, "")
  const after = [...text.matchAll(personThenRole)].map(([, name = "", title = ""]) => ({
    name,
    title: title.replace(aside, "").trim()
  }))
  // A signature has the name on one line and the title on the next.
  const below = next !== undefined && next.kind !== "row" && !/[@:]|\sat\s/.test(next.text) ? next.text : ""
  return [...after, { name: text, title: below }]
    .filter((each) => isPerson(each.name) && isTitle(each.title) && !/\b(?:at|bei|chez) /.test(each.title))
    .map(({ name, title }) => ({ block, name: name.replace(/(?<= \S+)(?: [A-Z]{2,5})+$/, ""), title }))
}

const asked = new RegExp(
  `\\b(?:[Cc]ontact|[Aa]sk for|[Tt]alk to|[Cc]all|[Ww]rite to|[Rr]ing|[Aa]nsprechpartner(?:in)?|[Ii]nterlocut(?:eur|rice))\\s*:?\\s+(${person})`,
  "gu"
)

/** Everybody whom the text names with a job title, or asks to talk to; those it asks to talk to first. */
export const everybodyIn = (own: ReadonlyArray<Block>): ReadonlyArray<Pick<Contact, "name" | "title">> =>
  [
    ...own.flatMap(({ text }) => [...text.matchAll(asked)].map(([, name = ""]) => ({ name, title: "" }))),
    ...own.flatMap((block, at) => peopleIn(block, own[at + 1]))
  ].filter(({ name }) => isPerson(name))

/** Whom to contact: the owner of the address to write to, or the first who is named where the contact data is. */
export const contactIn = (all: ReadonlyArray<Block>, mail: string | undefined): Contact | undefined => {
  const own = all.filter((block) => !isOfOthers(block) && block.kind !== "row" && !ofPress.test(block.text))
  const people = new Map(own.map((block, at) => [block, peopleIn(block, own[at + 1])]))
  const mailbox = slug(mail?.split("@")[0] ?? "")
  const isMailed = ({ name }: Contact) =>
    name.split(" ").some((part) => part.length > 2 && mailbox.includes(slug(part)))
  const owner = [...people.values()].flat().find(isMailed)
  if (owner !== undefined) return owner
  const isContact = ({ kind, text }: Block) =>
    kind !== "heading" && (labelled(text)?.label === "contact" || emailsIn(text).length > 0)
  return own.filter(isContact).flatMap((block) => people.get(block) ?? [])[0]
}
