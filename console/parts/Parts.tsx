// console/parts/Parts.tsx: what every page is made of: its heading, states, notices, and what to do where nothing is yet.
import type { ComponentChildren } from "preact"
import { useEffect, useRef } from "preact/hooks"
import type { Asked, Doing } from "#console/Asking.ts"
import type { Problem } from "#console/Api.ts"
import type { Tone } from "#console/parts/Words.ts"

interface PageProps {
  readonly title: string
  readonly lead?: ComponentChildren
  /** Links back to where this is part of. */
  readonly within?: readonly [text: string, href: string]
  readonly actions?: ComponentChildren
  readonly children?: ComponentChildren
}

/** A page takes the focus when it is come to, so that whoever listens hears where they are. */
export const Page = ({ actions, children, lead, title, within }: PageProps) => {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · Overture`
  }, [title])
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    scrollTo(0, 0)
  }, [])
  return (
    <div class="page">
      <header class="page-head">
        <div>
          {within && (
            <p class="within">
              <a href={within[1]}>{within[0]}</a>
            </p>
          )}
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {lead && <p class="lead">{lead}</p>}
        </div>
        {actions && <div class="actions">{actions}</div>}
      </header>
      {children}
    </div>
  )
}

export const Section = ({
  actions,
  children,
  lead,
  title
}: {
  readonly title: string
  readonly lead?: ComponentChildren
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}) => (
  <section class="section">
    <div class="section-head">
      <div>
        <h2>{title}</h2>
        {lead && <p class="quiet">{lead}</p>}
      </div>
      {actions && <div class="actions">{actions}</div>}
    </div>
    {children}
  </section>
)

export const State = ({ of: [text, tone] }: { readonly of: readonly [string, Tone] }) => (
  <span class={`state ${tone}`}>{text}</span>
)

export const Waiting = ({ children }: { readonly children: ComponentChildren }) => (
  <p class="waiting" role="status">
    {children}
  </p>
)

export const Empty = ({
  actions,
  children,
  title
}: {
  readonly title: string
  readonly children: ComponentChildren
  readonly actions?: ComponentChildren
}) => (
  <div class="empty">
    <p class="empty-title">{title}</p>
    <p>{children}</p>
    {actions && <div class="actions">{actions}</div>}
  </div>
)

const titles: Readonly<Record<string, string>> = {
  INSUFFICIENT_CREDITS: "Not enough credits",
  FORBIDDEN: "This key may not do that",
  NOT_FOUND: "There is no such thing here",
  NOT_READY: "Something else comes first",
  RATE_LIMITED: "Too many requests",
  WORKSPACE_LIMIT: "A limit of the plan is reached",
  UNREACHABLE: "No answer",
  INTERNAL_ERROR: "The server had a fault"
}

/** What went wrong, read out as it appears; with the id to quote where the fault is the server's. */
export const Trouble = ({ again, problem }: { readonly problem: Problem; readonly again?: () => void }) => {
  const box = useRef<HTMLDivElement>(null)
  return (
    <div class="trouble" role="alert" ref={box}>
      <p class="trouble-title">{titles[problem.code] ?? "That did not work"}</p>
      {problem.issues.length > 1 ? (
        <ul>
          {problem.issues.map(({ message, path }) => (
            <li key={`${path} ${message}`}>
              <strong>{path === "" ? "The request" : path}</strong> {message}
            </li>
          ))}
        </ul>
      ) : (
        <p>{problem.message}</p>
      )}
      {problem.code === "INTERNAL_ERROR" && problem.request_id && (
        <p class="quiet">
          Quote <code>{problem.request_id}</code> when you report it.
        </p>
      )}
      {again && (
        <button type="button" class="button" onClick={again}>
          Try again
        </button>
      )}
    </div>
  )
}

/** Shows what was asked for once it is there. */
export const Answered = <A,>({
  asked,
  children,
  waiting
}: {
  readonly asked: Asked<A>
  readonly waiting: string
  readonly children: (value: A) => ComponentChildren
}) => {
  if (asked.state === "waiting") return <Waiting>{waiting}</Waiting>
  if (asked.state === "refused") return <Trouble problem={asked.problem} again={asked.again} />
  return <>{children(asked.value)}</>
}

interface ActProps {
  readonly doing: Pick<Doing<[]>, "busy">
  /** What it says while it is under way. */
  readonly busy: string
  readonly children: ComponentChildren
  readonly kind?: "primary" | "danger" | "plain"
  readonly onClick?: () => void
  readonly disabled?: boolean
}

/** A button that says what it does while it does it. Without `onClick` it submits its form. */
export const Act = ({ busy, children, disabled = false, doing, kind = "plain", onClick }: ActProps) => (
  <button
    type={onClick === undefined ? "submit" : "button"}
    class={`button ${kind}`}
    aria-disabled={doing.busy || disabled}
    onClick={(event) => {
      if (doing.busy || disabled) event.preventDefault()
      else onClick?.()
    }}
  >
    {doing.busy ? busy : children}
  </button>
)

/** For those who hear the page: said when it changes, and shown to nobody. */
export const Said = ({ children }: { readonly children: ComponentChildren }) => (
  <p class="unseen" role="status">
    {children}
  </p>
)
