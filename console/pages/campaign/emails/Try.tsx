// console/pages/campaign/emails/Try.tsx: the emails that one lead would get, beside the templates they come from.
import { useEffect, useRef, useState } from "preact/hooks"
import type { Lead } from "#schema/Lead.ts"
import type { Persona, Playbook, Template, Tried, TriedText } from "#schema/Playbook.ts"
import { Problem, problemOf } from "#console/Api.ts"
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

/** The texts of a request that the server refuses: they have an error that their findings show. */
const refused = (problem: Problem): ReadonlySet<number> =>
  new Set(
    problem.issues.flatMap(({ path }) => {
      const [, at] = /^templates\.(\d+)\./.exec(path) ?? []
      return at === undefined ? [] : [Number(at)]
    })
  )

interface Answer {
  readonly tried: Tried
  /** Templates whose saved text was used, because the changed one has an error. */
  readonly saved: ReadonlySet<string>
}

/** What the lead would get; the last answer stays until the next one is there. */
const useTried = (
  campaign: string,
  lead: Lead,
  texts: ReadonlyArray<TriedText>,
  /** The same as they are saved. */
  before: ReadonlyArray<TriedText>,
  version: number
) => {
  const { ask } = useSession()
  const [answer, setAnswer] = useState<Answer>()
  const [problem, setProblem] = useState<Problem>()
  useEffect(() => {
    const stop = new AbortController()
    const send = (templates: ReadonlyArray<TriedText>) =>
      ask(
        (api) => api.playbook.tryPlaybook({ params: { id: campaign }, payload: { lead, email_count: 4, templates } }),
        stop.signal
      )
    const attempt = async (): Promise<Answer> => {
      try {
        return { tried: await send(texts), saved: new Set() }
      } catch (error) {
        const bad = error instanceof Problem ? refused(error) : new Set<number>()
        if (bad.size === 0) throw error
        const saved = new Set(texts.filter((_, at) => bad.has(at)).map(({ template_id }) => template_id))
        return { tried: await send(texts.map((text, at) => (bad.has(at) ? (before[at] ?? text) : text))), saved }
      }
    }
    const timer = setTimeout(() => {
      attempt().then(
        (next) => {
          setAnswer(next)
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

const Email = ({ email: { body, findings, step, subject }, isActive, isDirty, isSaved }: EmailProps) => {
  const item = useRef<HTMLLIElement>(null)
  useEffect(() => {
    const list = item.current?.closest<HTMLElement>(".try-scroll")
    if (isActive && item.current && list) list.scrollTop = item.current.offsetTop - list.offsetTop - 8
  }, [isActive])
  return (
    <li ref={item} class={`email${isActive ? " active" : ""}`}>
      <div class="email-head">
        <h3>{stepName(step)}</h3>
        {isSaved ? <State of={["Saved text: see findings", "bad"]} /> : isDirty && <State of={["Not saved", "busy"]} />}
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
          <FindingList
            findings={findings}
            textOf={(place) => (place === "subject" ? subject : place === "body" ? body : "")}
          />
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
  /** The variants that are open beside it, one for each step. */
  readonly shown: ReadonlyArray<Template>
  readonly onOpen: (persona: string) => void
}

export const Try = ({ book, campaign, columns, onOpen, persona, playbook, shown, step }: Props) => {
  const picks = usePicks()
  const [picked, setPicked] = useState<string>()
  const [own, setOwn] = useState<Typed>()
  // Until a lead is chosen, it is one that belongs to the persona.
  const lead: Typed = own ?? { name: "Ida Moreau", title: persona.titles[0] ?? "", company: "North Quarry", custom: {} }
  const at = picks.find(({ id }) => id === picked)
  const texts = shown.map(({ id }) => {
    const { valueOf } = fieldsOf(book, group.template(id))
    return { template_id: id, subject: valueOf("subject").trim(), body: valueOf("body").trim() }
  })
  const before = shown.map(({ body, id, subject }) => ({ template_id: id, subject, body }))
  const { answer, problem } = useTried(campaign, at?.lead ?? leadOf(lead), texts, before, playbook.version)
  const tried = answer?.tried
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
                  isSaved={answer?.saved.has(email.template_id ?? "") === true}
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
