// console/pages/campaign/emails/PersonaSettings.tsx: a persona's name and job titles, drafting its emails again, and deleting it.
import { useState } from "preact/hooks"
import type { Persona } from "#schema/Playbook.ts"
import { useAction, useIdempotencyHeaders } from "#console/Requests.ts"
import { useTextDraft } from "#console/Draft.ts"
import {
  type PlaybookEditor,
  groupFields,
  groupNames,
  splitLines
} from "#console/pages/campaign/emails/PlaybookEditor.ts"
import { SaveGroup } from "#console/pages/campaign/emails/SaveGroup.tsx"
import { ActionButton } from "#console/parts/ActionButton.tsx"
import { ConfirmButton } from "#console/parts/ConfirmDialog.tsx"
import { Form, FormTrouble, issueAt, TextInput } from "#console/parts/Fields.tsx"
import { useSession } from "#console/Session.tsx"

const titlesHint = "One on each line. Similar titles are recognised too."

interface Props {
  readonly campaign: string
  readonly editor: PlaybookEditor
  readonly persona: Persona
}

const Redraft = ({ editor, campaign, persona }: Props) => {
  const { callApi } = useSession()
  const idempotencyHeaders = useIdempotencyHeaders()
  const draft = useTextDraft(`redraft.${persona.id}`, "")
  const instruction = draft.value
  const [attempt, setAttempt] = useState(0)
  const redraft = useAction(async () => {
    const payload = {
      persona_id: persona.id,
      ...(instruction.trim() === "" ? {} : { instruction: instruction.trim() })
    }
    const started = await callApi((api) =>
      api.playbook.redraftPlaybook({
        params: { id: campaign },
        headers: idempotencyHeaders([payload, attempt]),
        payload
      })
    )
    setAttempt((round) => round + 1)
    draft.discard()
    for (;;) {
      const { status } = await callApi((api) => api.jobs.getJob({ params: { id: started.id } }))
      if (status === "completed" || status === "failed") break
      await new Promise((resolve) => setTimeout(resolve, 1000))
    }
    editor.reload()
  })
  return (
    <Form onSubmit={redraft.start}>
      <TextInput
        label="Instruction for a new draft"
        hint="Optional. Needs a model; the built-in writer cannot follow instructions. Edited templates are kept."
        rows={2}
        value={instruction}
        onInput={(text) => draft.set(() => text)}
        issue={issueAt(redraft.problem, "instruction")}
      />
      <FormTrouble problem={redraft.problem} fields={["instruction"]} />
      <ActionButton action={redraft} busyLabel="Drafting…">
        Draft again
      </ActionButton>
    </Form>
  )
}

export const PersonaSettings = ({ editor, campaign, persona }: Props) => {
  const { callApi } = useSession()
  const fields = groupFields(editor, groupNames.persona(persona.id))
  const isRole = persona.kind === "role"
  const remove = useAction(async () => {
    await callApi((api) => api.playbook.deletePersona({ params: { id: campaign, persona_id: persona.id } }))
    for (const name of [groupNames.persona(persona.id), groupNames.message(persona.id)]) editor.discard(name)
    for (const { id } of persona.templates) editor.discard(groupNames.template(id))
    editor.updatePlaybook((playbook) => ({
      ...playbook,
      personas: playbook.personas.filter(({ id }) => id !== persona.id)
    }))
    editor.reload()
  })
  return (
    <details class="more persona-settings">
      <summary>Edit name, job titles and draft</summary>
      <TextInput
        label="Name"
        value={fields.valueOf("name")}
        onInput={(text) => fields.set("name", text)}
        maxLength={100}
        issue={fields.issueOf("name")}
      />
      {isRole && (
        <TextInput
          label="Job titles"
          hint={titlesHint}
          rows={4}
          value={fields.valueOf("titles")}
          onInput={(text) => fields.set("titles", text)}
          issue={fields.issueOf("titles")}
        />
      )}
      <SaveGroup
        fields={fields}
        label="the persona"
        fieldLabels={[
          ["name", "Name"],
          ["titles", "Job titles"]
        ]}
        paths={["name", "titles"]}
      />
      <Redraft editor={editor} campaign={campaign} persona={persona} />
      {isRole && (
        <ConfirmButton
          label="Delete the persona"
          confirmLabel="Delete"
          question="Delete this persona with its message and templates? Its readers get the emails of another persona."
          busyLabel="Deleting…"
          action={remove}
        />
      )}
    </details>
  )
}

interface AddProps extends Omit<Props, "persona"> {
  readonly onAdded: (id: string) => void
  readonly onClose: () => void
}

export const AddPersona = ({ editor, campaign, onAdded, onClose }: AddProps) => {
  const { callApi } = useSession()
  const idempotencyHeaders = useIdempotencyHeaders()
  const draft = useTextDraft(`persona.${campaign}`, "")
  const name = draft.value
  const draftTitles = useTextDraft(`persona-titles.${campaign}`, "")
  const titles = draftTitles.value
  const add = useAction(async () => {
    const payload = { name: name.trim(), titles: splitLines(titles) }
    const persona = await callApi((api) =>
      api.playbook.createPersona({ params: { id: campaign }, headers: idempotencyHeaders(payload), payload })
    )
    editor.updatePlaybook((playbook) => ({
      ...playbook,
      personas: [
        ...playbook.personas.filter(({ kind }) => kind === "role"),
        persona,
        ...playbook.personas.filter(({ kind }) => kind !== "role")
      ]
    }))
    editor.reload()
    draft.discard()
    draftTitles.discard()
    onAdded(persona.id)
  })
  return (
    <Form class="form panel add-persona" onSubmit={add.start}>
      <TextInput
        label="Name of the persona"
        hint="Such as Maintenance or Finance."
        value={name}
        onInput={(text) => draft.set(() => text)}
        maxLength={100}
        issue={issueAt(add.problem, "name")}
        required
      />
      <TextInput
        label="Job titles of the persona"
        hint={titlesHint}
        rows={4}
        value={titles}
        onInput={(text) => draftTitles.set(() => text)}
        issue={add.problem?.issues.find(({ path }) => path.startsWith("titles"))?.message}
      />
      <FormTrouble
        problem={add.problem}
        fields={[
          "name",
          ...(add.problem?.issues.map(({ path }) => path).filter((path) => path.startsWith("titles")) ?? [])
        ]}
      />
      <div class="actions">
        <ActionButton kind="primary" action={add} busyLabel="Adding…">
          Add the persona
        </ActionButton>
        <button
          type="button"
          class="button"
          onClick={() => {
            draft.discard()
            draftTitles.discard()
            onClose()
          }}
        >
          Cancel
        </button>
      </div>
    </Form>
  )
}
