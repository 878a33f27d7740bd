// scripts/chaos/Log.ts: checks that the server's log has no unexplained errors, and no keys, lead data, mail or email text.
import type { Environment } from "./Environment.ts"
import { modelApiKey } from "./Model.ts"
import { mailbox, surname } from "./Environment.ts"

/** Keys, lead data, and words of emails, prompts and requests. */
const secretTexts = [
  modelApiKey,
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

/** Only a store that cannot be written may cause errors in the log. */
const storeError = /SqlError|SQLite|SQLITE|database is locked|database or disk is full|disk I\/O/

/** The log message for a mail that the mail server permanently rejects. */
const undeliverableMail = "The mail of a finished list is given up"

/** Warnings that Node prints when it starts. */
const nodeWarning = /ExperimentalWarning|^\(Use `node /

export const scan = ({ findings, server, workspaces }: Environment) => {
  for (const line of server.newLogLines()) {
    findings.count("log lines")
    const secret = [...secretTexts, ...workspaces.map((workspace) => workspace.key)].find((text) => line.includes(text))
    if (secret !== undefined) findings.report(`The log holds "${secret}": ${line.slice(0, 400)}`)
    if (/unhandled|uncaught/i.test(line)) findings.report(`Unhandled: ${line.slice(0, 600)}`)
    let entry: { readonly level?: unknown; readonly message?: unknown }
    try {
      entry = JSON.parse(line)
    } catch {
      if (!nodeWarning.test(line)) findings.report(`The log has a line that is not JSON: ${line.slice(0, 300)}`)
      continue
    }
    const level = String(entry.level)
    const message = String(Array.isArray(entry.message) ? entry.message[0] : entry.message)
    if (level === "WARN") findings.count(`warned: ${message}`)
    if (level !== "ERROR" && level !== "FATAL") continue
    findings.count("errors in the log")
    if (message === undeliverableMail) continue
    if (!findings.isExcused("store", performance.now() - 1000) || !storeError.test(line)) {
      findings.report(`The log has an error: ${line.slice(0, 900)}`)
    }
  }
}
