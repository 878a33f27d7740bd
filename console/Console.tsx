// console/Console.tsx: the page as a whole: who is signed in, where they are, and the way to everywhere else.
import { useEffect, useMemo, useRef, useState } from "preact/hooks"
import { Campaign } from "#console/pages/Campaign.tsx"
import { Campaigns } from "#console/pages/Campaigns.tsx"
import { Conversation } from "#console/pages/Conversation.tsx"
import { Conversations } from "#console/pages/Conversations.tsx"
import { Lead } from "#console/pages/Lead.tsx"
import { List } from "#console/pages/List.tsx"
import { Lists } from "#console/pages/Lists.tsx"
import { Overview } from "#console/pages/Overview.tsx"
import { SignIn } from "#console/pages/SignIn.tsx"
import { ImportSource, Source } from "#console/pages/Source.tsx"
import { Workspace } from "#console/pages/Workspace.tsx"
import { Icon } from "#console/parts/Icon.tsx"
import { Mark } from "#console/parts/Mark.tsx"
import { PlanProvider } from "#console/Plan.tsx"
import { Reconnecting } from "#console/parts/Notices.tsx"
import { Page } from "#console/parts/Page.tsx"
import { isUnsaved, mayLeave } from "#console/Leaving.ts"
import { to, useRoute } from "#console/Route.ts"
import { forget, joinOtherTab, SessionProvider, sessionOf, storedKey, storeKey } from "#console/Session.tsx"
import { isUnsavedElsewhere, join } from "#console/Tabs.ts"

const places = [
  ["", "Overview", "overview"],
  ["campaigns", "Campaigns", "campaigns"],
  ["lists", "Lists", "lists"],
  ["conversations", "Questions", "questions"],
  ["workspace", "Workspace", "workspace"]
] as const

const Lost = () => (
  <Page title="Nothing is here" lead="The address leads to no page of this console.">
    <p>
      <a href={to()}>Go to the overview</a>
    </p>
  </Page>
)

const Here = ({ route }: { readonly route: ReadonlyArray<string> }) => {
  const [place = "", id, part, detail] = route
  switch (place) {
    case "":
      return <Overview />
    case "campaigns":
      return id === undefined ? <Campaigns /> : <Campaign key={id} id={id} part={part} step={detail} />
    case "lists":
      if (id === undefined) return <Lists />
      if (part === undefined) return <List key={id} id={id} />
      return <Lead key={`${id} ${part}`} list={id} position={Number(part)} />
    case "conversations":
      return id === undefined ? <Conversations /> : <Conversation key={id} id={id} campaign={part} example={detail} />
    case "sources":
      if (id === undefined || part === undefined) return <Lost />
      if (id === "imports") return <ImportSource key={`${part} ${detail}`} id={part} heading={detail} />
      return <Source key={`${part} ${detail}`} campaign={id} id={part} heading={detail} />
    case "workspace":
      return <Workspace field={id} />
    default:
      return <Lost />
  }
}

const Navigation = ({ place }: { readonly place: string }) => (
  <nav aria-label="Console">
    <ul>
      {places.map(([each, name, icon]) => (
        <li key={each}>
          <a href={to(...(each === "" ? [] : [each]))} aria-current={each === place ? "page" : undefined}>
            <Icon name={icon} />
            {name}
          </a>
        </li>
      ))}
    </ul>
  </nav>
)

const Wordmark = () => (
  <a class="wordmark" href={to()}>
    <Mark />
    Overture
  </a>
)

/** Signing out ends every tab, so what any of them has unsaved is asked about. */
const maySignOut = async () =>
  mayLeave() && (!(await isUnsavedElsewhere()) || confirm("Another tab has changes that are not saved. Sign out?"))

/** The key of this tab, or of another open one; `undefined` until the other tabs had time to answer. */
const useKey = () => {
  const [key, setKey] = useState<string | null | undefined>(() => storedKey() ?? undefined)
  const [reason, setReason] = useState<string>()
  const ended = (reason: string | undefined) => {
    setReason(reason)
    setKey(null)
  }
  const signedIn = () => {
    setReason(undefined)
    setKey(storedKey())
  }
  // The address stays when a key has expired, and is cleared on signing out, because another person may sign in next.
  const signedOut = (reason?: string) => {
    ended(reason)
    location.hash = ""
  }
  useEffect(() => {
    if (key === undefined) void joinOtherTab().then(() => setKey(storedKey()))
    return join({
      key: storedKey,
      isUnsaved,
      onKey: (key) => {
        storeKey(key)
        signedIn()
      },
      onSignedOut: () => {
        forget()
        signedOut("You signed out in another tab.")
      }
    })
  }, [])
  return { key, reason, ended, signedIn, signedOut }
}

export const Console = () => {
  const { ended, key, reason, signedIn, signedOut } = useKey()
  const route = useRoute()
  const main = useRef<HTMLElement>(null)
  const session = useMemo(
    () => (key == null ? undefined : sessionOf(key, (reason) => (reason === undefined ? signedOut() : ended(reason)))),
    [key]
  )
  if (key === undefined) return null
  if (session === undefined) return <SignIn reason={reason} onSignedIn={signedIn} />
  return (
    <SessionProvider value={session}>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to the page
      </button>
      <div class="frame">
        <header class="side">
          <Wordmark />
          <Navigation place={route[0] ?? ""} />
          <div class="side-end">
            <a href="/docs">API reference</a>
            <button type="button" class="link" onClick={() => void maySignOut().then((may) => may && session.end())}>
              Sign out
            </button>
          </div>
        </header>
        <main ref={main} tabIndex={-1}>
          <Reconnecting />
          <PlanProvider>
            <Here route={route} />
          </PlanProvider>
        </main>
      </div>
    </SessionProvider>
  )
}
