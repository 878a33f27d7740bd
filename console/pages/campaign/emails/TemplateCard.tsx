// console/pages/campaign/emails/TemplateCard.tsx: one template, edited where it is shown, with what the checker finds.
import { useRef, useState } from "preact/hooks"
import type { Finding } from "#schema/Findings.ts"
import type { Template } from "#schema/Playbook.ts"
import { type Book, type Fields, fieldsOf, group } from "#console/pages/campaign/emails/Book.ts"
import { Editor, type EditorHandle } from "#console/pages/campaign/emails/Editor.tsx"
import { InsertVariable } from "#console/pages/campaign/emails/InsertVariable.tsx"
import { useFindings } from "#console/pages/campaign/emails/Lint.ts"
import { outputOf } from "#console/pages/campaign/emails/Liquid.ts"
import { SaveGroup } from "#console/pages/campaign/emails/SaveGroup.tsx"
import { FindingList } from "#console/parts/Findings.tsx"
import { State } from "#console/parts/Notices.tsx"

const fieldNames = [
  ["subject", "Subject"],
  ["body", "Body"]
] as const
type Field = (typeof fieldNames)[number][0]

const Findings = ({
  fields,
  findings
}: {
  readonly fields: Fields
  readonly findings: ReadonlyArray<Finding> | undefined
}) => (
  <div class="findings" aria-live="polite">
    <h4>Findings</h4>
    {findings === undefined ? (
      <p class="quiet">Checking…</p>
    ) : findings.length === 0 ? (
      <p class="quiet">None.</p>
    ) : (
      <FindingList
        findings={findings}
        textOf={(place) => (place === "sequence" ? "" : fields.valueOf(place))}
        onUse={({ end, place, start, suggestion }) => {
          if (place === "sequence" || start === null || end === null) return
          const text = fields.valueOf(place)
          fields.set(place, text.slice(0, start) + (suggestion ?? "") + text.slice(end))
        }}
      />
    )}
  </div>
)

const Marks = ({
  isDirty,
  isUpdated,
  template
}: {
  readonly template: Template
  readonly isDirty: boolean
  readonly isUpdated: boolean
}) => (
  <span class="marks">
    {isDirty && <State of={["Not saved", "busy"]} />}
    {isUpdated && <State of={["Updated", "good"]} />}
    {template.edited && <State of={["Edited", "calm"]} />}
    {template.stale && <State of={["Out of date", "busy"]} />}
  </span>
)

interface TextsProps {
  readonly fields: Fields
  readonly findings: ReadonlyArray<Finding> | undefined
  readonly plain: boolean
  readonly columns: ReadonlyArray<string>
  readonly onFocus: () => void
}

const noFindings: ReadonlyArray<Finding> = []

/** Subject and body, and the menu that inserts into the one that was used last. */
const Texts = ({ columns, fields, findings = noFindings, onFocus, plain }: TextsProps) => {
  const handles = { subject: useRef<EditorHandle>(null), body: useRef<EditorHandle>(null) }
  const [at, setAt] = useState<Field>("body")
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const inserting = handles[at].current
  return (
    <>
      {fieldNames.map(([field, label]) => (
        <Editor
          key={field}
          label={label}
          single={field === "subject"}
          plain={plain}
          value={fields.valueOf(field)}
          findings={findings.filter(({ place }) => place === field)}
          issue={fields.issueOf(field)}
          handle={handles[field]}
          onInput={(text) => fields.set(field, text)}
          onFocus={() => {
            setAt(field)
            onFocus()
          }}
          onChip={() => {
            setAt(field)
            setOpen(true)
          }}
        />
      ))}
      {isOpen ? (
        <InsertVariable
          key={`${at} ${inserting?.selection() ?? ""}`}
          current={outputOf(inserting?.selection() ?? "")}
          columns={columns}
          onInsert={(source) => {
            inserting?.insert(source)
            setOpen(false)
          }}
          onClose={() => {
            setOpen(false)
            setTimeout(() => button.current?.focus())
          }}
        />
      ) : (
        <button ref={button} type="button" class="link" onClick={() => setOpen(true)}>
          Insert a variable
        </button>
      )}
    </>
  )
}

interface Props {
  readonly campaign: string
  readonly book: Book
  readonly template: Template
  readonly name: string
  readonly plain: boolean
  readonly columns: ReadonlyArray<string>
  readonly onFocus: () => void
}

export const TemplateCard = ({ book, campaign, columns, name, onFocus, plain, template }: Props) => {
  const fields = fieldsOf(book, group.template(template.id))
  const findings = useFindings(campaign, template, { subject: fields.valueOf("subject"), body: fields.valueOf("body") })
  return (
    <>
      <Marks template={template} isDirty={fields.isDirty} isUpdated={book.updated.has(template.id)} />
      {template.stale && (
        <p class="quiet">
          The sentences or choices changed after this email was edited. Reset it to get the new draft, or save it again
          to keep it.
        </p>
      )}
      <Texts columns={columns} fields={fields} findings={findings} onFocus={onFocus} plain={plain} />
      <Findings fields={fields} findings={findings} />
      <SaveGroup fields={fields} what={name} names={fieldNames} paths={["subject", "body"]} />
    </>
  )
}
