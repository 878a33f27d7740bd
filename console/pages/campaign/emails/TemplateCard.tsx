// console/pages/campaign/emails/TemplateCard.tsx: the editor of one template, with its findings.
import { useMemo, useRef, useState } from "preact/hooks"
import type { Finding } from "#schema/Findings.ts"
import type { Template } from "#schema/Playbook.ts"
import { useLint } from "#console/Lint.ts"
import {
  type PlaybookEditor,
  type GroupFields,
  groupFields,
  groupNames
} from "#console/pages/campaign/emails/PlaybookEditor.ts"
import { InsertVariable } from "#console/pages/campaign/emails/InsertVariable.tsx"
import { SaveGroup } from "#console/pages/campaign/emails/SaveGroup.tsx"
import { Editor, type EditorHandle } from "#console/parts/Editor.tsx"
import { FindingList } from "#console/parts/Findings.tsx"
import { parseOutput, spanOfPieces } from "#console/parts/Liquid.ts"
import { StateNotice } from "#console/parts/Notices.tsx"

const fieldNames = [
  ["subject", "Subject"],
  ["body", "Body"]
] as const
type Field = (typeof fieldNames)[number][0]

const Findings = ({
  fields,
  findings
}: {
  readonly fields: GroupFields
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
    {isDirty && <StateNotice state={["Not saved", "busy"]} />}
    {isUpdated && <StateNotice state={["Updated", "good"]} />}
    {template.edited && <StateNotice state={["Edited", "calm"]} />}
    {template.stale && <StateNotice state={["Out of date", "busy"]} />}
  </span>
)

interface TextsProps {
  readonly fields: GroupFields
  readonly findings: ReadonlyArray<Finding> | undefined
  readonly showLiquid: boolean
  readonly columns: ReadonlyArray<string>
  readonly onFocus: () => void
}

const noFindings: ReadonlyArray<Finding> = []

/** The subject and body editors, and the menu that inserts a variable into the one focused last. */
const Texts = ({ columns, fields, findings = noFindings, onFocus, showLiquid }: TextsProps) => {
  const handles = { subject: useRef<EditorHandle>(null), body: useRef<EditorHandle>(null) }
  const [focusedField, setFocusedField] = useState<Field>("body")
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const inserting = handles[focusedField].current
  return (
    <>
      {fieldNames.map(([field, label]) => (
        <Editor
          key={field}
          label={label}
          single={field === "subject"}
          isPlainText={showLiquid}
          value={fields.valueOf(field)}
          findings={findings.filter(({ place }) => place === field)}
          issue={fields.issueOf(field)}
          handle={handles[field]}
          onInput={(text) => fields.set(field, text)}
          onFocus={() => {
            setFocusedField(field)
            onFocus()
          }}
          onChip={() => {
            setFocusedField(field)
            setOpen(true)
          }}
        />
      ))}
      {isOpen ? (
        <InsertVariable
          key={`${focusedField} ${inserting?.selection() ?? ""}`}
          current={parseOutput(inserting?.selection() ?? "")}
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

/** Widens a finding inside a variable to the whole variable, which is one chip. A finding with a suggestion is not widened, because the suggestion replaces exactly its span. */
const widened = (findings: ReadonlyArray<Finding>, text: Pick<Template, Field>): ReadonlyArray<Finding> =>
  findings.map((finding) => {
    const { end, place, start } = finding
    if (place === "sequence" || start === null || end === null || finding.suggestion !== null) return finding
    return { ...finding, ...spanOfPieces(text[place], start, end) }
  })

interface Props {
  readonly campaign: string
  readonly editor: PlaybookEditor
  readonly template: Template
  readonly name: string
  readonly showLiquid: boolean
  readonly columns: ReadonlyArray<string>
  readonly onFocus: () => void
}

export const TemplateCard = ({ editor, campaign, columns, name, onFocus, showLiquid, template }: Props) => {
  const fields = groupFields(editor, groupNames.template(template.id))
  const text = { subject: fields.valueOf("subject"), body: fields.valueOf("body") }
  const found = useLint({ step: template.step, campaign_id: campaign, template: true }, text, template)
  const findings = useMemo(() => found && widened(found, text), [found, text.subject, text.body])
  return (
    <>
      <Marks template={template} isDirty={fields.isDirty} isUpdated={editor.updated.has(template.id)} />
      {template.stale && (
        <p class="quiet">
          The sentences or choices changed after this template was edited. Reset it to get the new draft, or save it
          again to keep it.
        </p>
      )}
      <Texts columns={columns} fields={fields} findings={findings} onFocus={onFocus} showLiquid={showLiquid} />
      <Findings fields={fields} findings={findings} />
      <SaveGroup fields={fields} label={name} fieldLabels={fieldNames} paths={["subject", "body"]} />
    </>
  )
}
