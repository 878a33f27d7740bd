// console/pages/list/BulkReview.tsx: the dialog that approves the open leads of a list by a rule.
import { useState } from "preact/hooks"
import { Effect } from "effect"
import type { BulkReviewed } from "#schema/Review.ts"
import { useRequest, useAction, useIdempotencyKey } from "#console/Requests.ts"
import { countLeads } from "#console/pages/list/Counts.ts"
import { ActionOrCancel } from "#console/parts/ActionButton.tsx"
import { Dialog } from "#console/parts/Dialog.tsx"
import { Form, RadioGroup, Checkbox } from "#console/parts/Fields.tsx"
import { severities } from "#console/parts/Findings.tsx"
import { ProblemNotice } from "#console/parts/Notices.tsx"
import { countOf } from "#console/parts/Format.ts"
import { useSession } from "#console/Session.tsx"

/** The most serious finding that a lead may have. */
const approvalRules = [
  ["warn", `Nothing marked ${severities.fail}`],
  ["hint", `Nothing marked ${severities.fail} or ${severities.warn}`],
  ["none", "No finding at all"]
] as const
type ApprovalRule = (typeof approvalRules)[number][0]

/** Open leads by their worst finding. */
const useOpenCount = (list: string) =>
  useRequest(
    (api) => {
      const open = (severity: ApprovalRule | "fail") =>
        countLeads(api, list, { status: "completed", review: "open", severity })
      return Effect.all({ none: open("none"), hint: open("hint"), warn: open("warn"), fail: open("fail") })
    },
    [list]
  )

const includedSeverities: Readonly<Record<ApprovalRule, ReadonlyArray<ApprovalRule>>> = {
  none: ["none"],
  hint: ["none", "hint"],
  warn: ["none", "hint", "warn"]
}

interface Props {
  readonly list: string
  readonly onApproved: (done: BulkReviewed) => void
  readonly onClose: () => void
}

export const BulkReview = ({ list, onApproved, onClose }: Props) => {
  const { ask } = useSession()
  const once = useIdempotencyKey()
  const [rule, setRule] = useState<ApprovalRule>("warn")
  const [seen, setSeen] = useState(false)
  const asked = useOpenCount(list)
  const open = asked.state === "there" ? asked.value : undefined
  const matching = open && includedSeverities[rule].reduce((sum, severity) => sum + open[severity], 0)
  const approve = useAction(async () => {
    const where = { severity: rule, ...(seen ? { seen } : {}) }
    const payload = { status: "approved" as const, where }
    onApproved(await ask((api) => api.review.reviewLeads({ params: { id: list }, headers: once(payload), payload })))
    onClose()
  })
  return (
    <Dialog title="Approve several" onClose={onClose}>
      <Form onSubmit={approve.start}>
        <RadioGroup label="Approve open leads" value={rule} options={approvalRules} onChange={setRule} />
        <Checkbox
          label="Only leads that a person opened"
          checked={seen}
          onChange={setSeen}
          hint="You or a colleague opened the page of the lead. The page does not record who."
        />
        <p role="status">
          {matching === undefined ? (
            "Counting…"
          ) : (
            <>
              <strong>{`${seen ? "At most " : ""}${countOf(matching, "lead")}`}</strong> will be approved
              {seen ? ": those of them that a person opened." : "."}
            </>
          )}
        </p>
        <p class="quiet">
          Leads with a finding marked {severities.fail} are never approved this way
          {open !== undefined && open.fail > 0 ? ` (${countOf(open.fail, "open lead")})` : ""}, and rejected leads stay
          rejected. The rule is about the whole list, whatever is filtered.
        </p>
        {approve.problem && <ProblemNotice problem={approve.problem} />}
        <ActionOrCancel doing={approve} busy="Approving…" disabled={matching === 0} onCancel={onClose}>
          Approve
        </ActionOrCancel>
      </Form>
    </Dialog>
  )
}
