// console/pages/Campaigns.tsx: every campaign, and the way to a new one.
import { useState } from "preact/hooks"
import { useAsk, useDoing, useOnce } from "#console/Asking.ts"
import { issueAt, Text } from "#console/parts/Fields.tsx"
import { Pages } from "#console/parts/Pages.tsx"
import { Act, Answered, Page, Section, Trouble } from "#console/parts/Parts.tsx"
import { CampaignRows } from "#console/parts/Rows.tsx"
import { go, to } from "#console/Route.ts"
import { useSession } from "#console/Session.tsx"

const limit = 50

const New = () => {
  const { ask } = useSession()
  const [name, setName] = useState("")
  const once = useOnce()
  const create = useDoing(async () => {
    const { id } = await ask((api) =>
      api.campaigns.createCampaign({ headers: once(name), payload: { name: name.trim() } })
    )
    go("campaigns", id, "build", "audience")
  })
  const issue = issueAt(create.problem, "name")
  return (
    <form
      class="form panel"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        create.start()
      }}
    >
      <Text
        label="Name of the new campaign"
        hint="For yourself, such as “Quarries, spring”. Those who get the emails never see it."
        value={name}
        onInput={setName}
        maxLength={200}
        issue={issue}
        required
      />
      {create.problem && issue === undefined && <Trouble problem={create.problem} />}
      {create.problem?.code === "NOT_READY" && (
        <p>
          <a href={to("workspace")}>See how far the workspace is</a>
        </p>
      )}
      <Act kind="primary" doing={create} busy="Starting the campaign…">
        Start the campaign
      </Act>
    </form>
  )
}

export const Campaigns = () => {
  const [offset, setOffset] = useState(0)
  const asked = useAsk((api) => api.campaigns.listCampaigns({ query: { limit, offset } }), [offset], {
    every: ({ campaigns }) => (campaigns.some(({ overall }) => overall === "building") ? 4000 : undefined)
  })
  return (
    <Page
      title="Campaigns"
      lead="A campaign is whom you write to, and what you have to say to them. Building one takes five short steps and no credits."
    >
      <New />
      <Section title="All campaigns">
        <Answered asked={asked} waiting="Looking for campaigns…">
          {({ campaigns, total }) =>
            total === 0 ? (
              <p class="quiet">None yet. Name the first one above and start it.</p>
            ) : (
              <>
                <CampaignRows campaigns={campaigns} />
                <Pages of="campaigns" offset={offset} limit={limit} total={total} onMove={setOffset} />
              </>
            )
          }
        </Answered>
      </Section>
    </Page>
  )
}
