// console/pages/campaign/emails/History.ts: what an editor held before, so that its changes can be undone one by one.
import { useRef } from "preact/hooks"

export interface Moment {
  readonly text: string
  readonly caret: number
}

const most = 200

export const useHistory = () => {
  const undone = useRef<Array<Moment>>([])
  const done = useRef<Array<Moment>>([])
  const kind = useRef("")
  const move = (from: Array<Moment>, to: Array<Moment>, now: Moment) => {
    const next = from.pop()
    if (next !== undefined) to.push(now)
    kind.current = ""
    return next
  }
  return {
    /** Keeps what was there before a change; letters that are typed one after the other are one change. */
    keep: (before: Moment, change: string) => {
      undone.current = []
      if (change !== "letter" || kind.current !== "letter") done.current = [...done.current.slice(1 - most), before]
      kind.current = change
    },
    undo: (now: Moment) => move(done.current, undone.current, now),
    redo: (now: Moment) => move(undone.current, done.current, now)
  }
}
