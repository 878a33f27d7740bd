// console/pages/lists/FindPerson.tsx: finds a person by email address in all lists.
import { useState } from "preact/hooks"
import { Effect } from "effect"
import type { FoundLead, FoundRow } from "#schema/ListLeads.ts"
import type { Suppression } from "#schema/Suppressions.ts"
import { useRequest } from "#console/Requests.ts"
import { ActionButton } from "#console/parts/ActionButton.tsx"
import { Form, FormTrouble, issueAt, TextInput } from "#console/parts/Fields.tsx"
import { FoundLeadRows } from "#console/parts/LinkRows.tsx"
import { formatCount, formatMoment, formatNumber, withFinalPeriod } from "#console/parts/Format.ts"
import { suppressionListLabel, toPageWording } from "#console/parts/Labels.ts"
import { Pager } from "#console/parts/Pager.tsx"
import { routeTo } from "#console/Route.ts"

const pageSize = 25

interface Found {
  readonly email: string
  readonly leads: ReadonlyArray<FoundLead>
  readonly total: number
  readonly omittedRows: ReadonlyArray<FoundRow>
  /** None without the scope that reads them. */
  readonly suppressions: ReadonlyArray<Suppression>
}

const LeadCount = ({ email, omittedRows, suppressions, total }: Found) => {
  if (total > 0) {
    return (
      <p>
        {formatCount(total, "lead has", "leads have")} <strong>{email}</strong>, newest list first.
      </p>
    )
  }
  const isUnknown = omittedRows.length + suppressions.length === 0
  return (
    <p>
      No list has <strong>{email}</strong>.
      {isUnknown && " Check the spelling: the whole address is compared; upper or lower case do not matter."}
    </p>
  )
}

const FoundText = (found: Found) => {
  const { email, omittedRows, suppressions } = found
  return (
    <>
      {suppressions.map(({ created_at, id, reason, value }) => (
        <p key={id} class="note">
          {value === email.toLowerCase() ? "On" : `${value} is on`} “{suppressionListLabel}” since{" "}
          {formatMoment(created_at)}
          {reason === null ? "." : `: ${withFinalPeriod(reason)}`}
        </p>
      ))}
      <LeadCount {...found} />
      {omittedRows.map(({ line, list_id, list_name, reason }, index) => (
        <p key={index}>
          Left out of the list <a href={routeTo("lists", list_id)}>{list_name ?? "without a name"}</a>
          {line !== null && `, row ${formatNumber(line)}`}: {withFinalPeriod(toPageWording(reason))}
        </p>
      ))}
    </>
  )
}

export const FindPerson = () => {
  const [typed, setTyped] = useState("")
  const [sought, setSought] = useState<{ readonly email: string; readonly offset: number }>()
  const [isNotAddress, setNotAddress] = useState(false)
  const finding = useRequest(
    (api) =>
      sought === undefined
        ? Effect.succeed(undefined)
        : Effect.map(
            api.lists.findLeads({ query: { ...sought, limit: pageSize } }),
            ({ data, omitted_rows, suppressions, total }): Found => ({
              email: sought.email,
              leads: data,
              total,
              omittedRows: omitted_rows,
              suppressions: suppressions ?? []
            })
          ),
    [sought]
  )
  const problem = finding.state === "refused" ? finding.problem : undefined
  const found = finding.state === "loaded" ? finding.value : undefined
  const find = () => {
    const email = typed.trim()
    setNotAddress(!email.includes("@"))
    if (!email.includes("@")) return setSought(undefined)
    if (email === sought?.email && sought.offset === 0) finding.reload()
    else setSought({ email, offset: 0 })
  }
  return (
    <section class="find-person" aria-labelledby="find-person">
      <h2 id="find-person">Find a person</h2>
      <Form class="find" onSubmit={find}>
        <TextInput
          label="Email address"
          type="email"
          value={typed}
          onInput={setTyped}
          issue={isNotAddress ? "Type the whole email address; names cannot be searched" : issueAt(problem, "email")}
        />
        <ActionButton action={{ isBusy: sought !== undefined && finding.state === "waiting" }} busyLabel="Looking…">
          Find
        </ActionButton>
      </Form>
      <FormTrouble problem={problem} fields={["email"]} />
      <div role="status">{found && <FoundText {...found} />}</div>
      {found && found.leads.length > 0 && <FoundLeadRows leads={found.leads} />}
      {found && sought && (
        <Pager
          label="leads found"
          offset={sought.offset}
          limit={pageSize}
          total={found.total}
          onMove={(offset) => setSought({ ...sought, offset })}
        />
      )}
    </section>
  )
}
