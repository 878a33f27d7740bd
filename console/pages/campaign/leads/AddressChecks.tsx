// console/pages/campaign/leads/AddressChecks.tsx: checks of a lead file's addresses, with a choice for each kind of problem.
import { useMemo } from "preact/hooks"
import { Effect } from "effect"
import type { Lead } from "#schema/Lead.ts"
import { truncateTo } from "#schema/Fields.ts"
import { countSkipped, isDataLine, type LeadFile, limitOmittedRows, toOmittedRow } from "#schema/lead-files/Parser.ts"
import type { AddressProblem, LeadFileProblem, SkipProblem } from "#schema/LeadFiles.ts"
import { maxOmittedName, maxOmittedReason, type OmittedRowInput } from "#schema/OmittedRows.ts"
import { type RequestState, useRequest } from "#console/Requests.ts"
import { leadsOf, type LoadedLeadFile } from "#console/pages/campaign/leads/LoadedLeadFile.ts"
import { Checkbox } from "#console/parts/Fields.tsx"
import { suppressionListLabel } from "#console/parts/Labels.ts"
import { WhenLoaded } from "#console/parts/Notices.tsx"
import { formatCount, formatNumber } from "#console/parts/Format.ts"
import { routeTo } from "#console/Route.ts"

interface AddressFinding {
  readonly email: string
  readonly suggestion: string | null
}

interface Checks {
  readonly kinds: ReadonlyMap<AddressProblem, ReadonlyArray<AddressFinding>>
  /** Reasons to leave leads out, by address in lower case. */
  readonly skipReasons: SkipReasons
  /** Names of people and companies that no email can use. */
  readonly unusable: ReadonlyArray<LeadFileProblem>
}

/**
 * Why a lead is left out; with `column`, a column of the file says so, with `maybe`, the user decides, and with `decided`, a user
 * decided earlier.
 */
type SkipKind = SkipProblem | "column" | "maybe" | "decided"
interface SkipReason {
  readonly message: string
  /** The name of the earlier list, if the lead was written to or decided about before. */
  readonly list: string | undefined
}
export type SkipReasons = ReadonlyMap<string, Readonly<Partial<Record<SkipKind, SkipReason>>>>

const noSkips: SkipReasons = new Map()

const checkKinds: ReadonlyArray<readonly [AddressProblem, one: string, many: string, meaning: string]> = [
  ["typo", "mistyped address", "mistyped addresses", "The domain looks mistyped, so the email would bounce."],
  ["disposable", "throw-away address", "throw-away addresses", "The mailbox exists for minutes or days."],
  ["role", "shared mailbox", "shared mailboxes", "Such as info@: it may have several readers or none."],
  ["consumer", "private mailbox", "private mailboxes", "It does not show where the person works."]
]

/** Mistyped and disposable addresses are left out by default, because no email reaches them. */
const isExcluded = ({ leave }: LoadedLeadFile, kind: AddressProblem) =>
  leave[kind] ?? (kind === "typo" || kind === "disposable")

const quoted = (cell = "") => `"${cell.replaceAll('"', '""')}"`

/** The checked columns of the leads, as a CSV file for the server. */
const correctedFile = (leads: ReadonlyArray<Lead>) =>
  [
    "email,name,company,company_website",
    ...leads.map(({ company, company_website, email, name }) =>
      [email, name, company, company_website].map((cell) => quoted(cell ?? "")).join(",")
    )
  ].join("\n")

type ApiClient = Parameters<Parameters<typeof useRequest>[0]>[0]

const skipKinds: ReadonlySet<string> = new Set<SkipKind>([
  "suppressed",
  "client",
  "written_campaign",
  "written_workspace",
  "maybe",
  "decided"
])
const isSkipKind = (kind: string): kind is SkipKind => skipKinds.has(kind)

const skipsIn = (problems: ReadonlyArray<LeadFileProblem>): SkipReasons => {
  const skipReasons = new Map<string, Partial<Record<SkipKind, SkipReason>>>()
  for (const { email, kind, list, message } of problems) {
    if (email === null || !isSkipKind(kind)) continue
    const address = email.toLowerCase()
    skipReasons.set(address, { ...skipReasons.get(address), [kind]: { message, list } })
  }
  return skipReasons
}

