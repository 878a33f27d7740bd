// console/pages/campaign/Summary.tsx: what a campaign has chosen, its documents, and what can be done with it.
import type { Selection } from "#schema/Assets.ts"
import type { TargetAudience } from "#schema/Audiences.ts"
import { useRequest, useAction } from "#console/Requests.ts"
import type { CampaignOverview } from "#console/pages/campaign/CampaignOverview.ts"
import { OutdatedNote, RebuildButton, useRebuild } from "#console/pages/campaign/Rebuild.tsx"
import { CompanyChanged } from "#console/pages/campaign/CompanyChanged.tsx"
import { CampaignLists } from "#console/pages/campaign/CampaignLists.tsx"
import { BranchDialog } from "#console/pages/campaign/BranchDialog.tsx"
import { ConfirmDialog } from "#console/parts/ConfirmDialog.tsx"
import { Documents } from "#console/parts/Documents.tsx"
import { RequireScope } from "#console/parts/RequireScope.tsx"
import { Menu } from "#console/parts/Menu.tsx"
import { WhenLoaded, EmptyNotice, StateNotice, ProblemNotice } from "#console/parts/Notices.tsx"
import { Page, Section } from "#console/parts/Page.tsx"
import { RenameDialog } from "#console/parts/RenameDialog.tsx"
import { joinCommaList, campaignState } from "#console/parts/Format.ts"
import { navigate, routeTo } from "#console/Route.ts"
import { useSession } from "#console/Session.tsx"
import { steps } from "#console/pages/campaign/Steps.ts"

const Audience = ({ audience }: { readonly audience: TargetAudience | null }) =>
  audience === null ? (
    <p class="quiet">Not chosen yet.</p>
  ) : (
    <>
      <p class="strong">{audience.segment_name}</p>
      <p>
        {[
          audience.industry_vertical,
          audience.company_size,
          audience.geographic_location,
          joinCommaList(audience.decision_makers)
        ]
          .filter((part) => part !== "" && part !== audience.segment_name)
          .join(" · ")}
      </p>
    </>
  )

const ChosenItems = ({ selection }: { readonly selection: Selection | null }) =>
  selection === null ? (
    <p class="quiet">Not chosen yet.</p>
  ) : selection.items.length === 0 ? (
    <p class="quiet">None chosen.</p>
  ) : (
    <ul class="plain-list">
      {selection.items.map(({ description, id, name }) => (
        <li key={id}>
          <p class="strong">{name}</p>
          {description !== name && <p>{description}</p>}
        </li>
      ))}
    </ul>
  )

interface Props {
  readonly overview: CampaignOverview
  readonly reload: () => void
}

/** The campaign's menu; each action opens a dialog. */
const CampaignMenu = ({
  reload,
  entry: { id, name }
}: {
  readonly entry: CampaignOverview["entry"]
  readonly reload: () => void
}) => {
  const { callApi } = useSession()
  const remove = useAction(async () => {
    await callApi((api) => api.campaigns.deleteCampaign({ params: { id } }))
    navigate("campaigns")
  })
  return (
    <Menu
      label="More actions"
      items={[
        {
          label: "Rename",
          dialog: (close) => (
            <RenameDialog
              label="Name of the campaign"
              name={name}
              path="name"
              save={async (name) => {
                await callApi((api) => api.campaigns.renameCampaign({ params: { id }, payload: { name } }))
                reload()
              }}
              onClose={close}
            />
          )
        },
        { label: "Copy", dialog: (close) => <BranchDialog id={id} name={name} onClose={close} /> },
        {
          label: "Delete the campaign",
          isDanger: true,
          dialog: (close) => (
            <ConfirmDialog
              label="Delete the campaign"
              confirmLabel="Delete"
              question="Delete this campaign with its documents, previews and conversations? Its lists stay. It cannot be undone."
              busyLabel="Deleting…"
              action={remove}
              onClose={close}
            />
          )
        }
      ]}
    />
  )
}

