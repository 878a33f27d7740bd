// console/pages/campaign/PreviewResult.tsx: one preview: five made-up leads and what was written to each.
import { useState } from "preact/hooks"
import type { KeptPreview } from "#schema/Preview.ts"
import { useRequest } from "#console/Requests.ts"
import { Emails } from "#console/parts/Emails.tsx"
import { WhenLoaded, NoticeList, StatusText } from "#console/parts/Notices.tsx"
import { Page, Section } from "#console/parts/Page.tsx"
import { formatCount, withFinalPeriod, formatMoment } from "#console/parts/Format.ts"
import { OnLimitedPlan } from "#console/UnlimitedPlan.tsx"
import { routeTo } from "#console/Route.ts"

const Leads = ({ preview }: { readonly preview: KeptPreview }) => {
  const [shownIndex, setShownIndex] = useState(0)
  const shown = preview.generated_emails[shownIndex]
  return (
    <section class="section">
      <h2>Sample leads</h2>
      <p class="quiet">
        Made {formatMoment(preview.created_at)}
        <OnLimitedPlan>. {formatCount(preview.credits_charged, "credit")} charged</OnLimitedPlan>
        {preview.fail_count > 0 && `; ${formatCount(preview.fail_count, "lead")} failed and cost nothing`}. These people
        do not exist, and nothing was sent.
      </p>
      <NoticeList notices={preview.notices} />
      <ul class="tabs" aria-label="Sample leads">
        {preview.generated_emails.map(({ lead_data, lead_index }, i) => (
          <li key={lead_index}>
            <button type="button" aria-pressed={i === shownIndex} onClick={() => setShownIndex(i)}>
              <span class="strong">{lead_data.name ?? lead_data.email}</span>
              <span>{[lead_data.title, lead_data.company].filter(Boolean).join(", ")}</span>
            </button>
          </li>
        ))}
      </ul>
      {shown && <StatusText>{`Emails to ${shown.lead_data.name ?? shown.lead_data.email}`}</StatusText>}
      {shown?.status === "failed" && (
        <p class="note">This one could not be written to: {withFinalPeriod(shown.error ?? "no reason is known")}</p>
      )}
      {shown && <Emails emails={shown.emails} showSources={false} />}
    </section>
  )
}

interface Props {
  readonly id: string
  readonly name: string
  readonly previewId: string
}

export const PreviewResult = ({ id, previewId, name }: Props) => {
  const request = useRequest(
    (api) => api.preview.getPreview({ params: { id, preview_id: previewId } }),
    [id, previewId]
  )
  return (
    <Page
      title="Preview"
      within={[name, routeTo("campaigns", id)]}
      actions={
        <a class="button" href={routeTo("campaigns", id, "preview")}>
          New preview
        </a>
      }
    >
      <WhenLoaded request={request} waiting="Opening the preview…">
        {(preview) => (
          <>
            <Leads preview={preview} />
            <Section title="Next step">
              <div class="actions">
                <a class="button primary" href={routeTo("campaigns", id, "write")}>
                  Write to your leads
                </a>
                <a class="button" href={routeTo("campaigns", id, "build", "emails")}>
                  Edit the templates
                </a>
                <a class="button" href={routeTo("campaigns", id, "preview")}>
                  All previews
                </a>
              </div>
            </Section>
          </>
        )}
      </WhenLoaded>
    </Page>
  )
}
