// console/pages/lists/FindPerson.tsx: finds a person by email address in all lists.
import { useState } from "preact/hooks"
import { Effect } from "effect"
import type { FoundLead } from "#schema/ListLeads.ts"
import { useRequest } from "#console/Requests.ts"
import { ActionButton } from "#console/parts/ActionButton.tsx"
import { Form, FormTrouble, issueAt, TextInput } from "#console/parts/Fields.tsx"
import { FoundLeadRows } from "#console/parts/LinkRows.tsx"
import { formatCount } from "#console/parts/Format.ts"
import { Pager } from "#console/parts/Pager.tsx"

const pageSize = 25

interface FoundProps {
  readonly email: string
  readonly leads: ReadonlyArray<FoundLead>
  readonly total: number
}

const FoundText = ({ email, leads, total }: FoundProps) => (
  <p>
    {leads.length === 0 ? (
      <>
        No list has <strong>{email}</strong>. Check the spelling: the whole address is compared, in any case.
      </>
    ) : (
      <>
        {formatCount(total, "lead has", "leads have")} <strong>{email}</strong>, newest list first.
      </>
    )}
  </p>
)

export const FindPerson = () => {
  const [typed, setTyped] = useState("")
  const [sought, setSought] = useState<{ readonly email: string; readonly offset: number }>()
  const finding = useRequest(
    (api) =>
      sought === undefined
        ? Effect.succeed(undefined)
        : Effect.map(api.lists.findLeads({ query: { ...sought, limit: pageSize } }), ({ data, total }) => ({
            email: sought.email,
            leads: data,
            total
          })),
    [sought]
  )
  const problem = finding.state === "refused" ? finding.problem : undefined
  const found = finding.state === "loaded" ? finding.value : undefined
  const find = () => {
    const email = typed.trim()
    if (email === sought?.email && sought.offset === 0) finding.reload()
    else setSought({ email, offset: 0 })
  }
  return (
    <section class="find-person" aria-label="Find a person">
      <Form class="find" onSubmit={find}>
        <TextInput
          label="Find a person: email address"
          type="email"
          value={typed}
          onInput={setTyped}
          issue={issueAt(problem, "email")}
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
