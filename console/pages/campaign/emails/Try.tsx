// console/pages/campaign/emails/Try.tsx: the emails that one lead would get, beside the templates they come from.
import { useEffect, useRef, useState } from "preact/hooks"
import type { Lead } from "#schema/Lead.ts"
import type { Persona, Playbook, Tried } from "#schema/Playbook.ts"
import { type Problem, problemOf } from "#console/Api.ts"
import type { Book } from "#console/pages/campaign/emails/Book.ts"
import { fieldsOf, group } from "#console/pages/campaign/emails/Book.ts"
import { stepName } from "#console/pages/campaign/emails/StepCard.tsx"
import { leadOf, TryLead, type Typed, typed, usePicks } from "#console/pages/campaign/emails/TryLead.tsx"
import { FindingList, Marked } from "#console/parts/Findings.tsx"
import { State, Trouble, Waiting } from "#console/parts/Notices.tsx"
import { count } from "#console/parts/Words.ts"
import { useSession } from "#console/Session.tsx"

/** Milliseconds after the last change until the lead is tried. */
const pause = 300

/** What the lead would get; the last answer stays until the next one is there. */
const useTried = (campaign: string, lead: Lead, of: unknown) => {
  const { ask } = useSession()
  const [tried, setTried] = useState<Tried>()
  const [problem, setProblem] = useState<Problem>()
  const about = JSON.stringify([lead, of])
  useEffect(() => {
    const stop = new AbortController()
    const timer = setTimeout(() => {
      const payload = { lead, email_count: 4 }
      ask((api) => api.playbook.tryPlaybook({ params: { id: campaign }, payload }), stop.signal).then(
        (answer) => {
          setTried(answer)
          setProblem(undefined)
        },
        (error: unknown) => {
          if (!stop.signal.aborted) setProblem(problemOf(error))
        }
      )
    }, pause)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [about])
  return { tried, problem }
}

interface EmailProps {
  readonly email: Tried["sequence"][number]
  readonly isActive: boolean
  readonly isDirty: boolean
}

const Email = ({ email: { body, findings, step, subject }, isActive, isDirty }: EmailProps) => {
  const item = useRef<HTMLLIElement>(null)
  useEffect(() => {
    const list = item.current?.closest<HTMLElement>(".try-scroll")
    if (isActive && item.current && list) list.scrollTop = item.current.offsetTop - list.offsetTop - 8
  }, [isActive])
  return (
    <li ref={item} class={`email${isActive ? " active" : ""}`}>
      <div class="email-head">
        <h3>{stepName(step)}</h3>
        {isDirty && <State of={["Shows the saved text", "busy"]} />}
      </div>
      <p class="subject">
        <span class="unseen">Subject: </span>
        <Marked text={subject} findings={findings.filter(({ place }) => place === "subject")} />
      </p>
      <div class="body">
        <Marked text={body} findings={findings.filter(({ place }) => place === "body")} />
      </div>
      {findings.length > 0 && (
        <details class="findings">
          <summary>{count(findings.length, "finding")}</summary>
          <FindingList findings={findings} textOf={(place) => (place === "subject" ? subject : place === "body" ? body : "")} />
        </details>
      )}
    </li>
  )
}

interface Props {
  readonly campaign: string
  readonly book: Book
  readonly playbook: Playbook
  /** The persona whose templates are shown. */
  readonly persona: Persona
  readonly columns: ReadonlyArray<string>
  /** The step that is edited. */
  readonly step: number | undefined
  readonly onOpen: (persona: string) => void
}

export const Try = ({ book, campaign, columns, onOpen, persona, playbook, step }: Props) => {
  const picks = usePicks()
  const [picked, setPicked] = useState<string>()
  const [own, setOwn] = useState<Typed>()
  // Until a lead is chosen, it is one that belongs to the persona.
  const lead: Typed = own ?? { name: "Ida Moreau", title: persona.titles[0] ?? "", company: "North Quarry", custom: {} }
  const at = picks.find(({ id }) => id === picked)
  const { problem, tried } = useTried(campaign, at?.lead ?? leadOf(lead), [playbook.version, playbook.personas])
  const reader = playbook.personas.find(({ id }) => id === tried?.persona_id)
  return (
    <aside class="try panel" aria-label="Preview">
      <h2>Preview</h2>
      <TryLead
        picks={picks}
        picked={at?.id ?? typed}
        typedLead={lead}
        columns={columns}
        onPick={setPicked}
        onType={setOwn}
      />
      {problem && <Trouble problem={problem} />}
      {tried === undefined && problem === undefined && <Waiting>Filling in the emails…</Waiting>}
      {tried && (
        <>
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
          <div class="try-scroll" tabIndex={0} role="region" aria-label="Emails to this lead">
            <ol>
              {tried.sequence.map((email) => (
                <Email
                  key={email.step}
                  email={email}
                  isActive={email.step === step && reader?.id === persona.id}
                  isDirty={email.template_id !== null && fieldsOf(book, group.template(email.template_id)).isDirty}
                />
              ))}
            </ol>
          </div>
        </>
      )}
    </aside>
  )
}