const Actions = ({
  reload,
  entry,
  overall
}: Pick<CampaignOverview, "entry"> & { readonly overall: string; readonly reload: () => void }) => {
  const { id } = entry
  const ready = overall === "ready"
  return (
    <>
      {(ready || overall === "building") && (
        <RequireScope scope="campaigns:write">
          <a class="button primary" href={routeTo("campaigns", id, "write")}>
            Write to leads
          </a>
        </RequireScope>
      )}
      {ready && (
        <>
          <a class="button" href={routeTo("campaigns", id, "build", "emails")}>
            Templates
          </a>
          <a class="button" href={routeTo("campaigns", id, "preview")}>
            Preview
          </a>
          <RequireScope scope="agent:write">
            <a class="button" href={routeTo("conversations", "new", id)}>
              Ask a question
            </a>
          </RequireScope>
        </>
      )}
      <RequireScope scope="campaigns:write">
        <CampaignMenu entry={entry} reload={reload} />
      </RequireScope>
    </>
  )
}

interface StatusProps {
  readonly id: string
  readonly overall: CampaignOverview["status"]["overall"]
}

/** Explains what a campaign that is not ready is waiting for. */
const StatusNote = ({ id, overall }: StatusProps) => {
  const toSteps = (label: string) => (
    <a class="button primary" href={routeTo("campaigns", id, "build")}>
      {label}
    </a>
  )
  switch (overall) {
    case "ready":
      return null
    case "building":
      return (
        <p class="note" role="status">
          The email instructions are being written. You can send leads already: writing begins when they are done.
        </p>
      )
    case "draft":
      return (
        <EmptyNotice title="A few choices are still open" actions={toSteps("Continue")}>
          Emails can be written once the last step is chosen.
        </EmptyNotice>
      )
    case "failed":
      return (
        <EmptyNotice title="Making it has failed" actions={toSteps("Go to the steps")}>
          Submit the step that failed once more. Nothing was charged.
        </EmptyNotice>
      )
  }
}

const Choices = ({ chosen, id }: { readonly chosen: CampaignOverview["chosen"]; readonly id: string }) => (
  <Section title="Choices">
    <dl class="chosen">
      {steps.map(({ name, type }) => (
        <div key={type}>
          <dt>
            {name}{" "}
            <RequireScope scope="campaigns:write">
              <a href={routeTo("campaigns", id, "build", type)}>
                Change<span class="unseen"> {name}</span>
              </a>
            </RequireScope>
          </dt>
          <dd>
            {type === "audience" ? (
              <Audience audience={chosen.target_audience} />
            ) : (
              <ChosenItems selection={chosen.selections[type]} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  </Section>
)

export const Summary = ({ reload, overview }: Props) => {
  const { chosen, entry, status } = overview
  const { id } = entry
  const { overall } = status
  const documents = useRequest((api) => api.campaigns.listCampaignDocuments({ params: { id } }), [id, overall])
  const rebuild = useRebuild(overview, () => {
    reload()
    documents.reload()
  })
  const { isOutdated } = rebuild
  const ready = overall === "ready"
  return (
    <Page
      title={entry.name}
      within={["Campaigns", routeTo("campaigns")]}
      lead={<StateNotice state={campaignState[overall]} />}
      actions={<Actions entry={entry} overall={overall} reload={reload} />}
    >
      <CompanyChanged overview={overview} rebuild={rebuild} />
      {isOutdated && status.company_changed === undefined && <OutdatedNote action={rebuild} />}
      <StatusNote id={id} overall={overall} />
      {overall !== "draft" && <CampaignLists campaign={id} />}
      <Choices chosen={chosen} id={id} />
      <Section
        title="Documents"
        lead="What was written for this campaign. Questions are answered from it."
        actions={
          ready &&
          !isOutdated &&
          status.company_changed === undefined && (
            <RequireScope scope="campaigns:write">
              <RebuildButton action={rebuild} />
            </RequireScope>
          )
        }
      >
        {!isOutdated && status.company_changed === undefined && rebuild.problem && (
          <ProblemNotice title="The campaign could not be rebuilt" problem={rebuild.problem} />
        )}
        <WhenLoaded request={documents} waiting="Looking for the documents…">
          {({ documents }) => <Documents documents={documents} isOutdated={isOutdated} />}
        </WhenLoaded>
      </Section>
    </Page>
  )
}
