// console/Tabs.ts: messages between the open tabs of this browser: the key, signing out, and unsaved work.
import { Option, Schema } from "effect"

/** Only tabs of the same origin hear it, and nothing of it is stored. */
const channel = new BroadcastChannel("overture")

const Message = Schema.Union([
  Schema.TaggedStruct("KeyWanted", {}),
  Schema.TaggedStruct("Key", { key: Schema.String }),
  Schema.TaggedStruct("SignedOut", {}),
  Schema.TaggedStruct("UnsavedWanted", {}),
  Schema.TaggedStruct("Unsaved", {})
])
type Message = typeof Message.Type

const decode = Schema.decodeUnknownOption(Message)
const send = (message: Message) => channel.postMessage(message)

/** Calls `use` with each message of another tab until the returned function is called. */
const listen = (use: (message: Message) => void) => {
  const heard = ({ data }: MessageEvent<unknown>) => Option.map(decode(data), use)
  channel.addEventListener("message", heard)
  return () => channel.removeEventListener("message", heard)
}

/** How long another tab may take to answer, in milliseconds. A tab that the browser has frozen never does. */
const patience = 300

/** The first answer that `pick` finds among those of other tabs, or undefined. */
const answerTo = <A>(question: Message, pick: (message: Message) => A | undefined): Promise<A | undefined> =>
  new Promise((resolve) => {
    const end = (answer: A | undefined) => {
      stop()
      clearTimeout(timer)
      resolve(answer)
    }
    const timer = setTimeout(() => end(undefined), patience)
    const stop = listen((message) => {
      const answer = pick(message)
      if (answer !== undefined) end(answer)
    })
    send(question)
  })

/** The key that another tab is signed in with. */
export const keyOfOtherTab = () =>
  answerTo({ _tag: "KeyWanted" }, (message) => (message._tag === "Key" ? message.key : undefined))

/** Whether another tab has changes that signing out would drop. */
export const isUnsavedElsewhere = async () =>
  (await answerTo({ _tag: "UnsavedWanted" }, ({ _tag }) => (_tag === "Unsaved" ? true : undefined))) === true

/** Signs in the tabs that wait for a key. */
export const tellKey = (key: string) => send({ _tag: "Key", key })

export const tellSignedOut = () => send({ _tag: "SignedOut" })

interface Tab {
  readonly key: () => string | null
  readonly isUnsaved: () => boolean
  /** Another tab has signed in, or answers that it is. */
  readonly onKey: (key: string) => void
  readonly onSignedOut: () => void
}

/** Answers the other tabs for this one. */
export const join = (tab: Tab) =>
  listen((message) => {
    const key = tab.key()
    switch (message._tag) {
      case "KeyWanted":
        return key === null ? undefined : send({ _tag: "Key", key })
      case "Key":
        return key === null ? tab.onKey(message.key) : undefined
      case "SignedOut":
        return key === null ? undefined : tab.onSignedOut()
      case "UnsavedWanted":
        return key !== null && tab.isUnsaved() ? send({ _tag: "Unsaved" }) : undefined
      case "Unsaved":
        return undefined
    }
  })
