// scripts/chaos/Log.ts: what the server writes down: nothing that breaks without a fault to blame, and nothing of keys,
// leads, mail or emails.
import type { World } from "./World.ts"
import { key } from "./Model.ts"
import { mailbox, surname } from "./World.ts"

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
const ofStore = /SqlError|SQLite|SQLITE|database is locked|database or disk is full|disk I\/O/

/** A mail that the mail server will never take. */
const givenUp = "The mail of a finished list is given up"

/** Of the Node that runs it, at the start. */
const nodes = /ExperimentalWarning|^\(Use `node /

export const scan = ({ findings, server, workspaces }: World) => {
  for (const line of server.lines()) {
    findings.count("log lines")
    const secret = [...secrets, ...workspaces.map((one) => one.key)].find((each) => line.includes(each))
    if (secret !== undefined) findings.broken(`The log holds "${secret}": ${line.slice(0, 400)}`)
    if (/unhandled|uncaught/i.test(line)) findings.broken(`Unhandled: ${line.slice(0, 600)}`)
    let entry: { readonly level?: unknown; readonly message?: unknown }
    try {
      entry = JSON.parse(line)
    } catch {
      if (!nodes.test(line)) findings.broken(`The log has a line that is none: ${line.slice(0, 300)}`)
      continue
    }
    const level = String(entry.level)
    const said = String(Array.isArray(entry.message) ? entry.message[0] : entry.message)
    if (level === "WARN") findings.count(`warned: ${said}`)
    if (level !== "ERROR" && level !== "FATAL") continue
    findings.count("errors in the log")
    if (said === givenUp) continue
    if (!findings.excused("store", performance.now() - 1000) || !ofStore.test(line)) {
      findings.broken(`The log has an error: ${line.slice(0, 900)}`)
    }
  }
}
