// console/pages/campaign/StartList.tsx: starts a list from a lead file: who is left out, what it costs, and the writing options.
import type { ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import { Effect } from "effect"
import { isResearchable } from "#schema/Generation.ts"
import type { Lead } from "#schema/Lead.ts"
import { type ActionState, useRequest, useAction } from "#console/Requests.ts"
import { useTextDraft } from "#console/Draft.ts"
import { Form, FormTrouble, issueAt, TextInput } from "#console/parts/Fields.tsx"
import { LeadFilePicker } from "#console/pages/campaign/LeadFile.tsx"
import { useLeadFile } from "#console/pages/campaign/leads/LoadedLeadFile.ts"
import { AddressChecks, useChecked } from "#console/pages/campaign/leads/AddressChecks.tsx"
import { keptOf, LeftOut, leftOutLeads, PossiblyLeftOut } from "#console/pages/campaign/leads/LeftOut.tsx"
import {
  countWritten,
  SkipFields,
  noteSkipped,
  skipOptionsOf,
  useSkipOptions
} from "#console/pages/campaign/leads/SkipOptions.tsx"
import { ActionButton } from "#console/parts/ActionButton.tsx"
import { doNotContact } from "#console/parts/Labels.ts"
import { Writable } from "#console/parts/RequireScope.tsx"
import { WhenLoaded, NoticeList } from "#console/parts/Notices.tsx"
import { Page } from "#console/parts/Page.tsx"
import { countOf, formatNumber } from "#console/parts/Format.ts"
import { EmailFields, optionsOf, SignatureFields, useWriting } from "#console/pages/campaign/WritingOptions.tsx"
import { OnLimitedPlan, useIsUnlimited } from "#console/UnlimitedPlan.tsx"
import { WriterOf } from "#console/parts/Writer.tsx"
import { navigate, routeTo } from "#console/Route.ts"
import { useSession } from "#console/Session.tsx"

interface StartProps {
  readonly leads: number
  readonly creditsPerLead: number
  readonly write: ActionState
  /** Leads that were written to before and are kept. */
  readonly writtenAgain: number
  /** Leads that are kept although their company may be one to leave out. */
  readonly toLookAt: number
  /** Why it cannot start, besides credits. */
  readonly obstacle: string | undefined
}

/** The cost and the start button, always visible at the bottom of the window. */
const StartBar = ({ writtenAgain, creditsPerLead, leads, obstacle, toLookAt, write }: StartProps) => {
  const isUnlimited = useIsUnlimited()
  const required = leads * creditsPerLead
  const check = useRequest((api) => api.credits.checkCredits({ query: { required } }), [required])
  const credits = check.state === "loaded" ? check.value : undefined
  const lacks = isUnlimited === false && credits?.sufficient === false
  const reason = obstacle ?? (leads === 0 ? "All leads are left out: 2. Leave out has the reasons." : undefined)
  return (
    <div class="start">
      <div role="status">
        <OnLimitedPlan>
          <p>
            {countOf(leads, "lead")}, {creditsPerLead === 1 ? "one credit" : "two credits"} each:{" "}
            <span class="strong">{countOf(required, "credit")}</span> at most.
          </p>
          {credits !== undefined && (
            <p class={lacks ? "failed" : "quiet"}>
              You have {formatNumber(credits.available)}.
              {lacks &&
                ` ${countOf(required - credits.available, "credit")} missing: leave out leads, or ask the operator of the server for more.`}
            </p>
          )}
        </OnLimitedPlan>
        {writtenAgain > 0 && (
          <p class="strong">
            {countOf(writtenAgain, "lead was", "leads were")} written to before and will be written to again: see 2.
            Leave out.
          </p>
        )}
        {toLookAt > 0 && (
          <p class="strong">
            {countOf(toLookAt, "lead")} may work at a client, a competitor or a company on “{doNotContact}”: look at{" "}
            {toLookAt === 1 ? "it" : "them"} under 2. Leave out.
          </p>
        )}
        {reason !== undefined && <p class="failed">{reason}</p>}
      </div>
      <ActionButton kind="primary" doing={write} busy="Sending the leads…" disabled={reason !== undefined || lacks}>
        Start writing to {countOf(leads, "lead")}
      </ActionButton>
    </div>
  )
}

interface ListStarted {
  readonly list_id: string
  readonly notices: ReadonlyArray<string>
}

/** Shown when a list has started although some of its options cannot be followed. */
const StartedWithNotices = ({
  id,
  name,
  started: { list_id, notices }
}: {
  readonly id: string
  readonly name: string
  readonly started: ListStarted
}) => (
  <Page title="Writing has started" within={[name, routeTo("campaigns", id)]}>
    <NoticeList notices={notices} />
    <div class="actions">
      <a class="button primary" href={routeTo("lists", list_id)}>
        Open the list
      </a>
    </div>
  </Page>
)

const nameOf = (file: string) => file.replace(/\.\w{1,5}$/, "").slice(0, 190)

/** The name itself, or with the first number that no list has: "fair (2)". */
const freeName = (name: string, taken: ReadonlyArray<string | null>) => {
  let free = name
  for (let number = 2; taken.includes(free); number++) free = `${name} (${number})`
  return free
}

/** The name of a list from this file, other than those of the newest lists. */
const useListName = (fileName: string) => {
  const name = nameOf(fileName)
  const request = useRequest(
    (api) =>
      name === ""
        ? Effect.succeed([])
        : Effect.map(api.lists.listLists({ query: { limit: 100, offset: 0 } }), ({ lists }) => lists),
    [name]
  )
  const lists = request.state === "loaded" ? request.value : []
  return freeName(
    name,
    lists.map(({ custom_name }) => custom_name)
  )
}

const ListCard = ({ children, title }: { readonly title: string; readonly children: ComponentChildren }) => (
  <section class="panel numbered">
    <h2>{title}</h2>
    {children}
  </section>
)

/** How many leads have the address of an earlier one, which a correction may bring about. */
const repeatedIn = (leads: ReadonlyArray<Lead>) =>
  leads.length - new Set(leads.map(({ email }) => email.toLowerCase())).size

/** Everything that is set on the page, kept while the person is elsewhere. */
const useDrafts = (id: string, fileName: string) => ({
  writing: useWriting(`write.${id}`),
  leaveOut: useSkipOptions(id),
  title: useTextDraft(`list.${id}`, useListName(fileName)),
  recipient: useTextDraft(`recipient.${id}`, "")
})

const useWritePage = (id: string) => {
  const { ask } = useSession()
  const fileState = useLeadFile(id)
  const { leaveOut, recipient, title, writing } = useDrafts(id, fileState.loadedFile?.source.name ?? "")
  const {
    checks,
    kept: leads,
    leftOutBefore,
    omittedRows,
    sent,
    toLookAt,
    skipReasons
  } = useChecked(id, fileState.loadedFile)
  const leftOut = leftOutLeads(leads, skipReasons, leaveOut.value, fileState.loadedFile?.included)
  const included = leftOut.filter(({ isIncluded }) => isIncluded).map(({ lead }) => lead.email)
  const [started, setStarted] = useState<ListStarted>()
  const write = useAction(async () => {
    if (sent.length === 0) return
    const {
      list_id,
      notices = [],
      skipped
    } = await ask((api) =>
      api.generation.generateBatch({
        params: { id },
        headers: {},
        payload: {
          leads: sent,
          options: {
            ...optionsOf(writing.draft.value),
            ...skipOptionsOf(leaveOut.value),
            ...(included.length === 0 ? {} : { include_addresses: included }),
            ...(omittedRows.length === 0 ? {} : { omitted_rows: omittedRows }),
            ...(title.value.trim() === "" ? {} : { list_name: title.value.trim() }),
            ...(recipient.value.trim() === "" ? {} : { notification_email: recipient.value.trim() })
          }
        }
      })
    )
    noteSkipped(list_id, {
      ...leftOutBefore,
      ...skipped,
      duplicate: leftOutBefore.duplicate + (skipped?.duplicate ?? 0)
    })
    writing.draft.rebase()
    leaveOut.rebase()
    title.drop()
    recipient.drop()
    fileState.setLoadedFile(undefined)
    if (notices.length === 0) navigate("lists", list_id)
    else setStarted({ list_id, notices })
  })
  return {
    fileState,
    checks,
    leads,
    toLookAt,
    skipReasons,
    leftOut,
    leaveOut,
    title,
    recipient,
    writing,
    started,
    write
  }
}

type WritePageState = ReturnType<typeof useWritePage>

const shownAt = [
  "options.list_name",
  "options.notification_email",
  "options.email_signature",
  "options.signature_id"
] as const

const NameAndMail = ({ recipient, title, write: { problem } }: WritePageState) => (
  <div class="form">
    <TextInput
      label="Name of the list"
      value={title.value}
      onInput={(text) => title.set(() => text)}
      maxLength={200}
      issue={issueAt(problem, "options.list_name")}
    />
    <TextInput
      label="Mail when it is done"
      hint="Optional. Without an address, the owner of the workspace gets the mail."
      type="email"
      autocomplete="email"
      value={recipient.value}
      onInput={(text) => recipient.set(() => text)}
      issue={issueAt(problem, "options.notification_email")}
    />
  </div>
)

const research = (
  <>
    <OnLimitedPlan>Two credits a lead in place of one. </OnLimitedPlan>Every lead then needs a company, a LinkedIn
    profile or a website. The facts are listed with each lead. Only a model uses them in the emails: the built-in writer
    does not.
  </>
)

const UnclearLeads = () => (
  <p>
    It may have begun all the same. <a href={routeTo("lists")}>Look among the lists</a> before you start it again, or
    its leads are written to twice.
  </p>
)

const LeaveOut = ({ checks, leads, leaveOut, leftOut, fileState, toLookAt, skipReasons }: WritePageState) => {
  const areChecked = checks.state === "loaded"
  const { loadedFile, setLoadedFile } = fileState
  return (
    <ListCard title="2. Leave out">
      <SkipFields
        value={leaveOut.value}
        onChange={(value) => leaveOut.set(() => value)}
        repeated={repeatedIn(leads)}
        clients={leads.filter(({ email }) => skipReasons.get(email.toLowerCase())?.client !== undefined).length}
        written={
          areChecked
            ? countWritten(
                keptOf(leads, leftOutLeads(leads, skipReasons, { ...leaveOut.value, written: "none" })),
                skipReasons
              )
            : undefined
        }
      />
      {areChecked && (
        <LeftOut
          leads={leftOut}
          included={loadedFile?.included}
          onInclude={(included) => loadedFile && setLoadedFile({ ...loadedFile, included })}
        />
      )}
      <PossiblyLeftOut
        leads={toLookAt}
        skipReasons={skipReasons}
        excluded={loadedFile?.excluded}
        onExclude={(excluded) => loadedFile && setLoadedFile({ ...loadedFile, excluded })}
      />
    </ListCard>
  )
}

/** Why a list that reads the sites of companies cannot start. */
const researchObstacle = (leads: ReadonlyArray<Lead>) => {
  const unresearchable = leads.filter((lead) => !isResearchable(lead)).length
  if (unresearchable === 0) return undefined
  return `${countOf(unresearchable, "lead")} of the file ${unresearchable === 1 ? "has" : "have"} no company, LinkedIn profile or website to research. Map such a column, or write without reading sites.`
}

const Settings = ({ batch, id }: { readonly batch: WritePageState; readonly id: string }) => {
  const { leads, leftOut, fileState, toLookAt, skipReasons, write, writing } = batch
  const { problem } = write
  const value = writing.draft.value
  const leftAddresses = new Set(leftOut.flatMap(({ isIncluded, lead }) => (isIncluded ? [] : [lead.email])))
  const leftOutCount = leftOut.filter(({ isIncluded }) => !isIncluded).length
  return (
    <WhenLoaded request={writing.known} waiting="Looking for your signatures…">
      {({ signatures, workspace }) => {
        const shared = { writing: value, onChange: (next: typeof value) => writing.draft.set(() => next), problem }
        return (
          <Form onSubmit={write.start}>
            <LeaveOut {...batch} />
            <ListCard title="3. Writing options">
              <WriterOf campaign={id} />
              <div class="form">
                <EmailFields {...shared} writer={workspace.writer.kind} research={research} />
              </div>
            </ListCard>
            <ListCard title="4. Signature">
              <div class="form">
                <SignatureFields {...shared} signatures={signatures.data} />
              </div>
            </ListCard>
            <ListCard title="5. List">
              <NameAndMail {...batch} />
            </ListCard>
            <FormTrouble problem={problem} fields={shownAt} />
            {problem?.code === "UNREACHABLE" && <UnclearLeads />}
            <StartBar
              leads={Math.max(0, leads.length - leftOutCount)}
              writtenAgain={countWritten(keptOf(leads, leftOut), skipReasons).workspace}
              toLookAt={
                toLookAt.filter(
                  ({ email }) =>
                    !leftAddresses.has(email) && fileState.loadedFile?.excluded?.has(email.toLowerCase()) !== true
                ).length
              }
              creditsPerLead={value.enriched ? 2 : 1}
              write={write}
              obstacle={value.enriched ? researchObstacle(leads) : undefined}
            />
          </Form>
        )
      }}
    </WhenLoaded>
  )
}

export const StartList = ({ id, name }: { readonly id: string; readonly name: string }) => {
  const batch = useWritePage(id)
  const { checks, fileState, started, title } = batch
  const { loadedFile, setLoadedFile } = fileState
  const isRead = loadedFile?.busy === undefined && (loadedFile?.file?.leads.length ?? 0) > 0
  if (started !== undefined) return <StartedWithNotices id={id} name={name} started={started} />
  return (
    <Page
      title="Write to leads"
      within={[name, routeTo("campaigns", id)]}
      lead="Choose a file, check what is read from it, then start. Nothing is sent: you read the emails first."
    >
      <Writable scope="campaigns:write">
        <ListCard title="1. Leads">
          <LeadFilePicker fileState={fileState} onReplace={title.drop} />
          {loadedFile !== undefined && isRead && (
            <>
              <h3>Addresses</h3>
              <AddressChecks loadedFile={loadedFile} checks={checks} onChange={setLoadedFile} />
            </>
          )}
        </ListCard>
        {isRead && <Settings batch={batch} id={id} />}
      </Writable>
    </Page>
  )
}
