// console/pages/campaign/build/AddEntry.tsx: adds an entry to the profile, then regenerates the options so that they include it.
import { useState } from "preact/hooks"
import type { AssetOption, WorkspaceAssetType } from "#schema/Assets.ts"
import type { listFields } from "#schema/Details.ts"
import { Problem } from "#console/Api.ts"
import { pollJobUntilDone, useAction } from "#console/Requests.ts"
import { useUnsaved } from "#console/UnsavedChanges.ts"
import { ActionOrCancel } from "#console/parts/ActionButton.tsx"
import { Dialog, DialogButton } from "#console/parts/Dialog.tsx"
import { Form, FormTrouble, issueAt, TextInput } from "#console/parts/Fields.tsx"
import { profileLabels } from "#console/parts/Labels.ts"
import { useSession } from "#console/Session.tsx"

type ListField = (typeof listFields)[number]

/** The field of the profile that the options of a step come from. */
const assetField: Readonly<Record<WorkspaceAssetType, ListField>> = {
  social_proof: "case_studies",
  lead_magnet: "lead_magnets",
  risk_reversal: "guarantee"
}

const fieldHints: Readonly<Record<WorkspaceAssetType, string>> = {
  social_proof: "One sentence: what you achieved, for whom, with figures.",
  lead_magnet: "One sentence: what the reader gets, and when.",
  risk_reversal: "One sentence: what you promise, and on what condition."
}

interface Props {
  readonly id: string
  readonly type: WorkspaceAssetType
  /** Receives the regenerated options, including the new one. */
  readonly onAdded: (options: ReadonlyArray<AssetOption>, text: string) => void
}

const AddEntryForm = ({ id, onAdded, onClose, type }: Props & { readonly onClose: () => void }) => {
  const { callApi } = useSession()
  const field = assetField[type]
  const [text, setText] = useState("")
  useUnsaved("own option", text.trim() === "" ? 0 : 1)
  const add = useAction(async () => {
    const line = text.trim().replaceAll(/\s*\n\s*/g, " ")
    if (line === "") throw new Problem("BAD_REQUEST", "", { issues: [{ path: field, message: "is empty" }] })
    const { details } = await callApi((api) => api.workspace.getWorkspace())
    const before = details[field] ?? []
    // Skips the entry if an earlier attempt added it before the regeneration failed.
    if (!before.includes(line)) {
      await callApi((api) => api.workspace.updateDetails({ payload: { [field]: [...before, line] } }))
    }
    const job = await callApi((api) => api.workspace.regenerate())
    const { error } = await callApi(pollJobUntilDone(job.id))
    if (error !== null) throw new Problem("REGENERATE_FAILED", error)
    const { options } = await callApi((api) => api.build.listAssetOptions({ params: { id, type } }))
    onAdded(options, line)
    onClose()
  })
  return (
    <Dialog title="Add your own" onClose={onClose}>
      <Form onSubmit={add.start}>
        <TextInput
          label={profileLabels[field]}
          hint={fieldHints[type]}
          rows={3}
          value={text}
          onInput={setText}
          issue={issueAt(add.problem, field)}
          required
        />
        <p class="hint">
          Saved in the profile under “{profileLabels[field]}”. The workspace's documents and options are then
          regenerated, which takes a moment, with a model a minute.
        </p>
        <FormTrouble problem={add.problem} fields={[field]} />
        <ActionOrCancel action={add} busyLabel="Adding…" onCancel={onClose}>
          Add
        </ActionOrCancel>
      </Form>
    </Dialog>
  )
}

export const AddEntry = (props: Props) => (
  <DialogButton label="Add your own">{(close) => <AddEntryForm {...props} onClose={close} />}</DialogButton>
)
