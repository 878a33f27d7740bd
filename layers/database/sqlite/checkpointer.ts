// layers/database/sqlite/checkpointer.ts: the worker thread that copies SQLite's write-ahead log into the database
// file.
import { DatabaseSync } from "node:sqlite"
import { parentPort, workerData } from "node:worker_threads"
import type { Task } from "#layers/database/sqlite/Checkpoints.ts"

const { everyMillis, filename }: Task = workerData
const db = new DatabaseSync(filename)
db.exec("PRAGMA synchronous = FULL")
// Changes when another connection commits.
const version = db.prepare("PRAGMA data_version")
const copy = db.prepare("PRAGMA wal_checkpoint(PASSIVE)")

let copied: unknown
const check = () => {
  const now = version.get()?.["data_version"]
  if (now === copied) return
  // A busy checkpoint is no error; the next run copies the rest.
  const { busy, checkpointed, log } = copy.get() ?? {}
  if (busy === 0 && checkpointed === log) copied = now
}

const timer = setInterval(check, everyMillis)
parentPort?.once("message", () => {
  clearInterval(timer)
  db.close()
  parentPort?.close()
})
