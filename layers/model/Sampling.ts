// layers/model/Sampling.ts: the sampling parameters of a request, without those that the server has refused by name.
import { Predicate } from "effect"

export interface Sampling {
  readonly temperature?: number | undefined
  readonly reasoning_effort?: string | undefined
  readonly max_tokens?: number | undefined
  readonly seed?: number | undefined
}

/** The request fields of each setting, in the order in which they are tried. */
const fields = {
  temperature: ["temperature"],
  reasoning_effort: ["reasoning_effort"],
  // OpenAI's reasoning models refuse the old name, and older servers refuse the new one.
  max_tokens: ["max_completion_tokens", "max_tokens"],
  seed: ["seed"]
} as const

export type RequestParameters = Readonly<Record<string, string | number>>

/**
 * The sampling parameters, without those that the server has refused by name. One instance per model, because the
 * models of a server differ.
 */
export const make = (sampling: Sampling) => {
  const refusedParameters = new Set<string>()
  const setting = (name: keyof typeof fields) => {
    const value = sampling[name]
    const field = fields[name].find((each) => !refusedParameters.has(each))
    return value === undefined || field === undefined ? [] : [[field, value] as const]
  }
  return {
    parameters: (): RequestParameters =>
      Object.fromEntries([
        ...setting("temperature"),
        ...setting("reasoning_effort"),
        ...setting("max_tokens"),
        ...setting("seed")
      ]),
    refuse: (name: string) => void refusedParameters.add(name)
  }
}

/** The name of the sent parameter that an error refers to: its `param`, else the first parameter named in its message. */
export const findRefusedParameter = (sentParameters: RequestParameters, error: object): string | undefined => {
  const names = Object.keys(sentParameters)
  if (Predicate.hasProperty(error, "param") && names.includes(String(error.param))) return String(error.param)
  const message = Predicate.hasProperty(error, "message") ? String(error.message) : ""
  return names
    .map((name) => ({ name, at: message.search(new RegExp(`(?<!\\w)${name}(?!\\w)`)) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at)[0]?.name
}
