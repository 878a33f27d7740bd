// console/Requests.ts: the state of a page's request: waiting, answered or refused.
import { useCallback, useEffect, useRef, useState } from "preact/hooks"
import { Effect, Schedule } from "effect"
import type { Job } from "#schema/Jobs.ts"
import { type Client, Problem, toProblem } from "#console/Api.ts"
import { onReconnect } from "#console/Connection.ts"
import { useSession } from "#console/Session.tsx"

type RequestResult<A> =
  | { readonly state: "there"; readonly value: A }
  | { readonly state: "refused"; readonly problem: Problem }

export type RequestState<A> = ({ readonly state: "waiting" } | RequestResult<A>) & { readonly again: () => void }

interface RequestOptions<A> {
  /** Milliseconds until the next request; undefined for none. */
  readonly every?: (value: A) => number | undefined
}

/**
 * Sends a request, and repeats it when `of` changes, when `again` is called, or as `every` says. Keeps the last answer
 * meanwhile.
 */
export const useRequest = <A>(
  use: (api: Client) => Effect.Effect<A, unknown>,
  of: ReadonlyArray<unknown>,
  { every }: RequestOptions<A> = {}
): RequestState<A> => {
  const { ask } = useSession()
  const [turn, setTurn] = useState(0)
  const again = useCallback(() => setTurn((turn) => turn + 1), [])
  const [last, setLast] = useState<{ readonly about: string; readonly answer: RequestResult<A> }>()
  const about = JSON.stringify(of)
  useEffect(() => {
    const stop = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    let giveUp = () => {}
    ask(use, stop.signal).then(
      (value) => {
        if (stop.signal.aborted) return
        setLast({ about, answer: { state: "there", value } })
        const wait = every?.(value)
        if (wait !== undefined) timer = setTimeout(again, wait)
      },
      (error) => {
        if (stop.signal.aborted) return
        const problem = toProblem(error)
        // The last answer stays on the page, and the request is repeated when the server is back.
        if (problem.code === "UNREACHABLE") giveUp = onReconnect(again)
        else setLast({ about, answer: { state: "refused", problem } })
      }
    )
    return () => {
      stop.abort()
      clearTimeout(timer)
      giveUp()
    }
  }, [about, turn])
  return last?.about === about ? { ...last.answer, again } : { state: "waiting", again }
}

const isSettled = ({ status }: Job) => status === "completed" || status === "failed"

/** A job once it is done. */
export const settledJob = (id: string) => (api: Client) =>
  Effect.repeat(api.jobs.getJob({ params: { id } }), { schedule: Schedule.spaced(1500), until: isSettled })

export interface ActionState {
  readonly busy: boolean
  readonly problem: Problem | undefined
  readonly start: () => void
}

/** An action that a person starts: it runs once at a time, and its problem can be shown. */
export const useAction = (act: () => Promise<void>): ActionState => {
  const [busy, setBusy] = useState(false)
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
  return { busy, problem, start }
}

/** `randomUUID` exists only on https pages. */
const randomHex = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("")

/** The Idempotency-Key of a body: the same after a lost answer, and a new one for another body. */
export const useIdempotencyKey = () => {
  const last = useRef({ body: "", key: "" })
  return (body: unknown) => {
    const text = JSON.stringify(body)
    if (last.current.body !== text) last.current = { body: text, key: randomHex() }
    return { "idempotency-key": last.current.key }
  }
}
