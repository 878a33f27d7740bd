// layers/generator/playbook/TemplateVariables.ts: the values that a lead and a sender give to the variables of a
// template.
import type { PlainVariable } from "#layers/generator/playbook/LiquidExpressions.ts"
import { removeContacts } from "#layers/text/Contacts.ts"
import { companyName } from "#layers/text/CompanyNames.ts"
import { personName, titleText } from "#layers/text/PersonNames.ts"
import type { Lead } from "#schema/Lead.ts"

export interface Sender {
  readonly name: string | null
  readonly title: string | null
  readonly company: string | null
  /** Names of the sender's competitors. */
  readonly competitors?: ReadonlyArray<string>
}

export interface Variables extends Readonly<Partial<Record<Exclude<PlainVariable, "email">, string | undefined>>> {
  readonly email: string
  readonly custom: Readonly<Record<string, string | number | boolean>>
}

const trimOrUndefined = (text: string | null | undefined): string | undefined => {
  const trimmed = text?.trim()
  return trimmed === "" ? undefined : trimmed
}

/** A field without addresses and phone numbers. */
const removeContactData = (text: string | null | undefined) =>
  typeof text === "string" ? removeContacts(text) : undefined

/** Columns about a supplier that the lead has left. */
const formerKeyPattern = /(?:^|_)(?:ex|former|lost|old|past|previous|prior)(?:_|$)/

/** The competitor that a column of the lead holds, such as "Current supplier: Halden"; the whole value must be its name. */
const findCompetitor = ({ custom_fields }: Lead, names: ReadonlyArray<string>): string | undefined => {
  const values = Object.entries(custom_fields ?? {}).flatMap(([key, value]) =>
    typeof value === "string" && !formerKeyPattern.test(key) ? [value.trim().toLowerCase()] : []
  )
  return names.find((name) => values.includes(name.toLowerCase()))
}

/** Values as a person would say them; a missing value, or one that is no name, is undefined. */
export const templateVariables = (lead: Lead, sender: Sender): Variables => {
  const person = personName(removeContactData(lead.name), lead.email)
  return {
    first_name: person.first,
    last_name: person.last,
    full_name: person.full,
    title: titleText(removeContactData(lead.title)),
    company: companyName(removeContactData(lead.company)),
    competitor: findCompetitor(lead, sender.competitors ?? []),
    email: lead.email,
    sender_name: trimOrUndefined(sender.name),
    sender_title: trimOrUndefined(sender.title),
    sender_company: trimOrUndefined(sender.company),
    custom: Object.fromEntries(
      Object.entries(lead.custom_fields ?? {}).flatMap(([key, value]) => {
        const customValue = typeof value === "string" ? trimOrUndefined(value) : value
        return customValue === null || customValue === undefined ? [] : [[key, customValue] as const]
      })
    )
  }
}
