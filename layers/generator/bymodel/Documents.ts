// layers/generator/bymodel/Documents.ts: what becomes of a document that a model writes.
import type { Document } from "#layers/generator/bymodel/prompts/Document.ts"
import type { Judgement } from "#layers/Model.ts"
import { visible } from "#layers/model/Fence.ts"
import { faultsOf, type Known, strangers, supported } from "#layers/model/Known.ts"
import { document, list, section } from "#layers/text/Markdown.ts"

const most = { sections: 20, points: 40, text: 4000, heading: 120 }

/** Keeps what the material supports, under this title; a document of which little is left is none. */
export const judge =
  (title: string, source: Known) =>
  ({ sections }: Document): Judgement<string> => {
    const lines = sections.slice(0, most.sections).map(({ heading, points, text }) => ({
      heading: visible(heading, most.heading)
        .replace(/\s+/g, " ")
        .replace(/^[#\s]+/, ""),
      text: visible(text, most.text),
      points: points.slice(0, most.points).map((point) => visible(point, most.text))
    }))
    const found = lines.flatMap(({ points, text }) => [text, ...points].flatMap((each) => strangers(each, source)))
    const kept = lines.flatMap(({ heading, points, text }) => {
      const left = points.map((point) => supported(point, source)).filter((point) => point !== "")
      return section(
        // In lower case: headings have capitals that are no names.
        strangers(heading.toLowerCase(), source).length === 0 ? heading : "Also",
        supported(text, source),
        list(left)
      )
    })
    return {
      value: kept.length === 0 ? undefined : document(title, kept),
      worth: -found.length,
      passes: found.length === 0 && kept.length > 0 ? 0 : 2,
      faults: kept.length === 0 ? ["It says nothing that the material says."] : faultsOf(found),
      error: "The model's document says nothing that the profile does"
    }
  }
