// layers/generator/bymodel/prompts/Options.ts: the options of a campaign, one prompt for each type, all of one form.
import { Schema } from "effect"
import { prompt } from "#layers/model/Prompt.ts"
import type { AssetType } from "#schema/Assets.ts"

const Options = Schema.Struct({
  options: Schema.Array(Schema.Struct({ name: Schema.String, description: Schema.String, sentence: Schema.String }))
})

export type Options = typeof Options.Type

const form =
  "name: two to eight words, only its first word and names with a capital. description: one to three full sentences that can stand in an email as they are. sentence: the sentence or line of the material that the option rests on, word for word. No two options say the same."

const options = (name: string, task: string) =>
  prompt({ name, version: 2, task: `${task}\n\n${form}`, answer: Options })

export const optionPrompts = {
  social_proof: options(
    "social_proof_options",
    "List the proof that the profile holds, the strongest first: results of clients, credentials, numbers. One option for each; keep names and numbers exactly as they are, and make none stronger than it is."
  ),
  lead_magnet: options(
    "lead_magnet_options",
    "List what the business gives away, as the profile says, the easiest to accept first: say for each what the reader gets and what it spares them."
  ),
  risk_reversal: options(
    "risk_reversal_options",
    "List how the business takes the risk off its buyers, as the profile says: guarantees, trials, terms. Keep every condition; promise nothing more."
  ),
  value_proposition: options(
    "value_proposition_options",
    "Propose the promises that this campaign can make to its audience out of the profile and the chosen proof: one to six, each from another side. A promise says what changes for the reader and why to believe it. Put a result of a client only beside a promise about the same thing, and promise no reader what a client got."
  )
} satisfies { readonly [T in AssetType]: unknown }
