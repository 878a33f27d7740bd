// console/pages/campaign/PreviewResult.tsx: one preview: five made-up leads and what was written to each.
import { useState } from "preact/hooks"
import type { KeptPreview } from "#schema/Preview.ts"
import { useAsk } from "#console/Asking.ts"
import { Emails } from "#console/parts/Emails.tsx"
import { Answered, NotFollowed, Said } from "#console/parts/Notices.tsx"
import { Page, Section } from "#console/parts/Page.tsx"
import { count, ended, moment } from "#console/parts/Words.ts"
import { OnLimitedPlan } from "#console/Plan.tsx"
import { to } from "#console/Route.ts"

const Leads = ({ of }: { readonly of: KeptPreview }) => {
  const [at, setAt] = useState(0)
  const shown = of.generated_emails[at]
  return (
    <section class="section">
      <h2>Sample leads</h2>
      <p class="quiet">
        Made {moment(of.created_at)}
        <OnLimitedPlan>. {count(of.credits_charged, "credit")} charged</OnLimitedPlan>
        {of.fail_count > 0 && `; ${count(of.fail_count, "lead")} failed and cost nothing`}. These people do not exist,
        and nothing was sent.
      </p>
      <NotFollowed notices={of.notices} />
      <ul class="tabs" aria-label="Sample leads">
        {of.generated_emails.map(({ lead_data, lead_index }, i) => (
          <li key={lead_index}>
            <button type="button" aria-pressed={i === at} onClick={() => setAt(i)}>
              <span class="strong">{lead_data.name ?? lead_data.email}</span>
              <span>{[lead_data.title, lead_data.company].filter(Boolean).join(", ")}</span>
            </button>
          </li>
        ))}
      </ul>
      {shown && <Said>{`Emails to ${shown.lead_data.name ?? shown.lead_data.email}`}</Said>}
      {shown?.status === "failed" && (
        <p class="note">This one could not be written to: {ended(shown.error ?? "no reason is known")}</p>
      )}
      {shown && <Emails emails={shown.emails} sourced={false} />}
    </section>
  )
}

interface Props {
  readonly id: string
  readonly name: string
  readonly made: string
}

export const PreviewResult = ({ id, made, name }: Props) => {
  const asked = useAsk((api) => api.preview.getPreview({ params: { id, preview_id: made } }), [id, made])
  return (
    <Page
      title="Preview"
      within={[name, to("campaigns", id)]}
      actions={
        <a class="button" href={to("campaigns", id, "preview")}>
          New preview
        </a>
      }
    >
      <Answered asked={asked} waiting="Opening the preview…">
        {(preview) => (
          <>
            <Leads of={preview} />
            <Section title="Next step">
              <div class="actions">
                <a class="button primary" href={to("campaigns", id, "write")}>
                  Write to your leads
                </a>
                <a class="button" href={to("campaigns", id, "build", "emails")}>
                  Edit the emails
                </a>
                <a class="button" href={to("campaigns", id, "preview")}>
                  All previews
                </a>
              </div>
            </Section>
          </>
        )}
      </Answered>
    </Page>
  )
}
