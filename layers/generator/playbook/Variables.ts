// layers/generator/playbook/Variables.ts: the values that a lead and a sender give to the variables of a template.
import type { PlainVariable } from "#layers/generator/playbook/Expression.ts"
import { withoutContacts } from "#layers/text/Contacts.ts"
import { companyName, personName, titleText } from "#layers/text/Names.ts"
import type { Lead } from "#schema/Lead.ts"

export interface Sender {
  readonly name: string | null
  readonly title: string | null
  readonly company: string | null
}

export interface Variables extends Readonly<Partial<Record<Exclude<PlainVariable, "email">, string | undefined>>> {
  readonly email: string
  readonly custom: Readonly<Record<string, string | number | boolean>>
}

const given = (text: string | null | undefined): string | undefined => {
  const trimmed = text?.trim()
  return trimmed === "" ? undefined : trimmed
}

/** A field without addresses and phone numbers. */
const reachless = (text: string | null | undefined) => (typeof text === "string" ? withoutContacts(text) : undefined)

/** Values as a person would say them; a missing value, or one that is no name, is undefined. */
export const variablesOf = (lead: Lead, sender: Sender): Variables => {
  const person = personName(reachless(lead.name), lead.email)
  return {
    first_name: person.first,
    last_name: person.last,
    full_name: person.full,
    title: titleText(reachless(lead.title)),
    company: companyName(reachless(lead.company)),
    email: lead.email,
    sender_name: given(sender.name),
    sender_title: given(sender.title),
    sender_company: given(sender.company),
    custom: Object.fromEntries(
      Object.entries(lead.custom_fields ?? {}).flatMap(([key, value]) => {
        const kept = typeof value === "string" ? given(value) : value
        return kept === null || kept === undefined ? [] : [[key, kept] as const]
      })
    )
  }
}
