// console/Console.tsx: the frame of the page: the session, the navigation and the current page.
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks"
import { Campaign } from "#console/pages/Campaign.tsx"
import { SkippedNote } from "#console/pages/campaign/leads/SkipOptions.tsx"
import { Campaigns } from "#console/pages/Campaigns.tsx"
import { Conversation } from "#console/pages/Conversation.tsx"
import { Conversations } from "#console/pages/Conversations.tsx"
import { Lead } from "#console/pages/Lead.tsx"
import { Keys } from "#console/pages/Keys.tsx"
import { List } from "#console/pages/List.tsx"
import { Lists, toReviewRoute } from "#console/pages/Lists.tsx"
import { Overview } from "#console/pages/Overview.tsx"
import { SetUp } from "#console/pages/SetUp.tsx"
import { SignIn, SignInLink } from "#console/pages/SignIn.tsx"
import { Start } from "#console/pages/Start.tsx"
import { ImportSource, Source } from "#console/pages/Source.tsx"
import { Suppressions } from "#console/pages/Suppressions.tsx"
import { Webhooks } from "#console/pages/Webhooks.tsx"
import { Webhook } from "#console/pages/webhooks/Webhook.tsx"
import { Workspace } from "#console/pages/Workspace.tsx"
import { Icon } from "#console/parts/Icon.tsx"
import { ReadOnlyNote } from "#console/parts/RequireScope.tsx"
import { SignOutDialog } from "#console/parts/SignOut.tsx"
import { Logo } from "#console/parts/Logo.tsx"
import { Reconnecting } from "#console/parts/Notices.tsx"
import { Page } from "#console/parts/Page.tsx"
import { confirmSignOut, isUnsaved, useIsTypedBefore } from "#console/UnsavedChanges.ts"
import { useAction } from "#console/Requests.ts"
import { onReconnect } from "#console/Connection.ts"
import { replaceRoute, routeTo, useRoute } from "#console/Route.ts"
import { currentSession, clearTabState, SessionProvider, makeSession, type SignedIn } from "#console/Session.tsx"
import { isUnsavedElsewhere, answerOtherTabs } from "#console/TabMessages.ts"

const navigationItems = [
  ["", "Overview", "overview"],
  ["campaigns", "Campaigns", "campaigns"],
  ["lists", "Lists", "lists"],
  ["conversations", "Questions", "questions"],
  ["workspace", "Workspace", "workspace"]
] as const

const PageNotFound = () => (
  <Page title="Nothing is here" lead="The address leads to no page of this console.">
    <p>
      <a href={routeTo()}>Go to the overview</a>
    </p>
  </Page>
)

const CurrentPage = ({ route }: { readonly route: ReadonlyArray<string> }) => {
  const [section = "", id, part, detail] = route
  switch (section) {
    case "":
      return <Overview />
    case "campaigns":
      return id === undefined ? <Campaigns /> : <Campaign key={id} id={id} part={part} step={detail} />
    case "lists":
      if (id === undefined) return <Lists key="all" />
      if (id === toReviewRoute) return <Lists key={id} initiallyShown={id} />
      if (part === undefined) {
        return (
          <>
            <SkippedNote key={`left out ${id}`} list={id} />
            <List key={id} id={id} />
          </>
        )
      }
      return <Lead key={`${id} ${part} ${detail}`} list={id} position={Number(part)} orderParam={detail} />
    case "conversations":
      return id === undefined ? <Conversations /> : <Conversation key={id} id={id} campaign={part} example={detail} />
    case "sources":
      if (id === undefined || part === undefined) return <PageNotFound />
      if (id === "imports") return <ImportSource key={`${part} ${detail}`} id={part} heading={detail} />
      return <Source key={`${part} ${detail}`} campaign={id} id={part} heading={detail} />
    case "workspace":
      return <Workspace field={id} />
    case "suppressions":
      return <Suppressions />
    case "keys":
      return <Keys />
    case "webhooks":
      return id === undefined ? <Webhooks /> : <Webhook key={id} id={id} />
    case "start":
      return <Start />
    default:
      return <PageNotFound />
  }
}

const Navigation = ({ section }: { readonly section: string }) => (
  <nav aria-label="Console">
    <ul>
      {navigationItems.map(([each, name, icon]) => (
        <li key={each}>
          <a
            href={routeTo(...(each === "" ? [] : [each]))}
            aria-current={
              each === section
                ? "page"
                : each === "workspace" && ["suppressions", "keys", "webhooks"].includes(section)
                  ? "true"
                  : undefined
            }
          >
            <Icon name={icon} />
            {name}
          </a>
        </li>
      ))}
    </ul>
  </nav>
)

const Wordmark = () => (
  <a class="wordmark" href={routeTo()}>
    <Logo />
    Overture
  </a>
)

