// layers/generator/bymodel/prompts/Sequence.ts: the emails to one lead, by the rules of the checker.
import { Schema } from "effect"
import { instructions, writersRules } from "#layers/generator/Rules.ts"
import { prompt } from "#layers/model/Prompt.ts"

export const sequence = prompt({
  name: "sequence",
  version: 1,
  task: `Write a sequence of cold emails from the business in the profile to one reader. The campaign's choices and its instructions say what to write about; the plan says for each email its angle and what it asks for; remarks of the sender are to be followed as far as the rules allow.

Each email: first what the matter means for this reader in their role, then what changes, with one proof out of the material, then one easy ask as its last sentence. Write as one person types to another: short words, short sentences, contractions.

subject: one line. body: plain text; a greeting line, an empty line, then two to four short paragraphs with an empty line between them. Of what was found on their site use one fact at most: say what it means for them, never that you looked. Greet with greet_as, or with a greeting without a name where that is not given. Write no signature and no closing line: they are added.

Every email is checked against these rules. One that breaks a rule marked (must) is thrown away.

${instructions(writersRules)}`,
  answer: Schema.Struct({
    emails: Schema.Array(Schema.Struct({ subject: Schema.String, body: Schema.String }))
  })
})
