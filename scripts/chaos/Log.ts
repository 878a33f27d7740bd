// scripts/chaos/Log.ts: what the server writes down: nothing that breaks without a fault to blame, and nothing of keys,
// leads, mail or emails.
import type { Environment } from "./Environment.ts"
import { key } from "./Model.ts"
import { mailbox, surname } from "./Environment.ts"

/** The last are words of the emails that the model writes, of the prompts, and of what callers send. */
const secrets = [
  key,
  "ovk_",
  "Bearer ",
  "zzlead",
  mailbox,
  surname,
  "Carrick Castings",
  "compressed air",
  "maintenance team",
  "What does it cost",
  "Write the "
]

/** Only a store that cannot be written may break what the server does. */
const storeError = /SqlError|SQLite|SQLITE|database is locked|database or disk is full|disk I\/O/

/** A mail that the mail server will never take. */
const undeliverableMail = "The mail of a finished list is given up"

/** Of the Node that runs it, at the start. */
const nodeWarning = /ExperimentalWarning|^\(Use `node /

export const scan = ({ findings, server, workspaces }: Environment) => {
  for (const line of server.lines()) {
    findings.count("log lines")
    const secret = [...secrets, ...workspaces.map((one) => one.key)].find((each) => line.includes(each))
    if (secret !== undefined) findings.broken(`The log holds "${secret}": ${line.slice(0, 400)}`)
    if (/unhandled|uncaught/i.test(line)) findings.broken(`Unhandled: ${line.slice(0, 600)}`)
    let entry: { readonly level?: unknown; readonly message?: unknown }
    try {
      entry = JSON.parse(line)
    } catch {
      if (!nodeWarning.test(line)) findings.broken(`The log has a line that is none: ${line.slice(0, 300)}`)
      continue
    }
    const level = String(entry.level)
    const message = String(Array.isArray(entry.message) ? entry.message[0] : entry.message)
    if (level === "WARN") findings.count(`warned: ${message}`)
    if (level !== "ERROR" && level !== "FATAL") continue
    findings.count("errors in the log")
    if (message === undeliverableMail) continue
    if (!findings.isExcused("store", performance.now() - 1000) || !storeError.test(line)) {
      findings.broken(`The log has an error: ${line.slice(0, 900)}`)
    }
  }
}
