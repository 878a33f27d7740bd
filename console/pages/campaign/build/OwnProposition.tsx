// console/pages/campaign/build/OwnProposition.tsx: a value proposition in the person's own words, in place of a proposed one.
import { useState } from "preact/hooks"
import type { AssetOption } from "#schema/Assets.ts"
import { Problem } from "#console/Api.ts"
import { useAction } from "#console/Requests.ts"
import { useUnsaved } from "#console/UnsavedChanges.ts"
import type { OptionWords } from "#console/pages/campaign/build/OptionCard.tsx"
import { ActionOrCancel } from "#console/parts/ActionButton.tsx"
import { Dialog, DialogButton } from "#console/parts/Dialog.tsx"
import { Form, FormTrouble, issueAt, SelectInput, TextInput } from "#console/parts/Fields.tsx"

interface Props {
  /** Proposed ones that are not chosen. */
  readonly free: ReadonlyArray<AssetOption>
  readonly onOwn: (id: string, words: OptionWords) => void
}

const issues = (words: OptionWords) =>
  (["name", "description"] as const).flatMap((path) =>
    words[path].trim() === "" ? [{ path, message: "is empty" }] : []
  )

const OwnForm = ({ free, onClose, onOwn }: Props & { readonly onClose: () => void }) => {
  const [words, setWords] = useState<OptionWords>({ name: "", description: "" })
  const [slot, setSlot] = useState(free.at(-1)?.id ?? "")
  useUnsaved("own proposition", words.name.trim() + words.description.trim() === "" ? 0 : 1)
  const add = useAction(async () => {
    const wrong = issues(words)
    if (wrong.length > 0) throw new Problem("BAD_REQUEST", "", { issues: wrong })
    onOwn(slot, { name: words.name.trim(), description: words.description.trim() })
    onClose()
  })
  return (
    <Dialog title="Add your own" onClose={onClose}>
      <Form onSubmit={add.start}>
        <TextInput
          label="Name"
          hint="A few words, such as “Fewer stops”."
          value={words.name}
          onInput={(name) => setWords({ ...words, name })}
          maxLength={200}
          issue={issueAt(add.problem, "name")}
          required
        />
        <TextInput
          label="What it says"
          hint="One or two sentences: what the reader gains, and how."
          rows={3}
          value={words.description}
          onInput={(description) => setWords({ ...words, description })}
          issue={issueAt(add.problem, "description")}
          required
        />
        <SelectInput
          label="In place of"
          hint="A campaign chooses among proposed value propositions, so yours replaces one. “Reset to the original” brings it back."
          value={slot}
          options={free.map(({ id, name }) => [id, name] as const)}
          onChange={setSlot}
        />
        <FormTrouble problem={add.problem} fields={["name", "description"]} />
        <ActionOrCancel doing={add} busy="Adding…" onCancel={onClose}>
          Add
        </ActionOrCancel>
      </Form>
    </Dialog>
  )
}

/** Nothing where all are chosen: each can be edited. */
export const OwnProposition = (props: Props) =>
  props.free.length === 0 ? null : (
    <DialogButton label="Add your own">{(close) => <OwnForm {...props} onClose={close} />}</DialogButton>
  )
