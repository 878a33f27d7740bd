// layers/enrichment/Facts.ts: what a company's pages say of it, as statements that an email may rest on.
import { DateTime } from "effect"
import type { Fact } from "#layers/enrichment/Fact.ts"
import { isPlain } from "#layers/text/Plain.ts"
import { looksEnglish, sentences, words } from "#layers/text/Words.ts"
import type { Findings } from "#layers/research/Extract.ts"

/** Kept of a site. */
const mostFacts = 8
const longest = 300

/** Facts of a site, the most telling first. Whatever gives orders, holds markup or is not English says nothing. */
export const factsOf = (findings: Findings, source_url: string, at: DateTime.Utc): ReadonlyArray<Fact> => {
  const { business_description = "", city_region, core_products = [], credibility_markers = [] } = findings
  const said = [
    ...sentences(business_description.replace(/\s+/g, " ")),
    ...core_products.map(({ product }) => `Offers ${product}`),
    ...credibility_markers,
    ...(city_region === undefined ? [] : [`Based in ${city_region}`])
  ]
  return [...new Set(said.map((statement) => statement.trim()))]
    .filter(
      (statement) =>
        words(statement).length > 1 && statement.length <= longest && isPlain(statement) && looksEnglish(statement)
    )
    .slice(0, mostFacts)
    .map((statement) => ({ statement, source_url, found_at: DateTime.formatIso(at) }))
}
