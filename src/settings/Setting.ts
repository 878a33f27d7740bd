// src/settings/Setting.ts: one thing that the environment may say, and how it is read.
import { Config, Redacted, Schema } from "effect"

export interface Setting<A> {
  readonly name: string
  readonly meaning: string
  /** What holds while it is not set, as a person would say it. */
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

/** A text that `isWell`, where `what` is expected. */
export const checkedText = (what: string, isWell: (text: string) => boolean) =>
  Schema.String.check(Schema.makeFilter(isWell, { message: `Expected ${what}` }))

const orEmpty = (isWell: (text: string) => boolean) => (text: string) => text === "" || isWell(text)

/** Reads such a text; an empty one is as if it were not set. */
export const textSetting = (what: string, isWell: (text: string) => boolean) => (name: string) =>
  Config.map(Config.schema(checkedText(what, orEmpty(isWell)), name), (text) => (text === "" ? undefined : text))

/** The same for a secret. */
export const secretSetting = (what: string, isWell: (text: string) => boolean) => (name: string) =>
  Config.map(Config.schema(Schema.RedactedFromValue(checkedText(what, orEmpty(isWell))), name), (text) =>
    Redacted.value(text) === "" ? undefined : text
  )

/** Reads a secret of whatever form; space around it is none of it, and without more it is as if it were not set. */
export const trimmedText = (name: string) =>
  Config.map(Config.Redacted(name), (text) => {
    const given = Redacted.value(text).trim()
    return given === "" ? undefined : Redacted.make(given)
  })

/** Not `Config.Port`, which has no 0. */
const Port = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 65_535 }))
export const portSetting = (name: string) => Config.schema(Port, name)
