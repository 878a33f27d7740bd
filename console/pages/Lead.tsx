// console/pages/Lead.tsx: the page that shows, edits and reviews one lead and its emails.
import { useEffect, useLayoutEffect, useState } from "preact/hooks"
import { Effect, Option } from "effect"
import type { ReviewedEmail, ReviewedLead } from "#schema/Review.ts"
import type { Client } from "#console/Api.ts"
import { useRequest } from "#console/Requests.ts"
import { moveUndoOffer, expireUndoOffer } from "#console/Decisions.ts"
import { cachedLeadAt, updateLead, noteOpenedLead, versionsOf, worstFinding } from "#console/LeadOrder.ts"
import { LeadFacts } from "#console/pages/lead/LeadFacts.tsx"
import { DecisionBar, type DecisionActions, useDecision } from "#console/pages/lead/Decision.tsx"
import { EmailCard } from "#console/pages/lead/EmailCard.tsx"
import { Rewrite } from "#console/pages/lead/Rewrite.tsx"
import { SuppressLead } from "#console/pages/lead/SuppressLead.tsx"
import { TestMail } from "#console/pages/lead/TestMail.tsx"
import { useLeadNavigation, type LeadNavigation } from "#console/pages/lead/LeadNavigation.ts"
import { Checkbox } from "#console/parts/Fields.tsx"
import { leadReviewState, suppressionListLabel, companyCheckLabel, toPageWording } from "#console/parts/Labels.ts"
import { WorstFinding } from "#console/parts/Findings.tsx"
import { Shortcuts, type Shortcut } from "#console/parts/Shortcuts.tsx"
import { RequireScope, useHasScope } from "#console/parts/RequireScope.tsx"
import { WhenLoaded, StateNotice } from "#console/parts/Notices.tsx"
import { Page } from "#console/parts/Page.tsx"
import { withFinalPeriod, formatLastExport, formatMoment, formatNumber } from "#console/parts/Format.ts"
import { routeTo } from "#console/Route.ts"
import { onSignOut, useSession } from "#console/Session.tsx"

// Kept when the user moves to another lead.
let sourcesShown = true

interface NeighbourProps {
  readonly label: string
  readonly shortcut: string
  /** Undefined at either end. */
  readonly href: string | undefined
}

const NeighbourLink = ({ href, shortcut, label }: NeighbourProps) => {
  const text = (
    <>
      {label}
      <span class="wide"> lead</span>
    </>
  )
  return href === undefined ? (
    <span class="button" aria-disabled="true">
      {text}
    </span>
  ) : (
    <a class="button" href={href} aria-keyshortcuts={shortcut}>
      {text}
    </a>
  )
}

const NeighbourLinks = ({ navigation }: { readonly navigation: LeadNavigation }) => (
  <nav class="pages" aria-label="Leads">
    <NeighbourLink label="Previous" shortcut="k" href={navigation.previous} />
    <span class="quiet">
      {navigation.leadNumber !== undefined &&
        navigation.total !== undefined &&
        `${formatNumber(navigation.leadNumber)} of ${formatNumber(navigation.total)}`}
      {navigation.isQueue && <span class="wide"> to review</span>}
    </span>
    <NeighbourLink label="Next" shortcut="j" href={navigation.next} />
  </nav>
)

/** The campaign ids of lists, cached so that a review of many leads requests each once. */
const campaignCache = new Map<string, string | null>()
onSignOut(() => campaignCache.clear())

const loadCampaignId = (api: Client, list: string) =>
  campaignCache.has(list)
    ? Effect.succeed(campaignCache.get(list) ?? null)
    : Effect.map(api.lists.getList({ params: { id: list } }), ({ campaign_id }) => {
        campaignCache.set(list, campaign_id)
        return campaign_id
      })

