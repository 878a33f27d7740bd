// console/pages/suppressions/AddSuppressions.tsx: adds pasted addresses, domains or companies, one per line, with one reason for all.
import { useState } from "preact/hooks"
import { isCompanyName, kindOf, maxEntries, type SuppressionsAdded } from "#schema/Suppressions.ts"
import { Problem } from "#console/Api.ts"
import { useAction, useIdempotencyHeaders } from "#console/Requests.ts"
import { useTextDraft } from "#console/Draft.ts"
import { AddedResult } from "#console/pages/suppressions/AddedResult.tsx"
import { ActionButton } from "#console/parts/ActionButton.tsx"
import { Form, FormTrouble, issueAt, RadioGroup, TextInput } from "#console/parts/Fields.tsx"
import { Section } from "#console/parts/Page.tsx"
import { suppressionListLabel } from "#console/parts/Labels.ts"
import { formatCount, formatNumber } from "#console/parts/Format.ts"
import { useSession } from "#console/Session.tsx"

/** Strips schemes, paths and prefixes: "https://www.osei.example/about" and "*.osei.example" become "osei.example". */
const plainValue = (value: string) =>
  value
    .trim()
    .replace(/^["'<(]+|["'>)]+$/g, "")
    .replace(/^https?:\/\//i, "")
    .replace(/^([^\s/@]+)\/\S*$/, "$1")
    .replace(/^(?:\*|www)\.(?=[^.]+\.)/i, "")

type EntryKind = "contact" | "company"

interface WrongLine {
  /** The line number in the pasted text, from 1. */
  readonly line: number
  readonly text: string
  readonly reason: string
}

const wrongReason = (text: string) =>
  text.includes("@") ? "not an email address" : "neither an address nor a domain such as osei.example"

/** Splits a line at commas, semicolons and tabs, and at spaces if every part is an address or a domain. */
const valuesOf = (line: string) =>
  line
    .split(/[\t,;]+/)
    .flatMap((part) => {
      const words = part.trim().split(/\s+/).map(plainValue)
      return words.every((word) => kindOf(word) !== undefined) ? words : [plainValue(part)]
    })
    .filter((value) => value !== "")

const readLine = (text: string, line: number, kind: EntryKind) => {
  const values = kind === "company" ? [text.trim()].filter((name) => name !== "") : valuesOf(text)
  const isGood = (value: string) => (kind === "company" ? isCompanyName(value) : kindOf(value) !== undefined)
  const reasonOf = kind === "company" ? () => "no name of a company" : wrongReason
  return {
    good: values.filter(isGood),
    wrong: values
      .filter((value) => !isGood(value))
      .map((value): WrongLine => ({ line, text: value, reason: reasonOf(value) }))
  }
}

const valuesProblem = (message: string) =>
  new Problem("BAD_REQUEST", message, { issues: [{ path: "values", message }] })

/** The valid values, and each invalid line with its reason. */
const readValues = (text: string, kind: EntryKind) => {
  const lines = text.split(/\r\n|\r|\n/).map((line, index) => readLine(line, index + 1, kind))
  const good = lines.flatMap(({ good }) => good)
  const wrong = lines.flatMap(({ wrong }) => wrong)
  if (good.length + wrong.length === 0) throw valuesProblem("is empty")
  if (good.length > maxEntries)
    throw valuesProblem(`holds ${formatNumber(good.length)} values; add at most ${formatNumber(maxEntries)} at once`)
  return { good, wrong }
}

const wrongShown = 100

const WrongLines = ({ lines }: { readonly lines: ReadonlyArray<WrongLine> }) => (
  <div class="trouble" role="alert">
    <p class="trouble-title">{formatCount(lines.length, "entry was", "entries were")} not added</p>
    <ul>
      {lines.slice(0, wrongShown).map(({ line, reason, text }) => (
        <li key={`${line} ${text}`}>
          Line {formatNumber(line)} of what you pasted, “{text.slice(0, 100)}”: {reason}.
        </li>
      ))}
      {lines.length > wrongShown && <li>and {formatNumber(lines.length - wrongShown)} more</li>}
    </ul>
    <p>The field above keeps what was not added, so that you can correct it.</p>
  </div>
)

interface AddResult {
  readonly added: SuppressionsAdded | undefined
  readonly areAddresses: boolean
  readonly wrong: ReadonlyArray<WrongLine>
}

const fieldsOf = {
  contact: {
    label: "Addresses and domains",
    hint: "One a line, or a column pasted from a spreadsheet. A domain includes its subdomains. It is compared with email addresses only: under Companies, add the company too if its people have other addresses.",
    placeholder: "kim@osei.example\nhollowell.example"
  },
  company: {
    label: "Names of companies",
    hint: "One a line. A lead is left out if its company has this name; case, accents, the legal form (GmbH, Ltd) and a country at its end do not count.",
    placeholder: "Hollowell Foods\nOsei GmbH"
  }
} as const

/** Adds the valid values, and leaves the invalid lines in the field. */
const useAdd = (kind: EntryKind, onAdded: () => void) => {
  const { callApi } = useSession()
  const idempotencyHeaders = useIdempotencyHeaders()
  const values = useTextDraft("suppressions.values", "")
  const reason = useTextDraft("suppressions.reason", "")
  const [result, setResult] = useState<AddResult>()
  const add = useAction(async () => {
    setResult(undefined)
    const why = reason.value.trim()
    const { good, wrong } = readValues(values.value, kind)
    const more = { ...(kind === "company" ? { kind } : {}), ...(why === "" ? {} : { reason: why }) }
    const payload = { entries: good.map((value) => ({ value, ...more })) }
    const added =
      good.length === 0
        ? undefined
        : await callApi((api) => api.suppressions.addSuppressions({ payload, headers: idempotencyHeaders(payload) }))
    const areAddresses = kind === "contact" && good.every((value) => kindOf(value) === "address")
    setResult({ added, areAddresses, wrong })
    if (wrong.length === 0) {
      values.discard()
      reason.discard()
    } else values.set(() => wrong.map(({ text }) => text).join("\n"))
    if (added !== undefined) onAdded()
  })
  return { add, reason, result, values }
}

export const AddSuppressions = ({ onAdded }: { readonly onAdded: () => void }) => {
  const [kind, setKind] = useState<EntryKind>("contact")
  const { add, reason, result, values } = useAdd(kind, onAdded)
  return (
    <Section title="Add">
      <Form class="form" onSubmit={add.start}>
        <RadioGroup
          label="What"
          value={kind}
          options={[
            ["contact", "Addresses or domains"],
            ["company", "Companies"]
          ]}
          onChange={setKind}
        />
        <TextInput
          {...fieldsOf[kind]}
          rows={4}
          value={values.value}
          onInput={(text) => values.set(() => text)}
          issue={issueAt(add.problem, "values")}
          required
        />
        <TextInput
          label="Reason"
          hint="Optional, for your own records."
          value={reason.value}
          maxLength={500}
          onInput={(text) => reason.set(() => text)}
        />
        <FormTrouble problem={add.problem} fields={["values"]} />
        <div class="actions">
          <ActionButton kind="primary" action={add} busyLabel="Adding…">
            Add to {suppressionListLabel}
          </ActionButton>
        </div>
        <div role="status">
          {result?.added && <AddedResult result={result.added} areAddresses={result.areAddresses} />}
        </div>
        {result && result.wrong.length > 0 && <WrongLines lines={result.wrong} />}
      </Form>
    </Section>
  )
}
