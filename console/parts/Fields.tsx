// console/parts/Fields.tsx: forms and labelled form fields with hints and error messages.
import type { ComponentChildren, Ref } from "preact"
import { useEffect, useId, useRef } from "preact/hooks"
import type { Problem } from "#console/Api.ts"
import { ProblemNotice } from "#console/parts/Notices.tsx"
import { formatFieldMessage } from "#console/parts/Labels.ts"

/** The error message for the field at `path`. */
export const issueAt = (problem: Problem | undefined, path: string) =>
  problem?.issues.find((issue) => issue.path === path)?.message

interface FormProps {
  readonly class?: string
  readonly ref?: Ref<HTMLFormElement>
  readonly onSubmit: () => void
  readonly onKeyDown?: (event: KeyboardEvent) => void
  readonly children: ComponentChildren
}

/** A form whose fields show their own errors, so the browser's validation is off. */
export const Form = ({ children, onSubmit, ...props }: FormProps) => (
  <form
    {...props}
    noValidate
    onSubmit={(event) => {
      event.preventDefault()
      onSubmit()
    }}
  >
    {children}
  </form>
)

interface FormTroubleProps {
  readonly problem: Problem | undefined
  /** The paths of fields that show their own error messages. */
  readonly fields: ReadonlyArray<string>
}

/** The problem of a form, unless one of its fields shows it. */
export const FormTrouble = ({ fields, problem }: FormTroubleProps) =>
  problem === undefined || fields.some((path) => issueAt(problem, path) !== undefined) ? null : (
    <ProblemNotice problem={problem} />
  )

interface CommonProps {
  readonly label: string
  readonly hint?: ComponentChildren
  readonly issue?: string | undefined
}

/** The id and ARIA attributes of a control. */
const useFieldAttributes = ({ hint, issue }: CommonProps) => {
  const id = useId()
  const described = [...(hint ? [`${id}-hint`] : []), ...(issue ? [`${id}-issue`] : [])].join(" ")
  return {
    id,
    "aria-describedby": described === "" ? undefined : described,
    "aria-invalid": issue === undefined ? undefined : true
  }
}

interface FrameProps extends CommonProps {
  readonly id: string
  readonly children: ComponentChildren
}

const FieldFrame = ({ children, hint, id, issue, label }: FrameProps) => (
  <div class={`field${issue ? " wrong" : ""}`}>
    <label for={id}>{label}</label>
    {hint && (
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
    )}
    {children}
    {issue && (
      <p class="issue" id={`${id}-issue`}>
        {formatFieldMessage(label, issue)}
      </p>
    )}
  </div>
)

interface TextProps extends CommonProps {
  readonly value: string
  readonly onInput: (value: string) => void
  readonly type?: "text" | "email" | "url" | "password" | "search"
  readonly rows?: number
  readonly placeholder?: string
  readonly autocomplete?: string
  /** Off for secrets, because a browser may send a text to a service that checks its spelling. */
  readonly spellcheck?: boolean
  readonly required?: boolean
  readonly maxLength?: number
  /** Called on Enter in a field of several rows; Shift+Enter still starts a new line. */
  readonly onEnter?: () => void
}

export const TextInput = ({
  autocomplete = "off",
  hint,
  issue,
  label,
  maxLength,
  onEnter,
  onInput,
  placeholder,
  required = false,
  rows,
  type = "text",
  spellcheck = type === "text",
  value
}: TextProps) => {
  const frame = useFieldAttributes({ hint, issue, label })
  const shared = { ...frame, value, placeholder, maxLength, "aria-required": required || undefined }
  return (
    <FieldFrame id={frame.id} hint={hint} issue={issue} label={label}>
      {rows === undefined ? (
        <input
          {...shared}
          // Preact types an input by its literal type, so one of them stands for all.
          type={type as "text"}
          autocomplete={autocomplete}
          spellcheck={spellcheck}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      ) : (
        <textarea
          {...shared}
          rows={rows}
          onInput={(event) => onInput(event.currentTarget.value)}
          onKeyDown={(event) => {
            // Enter also ends the input of a character with an input method, as in Japanese. It must not submit then.
            if (onEnter === undefined || event.key !== "Enter" || event.shiftKey || event.isComposing) return
            event.preventDefault()
            onEnter()
          }}
        />
      )}
    </FieldFrame>
  )
}

interface FileProps extends CommonProps {
  readonly accept: string
  readonly file: File | undefined
  readonly onChoose: (file: File | undefined) => void
}

export const FileField = ({ accept, file, hint, issue, label, onChoose }: FileProps) => {
  const frame = useFieldAttributes({ hint, issue, label })
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    // Clears the file that the browser still shows.
    if (file === undefined && input.current !== null) input.current.value = ""
  }, [file])
  return (
    <FieldFrame id={frame.id} hint={hint} issue={issue} label={label}>
      <input
        {...frame}
        ref={input}
        type="file"
        accept={accept}
        onChange={(event) => onChoose(event.currentTarget.files?.[0])}
      />
    </FieldFrame>
  )
}

interface SelectProps<V extends string> extends CommonProps {
  readonly value: V
  readonly options: ReadonlyArray<readonly [value: V, text: string]>
  readonly onChange: (value: V) => void
}

export const SelectInput = <V extends string>({ hint, issue, label, onChange, options, value }: SelectProps<V>) => {
  const frame = useFieldAttributes({ hint, issue, label })
  return (
    <FieldFrame id={frame.id} hint={hint} issue={issue} label={label}>
      <select
        {...frame}
        value={value}
        onChange={(event) => {
          const chosen = options[event.currentTarget.selectedIndex]
          if (chosen !== undefined) onChange(chosen[0])
        }}
      >
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </FieldFrame>
  )
}

interface TickProps {
  readonly label: ComponentChildren
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
  readonly hint?: ComponentChildren
}

export const Checkbox = ({ checked, hint, label, onChange }: TickProps) => {
  const id = useId()
  return (
    <div class="tick">
      <input
        type="checkbox"
        id={id}
        checked={checked}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <label for={id}>{label}</label>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}

export const RadioGroup = <V extends string | number>({
  disabled,
  label,
  onChange,
  options,
  value
}: {
  readonly label: string
  /** Undefined if no option is selected. */
  readonly value: V | undefined
  readonly options: ReadonlyArray<readonly [value: V, text: string]>
  /** An option that cannot be selected; say beside the group why. */
  readonly disabled?: V | undefined
  readonly onChange: (value: V) => void
}) => {
  const name = useId()
  return (
    <fieldset class="one-of">
      <legend>{label}</legend>
      <div class="choices">
        {options.map(([each, text]) => (
          <label key={each} class="choice">
            <input
              type="radio"
              name={name}
              checked={each === value}
              disabled={each === disabled}
              onChange={() => onChange(each)}
            />
            <span>{text}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
