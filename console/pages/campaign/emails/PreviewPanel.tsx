// console/pages/campaign/emails/PreviewPanel.tsx: previews the emails to one lead next to the templates.
import { useEffect, useRef, useState } from "preact/hooks"
import type { Lead } from "#schema/Lead.ts"
import type { Persona, Playbook, Template, Tried, TriedText } from "#schema/Playbook.ts"
import { Problem, toProblem } from "#console/Api.ts"
import type { PlaybookEditor } from "#console/pages/campaign/emails/PlaybookEditor.ts"
import { groupFields, groupNames } from "#console/pages/campaign/emails/PlaybookEditor.ts"
import { stepName } from "#console/pages/campaign/emails/StepCard.tsx"
import {
  toLead,
  TryLead,
  type TypedLead,
  typedLeadId,
  useLeadPicks
} from "#console/pages/campaign/emails/LeadPicker.tsx"
import { FindingList, MarkedText } from "#console/parts/Findings.tsx"
import { StateNotice, ProblemNotice, WaitingNotice } from "#console/parts/Notices.tsx"
import { formatCount } from "#console/parts/Format.ts"
import { useSession } from "#console/Session.tsx"

/** Milliseconds after the last change until the lead is tried. */
const tryDelay = 300

/** Indexes of the templates that the server rejects. Their findings show the error. */
const invalidTemplateIndexes = (problem: Problem): ReadonlySet<number> =>
  new Set(
    problem.issues.flatMap(({ path }) => {
      const [, templateIndex] = /^templates\.(\d+)\./.exec(path) ?? []
      return templateIndex === undefined ? [] : [Number(templateIndex)]
    })
  )

interface TryAnswer {
  readonly tried: Tried
  /** Ids of templates previewed with their saved text, because the changed text has an error. */
  readonly fallbackTemplateIds: ReadonlySet<string>
}