/** Loads the lead at a position and its campaign id. The server marks the lead as seen when `getLead` is called. */
const useLead = (list: string, position: number, order: string | undefined) => {
  const request = useRequest(
    (api) =>
      Effect.gen(function* () {
        const known = cachedLeadAt(list, position, order)
        const query = { limit: 1, offset: Math.max(0, position - 1) }
        const { id, total } =
          known ??
          (yield* Effect.map(api.lists.listLeads({ params: { id: list }, query }), ({ data, total }) => ({
            id: data[0]?.id,
            total
          })))
        if (id === undefined) return { total }
        const [lead, campaign] = yield* Effect.all(
          [api.review.getLead({ params: { id: list, lead_id: id } }), loadCampaignId(api, list)],
          { concurrency: 2 }
        )
        return { total, lead, campaign }
      }),
    [list, position]
  )
  const answer = request.state === "loaded" ? request.value : undefined
  const [changed, setChanged] = useState<ReviewedLead>()
  useEffect(() => {
    setChanged(undefined)
    if (answer?.lead !== undefined) noteOpenedLead(list, answer.lead.id)
  }, [answer])
  return { request, answer, lead: changed ?? answer?.lead, setLead: setChanged }
}

const ReviewSummary = ({ lead }: { readonly lead: ReviewedLead }) => {
  const { at, note, status } = lead.review
  return (
    <span class="marks">
      <StateNotice state={leadReviewState(status, lead.suppressed)} />
      <WorstFinding finding={worstFinding(lead.emails)} none="No findings" />
      {lead.edited && <StateNotice state={["Edited", "calm"]} />}
      {at !== null && status !== "open" && (
        <span class="quiet">
          {status === "approved" && lead.suppressed !== null && "Approved "}
          {formatMoment(at)}
        </span>
      )}
      {formatLastExport(lead) !== undefined && <span class="quiet">{formatLastExport(lead)}</span>}
      {note !== null && <span class="quiet">Note: {note}</span>}
    </span>
  )
}

interface WriteAnywayProps {
  readonly reason: string
  readonly suppressed: boolean
  readonly campaign: string | null
}

/** Explains how to write to a lead that this list left out. */
const SkippedLeadHelp = ({ campaign, reason, suppressed }: WriteAnywayProps) => {
  if (suppressed) {
    return (
      <p>
        To write to this lead, delete its entry under <a href={routeTo("suppressions")}>{suppressionListLabel}</a> and
        start another list.
      </p>
    )
  }
  const isRepeated = /^Lead \d+ of this batch/.test(reason)
  if (isRepeated) return <p>The emails to this address are at the earlier lead.</p>
  const start =
    campaign === null ? "Start another list" : <a href={routeTo("campaigns", campaign, "write")}>Start another list</a>
  return (
    <p>
      To write to this lead anyway: {start} with this lead, and under Leave out{" "}
      {/^(?:Another list of|The list “)/.test(reason)
        ? "choose “Keep: write to them again” for “People already written to”."
        : "clear “Leave out clients and competitors”."}
    </p>
  )
}

/** Why there is no email to review. */
const LeadWithoutEmails = ({ campaign, lead }: { readonly lead: ReviewedLead; readonly campaign: string | null }) => {
  if (lead.skipped) {
    return (
      <div class="note">
        <p>
          <span class="strong">Left out:</span> {withFinalPeriod(toPageWording(lead.skipped.reason))} It cost nothing.
        </p>
        <SkippedLeadHelp reason={lead.skipped.reason} suppressed={lead.suppressed !== null} campaign={campaign} />
      </div>
    )
  }
  if (lead.status === "failed") {
    const reason = withFinalPeriod(lead.error ?? "no reason is known")
    return <p class="note">This lead could not be written to, and costs nothing: {reason}</p>
  }
  return lead.status === "pending" ? <p class="note">{lead.error ?? "This lead waits for its turn."}</p> : null
}

/** The step that the edit shortcut opens: the email with the focus, or else the one with the worst finding. */
const emailToEdit = ({ emails }: ReviewedLead) => {
  const focused = document.activeElement?.closest("[data-step]")?.getAttribute("data-step")
  if (focused != null) return Number(focused)
  const weights = { fail: 3, warn: 2, hint: 1 }
  const weightOf = ({ findings }: ReviewedEmail) => Math.max(0, ...findings.map(({ severity }) => weights[severity]))
  return emails.toSorted((a, b) => weightOf(b) - weightOf(a) || a.step - b.step)[0]?.step
}

interface EmailsProps {
  readonly list: string
  readonly campaign: string | null
  readonly lead: ReviewedLead
  readonly editingSteps: ReadonlyArray<number>
  readonly setEditing: (change: (steps: ReadonlyArray<number>) => ReadonlyArray<number>) => void
  readonly onChange: (lead: ReviewedLead) => unknown
}

