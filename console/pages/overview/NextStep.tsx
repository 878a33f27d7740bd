// console/pages/overview/NextStep.tsx: the next step of a workspace: the profile, a first or unfinished campaign, or the first list.
import type { CampaignEntry } from "#schema/Campaigns.ts"
import type { ListEntry } from "#schema/Lists.ts"
import { EmptyNotice } from "#console/parts/Notices.tsx"
import { routeTo } from "#console/Route.ts"

interface NextProps {
  readonly onboarded: boolean
  readonly campaigns: ReadonlyArray<CampaignEntry>
  readonly lists: ReadonlyArray<ListEntry>
}

const ReadyToWrite = ({ campaign: { id, name } }: { readonly campaign: CampaignEntry }) => (
  <EmptyNotice
    title={`“${name}” is ready to write`}
    actions={
      <>
        <a class="button primary" href={routeTo("campaigns", id, "preview")}>
          Preview five leads
        </a>
        <a class="button" href={routeTo("campaigns", id, "write")}>
          Write to your leads
        </a>
      </>
    }
  >
    See how it sounds for five made-up leads, or bring a file of your own.
  </EmptyNotice>
)

export const NextStep = ({ campaigns, lists, onboarded }: NextProps) => {
  const ready = campaigns.find(({ overall }) => overall === "ready")
  const draft = campaigns.find(({ overall }) => overall === "draft")
  if (!onboarded) {
    return (
      <EmptyNotice
        title="Fill in the company profile first"
        actions={
          <a class="button primary" href={routeTo("workspace")}>
            Fill in the profile
          </a>
        }
      >
        Emails are written from the profile and nothing else. Regenerate its documents once it is filled in.
      </EmptyNotice>
    )
  }
  if (ready !== undefined && lists.length === 0) return <ReadyToWrite campaign={ready} />
  if (campaigns.length === 0) {
    return (
      <EmptyNotice
        title="No campaign yet"
        actions={
          <a class="button primary" href={routeTo("campaigns")}>
            Start a campaign
          </a>
        }
      >
        A campaign is built in a few steps, each a choice among options. You then check its templates and write.
      </EmptyNotice>
    )
  }
  if (ready === undefined && draft !== undefined) {
    return (
      <EmptyNotice
        title={`“${draft.name}” is not finished`}
        actions={
          <a class="button primary" href={routeTo("campaigns", draft.id, "build")}>
            Continue
          </a>
        }
      >
        Its remaining steps take a few minutes.
      </EmptyNotice>
    )
  }
  return null
}