/** The emails that the lead would get. The last answer stays until the next one arrives. */
const useTriedEmails = (
  campaign: string,
  lead: Lead,
  texts: ReadonlyArray<TriedText>,
  /** The saved texts of the same templates. */
  savedTexts: ReadonlyArray<TriedText>,
  version: number
) => {
  const { callApi } = useSession()
  const [answer, setAnswer] = useState<TryAnswer>()
  const [problem, setProblem] = useState<Problem>()
  useEffect(() => {
    const stop = new AbortController()
    const send = (templates: ReadonlyArray<TriedText>) =>
      callApi(
        (api) => api.playbook.tryPlaybook({ params: { id: campaign }, payload: { lead, email_count: 4, templates } }),
        stop.signal
      )
    const attempt = async (): Promise<TryAnswer> => {
      try {
        return { tried: await send(texts), fallbackTemplateIds: new Set() }
      } catch (error) {
        const bad = error instanceof Problem ? invalidTemplateIndexes(error) : new Set<number>()
        if (bad.size === 0) throw error
        const saved = new Set(texts.filter((_, index) => bad.has(index)).map(({ template_id }) => template_id))
        return {
          tried: await send(texts.map((text, index) => (bad.has(index) ? (savedTexts[index] ?? text) : text))),
          fallbackTemplateIds: saved
        }
      }
    }
    const timer = setTimeout(() => {
      attempt().then(
        (next) => {
          setAnswer(next)
          setProblem(undefined)
        },
        (error: unknown) => {
          if (!stop.signal.aborted) setProblem(toProblem(error))
        }
      )
    }, tryDelay)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [JSON.stringify([lead, texts, version])])
  return { answer, problem }
}

interface EmailProps {
  readonly email: Tried["sequence"][number]
  readonly isActive: boolean
  readonly isDirty: boolean
  /** Whether the email uses the saved text because the changed one has an error. */
  readonly usesSavedText: boolean
}

const TriedEmail = ({ email: { body, findings, step, subject }, isActive, isDirty, usesSavedText }: EmailProps) => {
  const item = useRef<HTMLLIElement>(null)
  useEffect(() => {
    const list = item.current?.closest<HTMLElement>(".try-scroll")
    if (isActive && item.current && list) list.scrollTop = item.current.offsetTop - list.offsetTop - 8
  }, [isActive])
  return (
    <li ref={item} class={`email${isActive ? " active" : ""}`}>
      <div class="email-head">
        <h3>{stepName(step)}</h3>
        {usesSavedText ? (
          <StateNotice state={["Saved text: see findings", "bad"]} />
        ) : (
          isDirty && <StateNotice state={["Not saved", "busy"]} />
        )}
      </div>
      <p class="subject">
        <span class="unseen">Subject: </span>
        <MarkedText text={subject} findings={findings.filter(({ place }) => place === "subject")} />
      </p>
      <div class="body">
        <MarkedText text={body} findings={findings.filter(({ place }) => place === "body")} />
      </div>
      {findings.length > 0 && (
        <details class="findings">
          <summary>{formatCount(findings.length, "finding")}</summary>
          <FindingList
            findings={findings}
            textOf={(place) => (place === "subject" ? subject : place === "body" ? body : "")}
          />
        </details>
      )}
    </li>
  )
}

interface ReaderProps {
  readonly tried: Tried
  readonly reader: Persona | undefined
  /** The persona whose templates are shown. */
  readonly persona: Persona
  readonly onOpen: (persona: string) => void
}

/** The persona that the lead belongs to, and why. */
const MatchedPersona = ({ onOpen, persona, reader, tried }: ReaderProps) => (
  <div class="reader" role="status">
    {tried.skipped && <p class="note">Left out of batches: {tried.skipped.reason}</p>}
    <p>
      Persona: <span class="strong">{reader?.name ?? "Unknown"}</span>{" "}
      {reader && reader.id !== persona.id && (
        <button type="button" class="link" onClick={() => onOpen(reader.id)}>
          Open<span class="unseen"> {reader.name}</span>
        </button>
      )}
    </p>
    <details>
      <summary>Reasons</summary>
      <ul class="plain-list">
        {tried.reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
    </details>
  </div>
)

interface Props {
  readonly campaign: string
  readonly editor: PlaybookEditor
  readonly playbook: Playbook
  /** The persona whose templates are shown. */
  readonly persona: Persona
  readonly columns: ReadonlyArray<string>
  /** The step that has the focus. */
  readonly step: number | undefined
  /** The template open for each step. */
  readonly openTemplates: ReadonlyArray<Template>
  readonly onOpen: (persona: string) => void
}

export const TryPanel = ({ editor, campaign, columns, onOpen, persona, playbook, openTemplates, step }: Props) => {
  const picks = useLeadPicks()
  const [selectedLeadId, setSelectedLeadId] = useState<string>()
  const [typedLead, setTypedLead] = useState<TypedLead>()
  // An example lead of the persona, until the user enters one.
  const lead: TypedLead = typedLead ?? {
    name: "Ida Moreau",
    title: persona.titles[0] ?? "",
    company: "North Quarry",
    custom: {}
  }
  const pick = picks.find(({ id }) => id === selectedLeadId)
  const texts = openTemplates.map(({ id }) => {
    const { valueOf } = groupFields(editor, groupNames.template(id))
    return { template_id: id, subject: valueOf("subject").trim(), body: valueOf("body").trim() }
  })
  const savedTexts = openTemplates.map(({ body, id, subject }) => ({ template_id: id, subject, body }))
  const { answer, problem } = useTriedEmails(campaign, pick?.lead ?? toLead(lead), texts, savedTexts, playbook.version)
  const tried = answer?.tried
  const reader = playbook.personas.find(({ id }) => id === tried?.persona_id)
  return (
    <aside class="try panel" aria-label="Preview">
      <h2>Preview</h2>
      <TryLead
        options={picks}
        selectedId={pick?.id ?? typedLeadId}
        typedLead={lead}
        columns={columns}
        onSelect={setSelectedLeadId}
        onType={setTypedLead}
      />
      {problem && <ProblemNotice problem={problem} />}
      {tried === undefined && problem === undefined && <WaitingNotice>Filling in the emails…</WaitingNotice>}
      {tried && (
        <>
          <MatchedPersona tried={tried} reader={reader} persona={persona} onOpen={onOpen} />
          <div class="try-scroll" tabIndex={0} role="region" aria-label="Emails to this lead">
            <ol>
              {tried.sequence.map((email) => (
                <TriedEmail
                  key={email.step}
                  email={email}
                  isActive={email.step === step && reader?.id === persona.id}
                  usesSavedText={answer?.fallbackTemplateIds.has(email.template_id ?? "") === true}
                  isDirty={
                    email.template_id !== null && groupFields(editor, groupNames.template(email.template_id)).isDirty
                  }
                />
              ))}
            </ol>
          </div>
        </>
      )}
    </aside>
  )
}
