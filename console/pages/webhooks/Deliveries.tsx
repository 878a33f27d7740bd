// console/pages/webhooks/Deliveries.tsx: the deliveries of a webhook with the receiver's answers, and resending an event.
import { useState } from "preact/hooks"
import type { Delivery, DeliveryStatus } from "#schema/Webhooks.ts"
import { useAction, useRequest } from "#console/Requests.ts"
import { ActionButton } from "#console/parts/ActionButton.tsx"
import { SelectInput } from "#console/parts/Fields.tsx"
import { formatCount, formatMoment, type Tone } from "#console/parts/Format.ts"
import { EmptyNotice, ProblemNotice, StateNotice, WhenLoaded } from "#console/parts/Notices.tsx"
import { Section } from "#console/parts/Page.tsx"
import { Pager } from "#console/parts/Pager.tsx"
import { RequireScope } from "#console/parts/RequireScope.tsx"
import { useSession } from "#console/Session.tsx"

const pageSize = 20

/** Milliseconds until a page with pending deliveries is requested again. */
const refreshMillis = 2000

const states = {
  pending: ["Waiting", "busy"],
  delivered: ["Delivered", "good"],
  failed: ["Failed", "bad"]
} as const satisfies Record<DeliveryStatus, readonly [string, Tone]>

const filters: ReadonlyArray<readonly [DeliveryStatus | "", string]> = [
  ["", "All deliveries"],
  ["pending", "Waiting to be sent or tried again"],
  ["delivered", "Delivered"],
  ["failed", "Failed"]
]

/** Describes the attempts so far. */
const outcomeOf = ({ attempts, error, next_attempt_at, response_code }: Delivery) =>
  [
    attempts === 0 ? "Not sent yet" : formatCount(attempts, "attempt"),
    response_code === null ? undefined : `status ${response_code}`,
    error ?? undefined,
    next_attempt_at === null || attempts === 0 ? undefined : `next attempt ${formatMoment(next_attempt_at)}`
  ]
    .filter((part) => part !== undefined)
    .join("; ")

const DeliveryRow = ({ reload, delivery }: { readonly delivery: Delivery; readonly reload: () => void }) => {
  const { callApi } = useSession()
  const resend = useAction(async () => {
    const params = { id: delivery.webhook_id, delivery_id: delivery.id }
    await callApi((api) => api.webhooks.resendWebhookDelivery({ params, headers: {} }))
    reload()
  })
  return (
    <li class="row">
      <span class="entry">
        <span class="strong">{delivery.type}</span> <code>{delivery.event_id}</code>
        <span class="entry-reason">{outcomeOf(delivery)}</span>
        {delivery.response !== null && delivery.response !== "" && (
          <details>
            <summary>
              Answer<span class="unseen"> to {delivery.event_id}</span>
            </summary>
            <pre class="answer" tabIndex={0}>
              {delivery.response}
            </pre>
          </details>
        )}
        {resend.problem && <ProblemNotice problem={resend.problem} />}
      </span>
      <span class="row-end">
        <StateNotice state={states[delivery.status]} />
        <span class="quiet">{formatMoment(delivery.created_at)}</span>
        <RequireScope scope="workspace:write">
          <ActionButton action={resend} busyLabel="Resending…" onClick={resend.start}>
            Resend<span class="unseen"> {delivery.event_id}</span>
          </ActionButton>
        </RequireScope>
      </span>
    </li>
  )
}

/** A new `refreshKey` reloads the deliveries after another event was sent. */
export const Deliveries = ({ refreshKey, webhook }: { readonly webhook: string; readonly refreshKey: number }) => {
  const [status, setStatus] = useState<DeliveryStatus | "">("")
  const [offset, setOffset] = useState(0)
  const request = useRequest(
    (api) =>
      api.webhooks.listWebhookDeliveries({
        params: { id: webhook },
        query: { limit: pageSize, offset, ...(status !== "" && { status }) }
      }),
    [webhook, status, offset, refreshKey],
    { pollAfter: ({ data }) => (data.some((one) => one.status === "pending") ? refreshMillis : undefined) }
  )
  return (
    <Section title="Deliveries" lead="Kept for 30 days. A resent event has the same id, so a receiver can drop copies.">
      <div class="filter beside">
        <SelectInput
          label="Show"
          value={status}
          options={filters}
          onChange={(next) => {
            setOffset(0)
            setStatus(next)
          }}
        />
      </div>
      <WhenLoaded request={request} waiting="Looking for deliveries…">
        {({ data, total }) =>
          total === 0 ? (
            <EmptyNotice title={status === "" ? "Nothing was sent yet" : "No delivery matches"}>
              {status === "" ? "Send a test event to see whether the receiver accepts it." : "Choose “All deliveries”."}
            </EmptyNotice>
          ) : (
            <>
              <ul class="rows" aria-label="Deliveries">
                {data.map((one) => (
                  <DeliveryRow key={one.id} delivery={one} reload={request.reload} />
                ))}
              </ul>
              <Pager label="deliveries" offset={offset} limit={pageSize} total={total} onMove={setOffset} />
            </>
          )
        }
      </WhenLoaded>
    </Section>
  )
}
