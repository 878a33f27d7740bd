// console/pages/Workspace.tsx: the company profile, its generated documents, and signatures.
import { useEffect } from "preact/hooks"
import { type Details, listFields } from "#schema/Details.ts"
import { Problem } from "#console/Api.ts"
import { pollJobUntilDone, useRequest, useAction } from "#console/Requests.ts"
import { AnotherCompany } from "#console/pages/workspace/AnotherCompany.tsx"
import { Imports } from "#console/pages/workspace/Imports.tsx"
import { countFilled, Profile, showField } from "#console/pages/workspace/Profile.tsx"
import { WorkspaceTabs } from "#console/pages/workspace/Tabs.tsx"
import { Signatures } from "#console/pages/workspace/Signatures.tsx"
import { ActionButton } from "#console/parts/ActionButton.tsx"
import { Documents } from "#console/parts/Documents.tsx"
import { RequireScope, LockWithoutScope } from "#console/parts/RequireScope.tsx"
import { WhenLoaded, ProblemNotice } from "#console/parts/Notices.tsx"
import { Page, Section } from "#console/parts/Page.tsx"
import { withFinalPeriod } from "#console/parts/Format.ts"
import { useSession } from "#console/Session.tsx"

/** The documents are reloaded when the saved `profile` changes, because they may be outdated then. */
const GeneratedDocuments = ({ profile }: { readonly profile: Details | undefined }) => {
  const { callApi } = useSession()
  const documents = useRequest((api) => api.workspace.listWorkspaceDocuments(), [], {
    pollAfter: ({ documents }) => (documents.some(({ status }) => status === "processing") ? 2000 : undefined)
  })
  useEffect(() => {
    if (profile !== undefined) documents.reload()
  }, [profile])
  const make = useAction(async () => {
    const { id } = await callApi((api) => api.workspace.regenerate())
    documents.reload()
    const { error } = await callApi(pollJobUntilDone(id))
    documents.reload()
    if (error !== null)
      throw new Problem("REGENERATE_FAILED", `${withFinalPeriod(error)} The documents stay as they were.`)
  })
  const loadedDocuments = documents.state === "loaded" ? documents.value.documents : []
  const busy = loadedDocuments.some(({ status }) => status === "processing")
  return (
    <Section
      title="Documents"
      lead="Made from the profile. Segments and options of campaigns come from them: regenerate them when the profile has changed."
      actions={
        <RequireScope scope="workspace:write">
          <ActionButton action={{ isBusy: make.isBusy || busy }} busyLabel="Regenerating…" onClick={make.start}>
            Regenerate
          </ActionButton>
        </RequireScope>
      }
    >
      {make.problem && <ProblemNotice title="The documents could not be made" problem={make.problem} />}
      {loadedDocuments.some(({ outdated }) => outdated) && (
        <p class="note" role="status">
          The profile has changed since these documents were made. Regenerate them, so that segments and options follow.
        </p>
      )}
      <WhenLoaded request={documents} waiting="Looking for the documents…">
        {({ documents }) => <Documents documents={documents} />}
      </WhenLoaded>
    </Section>
  )
}

const Progress = ({ details }: { readonly details: Details }) => {
  const { all, filled } = countFilled(details)
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
  const request = useRequest((api) => api.workspace.getWorkspace(), [])
  const isThere = request.state === "loaded"
  useEffect(() => {
    if (isThere && field !== undefined) showField(field)
  }, [field, isThere])
  return (
    <Page
      title="Workspace"
      lead="Emails state the facts of your company profile and no others, so the more there is, the better they get."
    >
      <WorkspaceTabs current="workspace" />
      <WhenLoaded request={request} waiting="Opening the profile…">
        {({ details }) => (
          <LockWithoutScope scope="workspace:write">
            <Imports details={details} reload={request.reload} />
            <Section
              title="Company profile"
              lead={<Progress details={details} />}
              actions={
                <RequireScope scope="workspace:write">
                  <AnotherCompany details={details} reload={request.reload} />
                </RequireScope>
              }
            >
              <Profile details={details} reload={request.reload} />
            </Section>
          </LockWithoutScope>
        )}
      </WhenLoaded>
      <GeneratedDocuments profile={isThere ? request.value.details : undefined} />
      <LockWithoutScope scope="signatures:write">
        <Signatures />
      </LockWithoutScope>
    </Page>
  )
}
