// layers/operations/backup/Archive.ts: packs files into a tar file with their digests, and unpacks all of them or none.
import { Effect, FileSystem, Path, Ref, Schema, Stream } from "effect"
import { Tar } from "effect/encoding"
import { createHash } from "node:crypto"
import { flush } from "#layers/files/Flush.ts"

/** A file of the archive. */
export interface Member {
  readonly name: string
  readonly path: string
}

/** The archive was changed since it was written. */
class ArchiveDamaged extends Schema.TaggedError<ArchiveDamaged>()("Damaged", { message: Schema.String }) {}

const ownerOnly = 0o600

/** The last file of an archive, in the format of `sha256sum -c`. */
const checksumsName = "SHA256SUMS"

/** Passes the bytes through, and reports their digest at the end. */
const digestStream = <E, R>(bytes: Stream.Stream<Uint8Array, E, R>, onEnd: (digest: string) => Effect.Effect<void>) =>
  Stream.suspend(() => {
    const hash = createHash("sha256")
    return bytes.pipe(
      Stream.tap((chunk) => Effect.sync(() => void hash.update(chunk))),
      Stream.concat(Stream.fromEffectDrain(Effect.suspend(() => onEnd(hash.digest("hex")))))
    )
  })

/** Writes the members to `to`, readable by its owner only. Streams, so memory does not depend on the files' size. */
export const write = Effect.fnUntraced(function* (members: ReadonlyArray<Member>, targetPath: string) {
  const fs = yield* FileSystem.FileSystem
  const lines = yield* Ref.make("")
  const files = Stream.fromIterable(members).pipe(
    Stream.mapEffect(({ name, path }) =>
      Effect.map(fs.stat(path), ({ size }) =>
        Tar.fileStream(
          name,
          Number(size),
          digestStream(fs.stream(path), (digest) => Ref.update(lines, (text) => `${text}${digest}  ${name}\n`)),
          { mode: ownerOnly }
        )
      )
    )
  )
  const checksumsFile = Stream.fromEffect(
    Effect.map(Ref.get(lines), (text) => {
      const bytes = new TextEncoder().encode(text)
      return Tar.fileStream(checksumsName, bytes.length, Stream.make(bytes), { mode: ownerOnly })
    })
  )
  yield* files.pipe(
    // One at a time, so that all digests are known before the last file.
    Stream.rechunk(1),
    Stream.concat(checksumsFile),
    Stream.pipeThroughChannel(Tar.encode()),
    Stream.run(fs.sink(targetPath, { mode: ownerOnly }))
  )
  yield* flush(targetPath)
})

/** Unpacks the files with `allowed` names into `directory`. Fails if a digest differs. */
export const read = Effect.fnUntraced(function* (file: string, directory: string, allowed: (name: string) => boolean) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const digests = new Map<string, string>()
  let checksums: string | undefined
  yield* fs.stream(file).pipe(
    Stream.pipeThroughChannel(Tar.decode()),
    Stream.mapEffect(
      Effect.fnUntraced(function* ({ body, header }) {
        const name = header.path
        if (header.type === "File" && name === checksumsName) {
          checksums = yield* Stream.mkString(Stream.decodeText(body))
          return
        }
        // Accepts only the names that a backup writes, because an archive may contain any path.
        if (header.type !== "File" || !allowed(name)) return
        const targetPath = path.join(directory, name)
        yield* fs.makeDirectory(path.dirname(targetPath), { recursive: true, mode: 0o700 })
        const digestedBody = digestStream(body, (digest) => Effect.sync(() => void digests.set(name, digest)))
        yield* Stream.run(digestedBody, fs.sink(targetPath, { mode: ownerOnly }))
        yield* flush(targetPath)
      })
    ),
    Stream.runDrain
  )
  if (checksums === undefined)
    return yield* new ArchiveDamaged({ message: `${file} is no backup, or its end is missing` })
  const expectedDigests = checksums.split("\n").flatMap((line) => {
    const [, digest = "", name = ""] = /^([0-9a-f]{64}) {2}(.+)$/.exec(line) ?? []
    return name === "" ? [] : [[name, digest] as const]
  })
  const differing = expectedDigests.find(([name, digest]) => digests.get(name) !== digest)
  if (differing !== undefined || expectedDigests.length !== digests.size) {
    return yield* new ArchiveDamaged({
      message: `${file} is damaged: ${differing?.[0] ?? checksumsName} is not what was backed up`
    })
  }
  return expectedDigests.map(([name]): Member => ({ name, path: path.join(directory, name) }))
})
