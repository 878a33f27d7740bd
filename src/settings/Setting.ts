// src/settings/Setting.ts: defines and reads a setting of the environment.
import { Config, Redacted, Schema } from "effect"

export interface Setting<A> {
  readonly name: string
  readonly description: string
  /** The default, in words for people. */
  readonly defaultText: string
  readonly value: Config.Config<A>
}

export const setting = <A, B>(
  name: string,
  parse: (name: string) => Config.Config<A>,
  defaultValue: B,
  description: string,
  defaultText = String(defaultValue)
): Setting<A | B> => ({ name, description, defaultText, value: parse(name).pipe(Config.withDefault(defaultValue)) })

/** A text that satisfies `isWell`; `what` describes it in errors. */
export const checkedText = (expected: string, isValid: (text: string) => boolean) =>
  Schema.String.check(Schema.makeFilter(isValid, { message: `Expected ${expected}` }))

const orEmpty = (isValid: (text: string) => boolean) => (text: string) => text === "" || isValid(text)

/** Reads a text that satisfies `isValid`; an empty value counts as not set. */
export const textSetting = (expected: string, isValid: (text: string) => boolean) => (name: string) =>
  Config.map(Config.schema(checkedText(expected, orEmpty(isValid)), name), (text) => (text === "" ? undefined : text))

/** Reads a secret that satisfies `isValid`; an empty value counts as not set. */
export const secretSetting = (expected: string, isValid: (text: string) => boolean) => (name: string) =>
  Config.map(Config.schema(Schema.RedactedFromValue(checkedText(expected, orEmpty(isValid))), name), (text) =>
    Redacted.value(text) === "" ? undefined : text
  )

/** Reads a secret in any format, trimmed; an empty value counts as not set. */
export const trimmedText = (name: string) =>
  Config.map(Config.Redacted(name), (text) => {
    const secret = Redacted.value(text).trim()
    return secret === "" ? undefined : Redacted.make(secret)
  })

/** Replaces `Config.Port`, which refuses 0. */
const Port = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 65_535 }))
export const portSetting = (name: string) => Config.schema(Port, name)
