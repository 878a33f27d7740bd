// scripts/screenshots/Png.ts: reduces a screenshot to a palette of 256 colours, which halves its size.
import { PNG } from "pngjs"
import { crc32, deflateSync } from "node:zlib"

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

const chunk = (type: string, data: Uint8Array) => {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

const distance = (a: number, b: number) =>
  ((a >> 16) - (b >> 16)) ** 2 + (((a >> 8) & 255) - ((b >> 8) & 255)) ** 2 + ((a & 255) - (b & 255)) ** 2

/** The packer of pngjs writes no palettes, so the chunks are put together here. */
export const small = (png: Buffer): Buffer => {
  const { data, height, width } = PNG.sync.read(png)
  const colours = Uint32Array.from({ length: width * height }, (_, i) => data.readUInt32BE(i * 4) >>> 8)
  const counts = new Map<number, number>()
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1)
  const common = [...counts].toSorted((a, b) => b[1] - a[1]).map(([colour]) => colour)
  // The most common colours stay; each of the others becomes the nearest of them.
  const palette = common.slice(0, 256)
  const index = new Map(palette.map((colour, i) => [colour, i]))
  for (const colour of common.slice(256)) {
    let best = 0
    palette.forEach((each, i) => {
      if (distance(each, colour) < distance(palette[best] ?? 0, colour)) best = i
    })
    index.set(colour, best)
  }
  const rows = Buffer.alloc((width + 1) * height)
  colours.forEach((colour, i) => {
    rows[i + Math.floor(i / width) + 1] = index.get(colour) ?? 0
  })
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 3], 8)
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("PLTE", Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]))),
    chunk("IDAT", deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk("IEND", new Uint8Array())
  ])
}
