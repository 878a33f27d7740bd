// console/Draft.ts: what is typed into a form and not saved: kept in the tab through moves and reloads.
import { useRef, useState } from "preact/hooks"
import { Option, Schema } from "effect"
import { noteUnsaved, useUnsaved } from "#console/UnsavedChanges.ts"

export interface Draft<A> {
  /** What is typed, or else what is saved. */
  readonly value: A
  readonly isChanged: boolean
  readonly set: (change: (value: A) => A) => void
  /** Forgets what is typed, because it was saved or is not wanted. */
  readonly drop: () => void
  /** Makes what is typed the value to start from, for as long as the tab is open. */
  readonly keep: () => void
}

interface Options<A> {
  /** How many changes lie between the two; by default one. */
  readonly changesOf?: (typed: A, saved: A) => number
}

const readDraft = <A, E>(place: string, schema: Schema.Codec<A, E>) =>
  Option.getOrUndefined(Schema.decodeOption(Schema.fromJsonString(schema))(sessionStorage.getItem(place) ?? ""))

const writeDraft = (place: string, value: unknown) => {
  try {
    if (value === undefined) sessionStorage.removeItem(place)
    else sessionStorage.setItem(place, JSON.stringify(value))
  } catch {
    // It is more than the browser stores for a tab: it stays on the page alone.
    sessionStorage.removeItem(place)
  }
}

/** Spaces around a text are no change. */
const toJson = (value: unknown) =>
  JSON.stringify(value, (_, inner: unknown) => (typeof inner === "string" ? inner.trim() : inner))

export const useDraft = <A, E>(
  name: string,
  schema: Schema.Codec<A, E>,
  fromServer: A,
  { changesOf = () => 1 }: Options<A> = {}
): Draft<A> => {
  const place = `overture.draft.${name}`
  const placeKept = `overture.kept.${name}`
  const [typed, setTyped] = useState(() => readDraft(place, schema))
  const [kept, setKept] = useState(() => readDraft(placeKept, schema))
  const saved = kept ?? fromServer
  // Two changes may come before the page is drawn again.
  const latest = useRef(typed)
  const count = (value: A | undefined) =>
    value === undefined || toJson(value) === toJson(saved) ? 0 : changesOf(value, saved)
  const put = (value: A | undefined) => {
    latest.current = value
    // At once, because a page that saves may be left before it is drawn again.
    noteUnsaved(place, count(value))
    writeDraft(place, count(value) === 0 ? undefined : value)
    setTyped(value)
  }
  useUnsaved(place, count(typed))
  return {
    value: typed ?? saved,
    isChanged: count(typed) > 0,
    set: (change) => put(change(latest.current ?? saved)),
    drop: () => put(undefined),
    keep: () => {
      const value = latest.current ?? saved
      writeDraft(placeKept, value)
      setKept(value)
      put(undefined)
    }
  }
}

/** A draft of one text. */
export const useTextDraft = (name: string, saved: string): Draft<string> => useDraft(name, Schema.String, saved)
