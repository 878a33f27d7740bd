// console/parts/RequireScope.tsx: hides or locks controls that need a scope which the session's key lacks.
import { type ComponentChildren, createContext } from "preact"
import { useContext } from "preact/hooks"
import type { Scope } from "#schema/Auth.ts"
import { useSession } from "#console/Session.tsx"

export const useHasScope = (scope: Scope) => useSession().sessionInfo.key.scopes.includes(scope)

interface Props {
  readonly scope: Scope
  readonly children: ComponentChildren
}

/** Shows its children only if the key has a scope. */
export const RequireScope = ({ children, scope }: Props) => (useHasScope(scope) ? <>{children}</> : null)

const Locked = createContext(false)

/** Whether the editor is read-only. */
export const useIsLocked = () => useContext(Locked)

/** Disables its form fields if the key lacks a scope. */
export const LockWithoutScope = ({ children, scope }: Props) =>
  useHasScope(scope) ? (
    <>{children}</>
  ) : (
    <Locked value={true}>
      <fieldset class="locked" disabled>
        {children}
      </fieldset>
    </Locked>
  )

/** The scope that changes need, by the first part of the page's address. */
const writeScopes: Readonly<Record<string, Scope>> = {
  "": "campaigns:write",
  campaigns: "campaigns:write",
  lists: "lists:write",
  conversations: "agent:write",
  workspace: "workspace:write",
  suppressions: "workspace:write",
  keys: "keys:write",
  webhooks: "workspace:write",
  start: "workspace:write"
}

export const ReadOnlyNote = ({ section }: { readonly section: string }) => {
  const keyScopes = useSession().sessionInfo.key.scopes
  const needed = writeScopes[section]
  return needed === undefined || keyScopes.includes(needed) ? null : (
    <p class="note read-only" role="status">
      <span class="strong">You may only read here.</span> To change something, ask the person who gave you access.
    </p>
  )
}
