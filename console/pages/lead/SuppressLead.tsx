// console/pages/lead/SuppressLead.tsx: the menu that adds a lead or its company to the suppression list.
import { useState } from "preact/hooks"
import type { ReviewedLead } from "#schema/Review.ts"
import { isCompanyName, type SuppressionsAdded } from "#schema/Suppressions.ts"
import { AddedResult } from "#console/pages/suppressions/AddedResult.tsx"
import { ActionOrCancel } from "#console/parts/ActionButton.tsx"
import { Dialog } from "#console/parts/Dialog.tsx"
import { Form, FormTrouble, RadioGroup, TextInput } from "#console/parts/Fields.tsx"
import { suppressionListLabel } from "#console/parts/Labels.ts"
import { Menu } from "#console/parts/Menu.tsx"
import { useAction, useIdempotencyHeaders } from "#console/Requests.ts"
import { useSession } from "#console/Session.tsx"

interface Props {
  readonly lead: ReviewedLead
  /** Called when the dialog closes after an entry was added. */
  readonly onAdded: () => void
}

const SuppressDialog = ({ lead, onAdded, onClose }: Props & { readonly onClose: () => void }) => {
  const { callApi } = useSession()
  const idempotencyHeaders = useIdempotencyHeaders()
  const [kind, setKind] = useState<"address" | "company">("address")
  const [reason, setReason] = useState("")
  const [added, setAdded] = useState<SuppressionsAdded>()
  const add = useAction(async () => {
    const why = reason.trim() === "" ? {} : { reason: reason.trim() }
    const entry = kind === "company" && lead.company !== null ? { value: lead.company, kind } : { value: lead.email }
    const payload = { entries: [{ ...entry, ...why }] }
    setAdded(
      await callApi((api) => api.suppressions.addSuppressions({ payload, headers: idempotencyHeaders(payload) }))
    )
  })
  const close = () => {
    onClose()
    if (added !== undefined) onAdded()
  }
  if (added !== undefined) {
    return (
      <Dialog title={suppressionListLabel} onClose={close}>
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
    <Dialog title={suppressionListLabel} onClose={close}>
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
        <ActionOrCancel kind="danger" action={add} busyLabel="Adding…" onCancel={close}>
          Add to {suppressionListLabel}
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
        label: suppressionListLabel,
        isDanger: true,
        dialog: (close) => <SuppressDialog lead={lead} onAdded={onAdded} onClose={close} />
      }
    ]}
  />
)
