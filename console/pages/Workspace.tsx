// console/pages/Workspace.tsx: the company profile, the documents made of it, and its signatures.
import { useEffect } from "preact/hooks"
import { type Details, listFields } from "#schema/Details.ts"
import { Problem } from "#console/Api.ts"
import { settledJob, useAsk, useDoing } from "#console/Asking.ts"
import { Imports } from "#console/pages/workspace/Imports.tsx"
import { filledIn, Profile, showField } from "#console/pages/workspace/Profile.tsx"
import { Signatures } from "#console/pages/workspace/Signatures.tsx"
import { Act } from "#console/parts/Act.tsx"
import { Documents } from "#console/parts/Documents.tsx"
import { Answered, Trouble } from "#console/parts/Notices.tsx"
import { Page, Section } from "#console/parts/Page.tsx"
import { ended } from "#console/parts/Words.ts"
import { useSession } from "#console/Session.tsx"

/** `profile` is what is saved: when it changes, the documents may be outdated. */
const Made = ({ profile }: { readonly profile: Details | undefined }) => {
  const { ask } = useSession()
  const documents = useAsk((api) => api.workspace.listWorkspaceDocuments(), [], {
    every: ({ documents }) => (documents.some(({ status }) => status === "processing") ? 2000 : undefined)
  })
  useEffect(() => {
    if (profile !== undefined) documents.again()
  }, [profile])
  const make = useDoing(async () => {
    const { id } = await ask((api) => api.workspace.regenerate())
    documents.again()
    const { error } = await ask(settledJob(id))
    documents.again()
    if (error !== null) throw new Problem("REGENERATE_FAILED", `${ended(error)} The documents stay as they were.`)
  })
  const made = documents.state === "there" ? documents.value.documents : []
  const busy = made.some(({ status }) => status === "processing")
  return (
    <Section
      title="Documents"
      lead="Made from the profile. Segments and options of campaigns come from them: regenerate them when the profile has changed."
      actions={
        <Act doing={{ busy: make.busy || busy }} busy="Regenerating…" onClick={make.start}>
          Regenerate
        </Act>
      }
    >
      {make.problem && <Trouble title="The documents could not be made" problem={make.problem} />}
      {made.some(({ outdated }) => outdated) && (
        <p class="note" role="status">
          The profile has changed since these documents were made. Regenerate them, so that segments and options follow.
        </p>
      )}
      <Answered asked={documents} waiting="Looking for the documents…">
        {({ documents }) => <Documents of={documents} />}
      </Answered>
    </Section>
  )
}

const Progress = ({ details }: { readonly details: Details }) => {
  const { all, filled } = filledIn(details)
  const lacksProof = listFields.every((field) => (details[field] ?? []).length === 0)
  return (
    <>
      {filled} of {all} fields are filled in.
      {lacksProof &&
        " Start with Proof: without case studies, guarantees or lead magnets there is nothing to choose from."}
    </>
  )
}

export const Workspace = ({ field }: { readonly field: string | undefined }) => {
  const asked = useAsk((api) => api.workspace.getWorkspace(), [])
  const isThere = asked.state === "there"
  useEffect(() => {
    if (isThere && field !== undefined) showField(field)
  }, [field, isThere])
  return (
    <Page
      title="Workspace"
      lead="Emails state the facts of your company profile and no others, so the more there is, the better they get."
    >
      <Answered asked={asked} waiting="Opening the profile…">
        {({ details }) => (
          <>
            <Imports again={asked.again} />
            <Section title="Company profile" lead={<Progress details={details} />}>
              <Profile details={details} again={asked.again} />
            </Section>
          </>
        )}
      </Answered>
      <Made profile={isThere ? asked.value.details : undefined} />
      <Signatures />
    </Page>
  )
}