const Emails = ({ campaign, editingSteps, lead, list, onChange, setEditing }: EmailsProps) => {
  const [sourced, setSourced] = useState(sourcesShown)
  const [rewriting, setRewriting] = useState(false)
  return (
    <>
      <Checkbox
        label="Show the source of each sentence"
        checked={sourced}
        onChange={(shown) => {
          sourcesShown = shown
          setSourced(shown)
        }}
      />
      <RequireScope scope="lists:write">
        {lead.emails.length > 1 && lead.suppressed === null && editingSteps.length === 0 && (
          <div class="actions">
            <button type="button" class="button" onClick={() => setRewriting(true)}>
              Rewrite all emails
            </button>
          </div>
        )}
        {rewriting && <Rewrite list={list} lead={lead} onRewritten={onChange} onClose={() => setRewriting(false)} />}
        {lead.emails.length > 1 && <TestMail key={lead.id} list={list} leadId={lead.id} />}
      </RequireScope>
      <ol class="emails">
        {lead.emails.map((email) => (
          <EmailCard
            key={email.step}
            list={list}
            campaign={campaign}
            lead={lead}
            email={email}
            showSources={sourced}
            isEditing={editingSteps.includes(email.step)}
            onEdit={() => setEditing((steps) => [...steps, email.step])}
            onClose={() => setEditing((steps) => steps.filter((step) => step !== email.step))}
            onRewritten={onChange}
            onChange={(changed) => {
              const emails = lead.emails.map((each) => (each.step === changed.step ? changed : each))
              onChange({ ...lead, emails, edited: emails.some(({ edited }) => edited) })
            }}
          />
        ))}
      </ol>
    </>
  )
}

interface Props {
  readonly list: string
  readonly position: number
  /** The filter and index that the lead was opened with, as encoded in its address. */
  readonly orderParam: string | undefined
}

const goTo = (address: string | undefined) => {
  if (address !== undefined) location.hash = address
}

interface ShortcutActions {
  readonly list: string
  readonly lead: ReviewedLead
  readonly navigation: LeadNavigation
  readonly decisionActions: DecisionActions
  readonly mayWrite: boolean
  readonly edit: (step: number) => void
}

const leadShortcuts = ({
  decisionActions,
  edit,
  lead,
  list,
  mayWrite,
  navigation
}: ShortcutActions): ReadonlyArray<Shortcut> => [
  { key: "j", label: "Next lead", run: () => goTo(navigation.next) },
  { key: "k", label: "Previous lead", run: () => goTo(navigation.previous) },
  ...(lead.emails.length > 0 && mayWrite
    ? [
        { key: "a", label: "Approve", run: () => decisionActions.decide("approved") },
        { key: "x", label: "Reject", run: () => decisionActions.decide("rejected") },
        { key: "e", label: "Edit an email", run: () => Option.map(Option.fromNullishOr(emailToEdit(lead)), edit) }
      ]
    : []),
  ...(mayWrite ? [{ key: "u", label: "Undo the last decision", run: decisionActions.undo }] : []),
  { key: "g", label: "Go to the list", run: () => goTo(routeTo("lists", list)) }
]

/** Shows a lead after an email was changed, then reloads it if the change may have withdrawn its approval. */
const useEmailsChanged = (list: string, setLead: (lead: ReviewedLead) => void) => {
  const { callApi } = useSession()
  return async (changed: ReviewedLead) => {
    const { edited, emails, id } = changed
    setLead(changed)
    updateLead(list, id, {
      edited,
      subject: emails[0]?.subject,
      versions: versionsOf(emails),
      worst: worstFinding(emails)
    })
    if (changed.review.status !== "approved") return
    // The server withdraws an approval if the new text has a finding that must change.
    const reloadedLead = await callApi((api) => api.review.getLead({ params: { id: list, lead_id: id } })).catch(
      () => undefined
    )
    if (reloadedLead === undefined) return
    setLead(reloadedLead)
    updateLead(list, id, { review: reloadedLead.review })
  }
}

/** Reloads a lead after it was suppressed, to show the server's reason. */
const useShowSuppressed = (list: string, lead: ReviewedLead | undefined, setLead: (lead: ReviewedLead) => void) => {
  const { callApi } = useSession()
  return async () => {
    if (lead === undefined) return
    const params = { id: list, lead_id: lead.id }
    const reloadedLead = await callApi((api) => api.review.getLead({ params })).catch(() => undefined)
    if (reloadedLead === undefined) return
    setLead(reloadedLead)
    updateLead(list, reloadedLead.id, { suppressed: reloadedLead.suppressed })
  }
}

