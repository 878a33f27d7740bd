// console/pages/Overview.tsx: the state of the workspace, and what to do next.
import { useAsk } from "#console/Asking.ts"
import { isActive } from "#console/Following.ts"
import { CreditSection } from "#console/pages/overview/Credits.tsx"
import { Next } from "#console/pages/overview/Next.tsx"
import { Figures, standingOf, ToDo } from "#console/pages/overview/Standing.tsx"
import { Answered } from "#console/parts/Notices.tsx"
import { Page, Section } from "#console/parts/Page.tsx"
import { CampaignRows, ListRows } from "#console/parts/Rows.tsx"
import { ModelBanner, WriterLine } from "#console/parts/Writer.tsx"
import { count } from "#console/parts/Words.ts"
import { OnLimitedPlan } from "#console/Plan.tsx"
import { to } from "#console/Route.ts"

export const Overview = () => {
  const workspace = useAsk((api) => api.workspace.getWorkspace(), [])
  const standing = useAsk(standingOf, [], {
    every: ({ lists }) => (lists.some(isActive) ? 5000 : undefined)
  })
  const name = workspace.state === "there" ? (workspace.value.details.company_name ?? workspace.value.name) : undefined
  return (
    <Page title={name ?? "Overview"} lead="Emails written, what waits for you, and the latest campaigns and lists.">
      {workspace.state === "there" && <ModelBanner writer={workspace.value.writer} />}
      {workspace.state === "there" && standing.state === "there" && (
        <Next
          onboarded={workspace.value.onboarding_completed}
          campaigns={standing.value.campaigns}
          lists={standing.value.lists}
        />
      )}
      {standing.state === "there" && standing.value.total > 0 && (
        <Section title="Emails" lead={workspace.state === "there" && <WriterLine writer={workspace.value.writer} />}>
          <Figures {...standing.value} />
        </Section>
      )}
      {standing.state === "there" && <ToDo {...standing.value} />}
      <div class="two">
        <Section title="Campaigns" actions={<a href={to("campaigns")}>All campaigns</a>}>
          <Answered asked={standing} waiting="Looking for campaigns…">
            {({ campaigns }) =>
              campaigns.length === 0 ? <p class="quiet">None yet.</p> : <CampaignRows campaigns={campaigns} />
            }
          </Answered>
        </Section>
        <Section title="Lists" actions={<a href={to("lists")}>All lists</a>}>
          <Answered asked={standing} waiting="Looking for lists…">
            {({ counts, lists, total }) =>
              lists.length === 0 ? (
                <p class="quiet">None yet. A list appears here when leads are written to.</p>
              ) : (
                <>
                  <ListRows lists={lists.slice(0, 5)} counts={counts} />
                  {total > 5 && <p class="quiet">{count(total, "list")} in all.</p>}
                </>
              )
            }
          </Answered>
        </Section>
      </div>
      {workspace.state === "there" && standing.state === "there" && standing.value.total === 0 && (
        <p class="quiet">
          <WriterLine writer={workspace.value.writer} />
        </p>
      )}
      <OnLimitedPlan>
        <CreditSection />
      </OnLimitedPlan>
    </Page>
  )
}
