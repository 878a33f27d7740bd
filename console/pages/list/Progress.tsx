// console/pages/list/Progress.tsx: the progress of a list, and the remaining time.
import { useEffect, useRef } from "preact/hooks"
import type { List } from "#schema/Lists.ts"
import { useSendsMail } from "#console/MailStatus.ts"
import { StatusText } from "#console/parts/Notices.tsx"
import { formatCount, formatNumber } from "#console/parts/Format.ts"

type ProgressCounts = NonNullable<List["progress"]>

/** The remaining time, estimated from the pace since the page was opened. */
const useRemainingTime = ({ leads_done, leads_failed, leads_skipped = 0, leads_total }: ProgressCounts) => {
  const baseline = useRef<{ readonly at: number; readonly done: number } | undefined>(undefined)
  const done = leads_done + leads_failed + leads_skipped
  baseline.current ??= { at: Date.now(), done }
  const elapsedMillis = Date.now() - baseline.current.at
  const doneSinceOpened = done - baseline.current.done
  // Fewer leads or less time say too little about the pace.
  if (doneSinceOpened < 3 || elapsedMillis < 3000) return undefined
  const seconds = ((leads_total - done) * elapsedMillis) / doneSinceOpened / 1000
  return seconds < 50 ? "less than a minute left" : `about ${formatCount(Math.ceil(seconds / 60), "minute")} left`
}

export const Progress = ({ counts }: { readonly counts: ProgressCounts }) => {
  const { leads_done, leads_failed, leads_skipped = 0, leads_total } = counts
  const done = leads_done + leads_failed + leads_skipped
  const part = leads_total === 0 ? 0 : done / leads_total
  const remaining = useRemainingTime(counts)
  const sendsMail = useSendsMail()
  const bar = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (bar.current !== null) bar.current.style.width = `${part * 100}%`
  }, [part])
  const words = `${formatNumber(leads_done)} of ${formatCount(leads_total, "lead")} written${
    leads_failed > 0 ? `, ${formatNumber(leads_failed)} failed` : ""
  }${leads_skipped > 0 ? `, ${formatNumber(leads_skipped)} left out` : ""}`
  // Screen readers announce every tenth, because announcing each lead would be too much.
  const message = `${Math.floor(part * 10) * 10} percent written`
  return (
    <div class="panel progress">
      <p>
        {words}
        {remaining && <span class="quiet">, {remaining}</span>}
      </p>
      <div
        class="meter"
        role="progressbar"
        aria-label="Leads written"
        aria-valuemin={0}
        aria-valuemax={leads_total}
        aria-valuenow={done}
        aria-valuetext={words}
      >
        <div class="meter-done" ref={bar} />
      </div>
      <p class="quiet">
        You can leave this page: writing continues
        {sendsMail === true ? ", and a mail is sent when it is done" : ""}.
      </p>
      <StatusText>{message}</StatusText>
    </div>
  )
}
