// test/support/prometheus.ts: reads Prometheus' text format as strictly as its own parser does.
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

const line =
  /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{((?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\[\\"n])*",?)*)\})? (-?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?)|[+-]Inf|NaN)$/

/** Fails on whatever the format forbids: samples before their TYPE, a family in two pieces, a series that is there twice. */
export const parse = (text: string): ReadonlyMap<string, Family> => {
  assert.isTrue(text.endsWith("\n"), "the last line has an end")
  const families = new Map<string, Family & { readonly samples: Array<Sample> }>()
  const series = new Set<string>()
  let help: { readonly name: string; readonly text: string } | undefined
  let current = ""
  for (const one of text.slice(0, -1).split("\n")) {
    const [, kind, about = "", rest = ""] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(one) ?? []
    if (kind === "HELP") {
      assert.isFalse(families.has(about), `HELP twice: ${about}`)
      help = { name: about, text: rest }
    } else if (kind === "TYPE") {
      assert.isFalse(families.has(about), `TYPE twice: ${about}`)
      assert.include(["counter", "gauge", "histogram"], rest, one)
      assert.strictEqual(help?.name, about, `no HELP before TYPE ${about}`)
      families.set(about, { type: rest, help: help?.text ?? "", samples: [] })
      current = about
    } else {
      const [, name = "", labels = "", value = ""] = line.exec(one) ?? assert.fail(`not a line of the format: ${one}`)
      const family = families.get(current)
      const names = family?.type === "histogram" ? ["_bucket", "_sum", "_count"].map((end) => current + end) : [current]
      assert.include(names, name, `a sample outside of its family: ${one}`)
      assert.isFalse(series.has(`${name}{${labels}}`), `twice: ${one}`)
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

/** Where a server said that its metrics are. */
export const metricsOf = (server: { readonly log: () => string }) =>
  until(
    Effect.sync(() => /http:\/\/127\.0\.0\.1:\d+\/metrics/.exec(server.log())?.[0] ?? ""),
    (url) => url !== ""
  )

/** What a series is at; undefined where there is none. A histogram's own samples are found by their full names. */
export const at = (families: ReadonlyMap<string, Family>, name: string, labels: Record<string, string> = {}) =>
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
