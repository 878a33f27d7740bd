// layers/research/extract/UsableFacts.ts: drops facts that a text states but that are no answer: people who are a client's or have
// left, results with a client's phone number, and values that a layout or an editor damaged.
import { franc } from "franc-min"
import type { Block } from "#layers/research/extract/Blocks.ts"
import { mailboxesIn, phonesIn } from "#layers/research/extract/Contacts.ts"
import type { Fact } from "#layers/research/extract/Labelled.ts"
import { type Field, isOneLine, nameListFields } from "#layers/research/extract/Labels.ts"
import { brokenWord, styleName } from "#layers/research/extract/Lines.ts"
import { removeLegalForm } from "#layers/research/extract/Names.ts"
import { looksEnglish } from "#layers/text/Words.ts"

/** A label or a heading that names a client or its referee: "Reference 1 contact: Ann Lee". */
const clientLabel =
  /^(?:[\p{L}\d.)]{1,20} ){0,3}?(?:references?|referees?|clients?|customers?|\p{L}{0,20}referenz(?:en|kunden?)?|kunden?|références?|clientes?|referencias?)(?!\p{L}| (?:services?|care|support|success|relations)(?!\p{L}))(?: \p{L}{1,20}| \d{1,2}){0,3}\s*(?:[:,|–—-]|$)/iu
/** Words about a person who is not to be contacted any more. */
const hasLeft =
  /(?<!\p{L})(?:retired|retires|(?:has|have|had|he|she|who) left|left (?:us|the (?:company|firm|business)|in \S)|no longer|ask (?:\p{Lu}\S* ){1,3}instead|ausgeschieden|im ruhestand|nicht mehr|a quitté|(?:à|en) (?:la )?retraite|retraitée?|ne travaille plus|jubilad[oa])(?!\p{L})/iu

/**
 * Whether a block says that the person whom it names is a client's, or has left. Below a list of clients the company's own
 * contact may follow, with a mailbox at its domain.
 */
const excludesContact = ({ columns, text, topic, under }: Block, host: string): boolean =>
  hasLeft.test(text) ||
  [text.slice(0, 200), ...columns].some((each) => clientLabel.test(each)) ||
  ((topic === "case_studies" || clientLabel.test(under.at(-1) ?? "")) &&
    !mailboxesIn(text).some((each) => host !== "" && each.endsWith(`@${host}`)))

/** Marks that an editor left in a text: "[delete: the old price]". */
const editingMark =
  /\((?:ask|see|call|check|pls|please|intern(?:al|e?)|siehe|fragen|demander|voir)(?!\p{L})[^)]{0,100}\)|\[(?:delet|insert|remov|replac|comment|edit|note|todo|tb[cd]|check|streich|lösch|einfüg|supprim|à supprimer|borrar)[^\]]{0,300}\]|\{(?:\+\+|--|~~|==|>>)/iu
/** Languages of texts that companies import. */
const languages = ["eng", "deu", "fra", "spa", "nld"]

/** Whether the layout or an editor damaged a text. */
export const isDamaged = (text: string): boolean =>
  brokenWord.test(text) || editingMark.test(text) || styleName.test(text)

const clientContact = /(?<!\p{L})(?:contact|kontakt|ansprechpartner(?:in)?)\s?:/iu

/** Whether a result names the person or the number to ask at the client. */
const namesClientContact = ({ field, value }: Fact): boolean =>
  field === "case_studies" && (clientContact.test(value) || phonesIn(value).length > 0 || mailboxesIn(value).length > 0)

const addressLabel =
  /^(?:(?:postal|mailing|business|visiting|street|registered|office) address|(?:head|registered) office|(?:post|haus|geschäfts)?(?:anschrift|adresse)|adresse postale|siège social|address)$/iu

/** An address without the company's name or a label before its street, where that is a part of its own. */
const removeName = (address: string, company: string): string => {
  const normalize = (text: string) => removeLegalForm(text).toLowerCase().trim()
  const parts = address.split(", ")
  const isName = (part: string) => addressLabel.test(part) || (company !== "" && normalize(part) === normalize(company))
  // Behind a number a label begins a second address.
  const street = parts.findIndex((part) => /\d/.test(part))
  const remaining = parts.filter((part, index) => index >= street || !isName(part))
  return remaining.length > 1 ? remaining.join(", ") : address
}

/**
 * Whether a value is in another language: the emails are English, so it is for a person to put into English. Beside such
 * sentences, a line without a small word of its own may be one of them.
 */
export const isForeignIn = (blocks: ReadonlyArray<Block>): ((field: Field, value: string) => boolean) => {
  const isMixed = blocks.some(({ text }) => text.length > 30 && !looksEnglish(text))
  return (field, value) =>
    isMixed &&
    !isOneLine(field) &&
    !nameListFields.has(field) &&
    value.split("\n").some((line) => line.includes(" ") && franc(line, { only: languages, minLength: 10 }) !== "eng")
}

/** The facts of a text that may fill their fields, and those to offer to a person instead. */
export const usableFacts = (
  facts: ReadonlyArray<Fact>,
  blocks: ReadonlyArray<Block>
): { readonly usable: ReadonlyArray<Fact>; readonly doubtful: ReadonlyArray<Fact> } => {
  const findValue = (field: Field) => facts.find((fact) => fact.field === field)?.value ?? ""
  const company = findValue("company_name")
  const host = findValue("contact_email").split("@")[1] ?? ""
  const isExcluded = (name: string) => blocks.some((block) => block.text.includes(name) && excludesContact(block, host))
  const people = facts.filter(({ field, value }) => field === "contact_name" && isExcluded(value))
  const isOfPerson = ({ field, source }: Fact) =>
    (field === "contact_name" || field === "contact_title") && people.some((each) => each.source.text === source.text)
  const candidateFacts = facts
    .filter((fact) => !people.includes(fact) && !isOfPerson(fact) && !namesClientContact(fact))
    .map((fact) => (fact.field === "business_address" ? { ...fact, value: removeName(fact.value, company) } : fact))
  const isForeign = isForeignIn(blocks)
  const hasTwoGifts = ({ field, value }: Fact) =>
    field === "lead_magnets" && (value.match(/(?<![\p{L}-])free(?!\p{L})/giu) ?? []).length > 1
  const isUnsure = (fact: Fact) => isDamaged(fact.value) || isForeign(fact.field, fact.value) || hasTwoGifts(fact)
  return {
    usable: candidateFacts.filter((fact) => !isUnsure(fact)),
    doubtful: candidateFacts.filter(isUnsure)
  }
}
