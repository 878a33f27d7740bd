// console/Mail.ts: whether the server can send mail: what needs it is not offered without it.
import { Effect } from "effect"
import { useRequest } from "#console/Requests.ts"

/** Asked for once in a tab: it changes only when the server restarts. */
let known: boolean | undefined

/** Undefined until the server has answered. */
export const useSendsMail = (): boolean | undefined => {
  const asked = useRequest(
    (api) =>
      known !== undefined
        ? Effect.succeed(known)
        : Effect.map(api.sign_in.getSignInOptions(), ({ email }) => (known = email)),
    []
  )
  return asked.state === "there" ? asked.value : known
}
