// console/parts/RenameDialog.tsx: the rename dialog.
import { useEffect, useRef, useState } from "preact/hooks"
import { useAction } from "#console/Requests.ts"
import { useUnsaved } from "#console/UnsavedChanges.ts"
import { Form, FormTrouble, issueAt, TextInput } from "#console/parts/Fields.tsx"
import { ActionOrCancel } from "#console/parts/ActionButton.tsx"
import { Dialog } from "#console/parts/Dialog.tsx"

interface Props {
  readonly label: string
  readonly name: string
  /** The path of the API field that holds the name. */
  readonly path: string
  readonly save: (name: string) => Promise<void>
  readonly onClose: () => void
}

export const RenameDialog = ({ label, name, onClose, path, save }: Props) => {
  const [value, setValue] = useState(name)
  const form = useRef<HTMLFormElement>(null)
  useUnsaved(`name ${path}`, value.trim() === name ? 0 : 1)
  const saving = useAction(async () => {
    await save(value.trim())
    onClose()
  })
  useEffect(() => form.current?.querySelector("input")?.select(), [])
  return (
    <Dialog title="Rename" onClose={onClose}>
      <Form ref={form} onSubmit={saving.start}>
        <TextInput
          label={label}
          value={value}
          onInput={setValue}
          maxLength={200}
          issue={issueAt(saving.problem, path)}
          required
        />
        <FormTrouble problem={saving.problem} fields={[path]} />
        <ActionOrCancel action={saving} busyLabel="Saving…" onCancel={onClose}>
          Save the name
        </ActionOrCancel>
      </Form>
    </Dialog>
  )
}
