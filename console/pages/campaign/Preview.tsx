// console/pages/campaign/Preview.tsx: previews a campaign with five made-up leads, and lists earlier previews.
import { useState } from "preact/hooks"
import type { PreviewEntry } from "#schema/Preview.ts"
import { useRequest, useAction, useIdempotencyHeaders } from "#console/Requests.ts"
import { useTextDraft } from "#console/Draft.ts"
import type { CampaignOverview } from "#console/pages/campaign/CampaignOverview.ts"
import { CompanyChanged } from "#console/pages/campaign/CompanyChanged.tsx"
import { PreviewResult } from "#console/pages/campaign/PreviewResult.tsx"
import { Form, FormTrouble, issueAt, TextInput } from "#console/parts/Fields.tsx"
import { ActionButton } from "#console/parts/ActionButton.tsx"
import { LockWithoutScope } from "#console/parts/RequireScope.tsx"
import { WhenLoaded, StatusText } from "#console/parts/Notices.tsx"
import { Page, Section } from "#console/parts/Page.tsx"
import { Pager } from "#console/parts/Pager.tsx"
import { formatCount, splitCommaList, formatMoment, formatNumber } from "#console/parts/Format.ts"
import { OnLimitedPlan, useIsUnlimited } from "#console/UnlimitedPlan.tsx"
import { toApiOptions, useWriting, WritingFields } from "#console/pages/campaign/WritingOptions.tsx"
import { CampaignWriter } from "#console/parts/Writer.tsx"
import { navigate, routeTo } from "#console/Route.ts"
import { useSession } from "#console/Session.tsx"

const usual = "Email, First name, Last name, Job title, Company, Website"

interface Props {
  readonly overview: CampaignOverview
}

const Row = ({ campaign, entry }: { readonly campaign: string; readonly entry: PreviewEntry }) => (
  <li class="row">
    <a href={routeTo("campaigns", campaign, "preview", entry.preview_id)}>{formatMoment(entry.created_at)}</a>
    <span class="row-end quiet">
      {formatCount(entry.email_count, "email")} to each lead
      <OnLimitedPlan>, {formatCount(entry.credits_charged, "credit")}</OnLimitedPlan>
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
  const { callApi } = useSession()
  const { draft, known } = useWriting(`preview.${id}`)
  const headers = useTextDraft(`columns.${id}`, usual)
  const idempotencyHeaders = useIdempotencyHeaders()
  const isUnlimited = useIsUnlimited()
  const credits = useRequest((api) => api.credits.checkCredits({ query: { required: 5 } }), [])
  const lacks = !isUnlimited && credits.state === "loaded" && !credits.value.sufficient
  const preview = useAction(async () => {
    const payload = { sample: { headers: splitCommaList(headers.value) }, options: toApiOptions(draft.value) }
    const createdPreview = await callApi((api) =>
      api.preview.previewCampaign({ params: { id }, headers: idempotencyHeaders(payload), payload })
    )
    draft.rebase()
    headers.rebase()
    navigate("campaigns", id, "preview", createdPreview.preview_id)
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
          >
            <TextInput
              label="Columns of your lead file"
              hint="The headers, with commas between them. The made-up leads are laid out under them."
              value={headers.value}
              onInput={(text) => headers.set(() => text)}
              issue={issueAt(problem, "sample.headers")}
            />
          </WritingFields>
          <FormTrouble
            problem={problem}
            fields={["sample.headers", "options.email_signature", "options.signature_id"]}
          />
          <div class="form-end">
            <ActionButton kind="primary" action={preview} busyLabel="Writing to five leads…" disabled={lacks}>
              {isUnlimited ? "Preview five leads" : "Preview for 5 credits"}
            </ActionButton>
            {credits.state === "loaded" && !isUnlimited && (
              <p class={lacks ? "cost failed" : "cost quiet"}>
                You have {formatNumber(credits.value.available)}.
                {lacks &&
                  ` ${formatCount(5 - credits.value.available, "credit")} missing: ask the operator of the server for more.`}
              </p>
            )}
          </div>
          <StatusText>{preview.isBusy ? "Writing to five leads" : ""}</StatusText>
        </Form>
      )}
    </WhenLoaded>
  )
}

const NewPreview = ({ overview }: Props) => (
  <Page
    title="Preview"
    within={[overview.entry.name, routeTo("campaigns", overview.entry.id)]}
    lead={
      <>
        Emails to five made-up leads of the kind this campaign is for, as many to each as you choose.
        <OnLimitedPlan> A preview costs five credits; one comes back for each lead that fails.</OnLimitedPlan>
      </>
    }
  >
    <CompanyChanged overview={overview} />
    <CampaignWriter campaign={overview.entry.id} />
    <LockWithoutScope scope="campaigns:write">
      <NewPreviewForm id={overview.entry.id} />
    </LockWithoutScope>
    <EarlierPreviews id={overview.entry.id} />
  </Page>
)

/** `previewId` is the preview to show; without it, the form and the list of previews are shown. */
export const Preview = ({ overview, previewId }: Props & { readonly previewId: string | undefined }) =>
  previewId === undefined ? (
    <NewPreview overview={overview} />
  ) : (
    <PreviewResult key={previewId} id={overview.entry.id} previewId={previewId} name={overview.entry.name} />
  )
