// scripts/bench/peer/Database.ts: the store of the peer: the same file, pragmas and durability, cached statements, and one
// connection each for writes and reads.
import { randomFillSync } from "node:crypto"
import { DatabaseSync } from "node:sqlite"

const [filename = ""] = process.argv.slice(2)

const open = (readOnly: boolean) => {
  const db = new DatabaseSync(filename, { readOnly })
  db.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA foreign_keys = ON;
    PRAGMA temp_store = MEMORY;
  `)
  return db
}
export const writer = open(false)
export const reader = open(true)

const begin = writer.prepare("BEGIN IMMEDIATE")
const commit = writer.prepare("COMMIT")
const rollback = writer.prepare("ROLLBACK")
const createSavepoint = writer.prepare("SAVEPOINT own")
const rollbackToSavepoint = writer.prepare("ROLLBACK TO own")
const releaseSavepoint = writer.prepare("RELEASE own")

let queue: Array<{ readonly run: () => () => void; readonly reject: (error: unknown) => void }> = []

/** Commits concurrent transactions together, with one sync; a failed one is rolled back alone. */
const commitQueue = () => {
  const batch = queue
  queue = []
  try {
    begin.run()
    const notifications = batch.map(({ run }) => run())
    commit.run()
    for (const notify of notifications) notify()
  } catch (error) {
    if (writer.isTransaction) rollback.run()
    for (const { reject } of batch) reject(error)
  }
}

export const transaction = <A>(work: () => A): Promise<A> =>
  new Promise((resolve, reject) => {
    const run = () => {
      createSavepoint.run()
      try {
        const result = work()
        return () => resolve(result)
      } catch (error) {
        rollbackToSavepoint.run()
        return () => reject(error)
      } finally {
        releaseSavepoint.run()
      }
    }
    if (queue.push({ run, reject }) === 1) setImmediate(commitQueue)
  })

const randomPool = Buffer.alloc(4096)
let poolOffset = randomPool.length

/** A UUID of version 7, from a pool of random bytes. */
export const uuid = (now: number) => {
  if (poolOffset === randomPool.length) {
    randomFillSync(randomPool)
    poolOffset = 0
  }
  const random = randomPool.toString("hex", poolOffset, poolOffset + 16)
  poolOffset += 16
  const time = now.toString(16).padStart(12, "0")
  const variant = "89ab".charAt(Number.parseInt(random.charAt(3), 16) & 3)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-${variant}${random.slice(4, 7)}-${random.slice(8, 20)}`
}

export const isUuid = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

export const iso = (millis: number) => new Date(millis).toISOString()
