// console/Session.tsx: the signed-in session, shared by all tabs. A cookie stands for the API key, which the page never stores.
import { createContext } from "preact"
import { useContext } from "preact/hooks"
import type { Effect } from "effect"
import type { Session as SessionInfo } from "#schema/Session.ts"
import { type Client, client, Problem, run } from "#console/Api.ts"
import { tellSignedIn, tellSignedOut } from "#console/TabMessages.ts"

export type { SessionInfo as SignedIn }

export interface Session {
  /** The workspace and the key of the session. */
  readonly sessionInfo: SessionInfo
  /** Calls the API. Returns to the sign-in page if the session has ended. */
  readonly callApi: <A>(makeRequest: (api: Client) => Effect.Effect<A, unknown>, signal?: AbortSignal) => Promise<A>
  /** Signs out of all tabs; `everywhere` also of all other browsers. */
  readonly signOut: (everywhere?: boolean) => Promise<void>
}

type SignOutListener = () => void
const signOutListeners = new Set<SignOutListener>()

/** Calls `drop` when the user signs out, to clear what a module holds in memory. */
export const onSignOut = (drop: SignOutListener) => void signOutListeners.add(drop)

/** Clears what this tab has stored, and what its modules hold in memory. */
export const clearTabState = () => {
  sessionStorage.clear()
  for (const drop of signOutListeners) drop()
}

const isSignedOut = (error: unknown) => error instanceof Problem && error.code === "UNAUTHORIZED"

/** Who is signed in, or null. */
export const currentSession = async (): Promise<SessionInfo | null> => {
  try {
    return await run(client().session.getSession())
  } catch (error) {
    if (isSignedOut(error)) return null
    throw error
  }
}

/** `onEnd` receives a reason unless the user signed out. */
export const makeSession = (sessionInfo: SessionInfo, onEnd: (reason: string | undefined) => void): Session => ({
  sessionInfo,
  signOut: async (everywhere = false) => {
    try {
      await run(client().session.endSession({ query: { everywhere: everywhere ? "true" : "false" } }))
    } catch (error) {
      if (!isSignedOut(error)) throw error
    }
    clearTabState()
    tellSignedOut()
    onEnd(undefined)
  },
  callApi: async (makeRequest, signal) => {
    try {
      return await run(makeRequest(client()), signal)
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
const signIn = async (request: Effect.Effect<SessionInfo, unknown>) => {
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
