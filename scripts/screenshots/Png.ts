// scripts/screenshots/Png.ts: pictures of pages in 256 colours, which is as good as they need and half the size.
import { crc32, deflateSync, inflateSync } from "node:zlib"

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

const chunk = (type: string, data: Uint8Array) => {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

const paeth = (a: number, b: number, c: number) => {
  const p = a + b - c
  const [pa, pb, pc] = [Math.abs(p - a), Math.abs(p - b), Math.abs(p - c)]
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c
}

/** The pixels of a PNG as Chromium writes it: 8 bits a channel, three or four channels, not interlaced. */
const decode = (png: Buffer) => {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
  const channels = png[25] === 6 ? 4 : 3
  const parts: Array<Buffer> = []
  for (let at = 8; at < png.length; at += png.readUInt32BE(at) + 12) {
    if (png.toString("latin1", at + 4, at + 8) === "IDAT")
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)))
  }
  const raw = inflateSync(Buffer.concat(parts))
  const stride = width * channels
  const pixels = new Uint8Array(stride * height)
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)] ?? 0
    for (let x = 0; x < stride; x++) {
      const at = y * stride + x
      const left = x < channels ? 0 : (pixels[at - channels] ?? 0)
      const up = pixels[at - stride] ?? 0
      const corner = x < channels ? 0 : (pixels[at - stride - channels] ?? 0)
      pixels[at] = (raw[at + y + 1] ?? 0) + ([0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0)
    }
  }
  return { width, height, channels, pixels }
}

const distance = (a: number, b: number) =>
  ((a >> 16) - (b >> 16)) ** 2 + (((a >> 8) & 255) - ((b >> 8) & 255)) ** 2 + ((a & 255) - (b & 255)) ** 2

export const small = (png: Buffer): Buffer => {
  const { channels, height, pixels, width } = decode(png)
  const colours = Uint32Array.from({ length: width * height }, (_, i) => {
    const at = i * channels
    return ((pixels[at] ?? 0) << 16) | ((pixels[at + 1] ?? 0) << 8) | (pixels[at + 2] ?? 0)
  })
  const counts = new Map<number, number>()
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1)
  const common = [...counts].toSorted((a, b) => b[1] - a[1]).map(([colour]) => colour)
  // The commonest as they are; each of the rest as the nearest of these.
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
