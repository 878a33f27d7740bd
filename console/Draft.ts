// console/Draft.ts: unsaved form input, stored in the tab so that it survives navigation and reloads.
import { useRef, useState } from "preact/hooks"
import { Option, Schema } from "effect"
import { setUnsaved, useUnsaved } from "#console/UnsavedChanges.ts"

export interface Draft<A> {
  /** The typed value, or the saved one if nothing is typed. */
  readonly value: A
  readonly isChanged: boolean
  readonly set: (change: (value: A) => A) => void
  /** Discards the typed value, because it was saved or is not wanted. */
  readonly discard: () => void
  /** Makes the typed value the base of further changes, for as long as the tab is open. */
  readonly rebase: () => void
}

interface Options<A> {
  /** Number of changes between the two; one by default. */
  readonly changesOf?: (typed: A, saved: A) => number
}

const readDraft = <A, E>(storageKey: string, schema: Schema.Codec<A, E>) =>
  Option.getOrUndefined(Schema.decodeOption(Schema.fromJsonString(schema))(sessionStorage.getItem(storageKey) ?? ""))

/** Returns whether the value is stored. */
const writeDraft = (storageKey: string, value: unknown) => {
  try {
    if (value === undefined) sessionStorage.removeItem(storageKey)
    else sessionStorage.setItem(storageKey, JSON.stringify(value))
    return true
  } catch {
    // Too large for the browser's storage: it stays in memory only, until the page is left.
    sessionStorage.removeItem(storageKey)
    return false
  }
}

/** Normalizes a value for comparison: spaces around a text do not count as a change. */
const toJson = (value: unknown) =>
  JSON.stringify(value, (_, inner: unknown) => (typeof inner === "string" ? inner.trim() : inner))

export const useDraft = <A, E>(
  name: string,
  schema: Schema.Codec<A, E>,
  fromServer: A,
  { changesOf = () => 1 }: Options<A> = {}
): Draft<A> => {
  const storageKey = `overture.draft.${name}`
  const baseKey = `overture.kept.${name}`
  const [typed, setTyped] = useState(() => readDraft(storageKey, schema))
  const [base, setBase] = useState(() => readDraft(baseKey, schema))
  const saved = base ?? fromServer
  // A ref, because two changes may come before the next render.
  const latest = useRef(typed)
  const isStored = useRef(true)
  const count = (value: A | undefined) =>
    value === undefined || toJson(value) === toJson(saved) ? 0 : changesOf(value, saved)
  const update = (value: A | undefined) => {
    latest.current = value
    isStored.current = writeDraft(storageKey, count(value) === 0 ? undefined : value)
    // Updated here and not only in an effect, because the page may be left before the next render.
    setUnsaved(storageKey, count(value), isStored.current)
    setTyped(value)
  }
  useUnsaved(storageKey, count(typed), isStored.current)
  return {
    value: typed ?? saved,
    isChanged: count(typed) > 0,
    set: (change) => update(change(latest.current ?? saved)),
    discard: () => update(undefined),
    rebase: () => {
      const value = latest.current ?? saved
      writeDraft(baseKey, value)
      setBase(value)
      update(undefined)
    }
  }
}

/** A draft of one text. */
export const useTextDraft = (name: string, saved: string): Draft<string> => useDraft(name, Schema.String, saved)
