// console/pages/Webhooks.tsx: the webhooks of the workspace, which notify other programs of events.
import { useState } from "preact/hooks"
import { Secret, type ShownSecret } from "#console/pages/keys/Secret.tsx"
import { webhookState } from "#console/pages/webhooks/Webhook.tsx"
import { WebhookForm } from "#console/pages/webhooks/WebhookForm.tsx"
import { WorkspaceTabs } from "#console/pages/workspace/Tabs.tsx"
import { formatCount, formatDay } from "#console/parts/Format.ts"
import { EmptyNotice, StateNotice, WhenLoaded } from "#console/parts/Notices.tsx"
import { Page, Section } from "#console/parts/Page.tsx"
import { RequireScope } from "#console/parts/RequireScope.tsx"
import { useRequest } from "#console/Requests.ts"
import { routeTo } from "#console/Route.ts"
import { useSession } from "#console/Session.tsx"
import { maxWebhooks, type WebhookInput } from "#schema/Webhooks.ts"

export const Webhooks = () => {
  const { callApi } = useSession()
  const [shownSecret, setShownSecret] = useState<ShownSecret>()
  const request = useRequest((api) => api.webhooks.listWebhooks({ query: { limit: maxWebhooks, offset: 0 } }), [])
  const create = async (payload: WebhookInput) => {
    const { secret, url } = await callApi((api) => api.webhooks.createWebhook({ headers: {}, payload }))
    setShownSecret({ kind: "webhook", name: url, text: secret })
    request.reload()
  }
  return (
    <Page
      title="Webhooks"
      lead="Addresses that the server notifies of events, such as a finished list. Each request is signed with the secret of its webhook."
    >
      <WorkspaceTabs current="webhooks" />
      {shownSecret !== undefined && (
        <Secret key={shownSecret.text} secret={shownSecret} onClose={() => setShownSecret(undefined)} />
      )}
      <Section title="Addresses">
        <WhenLoaded request={request} waiting="Looking for webhooks…">
          {({ data }) =>
            data.length === 0 ? (
              <EmptyNotice title="No webhooks yet">
                Create one to have your CRM, n8n, Zapier or Make react to what happens here.
              </EmptyNotice>
            ) : (
              <ul class="rows" aria-label="Webhooks">
                {data.map((webhook) => (
                  <li key={webhook.id} class="row">
                    <a href={routeTo("webhooks", webhook.id)}>{webhook.url}</a>
                    <span class="row-end">
                      <span>
                        {webhook.events.includes("*") ? "All events" : formatCount(webhook.events.length, "event")}
                      </span>
                      <span class="quiet">{formatDay(webhook.created_at)}</span>
                      <StateNotice state={webhookState(webhook)} />
                    </span>
                  </li>
                ))}
              </ul>
            )
          }
        </WhenLoaded>
      </Section>
      <RequireScope scope="workspace:write">
        <Section title="Create a webhook">
          <WebhookForm onSave={create} submitLabel="Create the webhook" busyLabel="Creating…" />
        </Section>
      </RequireScope>
    </Page>
  )
}
