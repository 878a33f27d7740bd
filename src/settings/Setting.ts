// src/settings/Setting.ts: defines and reads a setting of the environment.
import { Config, Redacted, Schema } from "effect"

export interface Setting<A> {
  readonly name: string
  readonly meaning: string
  /** The default, in words for people. */
  readonly otherwise: string
  readonly value: Config.Config<A>
}

export const setting = <A, B>(
  name: string,
  read: (name: string) => Config.Config<A>,
  absent: B,
  meaning: string,
  otherwise = String(absent)
): Setting<A | B> => ({ name, meaning, otherwise, value: read(name).pipe(Config.withDefault(absent)) })

/** A text that satisfies `isWell`; `what` describes it in errors. */
export const checkedText = (what: string, isWell: (text: string) => boolean) =>
  Schema.String.check(Schema.makeFilter(isWell, { message: `Expected ${what}` }))

const orEmpty = (isWell: (text: string) => boolean) => (text: string) => text === "" || isWell(text)

/** Reads such a text; an empty value counts as not set. */
export const textSetting = (what: string, isWell: (text: string) => boolean) => (name: string) =>
  Config.map(Config.schema(checkedText(what, orEmpty(isWell)), name), (text) => (text === "" ? undefined : text))

/** The same for a secret. */
export const secretSetting = (what: string, isWell: (text: string) => boolean) => (name: string) =>
  Config.map(Config.schema(Schema.RedactedFromValue(checkedText(what, orEmpty(isWell))), name), (text) =>
    Redacted.value(text) === "" ? undefined : text
  )

/** Reads a secret in any format, trimmed; an empty value counts as not set. */
export const trimmedText = (name: string) =>
  Config.map(Config.Redacted(name), (text) => {
    const given = Redacted.value(text).trim()
    return given === "" ? undefined : Redacted.make(given)
  })

/** Replaces `Config.Port`, which refuses 0. */
const Port = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 65_535 }))
export const portSetting = (name: string) => Config.schema(Port, name)
