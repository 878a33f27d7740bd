// layers/web/ResponseBody.ts: reads the body of a page, decompresses it and decodes its text.
import type { Readable } from "node:stream"
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib"
import * as Windows1252 from "#schema/lead-files/Windows1252.ts"
import { Unfetchable } from "#layers/web/Unfetchable.ts"

const maxBytes = 2 * 1024 * 1024

const decoders: { readonly [encoding: string]: (() => NodeJS.ReadWriteStream & Readable) | undefined } = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress
}
export const isKnownEncoding = (encoding: string) =>
  encoding === "" || encoding === "identity" || Object.hasOwn(decoders, encoding)

/** The decompressed body. Counts the decompressed bytes as they arrive, to stop compression bombs. */
export const read = async (body: Readable, encoding: string): Promise<Buffer> => {
  const decoder = decoders[encoding]?.()
  if (decoder !== undefined) body.on("error", (error) => decoder.destroy(error)).pipe(decoder)
  const source = decoder ?? body
  const chunks: Array<Buffer> = []
  let size = 0
  try {
    for await (const chunk of source) {
      size += chunk.length
      if (size > maxBytes) throw new Unfetchable({ message: "The page is larger than 2 MB" })
      chunks.push(chunk)
    }
  } finally {
    body.destroy()
    decoder?.destroy()
  }
  return Buffer.concat(chunks)
}

/** The text in its declared encoding, else in the most likely one. */
export const decode = (bytes: Buffer, type: string): string => {
  const head = bytes.subarray(0, 1024).toString("latin1")
  const declared = /charset=["']?([\w-]+)/i.exec(type)?.[1] ?? /<meta[^>]{1,200}charset=["']?([\w-]+)/i.exec(head)?.[1]
  try {
    const decoder = new TextDecoder(declared ?? "utf-8", { fatal: declared === undefined })
    return decoder.encoding === "windows-1252" ? Windows1252.decode(bytes) : decoder.decode(bytes)
  } catch {
    // Old pages without a declaration are usually Windows-1252; an unknown encoding name most likely means UTF-8.
    return declared === undefined ? Windows1252.decode(bytes) : new TextDecoder().decode(bytes)
  }
}
