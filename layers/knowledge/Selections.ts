// layers/knowledge/Selections.ts: a campaign's selections as a document for questions.
import { renderDocument, renderBullets, renderSection } from "#layers/text/Markdown.ts"
import { labelled } from "#layers/knowledge/LabeledBullets.ts"
import type { AssetType, Selection } from "#schema/Assets.ts"
import type { Segment } from "#schema/Audiences.ts"

const noneChosen = "None chosen"

const choice = (chosen: Selection | null) =>
  chosen === null || chosen.items.length === 0
    ? renderBullets([noneChosen])
    : renderBullets([
        ...chosen.items.map(({ description, name }) => (description.trim() === "" ? name : description)),
        ...((chosen.additional_details ?? "").trim() === "" ? [] : [`**Remark:** ${chosen.additional_details}`])
      ])

export const selections = (audience: Segment | null, chosen: Readonly<Record<AssetType, Selection | null>>): string =>
  renderDocument(
    "Selections",
    audience === null
      ? []
      : renderSection(
          "Chosen target audience",
          labelled([
            ["Segment", audience.segment_name],
            ["Industry", audience.industry_vertical],
            ["Company size", audience.company_size],
            ["Annual revenue", audience.annual_revenue],
            ["Where", audience.geographic_location],
            [
              "Decision makers",
              typeof audience.decision_makers === "string"
                ? audience.decision_makers
                : audience.decision_makers.join(", ")
            ]
          ]),
          audience.additional_details
        ),
    renderSection("Chosen value proposition", choice(chosen.value_proposition)),
    renderSection("Chosen proof", choice(chosen.social_proof)),
    renderSection("Chosen lead magnet", choice(chosen.lead_magnet)),
    renderSection("Chosen risk reversal", choice(chosen.risk_reversal))
  )
