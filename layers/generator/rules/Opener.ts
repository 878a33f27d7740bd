// layers/generator/rules/Opener.ts: the rules of how an email starts and whom it is about.
import { memoize } from "effect/Function"
import { roleWords } from "#layers/generator/RoleWords.ts"
import type { LeadFacts } from "#layers/generator/rules/LeadFacts.ts"
import type { Case, Rule } from "#layers/generator/rules/Rule.ts"
import { ofSentence } from "#layers/text/Prose.ts"
import { numbersIn } from "#layers/text/Specifics.ts"
import { stem } from "#layers/text/Words.ts"

const cliche =
  /\b(?:i noticed|i saw (?:that|your)|i came across|came across your|i (?:just )?stumbled|hope (?:this|you|your|all|everything)\b[^.]{0,30}\b(?:finds?|well|great|good)|i wanted to reach out|just reaching out|i(?:'m| am) reaching out|reaching out (?:to|because|about)|congrat\w*|given your role|as (?:the|a) (?:leader|professional) in|love what you|impressed by|i(?:'ve| have) been following|my name is|allow me to introduce|i'll (?:be|keep it) (?:brief|short)|in today's|in the ever|fast[- ]paced)\b/i

const event =
  /^(?:your (?:recent|new|latest)|after your|with your (?:recent|new)|since you (?:just|recently)|now that you|you (?:just|recently)|i read (?:about|that|your)|(?:the )?news (?:of|about)|last (?:week|month)'s)\b/i

const tracking =
  /\b(?:you (?:opened|clicked|visited|viewed|downloaded)|your (?:visit|click)|saw you (?:on|were)|opened my|visited our (?:site|website|page)|we track|i can see (?:that )?you|noticed you (?:opened|visited|clicked))\b/i

/** Text of the opening paragraph, or of the first sentence where there is only one paragraph. */
const opening = ({ email }: Case) => {
  const first = email.prose.paragraphs[0] ?? []
  return email.prose.paragraphs.length > 1 ? first : first.slice(0, 1)
}

/** Its words as written, without a possessive. */
const cased = ofSentence(({ words }): ReadonlySet<string> => new Set(words.map((word) => word.replace(/'s?$/, ""))))

/** How often a sentence speaks of the reader, and how often of its writer. */
const persons = ofSentence(({ lower }) => ({
  theirs: lower.filter((word) => /^(?:you|your|yours|yourself)(?:'\w+)?$/.test(word)).length,
  ours: lower.filter((word) => /^(?:i|me|my|mine|we|us|our|ours)(?:'\w+)?$/.test(word)).length
}))

/** The stems of the words that the lead's company is called by. */
const stemsOf = memoize(({ companyWords }: LeadFacts): ReadonlySet<string> => new Set([...companyWords].map(stem)))

export const opener: ReadonlyArray<Rule> = [
  {
    id: "O1",
    severity: "fail",
    applies_to: "body",
    instruction:
      'Start without a set phrase: no "I noticed", "I came across", "I hope this finds you well", "I wanted to reach out", congratulations, "given your role" or "love what you".',
    weight: { part: "situation", cost: 15 },
    check: ({ email }) => {
      const found = cliche.exec(email.text)?.[0]
      if (found !== undefined)
        return {
          message: `"${found}" stands in every cold email: say what the matter means for the reader.`,
          text: found
        }
    }
  },
  {
    id: "O2",
    severity: "warn",
    applies_to: "body",
    instruction: "Open with what an event means for the reader's work, not with the event.",
    weight: { part: "situation", cost: 8 },
    check: ({ email }) => {
      const found = event.exec(email.text)?.[0]
      if (found !== undefined)
        return { message: "It opens on the event: open on what it means for the reader.", text: found }
    }
  },
  {
    id: "O3",
    severity: "warn",
    applies_to: "body",
    instruction: "Let the opening and the value belong together: they share a word that matters.",
    weight: { part: "situation", cost: 5 },
    check: (subject) => {
      const { paragraphs } = subject.email.prose
      const first = opening(subject)
      const rest = paragraphs.length > 1 ? paragraphs.slice(1).flat() : (paragraphs[0] ?? []).slice(1)
      if (rest.every((later) => first.every(({ contents }) => contents.isDisjointFrom(later.contents)))) {
        return { message: "The opening could be left out: tie it to the value by what it speaks of." }
      }
    }
  },
  {
    id: "P1",
    severity: "warn",
    applies_to: "body",
    instruction:
      "Say at least one thing that fits this reader beyond name and company: their role's view of it, or a fact you were given.",
    weight: { part: "personal", cost: 8 },
    check: ({ email, campaign, lead }) => {
      const ofRole = roleWords[lead.role]
      // The company's own name may hold a word of its trade.
      const named = stemsOf(lead)
      for (const { contents } of email.prose.sentences)
        for (const token of contents)
          if (!named.has(token) && (ofRole.has(token) || campaign.audience.has(token))) return undefined
      for (const word of lead.titleWords) if (word.length > 3 && email.tokens.has(word)) return undefined
      if (ofRole.size === 0 && campaign.audience.size === 0) return undefined
      return { message: "Nothing in it is about this reader's work: name what their role would care about." }
    }
  },
  {
    id: "P2",
    severity: "warn",
    applies_to: "body",
    instruction: 'Write "you" more often than "I" and "we".',
    weight: { part: "situation", cost: 5 },
    check: ({ email }) => {
      let theirs = 0
      let ours = 0
      for (const sentence of email.prose.sentences) {
        const said = persons(sentence)
        theirs += said.theirs
        ours += said.ours
      }
      if (theirs <= ours)
        return { message: `It says "you" ${theirs} times and "we" or "I" ${ours} times: turn it round.` }
    }
  },
  {
    id: "P3",
    severity: "warn",
    applies_to: "body",
    instruction: "Never hint that the reader was watched: no opens, clicks or visits.",
    weight: { part: "personal", cost: 12 },
    check: ({ email }) => {
      const found = tracking.exec(email.text)?.[0]
      if (found !== undefined)
        return { message: `"${found}" tells the reader they are watched: take it out.`, text: found }
    }
  },
  {
    id: "P4",
    severity: "warn",
    applies_to: "body",
    instruction:
      "Bring one proof, a number or a name out of the workspace, and not two. The last email of a sequence can do without.",
    weight: { part: "value", cost: 8 },
    check: ({ count, earlier, email, campaign, step }) => {
      if (campaign.proofs.length === 0) return undefined
      const numbers = numbersIn(email.text)
      const said = (token: string) =>
        /^\d/.test(token)
          ? numbers.includes(token)
          : email.prose.sentences.some((sentence) => cased(sentence).has(token))
      const claimed = new Set<string>()
      let brought = 0
      for (const proof of campaign.proofs) {
        // Two proofs that share a number are not both brought by it.
        const fresh = [...proof].filter((token) => said(token) && !claimed.has(token))
        if (fresh.length === 0) continue
        brought++
        for (const token of proof) claimed.add(token)
      }
      if (brought > 1) return { message: "It brings more than one proof: keep the one nearest to this reader." }
      // Who has one proof cannot bring a new one each time.
      const left = campaign.proofs.some(
        (proof) =>
          ![...proof].some((token) =>
            earlier.some((before) => before.prose.sentences.some((sentence) => cased(sentence).has(token)))
          )
      )
      if (left && brought === 0 && (step === 1 || step < count))
        return { message: "It brings no proof: add one number or name from the workspace." }
    }
  }
]
