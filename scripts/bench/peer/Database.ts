// scripts/bench/peer/Database.ts: the store as the peer has it: the same file, pragmas and durability, statements prepared
// once, one connection that writes and one that reads.
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

export const transaction = <A>(work: () => A): A => {
  begin.run()
  try {
    const done = work()
    commit.run()
    return done
  } catch (error) {
    rollback.run()
    throw error
  }
}

const pool = Buffer.alloc(4096)
let used = pool.length

/** A UUID of version 7; random bytes are drawn many at a time. */
export const uuid = (now: number) => {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const random = pool.toString("hex", used, used + 16)
  used += 16
  const time = now.toString(16).padStart(12, "0")
  const variant = "89ab".charAt(Number.parseInt(random.charAt(3), 16) & 3)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-${variant}${random.slice(4, 7)}-${random.slice(8, 20)}`
}

export const isUuid = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

export const iso = (millis: number) => new Date(millis).toISOString()
