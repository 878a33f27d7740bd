// console/pages/campaign/leads/LeftOutLeads.tsx: the leads that a list will leave out, with reasons and, if allowed, a checkbox to include each.
import type { Lead } from "#schema/Lead.ts"
import type { SkipReasons } from "#console/pages/campaign/leads/AddressChecks.tsx"
import type { SkipOptions } from "#console/pages/campaign/leads/SkipOptions.tsx"
import { Checkbox } from "#console/parts/Fields.tsx"
import { toPageWording } from "#console/parts/Labels.ts"
import { formatCount, formatNumber } from "#console/parts/Format.ts"

/** A lead that the choices leave out. */
export interface LeftOutLead {
  readonly lead: Lead
  /** Its position in the file, from 1. */
  readonly position: number
  readonly reason: string
  /** Whether it can be included by its address. */
  readonly mayInclude: boolean
  readonly isIncluded: boolean
}

/** The reason to leave out a lead that can be included. */
const skipReason = (reasons: NonNullable<ReturnType<SkipReasons["get"]>>, { clients, written }: SkipOptions) =>
  (
    reasons.column ??
    reasons.decided ??
    (clients ? reasons.client : undefined) ??
    (written === "none" ? undefined : reasons.written_campaign) ??
    (written === "workspace" ? reasons.written_workspace : undefined)
  )?.message

/** Every lead that the options leave out. Reasons have the same precedence as on the server. */
export const leftOutLeads = (
  leads: ReadonlyArray<Lead>,
  skipReasons: SkipReasons,
  options: SkipOptions,
  included: ReadonlySet<string> = new Set()
): ReadonlyArray<LeftOutLead> => {
  const seen = new Set<string>()
  return leads.flatMap((lead, index): ReadonlyArray<LeftOutLead> => {
    const address = lead.email.toLowerCase()
    const reasons = skipReasons.get(address) ?? {}
    const isRepeated = options.duplicates && seen.has(address)
    seen.add(address)
    const entry = { lead, position: index + 1, mayInclude: false, isIncluded: false }
    if (reasons.suppressed !== undefined) return [{ ...entry, reason: reasons.suppressed.message }]
    if (isRepeated) return [{ ...entry, reason: "A lead above it in the file has the same address." }]
    const reason = skipReason(reasons, options)
    return reason === undefined ? [] : [{ ...entry, reason, mayInclude: true, isIncluded: included.has(address) }]
  })
}

/** The leads that will be written to. */
export const leadsToWrite = (leads: ReadonlyArray<Lead>, leftOut: ReadonlyArray<LeftOutLead>): ReadonlyArray<Lead> => {
  const positions = new Set(leftOut.flatMap(({ isIncluded, position }) => (isIncluded ? [] : [position])))
  return leads.filter((_, index) => !positions.has(index + 1))
}

const shownAtOnce = 100

interface Props {
  readonly leads: ReadonlyArray<LeftOutLead>
  readonly included: ReadonlySet<string> | undefined
  readonly onInclude: (included: ReadonlySet<string>) => void
}

export const LeftOutLeadList = ({ included = new Set(), leads, onInclude }: Props) => {
  const leftOutCount = leads.filter(({ isIncluded }) => !isIncluded).length
  const include = (email: string, isIncluded: boolean) => {
    const next = new Set(included)
    if (isIncluded) next.add(email.toLowerCase())
    else next.delete(email.toLowerCase())
    onInclude(next)
  }
  return (
    <>
      <div role="status">
        <h3>{leftOutCount === 0 ? "No lead is" : formatCount(leftOutCount, "lead")} left out by these settings</h3>
      </div>
      {leads.length > 0 && (
        <ul class="plain-list left-leads" aria-label="Leads left out">
          {leads.slice(0, shownAtOnce).map(({ isIncluded, lead, mayInclude, position, reason }) => (
            <li key={position} class="found">
              <span>
                <span class="strong">{lead.name ?? lead.email}</span>
                {lead.company && `, ${lead.company}`}: {toPageWording(reason)}
              </span>
              {mayInclude && (
                <Checkbox
                  label={
                    <>
                      Write to this lead<span class="unseen">: {lead.email}</span>
                    </>
                  }
                  checked={isIncluded}
                  onChange={(isIncluded) => include(lead.email, isIncluded)}
                />
              )}
            </li>
          ))}
          {leads.length > shownAtOnce && <li>and {formatNumber(leads.length - shownAtOnce)} more</li>}
        </ul>
      )}
    </>
  )
}

interface LeadsToCheckProps {
  readonly leads: ReadonlyArray<Lead>
  readonly skipReasons: SkipReasons
  readonly excluded: ReadonlySet<string> | undefined
  readonly onExclude: (excluded: ReadonlySet<string>) => void
}

/** Leads that will be written to although their company may match one to leave out, with a checkbox to exclude each. */
export const LeadsToCheckList = ({ excluded = new Set(), leads, onExclude, skipReasons }: LeadsToCheckProps) => {
  const exclude = (email: string, isExcluded: boolean) => {
    const next = new Set(excluded)
    if (isExcluded) next.add(email.toLowerCase())
    else next.delete(email.toLowerCase())
    onExclude(next)
  }
  if (leads.length === 0) return null
  return (
    <>
      <h3>{formatCount(leads.length, "lead")} to look at</h3>
      <p class="quiet">
        Their company may be one to leave out: the names begin alike or are spelled alike. They are written to unless
        you leave them out.
      </p>
      <ul class="plain-list left-leads" aria-label="Leads to look at">
        {leads.slice(0, shownAtOnce).map(({ email, name }) => (
          <li key={email} class="found">
            <span>
              <span class="strong">{name ?? email}</span>:{" "}
              {toPageWording(skipReasons.get(email.toLowerCase())?.maybe?.message ?? "")}
            </span>
            <Checkbox
              label={
                <>
                  Leave out this lead<span class="unseen">: {email}</span>
                </>
              }
              checked={excluded.has(email.toLowerCase())}
              onChange={(isExcluded) => exclude(email, isExcluded)}
            />
          </li>
        ))}
        {leads.length > shownAtOnce && <li>and {formatNumber(leads.length - shownAtOnce)} more</li>}
      </ul>
    </>
  )
}
