// console/pages/Campaigns.tsx: every campaign, and the way to a new one.
import { useState } from "preact/hooks"
import { useAsk, useDoing, useOnce } from "#console/Asking.ts"
import { useTextDraft } from "#console/Draft.ts"
import { Form, FormTrouble, issueAt, Text } from "#console/parts/Fields.tsx"
import { Pager } from "#console/parts/Pager.tsx"
import { Act } from "#console/parts/Act.tsx"
import { Answered } from "#console/parts/Notices.tsx"
import { Page, Section } from "#console/parts/Page.tsx"
import { CampaignRows } from "#console/parts/Rows.tsx"
import { go, to } from "#console/Route.ts"
import { useSession } from "#console/Session.tsx"

const limit = 50

const New = () => {
  const { ask } = useSession()
  const draft = useTextDraft("campaign", "")
  const name = draft.value
  const once = useOnce()
  const create = useDoing(async () => {
    const { id } = await ask((api) =>
      api.campaigns.createCampaign({ headers: once(name), payload: { name: name.trim() } })
    )
    draft.drop()
    go("campaigns", id, "build", "audience")
  })
  return (
    <Form class="form panel" onSubmit={create.start}>
      <Text
        label="Name of the new campaign"
        hint="For yourself, such as “Quarries, spring”. Those who get the emails never see it."
        value={name}
        onInput={(name) => draft.set(() => name)}
        maxLength={200}
        issue={issueAt(create.problem, "name")}
        required
      />
      <FormTrouble problem={create.problem} fields={["name"]} />
      {create.problem?.code === "NOT_READY" && (
        <p>
          <a href={to("workspace")}>See how far the workspace is</a>
        </p>
      )}
      <Act kind="primary" doing={create} busy="Starting the campaign…">
        Start the campaign
      </Act>
    </Form>
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
      lead="A campaign is one audience and what you have to say to it. You build one in five short steps."
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
                <Pager of="campaigns" offset={offset} limit={limit} total={total} onMove={setOffset} />
              </>
            )
          }
        </Answered>
      </Section>
    </Page>
  )
}
