// test/support/judged-email.ts: an email as a writer returns it, for tests that care about one of its fields.
import type { JudgedEmail } from "#layers/Generator.ts"

/** An email without findings, with the given fields in place of the default ones. */
export const judgedEmail = (fields: Partial<JudgedEmail> & Pick<JudgedEmail, "subject" | "body">): JudgedEmail => ({
  score: null,
  findings: [],
  claims: [],
  template_id: null,
  persona_id: null,
  ...fields
})
