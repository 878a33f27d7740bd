// console/pages/Campaign.tsx: one campaign; selects the page to show for a route.
import { loadCampaign, isBuilding } from "#console/pages/campaign/CampaignOverview.ts"
import { useRequest } from "#console/Requests.ts"
import { Build } from "#console/pages/campaign/Build.tsx"
import { Summary } from "#console/pages/campaign/Summary.tsx"
import { Preview } from "#console/pages/campaign/Preview.tsx"
import { StartList } from "#console/pages/campaign/StartList.tsx"
import { WhenLoaded } from "#console/parts/Notices.tsx"
import { Page } from "#console/parts/Page.tsx"
import { routeTo } from "#console/Route.ts"

interface Props {
  readonly id: string
  readonly part: string | undefined
  readonly step: string | undefined
}

export const Campaign = ({ id, part, step }: Props) => {
  const request = useRequest(loadCampaign(id), [id, part ?? "", step ?? ""], {
    pollAfter: ({ status }) => (isBuilding(status) ? 2000 : undefined)
  })
  if (request.state !== "loaded") {
    return (
      <Page title="Campaign" within={["Campaigns", routeTo("campaigns")]}>
        <WhenLoaded request={request} waiting="Looking for the campaign…">
          {() => null}
        </WhenLoaded>
      </Page>
    )
  }
  const { reload, value } = request
  switch (part) {
    case "build":
      return <Build key={step ?? ""} overview={value} step={step} />
    case "preview":
      return <Preview overview={value} previewId={step} />
    case "write":
      return <StartList overview={value} />
    default:
      return <Summary overview={value} reload={reload} />
  }
}
