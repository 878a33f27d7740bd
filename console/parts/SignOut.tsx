// console/parts/SignOut.tsx: warns users who sign out without an API key to sign in again.
import type { ActionState } from "#console/Requests.ts"
import { useSendsMail } from "#console/MailStatus.ts"
import { ActionButton } from "#console/parts/ActionButton.tsx"
import { Dialog } from "#console/parts/Dialog.tsx"
import { RequireScope } from "#console/parts/RequireScope.tsx"
import { ProblemNotice } from "#console/parts/Notices.tsx"
import { routeTo } from "#console/Route.ts"

interface Props {
  readonly signOut: ActionState
  readonly onClose: () => void
}

export const SignOutDialog = ({ onClose, signOut }: Props) => {
  const sendsMail = useSendsMail()
  return (
    <Dialog title="Sign out" onClose={onClose}>
      <p>You signed in by a link, which works only once. To sign in again you need one of these:</p>
      <ul>
        <RequireScope scope="keys:write">
          <li>
            An API key:{" "}
            <a href={routeTo("keys")} onClick={onClose}>
              Create an API key
            </a>{" "}
            before you sign out, and keep it.
          </li>
        </RequireScope>
        {sendsMail === true && (
          <li>A sign-in link by mail: the sign-in page sends one to the owner of the workspace.</li>
        )}
        <li>
          A sign-in link from the person who runs Overture: <code>overture link</code> on the server prints one.
        </li>
      </ul>
      {signOut.problem && <ProblemNotice problem={signOut.problem} />}
      <div class="actions">
        <ActionButton kind="danger" action={signOut} busyLabel="Signing out…" onClick={signOut.start}>
          Sign out
        </ActionButton>
        <button type="button" class="button" onClick={onClose}>
          Cancel
        </button>
      </div>
    </Dialog>
  )
}
