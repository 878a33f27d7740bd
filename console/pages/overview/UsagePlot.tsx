// console/pages/overview/UsagePlot.tsx: credits spent on each day of the period, as a bar chart and a table, once there are two days with use.
import type { CreditUsage } from "#schema/Credits.ts"
import { formatCalendarDay, formatCount, formatNumber } from "#console/parts/Format.ts"

const height = 120
const barSlot = 20

/** The smallest round number that is at least the highest value. */
const niceMaximum = (most: number) => {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, most)))
  return ([1, 2, 5, 10].find((step) => step * power >= most) ?? 10) * power
}

/** Every day of the period, including future ones. */
const daysInPeriod = ({ days, period }: CreditUsage) => {
  const last = Date.parse(period.end.slice(0, 10))
  const shown = [...days]
  for (;;) {
    const end = shown.at(-1)
    if (end === undefined) return shown
    const next = Date.parse(end.date) + 86_400_000
    if (next >= last || shown.length > 40) return shown
    shown.push({ date: new Date(next).toISOString().slice(0, 10), used: 0 })
  }
}

interface BarProps {
  readonly days: CreditUsage["days"]
  /** The value of a bar of full height. */
  readonly top: number
  readonly label: string
}

const Bars = ({ days, label, top }: BarProps) => {
  const width = days.length * barSlot
  return (
    <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={label}>
      {[0, 0.5, 1].map((part) => (
        <line
          key={part}
          class={part === 0 ? "ground" : undefined}
          x1="0"
          x2={width}
          y1={height - part * (height - 8) - 0.5}
          y2={height - part * (height - 8) - 0.5}
        />
      ))}
      {days.map(({ date, used }, i) => {
        const bar = used === 0 ? 0 : Math.max(2, (used / top) * (height - 8))
        return (
          <rect key={date} class="bar" x={i * barSlot + 3} width={barSlot - 6} y={height - bar} height={bar}>
            <title>{`${formatCalendarDay(date)}: ${formatNumber(used)}`}</title>
          </rect>
        )
      })}
    </svg>
  )
}

const UsageTable = ({ days }: Pick<CreditUsage, "days">) => (
  <details>
    <summary>The same as a table</summary>
    <table>
      <thead>
        <tr>
          <th scope="col">Day</th>
          <th scope="col" class="figure">
            Credits
          </th>
        </tr>
      </thead>
      <tbody>
        {days.map(({ date, used }) => (
          <tr key={date}>
            <th scope="row">{formatCalendarDay(date)}</th>
            <td class="figure">{formatNumber(used)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </details>
)

export const UsagePlot = ({ usage }: { readonly usage: CreditUsage }) => {
  const daysWithUse = usage.days.filter(({ used }) => used > 0)
  // A single bar shows nothing that the figures above do not say.
  if (daysWithUse.length < 2) return null
  const days = daysInPeriod(usage)
  const total = usage.days.reduce((sum, { used }) => sum + used, 0)
  const busiest = daysWithUse.reduce((most, day) => (day.used > most.used ? day : most))
  const top = niceMaximum(busiest.used)
  const words = `${formatCount(total, "credit")} spent in this period; most on ${formatCalendarDay(busiest.date)}, ${formatNumber(busiest.used)}.`
  return (
    <figure class="plot">
      <div class="plot-box">
        <Bars days={days} top={top} label={words} />
        <span class="plot-top" aria-hidden="true">
          {formatNumber(top)}
        </span>
      </div>
      <div class="plot-days" aria-hidden="true">
        <span>{formatCalendarDay(days[0]?.date ?? usage.period.start)}</span>
        <span>{formatCalendarDay(days.at(-1)?.date ?? usage.period.end)}</span>
      </div>
      <figcaption>{words}</figcaption>
      <UsageTable days={daysWithUse} />
    </figure>
  )
}
