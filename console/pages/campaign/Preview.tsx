// console/pages/campaign/Preview.tsx: emails to five made-up leads, to hear how a campaign sounds, and those that were made before.
import { useState } from "preact/hooks"
import type { PreviewEntry } from "#schema/Preview.ts"
import { useRequest, useAction, useIdempotencyKey } from "#console/Requests.ts"
import { useTextDraft } from "#console/Draft.ts"
import { PreviewResult } from "#console/pages/campaign/PreviewResult.tsx"
import { Form, FormTrouble, issueAt, TextInput } from "#console/parts/Fields.tsx"
import { ActionButton } from "#console/parts/ActionButton.tsx"
import { Writable } from "#console/parts/RequireScope.tsx"
import { WhenLoaded, StatusText } from "#console/parts/Notices.tsx"
import { Page, Section } from "#console/parts/Page.tsx"
import { Pager } from "#console/parts/Pager.tsx"
import { countOf, joinList, formatMoment, formatNumber } from "#console/parts/Format.ts"
import { OnLimitedPlan, useIsUnlimited } from "#console/UnlimitedPlan.tsx"
import { optionsOf, useWriting, WritingFields } from "#console/pages/campaign/WritingOptions.tsx"
import { WriterOf } from "#console/parts/Writer.tsx"
import { navigate, routeTo } from "#console/Route.ts"
import { useSession } from "#console/Session.tsx"

const usual = "Email, First name, Last name, Job title, Company, Website"

interface Props {
  readonly id: string
  readonly name: string
}

const Row = ({ campaign, entry }: { readonly campaign: string; readonly entry: PreviewEntry }) => (
  <li class="row">
    <a href={routeTo("campaigns", campaign, "preview", entry.preview_id)}>{formatMoment(entry.created_at)}</a>
    <span class="row-end quiet">
      {countOf(entry.email_count, "email")} to each lead
      <OnLimitedPlan>, {countOf(entry.credits_charged, "credit")}</OnLimitedPlan>
    </span>
  </li>
)

const limit = 10

const EarlierPreviews = ({ id }: { readonly id: string }) => {
  const [offset, setOffset] = useState(0)
  const request = useRequest(
    (api) => api.preview.listPreviews({ params: { id }, query: { limit, offset } }),
    [id, offset]
  )
  return (
    <Section title="Earlier previews" lead="Kept until the campaign is deleted or old data is pruned.">
      <WhenLoaded request={request} waiting="Looking for previews…">
        {({ data, total }) =>
          total === 0 ? (
            <p class="quiet">None yet.</p>
          ) : (
            <>
              <ul class="rows">
                {data.map((entry) => (
                  <Row key={entry.preview_id} campaign={id} entry={entry} />
                ))}
              </ul>
              <Pager label="previews" offset={offset} limit={limit} total={total} onMove={setOffset} />
            </>
          )
        }
      </WhenLoaded>
    </Section>
  )
}

const NewPreviewForm = ({ id }: { readonly id: string }) => {
  const { ask } = useSession()
  const { draft, known } = useWriting(`preview.${id}`)
  const headers = useTextDraft(`columns.${id}`, usual)
  const once = useIdempotencyKey()
  const isUnlimited = useIsUnlimited()
  const credits = useRequest((api) => api.credits.checkCredits({ query: { required: 5 } }), [])
  const preview = useAction(async () => {
    const payload = { sample: { headers: joinList(headers.value) }, options: optionsOf(draft.value) }
    const made = await ask((api) => api.preview.previewCampaign({ params: { id }, headers: once(payload), payload }))
    draft.rebase()
    headers.rebase()
    navigate("campaigns", id, "preview", made.preview_id)
  })
  const { problem } = preview
  return (
    <WhenLoaded request={known} waiting="Looking for your signatures…">
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
          <TextInput
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
            <ActionButton kind="primary" doing={preview} busy="Writing to five leads…">
              {isUnlimited === true ? "Preview five leads" : "Preview for 5 credits"}
            </ActionButton>
            {credits.state === "loaded" && isUnlimited === false && (
              <p class="cost quiet">
                {credits.value.sufficient
                  ? `You have ${formatNumber(credits.value.available)}.`
                  : `You have ${formatNumber(credits.value.available)}, which is not enough.`}
              </p>
            )}
          </div>
          <StatusText>{preview.busy ? "Writing to five leads" : ""}</StatusText>
        </Form>
      )}
    </WhenLoaded>
  )
}

const NewPreview = ({ id, name }: Props) => (
  <Page
    title="Preview"
    within={[name, routeTo("campaigns", id)]}
    lead={
      <>
        Emails to five made-up leads of the kind this campaign is for, as many to each as you choose.
        <OnLimitedPlan> A preview costs five credits; one comes back for each lead that fails.</OnLimitedPlan>
      </>
    }
  >
    <WriterOf campaign={id} />
    <Writable scope="campaigns:write">
      <NewPreviewForm id={id} />
    </Writable>
    <EarlierPreviews id={id} />
  </Page>
)

/** `shown` is the id of the preview to show; without one, a form for another and the list of all. */
export const Preview = ({ id, name, shown }: Props & { readonly shown: string | undefined }) =>
  shown === undefined ? (
    <NewPreview id={id} name={name} />
  ) : (
    <PreviewResult key={shown} id={id} made={shown} name={name} />
  )
