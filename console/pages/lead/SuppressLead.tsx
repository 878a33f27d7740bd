// console/pages/lead/SuppressLead.tsx: the menu of a lead, which puts its person or company on "Do not contact".
import { useState } from "preact/hooks"
import type { ReviewedLead } from "#schema/Review.ts"
import { isCompanyName, type SuppressionsAdded } from "#schema/Suppressions.ts"
import { AddedResult } from "#console/pages/suppressions/AddedResult.tsx"
import { ActionOrCancel } from "#console/parts/ActionButton.tsx"
import { Dialog } from "#console/parts/Dialog.tsx"
import { Form, FormTrouble, RadioGroup, TextInput } from "#console/parts/Fields.tsx"
import { doNotContact } from "#console/parts/Labels.ts"
import { Menu } from "#console/parts/Menu.tsx"
import { useAction, useIdempotencyKey } from "#console/Requests.ts"
import { useSession } from "#console/Session.tsx"

interface Props {
  readonly lead: ReviewedLead
  /** Called once the dialog of an added entry is closed. */
  readonly onAdded: () => void
}

const SuppressDialog = ({ lead, onAdded, onClose }: Props & { readonly onClose: () => void }) => {
  const { ask } = useSession()
  const once = useIdempotencyKey()
  const [kind, setKind] = useState<"address" | "company">("address")
  const [reason, setReason] = useState("")
  const [added, setAdded] = useState<SuppressionsAdded>()
  const add = useAction(async () => {
    const why = reason.trim() === "" ? {} : { reason: reason.trim() }
    const entry = kind === "company" && lead.company !== null ? { value: lead.company, kind } : { value: lead.email }
    const payload = { entries: [{ ...entry, ...why }] }
    setAdded(await ask((api) => api.suppressions.addSuppressions({ payload, headers: once(payload) })))
  })
  const close = () => {
    onClose()
    if (added !== undefined) onAdded()
  }
  if (added !== undefined) {
    return (
      <Dialog title={doNotContact} onClose={close}>
        <div role="status">
          <AddedResult result={added} areAddresses={kind === "address"} />
        </div>
        <div class="actions">
          <button type="button" class="button primary" onClick={close}>
            Close
          </button>
        </div>
      </Dialog>
    )
  }
  return (
    <Dialog title={doNotContact} onClose={close}>
      <Form onSubmit={add.start}>
        {lead.company !== null && isCompanyName(lead.company) ? (
          <RadioGroup
            label="Who"
            value={kind}
            options={[
              ["address", `This person: ${lead.email}`],
              ["company", `Everyone at ${lead.company}`]
            ]}
            onChange={setKind}
          />
        ) : (
          <p>{lead.email}</p>
        )}
        <TextInput
          label="Reason"
          hint="Optional, for your own records."
          value={reason}
          maxLength={500}
          onInput={setReason}
        />
        <p class="quiet">No list writes to them from now on, and no export for sending has them.</p>
        <FormTrouble problem={add.problem} fields={[]} />
        <ActionOrCancel kind="danger" doing={add} busy="Adding…" onCancel={close}>
          Add to the list
        </ActionOrCancel>
      </Form>
    </Dialog>
  )
}

export const SuppressLead = ({ lead, onAdded }: Props) => (
  <Menu
    label="More actions"
    items={[
      {
        label: doNotContact,
        isDanger: true,
        dialog: (close) => <SuppressDialog lead={lead} onAdded={onAdded} onClose={close} />
      }
    ]}
  />
)
