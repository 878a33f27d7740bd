// console/pages/lead/ApproveAnyway.tsx: confirms the approval of a lead whose emails have findings that must change.
import type { Finding } from "#schema/Findings.ts"
import type { Problem } from "#console/Api.ts"
import { useRequest } from "#console/Requests.ts"
import { worstFinding } from "#console/LeadOrder.ts"
import { ConfirmDialog } from "#console/parts/ConfirmDialog.tsx"
import { Dialog } from "#console/parts/Dialog.tsx"
import { FindingList, severities } from "#console/parts/Findings.tsx"
import { WhenLoaded } from "#console/parts/Notices.tsx"

interface CheckedEmail {
  readonly step: number
  readonly version: number
  readonly subject: string
  readonly body: string
  readonly findings: ReadonlyArray<Finding>
}

/** Whether the emails have a finding that blocks bulk approval. */
export const hasFailingFindings = (emails: ReadonlyArray<CheckedEmail>) => worstFinding(emails)?.severity === "fail"

interface Props {
  readonly name: string
  readonly emails: ReadonlyArray<CheckedEmail>
  readonly action: { readonly isBusy: boolean; readonly problem: Problem | undefined }
  /** With the emails that were shown. */
  readonly onApprove: (emails: ReadonlyArray<CheckedEmail>) => void
  readonly onClose: () => void
}

const FailingEmails = ({ emails }: Pick<Props, "emails">) =>
  emails.map(({ body, findings, step, subject }) => {
    const failing = findings.filter(({ severity }) => severity === "fail")
    return failing.length === 0 ? null : (
      <section key={step} class="findings">
        <h3>Email {step}</h3>
        <FindingList
          findings={failing}
          textOf={(place) => (place === "subject" ? subject : place === "body" ? body : "")}
        />
      </section>
    )
  })

export const ApproveAnyway = ({ action, emails, name, onApprove, onClose }: Props) => (
  <ConfirmDialog
    label={`${severities.fail} before you approve ${name}`}
    confirmLabel="Approve anyway"
    busyLabel="Approving…"
    question="Cancel to edit or rewrite. Approved as they are, these emails are exported with this text."
    action={{ ...action, start: () => onApprove(emails) }}
    onClose={onClose}
  >
    <FailingEmails emails={emails} />
  </ConfirmDialog>
)

/** `ApproveAnyway` for a lead in the table. Loads the emails from the list, because `getLead` would mark the lead as seen. */
export const ApproveListedAnyway = ({
  list,
  position,
  ...props
}: Omit<Props, "emails"> & { readonly list: string; readonly position: number }) => {
  const request = useRequest(
    (api) => api.lists.listLeads({ params: { id: list }, query: { limit: 1, offset: position - 1 } }),
    [list, position]
  )
  if (request.state === "loaded") return <ApproveAnyway {...props} emails={request.value.data[0]?.emails ?? []} />
  return (
    <Dialog title={`Approve ${props.name}`} onClose={props.onClose}>
      <WhenLoaded request={request} waiting="Looking for the findings…">
        {() => null}
      </WhenLoaded>
      <div class="actions">
        <button type="button" class="button" onClick={props.onClose}>
          Cancel
        </button>
      </div>
    </Dialog>
  )
}
