// console/pages/campaign/emails/Drafts.ts: changes that are not saved yet, kept in the tab for as long as it is open.
import { useEffect, useState } from "preact/hooks"
import { Option, Schema } from "effect"

/** Texts by field, for each thing that is saved by itself: `template ID`, `message ID`, `persona ID`, `settings`. */
export type DraftGroups = Readonly<Record<string, Readonly<Record<string, string>>>>

/** `base` is the saved text that a change started from. */
const StoredDrafts = Schema.Record(
  Schema.String,
  Schema.Record(Schema.String, Schema.Struct({ base: Schema.String, text: Schema.String }))
)

type StoredDrafts = typeof StoredDrafts.Type

const parseDrafts = (stored: string | null): StoredDrafts =>
  Option.getOrElse(Schema.decodeOption(Schema.fromJsonString(StoredDrafts))(stored ?? "{}"), () => ({}))

export const useDrafts = (campaign: string) => {
  const storageKey = `overture.emails.${campaign}`
  const [all, setAll] = useState(() => parseDrafts(sessionStorage.getItem(storageKey)))
  useEffect(() => {
    if (Object.keys(all).length === 0) sessionStorage.removeItem(storageKey)
    else sessionStorage.setItem(storageKey, JSON.stringify(all))
  }, [all])
  const setFields = (group: string, change: (fields: StoredDrafts[string]) => StoredDrafts[string]) =>
    setAll(({ [group]: fields = {}, ...rest }) => {
      const next = change(fields)
      return Object.keys(next).length === 0 ? rest : { ...rest, [group]: next }
    })
  return {
    all,
    /** A text that is as it was saved is no change. */
    set: (group: string, field: string, saved: string, text: string) =>
      setFields(group, ({ [field]: draft, ...rest }) => {
        const base = draft?.base ?? saved
        return text === base && base === saved ? rest : { ...rest, [field]: { base, text } }
      }),
    drop: (group: string) => setFields(group, () => ({})),
    /** Forgets what was saved, and keeps what was typed while it was being saved. */
    saved: (group: string, sent: Readonly<Record<string, string>>, now: Readonly<Record<string, string>>) =>
      setFields(group, (fields) =>
        Object.fromEntries(
          Object.entries(fields).flatMap(([field, { text }]) =>
            text === sent[field] ? [] : [[field, { text, base: now[field] ?? "" }]]
          )
        )
      ),
    /** Keeps the changes although what they started from has changed. */
    rebase: (group: string, saved: Readonly<Record<string, string>>) =>
      setFields(group, (fields) =>
        Object.fromEntries(
          Object.entries(fields).map(([field, { text }]) => [field, { text, base: saved[field] ?? "" }])
        )
      )
  }
}
export type Drafts = ReturnType<typeof useDrafts>
