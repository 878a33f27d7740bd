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
  readonly packedSize: number
  readonly size: number
  readonly offset: number
}

const damagedFile = new Unreadable("The file is damaged: it is not a complete Office document")
const zipBomb = new Unreadable("The file inflates to far more than a document would, and is not read")

/** The entries of the directory at the end. Its sizes are not trusted; inflating checks them again. */
const readDirectory = (file: Buffer): ReadonlyArray<Entry> => {
  const directoryEnd = file.lastIndexOf("PK\u0005\u0006", undefined, "latin1")
  if (directoryEnd < 0 || directoryEnd + 22 > file.length) throw damagedFile
  const count = file.readUInt16LE(directoryEnd + 10)
  if (count > maxEntries) throw new Unreadable(`The file holds more than ${maxEntries} parts, and is not read`)
  let offset = file.readUInt32LE(directoryEnd + 16)
  let total = 0
  const entries: Array<Entry> = []
  for (let i = 0; i < count; i++) {
    if (offset + 46 > file.length || file.readUInt32LE(offset) !== 0x02014b50) throw damagedFile
    const nameLength = file.readUInt16LE(offset + 28)
    const size = file.readUInt32LE(offset + 24)
    total += size
    if (total > maxInflated) throw zipBomb
    entries.push({
      name: file.toString("utf8", offset + 46, offset + 46 + nameLength),
      flags: file.readUInt16LE(offset + 8),
      method: file.readUInt16LE(offset + 10),
      packedSize: file.readUInt32LE(offset + 20),
      size,
      offset: file.readUInt32LE(offset + 42)
    })
    offset += 46 + nameLength + file.readUInt16LE(offset + 30) + file.readUInt16LE(offset + 32)
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
  if (entry.offset + 30 > file.length || file.readUInt32LE(entry.offset) !== 0x04034b50) throw damagedFile
  const contentStart = entry.offset + 30 + file.readUInt16LE(entry.offset + 26) + file.readUInt16LE(entry.offset + 28)
  if (contentStart + entry.packedSize > file.length) throw damagedFile
  const packed = file.subarray(contentStart, contentStart + entry.packedSize)
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
export const readParts = (archive: Uint8Array, isWanted: (name: string) => boolean): ReadonlyMap<string, Buffer> => {
  const file = asBuffer(archive)
  const parts = new Map<string, Buffer>()
  let total = 0
  for (const entry of readDirectory(file)) {
    if (!isWanted(entry.name) || parts.has(entry.name)) continue
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
  const output = asBuffer(archive)
  // Writes the version, both sizes and the length of the name. The checksum stays 0, because no reader here checks it.
  const describe = (offset: number, { content, title }: (typeof entries)[number]) => {
    output.writeUInt16LE(20, offset)
    output.writeUInt32LE(content.length, offset + 14)
    output.writeUInt32LE(content.length, offset + 18)
    output.writeUInt16LE(title.length, offset + 22)
  }
  let offset = 0
  const headerOffsets = entries.map((entry) => {
    const start = offset
    output.write("PK\u0003\u0004", offset, "latin1")
    describe(offset + 4, entry)
    entry.title.copy(output, offset + 30)
    entry.content.copy(output, offset + 30 + entry.title.length)
    offset += 30 + entry.title.length + entry.content.length
    return start
  })
  const directoryOffset = offset
  for (const [i, entry] of entries.entries()) {
    output.write("PK\u0001\u0002\u0014\u0000", offset, "latin1")
    describe(offset + 6, entry)
    output.writeUInt32LE(headerOffsets[i] ?? 0, offset + 42)
    entry.title.copy(output, offset + 46)
    offset += 46 + entry.title.length
  }
  output.write("PK\u0005\u0006", offset, "latin1")
  output.writeUInt16LE(entries.length, offset + 8)
  output.writeUInt16LE(entries.length, offset + 10)
  output.writeUInt32LE(offset - directoryOffset, offset + 12)
  output.writeUInt32LE(directoryOffset, offset + 16)
  return archive
}
