// layers/lists/Written.ts: what became of a lead, and how its row holds it.
import type { Fact } from "#layers/enrichment/Fact.ts"
import type * as Generator from "#layers/Generator.ts"
import type { Sequence } from "#schema/Lead.ts"

/** The emails as they are sent, what the checker says of each and what it rests on, and what was found. */
export interface Written {
  readonly sequence: Sequence
  readonly judged: ReadonlyArray<Generator.Judged & { readonly sources: ReadonlyArray<Generator.Grounded> }>
  readonly facts: ReadonlyArray<Fact>
}

export const columnsOf = ({ facts, judged, sequence }: Written) => ({
  sequence: JSON.stringify(sequence),
  emails: sequence.length,
  score: Math.min(...judged.map((email) => email.score)),
  facts: facts.length === 0 ? null : JSON.stringify(facts),
  findings: JSON.stringify(judged.map(({ findings, score, sources }) => ({ score, findings, sources })))
})
