// test/support/model-answers.ts: a valid answer to every prompt about one business, for tests that are not about the answer.
import { jsonAnswer, type ModelRequest, type Reply, usage } from "./model.ts"
import { noDetails, type Details } from "#schema/Details.ts"
import hollowell from "../fixtures/hollowell.json" with { type: "json" }

export const profile: Details = { ...noDetails, ...hollowell }

const firstEmail = {
  subject: "Your maintenance team's week",
  body: "Hello,\n\nIt happens more than you'd think: most plants lose a quarter or more of their compressed air through leaks nobody hears over the machines. Then it's your maintenance crew that gets called out.\n\nCarrick Castings switched off its second compressor at weekends and cancelled a GBP 70,000 order for a third compressor. We find and fix compressed air leaks in factories.\n\nDoes your maintenance team run into this too?"
}
const secondEmail = {
  subject: "Something for your maintenance team",
  body: "Hi,\n\nHere's a second thing your maintenance team may run into: pressure drops at the far end of the line stop machines.\n\nA compressor maker's survey tends to end in a quote for a compressor. Millbrook Bakery saved GBP 48,000 of electricity in the first year, after 211 leaks were tagged in two days.\n\nWould a second option help your maintenance team?"
}
const lastEmail = {
  subject: "My last note",
  body: "Hi,\n\nThis is my last note on this.\n\nIf leaks come up one day, a reply to this email is enough, and we'll take it from there.\n\nIs there a better time to ask you?"
}

/** Emails without checker findings, for any reader. */
export const emails = (count: number) =>
  [[firstEmail], [firstEmail, lastEmail], [firstEmail, secondEmail, lastEmail]][count - 1] ?? []

const greeting = "{% if first_name %}Hi {{ first_name }},{% else %}Hello,{% endif %}"
const template = (step: number, variant: number, subject: string, body: string) => ({
  step,
  variant,
  subject,
  body: `${greeting}\n\n${body}`,
  facts: []
})

/** Templates without checker findings. */
export const templates = [
  template(
    1,
    1,
    "Air that leaks",
    "A leak that nobody hears runs all weekend, and the compressor runs with it.\n\nWe find and fix compressed air leaks in factories.\n\nCarrick Castings switched off its second compressor at weekends.\n\nWho looks after your compressors?"
  ),
  template(
    1,
    2,
    "The second compressor",
    "Carrick Castings switched off its second compressor at weekends.\n\nWe find and fix compressed air leaks in factories, and that's all we do for them.\n\nHow many compressors do you run at weekends?"
  ),
  template(
    2,
    1,
    "A weekend in the plant",
    "Stand in the hall on a Sunday and listen. What you hear is money.\n\nHow quiet is yours?"
  ),
  template(
    3,
    1,
    "One line to listen to",
    "If you pick one line to start with, pick the one that runs at night.\n\nWhich one would it be?"
  ),
  template(
    4,
    1,
    "My last note",
    "This is my last email about air leaks. If they're a colleague's job, a name is all I need.\n\nWho should I ask?"
  )
]

/** Cites, for each sentence, the source in the prompt that contains it. */
const factsOf = (body: string, user: string) =>
  [...user.matchAll(/^([sr]\d+) \[[^\]]*\] (.+)$/gm)].flatMap(([, source = "", text = ""]) =>
    body.split(/(?<=[.!?])\s+/).flatMap((sentence) => (text.includes(sentence) ? [{ sentence, source }] : []))
  )

/** The ids of the sources that contain a text. */
const sourceOf = (user: string, text: string) =>
  [...user.matchAll(/^(s\d+) \[[^\]]*\] (.+)$/gm)].flatMap(([, id = "", sourceText = ""]) =>
    sourceText.includes(text) ? [id] : []
  )

const document =
  (heading: string) =>
  ({ user }: Pick<ModelRequest, "user">) => ({
    sections: [
      {
        heading,
        statements: [
          {
            text: "Hollowell Air finds and fixes compressed air leaks in factories.",
            kind: "stated",
            sources: sourceOf(user, "We find and fix compressed air leaks")
          },
          {
            text: "A compressor that can rest at weekends is the result to name.",
            kind: "inferred",
            sources: sourceOf(user, "Carrick Castings switched off")
          },
          {
            text: "Which plant may you name next? Then each email can carry proof instead of a promise.",
            kind: "question",
            sources: []
          }
        ]
      }
    ]
  })

