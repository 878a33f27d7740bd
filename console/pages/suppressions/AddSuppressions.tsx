// console/pages/suppressions/AddSuppressions.tsx: adds addresses and domains that were pasted, one a line, with one reason for all.
import { useState } from "preact/hooks"
import { kindOf, maxEntries, type SuppressionsAdded } from "#schema/Suppressions.ts"
import { Problem } from "#console/Api.ts"
import { useAction, useIdempotencyKey } from "#console/Requests.ts"
import { useTextDraft } from "#console/Draft.ts"
import { ActionButton } from "#console/parts/ActionButton.tsx"
import { Form, FormTrouble, issueAt, TextInput } from "#console/parts/Fields.tsx"
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

/**
 * What was pasted: a spreadsheet column, lines, or values between commas. Values on one line may have only spaces between them,
 * and text that is neither stays in one piece, as it was typed.
 */
const splitValues = (text: string) =>
  text
    .split(/[\r\n\t,;]+/)
    .flatMap((line) => {
      const words = line.trim().split(/\s+/).map(plainValue)
      return words.every((word) => kindOf(word) !== undefined) ? words : [plainValue(line)]
    })
    .filter((value) => value !== "")

const valuesProblem = (message: string) =>
  new Problem("BAD_REQUEST", message, { issues: [{ path: "values", message }] })

/** The values as the API takes them; refuses before anything is sent, so that it is all or nothing. */
const checkValues = (text: string) => {
  const values = splitValues(text)
  if (values.length === 0) throw valuesProblem("is empty")
  const wrong = values.filter((value) => kindOf(value) === undefined)
  if (wrong.length > 0) {
    const first = wrong.slice(0, 3).map((value) => `“${value.slice(0, 100)}”`)
    const more = wrong.length > 3 ? ` and ${formatNumber(wrong.length - 3)} more` : ""
    throw valuesProblem(
      `has ${countOf(wrong.length, "entry", "entries")} that ${wrong.length === 1 ? "is" : "are"} neither an address nor a domain: ${first.join(", ")}${more}`
    )
  }
  if (values.length > maxEntries)
    throw valuesProblem(`holds ${formatNumber(values.length)} values; add at most ${formatNumber(maxEntries)} at once`)
  return values
}

const AddedResult = ({ of: { added, already } }: { readonly of: SuppressionsAdded }) => (
  <p class="note good">
    <span class="strong">{added === 0 ? "Nothing new." : `${countOf(added, "entry", "entries")} added.`}</span>
    {already > 0 && ` ${countOf(already, "entry was", "entries were")} on the list already.`}
  </p>
)

export const AddSuppressions = ({ onAdded }: { readonly onAdded: () => void }) => {
  const { ask } = useSession()
  const once = useIdempotencyKey()
  const values = useTextDraft("suppressions.values", "")
  const reason = useTextDraft("suppressions.reason", "")
  const [result, setResult] = useState<SuppressionsAdded>()
  const add = useAction(async () => {
    setResult(undefined)
    const why = reason.value.trim()
    const payload = {
      entries: checkValues(values.value).map((value) => (why === "" ? { value } : { value, reason: why }))
    }
    const added = await ask((api) => api.suppressions.addSuppressions({ payload, headers: once(payload) }))
    setResult(added)
    values.drop()
    reason.drop()
    onAdded()
  })
  return (
    <Section title="Add">
      <Form class="form" onSubmit={add.start}>
        <TextInput
          label="Addresses and domains"
          hint="One a line, or a column pasted from a spreadsheet. A domain includes its subdomains."
          placeholder={"kim@osei.example\nhollowell.example"}
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
        <div role="status">{result && <AddedResult of={result} />}</div>
      </Form>
    </Section>
  )
}
