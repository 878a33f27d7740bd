// layers/generator/rules/Compliance.ts: what the law asks of the sender. Reported, never held against the text.
import type { Rule } from "#layers/generator/rules/Rule.ts"
import { saysOptOut } from "#layers/generator/rules/View.ts"
import { isConsumer } from "#layers/text/Addresses.ts"

const publicBody = /(?:\.|@)(?:gov|mil|edu|ac|gouv|gob|gov\.[a-z]{2})(?:\.[a-z]{2})?$/i
const postal = /\b\d{4,6}\b|\b[A-Z]{1,2}\d{1,2}[A-Z]? ?\d[A-Z]{2}\b|\b\d{2}-\d{3}\b/
const none = { part: "ask", cost: 0 } as const

export const compliance: ReadonlyArray<Rule> = [
  {
    id: "K1",
    severity: "warn",
    applies_to: "body",
    instruction: "The signature, or else the workspace, gives a postal address.",
    weight: none,
    check: ({ email, campaign, step }) => {
      if (step === 1 && !campaign.address && !postal.test(email.whole)) {
        return { message: "There is no postal address: add one to the signature or to the workspace." }
      }
    }
  },
  {
    id: "K2",
    severity: "warn",
    applies_to: "body",
    instruction: "Where the workspace asks for it, the email says how to opt out.",
    weight: none,
    check: ({ email, optOut }) => {
      if (optOut && !saysOptOut(email.whole)) return { message: "Say in a sentence how the reader can opt out." }
    }
  },
  {
    id: "K3",
    severity: "warn",
    applies_to: "sequence",
    instruction: "Write to people at companies: consumer addresses and .gov, .mil and .edu ones need a second thought.",
    weight: none,
    check: ({ lead, step }) => {
      if (step !== 1) return undefined
      const domain = lead.email.slice(lead.email.indexOf("@"))
      if (isConsumer(domain)) return { message: "This is a consumer address: write to one of the company." }
      if (publicBody.test(domain))
        return { message: "This is an address of a public body: check that you may write to it." }
    }
  }
]
