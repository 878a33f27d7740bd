// console/pages/Start.tsx: the first three emails of a workspace, from a website, a document or three sentences.
import { useEffect, useRef, useState } from "preact/hooks"
import { type ActionState, useAction } from "#console/Requests.ts"
import { sourceIssues, noSource, type Source, takeChosenSource } from "#console/pages/start/Source.ts"
import { SourceFields } from "#console/pages/start/SourceFields.tsx"
import { findFirstEmails, type FirstEmails, writeFirstEmails } from "#console/pages/start/FirstEmails.ts"
import { ActionButton } from "#console/parts/ActionButton.tsx"
import { Emails } from "#console/parts/Emails.tsx"
import { Form, FormTrouble, issueAt } from "#console/parts/Fields.tsx"
import { WaitingNotice } from "#console/parts/Notices.tsx"
import { Page, Section } from "#console/parts/Page.tsx"
import { routeTo } from "#console/Route.ts"
import { useSession } from "#console/Session.tsx"

interface ResultProps {
  readonly result: FirstEmails
  /** Opens the form again, to read another document. */
  readonly onMore: () => void
}

const FirstEmailsResult = ({ result: { campaign, emails, missing, recipient: reader }, onMore }: ResultProps) => (
  <Page
    class="broad"
    title="Your first three emails"
    lead={`As ${reader}, an invented lead, would get them. Nothing was sent.`}
    actions={
      <>
        <a class="button primary" href={routeTo("campaigns", campaign, "build", "emails")}>
          Edit the templates
        </a>
        <a class="button" href={routeTo("campaigns", campaign, "write")}>
          Write to your leads
        </a>
        <button type="button" class="button" onClick={onMore}>
          Read another document
        </button>
      </>
    }
  >
    <Emails emails={emails} showSources={false} />
    {missing.length > 0 && (
      <Section
        title="What would make them better"
        lead={
          <>
            Add it to the <a href={routeTo("workspace")}>company profile</a>, read another document, or write it into
            the emails.
          </>
        }
      >
        <ul>
          {missing.map((message) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
      </Section>
    )}
  </Page>
)

/** Shown when the profile has neither what the company does nor a problem that it solves. */
const tooLittleText =
  "It was read, but it does not say in a sentence what your company does. Add that here, or choose another document: emails state only what you say."

interface SourceFormProps {
  readonly source: Source
  readonly onChange: (source: Source) => void
  readonly writing: ActionState
  /** The step that is running; undefined when none is. */
  readonly step: string | undefined
  readonly note: string | undefined
}

const SourceForm = ({ note, onChange, source, step, writing }: SourceFormProps) => {
  const [issues, setIssues] = useState<Readonly<Record<string, string>>>({})
  const refused = issueAt(writing.problem, "url")
  return (
    <Form
      class="form"
      onSubmit={() => {
        const found = sourceIssues(source)
        setIssues(found)
        if (Object.keys(found).length === 0) writing.start()
      }}
    >
      {note !== undefined && (
        <p class="note" role="status">
          {note}
        </p>
      )}
      <SourceFields
        source={source}
        onChange={onChange}
        issues={{ ...(refused !== undefined && { url: refused }), ...issues }}
      />
      <FormTrouble problem={writing.problem} fields={["url"]} />
      <div class="actions">
        <ActionButton kind="primary" action={writing} busyLabel="Writing…">
          Write three emails
        </ActionButton>
      </div>
      {step !== undefined && <WaitingNotice>{`${step}…`}</WaitingNotice>}
    </Form>
  )
}

export const Start = () => {
  const { callApi } = useSession()
  const [source, setSource] = useState<Source>(noSource)
  const [step, setStep] = useState<string>()
  const [note, setNote] = useState<string>()
  const [firstEmails, setDone] = useState<FirstEmails | null>()
  const begin = async (from: Source) => {
    setNote(undefined)
    setStep("Beginning")
    try {
      const written = await callApi(writeFirstEmails(from, setStep))
      if (written !== undefined) return setDone(written)
      setNote(tooLittleText)
      setSource({ ...from, kind: "sentences", file: undefined })
    } finally {
      setStep(undefined)
    }
  }
  const latest = useRef(source)
  latest.current = source
  const writing = useAction(() => begin(latest.current))
  useEffect(() => {
    const chosen = takeChosenSource()
    if (chosen !== undefined) {
      setDone(null)
      setSource(chosen)
      latest.current = chosen
      writing.start()
      return
    }
    // After a reload, the emails that were written are shown again.
    callApi(findFirstEmails).then(
      (written) => setDone(written ?? null),
      () => setDone(null)
    )
  }, [])
  if (firstEmails === undefined) return <WaitingNotice>Looking for emails…</WaitingNotice>
  const readMore = () => {
    setSource({ ...source, kind: "document", file: undefined })
    setDone(null)
  }
  if (firstEmails !== null) return <FirstEmailsResult result={firstEmails} onMore={readMore} />
  return (
    <Page
      title="Three emails to read"
      lead="Give Overture something to write from. It takes a minute or two, and nothing is sent to anyone."
    >
      <SourceForm source={source} onChange={setSource} writing={writing} step={step} note={note} />
    </Page>
  )
}
