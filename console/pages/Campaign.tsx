// console/pages/Campaign.tsx: one campaign, in the part of it that is asked for.
import { loadCampaign, isBuilding } from "#console/pages/campaign/CampaignOverview.ts"
import { useRequest } from "#console/Requests.ts"
import { Build } from "#console/pages/campaign/Build.tsx"
import { Summary } from "#console/pages/campaign/Summary.tsx"
import { Preview } from "#console/pages/campaign/Preview.tsx"
import { Write } from "#console/pages/campaign/StartList.tsx"
import { WhenLoaded } from "#console/parts/Notices.tsx"
import { Page } from "#console/parts/Page.tsx"
import { routeTo } from "#console/Route.ts"

interface Props {
  readonly id: string
  readonly part: string | undefined
  readonly step: string | undefined
}

export const Campaign = ({ id, part, step }: Props) => {
  const asked = useRequest(loadCampaign(id), [id, part ?? "", step ?? ""], {
    every: ({ status }) => (isBuilding(status) ? 2000 : undefined)
  })
  if (asked.state !== "there") {
    return (
      <Page title="Campaign" within={["Campaigns", routeTo("campaigns")]}>
        <WhenLoaded asked={asked} waiting="Looking for the campaign…">
          {() => null}
        </WhenLoaded>
      </Page>
    )
  }
  const { again, value } = asked
  switch (part) {
    case "build":
      return <Build key={step ?? ""} of={value} step={step} />
    case "preview":
      return <Preview id={id} name={value.entry.name} made={step} />
    case "write":
      return <Write id={id} name={value.entry.name} />
    default:
      return <Summary of={value} again={again} />
  }
}
