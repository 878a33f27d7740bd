// console/pages/campaign/CompanyChanged.tsx: says that the profile names another company than the one a campaign was built for.
import type { CampaignOverview } from "#console/pages/campaign/CampaignOverview.ts"
import { RebuildButton } from "#console/pages/campaign/Rebuild.tsx"
import { RequireScope } from "#console/parts/RequireScope.tsx"
import { ProblemNotice } from "#console/parts/Notices.tsx"
import type { ActionState } from "#console/Requests.ts"
import { routeTo } from "#console/Route.ts"

interface Props {
  readonly overview: Pick<CampaignOverview, "entry" | "status">
  /** On the campaign's own page, which can rebuild it; other pages link to it. */
  readonly rebuild?: ActionState
}

/** Nothing if the campaign and the profile name the same company. */
export const CompanyChanged = ({ overview: { entry, status }, rebuild }: Props) => {
  if (status.company_changed === undefined) return null
  const { from, to } = status.company_changed
  return (
    <div class="note" role="status">
      <p>
        <span class="strong">
          Built for {from}; the profile {to === null ? "names no company now" : `now says ${to}`}.
        </span>{" "}
        Emails from this campaign are in the name of {from}, with its audience, proof and offers.{" "}
        {to === null ? "Fill in the profile, then start" : "Start"} a new campaign for {to ?? "the other company"}. If
        the company only changed its name, rebuild this campaign{rebuild === undefined && " on its page"} instead.
      </p>
      <RequireScope scope="campaigns:write">
        <div class="actions">
          <a class="button primary" href={to === null ? routeTo("workspace") : routeTo("campaigns")}>
            {to === null ? "Fill in the profile" : "New campaign"}
          </a>
          {rebuild ? (
            <RebuildButton action={rebuild} />
          ) : (
            <a class="button" href={routeTo("campaigns", entry.id)}>
              Open the campaign
            </a>
          )}
        </div>
      </RequireScope>
      {rebuild?.problem && <ProblemNotice problem={rebuild.problem} title="The campaign could not be rebuilt" />}
    </div>
  )
}
