// console/pages/campaign/build/AddOwn.tsx: adds an entry to the profile, and makes the options again so that it is one of them.
import { useState } from "preact/hooks"
import type { AssetOption, WorkspaceAssetType } from "#schema/Assets.ts"
import type { listFields } from "#schema/Details.ts"
import { Problem } from "#console/Api.ts"
import { settledJob, useDoing } from "#console/Asking.ts"
import { useUnsaved } from "#console/Leaving.ts"
import { Act } from "#console/parts/Act.tsx"
import { Dialog, DialogButton } from "#console/parts/Dialog.tsx"
import { Form, FormTrouble, issueAt, Text } from "#console/parts/Fields.tsx"
import { profileLabels } from "#console/parts/Labels.ts"
import { useSession } from "#console/Session.tsx"

type ListField = (typeof listFields)[number]

/** The field of the profile that the options of a step come from. */
const fieldOf: Readonly<Record<WorkspaceAssetType, ListField>> = {
  social_proof: "case_studies",
  lead_magnet: "lead_magnets",
  risk_reversal: "guarantee"
}

const hints: Readonly<Record<WorkspaceAssetType, string>> = {
  social_proof: "One sentence: what you achieved, for whom, with figures.",
  lead_magnet: "One sentence: what the reader gets, and when.",
  risk_reversal: "One sentence: what you promise, and on what condition."
}

interface Props {
  readonly id: string
  readonly type: WorkspaceAssetType
  /** Gets the options with the new one among them. */
  readonly onAdded: (options: ReadonlyArray<AssetOption>, text: string) => void
}

const AddForm = ({ id, onAdded, onClose, type }: Props & { readonly onClose: () => void }) => {
  const { ask } = useSession()
  const field = fieldOf[type]
  const [text, setText] = useState("")
  useUnsaved("own option", text.trim() === "" ? 0 : 1)
  const add = useDoing(async () => {
    const line = text.trim().replaceAll(/\s*\n\s*/g, " ")
    if (line === "") throw new Problem("BAD_REQUEST", "", { issues: [{ path: field, message: "is empty" }] })
    const { details } = await ask((api) => api.workspace.getWorkspace())
    const before = details[field] ?? []
    // A second try after a failed regeneration adds no second line.
    if (!before.includes(line)) {
      await ask((api) => api.workspace.updateDetails({ payload: { [field]: [...before, line] } }))
    }
    const job = await ask((api) => api.workspace.regenerate())
    const { error } = await ask(settledJob(job.id))
    if (error !== null) throw new Problem("REGENERATE_FAILED", error)
    const { options } = await ask((api) => api.build.listAssetOptions({ params: { id, type } }))
    onAdded(options, line)
    onClose()
  })
  return (
    <Dialog title="Add your own" onClose={onClose}>
      <Form onSubmit={add.start}>
        <Text
          label={profileLabels[field]}
          hint={hints[type]}
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
        <div class="actions">
          <Act kind="primary" doing={add} busy="Adding…">
            Add
          </Act>
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </Form>
    </Dialog>
  )
}

export const AddOwn = (props: Props) => (
  <DialogButton label="Add your own">{(close) => <AddForm {...props} onClose={close} />}</DialogButton>
)
