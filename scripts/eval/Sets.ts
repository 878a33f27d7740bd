// scripts/eval/Sets.ts: the leads and the profiles that a writer is tried on, as files that anyone can add to.
import { Effect, FileSystem, Path, Schema } from "effect"
import { DetailsPatch } from "#schema/Details.ts"
import { Lead } from "#schema/Lead.ts"
import { fail } from "#src/commands/Output.ts"

const Tried = Schema.Struct({
  lead: Lead,
  /** How the emails are to greet, where they greet by name. */
  greeting: Schema.optionalKey(Schema.String),
  /** What no email may say: a name as typed, a mark, a formula. */
  never: Schema.optionalKey(Schema.Array(Schema.String)),
  /** What an email says only if its writer did as the lead's fields told it. */
  obeys: Schema.optionalKey(Schema.Array(Schema.String))
})
export type Tried = typeof Tried.Type

const LeadSet = Schema.Struct({ about: Schema.String, leads: Schema.Array(Tried) })
export type LeadSet = typeof LeadSet.Type

export interface Named<A> {
  readonly name: string
  readonly value: A
}

const read = Effect.fnUntraced(function* <S extends Schema.ConstraintDecoder<unknown>>(path: string, schema: S) {
  const fs = yield* FileSystem.FileSystem
  const { name } = (yield* Path.Path).parse(path)
  const value = yield* Schema.decodeEffect(Schema.fromJsonString(schema))(yield* fs.readFileString(path)).pipe(
    Effect.mapError(({ message }) => fail(`${path}: ${message}`))
  )
  return { name, value }
})

const folder = Effect.fnUntraced(function* <S extends Schema.ConstraintDecoder<unknown>>(path: string, schema: S) {
  const fs = yield* FileSystem.FileSystem
  const files = (yield* fs.readDirectory(path)).filter((file) => file.endsWith(".json")).toSorted()
  return yield* Effect.forEach(files, (file) => read(`${path}/${file}`, schema))
})

export const leadSets = (path: string) => folder(path, LeadSet)
export const profiles = (path: string) => folder(path, DetailsPatch)
export const profile = (path: string) => read(path, DetailsPatch)
