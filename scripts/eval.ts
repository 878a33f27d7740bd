// scripts/eval.ts: measures how well the writer writes, how well titles are routed, and how well the checker agrees with readers.
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Console, Effect, FileSystem, Layer, Option } from "effect"
import { Command, Flag } from "effect/cli"
import * as Database from "#layers/Database.ts"
import { Generator } from "#layers/Generator.ts"
import { version } from "#schema/Version.ts"
import { userError } from "#src/commands/Output.ts"
import { alignColumns } from "#src/commands/TerminalText.ts"
import { modelLayer } from "#src/settings/Services.ts"
import { join } from "node:path"
import { grammarOf } from "./eval/Grammar.ts"
import { checkerReport, measureRouting } from "./eval/Labels.ts"
import { report } from "./eval/Report.ts"
import {
  type LeadSet,
  readLeadSets,
  type Named,
  readProfile,
  readProfiles,
  readRatedEmails,
  readTitles
} from "./eval/Sets.ts"
import { ordinary, type Trial, runTrial } from "./eval/Trial.ts"

const root = join(import.meta.dirname, "../eval")
const labelledTitleFiles = ["seen", "unseen"].map((half) =>
  join(import.meta.dirname, `../test/fixtures/titles-${half}.json`)
)

/** The profiles of the rated emails, with which no template was written, are tried with fewer leads. */
const ordinarySubset = ({ name, value }: Named<LeadSet>): ReadonlyArray<Named<LeadSet>> =>
  name === ordinary ? [{ name, value: { ...value, leads: value.leads.slice(0, 80) } }] : []

/** Sequences of each profile that the grammar checker reads: enough to meet each template, and read in seconds. */
const grammarSample = 12

const grammarSampleOf = ({ leads, profile }: Trial) => {
  const written = leads.filter(({ emails, set }) => set === ordinary && emails.length > 0)
  const every = Math.max(1, Math.floor(written.length / grammarSample))
  return written
    .filter((_, index) => index % every === 0)
    .slice(0, grammarSample)
    .flatMap(({ emails, tried }) => emails.map((email) => ({ email, lead: tried.lead, profile })))
}

const evaluate = Command.make(
  "eval",
  {
    profile: Flag.String("profile").pipe(
      Flag.withDescription("A profile file of your own, in place of those in eval/profiles"),
      Flag.optional
    ),
    leads: Flag.String("leads").pipe(
      Flag.withDescription("A folder of lead sets, in place of eval/leads"),
      Flag.withDefault(`${root}/leads`)
    ),
    json: Flag.String("json").pipe(Flag.withDescription("Also write the report to this file"), Flag.optional),
    emails: Flag.String("emails").pipe(Flag.withDescription("Also write the emails to this folder"), Flag.optional),
    concurrency: Flag.Int("concurrency").pipe(Flag.withDescription("Leads written at once"), Flag.withDefault(16))
  },
  Effect.fnUntraced(function* (flags) {
    const fs = yield* FileSystem.FileSystem
    const sets = yield* readLeadSets(flags.leads)
    const tried = Option.isSome(flags.profile)
      ? [yield* readProfile(flags.profile.value)]
      : yield* readProfiles(`${root}/profiles`)
    const rated = yield* readRatedEmails(`${root}/emails`)
    const others = Option.isSome(flags.profile) ? [] : Object.entries(rated?.profiles ?? {})
    const trials = [
      ...(yield* Effect.forEach(tried, (each) => runTrial(each, sets, flags.concurrency))),
      ...(yield* Effect.forEach(others, ([name, value]) =>
        runTrial({ name, value }, sets.flatMap(ordinarySubset), flags.concurrency)
      ))
    ]
    const found = report({
      trials,
      routing: (yield* Effect.forEach(labelledTitleFiles, readTitles)).map(measureRouting),
      grammar: yield* grammarOf(trials.flatMap(grammarSampleOf)),
      checker: rated === null ? null : checkerReport(rated)
    })
    for (const { heads, rows } of found.tables)
      yield* Effect.forEach([...alignColumns(heads, rows), ""], (line) => Console.log(line))
    if (Option.isSome(flags.json)) yield* fs.writeFileString(flags.json.value, JSON.stringify(found.json, null, 2))
    if (Option.isSome(flags.emails)) {
      const folder = flags.emails.value
      yield* fs.makeDirectory(folder, { recursive: true })
      for (const { name, leads } of trials)
        yield* fs.writeFileString(`${folder}/${name}.json`, JSON.stringify(leads, null, 2))
    }
    if (found.broken.length > 0) {
      yield* Effect.forEach(found.broken, (line) => Console.error(line))
      return yield* userError(`${found.broken.length} promises are not kept`)
    }
  })
)

/** The model where the settings name one, as in the service. */
const writer = Generator.layer.pipe(Layer.provide(modelLayer), Layer.provide(Database.layerMemory))

NodeRuntime.runMain(evaluate.pipe(Command.run({ version }), Effect.provide([writer, NodeServices.layer])))
