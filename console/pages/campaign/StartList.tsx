// console/pages/campaign/StartList.tsx: starts a list from a lead file, with its skip options, cost and writing options.
import type { ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import { Effect } from "effect"
import { addSuppressions } from "#client/Suppressions.ts"
import { isResearchable } from "#schema/Generation.ts"
import type { Lead } from "#schema/Lead.ts"
import { type ActionState, useRequest, useAction } from "#console/Requests.ts"
import { useTextDraft } from "#console/Draft.ts"
import { Form, FormTrouble, issueAt, TextInput } from "#console/parts/Fields.tsx"
import { LeadFilePicker } from "#console/pages/campaign/LeadFile.tsx"
import { LeadChoices } from "#console/pages/campaign/leads/LeadChoices.tsx"
import { leadsOf, useLeadFile } from "#console/pages/campaign/leads/LoadedLeadFile.ts"
import { AddressChecks, useChecked } from "#console/pages/campaign/leads/AddressChecks.tsx"
import { exportedOptOuts, OptOutChoice, optOutsOf } from "#console/pages/campaign/leads/OptOuts.tsx"
import {
  leadsToWrite,
  LeftOutLeadList,
  leftOutLeads,
  LeadsToCheckList
} from "#console/pages/campaign/leads/LeftOutLeads.tsx"
import {
  countWritten,
  SkipFields,
  noteSkipped,
  skippedLabels,
  toSkipApiOptions,
  useSkipOptions
} from "#console/pages/campaign/leads/SkipOptions.tsx"
import { ActionButton } from "#console/parts/ActionButton.tsx"
import { companyCheckLabel, suppressionListLabel } from "#console/parts/Labels.ts"
import { LockWithoutScope, useHasScope } from "#console/parts/RequireScope.tsx"
import { WhenLoaded, NoticeList } from "#console/parts/Notices.tsx"
import { Page } from "#console/parts/Page.tsx"
import { formatCount, formatDate, formatNumber } from "#console/parts/Format.ts"
import { EmailFields, toApiOptions, SignatureFields, useWriting } from "#console/pages/campaign/WritingOptions.tsx"
import { OnLimitedPlan, useIsUnlimited } from "#console/UnlimitedPlan.tsx"
import type { CampaignOverview } from "#console/pages/campaign/CampaignOverview.ts"
import { CompanyChanged } from "#console/pages/campaign/CompanyChanged.tsx"
import { CampaignWriter } from "#console/parts/Writer.tsx"
import { navigate, routeTo } from "#console/Route.ts"
import { useSession } from "#console/Session.tsx"

interface StartProps {
  readonly leadCount: number
  /** Rows of the file that are not written to, with where or why they were left out. */
  readonly leftOutCounts: ReadonlyArray<readonly [count: number, where: string]>
  readonly creditsPerLead: number
  readonly startAction: ActionState
  /** Leads that were written to before and are not left out. */
  readonly writtenBeforeCount: number
  /** Leads that are not left out although their company may be a client, a competitor or suppressed. */
  readonly leadsToCheckCount: number
  /** Whether the server still checks the addresses, so that the numbers may change. */
  readonly isChecking: boolean
  /** Why the list cannot start, apart from missing credits. */
  readonly blockingReason: string | undefined
}

const LeftOutSummary = ({ counts }: { readonly counts: StartProps["leftOutCounts"] }) => {
  const leftOut = counts.filter(([n]) => n > 0)
  const total = leftOut.reduce((sum, [n]) => sum + n, 0)
  return total === 0 ? null : (
    <p>
      {formatCount(total, "row")} of the file left out:{" "}
      {leftOut.map(([n, where]) => `${formatNumber(n)} ${where}`).join(", ")}.
    </p>
  )
}

/** The cost and the start button, always visible at the bottom of the window. */
const StartBar = ({
  writtenBeforeCount,
  creditsPerLead,
  leadCount,
  leftOutCounts,
  blockingReason,
  isChecking,
  leadsToCheckCount,
  startAction
}: StartProps) => {
  const isUnlimited = useIsUnlimited()
  const required = leadCount * creditsPerLead
  const check = useRequest((api) => api.credits.checkCredits({ query: { required } }), [required])
  const credits = check.state === "loaded" ? check.value : undefined
  const lacks = !isUnlimited && credits?.sufficient === false
  const reason =
    blockingReason ?? (leadCount === 0 ? "All leads are left out: sections 1 and 2 have the reasons." : undefined)
  return (
    <div class="start">
      <div role="status">
        <LeftOutSummary counts={leftOutCounts} />
        <OnLimitedPlan>
          <p>
            {formatCount(leadCount, "lead")}, {creditsPerLead === 1 ? "one credit" : "two credits"} each:{" "}
            <span class="strong">{formatCount(required, "credit")}</span> at most.
          </p>
          {credits !== undefined && (
            <p class={lacks ? "failed" : "quiet"}>
              You have {formatNumber(credits.available)}.
              {lacks &&
                ` ${formatCount(required - credits.available, "credit")} missing: leave out leads, or ask the operator of the server for more.`}
            </p>
          )}
        </OnLimitedPlan>
        {writtenBeforeCount > 0 && (
          <p class="strong">
            {formatCount(writtenBeforeCount, "lead was", "leads were")} written to before and will be written to again:
            see “Leave out” in section 2.
          </p>
        )}
        {leadsToCheckCount > 0 && (
          <p class="strong">
            {formatCount(leadsToCheckCount, "lead")} may work at a client, a competitor or a company on “
            {suppressionListLabel}”: look at {leadsToCheckCount === 1 ? "it" : "them"} under “Leave out” in section 2.
          </p>
        )}
        {isChecking && <p class="quiet">The addresses are being checked.</p>}
        {reason !== undefined && <p class="failed">{reason}</p>}
      </div>
      <ActionButton
        kind="primary"
        action={startAction}
        busyLabel="Sending the leads…"
        disabled={isChecking || reason !== undefined || lacks}
      >
        Start writing to {formatCount(leadCount, "lead")}
      </ActionButton>
    </div>
  )
}

interface ListStarted {
  readonly list_id: string
  readonly notices: ReadonlyArray<string>
}

const leadsNamed = 3

/** Names the first leads that the review asks to look at. The server's notice only counts them. */
const leadsToCheckNotices = (leads: ReadonlyArray<Lead>): ReadonlyArray<string> => {
  if (leads.length === 0) return []
  const names = leads.slice(0, leadsNamed).map(({ company, email, name }) => {
    const known = name ?? email
    return company == null ? known : `${known} (${company})`
  })
  const more = leads.length > leadsNamed ? ` and ${formatNumber(leads.length - leadsNamed)} more` : ""
  return [`The list marks with “${companyCheckLabel}”: ${names.join(", ")}${more}.`]
}

/** Shown after a start if some options cannot be followed. */
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

/** Tells lists of one campaign and of one file apart: "Quarries, 28 Nov 2026, fair". */
const nameOf = (campaign: string, file: string) =>
  `${campaign.slice(0, 90)}, ${formatDate(new Date())}, ${file.replace(/\.\w{1,5}$/, "").slice(0, 80)}`

/** The name itself, or the name with the first free number: "Quarries, 28 Nov 2026, fair (2)". */
const uniqueName = (name: string, taken: ReadonlyArray<string | null>) => {
  let candidate = name
  for (let number = 2; taken.includes(candidate); number++) candidate = `${name} (${number})`
  return candidate
}

/** A name of the campaign, the day and the file that none of the newest lists has; empty without a file. */
const useListName = (campaign: string, fileName: string) => {
  const name = fileName === "" ? "" : nameOf(campaign, fileName)
  const request = useRequest(
    (api) =>
      name === ""
        ? Effect.succeed([])
        : Effect.map(api.lists.listLists({ query: { limit: 100, offset: 0 } }), ({ lists }) => lists),
    [name]
  )
  const lists = request.state === "loaded" ? request.value : []
  return uniqueName(
    name,
    lists.map(({ custom_name }) => custom_name)
  )
}

const NumberedPanel = ({ children, title }: { readonly title: string; readonly children: ComponentChildren }) => (
  <section class="panel numbered">
    <h2>{title}</h2>
    {children}
  </section>
)

/** The number of leads that repeat an earlier address, which a correction may cause. */
const repeatedIn = (leads: ReadonlyArray<Lead>) =>
  leads.length - new Set(leads.map(({ email }) => email.toLowerCase())).size

/** The drafts of all settings on the page, kept while the user is on another page. */
const useDrafts = (id: string, campaign: string, fileName: string) => ({
  writing: useWriting(`write.${id}`),
  skipOptions: useSkipOptions(id),
  title: useTextDraft(`list.${id}`, useListName(campaign, fileName)),
  recipient: useTextDraft(`recipient.${id}`, "")
})

const useWritePage = (id: string, campaign: string) => {
  const { callApi } = useSession()
  const fileState = useLeadFile(id)
  const { skipOptions, recipient, title, writing } = useDrafts(id, campaign, fileState.loadedFile?.source.name ?? "")
  const {
    checks,
    leads: allLeads,
    kept: leads,
    excludedAddresses,
    excludedCounts,
    omittedRows,
    leadsToCheck,
    sent,
    skipReasons
  } = useChecked(id, fileState.loadedFile)
  const leftOut = leftOutLeads(leads, skipReasons, skipOptions.value, fileState.loadedFile?.included)
  const leftOutAddresses = new Set(leftOut.flatMap(({ isIncluded, lead }) => (isIncluded ? [] : [lead.email])))
  const included = leftOut.filter(({ isIncluded }) => isIncluded).map(({ lead }) => lead.email)
  // Those that the settings leave out need no look.
  const leadsToCheckHere = leadsToCheck.filter(({ email }) => !leftOutAddresses.has(email))
  const optOuts = fileState.loadedFile === undefined ? [] : optOutsOf(fileState.loadedFile, skipReasons)
  const maySuppress = useHasScope("workspace:write")
  const addedOptOuts = maySuppress && fileState.loadedFile?.addsOptOuts !== false ? optOuts : []
  const [started, setStarted] = useState<ListStarted>()
  const write = useAction(async () => {
    if (sent.length === 0) return
    // First, so that a failure leaves nothing half done: entries that exist already are no error.
    const { exported_lists } = await callApi((api) => addSuppressions(api, addedOptOuts))
    const optOutNotices = exportedOptOuts(exported_lists)
    const {
      list_id,
      notices = [],
      skipped
    } = await callApi((api) =>
      api.generation.generateBatch({
        params: { id },
        headers: {},
        payload: {
          leads: sent,
          options: {
            ...toApiOptions(writing.draft.value),
            ...toSkipApiOptions(skipOptions.value),
            ...(included.length === 0 ? {} : { include_addresses: included }),
            ...(omittedRows.length === 0 ? {} : { omitted_rows: omittedRows }),
            ...(title.value.trim() === "" ? {} : { list_name: title.value.trim() }),
            ...(recipient.value.trim() === "" ? {} : { notification_email: recipient.value.trim() })
          }
        }
      })
    )
    noteSkipped(list_id, {
      ...excludedCounts,
      ...skipped,
      duplicate: excludedCounts.duplicate + (skipped?.duplicate ?? 0)
    })
    writing.draft.rebase()
    skipOptions.rebase()
    title.discard()
    recipient.discard()
    fileState.setLoadedFile(undefined)
    if (notices.length + optOutNotices.length === 0) navigate("lists", list_id)
    else {
      const isSent = new Set(sent)
      const toCheck = leadsToCheckHere.filter((lead) => isSent.has(lead))
      setStarted({ list_id, notices: [...notices, ...leadsToCheckNotices(toCheck), ...optOutNotices] })
    }
  })
  return {
    fileState,
    /** Choices about one file do not apply to another, least of all to write again to those who were written to. */
    onNewFile: () => {
      title.discard()
      skipOptions.discard()
    },
    checks,
    allLeads,
    leads,
    excludedAddresses,
    excludedCounts,
    leadsToCheck: leadsToCheckHere,
    skipReasons,
    optOuts,
    leftOut,
    skipOptions,
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

const SkipOptionsPanel = ({
  checks,
  leads,
  skipOptions,
  leftOut,
  fileState,
  leadsToCheck,
  optOuts,
  skipReasons
}: WritePageState) => {
  const areChecked = checks.state === "loaded"
  const { loadedFile, setLoadedFile } = fileState
  return (
    <NumberedPanel title="2. Leave out">
      <SkipFields
        value={skipOptions.value}
        onChange={(value) => skipOptions.set(() => value)}
        repeated={repeatedIn(leads)}
        clients={leads.filter(({ email }) => skipReasons.get(email.toLowerCase())?.client !== undefined).length}
        written={
          areChecked
            ? countWritten(
                leadsToWrite(leads, leftOutLeads(leads, skipReasons, { ...skipOptions.value, written: "none" })),
                skipReasons
              )
            : undefined
        }
      />
      {areChecked && (
        <LeftOutLeadList
          leads={leftOut}
          included={loadedFile?.included}
          onInclude={(included) => loadedFile && setLoadedFile({ ...loadedFile, included })}
        />
      )}
      {loadedFile && <OptOutChoice entries={optOuts} loadedFile={loadedFile} onChange={setLoadedFile} />}
      <LeadsToCheckList
        leads={leadsToCheck}
        skipReasons={skipReasons}
        excluded={loadedFile?.excluded}
        onExclude={(excluded) => loadedFile && setLoadedFile({ ...loadedFile, excluded })}
      />
    </NumberedPanel>
  )
}

/** The reason why a list with research cannot start; undefined if it can. */
const researchObstacle = (leads: ReadonlyArray<Lead>) => {
  const unresearchable = leads.filter((lead) => !isResearchable(lead)).length
  if (unresearchable === 0) return undefined
  return `${formatCount(unresearchable, "lead")} of the file ${unresearchable === 1 ? "has" : "have"} no company, LinkedIn profile or website to research. Map such a column, or write without reading sites.`
}

const Settings = ({ form, id }: { readonly form: WritePageState; readonly id: string }) => {
  const { allLeads, excludedAddresses, excludedCounts, leads, leftOut, fileState, leadsToCheck, skipReasons } = form
  const { write, writing } = form
  const { problem } = write
  const value = writing.draft.value
  const leftOutCount = leftOut.filter(({ isIncluded }) => !isIncluded).length
  const excludedCount = allLeads.filter(({ email }) => excludedAddresses.has(email)).length
  return (
    <WhenLoaded request={writing.known} waiting="Looking for your signatures…">
      {({ signatures, workspace }) => {
        const shared = { writing: value, onChange: (next: typeof value) => writing.draft.set(() => next), problem }
        return (
          <Form onSubmit={write.start}>
            <SkipOptionsPanel {...form} />
            <NumberedPanel title="3. Writing options">
              <CampaignWriter campaign={id} />
              <div class="form">
                <EmailFields {...shared} writer={workspace.writer.kind} research={research} />
              </div>
            </NumberedPanel>
            <NumberedPanel title="4. Signature">
              <div class="form">
                <SignatureFields {...shared} signatures={signatures.data} />
              </div>
            </NumberedPanel>
            <NumberedPanel title="5. List">
              <NameAndMail {...form} />
            </NumberedPanel>
            <FormTrouble problem={problem} fields={shownAt} />
            {problem?.code === "UNREACHABLE" && <UnclearLeads />}
            <StartBar
              leadCount={Math.max(0, leads.length - leftOutCount)}
              leftOutCounts={[
                [allLeads.length - leads.length - excludedCount, "by hand"],
                [excludedCount, "under “Addresses” in section 1"],
                [leftOutCount, "under “Leave out” in section 2"],
                [excludedCounts.duplicate, skippedLabels.duplicate],
                [excludedCounts.unusable, skippedLabels.unusable]
              ]}
              writtenBeforeCount={countWritten(leadsToWrite(leads, leftOut), skipReasons).workspace}
              leadsToCheckCount={
                leadsToCheck.filter(({ email }) => fileState.loadedFile?.excluded?.has(email.toLowerCase()) !== true)
                  .length
              }
              creditsPerLead={value.enriched ? 2 : 1}
              startAction={write}
              isChecking={form.checks.state === "waiting"}
              blockingReason={value.enriched ? researchObstacle(leads) : undefined}
            />
          </Form>
        )
      }}
    </WhenLoaded>
  )
}

export const StartList = ({ overview }: { readonly overview: CampaignOverview }) => {
  const { id, name } = overview.entry
  const batch = useWritePage(id, name)
  const { allLeads, checks, excludedAddresses, fileState, leftOut, onNewFile, started } = batch
  const { loadedFile, setLoadedFile } = fileState
  const isRead = loadedFile?.busy === undefined && loadedFile?.file !== undefined && leadsOf(loadedFile.file).length > 0
  if (started !== undefined) return <StartedWithNotices id={id} name={name} started={started} />
  return (
    <Page
      title="Write to leads"
      within={[name, routeTo("campaigns", id)]}
      lead="Choose a file, check what is read from it, then start. Nothing is sent: you read the emails first."
    >
      <CompanyChanged overview={overview} />
      <LockWithoutScope scope="campaigns:write">
        <NumberedPanel title="1. Leads">
          <LeadFilePicker fileState={fileState} onNewFile={onNewFile}>
            {loadedFile !== undefined && (
              <LeadChoices
                loadedFile={loadedFile}
                onChange={setLoadedFile}
                leads={allLeads}
                excludedAddresses={excludedAddresses}
                leftOut={leftOut}
                isChecking={checks.state === "waiting"}
              />
            )}
          </LeadFilePicker>
          {loadedFile !== undefined && isRead && (
            <>
              <h3>Addresses</h3>
              <AddressChecks loadedFile={loadedFile} checks={checks} onChange={setLoadedFile} />
            </>
          )}
        </NumberedPanel>
        {isRead && <Settings form={batch} id={id} />}
      </LockWithoutScope>
    </Page>
  )
}
