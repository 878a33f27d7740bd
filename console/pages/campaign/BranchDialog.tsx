// console/pages/campaign/BranchDialog.tsx: copies a campaign up to a step, from which the choices are made again.
import { useState } from "preact/hooks"
import { useAction, useIdempotencyHeaders } from "#console/Requests.ts"
import { setUnsaved, useUnsaved } from "#console/UnsavedChanges.ts"
import { ActionOrCancel } from "#console/parts/ActionButton.tsx"
import { Dialog } from "#console/parts/Dialog.tsx"
import { Form, FormTrouble, issueAt, SelectInput, TextInput } from "#console/parts/Fields.tsx"
import { navigate } from "#console/Route.ts"
import { useSession } from "#console/Session.tsx"

const steps = [
  ["social-proof", "Social proof"],
  ["lead-magnets", "Lead magnet"],
  ["risk-reversal", "Risk reversal"],
  ["value-propositions", "Value propositions"]
] as const
type BranchStep = (typeof steps)[number][0]

interface Props {
  readonly id: string
  readonly name: string
  readonly onClose: () => void
}

export const BranchDialog = ({ id, name, onClose }: Props) => {
  const { callApi } = useSession()
  const usual = `${name}, second try`.slice(0, 200)
  const [title, setTitle] = useState(usual)
  useUnsaved("branch", title === usual ? 0 : 1)
  const [from, setFrom] = useState<BranchStep>("value-propositions")
  const idempotencyHeaders = useIdempotencyHeaders()
  const branch = useAction(async () => {
    const copy = await callApi((api) =>
      api.campaigns.branchCampaign({
        params: { id },
        headers: idempotencyHeaders([title, from]),
        payload: { name: title.trim(), branch_from_step: from }
      })
    )
    setUnsaved("branch", 0)
    navigate("campaigns", copy.id, "build")
  })
  return (
    <Dialog title="Copy the campaign" onClose={onClose}>
      <Form onSubmit={branch.start}>
        <TextInput
          label="Name of the copy"
          value={title}
          onInput={setTitle}
          maxLength={200}
          issue={issueAt(branch.problem, "name")}
          required
        />
        <SelectInput
          label="First step to choose again"
          hint="The steps before it are copied. It counts as a campaign build of the plan."
          value={from}
          options={steps}
          onChange={setFrom}
        />
        <FormTrouble problem={branch.problem} fields={["name"]} />
        <ActionOrCancel action={branch} busyLabel="Copying…" onCancel={onClose}>
          Make the copy
        </ActionOrCancel>
      </Form>
    </Dialog>
  )
}
