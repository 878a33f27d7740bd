// test/support/writer.ts: a fake writer whose texts repeat its input, for tests that are not about the texts.
import { Effect, Layer } from "effect"
import { hash } from "#layers/text/Hash.ts"
import { Generator } from "#layers/Generator.ts"
import type { DraftedPersona, PersonaOutline } from "#layers/generator/playbook/PlaybookSnapshot.ts"
import { noMessage } from "#schema/Playbook.ts"

const segment = (segment_name: string) => ({
  segment_name,
  industry_vertical: "Pumps",
  company_size: "",
  annual_revenue: "",
  geographic_location: "",
  decision_makers: "Plant directors",
  additional_details: null
})

/** Invented words, different for each seed. */
export const pseudoWords = (seed: string) =>
  Array.from({ length: 16 }, (_, at) => hash(`${seed}:${at}`).toString(36).replace(/\d/g, "x")).join(" ")

/** One template for each step, containing the persona's problem. */
const drafted = (outline: PersonaOutline): DraftedPersona => ({
  ...outline,
  missing: outline.message.proof === null ? [{ part: "proof", message: "Supply a result" }] : [],
  templates: [1, 2, 3, 4].map((step) => ({
    step,
    variant: 1,
    subject: `Step ${step}`,
    body: `Hi {{ first_name | default: "there" }},\n\n${outline.message.problem ?? "Who looks after this?"}`
  }))
})

const option = (name: string) => ({ name, description: `${name}, described` })

export const fakeWriter: Generator["Service"] = {
  companySummary: ({ company_name }) => Effect.succeed(`# ${company_name}`),
  marketResearch: () => Effect.succeed("# The market"),
  segments: () => Effect.succeed([segment("Mines"), segment("Quarries"), segment("Wastewater plants")]),
  options: (_, type) => Effect.succeed([option(`${type} one`), option(`${type} two`)]),
  audienceResearch: (_, { segment_name }) => Effect.succeed(`# ${segment_name}`),
  valuePropositions: () => Effect.succeed([option("Save time"), option("Save money"), option("Sleep well")]),
  emailInstructions: () => Effect.succeed("# Write well"),
  knowledgeBase: () => Effect.succeed("# All we know"),
  playbook: ({ audience }) =>
    Effect.succeed([
      drafted({
        name: audience.segment_name,
        kind: "role",
        titles: ["Plant Director"],
        message: { ...noMessage, problem: "Pumps stop the line." }
      }),
      drafted({ name: "Everyone else", kind: "everyone_else", titles: [], message: noMessage })
    ]),
  templates: (_, outline) => Effect.succeed(drafted(outline)),
  syntheticLeads: (_, count) =>
    Effect.succeed(
      Array.from({ length: count }, (_, i) => ({
        email: `lead${i}@north.example`,
        first_name: "Ann",
        last_name: `Lee ${i}`,
        title: "Plant director",
        company: `North ${i}`,
        linkedin_url: `https://linkedin.example/in/lead${i}`,
        company_website: "https://www.north.example",
        industry: "Pumps",
        company_size: "50 employees",
        location: "Leeds"
      }))
    ),
  sequence: ({ email_count, lead }) =>
    Effect.succeed(
      Array.from({ length: email_count }, (_, i) => ({
        // Leads without a name get different words, or the checker would report that all leads get the same email.
        subject: `subject ${i + 1}${lead.name == null ? ` of ${pseudoWords(lead.email).slice(0, 12)}` : ""}`,
        body: `Hello ${lead.name ?? pseudoWords(lead.email)}, this is email ${i + 1}.`,
        score: null,
        findings: [],
        claims: [],
        template_id: null,
        persona_id: null
      }))
    )
}

export const layer = Layer.succeed(Generator, fakeWriter)
