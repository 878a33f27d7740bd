// console/parts/Rename.tsx: a name that can be changed where it stands.
import { useEffect, useRef, useState } from "preact/hooks"
import { useDoing } from "#console/Asking.ts"
import { issueAt, Text } from "#console/parts/Fields.tsx"
import { Act, Trouble } from "#console/parts/Parts.tsx"

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
  const issue = issueAt(saving.problem, path)
  return (
    <form
      ref={form}
      class="rename"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        saving.start()
      }}
    >
      <Text label={label} value={value} onInput={setValue} maxLength={200} issue={issue} required />
      <div class="actions">
        <Act kind="primary" doing={saving} busy="Saving…">
          Save the name
        </Act>
        <button type="button" class="button" onClick={() => setOpen(false)}>
          Leave it
        </button>
      </div>
      {saving.problem && issue === undefined && <Trouble problem={saving.problem} />}
    </form>
  )
}
