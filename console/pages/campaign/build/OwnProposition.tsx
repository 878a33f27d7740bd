// console/pages/campaign/build/OwnProposition.tsx: replaces a proposed value proposition with the user's own.
import { useState } from "preact/hooks"
import type { AssetOption } from "#schema/Assets.ts"
import { Problem } from "#console/Api.ts"
import { useAction } from "#console/Requests.ts"
import { useUnsaved } from "#console/UnsavedChanges.ts"
import type { OptionTexts } from "#console/pages/campaign/build/OptionCard.tsx"
import { ActionOrCancel } from "#console/parts/ActionButton.tsx"
import { Dialog, DialogButton } from "#console/parts/Dialog.tsx"
import { Form, FormTrouble, issueAt, SelectInput, TextInput } from "#console/parts/Fields.tsx"

interface Props {
  /** Proposed options that are not selected, which the new one can replace. */
  readonly replaceableOptions: ReadonlyArray<AssetOption>
  readonly onAdd: (id: string, words: OptionTexts) => void
}

const issues = (words: OptionTexts) =>
  (["name", "description"] as const).flatMap((path) =>
    words[path].trim() === "" ? [{ path, message: "is empty" }] : []
  )

const OwnForm = ({ replaceableOptions, onClose, onAdd }: Props & { readonly onClose: () => void }) => {
  const [texts, setTexts] = useState<OptionTexts>({ name: "", description: "" })
  const [replacedOptionId, setReplacedOptionId] = useState(replaceableOptions.at(-1)?.id ?? "")
  useUnsaved("own proposition", texts.name.trim() + texts.description.trim() === "" ? 0 : 1)
  const add = useAction(async () => {
    const wrong = issues(texts)
    if (wrong.length > 0) throw new Problem("BAD_REQUEST", "", { issues: wrong })
    onAdd(replacedOptionId, { name: texts.name.trim(), description: texts.description.trim() })
    onClose()
  })
  return (
    <Dialog title="Add your own" onClose={onClose}>
      <Form onSubmit={add.start}>
        <TextInput
          label="Name"
          hint="A few words, such as “Fewer stops”."
          value={texts.name}
          onInput={(name) => setTexts({ ...texts, name })}
          maxLength={200}
          issue={issueAt(add.problem, "name")}
          required
        />
        <TextInput
          label="What it says"
          hint="One or two sentences: what the reader gains, and how."
          rows={3}
          value={texts.description}
          onInput={(description) => setTexts({ ...texts, description })}
          issue={issueAt(add.problem, "description")}
          required
        />
        <SelectInput
          label="In place of"
          hint="A campaign chooses among proposed value propositions, so yours replaces one. “Reset to the original” brings it back."
          value={replacedOptionId}
          options={replaceableOptions.map(({ id, name }) => [id, name] as const)}
          onChange={setReplacedOptionId}
        />
        <FormTrouble problem={add.problem} fields={["name", "description"]} />
        <ActionOrCancel action={add} busyLabel="Adding…" onCancel={onClose}>
          Add
        </ActionOrCancel>
      </Form>
    </Dialog>
  )
}

/** Hidden if all options are selected, because each of them can be edited. */
export const OwnProposition = (props: Props) =>
  props.replaceableOptions.length === 0 ? null : (
    <DialogButton label="Add your own">{(close) => <OwnForm {...props} onClose={close} />}</DialogButton>
  )
