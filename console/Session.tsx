// console/Session.tsx: who is signed in, in all tabs of the browser: its cookie stands for a key, which the page never keeps.
import { createContext } from "preact"
import { useContext } from "preact/hooks"
import type { Effect } from "effect"
import type { Session as SignedIn } from "#schema/Session.ts"
import { type Client, client, Problem, run } from "#console/Api.ts"
import { tellSignedIn, tellSignedOut } from "#console/TabMessages.ts"

export type { SignedIn }

export interface Session {
  /** The workspace and the key of the session. */
  readonly signedIn: SignedIn
  /** Calls the API. Returns to the sign-in page if the session has ended. */
  readonly ask: <A>(use: (api: Client) => Effect.Effect<A, unknown>, signal?: AbortSignal) => Promise<A>
  /** Signs out of all tabs; `everywhere` also of all other browsers. */
  readonly end: (everywhere?: boolean) => Promise<void>
}

type SignOutListener = () => void
const signOutListeners = new Set<SignOutListener>()

/** Calls `drop` when the user signs out, to clear what a module holds in memory. */
export const onSignOut = (drop: SignOutListener) => void signOutListeners.add(drop)

/** Clears all drafts of this tab. */
export const clearSession = () => {
  sessionStorage.clear()
  for (const drop of signOutListeners) drop()
}

const isSignedOut = (error: unknown) => error instanceof Problem && error.code === "UNAUTHORIZED"

/** Who is signed in, or null. */
export const currentSession = async (): Promise<SignedIn | null> => {
  try {
    return await run(client().session.getSession())
  } catch (error) {
    if (isSignedOut(error)) return null
    throw error
  }
}

/** `onEnd` gets the reason when it was not the person who ended the session. */
export const makeSession = (signedIn: SignedIn, onEnd: (reason: string | undefined) => void): Session => ({
  signedIn,
  end: async (everywhere = false) => {
    try {
      await run(client().session.endSession({ query: { everywhere: everywhere ? "true" : "false" } }))
    } catch (error) {
      if (!isSignedOut(error)) throw error
    }
    clearSession()
    tellSignedOut()
    onEnd(undefined)
  },
  ask: async (use, signal) => {
    try {
      return await run(use(client()), signal)
    } catch (error) {
      // Unsaved changes stay for the next sign-in.
      if (isSignedOut(error)) {
        onEnd("You were signed out: the session has ended, or its key was revoked or has expired. Sign in again.")
      }
      throw error
    }
  }
})

/** Signs this browser in, by this request, and notifies the other tabs. */
const signIn = async (request: Effect.Effect<SignedIn, unknown>) => {
  const signedIn = await run(request)
  tellSignedIn(signedIn)
  return signedIn
}

export const signInByKey = (key: string) => signIn(client().sign_in.signIn({ payload: { key } }))
export const signInByLink = (token: string) => signIn(client().sign_in.signIn({ payload: { token } }))
export const setUp = (payload: { readonly token: string; readonly name: string; readonly email: string }) =>
  signIn(client().sign_in.setUpFirstWorkspace({ payload }))

/** The model servers of the server's machine, for the holder of a first-run link. */
export const findModelServers = (token: string) => run(client().sign_in.findModelServers({ payload: { token } }))

const SessionContext = createContext<Session | undefined>(undefined)
export const SessionProvider = SessionContext.Provider

export const useSession = (): Session => {
  const session = useContext(SessionContext)
  if (session === undefined) throw new Error("useSession needs a signed-in session")
  return session
}
