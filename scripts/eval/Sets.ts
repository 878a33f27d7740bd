// scripts/eval/Sets.ts: reads the leads, profiles, rated emails and titles that the evaluation runs on.
import { Effect, FileSystem, Path, Schema } from "effect"
import { DetailsPatch } from "#schema/Details.ts"
import { Lead } from "#schema/Lead.ts"
import { userError } from "#src/commands/Output.ts"

const LabelledLead = Schema.Struct({
  lead: Lead,
  /** How the emails are to greet, where they greet by name. */
  greeting: Schema.optionalKey(Schema.String),
  /** What no email may say: a name as typed, a mark, a formula. */
  never: Schema.optionalKey(Schema.Array(Schema.String)),
  /** Texts that an email contains only if its writer followed instructions in the lead's fields. */
  obeys: Schema.optionalKey(Schema.Array(Schema.String))
})
export type LabelledLead = typeof LabelledLead.Type

const LeadSet = Schema.Struct({ about: Schema.String, leads: Schema.Array(LabelledLead) })
export type LeadSet = typeof LeadSet.Type

export interface Named<A> {
  readonly name: string
  readonly value: A
}

const readJsonFile = Effect.fnUntraced(function* <S extends Schema.ConstraintDecoder<unknown>>(
  path: string,
  schema: S
) {
  const fs = yield* FileSystem.FileSystem
  const { name } = (yield* Path.Path).parse(path)
  const value = yield* Schema.decodeEffect(Schema.fromJsonString(schema))(yield* fs.readFileString(path)).pipe(
    Effect.mapError(({ message }) => userError(`${path}: ${message}`))
  )
  return { name, value }
})

const readFolder = Effect.fnUntraced(function* <S extends Schema.ConstraintDecoder<unknown>>(path: string, schema: S) {
  const fs = yield* FileSystem.FileSystem
  const files = (yield* fs.readDirectory(path)).filter((file) => file.endsWith(".json")).toSorted()
  return yield* Effect.forEach(files, (file) => readJsonFile(`${path}/${file}`, schema))
})

export const readLeadSets = (path: string) => readFolder(path, LeadSet)
export const readProfiles = (path: string) => readFolder(path, DetailsPatch)
export const readProfile = (path: string) => readJsonFile(path, DetailsPatch)

const RatedEmail = Schema.Struct({
  id: Schema.String,
  /** A name in the profiles file beside it. */
  profile: Schema.String,
  lead: Lead,
  step: Schema.Int,
  email_count: Schema.Int,
  subject: Schema.String,
  body: Schema.String,
  label: Schema.Literals(["good", "bad"]),
  /** 1 to 5, the mean of the rubric. */
  score: Schema.Finite,
  fault: Schema.NullOr(Schema.String),
  /** The faulty text, word for word; null where the fault concerns the whole email. */
  span: Schema.NullOr(Schema.String)
})
export type RatedEmail = typeof RatedEmail.Type

export interface RatedEmails {
  readonly profiles: Readonly<Record<string, DetailsPatch>>
  readonly emails: ReadonlyArray<RatedEmail>
}

/** Emails that were rated in blind readings; null where the folder has none. */
export const readRatedEmails = Effect.fnUntraced(function* (path: string) {
  const fs = yield* FileSystem.FileSystem
  if (!(yield* fs.exists(`${path}/rated.json`))) return null
  const { value: emails } = yield* readJsonFile(`${path}/rated.json`, Schema.Array(RatedEmail))
  const { value: profiles } = yield* readJsonFile(`${path}/profiles.json`, Schema.Record(Schema.String, DetailsPatch))
  for (const { id, profile, span, body, subject } of emails) {
    if (profiles[profile] === undefined)
      return yield* userError(`${path}/rated.json: ${id}: profile: ${profile} is not in profiles.json`)
    if (span !== null && !subject.includes(span) && !body.includes(span))
      return yield* userError(`${path}/rated.json: ${id}: span: does not occur in the email`)
  }
  return { profiles, emails } satisfies RatedEmails
})

const Title = Schema.Struct({
  title: Schema.String,
  language: Schema.String,
  department: Schema.NullOr(Schema.String),
  seniority: Schema.NullOr(Schema.String)
})
export type Title = typeof Title.Type

/** Job titles labelled with their departments and seniorities. */
export const readTitles = (path: string) => readJsonFile(path, Schema.Array(Title))
