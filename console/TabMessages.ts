// console/TabMessages.ts: messages between the open tabs of this browser: signing in and out, and unsaved work.
import { Option, Schema } from "effect"
import { Session } from "#schema/Session.ts"

/** Reaches only tabs of the same origin, and stores nothing. */
const channel = new BroadcastChannel("overture")

const TabMessage = Schema.Union([
  Schema.TaggedStruct("SignedIn", { who: Session }),
  Schema.TaggedStruct("SignedOut", {}),
  Schema.TaggedStruct("UnsavedWanted", {}),
  Schema.TaggedStruct("Unsaved", {})
])
type TabMessage = typeof TabMessage.Type

const decodeMessage = Schema.decodeUnknownOption(TabMessage)
const sendMessage = (message: TabMessage) => channel.postMessage(message)

/** Calls `handler` with each message of another tab until the returned function is called. */
const onMessage = (handler: (message: TabMessage) => void) => {
  const decodeAndHandle = ({ data }: MessageEvent<unknown>) => Option.map(decodeMessage(data), handler)
  channel.addEventListener("message", decodeAndHandle)
  return () => channel.removeEventListener("message", decodeAndHandle)
}

/** How long another tab may take to answer, in milliseconds. A tab that the browser has frozen never does. */
const answerTimeout = 300

/** Resolves to the first answer that another tab gives, or to undefined after the timeout. */
const askTabs = <A>(question: TabMessage, pick: (message: TabMessage) => A | undefined): Promise<A | undefined> =>
  new Promise((resolve) => {
    const end = (answer: A | undefined) => {
      stop()
      clearTimeout(timer)
      resolve(answer)
    }
    const timer = setTimeout(() => end(undefined), answerTimeout)
    const stop = onMessage((message) => {
      const answer = pick(message)
      if (answer !== undefined) end(answer)
    })
    sendMessage(question)
  })

/** Whether another tab has changes that signing out would drop. */
export const isUnsavedElsewhere = async () =>
  (await askTabs({ _tag: "UnsavedWanted" }, ({ _tag }) => (_tag === "Unsaved" ? true : undefined))) === true

/** All tabs share the browser's session. */
export const tellSignedIn = (who: Session) => sendMessage({ _tag: "SignedIn", who })

export const tellSignedOut = () => sendMessage({ _tag: "SignedOut" })

interface TabHandlers {
  readonly isSignedIn: () => boolean
  readonly isUnsaved: () => boolean
  /** Another tab has signed in, perhaps to another workspace. */
  readonly onSignedIn: (who: Session) => void
  readonly onSignedOut: () => void
}

/** Answers messages of other tabs. */
export const answerOtherTabs = (tab: TabHandlers) =>
  onMessage((message) => {
    switch (message._tag) {
      case "SignedIn":
        return tab.onSignedIn(message.who)
      case "SignedOut":
        return tab.isSignedIn() ? tab.onSignedOut() : undefined
      case "UnsavedWanted":
        return tab.isSignedIn() && tab.isUnsaved() ? sendMessage({ _tag: "Unsaved" }) : undefined
      case "Unsaved":
        return undefined
    }
  })
