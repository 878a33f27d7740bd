// console/pages/campaign/Write.tsx: leads brought as a file, what they will cost, and the start of writing to them.
import { useState } from "preact/hooks"
import { isResearchable } from "#schema/Generation.ts"
import { useAsk, useDoing } from "#console/Asking.ts"
import { useTextDraft } from "#console/Draft.ts"
import { Form, FormTrouble, issueAt, Text } from "#console/parts/Fields.tsx"
import { Leads, useLeadFile } from "#console/pages/campaign/LeadFile.tsx"
import { Act } from "#console/parts/Act.tsx"
import { Answered, NotFollowed } from "#console/parts/Notices.tsx"
import { Page, Section } from "#console/parts/Page.tsx"
import { count, number } from "#console/parts/Words.ts"
import { optionsOf, useWriting, WritingFields } from "#console/pages/campaign/Writing.tsx"
import { OnLimitedPlan, useIsUnlimited } from "#console/Plan.tsx"
import { WriterOf } from "#console/parts/Writer.tsx"
import { go, to } from "#console/Route.ts"
import { useSession } from "#console/Session.tsx"

const Cost = ({ each, leads }: { readonly each: number; readonly leads: number }) => {
  const required = leads * each
  const check = useAsk((api) => api.credits.checkCredits({ query: { required } }), [required])
  return (
    <div class="panel cost-box" role="status">
      <p>
        {count(leads, "lead")}, {each === 1 ? "one credit" : "two credits"} each:{" "}
        <span class="strong">{count(required, "credit")}</span> at most.
      </p>
      <p class="quiet">A lead that cannot be written to costs nothing.</p>
      <Answered asked={check} waiting="Asking whether your credits are enough…">
        {({ available, sufficient }) =>
          sufficient ? (
            <p class="quiet">You have {number(available)}.</p>
          ) : (
            <p class="failed">
              You have {number(available)}, which is not enough. The operator of the server can grant more.
            </p>
          )
        }
      </Answered>
    </div>
  )
}

interface Started {
  readonly list_id: string
  readonly notices: ReadonlyArray<string>
}

/** A list whose writing has started although something that was asked for is not followed. */
const Begun = ({
  id,
  name,
  started: { list_id, notices }
}: {
  readonly id: string
  readonly name: string
  readonly started: Started
}) => (
  <Page title="Writing has started" within={[name, to("campaigns", id)]}>
    <NotFollowed notices={notices} />
    <div class="actions">
      <a class="button primary" href={to("lists", list_id)}>
        Open the list
      </a>
    </div>
  </Page>
)

const nameOf = (file: string) => file.replace(/\.\w{1,5}$/, "").slice(0, 200)

export const Write = ({ id, name }: { readonly id: string; readonly name: string }) => {
  const { ask } = useSession()
  const { draft, known } = useWriting(`write.${id}`)
  const writing = draft.value
  const { bring, brought } = useLeadFile(id)
  const title = useTextDraft(`list.${id}`, nameOf(brought?.source.name ?? ""))
  const recipient = useTextDraft(`recipient.${id}`, "")
  const isUnlimited = useIsUnlimited()
  const [started, setStarted] = useState<Started>()
  const leads = brought?.file?.leads ?? []
  const unresearchable = writing.enriched ? leads.filter((lead) => !isResearchable(lead)).length : 0
  const write = useDoing(async () => {
    if (leads.length === 0) return
    const { list_id, notices = [] } = await ask((api) =>
      api.generation.generateBatch({
        params: { id },
        payload: {
          leads,
          options: {
            ...optionsOf(writing),
            ...(title.value.trim() === "" ? {} : { list_name: title.value.trim() }),
            ...(recipient.value.trim() === "" ? {} : { notification_email: recipient.value.trim() })
          }
        }
      })
    )
    draft.keep()
    title.drop()
    recipient.drop()
    bring(undefined)
    if (notices.length === 0) go("lists", list_id)
    else setStarted({ list_id, notices })
  })
  const { problem } = write
  if (started !== undefined) return <Begun id={id} name={name} started={started} />
  return (
    <Page
      title="Write to leads"
      within={[name, to("campaigns", id)]}
      lead="Choose a file, check what is read from it, then start. Nothing is sent: you read the emails first."
    >
      <Section title="1. The leads">
        <Leads
          brought={brought}
          onChange={(next) => {
            if (next === undefined || next.source !== brought?.source) title.drop()
            bring(next)
          }}
        />
      </Section>
      {leads.length > 0 && (
        <Answered asked={known} waiting="Looking for your signatures…">
          {({ signatures, workspace }) => (
            <Form onSubmit={write.start}>
              <Section title="2. How to write">
                <WriterOf campaign={id} />
                <div class="form">
                  <WritingFields
                    writing={writing}
                    onChange={(writing) => draft.set(() => writing)}
                    signatures={signatures.data}
                    writer={workspace.writer.kind}
                    problem={problem}
                    research={
                      <>
                        <OnLimitedPlan>Two credits a lead in place of one. </OnLimitedPlan>Every lead then needs a
                        company, a LinkedIn profile or a website. The facts are listed with each lead. Only a model uses
                        them in the emails: the built-in writer does not.
                      </>
                    }
                  />
                  <Text
                    label="Name of the list"
                    value={title.value}
                    onInput={(text) => title.set(() => text)}
                    maxLength={200}
                    issue={issueAt(problem, "options.list_name")}
                  />
                  <Text
                    label="Mail when it is done"
                    hint="Optional. Without an address, the owner of the workspace gets the mail."
                    type="email"
                    autocomplete="email"
                    value={recipient.value}
                    onInput={(text) => recipient.set(() => text)}
                    issue={issueAt(problem, "options.notification_email")}
                  />
                </div>
              </Section>
              <Section title={isUnlimited === true ? "3. Start" : "3. Cost"}>
                <OnLimitedPlan>
                  <Cost leads={leads.length} each={writing.enriched ? 2 : 1} />
                </OnLimitedPlan>
                {unresearchable > 0 && (
                  <p class="issue" role="alert">
                    {count(unresearchable, "lead")} of the file {unresearchable === 1 ? "has" : "have"} no company,
                    LinkedIn profile or website to research. Map such a column, or write without reading sites.
                  </p>
                )}
                <FormTrouble
                  problem={problem}
                  fields={[
                    "options.list_name",
                    "options.notification_email",
                    "options.email_signature",
                    "options.signature_id"
                  ]}
                />
                {problem?.code === "UNREACHABLE" && (
                  <p>
                    It may have begun all the same. <a href={to("lists")}>Look among the lists</a> before you start it
                    again, or its leads are written to twice.
                  </p>
                )}
                <div class="form-end">
                  <Act kind="primary" doing={write} busy="Sending the leads…" disabled={unresearchable > 0}>
                    Start writing to {count(leads.length, "lead")}
                  </Act>
                </div>
              </Section>
            </Form>
          )}
        </Answered>
      )}
    </Page>
  )
}
