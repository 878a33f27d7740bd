// console/pages/Campaigns.tsx: the list of campaigns, and a button with a form that creates one.
import { useEffect, useRef, useState } from "preact/hooks"
import { useRequest, useAction, useIdempotencyHeaders } from "#console/Requests.ts"
import { type Draft, useTextDraft } from "#console/Draft.ts"
import { Form, FormTrouble, issueAt, TextInput } from "#console/parts/Fields.tsx"
import { Pager } from "#console/parts/Pager.tsx"
import { ActionButton } from "#console/parts/ActionButton.tsx"
import { RequireScope } from "#console/parts/RequireScope.tsx"
import { WhenLoaded } from "#console/parts/Notices.tsx"
import { Page, Section } from "#console/parts/Page.tsx"
import { CampaignRows } from "#console/parts/LinkRows.tsx"
import { navigate, routeTo } from "#console/Route.ts"
import { useSession } from "#console/Session.tsx"

const pageSize = 50

interface NewCampaignProps {
  readonly draft: Draft<string>
  /** Closes the form; undefined while there is no campaign, because the form is then all that the page is for. */
  readonly onCancel: (() => void) | undefined
}

/** Shown while the segments and options that a new campaign would be built from are older than the profile. */
const OutdatedDocuments = () => {
  const request = useRequest((api) => api.workspace.listWorkspaceDocuments(), [])
  if (request.state !== "loaded" || !request.value.documents.some(({ outdated }) => outdated)) return null
  return (
    <p class="note" role="status">
      The profile has changed since the segments and options for campaigns were made.{" "}
      <a href={routeTo("workspace")}>Regenerate the documents</a> first, or the campaign is built from the old ones.
    </p>
  )
}

const NewCampaign = ({ draft, onCancel }: NewCampaignProps) => {
  const { callApi } = useSession()
  const name = draft.value
  const form = useRef<HTMLFormElement>(null)
  const isOpened = onCancel !== undefined
  useEffect(() => {
    if (isOpened) form.current?.querySelector("input")?.focus()
  }, [])
  const idempotencyHeaders = useIdempotencyHeaders()
  const create = useAction(async () => {
    const { id } = await callApi((api) =>
      api.campaigns.createCampaign({ headers: idempotencyHeaders(name), payload: { name: name.trim() } })
    )
    draft.discard()
    navigate("campaigns", id, "build", "audience")
  })
  return (
    <Form ref={form} class="form panel" onSubmit={create.start}>
      <OutdatedDocuments />
      <TextInput
        label="Name of the new campaign"
        hint="For yourself, such as “Quarries, spring”. Those who get the emails never see it. Emails are written in English."
        value={name}
        onInput={(name) => draft.set(() => name)}
        maxLength={200}
        issue={issueAt(create.problem, "name")}
        required
      />
      <FormTrouble problem={create.problem} fields={["name"]} />
      {create.problem?.code === "NOT_READY" && (
        <p>
          <a href={routeTo("workspace")}>See how far the workspace is</a>
        </p>
      )}
      <div class="actions">
        <ActionButton kind="primary" action={create} busyLabel="Starting the campaign…">
          Start the campaign
        </ActionButton>
        {onCancel !== undefined && (
          <button type="button" class="button" onClick={onCancel}>
            Cancel
          </button>
        )}
      </div>
    </Form>
  )
}

export const Campaigns = () => {
  const [offset, setOffset] = useState(0)
  const request = useRequest((api) => api.campaigns.listCampaigns({ query: { limit: pageSize, offset } }), [offset], {
    pollAfter: ({ campaigns }) => (campaigns.some(({ overall }) => overall === "building") ? 4000 : undefined)
  })
  const draft = useTextDraft("campaign", "")
  // A name that was typed earlier is shown, because it is not saved.
  const [isOpened, setOpened] = useState(draft.isChanged)
  const isEmpty = request.state === "loaded" && request.value.total === 0
  return (
    <Page
      title="Campaigns"
      lead="A campaign is one audience and what you have to say to it. You build one step by step, check its templates, and write."
      actions={
        !isOpened &&
        !isEmpty &&
        request.state !== "waiting" && (
          <RequireScope scope="campaigns:write">
            <button type="button" class="button primary" onClick={() => setOpened(true)}>
              New campaign
            </button>
          </RequireScope>
        )
      }
    >
      {(isOpened || isEmpty) && (
        <RequireScope scope="campaigns:write">
          <NewCampaign
            draft={draft}
            onCancel={
              isEmpty
                ? undefined
                : () => {
                    draft.discard()
                    setOpened(false)
                  }
            }
          />
        </RequireScope>
      )}
      <Section title="All campaigns">
        <WhenLoaded request={request} waiting="Looking for campaigns…">
          {({ campaigns, total }) =>
            total === 0 ? (
              <p class="quiet">None yet. Name the first one above and start it.</p>
            ) : (
              <>
                <CampaignRows campaigns={campaigns} />
                <Pager label="campaigns" offset={offset} limit={pageSize} total={total} onMove={setOffset} />
              </>
            )
          }
        </WhenLoaded>
      </Section>
    </Page>
  )
}
