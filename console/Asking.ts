// console/Asking.ts: the state of a page's request: waiting, answered or refused.
import { useCallback, useEffect, useRef, useState } from "preact/hooks"
import { Effect, Schedule } from "effect"
import type { Job } from "#schema/Jobs.ts"
import { type Client, Problem, problemOf } from "#console/Api.ts"
import { onReconnect } from "#console/Connection.ts"
import { useSession } from "#console/Session.tsx"

type Answer<A> =
  | { readonly state: "there"; readonly value: A }
  | { readonly state: "refused"; readonly problem: Problem }

export type Asked<A> = ({ readonly state: "waiting" } | Answer<A>) & { readonly again: () => void }

interface Options<A> {
  /** Milliseconds until the next request; undefined for none. */
  readonly every?: (value: A) => number | undefined
}

/**
 * Sends a request, and repeats it when `of` changes, when `again` is called, or as `every` says. Keeps the last answer
 * meanwhile.
 */
export const useAsk = <A>(
  use: (api: Client) => Effect.Effect<A, unknown>,
  of: ReadonlyArray<unknown>,
  { every }: Options<A> = {}
): Asked<A> => {
  const { ask } = useSession()
  const [turn, setTurn] = useState(0)
  const again = useCallback(() => setTurn((turn) => turn + 1), [])
  const [last, setLast] = useState<{ readonly about: string; readonly answer: Answer<A> }>()
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
        const problem = problemOf(error)
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

export interface Doing {
  readonly busy: boolean
  readonly problem: Problem | undefined
  readonly start: () => void
}

/** An action that a person starts: it runs once at a time, and its problem can be shown. */
export const useDoing = (act: () => Promise<void>): Doing => {
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
        if (alive.current) setProblem(problemOf(error))
      })
      .finally(() => {
        running.current = false
        if (alive.current) setBusy(false)
      })
  }
  return { busy, problem, start }
}

/** `randomUUID` exists only on https pages. */
const random = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("")

/** The Idempotency-Key of a body: the same after a lost answer, and a new one for another body. */
export const useOnce = () => {
  const last = useRef({ body: "", key: "" })
  return (body: unknown) => {
    const text = JSON.stringify(body)
    if (last.current.body !== text) last.current = { body: text, key: random() }
    return { "idempotency-key": last.current.key }
  }
}