/** Warnings about the company of a lead whose emails are written. */
const CompanyNotes = ({ lead }: { readonly lead: ReviewedLead }) => (
  <>
    {lead.suppressed !== null && (
      <p class="note">
        <span class="strong">Do not write to this lead:</span> {withFinalPeriod(toPageWording(lead.suppressed))} Exports
        from this page leave it out, and it cannot be rewritten or approved.
        {formatLastExport(lead) !== undefined && (
          <>
            {" "}
            <span class="strong">{formatLastExport(lead)}:</span> remove it in your sending tool too.
          </>
        )}
      </p>
    )}
    {lead.maybe !== null && lead.review.status === "open" && (
      <p class="note">
        <span class="strong">{companyCheckLabel}:</span> {withFinalPeriod(toPageWording(lead.maybe))} Approve the lead
        if it is another company, or else reject it. “Approve several” leaves it out unless you pick it.
      </p>
    )}
  </>
)

const TitleAndCompany = ({ lead: { company, title } }: { readonly lead: ReviewedLead }) => {
  const text = [title, company].filter((part) => part !== null).join(", ")
  return text === "" ? null : <>{withFinalPeriod(text)}</>
}

export const Lead = ({ list, orderParam, position }: Props) => {
  const { answer, lead, request, setLead } = useLead(list, position, orderParam)
  const onEmailsChanged = useEmailsChanged(list, setLead)
  const navigation = useLeadNavigation(list, position, orderParam, lead, answer?.total)
  const mayWrite = useHasScope("lists:write")
  useLayoutEffect(() => expireUndoOffer(list, position), [list, position])
  const [editing, setEditing] = useState<ReadonlyArray<number>>([])
  const decisionActions = useDecision(
    { list, lead, onReloaded: setLead },
    async (reviewedLead) => {
      if (!navigation.isQueue || reviewedLead.review.status === "open") return setLead(reviewedLead)
      const { address, page } = await navigation.nextOpen()
      moveUndoOffer(list, page)
      goTo(address)
    },
    (restoredLead) => {
      if (restoredLead.id === lead?.id) setLead(restoredLead)
      else goTo(routeTo("lists", list, restoredLead.position, ...(orderParam === undefined ? [] : [orderParam])))
    }
  )
  const showSuppressed = useShowSuppressed(list, lead, setLead)
  if (request.state !== "loaded" || lead === undefined) {
    return (
      <Page title={`Lead ${position}`} within={["All leads of the list", routeTo("lists", list)]}>
        <WhenLoaded request={request} waiting="Opening the emails…">
          {() => <p>The list has no lead of this number.</p>}
        </WhenLoaded>
      </Page>
    )
  }
  const isWritten = lead.emails.length > 0
  const edit = (step: number) => setEditing((steps) => (steps.includes(step) ? steps : [...steps, step]))
  return (
    <Page
      key="loaded"
      title={lead.name ?? lead.email}
      within={["All leads of the list", routeTo("lists", list), "g"]}
      lead={
        <>
          <TitleAndCompany lead={lead} /> {lead.email}
          {isWritten && <ReviewSummary lead={lead} />}
        </>
      }
      actions={
        <>
          <NeighbourLinks navigation={navigation} />
          <RequireScope scope="workspace:write">
            {lead.suppressed === null && <SuppressLead key={lead.id} lead={lead} onAdded={showSuppressed} />}
          </RequireScope>
        </>
      }
    >
      <LeadWithoutEmails lead={lead} campaign={answer?.campaign ?? null} />
      {isWritten && <CompanyNotes lead={lead} />}
      {isWritten && (
        <Emails
          list={list}
          campaign={answer?.campaign ?? null}
          lead={lead}
          editingSteps={editing}
          setEditing={setEditing}
          onChange={onEmailsChanged}
        />
      )}
      <LeadFacts lead={lead} />
      <Shortcuts shortcuts={leadShortcuts({ list, lead, navigation, decisionActions, mayWrite, edit })} />
      {mayWrite && <DecisionBar list={list} lead={lead} decisionActions={decisionActions} />}
    </Page>
  )
}
