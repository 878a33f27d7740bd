// console/pages/campaign/emails/Settings.tsx: what holds for all emails of a campaign: phrases to avoid, and personalization.
import { useState } from "preact/hooks"
import type { Personalization, Playbook } from "#schema/Playbook.ts"
import { type Problem, problemOf } from "#console/Api.ts"
import { type Book, fieldsOf, group } from "#console/pages/campaign/emails/Book.ts"
import { SaveGroup } from "#console/pages/campaign/emails/SaveGroup.tsx"
import { OneOf, Text } from "#console/parts/Fields.tsx"
import { Trouble } from "#console/parts/Notices.tsx"
import { Section } from "#console/parts/Page.tsx"
import { useSession } from "#console/Session.tsx"

const meanings: ReadonlyArray<readonly [Personalization, string]> = [
  ["template", "Fill in the templates"],
  ["adapted", "Adapt to each lead"]
]

interface Props {
  readonly campaign: string
  readonly book: Book
  readonly playbook: Playbook
}

export const Settings = ({ book, campaign, playbook }: Props) => {
  const { ask } = useSession()
  const fields = fieldsOf(book, group.settings)
  const [problem, setProblem] = useState<Problem>()
  const personalize = (personalization: Personalization) => {
    setProblem(undefined)
    book.change((playbook) => ({ ...playbook, personalization }))
    ask((api) => api.playbook.updatePlaybook({ params: { id: campaign }, payload: { personalization } })).then(
      (next) => book.change(() => next),
      (error: unknown) => {
        setProblem(problemOf(error))
        book.change((now) => ({ ...now, personalization: playbook.personalization }))
      }
    )
  }
  return (
    <Section title="All emails">
      <div class="two">
        <div>
          <Text
            label="Never say"
            hint="Phrases that no email may contain, one on each line."
            rows={3}
            value={fields.valueOf("never_say")}
            onInput={(text) => fields.set("never_say", text)}
            issue={fields.issueOf("never_say")}
          />
          <SaveGroup fields={fields} what="the phrases" names={[["never_say", "Never say"]]} paths={["never_say"]} />
        </div>
        <div>
          <OneOf label="Personalization" value={playbook.personalization} options={meanings} onChange={personalize} />
          <p class="hint">“Adapt to each lead” needs a model. Without one, both fill in the templates.</p>
          {problem && <Trouble problem={problem} />}
        </div>
      </div>
    </Section>
  )
}
