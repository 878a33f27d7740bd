// console/pages/campaign/Branch.tsx: a copy of a campaign, to choose anew from one of its steps on.
import { useState } from "preact/hooks"
import { useDoing, useOnce } from "#console/Asking.ts"
import { Act } from "#console/parts/Act.tsx"
import { Form, FormTrouble, issueAt, Select, Text } from "#console/parts/Fields.tsx"
import { go } from "#console/Route.ts"
import { useSession } from "#console/Session.tsx"

const steps = [
  ["social-proof", "Social proof"],
  ["lead-magnets", "Lead magnet"],
  ["risk-reversal", "Risk reversal"],
  ["value-propositions", "Value propositions"]
] as const
type From = (typeof steps)[number][0]

export const Branch = ({ id, name }: { readonly id: string; readonly name: string }) => {
  const { ask } = useSession()
  const [title, setTitle] = useState(`${name}, second try`.slice(0, 200))
  const [from, setFrom] = useState<From>("value-propositions")
  const once = useOnce()
  const branch = useDoing(async () => {
    const made = await ask((api) =>
      api.campaigns.branchCampaign({
        params: { id },
        headers: once([title, from]),
        payload: { name: title.trim(), branch_from_step: from }
      })
    )
    go("campaigns", made.id, "build")
  })
  return (
    <details>
      <summary>Try another way with a copy</summary>
      <Form class="form" onSubmit={branch.start}>
        <Text
          label="Name of the copy"
          value={title}
          onInput={setTitle}
          maxLength={200}
          issue={issueAt(branch.problem, "name")}
          required
        />
        <Select
          label="Choose anew from"
          hint="The steps before it are copied; it and those after it are open again. Counts as a campaign build of the plan."
          value={from}
          options={steps}
          onChange={setFrom}
        />
        <FormTrouble problem={branch.problem} fields={["name"]} />
        <Act doing={branch} busy="Copying…">
          Make the copy
        </Act>
      </Form>
    </details>
  )
}
