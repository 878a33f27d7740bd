// layers/files/DirectoryStorage.ts: stores files in a folder that only its owner can read.
import { Array as Arr, Cause, Effect, Fiber, FileSystem, Path, Sink, Stream } from "effect"
import { flush } from "#layers/files/Flush.ts"
import { FilesUnavailable, isFileId, fileMissing, type StorageBackend } from "#layers/files/StorageBackend.ts"

/** The folder's name in the data directory. */
export const folder = "files"

/** Half this size makes reads 1.4 times slower; twice as much doubles the memory of each slow reader. */
const readAtOnce = 512 * 1024

/**
 * Reads a file through two buffers: while the caller uses one, the next part is read into the other. New buffers for
 * each part would double the time, because of garbage collection.
 */
const readReusing = Effect.fnUntraced(function* (file: FileSystem.File) {
  const scope = yield* Effect.scope
  let [to, free] = [Buffer.allocUnsafeSlow(readAtOnce), Buffer.allocUnsafeSlow(readAtOnce)]
  // Uninterruptible, so that no buffer is released while a read fills it.
  const read = (memory: Buffer) => Effect.forkIn(Effect.uninterruptible(file.read(memory)), scope)
  let reading = yield* read(to)
  const pull = Effect.gen(function* () {
    const bytes = Number(yield* Fiber.join(reading))
    if (bytes === 0) return yield* Cause.done()
    const full = to.subarray(0, bytes)
    ;[to, free] = [free, to]
    reading = yield* read(to)
    return Arr.of<Uint8Array>(full)
  })
  return Stream.fromPull(Effect.succeed(pull))
})

export const unavailable = (error: { readonly message: string }) =>
  new FilesUnavailable({ message: `The folder of files cannot be used: ${error.message}` })

export const make = Effect.fnUntraced(function* (directory: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const platform = yield* Effect.context<FileSystem.FileSystem>()
  const pathOf = (id: string) => path.join(directory, id)
  const part = (id: string) => `${pathOf(id)}.partial`

  const backend: StorageBackend = {
    write: (id, content) =>
      Effect.gen(function* () {
        yield* Effect.mapError(fs.makeDirectory(directory, { recursive: true, mode: 0o700 }), unavailable)
        const sink = Sink.mapError(fs.sink(part(id), { mode: 0o600 }), unavailable)
        yield* Stream.run(content, sink)
        yield* Effect.andThen(flush(part(id)), fs.rename(part(id), pathOf(id))).pipe(
          Effect.provide(platform),
          Effect.mapError(unavailable)
        )
      }).pipe(Effect.onError(() => Effect.ignore(fs.remove(part(id), { force: true })))),

    read: (id, passing = false) =>
      (passing
        ? Stream.unwrap(Effect.flatMap(fs.open(pathOf(id), { flag: "r" }), readReusing))
        : fs.stream(pathOf(id), { chunkSize: readAtOnce })
      ).pipe(Stream.mapError((error) => (error.reason._tag === "NotFound" ? fileMissing(id) : unavailable(error)))),

    remove: (id) =>
      Effect.mapError(
        Effect.andThen(fs.remove(part(id), { force: true }), fs.remove(pathOf(id), { force: true })),
        unavailable
      ),

    all: Stream.fromIterableEffect(
      Effect.gen(function* () {
        if (!(yield* fs.exists(directory))) return []
        return (yield* fs.readDirectory(directory)).filter(isFileId)
      })
    ).pipe(
      Stream.mapEffect((id) => Effect.map(fs.stat(pathOf(id)), ({ size }) => ({ id, bytes: Number(size) }))),
      Stream.catchIf(
        // The file was removed after it was listed.
        (error) => error.reason._tag === "NotFound",
        () => Stream.empty
      ),
      Stream.mapError(unavailable)
    )
  }
  return backend
})
