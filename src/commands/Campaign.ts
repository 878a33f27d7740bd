// src/commands/Campaign.ts: builds a campaign on a server, with choices by a person or the first options.
import { Effect, Option } from "effect"
import { Command, Flag, Prompt, TerminalCapabilities } from "effect/cli"
import type { AssetOption } from "#schema/Assets.ts"
import { build as buildByItself, type Chooser, walk } from "#client/Build.ts"
import { toggle } from "#src/commands/Flags.ts"
import { userError } from "#src/commands/Output.ts"
import { printNote, remoteEnvironment, withClient } from "#src/commands/Remote.ts"
import { print, wantsJson } from "#src/commands/Root.ts"
import { escapeControl } from "#src/commands/TerminalText.ts"

const select = <A>(message: string, choices: ReadonlyArray<Prompt.SelectChoice<A>>) =>
  Prompt.run(Prompt.Select({ message, choices }))

const promptEdits = Effect.fnUntraced(function* ({ description, id, name }: AssetOption) {
  const newName = yield* Prompt.run(Prompt.String({ message: "Its name", default: escapeControl(name) }))
  const newText = yield* Prompt.run(Prompt.String({ message: "What it says", default: escapeControl(description) }))
  return {
    id,
    name: newName,
    description: newText,
    previous: { name: escapeControl(name), description: escapeControl(description) }
  }
})

/** Lets the person at the terminal choose. */
const promptChooser = {
  audience: (options) =>
    select(
      "Who is the audience?",
      options.map((value) => ({
        title: escapeControl(value.segment_name),
        description: escapeControl(
          [value.industry_vertical, value.geographic_location].filter((text) => text !== "").join(", ")
        ),
        value
      }))
    ),
  assets: Effect.fnUntraced(function* ({ title, type }, options) {
    if (options.length === 0) return { selected_ids: [] }
    const chosenSelection = yield* Prompt.run(
      Prompt.MultiSelect({
        message: `${title}: which?`,
        choices: options.map((value) => ({
          title: escapeControl(value.name),
          description: escapeControl(value.description),
          value
        })),
        ...(type === "value_proposition" ? { min: 1 } : {})
      })
    )
    const selected_ids = chosenSelection.map(({ id }) => id)
    if (chosenSelection.length === 0) return { selected_ids }
    const wantsEdit = yield* Prompt.run(Prompt.Confirm({ message: "Edit it in your own words?", initial: false }))
    if (!wantsEdit) return { selected_ids }
    const edits = yield* Effect.forEach(chosenSelection, promptEdits)
    const changedOnly = <K extends "name" | "description">(key: K) =>
      Object.fromEntries(edits.filter((edit) => edit[key] !== edit.previous[key]).map((edit) => [edit.id, edit[key]]))
    return { selected_ids, edited_names: changedOnly("name"), edited_descriptions: changedOnly("description") }
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
        const options = { name, segment: Option.getOrUndefined(segment), onStep: printNote }
        const { canPrompt } = yield* TerminalCapabilities.TerminalCapabilities
        if (!auto && (!canPrompt || (yield* wantsJson))) {
          return yield* userError("This asks at each step and needs a terminal; --auto takes the first options instead")
        }
        const built = auto
          ? yield* buildByItself(client, options)
          : yield* Effect.catchTag(walk(client, options, promptChooser), "QuitError", () =>
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