const readChecks = (campaign: string, file: string) => (api: ApiClient) => {
  const payload = new FormData()
  payload.append("file", new Blob([file]), "addresses.csv")
  payload.append("campaign_id", campaign)
  return Effect.map(api.lead_files.readLeadFile({ payload }), ({ problems }): Checks => {
    const findingsOf = (kind: AddressProblem) =>
      problems.flatMap((problem) =>
        problem.kind === kind && problem.email !== null
          ? [{ email: problem.email, suggestion: problem.suggestion }]
          : []
      )
    return {
      kinds: new Map(checkKinds.map(([kind]) => [kind, findingsOf(kind)] as const)),
      skipReasons: skipsIn(problems),
      unusable: problems.filter(({ kind }) => kind === "unusable")
    }
  })
}

/** The reasons of the server, and those that a column of the file gives. */
const withColumnReasons = (
  skipReasons: SkipReasons,
  file: LeadFile | undefined,
  corrected: LoadedLeadFile["corrected"] = {}
): SkipReasons => {
  const all = new Map(skipReasons)
  for (const { lead, reason } of file?.left_out ?? []) {
    if (lead === undefined) continue
    const address = (corrected[lead.email] ?? lead.email).toLowerCase()
    all.set(address, { ...all.get(address), column: { message: `${sentenceCase(reason)}.`, list: undefined } })
  }
  return all
}

const sentenceCase = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)

/** The leads that are not sent because the file says so or a person decided so earlier, each with the reason. */
const unsentOf = (leads: ReadonlyArray<Lead>, skipReasons: SkipReasons, included: ReadonlySet<string> = new Set()) =>
  new Map(
    leads.flatMap((lead) => {
      const { email } = lead
      const { column, decided, suppressed } = skipReasons.get(email.toLowerCase()) ?? {}
      const reason = column ?? decided
      return reason === undefined || suppressed !== undefined || included.has(email.toLowerCase())
        ? []
        : [[email, { lead, reason: reason.message, by_hand: column === undefined }] as const]
    })
  )

const personIn = ({ email, name }: Lead) => ({
  email,
  ...(name === undefined || name === null || name === "" ? {} : { name: truncateTo(name, maxOmittedName) })
})

/** The rows of the file that are not sent. */
const omittedRowsOf = (
  file: LeadFile | undefined,
  leads: ReadonlyArray<Lead>,
  excludedAddresses: ReadonlyMap<string, string>,
  excluded: ReadonlySet<string> = new Set(),
  unsent: ReturnType<typeof unsentOf> = new Map()
): ReadonlyArray<OmittedRowInput> => {
  const byHand = leads.flatMap((lead) =>
    excluded.has(lead.email.toLowerCase()) && !excludedAddresses.has(lead.email)
      ? [{ ...personIn(lead), reason: "left out by hand", by_hand: true }]
      : []
  )
  const decided = [...unsent.values()].map(({ by_hand, lead, reason }) => ({
    ...personIn(lead),
    reason: truncateTo(reason, maxOmittedReason),
    by_hand
  }))
  const byAddress = leads.flatMap((lead) => {
    const kind = excludedAddresses.get(lead.email)
    return kind === undefined ? [] : [{ ...personIn(lead), reason: `left out as a ${kind}` }]
  })
  const unread = (file?.left_out ?? []).filter((line) => isDataLine(line) && line.lead === undefined)
  return limitOmittedRows([...byHand, ...decided, ...byAddress, ...unread.map(toOmittedRow)])
}

