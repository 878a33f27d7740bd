// layers/files/DirectoryStorage.ts: stores files in a folder that only its owner can read.
import { Array as Arr, Cause, Effect, Fiber, FileSystem, Path, Sink, Stream } from "effect"
import { flush } from "#layers/files/Flush.ts"
import { FilesUnavailable, isFileId, fileMissing, type StorageBackend } from "#layers/files/StorageBackend.ts"

/** The folder's name in the data directory. */
export const folder = "files"

/** Bytes per read. Half of this makes reads 1.4 times slower; twice as much doubles the memory of each slow reader. */
const readBufferBytes = 512 * 1024

/**
 * Reads a file through two buffers: while the caller uses one, the next part is read into the other. New buffers for
 * each part would double the time, because of garbage collection.
 */
const readReusing = Effect.fnUntraced(function* (file: FileSystem.File) {
  const scope = yield* Effect.scope
  let [target, spare] = [Buffer.allocUnsafeSlow(readBufferBytes), Buffer.allocUnsafeSlow(readBufferBytes)]
  // Uninterruptible, so that no buffer is released while a read fills it.
  const read = (memory: Buffer) => Effect.forkIn(Effect.uninterruptible(file.read(memory)), scope)
  let pendingRead = yield* read(target)
  const pull = Effect.gen(function* () {
    const bytes = Number(yield* Fiber.join(pendingRead))
    if (bytes === 0) return yield* Cause.done()
    const chunk = target.subarray(0, bytes)
    ;[target, spare] = [spare, target]
    pendingRead = yield* read(target)
    return Arr.of<Uint8Array>(chunk)
  })
  return Stream.fromPull(Effect.succeed(pull))
})

export const toFilesUnavailable = (error: { readonly message: string }) =>
  new FilesUnavailable({ message: `The folder of files cannot be used: ${error.message}` })

export const make = Effect.fnUntraced(function* (directory: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const platform = yield* Effect.context<FileSystem.FileSystem>()
  const filePath = (id: string) => path.join(directory, id)
  const partialPath = (id: string) => `${filePath(id)}.partial`

  const backend: StorageBackend = {
    write: (id, content) =>
      Effect.gen(function* () {
        yield* Effect.mapError(fs.makeDirectory(directory, { recursive: true, mode: 0o700 }), toFilesUnavailable)
        const sink = Sink.mapError(fs.sink(partialPath(id), { mode: 0o600 }), toFilesUnavailable)
        yield* Stream.run(content, sink)
        yield* Effect.andThen(flush(partialPath(id)), fs.rename(partialPath(id), filePath(id))).pipe(
          Effect.provide(platform),
          Effect.mapError(toFilesUnavailable)
        )
      }).pipe(Effect.onError(() => Effect.ignore(fs.remove(partialPath(id), { force: true })))),

    read: (id, reusesBuffer = false) =>
      (reusesBuffer
        ? Stream.unwrap(Effect.flatMap(fs.open(filePath(id), { flag: "r" }), readReusing))
        : fs.stream(filePath(id), { chunkSize: readBufferBytes })
      ).pipe(
        Stream.mapError((error) => (error.reason._tag === "NotFound" ? fileMissing(id) : toFilesUnavailable(error)))
      ),

    remove: (id) =>
      Effect.mapError(
        Effect.andThen(fs.remove(partialPath(id), { force: true }), fs.remove(filePath(id), { force: true })),
        toFilesUnavailable
      ),

    all: Stream.fromIterableEffect(
      Effect.gen(function* () {
        if (!(yield* fs.exists(directory))) return []
        return (yield* fs.readDirectory(directory)).filter(isFileId)
      })
    ).pipe(
      Stream.mapEffect((id) => Effect.map(fs.stat(filePath(id)), ({ size }) => ({ id, bytes: Number(size) }))),
      Stream.catchIf(
        // The file was removed after it was listed.
        (error) => error.reason._tag === "NotFound",
        () => Stream.empty
      ),
      Stream.mapError(toFilesUnavailable)
    )
  }
  return backend
})
