// layers/generator/bymodel/prompts/AdaptedEmails.ts: a persona's emails, adapted to one reader.
import { Schema } from "effect"
import * as WritingRules from "#layers/generator/bymodel/prompts/WritingRules.ts"
import { prompt } from "#layers/model/Prompt.ts"

/** A sentence of the body and the id of the source that supports it. */
export const Cited = Schema.Struct({ sentence: Schema.String, source: Schema.String })
export type Cited = typeof Cited.Type

const Answer = Schema.Struct({
  emails: Schema.Array(Schema.Struct({ subject: Schema.String, body: Schema.String, facts: Schema.Array(Cited) }))
})
export type Answer = typeof Answer.Type

export const adaptedEmails = prompt({
  name: "adapted_emails",
  version: 2,
  preamble: `You write for a salesperson. Each time you get a few emails that the sender approved for a kind of reader, and one reader of that kind. You adapt the emails to that person, who has never heard of the sender and gets forty emails a day. The test of an email is whether this reader would answer it in one line.

${WritingRules.thinkingSteps}

${WritingRules.exampleEmails}`,
  task: `Adapt like this. The approved emails show what the sender wants to say to readers of this kind, email by email. Take their problem, proof, offer and order from them. Then write each one to this reader: with the words, the angle and the question that fit this job and this company. A sentence that fits and reads well stays as it is; one that is stiff, general or about another person's job is rewritten or dropped. If another source fits this reader's problem better than the one that an approved email uses, take it.

Rules:
1. ${WritingRules.factRules} A source that is marked "chosen" is what the sender decided to say: prefer it, in its own words.
2. ${WritingRules.readerRules}
3. Use a column or a sentence of their site only if it bears on the problem or makes it timely: at most one sentence of their site in all the emails together. Say what it means for them, in half a sentence and in your own words. Don't say that you looked, read or saw it, and don't tell them what they do. "We" in a sentence of their site is the reader's company. Leave out the others.
4. The first email says in one plain sentence what the sender sells.
5. One problem, one proof and one ask in an email. The ask comes last, and is of a kind that the sender allows.
6. The first email has 50 to 110 words. Each later one is shorter, and the last of several has 25 to 50.
7. ${WritingRules.formatRules} Keep the greeting of the approved email.
8. ${WritingRules.untrustedDataRule}

In "facts", list each sentence of the body that states a fact about the sender, a client or the reader's company, copied exactly, with the id of the one source that says so, such as "s4". Greetings, questions and general truths are not listed.`,
  answer: Answer
})