/** The leads with corrected addresses, and the results of the checks. */
export const useChecked = (campaign: string, loadedFile: LoadedLeadFile | undefined) => {
  const file = loadedFile?.file
  const corrected = loadedFile?.corrected
  const leads = useMemo(
    () =>
      (file === undefined ? [] : leadsOf(file)).map((lead) => ({
        ...lead,
        email: corrected?.[lead.email] ?? lead.email
      })),
    [file, corrected]
  )
  const text = useMemo(() => correctedFile(leads), [leads])
  // Depends on the checked columns only, so that mapping other columns sends no request.
  const checks = useRequest<Checks | undefined>(
    (api) => (leads.length === 0 ? Effect.succeed(undefined) : readChecks(campaign, text)(api)),
    [campaign, text]
  )
  const found = checks.state === "loaded" ? checks.value : undefined
  const excludedAddresses = useMemo(() => {
    const excludedAddresses = new Map<string, string>()
    for (const [kind, finding] of checkKinds) {
      if (loadedFile === undefined || !isExcluded(loadedFile, kind)) continue
      for (const { email } of found?.kinds.get(kind) ?? []) {
        if (loadedFile.keptAddresses?.has(email) !== true) excludedAddresses.set(email, finding)
      }
    }
    return excludedAddresses
  }, [found, loadedFile])
  const usable: ReadonlyArray<Lead> = useMemo(
    () => leads.filter(({ email }) => !excludedAddresses.has(email)),
    [leads, excludedAddresses]
  )
  const excluded = loadedFile?.excluded
  const kept = useMemo(
    () => usable.filter(({ email }) => excluded?.has(email.toLowerCase()) !== true),
    [usable, excluded]
  )
  const skipReasons = useMemo(
    () => withColumnReasons(found?.skipReasons ?? noSkips, file, corrected),
    [found, file, corrected]
  )
  const unsent = unsentOf(kept, skipReasons, loadedFile?.included)
  const decidedCount = [...unsent.values()].filter(({ by_hand }) => by_hand).length
  return {
    checks,
    /** All leads of the file, with corrected addresses. */
    leads,
    kept,
    /** The kinds of problem that leave leads out, by address. */
    excludedAddresses,
    /** The leads that are sent: the server does not leave out those of `unsent`. */
    sent: kept.filter(({ email }) => !unsent.has(email)),
    /** Counts of rows that are not sent to the server, so the list does not include them. */
    excludedCounts: {
      hand: usable.length - kept.length + decidedCount,
      column: unsent.size - decidedCount,
      addresses: leads.length - usable.length,
      ...countSkipped(file?.left_out ?? [])
    },
    /** The same rows, to be kept with the list. */
    omittedRows: omittedRowsOf(file, leads, excludedAddresses, excluded, unsent),
    skipReasons,
    /** Leads whose company may be one to leave out, including those that the user has left out. */
    leadsToCheck: usable.filter(({ email }) => {
      const reasons = skipReasons.get(email.toLowerCase())
      return reasons?.maybe !== undefined && reasons.decided === undefined && reasons.column === undefined
    })
  }
}

const shownAtOnce = 100

interface AddressesProps {
  /** What the box of an address says that writes to it although its kind is left out. */
  readonly keepLabel: string
  readonly found: ReadonlyArray<AddressFinding>
  readonly onUse: (found: ReadonlyArray<AddressFinding>) => void
  readonly kept: ReadonlySet<string> | undefined
  /** Undefined if these addresses are written to anyway. */
  readonly onKeep: ((email: string, isKept: boolean) => void) | undefined
}

const Addresses = ({ found, keepLabel, kept = new Set(), onKeep, onUse }: AddressesProps) => (
  <ul class="plain-list">
    {found.slice(0, shownAtOnce).map((one) => (
      <li key={one.email} class="found">
        <span>
          {one.email}
          {one.suggestion !== null && (
            <>
              {" "}
              → <span class="strong">{one.suggestion}</span>
            </>
          )}
        </span>
        {one.suggestion !== null && (
          <button type="button" class="button" onClick={() => onUse([one])}>
            Use suggestion<span class="unseen"> {one.suggestion}</span>
          </button>
        )}
        {onKeep !== undefined && (
          <Checkbox
            label={
              <>
                {keepLabel}
                <span class="unseen">: {one.email}</span>
              </>
            }
            checked={kept.has(one.email)}
            onChange={(isKept) => onKeep(one.email, isKept)}
          />
        )}
      </li>
    ))}
    {found.length > shownAtOnce && <li>and {formatNumber(found.length - shownAtOnce)} more</li>}
  </ul>
)

const Examples = ({ addresses }: { readonly addresses: ReadonlyArray<string> }) => (
  <p class="quiet examples-of">
    {addresses.slice(0, 3).join(", ")}
    {addresses.length > 3 && ` and ${formatNumber(addresses.length - 3)} more`}
  </p>
)

/** Names that no email can use, each with its lead's address and source columns. */
const UnusableNames = ({
  loadedFile,
  problems
}: {
  readonly loadedFile: LoadedLeadFile
  readonly problems: Checks["unusable"]
}) => (
  <li class="problem">
    <p class="strong">{formatCount(problems.length, "name or company", "names and companies")} that no email can use</p>
    <p class="quiet">These leads are greeted without a name. Correct the file if you know better.</p>
    <ul class="plain-list">
      {problems.slice(0, shownAtOnce).map(({ email, field, message, row }) => (
        <li key={`${row} ${field}`}>
          {email}, column {(field === undefined ? [] : (loadedFile.file?.columns[field] ?? [])).join(" + ")}: {message}
        </li>
      ))}
      {problems.length > shownAtOnce && <li>and {formatNumber(problems.length - shownAtOnce)} more</li>}
    </ul>
  </li>
)

interface Props {
  readonly loadedFile: LoadedLeadFile
  readonly checks: RequestState<Checks | undefined>
  readonly onChange: (loadedFile: LoadedLeadFile) => void
}

