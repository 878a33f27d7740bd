// console/pages/Workspace.tsx: what the business says of itself, the documents made of it, and its signatures.
import { useEffect, useState } from "preact/hooks"
import { type Details, listFields } from "#schema/Details.ts"
import type { Session } from "#console/Session.tsx"
import { useAsk, useDoing } from "#console/Asking.ts"
import { Signatures } from "#console/pages/workspace/Signatures.tsx"
import { Profile } from "#console/pages/workspace/Profile.tsx"
import { Documents } from "#console/parts/Documents.tsx"
import { Text } from "#console/parts/Fields.tsx"
import { issueAt } from "#console/parts/Fields.tsx"
import { Act, Answered, Page, Section, Trouble } from "#console/parts/Parts.tsx"
import { useSession } from "#console/Session.tsx"

const sleep = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

/** Waits for a job, and answers it once it is done. */
const jobOf = async ({ ask }: Session, id: string) => {
  for (;;) {
    const job = await ask((api) => api.jobs.getJob({ params: { id } }))
    if (job.status === "completed" || job.status === "failed") return job
    await sleep(1500)
  }
}

const fieldsOf = (names: ReadonlyArray<string>) => names.map((name) => name.replaceAll("_", " ")).join(", ")

const Imports = ({ again }: { readonly again: () => void }) => {
  const session = useSession()
  const [url, setUrl] = useState("")
  const [file, setFile] = useState<File>()
  const [outcome, setOutcome] = useState("")
  const site = useDoing(async () => {
    setOutcome("")
    const { id } = await session.ask((api) => api.workspace.importUrl({ payload: { url } }))
    const { error, result } = await jobOf(session, id)
    setOutcome(
      error !== null
        ? `The site could not be read: ${error}`
        : result?.parsed === true
          ? "The site was read. What it says fills the fields that were empty."
          : "The site was read, and told nothing that the profile does not say already."
    )
    again()
  })
  const document = useDoing(async () => {
    setOutcome("")
    if (file === undefined) {
      setOutcome("Choose a document first.")
      return
    }
    const payload = new FormData()
    payload.append("file", file)
    const { id } = await session.ask((api) => api.workspace.importDocument({ payload }))
    const { error, result } = await jobOf(session, id)
    const filled = result?.fields_updated ?? []
    setOutcome(
      result?.status === "failed" || error !== null
        ? `The document could not be read: ${result?.error ?? error ?? "no reason is known"}`
        : filled.length === 0
          ? "The document was read, and told nothing that the profile does not say already."
          : `The document was read. It filled: ${fieldsOf(filled)}.`
    )
    again()
  })
  return (
    <Section title="Fill it in from what there is" lead="Only fields that are empty are filled. It costs no credits.">
      <div class="two imports">
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            site.start()
          }}
        >
          <Text
            label="Address of your site"
            type="url"
            placeholder="https://"
            value={url}
            onInput={setUrl}
            issue={issueAt(site.problem, "url")}
          />
          {site.problem && issueAt(site.problem, "url") === undefined && <Trouble problem={site.problem} />}
          <Act doing={site} busy="Reading the site…">
            Read the site
          </Act>
        </form>
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            document.start()
          }}
        >
          <div class="field">
            <label for="document">A document</label>
            <input
              id="document"
              type="file"
              accept=".txt,.md,.csv,.pdf,.docx"
              aria-describedby="document-hint"
              onChange={(event) => setFile(event.currentTarget.files?.[0])}
            />
            <p class="hint" id="document-hint">
              Such as a brochure: .txt, .md, .csv, .pdf or .docx, at most 10 MB.
            </p>
          </div>
          {document.problem && <Trouble problem={document.problem} />}
          <Act doing={document} busy="Reading the document…">
            Read the document
          </Act>
        </form>
      </div>
      <p role="status" class={outcome === "" ? "unseen" : "note"}>
        {outcome}
      </p>
    </Section>
  )
}

const Made = () => {
  const { ask } = useSession()
  const documents = useAsk((api) => api.workspace.listWorkspaceDocuments(), [], {
    every: ({ documents }) => (documents.some(({ status }) => status === "processing") ? 2000 : undefined)
  })
  const make = useDoing(async () => {
    await ask((api) => api.workspace.regenerate())
    documents.again()
  })
  const busy = documents.state === "there" && documents.value.documents.some(({ status }) => status === "processing")
  return (
    <Section
      title="Documents"
      lead="Made from the profile. Segments and options of campaigns come from them, so make them anew when the profile has changed."
      actions={
        <Act doing={{ busy: make.busy || busy }} busy="Making them anew…" onClick={make.start}>
          Make them anew
        </Act>
      }
    >
      {make.problem && <Trouble problem={make.problem} />}
      <Answered asked={documents} waiting="Looking for the documents…">
        {({ documents }) => <Documents of={documents} />}
      </Answered>
    </Section>
  )
}

const filled = (details: Details) =>
  Object.entries(details).filter(([, value]) =>
    Array.isArray(value) ? value.length > 0 : value !== null && value !== ""
  ).length

export const Workspace = () => {
  const asked = useAsk((api) => api.workspace.getWorkspace(), [])
  const [round, setRound] = useState(0)
  useEffect(() => {
    if (asked.state === "there") setRound((round) => round + 1)
  }, [asked.state === "there" ? asked.value : undefined])
  return (
    <Page
      title="Workspace"
      lead="What your business says of itself. Emails state these facts and no others, so the more there is, the better they get."
    >
      <Answered asked={asked} waiting="Opening the profile…">
        {({ details }) => (
          <>
            <p class="quiet">
              {filled(details)} of {Object.keys(details).length} fields are filled in
              {listFields.every((field) => (details[field] ?? []).length === 0) &&
                ". Case studies, guarantees and the like matter most: without them there is nothing to choose from"}
              .
            </p>
            <Profile key={round} details={details} again={asked.again} />
            <Imports again={asked.again} />
          </>
        )}
      </Answered>
      <Made />
      <Signatures />
    </Page>
  )
}
