// layers/generator/bymodel/HideContacts.ts: removes a lead's contact data from every request about that lead.
import { Effect, Predicate } from "effect"
import type { Judgement, Model, PromptRequest } from "#layers/Model.ts"
import { contactsIn, replaceContacts, contactKey } from "#layers/text/Contacts.ts"
import type { Lead } from "#schema/Lead.ts"

/** The contact data in the lead's fields, normalised for comparison. */
const leadContacts = (lead: Lead): ReadonlySet<string> =>
  new Set(
    [
      lead.email,
      lead.name,
      lead.title,
      lead.company,
      lead.linkedin_url,
      lead.company_website,
      ...Object.values(lead.custom_fields ?? {})
    ].flatMap((field) =>
      field === null || field === undefined
        ? []
        : [String(field), ...contactsIn(String(field)).map(({ text }) => text)].flatMap((text) =>
            contactsIn(text).length > 0 ? [contactKey(text.trim())] : []
          )
    )
  )

const mapStrings = (value: unknown, change: (text: string) => string): unknown => {
  if (typeof value === "string") return change(value)
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change))
  if (!Predicate.isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, mapStrings(field, change)]))
}

/**
 * Wraps the model for requests about this lead. Contact data that templates write into an email is sent as a placeholder,
 * and restored in the answer before it is judged.
 */
export const hideContacts = (model: Model, lead: Lead): Model => {
  const leadContactKeys = leadContacts(lead)
  const placeholders = new Map<string, string>()
  const hide = (text: string) =>
    replaceContacts(text, (contact) => {
      if (!leadContactKeys.has(contactKey(contact))) return contact
      const placeholder = placeholders.get(contact) ?? `[contact ${placeholders.size + 1}]`
      placeholders.set(contact, placeholder)
      return placeholder
    })
  const restore = (text: string) =>
    [...placeholders].reduce(
      (restored, [contact, placeholder]) => restored.replaceAll(placeholder, () => contact),
      text
    )
  const hideInFaults = <B>(judgement: Judgement<B>): Judgement<B> => ({
    ...judgement,
    faults: judgement.faults.map(hide)
  })

  return {
    ...model,
    write: ({ requestData: own, prompt, request, ...rest }, judge) => {
      const maskedData = Object.fromEntries(Object.entries(own).map(([name, part]) => [name, mapStrings(part, hide)]))
      const placeholderNote = " Text such as [contact 1] stands for contact data: keep it as it is, or leave it out."
      const maskedRequest: PromptRequest<Parameters<typeof judge>[0]> = {
        ...rest,
        requestData: maskedData,
        request: placeholders.size === 0 ? request : request + placeholderNote,
        prompt: { ...prompt, decode: (answer) => prompt.decode(mapStrings(answer, restore)) }
      }
      return model.write(maskedRequest, (answer) => {
        const judgement = judge(answer)
        return Effect.isEffect(judgement) ? Effect.map(judgement, hideInFaults) : hideInFaults(judgement)
      })
    }
  }
}
