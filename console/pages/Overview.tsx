// console/pages/Overview.tsx: the state of the workspace, and what to do next.
import { Effect } from "effect"
import type { CampaignEntry } from "#schema/Campaigns.ts"
import type { CreditAccount } from "#schema/Credits.ts"
import type { ListEntry } from "#schema/Lists.ts"
import { useAsk } from "#console/Asking.ts"
import { countLists } from "#console/Following.ts"
import { Plot } from "#console/pages/overview/Plot.tsx"
import { Answered, Empty } from "#console/parts/Notices.tsx"
import { Page, Section } from "#console/parts/Page.tsx"
import { CampaignRows, ListRows } from "#console/parts/Rows.tsx"
import { ModelBanner, WriterLine } from "#console/parts/Writer.tsx"
import { allowance, count, day, number } from "#console/parts/Words.ts"
import { to } from "#console/Route.ts"

const Credits = ({ account }: { readonly account: CreditAccount }) => {
  const { balance, is_unlimited, payg, period, plan, usage } = account
  return (
    <dl class="figures">
      <div>
        <dt>Credits left</dt>
        <dd class="big">{is_unlimited ? "No limit" : number(balance)}</dd>
      </div>
      <div>
        <dt>Spent in this period</dt>
        <dd>
          {number(usage.credits_used_this_period)}
          {!is_unlimited && <span class="quiet"> {allowance(account)}</span>}
        </dd>
      </div>
      <div>
        <dt>Period ends</dt>
        <dd>{day(period.end)}</dd>
      </div>
      <div>
        <dt>Plan</dt>
        <dd class="capital">{plan.tier}</dd>
      </div>
      {payg.enabled && (
        <div>
          <dt>Pay as you go</dt>
          <dd>
            {number(payg.credits_used)} <span class="quiet">{Math.round(payg.pct_of_cap * 100)}% of the cap</span>
          </dd>
        </div>
      )}
    </dl>
  )
}

interface NextProps {
  readonly onboarded: boolean
  readonly campaigns: ReadonlyArray<CampaignEntry>
  readonly lists: ReadonlyArray<ListEntry>
}

const Next = ({ campaigns, lists, onboarded }: NextProps) => {
  const ready = campaigns.find(({ overall }) => overall === "ready")
  const draft = campaigns.find(({ overall }) => overall === "draft")
  if (!onboarded) {
    return (
      <Empty
        title="First, tell what the business does"
        actions={
          <a class="button primary" href={to("workspace")}>
            Fill in the profile
          </a>
        }
      >
        Emails are written from the profile and nothing else. Have its documents made once it is filled in.
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
        A campaign is built in five short steps, each with options to choose from. It costs no credits.
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

export const Overview = () => {
  const workspace = useAsk((api) => api.workspace.getWorkspace(), [])
  const standing = useAsk(
    Effect.fnUntraced(function* (api) {
      const campaigns = yield* api.campaigns.listCampaigns({ query: { limit: 5, offset: 0 } })
      const lists = yield* api.lists.listLists({ query: { limit: 5, offset: 0, source: "batch" } })
      return { campaigns, lists, counts: yield* countLists(api, lists.lists) }
    }),
    []
  )
  const credits = useAsk(
    (api) => Effect.all({ account: api.credits.getCredits(), usage: api.credits.getCreditUsage() }),
    []
  )
  const name = workspace.state === "there" ? (workspace.value.details.company_name ?? workspace.value.name) : undefined
  return (
    <Page title={name ?? "Overview"} lead="Where the workspace stands, and what to do next.">
      {workspace.state === "there" && <ModelBanner writer={workspace.value.writer} />}
      {workspace.state === "there" && standing.state === "there" && (
        <Next
          onboarded={workspace.value.onboarding_completed}
          campaigns={standing.value.campaigns.campaigns}
          lists={standing.value.lists.lists}
        />
      )}
      <Section title="Credits" lead="One for each lead that is written to, two with research; five for a preview.">
        <Answered asked={credits} waiting="Adding up the credits…">
          {({ account, usage }) => (
            <div class="panel">
              <Credits account={account} />
              <Plot usage={usage} />
            </div>
          )}
        </Answered>
      </Section>
      <div class="two">
        <Section title="Campaigns" actions={<a href={to("campaigns")}>All campaigns</a>}>
          <Answered asked={standing} waiting="Looking for campaigns…">
            {({ campaigns: { campaigns } }) =>
              campaigns.length === 0 ? <p class="quiet">None yet.</p> : <CampaignRows campaigns={campaigns} />
            }
          </Answered>
        </Section>
        <Section title="Lists" actions={<a href={to("lists")}>All lists</a>}>
          <Answered asked={standing} waiting="Looking for lists…">
            {({ counts, lists: { lists, total } }) =>
              lists.length === 0 ? (
                <p class="quiet">None yet. A list appears here when leads are written to.</p>
              ) : (
                <>
                  <ListRows lists={lists} counts={counts} />
                  {total > lists.length && <p class="quiet">{count(total, "list")} in all.</p>}
                </>
              )
            }
          </Answered>
        </Section>
      </div>
      {workspace.state === "there" && <WriterLine writer={workspace.value.writer} />}
    </Page>
  )
}
