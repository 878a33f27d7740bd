// console/pages/keys/CreateKey.tsx: a form that creates an API key with a name, scopes and an expiry.
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
  const { callApi, sessionInfo } = useSession()
  const ownScopes = sessionInfo.key.scopes
  const [name, setName] = useState("")
  const [grant, setGrant] = useState<Grant>("all")
  const [selectedScopes, setSelectedScopes] = useState<ReadonlySet<Scope>>(new Set())
  const [expiry, setExpiry] = useState<End>("")
  const creating = useAction(async () => {
    const scopes = ownScopes.filter((scope) =>
      grant === "all" ? true : grant === "read" ? scope.endsWith(":read") : selectedScopes.has(scope)
    )
    const createdKey = await callApi((api) =>
      api.keys.createKey({
        payload: { name: name.trim(), scopes, ...(expiry !== "" && { expires_in_days: Number(expiry) }) }
      })
    )
    setName("")
    onCreated({ kind: "key", name: createdKey.name ?? createdKey.prefix, text: createdKey.key })
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
          {ownScopes.map((scope) => (
            <Checkbox
              key={scope}
              label={scope}
              checked={selectedScopes.has(scope)}
              onChange={(checked) =>
                setSelectedScopes((all) => new Set(checked ? [...all, scope] : [...all].filter((one) => one !== scope)))
              }
            />
          ))}
        </fieldset>
      )}
      <SelectInput
        label="Ends"
        hint="No later than the key that you are signed in with."
        value={expiry}
        options={ends}
        onChange={setExpiry}
        issue={issueAt(creating.problem, "expires_in_days")}
      />
      <FormTrouble problem={creating.problem} fields={["name", "expires_in_days"]} />
      <div class="actions">
        <ActionButton kind="primary" action={creating} busyLabel="Creating…">
          Create the key
        </ActionButton>
      </div>
    </Form>
  )
}