const CheckKind = ({
  loadedFile,
  found,
  checkKind: [kind, one, many, meaning],
  onChange
}: Omit<Props, "checks"> & {
  readonly checkKind: (typeof checkKinds)[number]
  readonly found: ReadonlyArray<AddressFinding>
}) => {
  const { excluded = new Set() } = loadedFile
  const use = (chosen: ReadonlyArray<AddressFinding>) =>
    onChange({
      ...loadedFile,
      corrected: {
        ...loadedFile.corrected,
        ...Object.fromEntries(
          chosen.flatMap(({ email, suggestion }) => (suggestion === null ? [] : [[email, suggestion]]))
        )
      },
      // Who was left out by hand stays left out at the corrected address.
      excluded: new Set([
        ...excluded,
        ...chosen.flatMap(({ email, suggestion }) =>
          suggestion !== null && excluded.has(email.toLowerCase()) ? [suggestion.toLowerCase()] : []
        )
      ])
    })
  const keep = (email: string, isKept: boolean) => {
    const keptAddresses = new Set(loadedFile.keptAddresses)
    if (isKept) keptAddresses.add(email)
    else keptAddresses.delete(email)
    onChange({ ...loadedFile, keptAddresses })
  }
  const addresses = (
    <Addresses
      found={found}
      keepLabel={kind === "typo" ? "Keep as it is" : "Write anyway"}
      onUse={use}
      kept={loadedFile.keptAddresses}
      onKeep={isExcluded(loadedFile, kind) ? keep : undefined}
    />
  )
  return (
    <li class="problem">
      <p class="strong">{formatCount(found.length, one, many)}</p>
      <p class="quiet">{meaning}</p>
      {found.length > 5 && <Examples addresses={found.map(({ email }) => email)} />}
      {kind === "typo" ? (
        <details open={found.length <= 5}>
          <summary>Suggestions</summary>
          {found.length > 1 && (
            <button type="button" class="button" onClick={() => use(found)}>
              Use all {formatNumber(found.length)} suggestions
            </button>
          )}
          {addresses}
        </details>
      ) : (
        <details open={found.length <= 5}>
          <summary>Addresses</summary>
          {addresses}
        </details>
      )}
      <Checkbox
        label={`Leave out ${formatCount(found.length, one, many)}`}
        checked={isExcluded(loadedFile, kind)}
        onChange={(isExcludedNow) => onChange({ ...loadedFile, leave: { ...loadedFile.leave, [kind]: isExcludedNow } })}
      />
    </li>
  )
}

export const AddressChecks = ({ loadedFile, checks, onChange }: Props) => {
  const corrections = Object.keys(loadedFile.corrected).length
  // Rows without a usable address, or with the address of another row.
  const hasUnreadRows = (loadedFile.file?.left_out ?? []).some((line) => isDataLine(line) && line.lead === undefined)
  return (
    <WhenLoaded request={checks} waiting="Checking the addresses…">
      {(checked) => {
        const suppressed = [...(checked?.skipReasons ?? noSkips)].flatMap(([address, why]) =>
          why.suppressed === undefined ? [] : [address]
        )
        const unusable = checked?.unusable ?? []
        const found = checkKinds.filter(([kind]) => (checked?.kinds.get(kind) ?? []).length > 0)
        return (
          <>
            {corrections > 0 && (
              <p role="status">
                {formatCount(corrections, "address was", "addresses were")} corrected.{" "}
                <button type="button" class="link" onClick={() => onChange({ ...loadedFile, corrected: {} })}>
                  Undo
                </button>
              </p>
            )}
            {found.length + suppressed.length + unusable.length === 0 ? (
              <p class="quiet">Nothing is unusual about the {hasUnreadRows ? "other " : ""}addresses.</p>
            ) : (
              <ul class="problems" aria-label="Addresses to look at">
                {found.map((checkKind) => (
                  <CheckKind
                    key={checkKind[0]}
                    checkKind={checkKind}
                    found={checked?.kinds.get(checkKind[0]) ?? []}
                    loadedFile={loadedFile}
                    onChange={onChange}
                  />
                ))}
                {unusable.length > 0 && <UnusableNames loadedFile={loadedFile} problems={unusable} />}
                {suppressed.length > 0 && (
                  <li class="problem">
                    <p class="strong">
                      {formatCount(suppressed.length, "lead")} on “{suppressionListLabel}”
                    </p>
                    <p class="quiet">
                      Always left out, at no cost. To write to them, delete their entries under{" "}
                      <a href={routeTo("suppressions")}>{suppressionListLabel}</a>.
                    </p>
                    <Examples addresses={suppressed} />
                  </li>
                )}
              </ul>
            )}
          </>
        )
      }}
    </WhenLoaded>
  )
}
