// console/pages/campaign/emails/Settings.tsx: settings for all emails of a campaign: forbidden phrases and personalization.
import { useState } from "preact/hooks"
import type { Personalization, Playbook } from "#schema/Playbook.ts"
import { type Problem, toProblem } from "#console/Api.ts"
import { type PlaybookEditor, groupFields, groupNames } from "#console/pages/campaign/emails/PlaybookEditor.ts"
import { SaveGroup } from "#console/pages/campaign/emails/SaveGroup.tsx"
import { RadioGroup, TextInput } from "#console/parts/Fields.tsx"
import { ProblemNotice } from "#console/parts/Notices.tsx"
import { Section } from "#console/parts/Page.tsx"
import { useSession } from "#console/Session.tsx"

const meanings: ReadonlyArray<readonly [Personalization, string]> = [
  ["template", "Fill in the templates"],
  ["adapted", "Adapt to each lead"]
]

interface Props {
  readonly campaign: string
  readonly editor: PlaybookEditor
  readonly playbook: Playbook
}

export const Settings = ({ editor, campaign, playbook }: Props) => {
  const { callApi } = useSession()
  const fields = groupFields(editor, groupNames.settings)
  const [problem, setProblem] = useState<Problem>()
  const personalize = (personalization: Personalization) => {
    setProblem(undefined)
    editor.updatePlaybook((playbook) => ({ ...playbook, personalization }))
    callApi((api) => api.playbook.updatePlaybook({ params: { id: campaign }, payload: { personalization } })).then(
      (next) => editor.updatePlaybook(() => next),
      (error: unknown) => {
        setProblem(toProblem(error))
        editor.updatePlaybook((now) => ({ ...now, personalization: playbook.personalization }))
      }
    )
  }
  return (
    <Section title="All emails">
      <div class="two">
        <div>
          <TextInput
            label="Never say"
            hint="Phrases that no email may contain, one on each line."
            rows={3}
            value={fields.valueOf("never_say")}
            onInput={(text) => fields.set("never_say", text)}
            issue={fields.issueOf("never_say")}
          />
          <SaveGroup
            fields={fields}
            label="the phrases"
            fieldLabels={[["never_say", "Never say"]]}
            paths={["never_say"]}
          />
        </div>
        <div>
          <RadioGroup
            label="Personalization"
            value={playbook.personalization}
            options={meanings}
            onChange={personalize}
          />
          <p class="hint">“Adapt to each lead” needs a model. Without one, both fill in the templates.</p>
          {problem && <ProblemNotice problem={problem} />}
        </div>
      </div>
    </Section>
  )
}
