// console/pages/Campaign.tsx: one campaign: what it has chosen, its documents, and what can be done with it.
import type { ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import type { Selection } from "#schema/Assets.ts"
import type { TargetAudience } from "#schema/Audiences.ts"
import { campaignOf, isMoving, type Overall, steps } from "#console/Campaigns.ts"
import { type Asked, useAsk, useDoing, useOnce } from "#console/Asking.ts"
import { Build } from "#console/pages/Build.tsx"
import { Preview } from "#console/pages/write/Preview.tsx"
import { Write } from "#console/pages/write/Write.tsx"
import { Confirm } from "#console/parts/Confirm.tsx"
import { Documents } from "#console/parts/Documents.tsx"
import { issueAt, Select, Text } from "#console/parts/Fields.tsx"
import { Act, Answered, Empty, Page, Section, State, Trouble, Waiting } from "#console/parts/Parts.tsx"
import { Rename } from "#console/parts/Rename.tsx"
import { stateOfCampaign } from "#console/parts/Words.ts"
import { go, to } from "#console/Route.ts"
import { useSession } from "#console/Session.tsx"

export const listed = (value: string | ReadonlyArray<string>) => (typeof value === "string" ? value : value.join(", "))

const Audience = ({ of }: { readonly of: TargetAudience | null }) =>
  of === null ? (
    <p class="quiet">Not chosen yet.</p>
  ) : (
    <>
      <p class="strong">{of.segment_name}</p>
      <p>
        {[of.industry_vertical, of.company_size, of.geographic_location, listed(of.decision_makers)]
          .filter((part) => part !== "")
          .join(" · ")}
      </p>
    </>
  )

const Chosen = ({ of }: { readonly of: Selection | null }) =>
  of === null ? (
    <p class="quiet">Not chosen yet.</p>
  ) : of.items.length === 0 ? (
    <p class="quiet">None, by choice.</p>
  ) : (
    <ul class="plain-list">
      {of.items.map(({ description, id, name }) => (
        <li key={id}>
          <p class="strong">{name}</p>
          {description !== name && <p>{description}</p>}
        </li>
      ))}
    </ul>
  )

const Branch = ({ id, name }: { readonly id: string; readonly name: string }) => {
  const { ask } = useSession()
  const [title, setTitle] = useState(`${name}, second try`.slice(0, 200))
  const [from, setFrom] = useState("value-propositions")
  const once = useOnce()
  const branch = useDoing(async () => {
    const step = branchSteps.find(([path]) => path === from)?.[0] ?? "value-propositions"
    const made = await ask((api) =>
      api.campaigns.branchCampaign({
        params: { id },
        headers: once([title, step]),
        payload: { name: title.trim(), branch_from_step: step }
      })
    )
    go("campaigns", made.id, "build")
  })
  const issue = issueAt(branch.problem, "name")
  return (
    <details>
      <summary>Try another way with a copy</summary>
      <form
        class="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          branch.start()
        }}
      >
        <Text label="Name of the copy" value={title} onInput={setTitle} maxLength={200} issue={issue} required />
        <Select
          label="Choose anew from"
          hint="The steps before it are copied; it and those after it are open again. Counts as a campaign build of the plan."
          value={from}
          options={branchSteps}
          onChange={setFrom}
        />
        {branch.problem && issue === undefined && <Trouble problem={branch.problem} />}
        <Act doing={branch} busy="Copying…">
          Make the copy
        </Act>
      </form>
    </details>
  )
}

const branchSteps = [
  ["social-proof", "Social proof"],
  ["lead-magnets", "Lead magnet"],
  ["risk-reversal", "Risk reversal"],
  ["value-propositions", "Value propositions"]
] as const

interface Of {
  readonly id: string
}

