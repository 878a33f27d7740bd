// layers/generator/bymodel/prompts/SyntheticLeads.ts: synthetic people of a campaign's audience.
import { Schema } from "effect"
import { prompt } from "#layers/model/Prompt.ts"

const SyntheticLeads = Schema.Struct({
  leads: Schema.Array(
    Schema.Struct({
      first_name: Schema.String,
      last_name: Schema.String,
      title: Schema.String,
      company: Schema.String,
      industry: Schema.String,
      company_size: Schema.String,
      location: Schema.String
    })
  )
})
export type SyntheticLeads = typeof SyntheticLeads.Type

export const syntheticLeads = prompt({
  name: "synthetic_leads",
  version: 1,
  task: `Make up people of the audience, so that its emails can be tried on somebody. This is the one task in which you invent: the people and their companies must not exist. Use names as are common where the audience is; companies with a plausible made-up name of the audience's trade, never a real one, never one of the profile; job titles of the audience's decision makers. No two people share a name or a company. company_size and location as the audience says, else plausible ones.`,
  answer: SyntheticLeads
})
