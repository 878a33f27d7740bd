// console/pages/campaign/emails/Drafts.ts: unsaved changes to a playbook, kept in the tab's storage.
import { useLayoutEffect, useState } from "preact/hooks"
import { Option, Schema } from "effect"

/** Texts by field, for each group that is saved separately: `template ID`, `message ID`, `persona ID`, `settings`. */
export type DraftGroups = Readonly<Record<string, Readonly<Record<string, string>>>>

/** `base` is the saved text that a change started from. */
const StoredDrafts = Schema.Record(
  Schema.String,
  Schema.Record(Schema.String, Schema.Struct({ base: Schema.String, text: Schema.String }))
)

type StoredDrafts = typeof StoredDrafts.Type

const parseDrafts = (stored: string | null): StoredDrafts =>
  Option.getOrElse(Schema.decodeOption(Schema.fromJsonString(StoredDrafts))(stored ?? "{}"), () => ({}))

export const draftsKey = (campaign: string) => `overture.emails.${campaign}`

export const useDrafts = (campaign: string) => {
  const storageKey = draftsKey(campaign)
  const [groups, setGroups] = useState(() => parseDrafts(sessionStorage.getItem(storageKey)))
  // A layout effect, so that nothing is lost if the page is left before the next paint.
  useLayoutEffect(() => {
    if (Object.keys(groups).length === 0) sessionStorage.removeItem(storageKey)
    else sessionStorage.setItem(storageKey, JSON.stringify(groups))
  }, [groups])
  const setFields = (group: string, change: (fields: StoredDrafts[string]) => StoredDrafts[string]) =>
    setGroups(({ [group]: fields = {}, ...rest }) => {
      const next = change(fields)
      return Object.keys(next).length === 0 ? rest : { ...rest, [group]: next }
    })
  return {
    all: groups,
    /** Stores a draft; drops it if its text is the saved one again, unless another text was saved since it began. */
    set: (group: string, field: string, saved: string, text: string) =>
      setFields(group, ({ [field]: draft, ...rest }) => {
        const base = draft?.base ?? saved
        return text === base && base === saved ? rest : { ...rest, [field]: { base, text } }
      }),
    discard: (group: string) => setFields(group, () => ({})),
    /** Drops the drafts that were saved, and keeps those that were edited during the save. */
    markSaved: (group: string, sent: Readonly<Record<string, string>>, savedTexts: Readonly<Record<string, string>>) =>
      setFields(group, (fields) =>
        Object.fromEntries(
          Object.entries(fields).flatMap(([field, { text }]) =>
            text === sent[field] ? [] : [[field, { text, base: savedTexts[field] ?? "" }]]
          )
        )
      ),
    /** Keeps the drafts and takes the current saved texts as their base. */
    rebase: (group: string, saved: Readonly<Record<string, string>>) =>
      setFields(group, (fields) =>
        Object.fromEntries(
          Object.entries(fields).map(([field, { text }]) => [field, { text, base: saved[field] ?? "" }])
        )
      )
  }
}
export type Drafts = ReturnType<typeof useDrafts>
