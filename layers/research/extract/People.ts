// layers/research/extract/People.ts: who is named, as what, and which of them to reach.
import { String } from "effect"
import { type Block, isOfOthers } from "#layers/research/extract/Blocks.ts"
import { labelled } from "#layers/research/extract/Labels.ts"
import { emailsIn, ofPress } from "#layers/research/extract/Reach.ts"

const title =
  /(?<!\p{L})(?:director|manager|founder|co-founder|owner|ceo|cto|coo|cfo|cmo|cro|head of|vp|vice president|president|partner|lead|officer|chair(?:man|woman)?|principal|consultant|advisor|adviser|engineer|executive|representative|proprietor|geschäftsführer(?:in)?|\p{L}*leiter(?:in)?|inhaber(?:in)?|właściciel(?:ka)?|prezes|gérante?|directeur|directrice|eigenaar|specialist|coordinator|architect|dentist|practice manager|sales|chief)(?!\p{L})/iu

const capital = "\\p{Lu}[\\p{L}\\p{M}’'-]+"
const person = `(?:(?:Dr|Prof|Mr|Mrs|Ms)\\.?\\s+)?${capital}(?:\\s+(?:(?:van|de|der|den|von|la|le|di|da|del|dos|bin|al)\\s+){0,2}(?:\\p{Lu}\\.\\s+)?${capital}){1,3}`
const wholly = new RegExp(`^${person}$`, "u")
export const isPerson = (text: string) =>
  wholly.test(text) &&
  !title.test(text) &&
  !/\b(?:Street|Road|Avenue|Ltd|GmbH|Inc|LLC|Limited|Group|Team|Office|Park|House|Contact|Phone|Email|Address|Us|Poland|Germany)\b|^(?:Ask|Call|Dear|Email|From|Hi|Meet|Questions|Write)\b/.test(
    text
  )

interface Contact {
  readonly name: string
  readonly title: string
  readonly block: Block
}

const role = "([^,;:()|\\n@–—]{2,60}?)"
const personThenRole = new RegExp(
  `(?<![\\p{L}\\p{N}])(${person})(?: [A-Z]{2,5})?\\s*(?:,\\s*|\\(|\\s[–—-]\\s|,?\\s+(?:our|is (?:our|the)|the)\\s+)${role}(?=[,;:()|\\n–—]|\\.?\\s*$|\\.\\s|\\s+(?:at|on|or|via)\\b|\\s+[\\w.+-]+@)`,
  "gu"
)
const roleThenPerson = new RegExp(
  `(?:^|\\b(?:[Oo]ur )?)((?:[Cc]o-)?[Ff]ounder|[Oo]wner|[Mm]anaging [Dd]irector|CEO|[Dd]irector|[Ss]ales [Dd]irector|[Hh]ead of [\\p{L} ]{3,30}|\\p{Lu}\\p{L}+ (?:[Dd]irector|[Mm]anager)|(?<=^)\\p{Lu}[\\p{L} ]{3,30}(?=:)),?:?\\s+(${person})`,
  "gu"
)
const slug = (text: string) =>
  text
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[^a-z]/g, "")

/** Whom a block names with a role: "Ann Lee, Head of Sales", "our founder Ann Lee", or the one above the other. */
const peopleIn = (block: Block, next: Block | undefined): ReadonlyArray<Contact> => {
  const text = block.text.replace(/^.*?\b(?:Contact|Kontakt):\s*/, "")
  const after = [...text.matchAll(personThenRole)]
    .map(([, name = "", role = ""]) => ({ name, title: role.trim() }))
    .filter((each) => title.test(each.title))
  const before = [...text.matchAll(roleThenPerson)]
    .map(([, role = "", name = ""]) => ({ name, title: String.capitalize(role) }))
    .filter((each) => title.test(each.title))
  const below = next !== undefined && next.text.length < 60 && title.test(next.text) && !/[@:]/.test(next.text)
  return [...after, ...before, ...(below ? [{ name: text, title: next.text }] : [])]
    .filter((each) => isPerson(each.name))
    .map(({ name, title }) => ({ block, name: name.replace(/(?<= \S+)(?: [A-Z]{2,4})+$/, ""), title }))
}

/** Whom to reach: the owner of the address to write to, or the first who is named where it says whom to reach. */
export const contactIn = (all: ReadonlyArray<Block>, mail: string | undefined): Contact | undefined => {
  const quoted = (text: string) => /^[>"“„«]|[”"»]\s*[–—-]/u.test(text)
  // A customer's quoted words name nobody of ours.
  const own = all.filter((block) => !isOfOthers(block) && !quoted(block.text) && !ofPress.test(block.text))
  const people = new Map(own.map((block, at) => [block, peopleIn(block, own[at + 1])]))
  const mailbox = slug(mail?.split("@")[0] ?? "")
  const isMailed = ({ name }: Contact) =>
    name.split(" ").some((part) => part.length > 2 && mailbox.includes(slug(part)))
  const owner = [...people.values()].flat().find(isMailed)
  if (owner !== undefined) return owner

  const named = own.filter(
    (block) => labelled(block.text)?.label === "contact" || /\bContact:|^\p{Lu}[\p{L} ]{2,30}: /u.test(block.text)
  )
  const near = own.filter((block) => block.kind !== "heading" && emailsIn(block.text).length > 0)
  const section = own.filter((block) => block.topic === "contact" && block.kind !== "heading")
  const around = [...named, ...near, ...section]
  return around.flatMap((block) => people.get(block) ?? [])[0]
}
