// console/pages/keys/CreateKey.tsx: a form for a new key: its name, what it may do, and when it ends.
import { useState } from "preact/hooks"
import type { Scope } from "#schema/Auth.ts"
import { maxNameLength } from "#schema/Keys.ts"
import { useAction } from "#console/Requests.ts"
import type { ShownSecret } from "#console/pages/keys/Secret.tsx"
import { ActionButton } from "#console/parts/ActionButton.tsx"
import { Form, FormTrouble, issueAt, SelectInput, TextInput, Checkbox } from "#console/parts/Fields.tsx"
import { useSession } from "#console/Session.tsx"

const ends = [
  ["", "Never"],
  ["30", "In 30 days"],
  ["90", "In 90 days"],
  ["365", "In a year"]
] as const
type End = (typeof ends)[number][0]

const grants = [
  ["all", "Everything that you may do"],
  ["read", "Read only"],
  ["some", "Selected scopes"]
] as const
type Grant = (typeof grants)[number][0]

export const CreateKey = ({ onCreated }: { readonly onCreated: (shown: ShownSecret) => void }) => {
  const { ask, signedIn } = useSession()
  const own = signedIn.key.scopes
  const [name, setName] = useState("")
  const [grant, setGrant] = useState<Grant>("all")
  const [picked, setPicked] = useState<ReadonlySet<Scope>>(new Set())
  const [end, setEnd] = useState<End>("")
  const creating = useAction(async () => {
    const scopes = own.filter((scope) =>
      grant === "all" ? true : grant === "read" ? scope.endsWith(":read") : picked.has(scope)
    )
    const made = await ask((api) =>
      api.keys.createKey({
        payload: { name: name.trim(), scopes, ...(end !== "" && { expires_in_days: Number(end) }) }
      })
    )
    setName("")
    onCreated({ kind: "key", name: made.name ?? made.prefix, text: made.key })
  })
  return (
    <Form class="form" onSubmit={creating.start}>
      <TextInput
        label="Name"
        hint="What uses it, such as a program or a person."
        value={name}
        onInput={setName}
        maxLength={maxNameLength}
        issue={issueAt(creating.problem, "name")}
      />
      <SelectInput label="What it may do" value={grant} options={grants} onChange={setGrant} />
      {grant === "some" && (
        <fieldset class="scopes">
          <legend>Scopes</legend>
          {own.map((scope) => (
            <Checkbox
              key={scope}
              label={scope}
              checked={picked.has(scope)}
              onChange={(checked) =>
                setPicked((all) => new Set(checked ? [...all, scope] : [...all].filter((one) => one !== scope)))
              }
            />
          ))}
        </fieldset>
      )}
      <SelectInput label="Ends" value={end} options={ends} onChange={setEnd} />
      <FormTrouble problem={creating.problem} fields={["name"]} />
      <div class="actions">
        <ActionButton kind="primary" doing={creating} busy="Creating…">
          Create the key
        </ActionButton>
      </div>
    </Form>
  )
}