const Summary = ({ asked, id }: Of & { readonly asked: Asked<Overall> }) => {
  const { ask } = useSession()
  const documents = useAsk(
    (api) => api.campaigns.listCampaignDocuments({ params: { id } }),
    [id, asked.state === "there" ? asked.value.status.overall : ""]
  )
  const remove = useDoing(async () => {
    await ask((api) => api.campaigns.deleteCampaign({ params: { id } }))
    go("campaigns")
  })
  if (asked.state !== "there") return null
  const { chosen, entry, status } = asked.value
  const { overall } = status
  const ready = overall === "ready"
  const writable = ready || overall === "building"
  return (
    <Page
      title={entry.name}
      within={["Campaigns", to("campaigns")]}
      lead={<State of={stateOfCampaign[overall]} />}
      actions={
        writable && (
          <>
            <a class="button primary" href={to("campaigns", id, "write")}>
              Write to leads
            </a>
            {ready && (
              <a class="button" href={to("campaigns", id, "preview")}>
                Preview
              </a>
            )}
            {ready && (
              <a class="button" href={to("conversations", "new", id)}>
                Ask about it
              </a>
            )}
          </>
        )
      }
    >
      {overall === "building" && (
        <p class="note" role="status">
          The email instructions are being written. You can send leads already: writing begins when they are done.
        </p>
      )}
      {overall === "draft" && (
        <Empty
          title="A few choices are still open"
          actions={
            <a class="button primary" href={to("campaigns", id, "build")}>
              Go on with it
            </a>
          }
        >
          Emails can be written once the last step is chosen.
        </Empty>
      )}
      {overall === "failed" && (
        <Empty
          title="Making it has failed"
          actions={
            <a class="button primary" href={to("campaigns", id, "build")}>
              Go to the steps
            </a>
          }
        >
          Submit the step that failed once more. Nothing was charged.
        </Empty>
      )}
      <Section title="What it says">
        <dl class="chosen">
          {steps.map(({ name, type }) => (
            <div key={type}>
              <dt>
                {name}{" "}
                <a href={to("campaigns", id, "build", type)}>
                  Change<span class="unseen"> {name}</span>
                </a>
              </dt>
              <dd>
                {type === "audience" ? (
                  <Audience of={chosen.target_audience} />
                ) : (
                  <Chosen of={chosen.selections[type]} />
                )}
              </dd>
            </div>
          ))}
        </dl>
      </Section>
      <Section title="Documents" lead="What was written for this campaign, and what its emails and answers come from.">
        <Answered asked={documents} waiting="Looking for the documents…">
          {({ documents }) => <Documents of={documents} />}
        </Answered>
      </Section>
      <Section title="This campaign">
        <div class="actions">
          <Rename
            label="Name of the campaign"
            name={entry.name}
            path="name"
            save={async (name) => {
              await ask((api) => api.campaigns.renameCampaign({ params: { id }, payload: { name } }))
              asked.again()
            }}
          />
          <Confirm
            label="Delete the campaign"
            question="Delete this campaign with its documents and conversations? Its lists stay. It cannot be undone."
            busy="Deleting…"
            doing={remove}
          />
        </div>
        <Branch id={id} name={entry.name} />
      </Section>
    </Page>
  )
}

export const Campaign = ({
  id,
  part,
  step
}: Of & { readonly part: string | undefined; readonly step: string | undefined }) => {
  const asked = useAsk(campaignOf(id), [id, part ?? "", step ?? ""], {
    every: ({ status }) => (isMoving(status) ? 2000 : undefined)
  })
  if (asked.state !== "there") {
    return (
      <Page key="waiting" title="Campaign" within={["Campaigns", to("campaigns")]}>
        {asked.state === "waiting" ? (
          <Waiting>Looking for the campaign…</Waiting>
        ) : (
          <Trouble problem={asked.problem} again={asked.again} />
        )}
      </Page>
    )
  }
  const pages: Readonly<Record<string, () => ComponentChildren>> = {
    build: () => <Build key={step ?? ""} asked={asked} step={step} />,
    preview: () => <Preview id={id} name={asked.value.entry.name} />,
    write: () => <Write id={id} name={asked.value.entry.name} />
  }
  return <>{(pages[part ?? ""] ?? (() => <Summary id={id} asked={asked} />))()}</>
}
