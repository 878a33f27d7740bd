// src/commands/Person.ts: shows and erases the data of the person with an email address.
import { Effect, Schema, Struct } from "effect"
import { Argument, Command } from "effect/cli"
import * as Person from "#layers/operations/Person.ts"
import { Email } from "#schema/Fields.ts"
import { toggle } from "#src/commands/Flags.ts"
import { userError } from "#src/commands/Output.ts"
import { print } from "#src/commands/Root.ts"
import { withStore } from "#src/commands/Store.ts"
import { countOf } from "#src/commands/TerminalText.ts"

const address = Argument.String("address").pipe(Argument.withDescription("The person's email address"))

const parseAddress = Effect.fnUntraced(function* (text: string) {
  const email = text.trim().toLowerCase()
  return Schema.is(Email)(email) ? email : yield* userError(`"${text}" is not an email address`)
})

type FindResult = Effect.Success<ReturnType<Effect.Success<ReturnType<typeof Person.make>>["find"]>>

const parseJson = (text: string | null): Schema.Json => (text === null ? null : JSON.parse(text))

/** The documents that `show` prints about a person in one workspace. */
const describePerson = ({
  kept,
  leads,
  messages,
  notified,
  suppressed,
  texts,
  versions,
  workspace_id
}: Person.FoundPerson) => ({
  workspace_id,
  leads: leads.map(({ custom_fields, facts, sequence, ...lead }) => ({
    ...Struct.omit(lead, ["emails"]),
    position: lead.position + 1,
    custom_fields: parseJson(custom_fields),
    emails: parseJson(sequence) ?? [],
    versions: versions.filter(({ lead_id }) => lead_id === lead.id).map((version) => Struct.omit(version, ["lead_id"])),
    research: parseJson(facts) ?? []
  })),
  notified_lists: notified,
  messages: messages.map(({ key, texts }) => ({ ...key, ...texts })),
  texts: texts.map(({ column, key, table }) => ({ table, column, ...key })),
  own_texts: kept.map(({ column, key, table }) => ({ table, column, ...key })),
  suppressed
})

const hasData = (person: Person.FoundPerson) =>
  person.leads.length + person.notified.length + person.messages.length + person.texts.length + person.kept.length >
    0 || person.suppressed

const describeFound = ({ found, mails }: FindResult): ReadonlyArray<string> => {
  const lines = found
    .filter(hasData)
    .flatMap((person) => [
      `Workspace ${person.workspace_id}`,
      ...person.leads.map(
        ({ list_id, name, position, status }) =>
          `  lead ${position + 1} of list ${list_id}: ${name ?? "no name"}, ${status}`
      ),
      ...person.notified.map((list) => `  notified of list ${list}`),
      ...person.messages.map(({ key }) => `  message ${key["position"]} of conversation ${key["conversation_id"]}`),
      ...person.texts.map(({ column, key, table }) => `  ${table}.${column} of ${Object.values(key).join(" ")}`),
      ...person.kept.map(
        ({ column, key, table }) =>
          `  ${table}.${column} of ${Object.values(key).join(" ")} (your own text, not erased)`
      ),
      ...(person.suppressed ? ["  on the suppression list"] : [])
    ])
  return [...lines, ...mails.map((file) => `Mail ${file}`)]
}

const show = Command.make("show", { address }, ({ address }) =>
  withStore(
    Effect.fnUntraced(function* (directory) {
      const email = yield* parseAddress(address)
      const { find } = yield* Person.make(directory)
      const result = yield* find(email)
      const lines = describeFound(result)
      yield* print(
        { address: email, workspaces: result.found.filter(hasData).map(describePerson), mails: result.mails },
        lines.length === 0 ? [`Nothing is stored of ${email}`] : lines
      )
    })
  )
).pipe(Command.withDescription("Show what the store holds of the person at an email address"))

const erase = Command.make(
  "erase",
  {
    address,
    suppress: toggle("suppress", "Also put the address on the suppression list of every workspace")
  },
  ({ address, suppress }) =>
    withStore(
      Effect.fnUntraced(function* (directory) {
        const email = yield* parseAddress(address)
        const { erase } = yield* Person.make(directory)
        const { failed, found, mails } = yield* erase(email, suppress)
        const sum = (countOfPerson: (one: Person.FoundPerson) => number) =>
          found.reduce((total, person) => total + countOfPerson(person), 0)
        const counts = {
          leads: sum(({ leads }) => leads.length),
          messages: sum(({ messages }) => messages.length),
          texts: sum(({ notified, texts }) => texts.length + notified.length),
          mails: mails.length
        }
        const ownTexts = [
          ...new Set(found.flatMap((person) => person.kept.map(({ column, table }) => `${table}.${column}`)))
        ]
        yield* print({ address: email, erased: counts, suppressed: suppress, own_texts: ownTexts }, [
          `Erased ${countOf(counts.leads, "lead")}, ${countOf(counts.messages, "message")}, ${countOf(counts.texts, "text")}, ${countOf(counts.mails, "mail")}`,
          ...(suppress ? [`${email} is on the suppression list of every workspace`] : []),
          ...(ownTexts.length === 0
            ? []
            : [`Your own texts still name the address: ${ownTexts.join(", ")}. Change them in the page`]),
          "Uploaded files and backups are not searched: see docs/guides/personal-data.md"
        ])
        if (failed.length > 0) {
          const columns = failed.map(
            ({ column, key, table }) => `${table}.${column} of ${Object.values(key).join(" ")}`
          )
          return yield* userError(`All else is erased, but these rows could not be changed: ${columns.join(", ")}`)
        }
      })
    )
).pipe(Command.withDescription("Erase what the store holds of the person at an email address"))

export const person = Command.make("person").pipe(Command.withSubcommands([show, erase]))
