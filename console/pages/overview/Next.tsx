// console/pages/overview/Next.tsx: the next step of a workspace that has no list yet.
import type { CampaignEntry } from "#schema/Campaigns.ts"
import type { ListEntry } from "#schema/Lists.ts"
import { Empty } from "#console/parts/Notices.tsx"
import { to } from "#console/Route.ts"

interface NextProps {
  readonly onboarded: boolean
  readonly campaigns: ReadonlyArray<CampaignEntry>
  readonly lists: ReadonlyArray<ListEntry>
}

export const Next = ({ campaigns, lists, onboarded }: NextProps) => {
  const ready = campaigns.find(({ overall }) => overall === "ready")
  const draft = campaigns.find(({ overall }) => overall === "draft")
  if (!onboarded) {
    return (
      <Empty
        title="Fill in the company profile first"
        actions={
          <a class="button primary" href={to("workspace")}>
            Fill in the profile
          </a>
        }
      >
        Emails are written from the profile and nothing else. Regenerate its documents once it is filled in.
      </Empty>
    )
  }
  if (ready !== undefined && lists.length === 0) {
    return (
      <Empty
        title={`“${ready.name}” is ready to write`}
        actions={
          <>
            <a class="button primary" href={to("campaigns", ready.id, "preview")}>
              Preview five emails
            </a>
            <a class="button" href={to("campaigns", ready.id, "write")}>
              Write to your leads
            </a>
          </>
        }
      >
        See how it sounds for five made-up leads, or bring a file of your own.
      </Empty>
    )
  }
  if (campaigns.length === 0) {
    return (
      <Empty
        title="No campaign yet"
        actions={
          <a class="button primary" href={to("campaigns")}>
            Start a campaign
          </a>
        }
      >
        A campaign is built in five short steps, each with options to choose from.
      </Empty>
    )
  }
  if (ready === undefined && draft !== undefined) {
    return (
      <Empty
        title={`“${draft.name}” is not finished`}
        actions={
          <a class="button primary" href={to("campaigns", draft.id, "build")}>
            Continue
          </a>
        }
      >
        Its remaining steps take a few minutes.
      </Empty>
    )
  }
  return null
}
