// layers/generator/bymodel/Segments.ts: checks the segments that a model proposes.
import type { Segments } from "#layers/generator/bymodel/prompts/Segments.ts"
import { proposals } from "#layers/generator/bymodel/Proposals.ts"
import { line, passage } from "#layers/generator/bymodel/Typed.ts"
import { type SourceFacts, standsIn, unsupportedClaims, supported } from "#layers/model/SourceFacts.ts"
import type { Segment } from "#schema/Audiences.ts"

export const judge =
  (source: SourceFacts, least: number, fallback: () => ReadonlyArray<Segment>) =>
  ({ segments }: Segments) => {
    const fact = (text: string) => (unsupportedClaims(text, source).length === 0 ? line(text) : "")
    const proposed = segments.map((segment) => {
      const item: Segment = {
        segment_name: fact(segment.segment_name),
        industry_vertical: fact(segment.industry_vertical),
        company_size: fact(segment.company_size),
        annual_revenue: fact(segment.annual_revenue),
        geographic_location: fact(segment.geographic_location),
        decision_makers: segment.decision_makers.map(fact).filter((who) => who !== ""),
        additional_details: supported(passage(segment.additional_details), source) || null
      }
      const found = Object.values(segment)
        .flat()
        .flatMap((text) => unsupportedClaims(text, source))
      const isNamed = standsIn(segment.sentence, source)
      return {
        item: item.segment_name === "" || !isNamed ? undefined : item,
        found: isNamed ? found : [...found, segment.sentence]
      }
    })
    return proposals(proposed, ({ segment_name }) => segment_name, least, fallback)
  }
