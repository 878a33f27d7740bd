// schema/Findings.ts: the checker's findings about an email, and the sources of its claims.
import { Schema } from "effect"

const Offset = Schema.NullOr(Schema.Int)

export const Finding = Schema.Struct({
  rule: Schema.String.annotate({ description: "The rule, such as `claim.number`" }),
  severity: Schema.Literals(["fail", "warn", "hint"]).annotate({
    description: "`fail` blocks an email, `warn` should be reviewed, `hint` is a matter of taste"
  }),
  place: Schema.Literals(["subject", "body", "sequence"]).annotate({ description: "Where the problem is" }),
  start: Offset.annotate({
    description: "Start of the text in question, in UTF-16 code units; null when the finding has no single place"
  }),
  end: Offset.annotate({ description: "End of that text, exclusive" }),
  message: Schema.String.annotate({ description: "What is wrong and how to fix it" }),
  suggestion: Schema.NullOr(Schema.String).annotate({ description: "Text to use instead, where there is one" })
}).annotate({
  title: "Finding",
  description: "Something the checker reports about an email",
  examples: [
    {
      rule: "template.leftover",
      severity: "fail",
      place: "body",
      start: 3,
      end: 13,
      message: "A placeholder was left in the text. Remove it or use a variable.",
      suggestion: null
    }
  ]
})
export type Finding = typeof Finding.Type

/** The source of a claim: its kind, its field or page, and the sentence. */
export const ClaimSource = Schema.Struct({
  from: Schema.Literals(["profile", "audience", "campaign", "lead", "remark", "research"]).annotate({
    description: "Who supplied it"
  }),
  at: Schema.String.annotate({ description: "The field or step, or the address of the page" }),
  text: Schema.String.annotate({ description: "The sentence that supports the claim" })
}).annotate({ title: "ClaimSource" })
export type ClaimSource = typeof ClaimSource.Type

export const Claim = Schema.Struct({
  sentence: Schema.String.annotate({ description: "A sentence that states a fact" }),
  start: Schema.Int.annotate({ description: "Where the sentence starts in the body, in UTF-16 code units" }),
  end: Schema.Int.annotate({ description: "Where it ends, exclusive" }),
  supported: Schema.NullOr(Schema.Boolean).annotate({
    description: "Whether one source supports the sentence; null when there is nothing to compare it with"
  }),
  sources: Schema.Array(ClaimSource).annotate({ description: "The sources found, best first" })
}).annotate({
  title: "Claim",
  description: "A factual sentence of an email and its sources",
  examples: [
    {
      sentence: "Huta Wolbrom cut unplanned stops from 19 to 4 a year.",
      start: 42,
      end: 95,
      supported: true,
      sources: [
        {
          from: "profile",
          at: "case_studies",
          text: "Huta Wolbrom cut unplanned stops from 19 to 4 a year"
        }
      ]
    }
  ]
})
export type Claim = typeof Claim.Type
