// console/pages/campaign/emails/PersonaMessage.tsx: the six sentences that a persona's emails are drafted from.
import { type MessagePart, messageParts, type Persona } from "#schema/Playbook.ts"
import { type PlaybookEditor, groupFields, groupNames } from "#console/pages/campaign/emails/PlaybookEditor.ts"
import { SaveGroup } from "#console/pages/campaign/emails/SaveGroup.tsx"
import { TextInput } from "#console/parts/Fields.tsx"
import { StateNotice } from "#console/parts/Notices.tsx"
import { Section } from "#console/parts/Page.tsx"

const parts: Readonly<Record<MessagePart, readonly [label: string, hint: string]>> = {
  what_we_do: ["What we do", "One sentence that tells a stranger what you sell. A second one may say how it works."],
  problem: ["Problem", "One full sentence: what goes wrong in these readers' week, in their words."],
  consequence: ["Consequence", "What the problem costs them. Optional."],
  proof: ["Proof", "A result or fact about the same problem, as a full sentence."],
  offer: ["Offer", "The smallest useful thing you can offer, as a full sentence."],
  question: ["Question", "Ends the first email. Five words can answer it, and what it is about becomes the subject."]
}

interface Props {
  readonly editor: PlaybookEditor
  readonly persona: Persona
}

export const PersonaMessage = ({ editor, persona }: Props) => {
  const fields = groupFields(editor, groupNames.message(persona.id))
  const missing = editor.playbook?.missing.filter(({ persona_id }) => persona_id === persona.id) ?? []
  return (
    <Section
      title="Message"
      lead="Six sentences that the templates below are drafted from. Save a change, and templates that you have not edited change with it."
    >
      <div class="message-parts">
        {messageParts.map((part) => {
          const [label, hint] = parts[part]
          const missingPart =
            fields.valueOf(part) === fields.savedValueOf(part) ? missing.find((each) => each.part === part) : undefined
          return (
            <div key={part} class={missingPart === undefined ? "" : "missing"}>
              <TextInput
                label={label}
                hint={
                  missingPart === undefined ? (
                    hint
                  ) : (
                    <>
                      <StateNotice state={[fields.valueOf(part).trim() === "" ? "Missing" : "Improve", "busy"]} />{" "}
                      {missingPart.message}
                    </>
                  )
                }
                rows={2}
                value={fields.valueOf(part)}
                issue={fields.issueOf(`message.${part}`)}
                onInput={(text) => fields.set(part, text)}
              />
            </div>
          )
        })}
      </div>
      <SaveGroup
        fields={fields}
        label="the message"
        fieldLabels={messageParts.map((part) => [part, parts[part][0]] as const)}
        paths={messageParts.map((part) => `message.${part}`)}
      />
    </Section>
  )
}
