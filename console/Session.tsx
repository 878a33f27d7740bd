// console/Session.tsx: who is signed in: the key, kept by each tab for as long as it is open, and its client.
import { createContext } from "preact"
import { useContext } from "preact/hooks"
import type { Effect } from "effect"
import { type Client, clientOf, Problem, run } from "#console/Api.ts"
import { keyOfOtherTab, tellKey, tellSignedOut } from "#console/Tabs.ts"

const place = "overture.key"

/** The key of this tab, or null. */
export const storedKey = () => sessionStorage.getItem(place)

export const storeKey = (key: string) => sessionStorage.setItem(place, key)

/** Stores the key of another open tab, if there is one that is signed in. */
export const joinOtherTab = async () => {
  const key = await keyOfOtherTab()
  if (key !== undefined && storedKey() === null) storeKey(key)
}

export interface Session {
  /** Calls the API. A key that is no longer accepted ends the session. */
  readonly ask: <A>(use: (api: Client) => Effect.Effect<A, unknown>, signal?: AbortSignal) => Promise<A>
  /** Signs out of this tab and all others. */
  readonly end: () => void
}

type Drop = () => void
const drops = new Set<Drop>()

/** Has `drop` called when the person signs out, for what a module holds in memory. */
export const onSignOut = (drop: Drop) => void drops.add(drop)

/** Forgets the key and everything that was typed in this tab. */
export const forget = () => {
  sessionStorage.clear()
  for (const drop of drops) drop()
}

/** `onEnd` gets the reason when it was not the person who ended the session. */
export const sessionOf = (key: string, onEnd: (reason: string | undefined) => void): Session => {
  const client = clientOf(key)
  return {
    end: () => {
      forget()
      tellSignedOut()
      onEnd(undefined)
    },
    ask: async (use, signal) => {
      try {
        return await run(use(client), signal)
      } catch (error) {
        if (error instanceof Problem && error.code === "UNAUTHORIZED") {
          // Unsaved changes stay for the next sign-in.
          sessionStorage.removeItem(place)
          onEnd("This key is no longer accepted. It may have been revoked or have expired; sign in with another.")
        }
        throw error
      }
    }
  }
}

/** Whether the server takes the key; refuses with a `Problem` where it does not. A key without the scope is still one. */
export const admit = async (key: string) => {
  try {
    await run(clientOf(key).workspace.getWorkspace())
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "FORBIDDEN") throw error
  }
  storeKey(key)
  tellKey(key)
}

const Current = createContext<Session | undefined>(undefined)
export const SessionProvider = Current.Provider

export const useSession = (): Session => {
  const session = useContext(Current)
  if (session === undefined) throw new Error("useSession needs a signed-in session")
  return session
}
