// layers/generator/bymodel/prompts/Documents.ts: the four documents that a model writes, as statements with their
// sources.
import { Schema } from "effect"
import * as WritingRules from "#layers/generator/bymodel/prompts/WritingRules.ts"
import { prompt } from "#layers/model/Prompt.ts"

export const kinds = ["stated", "inferred", "question"] as const

const Document = Schema.Struct({
  sections: Schema.Array(
    Schema.Struct({
      heading: Schema.String,
      statements: Schema.Array(
        Schema.Struct({
          text: Schema.String,
          kind: Schema.Literals(kinds),
          sources: Schema.Array(Schema.String)
        })
      )
    })
  )
})
export type Document = typeof Document.Type

const preamble = `You are an experienced salesperson. A colleague is about to write cold emails for the business that the sources describe. You read the sources for them and write down what helps.`

const repetitionRule = "Your colleague has read the sources: repeating them is no help."

const form = `Write sections, each with a heading of two to five words and a few statements. A statement is one or two plain sentences about one thing. There are three kinds:
- stated: a source says it. Say it shorter than the source does.
- inferred: the sources do not say it, and it follows from them and from what everybody knows about such work. Say what follows, and from what. How a competitor works, what something costs or what a client did never follows: only a source can say it.
- question: the sources leave it open, and the answer would change the emails. Ask the owner of the business, and say what would change: "Which client's result may you name? Then each email can carry proof instead of a promise."

sources: the ids of the sources that the statement rests on, such as ["s3", "s7"]. A number, a name or an amount stands in your statement only if it stands in those sources, exactly so. A question lists the sources that made you ask, or none.

Say each thing once, in plain English and without Markdown. Say less rather than something that fits every business.

${WritingRules.untrustedDataRule}`

const document = (name: string, task: string) =>
  prompt({ name, version: 2, preamble, task: `${task}\n\n${form}`, answer: Document })

export const documentPrompts = {
  companySummary: document(
    "company_summary",
    `Write a summary of the business. Your colleague has not read the sources yet. In this order, where they say it: what the business does and how, what it sells and for how much, whom it serves, what clients put up with before, what changes for them, what proves it, what sets it apart, what makes buyers hesitate and what to answer, what it guarantees and gives away. At most 20 statements, nearly all of them stated. End with up to five questions.`
  ),
  marketResearch: document(
    "market_research",
    `Write about the market as the buyers live in it. ${repetitionRule} Think of the day on which one of them decides to look for help. Who feels the problem, who pays for it, and are they the same person? Which of the problems costs them most, and what do they do about it today? What must have happened before they look? Which alternative is the hardest to beat, and where does it fail? What would make a sensible buyer say no? Answer what the sources let you answer: 6 to 12 statements, most of them inferred. End with three to six questions.`
  ),
  audienceResearch: document(
    "target_audience_research",
    `Write about the one segment that the sources with the label "segment" describe, for emails to these people alone. ${repetitionRule} What does each of the job titles answer for, and which problem would make that person reply? Which two or three problems are theirs, and which ones of the sources are not? Which result would convince them, and which one would not, because it is about another kind of company? What is the easiest thing to offer them first? What will they object? 6 to 12 statements, most of them inferred. End with two to five questions about this segment.`
  ),
  emailInstructions: document(
    "email_instructions",
    `Write the instructions for the emails of one campaign. The sources that are marked "chosen" are what the owner decided to say: build on them. Say which problem to open with for which job title; the promise in one plain sentence; which proof belongs beside which problem, and which proof to leave out where; when to make the offer; which words of the trade these readers use; and what must not be said, because no source supports it. At most 10 statements. Length and form of the emails are settled elsewhere, and no example email is wanted. Ask a question only where a choice contradicts a source.`
  )
}