/** Says that input of an earlier visit is on the page again, because leaving with it asked nothing. */
const TypedBeforeNote = () =>
  useIsTypedBefore() ? (
    <p class="note" role="status">
      <span class="strong">Not saved yet:</span> what you entered on this page earlier is here again. It is kept until
      you close the tab or sign out.
    </p>
  ) : null

/** Signing out ends the session in every tab, so it asks if any of them has unsaved changes. */
const confirmSignOutOfTabs = async () =>
  confirmSignOut() &&
  (!(await isUnsavedElsewhere()) || confirm("Another tab has changes that are not saved. Sign out?"))

/** Who is signed in; `undefined` until the server has answered. */
const useSignedInSession = () => {
  const [sessionInfo, setSessionInfo] = useState<SignedIn | null>()
  const [reason, setReason] = useState<string>()
  const latest = useRef(sessionInfo)
  latest.current = sessionInfo
  const handleSessionEnded = (reason: string | undefined) => {
    setReason(reason)
    setSessionInfo(null)
  }
  const handleSignedIn = (next: SignedIn) => {
    // Drafts belong to one workspace, so they are cleared when the workspace changes.
    if (latest.current != null && latest.current.workspace.id !== next.workspace.id) clearTabState()
    setReason(undefined)
    setSessionInfo(next)
  }
  // Signing out clears the address, because another person may sign in next. An expired session keeps it.
  const handleSignedOut = (reason?: string) => {
    handleSessionEnded(reason)
    location.hash = ""
  }
  // A layout effect, so that no message of another tab is missed before the first paint.
  useLayoutEffect(() => {
    let unsubscribe = () => {}
    const checkSession = () =>
      void currentSession().then(
        (who) => setSessionInfo((known) => known ?? who),
        () => (unsubscribe = onReconnect(checkSession))
      )
    checkSession()
    const leave = answerOtherTabs({
      isSignedIn: () => latest.current != null,
      isUnsaved,
      onSignedIn: handleSignedIn,
      onSignedOut: () => {
        clearTabState()
        handleSignedOut("You signed out in another tab.")
      }
    })
    return () => {
      unsubscribe()
      leave()
    }
  }, [])
  return {
    sessionInfo,
    reason,
    handleSessionEnded,
    handleSignedIn,
    handleSignedOut
  }
}

/** The pages of sign-in and first-run links, which work without a session. */
const SignedOutLinkPage = ({
  onSignedIn,
  route: [section, token = ""]
}: {
  readonly route: ReadonlyArray<string>
  readonly onSignedIn: (who: SignedIn) => void
}) =>
  section === "first-run" ? (
    <SetUp
      token={token}
      onSignedIn={(who) => {
        replaceRoute("start")
        onSignedIn(who)
      }}
    />
  ) : (
    <SignInLink
      token={token}
      onSignedIn={(who) => {
        replaceRoute()
        onSignedIn(who)
      }}
    />
  )

export const Console = () => {
  const { handleSessionEnded, reason, handleSignedIn, handleSignedOut, sessionInfo } = useSignedInSession()
  const route = useRoute()
  const main = useRef<HTMLElement>(null)
  const session = useMemo(
    () =>
      sessionInfo == null
        ? undefined
        : makeSession(sessionInfo, (reason) => (reason === undefined ? handleSignedOut() : handleSessionEnded(reason))),
    [sessionInfo]
  )
  const signOut = useAction(async () => {
    if (await confirmSignOutOfTabs()) await session?.signOut()
  })
  const [isLeaving, setLeaving] = useState(false)
  if (sessionInfo === undefined) return <Reconnecting />
  if (route[0] === "sign-in" || route[0] === "first-run")
    return <SignedOutLinkPage route={route} onSignedIn={handleSignedIn} />
  if (session === undefined) return <SignIn reason={reason} onSignedIn={handleSignedIn} />
  return (
    <SessionProvider value={session}>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to the page
      </button>
      <div class="frame">
        <header class="side">
          <Wordmark />
          <Navigation section={route[0] ?? ""} />
          <div class="side-end">
            <a href="/docs">API reference</a>
            <button
              type="button"
              class="link"
              onClick={() => (session.sessionInfo.key.kind === "sign_in" ? setLeaving(true) : signOut.start())}
            >
              Sign out
            </button>
          </div>
        </header>
        <main ref={main} tabIndex={-1}>
          <Reconnecting />
          <ReadOnlyNote section={route[0] ?? ""} />
          <TypedBeforeNote />
          <CurrentPage key={session.sessionInfo.workspace.id} route={route} />
        </main>
      </div>
      {isLeaving && <SignOutDialog signOut={signOut} onClose={() => setLeaving(false)} />}
    </SessionProvider>
  )
}
