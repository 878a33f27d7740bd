// console/pages/SignIn.tsx: an API key is the whole of signing in.
import { useEffect, useRef, useState } from "preact/hooks"
import { Problem } from "#console/Api.ts"
import { useDoing } from "#console/Asking.ts"
import { admit } from "#console/Session.tsx"
import { Form, Text } from "#console/parts/Fields.tsx"
import { Act } from "#console/parts/Act.tsx"
import { Mark } from "#console/parts/Mark.tsx"
import { Trouble } from "#console/parts/Notices.tsx"

interface Props {
  /** Why the last session ended, if the person did not end it. */
  readonly reason: string | undefined
  readonly onSignedIn: () => void
}

export const SignIn = ({ onSignedIn, reason }: Props) => {
  const [key, setKey] = useState("")
  const [issue, setIssue] = useState<string>()
  const form = useRef<HTMLFormElement>(null)
  const signIn = useDoing(async () => {
    setIssue(undefined)
    const given = key.trim()
    try {
      // What a header cannot carry is no key, and the browser would refuse it in words of its own.
      if (!/^[\x21-\x7e]+$/.test(given)) throw new Problem("UNAUTHORIZED", "")
      await admit(given)
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
    onSignedIn()
  })
  useEffect(() => {
    document.title = "Sign in · Overture"
    form.current?.querySelector("input")?.focus()
  }, [])
  return (
    <main class="sign-in">
      <div class="sign-in-box">
        <Mark />
        <h1>Sign in to Overture</h1>
        <p class="lead">Read the emails before they go out.</p>
        {reason !== undefined && (
          <p class="note" role="alert">
            {reason}
          </p>
        )}
        <Form ref={form} onSubmit={signIn.start}>
          <Text
            label="API key"
            type="password"
            autocomplete="off"
            required
            value={key}
            onInput={setKey}
            issue={issue}
            hint="Kept in the open tabs of this browser, and forgotten when you close them or sign out."
          />
          {signIn.problem && <Trouble problem={signIn.problem} />}
          <Act kind="primary" doing={signIn} busy="Asking the server…">
            Sign in
          </Act>
        </Form>
        <details>
          <summary>Where do I find a key?</summary>
          <p>
            A server that starts with a demo prints one. Its operator can create another with{" "}
            <code>overture key create --workspace ID</code>.
          </p>
        </details>
      </div>
    </main>
  )
}
