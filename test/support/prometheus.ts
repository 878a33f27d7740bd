// test/support/prometheus.ts: a strict parser for Prometheus' text format.
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { until } from "./until.ts"

interface Sample {
  readonly name: string
  readonly labels: Record<string, string>
  readonly value: number
}
export interface Family {
  readonly type: string
  readonly help: string
  readonly samples: ReadonlyArray<Sample>
}

const sampleLine =
  /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{((?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\[\\"n])*",?)*)\})? (-?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?)|[+-]Inf|NaN)$/

/** Fails on what the format forbids: samples before their TYPE, split families and duplicate series. */
export const parseMetrics = (text: string): ReadonlyMap<string, Family> => {
  assert.isTrue(text.endsWith("\n"), "the last line has an end")
  const families = new Map<string, Family & { readonly samples: Array<Sample> }>()
  const series = new Set<string>()
  let help: { readonly name: string; readonly text: string } | undefined
  let current = ""
  for (const line of text.slice(0, -1).split("\n")) {
    const [, kind, metric = "", remainder = ""] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? []
    if (kind === "HELP") {
      assert.isFalse(families.has(metric), `HELP twice: ${metric}`)
      help = { name: metric, text: remainder }
    } else if (kind === "TYPE") {
      assert.isFalse(families.has(metric), `TYPE twice: ${metric}`)
      assert.include(["counter", "gauge", "histogram"], remainder, line)
      assert.strictEqual(help?.name, metric, `no HELP before TYPE ${metric}`)
      families.set(metric, { type: remainder, help: help?.text ?? "", samples: [] })
      current = metric
    } else {
      const [, name = "", labels = "", value = ""] =
        sampleLine.exec(line) ?? assert.fail(`not a line of the format: ${line}`)
      const family = families.get(current)
      const names = family?.type === "histogram" ? ["_bucket", "_sum", "_count"].map((end) => current + end) : [current]
      assert.include(names, name, `a sample outside of its family: ${line}`)
      assert.isFalse(series.has(`${name}{${labels}}`), `twice: ${line}`)
      series.add(`${name}{${labels}}`)
      family?.samples.push({
        name,
        labels: Object.fromEntries(
          [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, k = "", v]) => [k, v ?? ""])
        ),
        value: Number(value.replace("Inf", "Infinity"))
      })
    }
  }
  return families
}

/** The metrics address that a server logged. */
export const metricsUrlOf = (server: { readonly log: () => string }) =>
  until(
    Effect.sync(() => /http:\/\/127\.0\.0\.1:\d+\/metrics/.exec(server.log())?.[0] ?? ""),
    (url) => url !== ""
  )

/** The value of a series, or undefined if there is none. A histogram's samples have names such as `x_sum`. */
export const sampleValue = (families: ReadonlyMap<string, Family>, name: string, labels: Record<string, string> = {}) =>
  [...families.values()]
    .flatMap(({ samples }) => samples)
    .find(
      (sample) =>
        sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value)
    )?.value

export const scrape = (url: string) =>
  Effect.promise(async () => {
    const response = await fetch(url)
    assert.strictEqual(response.status, 200)
    assert.strictEqual(response.headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8")
    return await response.text()
  })
