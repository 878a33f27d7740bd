// console/pages/webhooks/Webhook.tsx: one webhook: its state, a test event, a new secret, changes, and the log of its deliveries.
import { useState } from "preact/hooks"
import type { Webhook as WebhookOf, WebhookChange } from "#schema/Webhooks.ts"
import { type RequestState, useAction, useRequest } from "#console/Requests.ts"
import { navigate, routeTo } from "#console/Route.ts"
import { Secret, type ShownSecret } from "#console/pages/keys/Secret.tsx"
import { Deliveries } from "#console/pages/webhooks/Deliveries.tsx"
import { WebhookForm } from "#console/pages/webhooks/WebhookForm.tsx"
import { ActionButton } from "#console/parts/ActionButton.tsx"
import { Confirm, ConfirmDialog } from "#console/parts/Confirm.tsx"
import { DialogButton } from "#console/parts/Dialog.tsx"
import { formatMoment, type Tone } from "#console/parts/Format.ts"
import { ProblemNotice, StateNotice, WaitingNotice } from "#console/parts/Notices.tsx"
import { Page, Section } from "#console/parts/Page.tsx"
import { RequireScope } from "#console/parts/RequireScope.tsx"
import { useSession } from "#console/Session.tsx"

export const webhookState = ({ disabled_reason, enabled, failing_since }: WebhookOf): readonly [string, Tone] => {
  if (!enabled) return [disabled_reason === null ? "Off" : "Disabled", disabled_reason === null ? "calm" : "bad"]
  return failing_since === null ? ["On", "good"] : ["Failing", "bad"]
}

/** Why no events arrive, if none do. */
const troubleOf = ({ disabled_reason, failing_since }: WebhookOf) => {
  if (disabled_reason === "gone") return "The receiver answered 410, so the server disabled the webhook."
  if (disabled_reason === "failing") return "Deliveries failed for five days, so the server disabled the webhook."
  return failing_since === null
    ? undefined
    : `Deliveries have failed since ${formatMoment(failing_since)}. Each is tried again for up to three days; after five days without one that arrives, the server disables the webhook.`
}

interface Props {
  readonly webhook: WebhookOf
  readonly reload: () => void
}

interface ReplaceProps {
  readonly webhook: WebhookOf
  readonly onShow: (shown: ShownSecret) => void
  readonly onClose: () => void
}

const ReplaceSecret = ({ webhook, onClose, onShow }: ReplaceProps) => {
  const { ask } = useSession()
  const rotate = useAction(async () => {
    const { secret } = await ask((api) => api.webhooks.rotateWebhookSecret({ params: { id: webhook.id }, headers: {} }))
    onClose()
    onShow({ kind: "webhook", name: webhook.url, text: secret })
  })
  return (
    <ConfirmDialog
      label="Replace the secret"
      verb="Replace"
      question="The new secret is shown once. Both secrets sign the events for 24 hours: give the new one to the receiver within that time."
      busy="Replacing…"
      doing={rotate}
      onClose={onClose}
    />
  )
}

const Actions = ({
  reload,
  webhook,
  onSent,
  onShow
}: Props & { onSent: () => void; onShow: (shown: ShownSecret) => void }) => {
  const { ask } = useSession()
  const params = { id: webhook.id }
  const test = useAction(async () => {
    await ask((api) => api.webhooks.testWebhook({ params, headers: {} }))
    onSent()
  })
  const toggle = useAction(async () => {
    await ask((api) => api.webhooks.updateWebhook({ params, payload: { enabled: !webhook.enabled } }))
    reload()
  })
  const remove = useAction(async () => {
    await ask((api) => api.webhooks.deleteWebhook({ params }))
    navigate("webhooks")
  })
  const problem = test.problem ?? toggle.problem
  return (
    <>
      {problem && <ProblemNotice problem={problem} />}
      <div class="actions">
        <ActionButton doing={test} busy="Sending…" onClick={test.start}>
          Send a test event
        </ActionButton>
        <ActionButton doing={toggle} busy="Saving…" onClick={toggle.start}>
          {webhook.enabled ? "Turn off" : "Turn on"}
        </ActionButton>
        <DialogButton label="Replace the secret">
          {(close) => <ReplaceSecret webhook={webhook} onShow={onShow} onClose={close} />}
        </DialogButton>
        <Confirm
          label="Delete"
          title="Delete the webhook"
          verb="Delete"
          question={`Delete the webhook to ${webhook.url} with its log? Events that are not delivered yet are lost.`}
          busy="Deleting…"
          doing={remove}
        />
      </div>
    </>
  )
}

const Loaded = ({ reload, webhook }: Props) => {
  const { ask } = useSession()
  const [shown, setShown] = useState<ShownSecret>()
  const [round, setRound] = useState(0)
  const trouble = troubleOf(webhook)
  const change = async (payload: WebhookChange) => {
    await ask((api) => api.webhooks.updateWebhook({ params: { id: webhook.id }, payload }))
    reload()
  }
  return (
    <>
      {shown !== undefined && <Secret key={shown.text} secret={shown} onClose={() => setShown(undefined)} />}
      <p>
        <StateNotice state={webhookState(webhook)} /> {trouble}
      </p>
      <RequireScope scope="workspace:write">
        <Actions
          webhook={webhook}
          reload={reload}
          onShow={setShown}
          onSent={() => {
            reload()
            setRound(round + 1)
          }}
        />
      </RequireScope>
      <Deliveries webhook={webhook.id} round={round} />
      <RequireScope scope="workspace:write">
        <Section title="Change the webhook">
          <WebhookForm key={webhook.updated_at} saved={webhook} save={change} verb="Save" busy="Saving…" />
        </Section>
      </RequireScope>
    </>
  )
}

const contentOf = (request: RequestState<WebhookOf>) => {
  if (request.state === "waiting") return <WaitingNotice>Looking for the webhook…</WaitingNotice>
  if (request.state === "refused") return <ProblemNotice problem={request.problem} />
  return <Loaded webhook={request.value} reload={request.reload} />
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
