// test/support/judged.ts: an email as a writer answers it, for tests that are about one of its fields.
import type { Judged } from "#layers/Generator.ts"

/** An email without findings, with the given fields in place of the default ones. */
export const judged = (fields: Partial<Judged> & Pick<Judged, "subject" | "body">): Judged => ({
  score: null,
  findings: [],
  claims: [],
  template_id: null,
  persona_id: null,
  ...fields
})
