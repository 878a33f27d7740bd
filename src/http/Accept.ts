// src/http/Accept.ts: parses Accept and Accept-Encoding headers.

/** Weights from 0 to 1 by name, for example `gzip`, `application/json` or `*`. */
type Weights = ReadonlyMap<string, number>

/** The weight of `q=0.5` is 0.5; a malformed weight counts as 0. */
const weightOf = (parameters: ReadonlyArray<string>) => {
  const given = parameters.find((parameter) => parameter.startsWith("q="))
  if (given === undefined) return 1
  return /^q=(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(given) ? Number(given.slice(2)) : 0
}

/** Parses a header by RFC 9110, sections 12.4.2 and 12.5. A repeated name gets its largest weight. */
export const weightsOf = (header: string | undefined): Weights => {
  const weights = new Map<string, number>()
  for (const part of header?.split(",") ?? []) {
    const [name = "", ...parameters] = part.split(";").map((piece) => piece.trim().toLowerCase())
    weights.set(name, Math.max(weights.get(name) ?? 0, weightOf(parameters)))
  }
  return weights
}

/** The weight of a media type by the most specific range that matches; 0 if none does. */
const weightIn = (weights: Weights, type: string) =>
  weights.get(type) ?? weights.get(`${type.split("/", 1)[0]}/*`) ?? weights.get("*/*") ?? 0

const problem = "application/problem+json"

/**
 * Whether the header contains `application/problem+json` with at least the weight of `application/json`. Wildcards do
 * not count.
 */
export const prefersProblem = (accept: string | undefined): boolean => {
  // A fast path, because most requests do not contain it.
  if (accept === undefined || !/problem\+json/i.test(accept)) return false
  const weights = weightsOf(accept)
  const weight = weights.get(problem) ?? 0
  return weight > 0 && weight >= weightIn(weights, "application/json")
}
