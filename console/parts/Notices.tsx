// console/parts/Notices.tsx: messages of a page: a state, a wait, an empty state, a problem.
import type { ComponentChildren } from "preact"
import type { Problem } from "#console/Api.ts"
import type { RequestState } from "#console/Requests.ts"
import { reconnect, useIsLost } from "#console/Connection.ts"
import { formatFieldMessage, toPageWording, fieldLabel, pathLabel } from "#console/parts/Labels.ts"
import type { LabelledState } from "#console/parts/Format.ts"

export const StateNotice = ({ state: [text, tone, title] }: { readonly state: LabelledState }) => (
  <span class={`state ${tone}`} title={title}>
    {text}
  </span>
)

export const WaitingNotice = ({ children }: { readonly children: ComponentChildren }) => (
  <p class="waiting" role="status">
    {children}
  </p>
)

export const EmptyNotice = ({
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
  MAIL_UNAVAILABLE: "The mail was not sent",
  WORKSPACE_LIMIT: "A limit of the plan is reached",
  UNREACHABLE: "No answer",
  INTERNAL_ERROR: "The server had a fault"
}

/** Reasons that are not a fault of the server. */
const reasons: Readonly<Record<string, string>> = {
  model_unreachable: "The model cannot be reached",
  model_refused: "The model gave no usable answer",
  rules: "The emails failed the checks"
}

/** Replaces the path of a single issue with the label of its field. */
const messageOf = ({ issues: [issue], message, missing }: Problem) => {
  // The API's message addresses programs, so the missing fields are listed instead.
  if (missing.length > 0) return `Missing: ${missing.map(fieldLabel).join(", ")}.`
  return issue === undefined || issue.path === ""
    ? toPageWording(message)
    : formatFieldMessage(pathLabel(issue.path), issue.message)
}

/** Shows a problem as an alert. An internal error includes the request id to report. */
export const ProblemNotice = ({
  reload,
  problem,
  title = reasons[problem.reason ?? ""] ?? titles[problem.code] ?? "That did not work"
}: {
  readonly problem: Problem
  /** Overrides the title that follows from the problem's code. */
  readonly title?: string
  readonly reload?: () => void
}) => (
  <div class="trouble" role="alert">
    <p class="trouble-title">{title}</p>
    {problem.issues.length > 1 ? (
      <ul>
        {problem.issues.map(({ message, path }) => (
          <li key={`${path} ${message}`}>
            <strong>{path === "" ? "The request" : pathLabel(path)}</strong> {toPageWording(message)}
          </li>
        ))}
      </ul>
    ) : (
      <p>{messageOf(problem)}</p>
    )}
    {problem.code === "INTERNAL_ERROR" && problem.request_id && !(problem.reason && reasons[problem.reason]) && (
      <p class="quiet">
        Quote <code>{problem.request_id}</code> when you report it.
      </p>
    )}
    {/* Retrying does not add a scope to the key. */}
    {reload && problem.code !== "FORBIDDEN" && (
      <button type="button" class="button" onClick={reload}>
        Try again
      </button>
    )}
  </div>
)

/** Requests that the writer cannot follow, and missing facts. */
export const NoticeList = ({ notices = [] }: { readonly notices?: ReadonlyArray<string> | undefined }) =>
  notices.length === 0 ? null : (
    <div class="note" role="status">
      <p class="strong">Before you use these emails</p>
      <ul>
        {notices.map((notice) => (
          <li key={notice}>{toPageWording(notice)}</li>
        ))}
      </ul>
    </div>
  )

/** Renders the value of a request once it is loaded. */
export const WhenLoaded = <A,>({
  request,
  children,
  waiting: loadingText
}: {
  readonly request: RequestState<A>
  readonly waiting: string
  readonly children: (value: A) => ComponentChildren
}) => {
  if (request.state === "waiting") return <WaitingNotice>{loadingText}</WaitingNotice>
  if (request.state === "refused") return <ProblemNotice problem={request.problem} reload={request.reload} />
  return <>{children(request.value)}</>
}

/** For screen readers: announced on change, and not visible. */
export const StatusText = ({ children }: { readonly children: ComponentChildren }) => (
  <p class="unseen" role="status">
    {children}
  </p>
)

/** A bar over the page while the server does not answer. */
export const Reconnecting = () => {
  const isLost = useIsLost()
  return (
    <div role="status">
      {isLost && (
        <div class="reconnecting">
          <p>
            <span class="strong">Reconnecting…</span> The server does not answer. What you typed is kept.
          </p>
          <button type="button" class="button" onClick={reconnect}>
            Try now
          </button>
        </div>
      )}
    </div>
  )
}
