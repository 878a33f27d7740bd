// layers/files/FixedChunks.ts: regroups a byte stream into chunks of one size.
import { Stream } from "effect"

interface PendingBytes {
  readonly chunks: ReadonlyArray<Uint8Array>
  readonly bytes: number
  readonly isStarted: boolean
}
const noBytes: PendingBytes = { chunks: [], bytes: 0, isStarted: false }

/** Chunks of `size` bytes, and a last one with the rest. An empty stream gives one empty chunk. */
export const regroupChunks = <E>(content: Stream.Stream<Uint8Array, E>, size: number): Stream.Stream<Uint8Array, E> =>
  Stream.mapAccum(
    content,
    () => noBytes,
    ({ isStarted, bytes, chunks }, chunk) => {
      if (bytes + chunk.length < size) {
        return [{ chunks: [...chunks, chunk], bytes: bytes + chunk.length, isStarted }, []]
      }
      const bytesSoFar = Buffer.concat([...chunks, chunk])
      const count = Math.floor(bytesSoFar.length / size)
      const remainder = bytesSoFar.subarray(count * size)
      const pieces = Array.from({ length: count }, (_, i) => bytesSoFar.subarray(i * size, (i + 1) * size))
      return [{ chunks: [remainder], bytes: remainder.length, isStarted: true }, pieces]
    },
    { onHalt: ({ isStarted, bytes, chunks }) => (bytes > 0 || !isStarted ? [Buffer.concat(chunks)] : []) }
  )