const segment = (segment_name: string) => ({
  segment_name,
  industry_vertical: "Factories",
  company_size: "",
  annual_revenue: "",
  geographic_location: "United Kingdom",
  decision_makers: ["Maintenance Manager", "Plant Manager"],
  additional_details: "They lose compressed air through leaks.",
  sentence: profile.target_job_titles ?? ""
})

const option = (name: string, description: string) => ({
  name,
  description,
  sentence: profile.business_description ?? ""
})

const person = (first_name: string, last_name: string, company: string) => ({
  first_name,
  last_name,
  title: "Maintenance Manager",
  company,
  industry: "Packaging",
  company_size: "80 employees",
  location: "Leeds"
})

const answers: Readonly<Record<string, (request: Pick<ModelRequest, "user">) => unknown>> = {
  company_summary: document("What it does"),
  market_research: document("Who buys"),
  target_audience_research: document("Who they are"),
  email_instructions: document("What to open with"),
  segments: () => ({
    segments: [segment("Maintenance managers"), segment("Plant managers"), segment("Operations directors")]
  }),
  social_proof_options: () => ({
    options: [option("A second compressor off", "Carrick Castings switched off its second compressor at weekends.")]
  }),
  lead_magnet_options: () => ({
    options: [option("What leaks cost", "A one-page table of what air leaks cost a year at your own tariff.")]
  }),
  risk_reversal_options: () => ({
    options: [
      option(
        "Survey pays for itself",
        "If the leaks we tag are worth less than the survey costs in a year, the survey is free."
      )
    ]
  }),
  value_proposition_options: () => ({
    options: [
      option("Quiet weekends", "Your compressors stop running for an empty factory."),
      option("Leaks fixed on the day", "The engineer who finds the leak carries the fittings to fix it."),
      option("A figure every week", "You see what the air really costs.")
    ]
  }),
  synthetic_leads: () => ({
    leads: [
      person("Ada", "Moor", "Fenwick Packaging"),
      person("Ben", "Nash", "Tarrow Foods"),
      person("Cleo", "Odd", "Larkhill Castings"),
      person("Dan", "Pell", "Brightwell Works"),
      person("Eve", "Quill", "Stonebeck Cartons")
    ]
  }),
  persona_emails: () => ({
    message: {
      what_we_do: "We find and fix compressed air leaks in factories.",
      problem: "Most plants lose a quarter or more of their compressed air through leaks.",
      consequence: "",
      proof: "Carrick Castings switched off its second compressor at weekends.",
      offer: "",
      question: "Who looks after your compressors?"
    },
    templates
  }),
  adapted_emails: ({ user }) => ({
    emails: emails(Number(/Adapt these (\d) emails/.exec(user)?.[1] ?? 1)).map((email) => ({
      ...email,
      facts: factsOf(email.body, user)
    }))
  }),
  claim_check: ({ user }) => ({
    verdicts: [...user.matchAll(/^(\d+)\. Claim: /gm)].map(([, claim]) => ({ claim: Number(claim), supported: true }))
  }),
  chat: () => ({ answer: "Carrick Castings switched off its second compressor.", sources: [1], answered: true }),
  document_extraction: () => ({
    facts: [
      { field: "business_description", value: "We mend pumps.", price: "", sentence: "We mend pumps." },
      { field: "competitors", value: "Pumpwell", price: "", sentence: "Pumpwell and we." }
    ]
  })
}

/** The answer to a prompt of this name. */
export const answerOf = (kind: string, user: string) => {
  const answer = answers[kind]
  if (answer === undefined) throw new Error(`No answer for the prompt ${kind}`)
  return answer({ user })
}

export const modelAnswers: Reply = ({ kind, user }) => jsonAnswer(answerOf(kind ?? "", user), { usage })
