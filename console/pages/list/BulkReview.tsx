// console/pages/list/BulkReview.tsx: the dialog that approves the open leads of a list or filter by a rule.
import { useRef, useState } from "preact/hooks"
import { Effect, Struct } from "effect"
import type { BulkReviewed, BulkReviewInput } from "#schema/Review.ts"
import { useRequest, useAction, useIdempotencyHeaders } from "#console/Requests.ts"
import type { Filter } from "#console/LeadOrder.ts"
import { ActionOrCancel } from "#console/parts/ActionButton.tsx"
import { Dialog } from "#console/parts/Dialog.tsx"
import { Form, RadioGroup, Checkbox } from "#console/parts/Fields.tsx"
import { severities } from "#console/parts/Findings.tsx"
import { suppressionListLabel, companyCheckLabel } from "#console/parts/Labels.ts"
import { ProblemNotice } from "#console/parts/Notices.tsx"
import { formatCount } from "#console/parts/Format.ts"
import { useSession } from "#console/Session.tsx"

/** The name of the dialog and of the button that opens it. */
export const bulkReviewLabel = "Approve several"

/** The worst finding that an approved lead may have. */
const approvalRules = [
  ["warn", `Nothing marked ${severities.fail}`],
  ["hint", `Nothing marked ${severities.fail} or ${severities.warn}`],
  ["none", "No finding at all"]
] as const
type ApprovalRule = (typeof approvalRules)[number][0]

const scopes = [
  ["filter", "Only leads that the filter shows"],
  ["list", "The whole list"]
] as const

type LeftOpen = Pick<BulkReviewed, "changed_since" | "failing" | "maybe" | "suppressed">

/** Says which leads a bulk approval did not include; empty if it included all. */
export const notApprovedText = ({ changed_since = 0, failing, maybe, suppressed }: LeftOpen) => {
  const left = [
    ...(failing > 0 ? [`${formatCount(failing, "lead")} with a finding marked ${severities.fail}`] : []),
    ...(suppressed > 0 ? [`${formatCount(suppressed, "lead")} on “${suppressionListLabel}”`] : []),
    ...(maybe > 0 ? [`${formatCount(maybe, "lead")} whose company may be one to leave out`] : [])
  ].join(", ")
  return [
    ...(left === "" ? [] : [`Not included: ${left}.`]),
    ...(changed_since > 0
      ? [
          `${formatCount(changed_since, "lead")} written or changed since you opened “${bulkReviewLabel}”; read ${changed_since === 1 ? "it" : "them"} first.`
        ]
      : [])
  ].join(" ")
}

interface Props {
  readonly list: string
  readonly filter: Filter
  /** Whether the company of an open lead of the list may be one to leave out. */
  readonly hasLeadsToCheck: boolean
  readonly onApproved: (done: BulkReviewed) => void
  readonly onClose: () => void
}

export const BulkReview = ({ filter, hasLeadsToCheck, list, onApproved, onClose }: Props) => {
  const { callApi } = useSession()
  const idempotencyHeaders = useIdempotencyHeaders()
  const shown = Struct.omit(filter, ["sort"])
  const isFiltered = Object.keys(shown).length > 0
  const [rule, setRule] = useState<ApprovalRule>("warn")
  const [scope, setScope] = useState<(typeof scopes)[number][0]>(isFiltered ? "filter" : "list")
  const [seen, setSeen] = useState(false)
  const where = { severity: rule, ...(seen ? { seen } : {}), ...(scope === "filter" ? { filter: shown } : {}) }
  const params = { id: list }
  /** When the leads were first counted, by the server's clock. Emails that change later are not approved unread. */
  const countedAt = useRef<string | undefined>(undefined)
  const payloadNow = (): BulkReviewInput => ({
    status: "approved",
    where: { ...where, ...(countedAt.current === undefined ? {} : { unchanged_since: countedAt.current }) }
  })
  const counting = useRequest(
    (api) =>
      Effect.tap(
        api.review.reviewLeads({ params, headers: {}, payload: { ...payloadNow(), dry_run: true } }),
        ({ at }) => Effect.sync(() => (countedAt.current ??= at))
      ),
    [list, where]
  )
  const counted = counting.state === "loaded" ? counting.value : undefined
  const left = counted === undefined ? "" : notApprovedText(counted)
  const approve = useAction(async () => {
    const payload = payloadNow()
    const done = await callApi((api) =>
      api.review.reviewLeads({ params, headers: idempotencyHeaders(payload), payload })
    )
    // The new count says why no lead was approved.
    if (done.changed === 0) return counting.reload()
    onApproved(done)
    onClose()
  })
  return (
    <Dialog title={bulkReviewLabel} onClose={onClose}>
      <Form onSubmit={approve.start}>
        {isFiltered && <RadioGroup label="Leads" value={scope} options={scopes} onChange={setScope} />}
        <RadioGroup label="Approve open leads with" value={rule} options={approvalRules} onChange={setRule} />
        <Checkbox
          label="Only leads that a person opened"
          checked={seen}
          onChange={setSeen}
          hint="You or a colleague opened the page of the lead. The page does not record who."
        />
        <p role="status">
          {counted === undefined ? (
            "Counting…"
          ) : (
            <>
              <strong>{formatCount(counted.changed, "lead")}</strong> will be approved.
              {left !== "" && ` ${left}`}
            </>
          )}
        </p>
        <p class="quiet">
          Leads with a finding marked {severities.fail} and leads on “{suppressionListLabel}” are never approved this
          way, and rejected leads stay rejected.
          {hasLeadsToCheck &&
            ` Leads marked “${companyCheckLabel}” are approved one by one, picked, or under the filter that shows them alone.`}
        </p>
        {counting.state === "refused" && <ProblemNotice problem={counting.problem} reload={counting.reload} />}
        {approve.problem && <ProblemNotice problem={approve.problem} />}
        <ActionOrCancel
          action={approve}
          busyLabel="Approving…"
          disabled={counted === undefined || counted.changed === 0}
          onCancel={onClose}
        >
          Approve
        </ActionOrCancel>
      </Form>
    </Dialog>
  )
}
