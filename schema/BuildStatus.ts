// schema/BuildStatus.ts: the status of each step of a campaign's build.
import { Schema } from "effect"
import { Id } from "#schema/Fields.ts"
import { MissingSentence } from "#schema/Playbook.ts"

export const Overall = Schema.Literals(["draft", "building", "ready", "failed"]).annotate({
  title: "Overall",
  description: "Where a campaign stands; emails can be asked for while it is building or ready"
})
export type Overall = typeof Overall.Type

const stageStatus = (description: string) => Schema.Literals(["pending", "ready"]).annotate({ description })

export const Stages = Schema.Struct({
  target_audience: stageStatus("Ready once its research is done"),
  social_proof: stageStatus("Ready once it is selected"),
  lead_magnet: stageStatus("Ready once it is selected"),
  risk_reversal: stageStatus("Ready once it is selected"),
  value_proposition: Schema.Literals(["pending", "processing", "ready", "failed"]).annotate({
    description: "Pending until options are asked for, and again until some are selected"
  })
}).annotate({ title: "Stages", description: "The status of each step" })
export type Stages = typeof Stages.Type

export const CompanyChange = Schema.Struct({
  from: Schema.String.annotate({
    description: "The company it was built for, whose name and facts are in its emails",
    examples: ["Kestrel Pumps"]
  }),
  to: Schema.NullOr(Schema.String).annotate({
    description: "The company that the profile names now; null if it names none",
    examples: ["Harbour Coatings"]
  })
}).annotate({ title: "CompanyChange", description: "Another company in the profile" })
export type CompanyChange = typeof CompanyChange.Type

export const BuildStatus = Schema.Struct({
  campaign_id: Id,
  overall: Overall,
  stages: Stages,
  company_changed: Schema.optionalKey(CompanyChange).annotate({
    description: "Only if the profile has had another company's name since the campaign was built"
  }),
  missing: Schema.optionalKey(Schema.Array(MissingSentence)).annotate({
    description: "Sentences that would make the emails better; only once there is a playbook"
  })
}).annotate({
  title: "BuildStatus",
  description: "The progress of the build",
  examples: [
    {
      campaign_id: "01980f3f-6a9d-7e41-b5c2-0d8e7f3a1b64",
      overall: "building",
      stages: {
        target_audience: "ready",
        social_proof: "ready",
        lead_magnet: "ready",
        risk_reversal: "ready",
        value_proposition: "ready"
      }
    }
  ]
})
export type BuildStatus = typeof BuildStatus.Type
