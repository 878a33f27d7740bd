// scripts/chaos/MailCheck.ts: checks the mails of finished batches: one each, to its recipient.
import { rejectedPrefix } from "./Mail.ts"
import { query } from "./WaitUntilIdle.ts"
import type { Environment } from "./Environment.ts"

export const check = (environment: Environment) => {
  const { findings, mail, server, workspaces } = environment
  const mailsByList = Map.groupBy(mail.deliveries(), ({ list }) => list)
  const finishedLists = new Set(
    query<{ readonly id: string }>(
      environment,
      "SELECT id FROM lists WHERE kind = 'batch' AND processing_status IN ('completed', 'failed')"
    ).map(({ id }) => id)
  )
  for (const { deleted, id, name, recipient } of workspaces.flatMap(({ lists }) => lists)) {
    if (id === undefined) continue
    const copiesOfMail = (mailsByList.get(id) ?? []).toSorted((a, b) => a.at - b.at)
    mailsByList.delete(id)
    const [first, ...repeatedMails] = copiesOfMail
    if (copiesOfMail.some(({ to }) => to.join() !== recipient))
      findings.report(`The mail of ${name} went to another address`)
    if (first === undefined) {
      if (deleted !== "no" || recipient === null || recipient.startsWith(rejectedPrefix)) continue
      if (finishedLists.has(id)) findings.report(`${name} is finished, but its mail was not sent`)
      continue
    }
    if (!finishedLists.has(id) && deleted === "no") findings.report(`There was mail of ${name} before it was finished`)
    let previousAt = first.at
    for (const { at } of repeatedMails) {
      // A server that is killed after the mail was accepted and before that was stored sends the mail again.
      const wasKilled = server.killTimes.some((killedAt) => killedAt >= previousAt - 50 && killedAt <= at)
      if (wasKilled) findings.count("mails sent once more after a kill")
      else findings.report(`The mail of ${name} was sent twice`)
      previousAt = at
    }
  }
  for (const list of mailsByList.keys()) findings.report(`A mail was sent for a list that was not requested: ${list}`)
}
