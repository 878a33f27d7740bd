// console/pages/workspace/AnotherCompany.tsx: empties the profile, to use the workspace for another company.
import { useState } from "preact/hooks"
import { type Details, noDetails } from "#schema/Details.ts"
import { useAction } from "#console/Requests.ts"
import { countFilled } from "#console/pages/workspace/Profile.tsx"
import { ConfirmDialog } from "#console/parts/ConfirmDialog.tsx"
import { formatCount } from "#console/parts/Format.ts"
import { useSession } from "#console/Session.tsx"

/** What still is about the old company after the profile was emptied, and how to change it. */
const WhatStays = ({ company }: { readonly company: string }) => (
  <>
    <p>These stay, and still are about {company}:</p>
    <ul class="bullets">
      <li>campaigns and lists, whose emails are in the name of {company}: delete them, or keep them apart;</li>
      <li>documents, segments and options: select Regenerate on this page after you import the other company;</li>
      <li>imported texts, from which questions are answered, and signatures: delete them on this page;</li>
      <li>“Do not contact”, webhooks and API keys.</li>
    </ul>
  </>
)

interface Props {
  readonly details: Details
  readonly reload: () => void
}

export const AnotherCompany = ({ details, reload }: Props) => {
  const { callApi } = useSession()
  const [isOpen, setOpen] = useState(false)
  const [isEmptied, setEmptied] = useState(false)
  const empty = useAction(async () => {
    await callApi((api) => api.workspace.updateDetails({ payload: noDetails }))
    setOpen(false)
    setEmptied(true)
    reload()
  })
  const { filled } = countFilled(details)
  return (
    <>
      {filled > 0 && (
        <button type="button" class="button" onClick={() => setOpen(true)}>
          Use for another company
        </button>
      )}
      <p role="status" class={isEmptied && filled === 0 ? "quiet" : "unseen"}>
        {isEmptied && filled === 0 && "The profile is empty. Import the other company’s site or a document above."}
      </p>
      {isOpen && (
        <ConfirmDialog
          label="Use this workspace for another company"
          confirmLabel="Empty the profile"
          question={`This empties ${formatCount(filled, "field")} of the profile. It cannot be undone.`}
          busyLabel="Emptying…"
          action={empty}
          onClose={() => setOpen(false)}
        >
          <WhatStays company={details.company_name ?? "the old company"} />
        </ConfirmDialog>
      )}
    </>
  )
}
