// console/parts/Confirm.tsx: asks once more before something is done that cannot be undone.
import { useEffect, useRef, useState } from "preact/hooks"
import type { Doing } from "#console/Asking.ts"
import { Act } from "#console/parts/Act.tsx"
import { Trouble } from "#console/parts/Notices.tsx"

interface Props {
  readonly label: string
  readonly question: string
  readonly busy: string
  readonly doing: Doing
}

export const Confirm = ({ busy, doing, label, question }: Props) => {
  const [asked, setAsked] = useState(false)
  const keep = useRef<HTMLButtonElement>(null)
  const open = useRef<HTMLButtonElement>(null)
  const was = useRef(false)
  useEffect(() => {
    if (asked) keep.current?.focus()
    else if (was.current) open.current?.focus()
    was.current = asked
  }, [asked])
  if (!asked) {
    return (
      <button type="button" class="button" ref={open} onClick={() => setAsked(true)}>
        {label}
      </button>
    )
  }
  return (
    <div
      class="confirm"
      role="group"
      aria-label={label}
      onKeyDown={(event) => {
        if (event.key === "Escape") setAsked(false)
      }}
    >
      <p>{question}</p>
      <div class="actions">
        <Act kind="danger" doing={doing} busy={busy} onClick={doing.start}>
          {label}
        </Act>
        <button type="button" class="button" ref={keep} onClick={() => setAsked(false)}>
          Keep it
        </button>
      </div>
      {doing.problem && <Trouble problem={doing.problem} />}
    </div>
  )
}
