// console/pages/campaign/Summary.tsx: what a campaign has chosen, its documents, and what can be done with it.
import type { Selection } from "#schema/Assets.ts"
import type { TargetAudience } from "#schema/Audiences.ts"
import { useAsk, useDoing } from "#console/Asking.ts"
import type { Overall } from "#console/pages/campaign/Overall.ts"
import { Branch } from "#console/pages/campaign/Branch.tsx"
import { Confirm } from "#console/parts/Confirm.tsx"
import { Documents } from "#console/parts/Documents.tsx"
import { Answered, Empty, State } from "#console/parts/Notices.tsx"
import { Page, Section } from "#console/parts/Page.tsx"
import { Rename } from "#console/parts/Rename.tsx"
import { joined, stateOfCampaign } from "#console/parts/Words.ts"
import { go, to } from "#console/Route.ts"
import { useSession } from "#console/Session.tsx"
import { steps } from "#console/pages/campaign/Steps.ts"

const Audience = ({ of }: { readonly of: TargetAudience | null }) =>
  of === null ? (
    <p class="quiet">Not chosen yet.</p>
  ) : (
    <>
      <p class="strong">{of.segment_name}</p>
      <p>
        {[of.industry_vertical, of.company_size, of.geographic_location, joined(of.decision_makers)]
          .filter((part) => part !== "" && part !== of.segment_name)
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

interface Props {
  readonly of: Overall
  readonly again: () => void
}

export const Summary = ({ again, of: { chosen, entry, status } }: Props) => {
  const { id } = entry
  const { overall } = status
  const { ask } = useSession()
  const documents = useAsk((api) => api.campaigns.listCampaignDocuments({ params: { id } }), [id, overall])
  const remove = useDoing(async () => {
    await ask((api) => api.campaigns.deleteCampaign({ params: { id } }))
    go("campaigns")
  })
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
              <a class="button" href={to("campaigns", id, "build", "emails")}>
                Review the emails
              </a>
            )}
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
              Continue
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
      <Section title="Documents" lead="What was written for this campaign. Questions are answered from it.">
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
              again()
            }}
          />
          <Branch id={id} name={entry.name} />
          <Confirm
            label="Delete the campaign"
            verb="Delete"
            question="Delete this campaign with its documents, previews and conversations? Its lists stay. It cannot be undone."
            busy="Deleting…"
            doing={remove}
          />
        </div>
      </Section>
    </Page>
  )
}
