// console/MailStatus.ts: whether the server can send mail. Without mail, the page does not offer what needs it.
import { Effect } from "effect"
import { useRequest } from "#console/Requests.ts"

/** Requested once per tab, because it changes only when the server restarts. */
let sendsMail: boolean | undefined

/** Undefined until the server has answered. */
export const useSendsMail = (): boolean | undefined => {
  const request = useRequest(
    (api) =>
      sendsMail !== undefined
        ? Effect.succeed(sendsMail)
        : Effect.map(api.sign_in.getSignInOptions(), ({ email }) => (sendsMail = email)),
    []
  )
  return request.state === "loaded" ? request.value : sendsMail
}
