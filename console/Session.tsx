// console/Session.tsx: who is signed in: the key, kept for as long as the tab is open and no longer, and its client.
import { createContext } from "preact"
import { useContext } from "preact/hooks"
import type { Effect } from "effect"
import { type Client, clientOf, Problem, run } from "#console/Api.ts"

const place = "overture.key"

/** The key of this tab, or null. */
export const storedKey = () => sessionStorage.getItem(place)

export interface Session {
  /** Calls the API. A key that is no longer accepted ends the session. */
  readonly ask: <A>(use: (api: Client) => Effect.Effect<A, unknown>, signal?: AbortSignal) => Promise<A>
  /** Forgets the key; with a reason, when it was not the person who wished it. */
  readonly end: (reason?: string) => void
}

export const sessionOf = (key: string, ended: (reason: string | undefined) => void): Session => {
  const client = clientOf(key)
  const end = (reason?: string) => {
    // Unsaved changes stay for the next sign-in when a key has expired, and go when the person signs out.
    if (reason === undefined) sessionStorage.clear()
    else sessionStorage.removeItem(place)
    ended(reason)
  }
  return {
    end,
    ask: async (use, signal) => {
      try {
        return await run(use(client), signal)
      } catch (error) {
        if (error instanceof Problem && error.code === "UNAUTHORIZED") {
          end("This key is no longer accepted. It may have been revoked or have expired; sign in with another.")
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
  sessionStorage.setItem(place, key)
}

const Current = createContext<Session | undefined>(undefined)
export const SessionProvider = Current.Provider

export const useSession = (): Session => {
  const session = useContext(Current)
  if (session === undefined) throw new Error("Nobody is signed in")
  return session
}
