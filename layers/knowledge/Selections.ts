// layers/knowledge/Selections.ts: a campaign's selections as a document for questions.
import { renderDocument, renderBullets, renderSection } from "#layers/text/Markdown.ts"
import { renderLabeledBullets } from "#layers/knowledge/LabeledBullets.ts"
import type { AssetType, Selection } from "#schema/Assets.ts"
import type { Segment } from "#schema/Audiences.ts"

const noneChosen = "None chosen"

const renderSelection = (selection: Selection | null) =>
  selection === null || selection.items.length === 0
    ? renderBullets([noneChosen])
    : renderBullets([
        ...selection.items.map(({ description, name }) => (description.trim() === "" ? name : description)),
        ...((selection.additional_details ?? "").trim() === "" ? [] : [`**Remark:** ${selection.additional_details}`])
      ])

export const renderSelections = (
  audience: Segment | null,
  selectionByType: Readonly<Record<AssetType, Selection | null>>
): string =>
  renderDocument(
    "Selections",
    audience === null
      ? []
      : renderSection(
          "Chosen target audience",
          renderLabeledBullets([
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
    renderSection("Chosen value proposition", renderSelection(selectionByType.value_proposition)),
    renderSection("Chosen proof", renderSelection(selectionByType.social_proof)),
    renderSection("Chosen lead magnet", renderSelection(selectionByType.lead_magnet)),
    renderSection("Chosen risk reversal", renderSelection(selectionByType.risk_reversal))
  )
