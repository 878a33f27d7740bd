// layers/text/Countries.ts: the names of countries in English.

/** Countries by their English names, and the short forms in use. */
export const countries = (() => {
  const names = new Intl.DisplayNames(["en"], { type: "region", fallback: "none" })
  const letters = Array.from({ length: 26 }, (_, at) => String.fromCharCode(65 + at))
  const all = letters.flatMap((a) => letters.map((b) => names.of(a + b)))
  return new Set([
    ...all.filter((name) => name !== undefined),
    ..."USA|US|UK|UAE|England|Scotland|Wales|Northern Ireland|Czech Republic|Turkey|The Netherlands|Holland".split("|")
  ])
})()
