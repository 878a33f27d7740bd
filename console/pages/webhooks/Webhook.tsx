// console/pages/webhooks/Webhook.tsx: one webhook: its state, a test event, a new secret, changes, and the log of its deliveries.
import { useState } from "preact/hooks"
import type { Webhook as WebhookData, WebhookChange } from "#schema/Webhooks.ts"
import { type RequestState, useAction, useRequest } from "#console/Requests.ts"
import { navigate, routeTo } from "#console/Route.ts"
import { Secret, type ShownSecret } from "#console/pages/keys/Secret.tsx"
import { Deliveries } from "#console/pages/webhooks/Deliveries.tsx"
import { WebhookForm } from "#console/pages/webhooks/WebhookForm.tsx"
import { ActionButton } from "#console/parts/ActionButton.tsx"
import { ConfirmButton, ConfirmDialog } from "#console/parts/ConfirmDialog.tsx"
import { DialogButton } from "#console/parts/Dialog.tsx"
import { formatMoment, type Tone } from "#console/parts/Format.ts"
import { ProblemNotice, StateNotice, WaitingNotice } from "#console/parts/Notices.tsx"
import { Page, Section } from "#console/parts/Page.tsx"
import { RequireScope } from "#console/parts/RequireScope.tsx"
import { useSession } from "#console/Session.tsx"

export const webhookState = ({ disabled_reason, enabled, failing_since }: WebhookData): readonly [string, Tone] => {
  if (!enabled) return [disabled_reason === null ? "Off" : "Disabled", disabled_reason === null ? "calm" : "bad"]
  return failing_since === null ? ["On", "good"] : ["Failing", "bad"]
}

/** Why events do not arrive; undefined if they do. */
const troubleOf = ({ disabled_reason, failing_since }: WebhookData) => {
  if (disabled_reason === "gone") return "The receiver answered 410, so the server disabled the webhook."
  if (disabled_reason === "failing") return "Deliveries failed for five days, so the server disabled the webhook."
  return failing_since === null
    ? undefined
    : `Deliveries have failed since ${formatMoment(failing_since)}. Each is tried again for up to three days; after five days without one that arrives, the server disables the webhook.`
}

interface Props {
  readonly webhook: WebhookData
  readonly reload: () => void
}

interface ReplaceProps {
  readonly webhook: WebhookData
  readonly onShowSecret: (shown: ShownSecret) => void
  readonly onClose: () => void
}

const ReplaceSecret = ({ webhook, onClose, onShowSecret }: ReplaceProps) => {
  const { callApi } = useSession()
  const rotate = useAction(async () => {
    const { secret } = await callApi((api) =>
      api.webhooks.rotateWebhookSecret({ params: { id: webhook.id }, headers: {} })
    )
    onClose()
    onShowSecret({ kind: "webhook", name: webhook.url, text: secret })
  })
  return (
    <ConfirmDialog
      label="Replace the secret"
      confirmLabel="Replace"
      question="The new secret is shown once. Both secrets sign the events for 24 hours: give the new one to the receiver within that time."
      busyLabel="Replacing…"
      action={rotate}
      onClose={onClose}
    />
  )
}

const Actions = ({
  reload,
  webhook,
  onSent,
  onShowSecret
}: Props & { onSent: () => void; onShowSecret: (shown: ShownSecret) => void }) => {
  const { callApi } = useSession()
  const params = { id: webhook.id }
  const test = useAction(async () => {
    await callApi((api) => api.webhooks.testWebhook({ params, headers: {} }))
    onSent()
  })
  const toggle = useAction(async () => {
    await callApi((api) => api.webhooks.updateWebhook({ params, payload: { enabled: !webhook.enabled } }))
    reload()
  })
  const remove = useAction(async () => {
    await callApi((api) => api.webhooks.deleteWebhook({ params }))
    navigate("webhooks")
  })
  const problem = test.problem ?? toggle.problem
  return (
    <>
      {problem && <ProblemNotice problem={problem} />}
      <div class="actions">
        <ActionButton action={test} busyLabel="Sending…" onClick={test.start}>
          Send a test event
        </ActionButton>
        <ActionButton action={toggle} busyLabel="Saving…" onClick={toggle.start}>
          {webhook.enabled ? "Turn off" : "Turn on"}
        </ActionButton>
        <DialogButton label="Replace the secret">
          {(close) => <ReplaceSecret webhook={webhook} onShowSecret={onShowSecret} onClose={close} />}
        </DialogButton>
        <ConfirmButton
          label="Delete"
          title="Delete the webhook"
          confirmLabel="Delete"
          question={`Delete the webhook to ${webhook.url} with its log? Events that are not delivered yet are lost.`}
          busyLabel="Deleting…"
          action={remove}
        />
      </div>
    </>
  )
}

const WebhookDetails = ({ reload, webhook }: Props) => {
  const { callApi } = useSession()
  const [shownSecret, setShownSecret] = useState<ShownSecret>()
  const [refreshKey, setRefreshKey] = useState(0)
  const trouble = troubleOf(webhook)
  const change = async (payload: WebhookChange) => {
    await callApi((api) => api.webhooks.updateWebhook({ params: { id: webhook.id }, payload }))
    reload()
  }
  return (
    <>
      {shownSecret !== undefined && (
        <Secret key={shownSecret.text} secret={shownSecret} onClose={() => setShownSecret(undefined)} />
      )}
      <p>
        <StateNotice state={webhookState(webhook)} /> {trouble}
      </p>
      <RequireScope scope="workspace:write">
        <Actions
          webhook={webhook}
          reload={reload}
          onShowSecret={setShownSecret}
          onSent={() => {
            reload()
            setRefreshKey(refreshKey + 1)
          }}
        />
      </RequireScope>
      <Deliveries webhook={webhook.id} refreshKey={refreshKey} />
      <RequireScope scope="workspace:write">
        <Section title="Change the webhook">
          <WebhookForm
            key={webhook.updated_at}
            saved={webhook}
            onSave={change}
            submitLabel="Save"
            busyLabel="Saving…"
          />
        </Section>
      </RequireScope>
    </>
  )
}

const contentOf = (request: RequestState<WebhookData>) => {
  if (request.state === "waiting") return <WaitingNotice>Looking for the webhook…</WaitingNotice>
  if (request.state === "refused") return <ProblemNotice problem={request.problem} />
  return <WebhookDetails webhook={request.value} reload={request.reload} />
}

export const Webhook = ({ id }: { readonly id: string }) => {
  const request = useRequest((api) => api.webhooks.getWebhook({ params: { id } }), [id])
  const isThere = request.state === "loaded"
  return (
    <Page
      title="Webhook"
      lead={isThere && [request.value.url, request.value.description].filter((text) => text !== null).join(": ")}
      within={["Webhooks", routeTo("webhooks")]}
    >
      {contentOf(request)}
    </Page>
  )
}
