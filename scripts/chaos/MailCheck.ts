// scripts/chaos/MailCheck.ts: checks the mails of finished batches: one each, to its recipient.
import { rejectedPrefix } from "./Mail.ts"
import { query } from "./WaitUntilIdle.ts"
import type { Environment } from "./Environment.ts"

export const check = (environment: Environment) => {
  const { findings, mail, server, workspaces } = environment
  const byList = Map.groupBy(mail.deliveries(), ({ list }) => list)
  const ended = new Set(
    query<{ readonly id: string }>(
      environment,
      "SELECT id FROM lists WHERE kind = 'batch' AND processing_status IN ('completed', 'failed')"
    ).map(({ id }) => id)
  )
  for (const { deleted, id, name, recipient } of workspaces.flatMap(({ lists }) => lists)) {
    if (id === undefined) continue
    const copies = (byList.get(id) ?? []).toSorted((a, b) => a.at - b.at)
    byList.delete(id)
    const [first, ...more] = copies
    if (copies.some(({ to }) => to.join() !== recipient)) findings.broken(`The mail of ${name} went to another address`)
    if (first === undefined) {
      if (deleted !== "no" || recipient === null || recipient.startsWith(rejectedPrefix)) continue
      if (ended.has(id)) findings.broken(`${name} is finished, but its mail was not sent`)
      continue
    }
    if (!ended.has(id) && deleted === "no") findings.broken(`There was mail of ${name} before it was finished`)
    let before = first.at
    for (const { at } of more) {
      // A process that dies between the mail server's yes and its own note of it sends the same mail again.
      const killed = server.kills.some((kill) => kill >= before - 50 && kill <= at)
      if (killed) findings.count("mails sent once more after a kill")
      else findings.broken(`The mail of ${name} was sent twice`)
      before = at
    }
  }
  for (const list of byList.keys()) findings.broken(`A mail was sent for a list that was not requested: ${list}`)
}
