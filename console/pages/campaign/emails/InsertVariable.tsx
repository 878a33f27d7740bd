// console/pages/campaign/emails/InsertVariable.tsx: the menu that inserts a variable into a template, or changes one.
import { useEffect, useRef, useState } from "preact/hooks"
import { SelectInput, TextInput } from "#console/parts/Fields.tsx"
import { isVariable, variableLabel, type Output, outputSource, variables } from "#console/parts/Liquid.ts"

const otherVariable = "other"
const alwaysPresent: ReadonlySet<string> = new Set(["email"])

interface Props {
  /** The variable that is selected, to be changed. */
  readonly current: Output | undefined
  /** Keys of custom fields that leads or templates have. */
  readonly columns: ReadonlyArray<string>
  readonly onInsert: (source: string) => void
  readonly onClose: () => void
}

/** The variables to select from, including the one being edited. */
const variableOptions = (columns: ReadonlyArray<string>, current: Output | undefined) => {
  const custom = new Set([
    ...columns.map((key) => `custom.${key}`),
    ...(current?.variable.startsWith("custom.") ? [current.variable] : [])
  ])
  return [
    ...variables,
    ...[...custom].map((each) => [each, variableLabel(each)] as const),
    [otherVariable, "Another column…"] as const
  ]
}

export const InsertVariable = ({ columns, current, onClose, onInsert }: Props) => {
  const known = current !== undefined && isVariable(current.variable)
  const [variable, setVariable] = useState(known ? current.variable : "first_name")
  const [key, setKey] = useState("")
  const [fallback, setFallback] = useState(current?.fallback ?? "")
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.querySelector("select")?.focus(), [])
  const chosen = variable === otherVariable ? `custom.${key}` : variable
  const isValid = isVariable(chosen)
  const insert = () => {
    if (isValid) onInsert(outputSource({ variable: chosen, fallback: fallback.trim() }))
  }
  return (
    <div
      ref={box}
      class="insert"
      role="group"
      aria-label={current === undefined ? "Insert a variable" : "Change the variable"}
      onKeyDown={(event) => {
        if (event.key === "Escape") onClose()
        if (event.key === "Enter" && event.target instanceof HTMLInputElement) insert()
      }}
    >
      <SelectInput
        label="Variable"
        value={variable}
        options={variableOptions(columns, current)}
        onChange={setVariable}
      />
      {variable === otherVariable && (
        <TextInput
          label="Key of the column"
          hint="Lower-case letters, digits and _, such as term_sheet."
          value={key}
          onInput={setKey}
        />
      )}
      {!alwaysPresent.has(variable) && (
        <TextInput
          label="Text when it is missing"
          hint="Without one, leads that lack it are not written to."
          value={fallback}
          onInput={setFallback}
        />
      )}
      <div class="actions">
        <button type="button" class="button primary" aria-disabled={!isValid} onClick={insert}>
          {current === undefined ? "Insert" : "Change"}
        </button>
        <button type="button" class="button" onClick={onClose}>
          Cancel
        </button>
      </div>
    </div>
  )
}
