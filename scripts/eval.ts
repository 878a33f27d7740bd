// scripts/eval.ts: how well the writer writes: every set of leads against every profile, judged by the rule table, and
// looked up in the files that the emails may speak from.
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Console, Effect, FileSystem, Layer, Option } from "effect"
import { Command, Flag } from "effect/cli"
import * as Database from "#layers/Database.ts"
import { version } from "#schema/Api.ts"
import { fail } from "#src/commands/Output.ts"
import { table } from "#src/commands/Words.ts"
import { Writers } from "#src/services.ts"
import { model } from "#src/settings/Services.ts"
import { join } from "node:path"
import { leadSets, profile, profiles } from "./eval/Sets.ts"
import { report } from "./eval/Report.ts"
import { trial } from "./eval/Trial.ts"

const root = join(import.meta.dirname, "../eval")

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
    const sets = yield* leadSets(flags.leads)
    const tried = Option.isSome(flags.profile)
      ? [yield* profile(flags.profile.value)]
      : yield* profiles(`${root}/profiles`)
    const trials = yield* Effect.forEach(tried, (each) => trial(each, sets, flags.concurrency))
    const found = report(trials)
    for (const { heads, rows } of found.tables)
      yield* Effect.forEach([...table(heads, rows), ""], (line) => Console.log(line))
    if (Option.isSome(flags.json)) yield* fs.writeFileString(flags.json.value, JSON.stringify(found.json, null, 2))
    if (Option.isSome(flags.emails)) {
      const folder = flags.emails.value
      yield* fs.makeDirectory(folder, { recursive: true })
      for (const { name, leads } of trials)
        yield* fs.writeFileString(`${folder}/${name}.json`, JSON.stringify(leads, null, 2))
    }
    if (found.broken.length > 0) {
      yield* Effect.forEach(found.broken, (line) => Console.error(line))
      return yield* fail(`${found.broken.length} promises are not kept`)
    }
  })
)

/** The model where the settings name one, as in the service. */
const writer = Writers.pipe(Layer.provide(model), Layer.provide(Database.layerMemory))

NodeRuntime.runMain(evaluate.pipe(Command.run({ version }), Effect.provide([writer, NodeServices.layer])))
