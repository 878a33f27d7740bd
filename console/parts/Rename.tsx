// console/parts/Rename.tsx: a name that can be changed where it stands.
import { useEffect, useRef, useState } from "preact/hooks"
import { useDoing } from "#console/Asking.ts"
import { Form, FormTrouble, issueAt, Text } from "#console/parts/Fields.tsx"
import { Act } from "#console/parts/Act.tsx"

interface Props {
  readonly label: string
  readonly name: string
  /** The field of the API that takes it. */
  readonly path: string
  readonly save: (name: string) => Promise<void>
}

export const Rename = ({ label, name, path, save }: Props) => {
  const [open, setOpen] = useState(false)
  const [value, setValue] = useState(name)
  const form = useRef<HTMLFormElement>(null)
  const saving = useDoing(async () => {
    await save(value.trim())
    setOpen(false)
  })
  useEffect(() => {
    if (open) form.current?.querySelector("input")?.select()
  }, [open])
  if (!open) {
    return (
      <button
        type="button"
        class="button"
        onClick={() => {
          setValue(name)
          setOpen(true)
        }}
      >
        Rename
      </button>
    )
  }
  return (
    <Form ref={form} class="rename" onSubmit={saving.start}>
      <Text
        label={label}
        value={value}
        onInput={setValue}
        maxLength={200}
        issue={issueAt(saving.problem, path)}
        required
      />
      <div class="actions">
        <Act kind="primary" doing={saving} busy="Saving…">
          Save the name
        </Act>
        <button type="button" class="button" onClick={() => setOpen(false)}>
          Leave it
        </button>
      </div>
      <FormTrouble problem={saving.problem} fields={[path]} />
    </Form>
  )
}
