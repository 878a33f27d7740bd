// console/pages/SignIn.tsx: signing in with a mailed or printed link, or with an API key.
import { useEffect, useRef, useState } from "preact/hooks"
import { client, Problem, run } from "#console/Api.ts"
import { useAction } from "#console/Requests.ts"
import { signInByKey, signInByLink, type SignedIn } from "#console/Session.tsx"
import { Form, FormTrouble, issueAt, TextInput } from "#console/parts/Fields.tsx"
import { ActionButton } from "#console/parts/ActionButton.tsx"
import { Logo } from "#console/parts/Logo.tsx"
import { ProblemNotice } from "#console/parts/Notices.tsx"
import { routeTo } from "#console/Route.ts"

interface Props {
  /** Why the last session ended, if the person did not end it. */
  readonly reason: string | undefined
  readonly onSignedIn: (who: SignedIn) => void
}

/** Whether the server mails links; undefined until it has answered. */
const useSignInMail = () => {
  const [mail, setMail] = useState<boolean>()
  useEffect(() => {
    run(client().sign_in.getSignInOptions()).then(
      ({ email }) => setMail(email),
      () => setMail(false)
    )
  }, [])
  return mail
}

const SignInByMail = () => {
  const [email, setEmail] = useState("")
  const [sent, setSent] = useState("")
  const asking = useAction(async () => {
    setSent("")
    await run(client().sign_in.requestSignInLink({ payload: { email: email.trim() } }))
    setSent(email.trim())
  })
  return (
    <Form onSubmit={asking.start}>
      <TextInput
        label="Email address"
        type="email"
        autocomplete="email"
        required
        value={email}
        onInput={setEmail}
        issue={issueAt(asking.problem, "email")}
        hint="The owner of a workspace gets a link that signs in once."
      />
      <FormTrouble problem={asking.problem} fields={["email"]} />
      <ActionButton kind="primary" action={asking} busyLabel="Sending…">
        Send a sign-in link
      </ActionButton>
      <p role="status" class={sent === "" ? "unseen" : "note"}>
        {sent !== "" && `If ${sent} is the owner of a workspace, a link is on its way. It works for 15 minutes.`}
      </p>
    </Form>
  )
}

const SignInByKey = ({ isFirst, onSignedIn }: { readonly isFirst: boolean } & Pick<Props, "onSignedIn">) => {
  const [key, setKey] = useState("")
  const [isKeyVisible, setKeyVisible] = useState(false)
  const [issue, setIssue] = useState<string>()
  const form = useRef<HTMLFormElement>(null)
  const signIn = useAction(async () => {
    setIssue(undefined)
    const given = key.trim()
    let who: SignedIn
    try {
      if (!/^[\x21-\x7e]{1,200}$/.test(given)) throw new Problem("UNAUTHORIZED", "")
      who = await signInByKey(given)
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== "UNAUTHORIZED") throw error
      setIssue(
        given === ""
          ? "is missing. It begins with ovk_"
          : "is not known to the server. It may be cut off, revoked or expired: paste the whole of it"
      )
      form.current?.querySelector("input")?.focus()
      return
    }
    onSignedIn(who)
  })
  return (
    <Form ref={form} onSubmit={signIn.start}>
      <TextInput
        label="API key"
        type={isKeyVisible ? "text" : "password"}
        autocomplete="off"
        spellcheck={false}
        required
        value={key}
        onInput={setKey}
        issue={issue}
        hint="Used once, for a session of this browser. The page does not keep it."
      />
      <button type="button" class="link" aria-pressed={isKeyVisible} onClick={() => setKeyVisible(!isKeyVisible)}>
        Show the key
      </button>
      {signIn.problem && <ProblemNotice problem={signIn.problem} />}
      <ActionButton kind={isFirst ? "primary" : "plain"} action={signIn} busyLabel="Asking the server…">
        Sign in
      </ActionButton>
    </Form>
  )
}

export const SignIn = ({ onSignedIn, reason }: Props) => {
  const mail = useSignInMail()
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    document.title = "Sign in · Overture"
  }, [])
  useEffect(() => box.current?.querySelector("input")?.focus(), [mail])
  return (
    <main class="sign-in">
      <div class="sign-in-box" ref={box}>
        <Logo />
        <h1>Sign in to Overture</h1>
        <p class="lead">Read the emails before they go out.</p>
        {reason !== undefined && (
          <p class="note" role="alert">
            {reason}
          </p>
        )}
        {mail === true && (
          <>
            <SignInByMail />
            <details>
              <summary>Sign in with an API key</summary>
              <SignInByKey isFirst={false} onSignedIn={onSignedIn} />
            </details>
          </>
        )}
        {mail === false && <SignInByKey isFirst onSignedIn={onSignedIn} />}
        <details>
          <summary>How else can I sign in?</summary>
          <p>
            Ask for a link. The operator of this server prints one with <code>overture link</code>, and anyone who
            manages API keys can make one under Workspace, API keys.
          </p>
        </details>
      </div>
    </main>
  )
}

/** The page of a sign-in link. It signs in on a click, because mail scanners open links and a link works only once. */
export const SignInLink = ({ onSignedIn, token }: Pick<Props, "onSignedIn"> & { readonly token: string }) => {
  const signIn = useAction(async () => onSignedIn(await signInByLink(token)))
  useEffect(() => {
    document.title = "Sign in · Overture"
  }, [])
  return (
    <main class="sign-in">
      <div class="sign-in-box">
        <Logo />
        <h1>Sign in to Overture</h1>
        <p class="lead">This link signs in this browser, once.</p>
        {signIn.problem && <ProblemNotice title="You are not signed in" problem={signIn.problem} />}
        <div class="actions">
          <ActionButton kind="primary" action={signIn} busyLabel="Signing in…" onClick={signIn.start}>
            Sign in
          </ActionButton>
          <a href={routeTo()}>Sign in another way</a>
        </div>
      </div>
    </main>
  )
}
