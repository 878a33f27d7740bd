// layers/database/sqlite/checkpointer.ts: the worker thread that copies SQLite's write-ahead log into the database
// file.
import { DatabaseSync } from "node:sqlite"
import { parentPort, workerData } from "node:worker_threads"
import type { CheckpointerOptions } from "#layers/database/sqlite/Checkpoints.ts"

const { everyMillis, filename }: CheckpointerOptions = workerData
const db = new DatabaseSync(filename)
db.exec("PRAGMA synchronous = FULL")
// Changes when another connection commits.
const dataVersion = db.prepare("PRAGMA data_version")
const runCheckpoint = db.prepare("PRAGMA wal_checkpoint(PASSIVE)")

let checkpointedVersion: unknown
const check = () => {
  const currentVersion = dataVersion.get()?.["data_version"]
  if (currentVersion === checkpointedVersion) return
  // A busy checkpoint is no error; the next run copies the rest.
  const { busy, checkpointed, log } = runCheckpoint.get() ?? {}
  if (busy === 0 && checkpointed === log) checkpointedVersion = currentVersion
}

const timer = setInterval(check, everyMillis)
parentPort?.once("message", () => {
  clearInterval(timer)
  db.close()
  parentPort?.close()
})
