// console/pages/campaign/Preview.tsx: emails to five made-up leads, to hear how a campaign sounds, and those that were made before.
import { useState } from "preact/hooks"
import type { PreviewEntry } from "#schema/Preview.ts"
import { useAsk, useDoing, useOnce } from "#console/Asking.ts"
import { useTextDraft } from "#console/Draft.ts"
import { PreviewResult } from "#console/pages/campaign/PreviewResult.tsx"
import { Form, FormTrouble, issueAt, Text } from "#console/parts/Fields.tsx"
import { Act } from "#console/parts/Act.tsx"
import { Answered, Said } from "#console/parts/Notices.tsx"
import { Page, Section } from "#console/parts/Page.tsx"
import { Pager } from "#console/parts/Pager.tsx"
import { count, listed, moment, number } from "#console/parts/Words.ts"
import { OnLimitedPlan, useIsUnlimited } from "#console/Plan.tsx"
import { optionsOf, useWriting, WritingFields } from "#console/pages/campaign/Writing.tsx"
import { WriterOf } from "#console/parts/Writer.tsx"
import { go, to } from "#console/Route.ts"
import { useSession } from "#console/Session.tsx"

const usual = "Email, First name, Last name, Job title, Company, Website"

interface Props {
  readonly id: string
  readonly name: string
}

const Row = ({ campaign, of }: { readonly campaign: string; readonly of: PreviewEntry }) => (
  <li class="row">
    <a href={to("campaigns", campaign, "preview", of.preview_id)}>{moment(of.created_at)}</a>
    <span class="row-end quiet">
      {count(of.email_count, "email")} to each lead
      <OnLimitedPlan>, {count(of.credits_charged, "credit")}</OnLimitedPlan>
    </span>
  </li>
)

const limit = 10

const Earlier = ({ id }: { readonly id: string }) => {
  const [offset, setOffset] = useState(0)
  const asked = useAsk((api) => api.preview.listPreviews({ params: { id }, query: { limit, offset } }), [id, offset])
  return (
    <Section title="Earlier previews" lead="Kept until the campaign is deleted or old data is pruned.">
      <Answered asked={asked} waiting="Looking for previews…">
        {({ data, total }) =>
          total === 0 ? (
            <p class="quiet">None yet.</p>
          ) : (
            <>
              <ul class="rows">
                {data.map((entry) => (
                  <Row key={entry.preview_id} campaign={id} of={entry} />
                ))}
              </ul>
              <Pager of="previews" offset={offset} limit={limit} total={total} onMove={setOffset} />
            </>
          )
        }
      </Answered>
    </Section>
  )
}

const New = ({ id }: { readonly id: string }) => {
  const { ask } = useSession()
  const { draft, known } = useWriting(`preview.${id}`)
  const headers = useTextDraft(`columns.${id}`, usual)
  const once = useOnce()
  const isUnlimited = useIsUnlimited()
  const credits = useAsk((api) => api.credits.checkCredits({ query: { required: 5 } }), [])
  const preview = useDoing(async () => {
    const payload = { sample: { headers: listed(headers.value) }, options: optionsOf(draft.value) }
    const made = await ask((api) => api.preview.previewCampaign({ params: { id }, headers: once(payload), payload }))
    draft.keep()
    headers.keep()
    go("campaigns", id, "preview", made.preview_id)
  })
  const { problem } = preview
  return (
    <Answered asked={known} waiting="Looking for your signatures…">
      {({ signatures, workspace }) => (
        <Form class="form" onSubmit={preview.start}>
          <WritingFields
            writing={draft.value}
            onChange={(writing) => draft.set(() => writing)}
            signatures={signatures.data}
            writer={workspace.writer.kind}
            problem={problem}
            research="What research would find is made up as well."
          />
          <Text
            label="Columns of your lead file"
            hint="The headers, with commas between them. The made-up leads are laid out under them."
            value={headers.value}
            onInput={(text) => headers.set(() => text)}
            issue={issueAt(problem, "sample.headers")}
          />
          <FormTrouble
            problem={problem}
            fields={["sample.headers", "options.email_signature", "options.signature_id"]}
          />
          <div class="form-end">
            <Act kind="primary" doing={preview} busy="Writing to five leads…">
              {isUnlimited === true ? "Preview five leads" : "Preview for 5 credits"}
            </Act>
            {credits.state === "there" && isUnlimited === false && (
              <p class="cost quiet">
                {credits.value.sufficient
                  ? `You have ${number(credits.value.available)}.`
                  : `You have ${number(credits.value.available)}, which is not enough.`}
              </p>
            )}
          </div>
          <Said>{preview.busy ? "Writing to five leads" : ""}</Said>
        </Form>
      )}
    </Answered>
  )
}

const NewPreview = ({ id, name }: Props) => (
  <Page
    title="Preview"
    within={[name, to("campaigns", id)]}
    lead={
      <>
        Emails to five made-up leads of the kind this campaign is for.
        <OnLimitedPlan> A preview costs five credits; one comes back for each lead that fails.</OnLimitedPlan>
      </>
    }
  >
    <WriterOf campaign={id} />
    <New id={id} />
    <Earlier id={id} />
  </Page>
)

/** `made` is the preview to show; without one, a form for another and the list of all. */
export const Preview = ({ id, made, name }: Props & { readonly made: string | undefined }) =>
  made === undefined ? <NewPreview id={id} name={name} /> : <PreviewResult key={made} id={id} made={made} name={name} />
