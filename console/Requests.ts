// console/Requests.ts: hooks for the requests of a page and for the actions that a user starts.
import { useCallback, useEffect, useRef, useState } from "preact/hooks"
import { Effect, Schedule } from "effect"
import type { Job } from "#schema/Jobs.ts"
import { type Client, Problem, toProblem } from "#console/Api.ts"
import { onReconnect } from "#console/Connection.ts"
import { useSession } from "#console/Session.tsx"

type RequestResult<A> =
  | { readonly state: "loaded"; readonly value: A }
  | { readonly state: "refused"; readonly problem: Problem }

export type RequestState<A> = ({ readonly state: "waiting" } | RequestResult<A>) & { readonly reload: () => void }

interface RequestOptions<A> {
  /** Milliseconds after an answer until the request is repeated; undefined for never. */
  readonly pollAfter?: (value: A) => number | undefined
}

/**
 * Sends a request. Repeats it when `dependencies` change, when `reload` is called, and after the time that `pollAfter`
 * returns. The last answer stays meanwhile.
 */
export const useRequest = <A>(
  send: (api: Client) => Effect.Effect<A, unknown>,
  dependencies: ReadonlyArray<unknown>,
  { pollAfter }: RequestOptions<A> = {}
): RequestState<A> => {
  const { callApi } = useSession()
  const [attempt, setAttempt] = useState(0)
  const reload = useCallback(() => setAttempt((attempt) => attempt + 1), [])
  const [lastAnswer, setLastAnswer] = useState<{ readonly key: string; readonly answer: RequestResult<A> }>()
  const key = JSON.stringify(dependencies)
  useEffect(() => {
    const stop = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    let unsubscribe = () => {}
    callApi(send, stop.signal).then(
      (value) => {
        if (stop.signal.aborted) return
        setLastAnswer({ key, answer: { state: "loaded", value } })
        const wait = pollAfter?.(value)
        if (wait !== undefined) timer = setTimeout(reload, wait)
      },
      (error) => {
        if (stop.signal.aborted) return
        const problem = toProblem(error)
        // The last answer stays on the page, and the request is repeated when the server is back.
        if (problem.code === "UNREACHABLE") unsubscribe = onReconnect(reload)
        else setLastAnswer({ key, answer: { state: "refused", problem } })
      }
    )
    return () => {
      stop.abort()
      clearTimeout(timer)
      unsubscribe()
    }
  }, [key, attempt])
  return lastAnswer?.key === key ? { ...lastAnswer.answer, reload } : { state: "waiting", reload }
}

const isSettled = ({ status }: Job) => status === "completed" || status === "failed"

/** Polls a job until it has ended. */
export const pollJobUntilDone = (id: string) => (api: Client) =>
  Effect.repeat(api.jobs.getJob({ params: { id } }), { schedule: Schedule.spaced(1500), until: isSettled })

export interface ActionState {
  readonly isBusy: boolean
  readonly problem: Problem | undefined
  readonly start: () => void
}

/** An action that the user starts. Runs once at a time; `problem` is its last failure. */
export const useAction = (act: () => Promise<void>): ActionState => {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem>()
  const running = useRef(false)
  const alive = useRef(true)
  useEffect(() => () => void (alive.current = false), [])
  const start = () => {
    if (running.current) return
    running.current = true
    setBusy(true)
    setProblem(undefined)
    act()
      .catch((error: unknown) => {
        if (alive.current) setProblem(toProblem(error))
      })
      .finally(() => {
        running.current = false
        if (alive.current) setBusy(false)
      })
  }
  return { isBusy, problem, start }
}

/** `randomUUID` exists only on https pages. */
const randomHex = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("")

/** Returns the Idempotency-Key header of a body. A retry of the same body reuses the key. */
export const useIdempotencyHeaders = () => {
  const last = useRef({ body: "", key: "" })
  return (body: unknown) => {
    const text = JSON.stringify(body)
    if (last.current.body !== text) last.current = { body: text, key: randomHex() }
    return { "idempotency-key": last.current.key }
  }
}
