// console/pages/campaign/emails/TryPanel.tsx: the emails that one lead would get, beside the templates they come from.
import { useEffect, useRef, useState } from "preact/hooks"
import type { Lead } from "#schema/Lead.ts"
import type { Persona, Playbook, Template, Tried, TriedText } from "#schema/Playbook.ts"
import { Problem, toProblem } from "#console/Api.ts"
import type { PlaybookEditor } from "#console/pages/campaign/emails/PlaybookEditor.ts"
import { groupFields, groupNames } from "#console/pages/campaign/emails/PlaybookEditor.ts"
import { stepName } from "#console/pages/campaign/emails/StepCard.tsx"
import { leadOf, TryLead, type TypedLead, typed, useLeadPicks } from "#console/pages/campaign/emails/TryLead.tsx"
import { FindingList, MarkedText } from "#console/parts/Findings.tsx"
import { StateNotice, ProblemNotice, WaitingNotice } from "#console/parts/Notices.tsx"
import { countOf } from "#console/parts/Format.ts"
import { useSession } from "#console/Session.tsx"

/** Milliseconds after the last change until the lead is tried. */
const tryDelay = 300

/** The texts of a request that the server refuses: they have an error that their findings show. */
const invalidSteps = (problem: Problem): ReadonlySet<number> =>
  new Set(
    problem.issues.flatMap(({ path }) => {
      const [, templateIndex] = /^templates\.(\d+)\./.exec(path) ?? []
      return templateIndex === undefined ? [] : [Number(templateIndex)]
    })
  )

interface TryAnswer {
  readonly tried: Tried
  /** Templates whose saved text was used, because the changed one has an error. */
  readonly saved: ReadonlySet<string>
}

/** What the lead would get; the last answer stays until the next one is there. */
const useTriedEmails = (
  campaign: string,
  lead: Lead,
  texts: ReadonlyArray<TriedText>,
  /** The same as they are saved. */
  before: ReadonlyArray<TriedText>,
  version: number
) => {
  const { ask } = useSession()
  const [answer, setAnswer] = useState<TryAnswer>()
  const [problem, setProblem] = useState<Problem>()
  useEffect(() => {
    const stop = new AbortController()
    const send = (templates: ReadonlyArray<TriedText>) =>
      ask(
        (api) => api.playbook.tryPlaybook({ params: { id: campaign }, payload: { lead, email_count: 4, templates } }),
        stop.signal
      )
    const attempt = async (): Promise<TryAnswer> => {
      try {
        return { tried: await send(texts), saved: new Set() }
      } catch (error) {
        const bad = error instanceof Problem ? invalidSteps(error) : new Set<number>()
        if (bad.size === 0) throw error
        const saved = new Set(texts.filter((_, index) => bad.has(index)).map(({ template_id }) => template_id))
        return {
          tried: await send(texts.map((text, index) => (bad.has(index) ? (before[index] ?? text) : text))),
          saved
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
  /** Whether it is made from the saved text because the changed one has an error. */
  readonly isSaved: boolean
}

const TriedEmail = ({ email: { body, findings, step, subject }, isActive, isDirty, isSaved }: EmailProps) => {
  const item = useRef<HTMLLIElement>(null)
  useEffect(() => {
    const list = item.current?.closest<HTMLElement>(".try-scroll")
    if (isActive && item.current && list) list.scrollTop = item.current.offsetTop - list.offsetTop - 8
  }, [isActive])
  return (
    <li ref={item} class={`email${isActive ? " active" : ""}`}>
      <div class="email-head">
        <h3>{stepName(step)}</h3>
        {isSaved ? (
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
          <summary>{countOf(findings.length, "finding")}</summary>
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
const ReaderOf = ({ onOpen, persona, reader, tried }: ReaderProps) => (
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
  /** The step that is edited. */
  readonly step: number | undefined
  /** The variants that are open beside it, one for each step. */
  readonly shown: ReadonlyArray<Template>
  readonly onOpen: (persona: string) => void
}

export const TryPanel = ({ editor, campaign, columns, onOpen, persona, playbook, shown, step }: Props) => {
  const picks = useLeadPicks()
  const [picked, setPicked] = useState<string>()
  const [own, setOwn] = useState<TypedLead>()
  // Until a lead is chosen, it is one that belongs to the persona.
  const lead: TypedLead = own ?? {
    name: "Ida Moreau",
    title: persona.titles[0] ?? "",
    company: "North Quarry",
    custom: {}
  }
  const pick = picks.find(({ id }) => id === picked)
  const texts = shown.map(({ id }) => {
    const { valueOf } = groupFields(editor, groupNames.template(id))
    return { template_id: id, subject: valueOf("subject").trim(), body: valueOf("body").trim() }
  })
  const before = shown.map(({ body, id, subject }) => ({ template_id: id, subject, body }))
  const { answer, problem } = useTriedEmails(campaign, pick?.lead ?? leadOf(lead), texts, before, playbook.version)
  const tried = answer?.tried
  const reader = playbook.personas.find(({ id }) => id === tried?.persona_id)
  return (
    <aside class="try panel" aria-label="Preview">
      <h2>Preview</h2>
      <TryLead
        picks={picks}
        picked={pick?.id ?? typed}
        typedLead={lead}
        columns={columns}
        onPick={setPicked}
        onType={setOwn}
      />
      {problem && <ProblemNotice problem={problem} />}
      {tried === undefined && problem === undefined && <WaitingNotice>Filling in the emails…</WaitingNotice>}
      {tried && (
        <>
          <ReaderOf tried={tried} reader={reader} persona={persona} onOpen={onOpen} />
          <div class="try-scroll" tabIndex={0} role="region" aria-label="Emails to this lead">
            <ol>
              {tried.sequence.map((email) => (
                <TriedEmail
                  key={email.step}
                  email={email}
                  isActive={email.step === step && reader?.id === persona.id}
                  isSaved={answer?.saved.has(email.template_id ?? "") === true}
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
