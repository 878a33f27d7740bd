// console/pages/Overview.tsx: the state of the workspace, and what to do next.
import { type RequestState, useRequest } from "#console/Requests.ts"
import { isActive } from "#console/ListProgress.ts"
import { CreditSection } from "#console/pages/overview/Credits.tsx"
import { NextStep } from "#console/pages/overview/NextStep.tsx"
import {
  StatusFigures,
  loadWorkspaceStatus,
  OpenTasks,
  type WorkspaceStatus
} from "#console/pages/overview/WorkspaceStatus.tsx"
import { WhenLoaded } from "#console/parts/Notices.tsx"
import { RequireScope, useHasScope } from "#console/parts/RequireScope.tsx"
import { NewListButton } from "#console/parts/NewListButton.tsx"
import { Page, Section } from "#console/parts/Page.tsx"
import { CampaignRows, ListRows } from "#console/parts/LinkRows.tsx"
import { ModelBanner, ModelSettings, WriterLine } from "#console/parts/Writer.tsx"
import { formatCount } from "#console/parts/Format.ts"
import { OnLimitedPlan } from "#console/UnlimitedPlan.tsx"
import { routeTo } from "#console/Route.ts"

const LatestCampaignsAndLists = ({ status }: { readonly status: RequestState<WorkspaceStatus> }) => (
  <div class="two">
    <Section title="Campaigns" actions={<a href={routeTo("campaigns")}>All campaigns</a>}>
      <WhenLoaded request={status} waiting="Looking for campaigns…">
        {({ campaigns }) =>
          campaigns.length === 0 ? <p class="quiet">None yet.</p> : <CampaignRows campaigns={campaigns} />
        }
      </WhenLoaded>
    </Section>
    <Section title="Lists" actions={<a href={routeTo("lists")}>All lists</a>}>
      <WhenLoaded request={status} waiting="Looking for lists…">
        {({ counts, lists, total }) =>
          lists.length === 0 ? (
            <p class="quiet">None yet. A list appears here when leads are written to.</p>
          ) : (
            <>
              <ListRows lists={lists.slice(0, 5)} counts={counts} />
              {total > 5 && <p class="quiet">{formatCount(total, "list")} in all.</p>}
            </>
          )
        }
      </WhenLoaded>
    </Section>
  </div>
)

export const Overview = () => {
  const mayWrite = useHasScope("lists:write")
  const workspace = useRequest((api) => api.workspace.getWorkspace(), [])
  const status = useRequest(loadWorkspaceStatus, [], {
    pollAfter: ({ lists }) => (lists.some(isActive) ? 5000 : undefined)
  })
  const name = workspace.state === "loaded" ? (workspace.value.details.company_name ?? workspace.value.name) : undefined
  return (
    <Page
      title={name ?? "Overview"}
      lead="Emails written, what waits for you, and the latest campaigns and lists."
      actions={status.state === "loaded" && status.value.total > 0 && <NewListButton label="Write to your leads" />}
    >
      {workspace.state === "loaded" && <ModelBanner writer={workspace.value.writer} />}
      {workspace.state === "loaded" && status.state === "loaded" && (
        <RequireScope scope="campaigns:write">
          <NextStep
            onboarded={workspace.value.onboarding_completed}
            campaigns={status.value.campaigns}
            lists={status.value.lists}
          />
        </RequireScope>
      )}
      {status.state === "loaded" && status.value.total > 0 && (
        <Section title="Emails" lead={workspace.state === "loaded" && <WriterLine writer={workspace.value.writer} />}>
          <StatusFigures {...status.value} />
        </Section>
      )}
      {status.state === "loaded" && mayWrite && <OpenTasks {...status.value} />}
      <LatestCampaignsAndLists status={status} />
      {workspace.state === "loaded" && status.state === "loaded" && status.value.total === 0 && (
        <p class="quiet">
          <WriterLine writer={workspace.value.writer} />
        </p>
      )}
      {workspace.state === "loaded" && <ModelSettings writer={workspace.value.writer} />}
      <RequireScope scope="credits:read">
        <OnLimitedPlan>
          <CreditSection />
        </OnLimitedPlan>
      </RequireScope>
    </Page>
  )
}
