// layers/lib/Zip.ts: reads files of a ZIP, within limits on their inflated size, and makes uncompressed ZIPs.
import { inflateRawSync } from "node:zlib"
import { Unreadable } from "#layers/lib/Unreadable.ts"

const maxEntries = 1000
const maxInflated = 100 * 1024 * 1024
const maxRatio = 100
/** Below this size a high ratio is harmless: short files can have long runs. */
const minCheckedSize = 1024 * 1024

interface Entry {
  readonly name: string
  readonly flags: number
  readonly method: number
  readonly packed: number
  readonly size: number
  readonly at: number
}

const damagedFile = new Unreadable("The file is damaged: it is not a complete Office document")
const zipBomb = new Unreadable("The file inflates to far more than a document would, and is not read")

/** The entries of the directory at the end. Its sizes are not trusted; inflating checks them again. */
const readDirectory = (file: Buffer): ReadonlyArray<Entry> => {
  const end = file.lastIndexOf("PK\u0005\u0006", undefined, "latin1")
  if (end < 0 || end + 22 > file.length) throw damagedFile
  const count = file.readUInt16LE(end + 10)
  if (count > maxEntries) throw new Unreadable(`The file holds more than ${maxEntries} parts, and is not read`)
  let at = file.readUInt32LE(end + 16)
  let total = 0
  const entries: Array<Entry> = []
  for (let i = 0; i < count; i++) {
    if (at + 46 > file.length || file.readUInt32LE(at) !== 0x02014b50) throw damagedFile
    const nameLength = file.readUInt16LE(at + 28)
    const size = file.readUInt32LE(at + 24)
    total += size
    if (total > maxInflated) throw zipBomb
    entries.push({
      name: file.toString("utf8", at + 46, at + 46 + nameLength),
      flags: file.readUInt16LE(at + 8),
      method: file.readUInt16LE(at + 10),
      packed: file.readUInt32LE(at + 20),
      size,
      at: file.readUInt32LE(at + 42)
    })
    at += 46 + nameLength + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32)
  }
  return entries
}

const inflate = (packed: Buffer): Buffer => {
  try {
    return inflateRawSync(packed, {
      maxOutputLength: Math.min(maxInflated, Math.max(minCheckedSize, packed.length * maxRatio))
    })
  } catch (error) {
    throw error instanceof RangeError ? zipBomb : damagedFile
  }
}

const asBuffer = (archive: Uint8Array) => Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength)

const readEntry = (file: Buffer, entry: Entry): Buffer => {
  if ((entry.flags & 1) !== 0) throw new Unreadable("The file is protected with a password")
  if (entry.at + 30 > file.length || file.readUInt32LE(entry.at) !== 0x04034b50) throw damagedFile
  const from = entry.at + 30 + file.readUInt16LE(entry.at + 26) + file.readUInt16LE(entry.at + 28)
  if (from + entry.packed > file.length) throw damagedFile
  const packed = file.subarray(from, from + entry.packed)
  if (entry.method === 0) return packed
  if (entry.method === 8) return inflate(packed)
  throw damagedFile
}

/** The part with this name, if the archive has one. */
export const readPart = (archive: Uint8Array, name: string): Buffer | undefined => {
  const file = asBuffer(archive)
  const entry = readDirectory(file).find((each) => each.name === name)
  return entry && readEntry(file, entry)
}

/** The wanted parts by name. Their sizes are counted as they inflate, whatever the directory says. */
export const readParts = (archive: Uint8Array, wanted: (name: string) => boolean): ReadonlyMap<string, Buffer> => {
  const file = asBuffer(archive)
  const parts = new Map<string, Buffer>()
  let total = 0
  for (const entry of readDirectory(file)) {
    if (!wanted(entry.name) || parts.has(entry.name)) continue
    const content = readEntry(file, entry)
    total += content.length
    if (total > maxInflated) throw zipBomb
    parts.set(entry.name, content)
  }
  return parts
}

/** An archive of these parts, uncompressed. It can be large, so it is written into one buffer. */
export const storeParts = (parts: ReadonlyMap<string, Buffer>): Uint8Array<ArrayBuffer> => {
  const entries = Array.from(parts, ([name, content]) => ({ title: Buffer.from(name), content }))
  const size = entries.reduce((sum, { content, title }) => sum + 76 + 2 * title.length + content.length, 22)
  const archive = new Uint8Array(size)
  const out = asBuffer(archive)
  // The version, flags, method, time, date, checksum, which readers here do not compare, both sizes, and the name's length.
  const describe = (at: number, { content, title }: (typeof entries)[number]) => {
    out.writeUInt16LE(20, at)
    out.writeUInt32LE(content.length, at + 14)
    out.writeUInt32LE(content.length, at + 18)
    out.writeUInt16LE(title.length, at + 22)
  }
  let at = 0
  const records = entries.map((entry) => {
    const start = at
    out.write("PK\u0003\u0004", at, "latin1")
    describe(at + 4, entry)
    entry.title.copy(out, at + 30)
    entry.content.copy(out, at + 30 + entry.title.length)
    at += 30 + entry.title.length + entry.content.length
    return start
  })
  const from = at
  for (const [i, entry] of entries.entries()) {
    out.write("PK\u0001\u0002\u0014\u0000", at, "latin1")
    describe(at + 6, entry)
    out.writeUInt32LE(records[i] ?? 0, at + 42)
    entry.title.copy(out, at + 46)
    at += 46 + entry.title.length
  }
  out.write("PK\u0005\u0006", at, "latin1")
  out.writeUInt16LE(entries.length, at + 8)
  out.writeUInt16LE(entries.length, at + 10)
  out.writeUInt32LE(at - from, at + 12)
  out.writeUInt32LE(from, at + 16)
  return archive
}
