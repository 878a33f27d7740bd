// console/pages/campaign/Preview.tsx: emails to five made-up leads, to hear how a campaign sounds.
import { useEffect, useRef, useState } from "preact/hooks"
import type { Preview as Made } from "#schema/Preview.ts"
import { useAsk, useDoing, useOnce } from "#console/Asking.ts"
import { Emails } from "#console/parts/Emails.tsx"
import { Form, FormTrouble, issueAt, Text } from "#console/parts/Fields.tsx"
import { Act } from "#console/parts/Act.tsx"
import { Answered, NotFollowed, Said } from "#console/parts/Notices.tsx"
import { Page, Section } from "#console/parts/Page.tsx"
import { count, listed, number } from "#console/parts/Words.ts"
import { optionsOf, useWriting, WritingFields } from "#console/pages/campaign/Writing.tsx"
import { to } from "#console/Route.ts"
import { useSession } from "#console/Session.tsx"

const usual = "Email, First name, Last name, Job title, Company, Website"

const Result = ({ made }: { readonly made: Made }) => {
  const heading = useRef<HTMLHeadingElement>(null)
  const [at, setAt] = useState(0)
  useEffect(() => {
    setAt(0)
    heading.current?.focus()
  }, [made])
  const shown = made.generated_emails[at]
  return (
    <section class="section">
      <h2 ref={heading} tabIndex={-1}>
        Five leads who do not exist
      </h2>
      <p class="quiet">
        {count(made.credits_charged, "credit")} charged
        {made.fail_count > 0 && `; ${count(made.fail_count, "lead")} failed and cost nothing`}. Nobody was written to.
      </p>
      <NotFollowed notices={made.notices} />
      <ul class="tabs" aria-label="Made-up leads">
        {made.generated_emails.map(({ lead_data, lead_index }, i) => (
          <li key={lead_index}>
            <button type="button" aria-pressed={i === at} onClick={() => setAt(i)}>
              <span class="strong">{lead_data.name ?? lead_data.email}</span>
              <span>{[lead_data.title, lead_data.company].filter(Boolean).join(", ")}</span>
            </button>
          </li>
        ))}
      </ul>
      {shown && <Said>{`Emails to ${shown.lead_data.name ?? shown.lead_data.email}`}</Said>}
      {shown && shown.status === "failed" && <p class="note">This one could not be written to: {shown.error}</p>}
      {shown && <Emails emails={shown.emails} sourced={false} />}
    </section>
  )
}

export const Preview = ({ id, name }: { readonly id: string; readonly name: string }) => {
  const { ask } = useSession()
  const { known, setWriting, writing } = useWriting()
  const [headers, setHeaders] = useState(usual)
  const [made, setMade] = useState<Made>()
  const once = useOnce()
  const [round, setRound] = useState(0)
  const credits = useAsk((api) => api.credits.checkCredits({ query: { required: 5 } }), [round])
  const preview = useDoing(async () => {
    if (writing === undefined) return
    const columns = listed(headers)
    const payload = { sample: { headers: columns }, options: optionsOf(writing) }
    const answer = await ask((api) =>
      api.preview.previewCampaign({ params: { id }, headers: once([payload, round]), payload })
    )
    setMade(answer)
    setRound((round) => round + 1)
  })
  const { problem } = preview
  return (
    <Page
      title="Preview"
      within={[name, to("campaigns", id)]}
      lead="Emails to five made-up leads of the kind this campaign speaks to. It costs five credits; one comes back for each that fails."
    >
      <Answered asked={known} waiting="Looking for your signatures…">
        {({ signatures }) =>
          writing && (
            <Form class="form" onSubmit={preview.start}>
              <WritingFields
                writing={writing}
                onChange={setWriting}
                signatures={signatures.data}
                problem={problem}
                research="What research would find is made up as well; the price stays the same."
              />
              <Text
                label="Columns of your lead file"
                hint="The headers, with commas between them. The made-up leads are laid out under them."
                value={headers}
                onInput={setHeaders}
                issue={issueAt(problem, "sample.headers")}
              />
              <FormTrouble
                problem={problem}
                fields={["sample.headers", "options.email_signature", "options.signature_id"]}
              />
              <div class="form-end">
                <Act kind="primary" doing={preview} busy="Writing to five leads…">
                  {made === undefined ? "Preview for 5 credits" : "Preview again for 5 credits"}
                </Act>
                {credits.state === "there" && (
                  <p class="cost quiet">
                    {credits.value.sufficient
                      ? `You have ${number(credits.value.available)}.`
                      : `You have ${number(credits.value.available)}, which is not enough.`}
                  </p>
                )}
              </div>
              <Said>{preview.busy ? "Writing to five leads" : ""}</Said>
            </Form>
          )
        }
      </Answered>
      {made && <Result made={made} />}
      {made && (
        <Section title="Sounds right?">
          <div class="actions">
            <a class="button primary" href={to("campaigns", id, "write")}>
              Write to your leads
            </a>
            <a class="button" href={to("campaigns", id, "build", "emails")}>
              Edit the emails
            </a>
          </div>
        </Section>
      )}
    </Page>
  )
}
