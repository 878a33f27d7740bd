// layers/knowledge/Playbook.ts: a campaign's playbook as a document for questions.
import { renderLabeledBullets } from "#layers/knowledge/LabeledBullets.ts"
import type { PlaybookContent } from "#layers/playbooks/Content.ts"
import { renderDocument, renderBullets, renderSection } from "#layers/text/Markdown.ts"
import { type MessagePart, messageParts } from "#schema/Playbook.ts"

const labels: { readonly [P in MessagePart]: string } = {
  what_we_do: "What we do",
  problem: "Problem",
  consequence: "Consequence",
  proof: "Proof",
  offer: "Offer",
  question: "Question"
}

const stepName = (step: number) => (step === 4 ? "closing email" : `email ${step}`)

export const playbookDocument = ({ never_say, personas }: PlaybookContent): string =>
  renderDocument(
    "Playbook",
    ...personas.map(({ message, name, titles }) =>
      renderSection(
        `Persona ${name}`,
        renderLabeledBullets([
          ["Job titles", titles.join(", ")],
          ...messageParts.map((part) => [labels[part], message[part]] as const)
        ])
      )
    ),
    renderSection(
      "Subject lines",
      renderBullets(
        personas.flatMap(({ name, templates }) =>
          templates.map(({ step, subject }) => `**${name}, ${stepName(step)}:** ${subject}`)
        )
      )
    ),
    renderSection("Phrases that no email may contain", renderBullets(never_say)),
    ...personas.flatMap(({ name, templates }) =>
      templates.map(({ body, step, subject, variant }) =>
        renderSection(
          `Template for ${name}, ${stepName(step)}${variant === 1 ? "" : `, variant ${variant}`}`,
          `**Subject:** ${subject}`,
          // Escapes "#", so that no line of an email becomes a heading.
          body.replace(/^#/gm, "\\#")
        )
      )
    )
  )
