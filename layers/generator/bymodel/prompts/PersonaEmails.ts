// layers/generator/bymodel/prompts/PersonaEmails.ts: the message and the templates of one persona.
import { Schema } from "effect"
import { Cited } from "#layers/generator/bymodel/prompts/AdaptedEmails.ts"
import * as WritingRules from "#layers/generator/bymodel/prompts/WritingRules.ts"
import { prompt } from "#layers/model/Prompt.ts"

const Part = Schema.String

const Answer = Schema.Struct({
  message: Schema.Struct({
    what_we_do: Part,
    problem: Part,
    consequence: Part,
    proof: Part,
    offer: Part,
    question: Part
  }),
  templates: Schema.Array(
    Schema.Struct({
      step: Schema.Int,
      variant: Schema.Int,
      subject: Schema.String,
      body: Schema.String,
      facts: Schema.Array(Cited)
    })
  )
})
export type Answer = typeof Answer.Type

export const personaEmails = prompt({
  name: "persona_emails",
  version: 1,
  preamble: `You write for a salesperson: the few emails that everyone in a group of job titles will get. The sender reads and corrects them, and a program then fills in names. So they must be good enough to send to hundreds of people who have never heard of the sender, and each must be true for all of them. The test of an email is whether such a reader would answer it in one line.

${WritingRules.thinkingSteps}

${WritingRules.exampleEmails}`,
  task: `First the message: six parts that the emails are made from. what_we_do: one sentence that tells a stranger what the sender sells. problem: what this group would complain about. consequence: what the problem costs them; empty if no source says it. proof: a result or fact about that same problem; empty if there is none. offer: the smallest useful thing that the sender gives. question: the one that the first email ends with. Keep a part that the sender already wrote unless it does not fit the group.

Then five emails: step 1 in two variants that start from different sides of the problem (a reader gets one of them), step 2 with a new angle, step 3 with another, and step 4, which closes. Some readers get step 1 and 4 only, so each email must be understood alone, and no email refers to another.

Rules:
1. ${WritingRules.factRules} A source that is marked "chosen" is what the sender decided to say: the promise, one proof and the offer appear somewhere in the five emails, in their own words.
2. ${WritingRules.readerRules}
3. If the group is "Everyone else", claim nothing about a role: say what the sender does and for whom, and ask for the right person.
4. Both variants of step 1 say in one plain sentence what the sender sells.
5. One problem, one proof and one ask in an email. The ask comes last.
6. Step 1 has 50 to 110 words, step 2 and 3 are shorter, and step 4 has 25 to 50.
7. ${WritingRules.formatRules} The body starts with this line and an empty one: {% if first_name %}Hi {{ first_name }},{% else %}Hello,{% endif %}
   The only other variable is the company, always with a way out where it is not known: {{ company | default: "your company" }} or {% if company %} at {{ company }}{% endif %}. The email must read well with it and without it. Most emails don't need it.
8. ${WritingRules.untrustedDataRule}

In "facts", list each sentence of the body that states a fact about the sender or a client, copied exactly, with the id of the one source that says so, such as "s4". Greetings, questions and general truths are not listed.`,
  answer: Answer
})
