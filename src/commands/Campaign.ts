// src/commands/Campaign.ts: builds a campaign on a server, with choices by a person or the first options.
import { Effect, Option } from "effect"
import { Command, Flag, Prompt, TerminalCapabilities } from "effect/cli"
import type { AssetOption } from "#schema/Assets.ts"
import { build as buildByItself, type Chooser, walk } from "#client/Build.ts"
import { toggle } from "#src/commands/Flags.ts"
import { userError } from "#src/commands/Output.ts"
import { note, remoteEnvironment, withClient } from "#src/commands/Remote.ts"
import { print, wantsJson } from "#src/commands/Root.ts"
import { escapeControl } from "#src/commands/TextTable.ts"

const select = <A>(message: string, choices: ReadonlyArray<Prompt.SelectChoice<A>>) =>
  Prompt.run(Prompt.Select({ message, choices }))

const parseEdits = Effect.fnUntraced(function* ({ description, id, name }: AssetOption) {
  const newName = yield* Prompt.run(Prompt.String({ message: "Its name", default: escapeControl(name) }))
  const newText = yield* Prompt.run(Prompt.String({ message: "What it says", default: escapeControl(description) }))
  return {
    id,
    name: newName,
    description: newText,
    was: { name: escapeControl(name), description: escapeControl(description) }
  }
})

/** Prompts on the terminal. */
const person = {
  audience: (offered) =>
    select(
      "Who is the audience?",
      offered.map((value) => ({
        title: escapeControl(value.segment_name),
        description: escapeControl(
          [value.industry_vertical, value.geographic_location].filter((text) => text !== "").join(", ")
        ),
        value
      }))
    ),
  assets: Effect.fnUntraced(function* ({ title, type }, offered) {
    if (offered.length === 0) return { selected_ids: [] }
    const chosenSelection = yield* Prompt.run(
      Prompt.MultiSelect({
        message: `${title}: which?`,
        choices: offered.map((value) => ({
          title: escapeControl(value.name),
          description: escapeControl(value.description),
          value
        })),
        ...(type === "value_proposition" ? { min: 1 } : {})
      })
    )
    const selected_ids = chosenSelection.map(({ id }) => id)
    if (chosenSelection.length === 0) return { selected_ids }
    const edit = yield* Prompt.run(Prompt.Confirm({ message: "Edit it in your own words?", initial: false }))
    if (!edit) return { selected_ids }
    const words = yield* Effect.forEach(chosenSelection, parseEdits)
    const changed = <K extends "name" | "description">(key: K) =>
      Object.fromEntries(words.filter((one) => one[key] !== one.was[key]).map((one) => [one.id, one[key]]))
    return { selected_ids, edited_names: changed("name"), edited_descriptions: changed("description") }
  })
} satisfies Chooser<unknown, Prompt.Environment>

const build = Command.make(
  "build",
  {
    name: Flag.String("name").pipe(Flag.withDescription("The name of the campaign")),
    segment: Flag.String("segment").pipe(Flag.withDescription("The target audience's id"), Flag.optional),
    auto: toggle("auto", "Take the first options of each step, and ask nothing")
  },
  ({ auto, name, segment }) =>
    withClient(
      Effect.fnUntraced(function* (client) {
        const plan = { name, segment: Option.getOrUndefined(segment), onStep: note }
        const { canPrompt } = yield* TerminalCapabilities.TerminalCapabilities
        if (!auto && (!canPrompt || (yield* wantsJson))) {
          return yield* userError("This asks at each step and needs a terminal; --auto takes the first options instead")
        }
        const built = auto
          ? yield* buildByItself(client, plan)
          : yield* Effect.catchTag(walk(client, plan, person), "QuitError", () =>
              Effect.fail(userError("The campaign was left as it is, unfinished"))
            )
        yield* print(built, [`Campaign ${built.id} is ${built.overall}`])
      })
    )
).pipe(
  Command.withDescription("Build a campaign step by step; each asks what to choose, and lets you edit it"),
  remoteEnvironment
)

export const campaign = Command.make("campaign").pipe(Command.withSubcommands([build]))
