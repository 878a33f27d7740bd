// console/pages/suppressions/AddSuppressions.tsx: adds addresses, domains and companies that were pasted, one a line, with one reason for all.
import { useState } from "preact/hooks"
import { isCompanyName, kindOf, maxEntries, type SuppressionsAdded } from "#schema/Suppressions.ts"
import { Problem } from "#console/Api.ts"
import { useAction, useIdempotencyKey } from "#console/Requests.ts"
import { useTextDraft } from "#console/Draft.ts"
import { AddedResult } from "#console/pages/suppressions/AddedResult.tsx"
import { ActionButton } from "#console/parts/ActionButton.tsx"
import { Form, FormTrouble, issueAt, RadioGroup, TextInput } from "#console/parts/Fields.tsx"
import { Section } from "#console/parts/Page.tsx"
import { countOf, formatNumber } from "#console/parts/Format.ts"
import { useSession } from "#console/Session.tsx"

/** "https://www.osei.example/about", "*.osei.example" and "osei.example" are one domain. */
const plainValue = (value: string) =>
  value
    .trim()
    .replace(/^["'<(]+|["'>)]+$/g, "")
    .replace(/^https?:\/\//i, "")
    .replace(/^([^\s/@]+)\/\S*$/, "$1")
    .replace(/^(?:\*|www)\.(?=[^.]+\.)/i, "")

type EntryKind = "contact" | "company"

interface WrongLine {
  /** Its number in what was pasted, from 1. */
  readonly line: number
  readonly text: string
  readonly reason: string
}

const wrongReason = (text: string) =>
  text.includes("@") ? "not an email address" : "neither an address nor a domain such as osei.example"

/**
 * The values of a line: a cell of a spreadsheet, or several between commas, tabs or spaces. Text that is neither address nor
 * domain stays in one piece, as it was typed.
 */
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

/** The values that can be added, and each line that cannot, with its reason. */
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
    <p class="trouble-title">{countOf(lines.length, "entry was", "entries were")} not added</p>
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

/** Adds what can be added; the lines that cannot stay in the field. */
const useAdd = (kind: EntryKind, onAdded: () => void) => {
  const { ask } = useSession()
  const once = useIdempotencyKey()
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
        : await ask((api) => api.suppressions.addSuppressions({ payload, headers: once(payload) }))
    const areAddresses = kind === "contact" && good.every((value) => kindOf(value) === "address")
    setResult({ added, areAddresses, wrong })
    if (wrong.length === 0) {
      values.drop()
      reason.drop()
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
          <ActionButton kind="primary" doing={add} busy="Adding…">
            Add to the list
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
