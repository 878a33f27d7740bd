// layers/files/BucketStorage.ts: stores files as objects of an S3-compatible bucket.
import { Effect, Option, Redacted, Schedule, Stream } from "effect"
import { S3mini, S3ServiceError } from "s3mini"
import { FilesUnavailable, isFileId, fileMissing, type StorageBackend } from "#layers/files/StorageBackend.ts"
import { regroupChunks } from "#layers/files/FixedChunks.ts"

interface Bucket {
  /** The endpoint with the bucket as its path. */
  readonly endpoint: string
  readonly region: string
  /** Prefix of the object names: empty, or ending with a slash. */
  readonly prefix: string
  readonly keyId: string
  readonly secret: Redacted.Redacted
}

/** S3's parts have at least 5 MB, except the last. Writing a file takes twice this much memory. */
const pieceBytes = 8 * 1024 * 1024
const listPageSize = 1000

/** Timeout until the response begins. */
const timeoutMillis = 20_000
const retryPolicy = Schedule.exponential("100 millis")
const maxAttempts = 3

const type = "application/octet-stream"

/** A body that stalls is ended by Node's own timeout. */
const withTimeout: typeof fetch = async (input, init) => {
  const abort = new AbortController()
  const timer = setTimeout(() => abort.abort(new Error("It does not answer")), timeoutMillis)
  try {
    return await fetch(input, { ...init, signal: abort.signal })
  } finally {
    clearTimeout(timer)
  }
}

/** Only the message, because the body of a refusal repeats the signed request. */
const toFilesUnavailable = (thrown: unknown) =>
  new FilesUnavailable({
    message: `The bucket of files cannot be used: ${thrown instanceof Error ? thrown.message : "it failed"}`
  })

/** Server errors and rate limits are retried, refusals are not. */
const isTransient = (thrown: unknown) =>
  !(thrown instanceof S3ServiceError) || thrown.status >= 500 || thrown.status === 429

export const make = ({ endpoint, keyId, prefix, region, secret }: Bucket): StorageBackend => {
  const s3 = new S3mini({
    endpoint,
    region,
    accessKeyId: keyId,
    secretAccessKey: Redacted.value(secret),
    fetch: withTimeout
  })
  const objectName = (id: string) => `${prefix}${id}`

  // Uninterruptible: a write that is interrupted could still arrive after the file was removed.
  const callS3 = <A>(request: () => Promise<A>) =>
    Effect.tryPromise(request).pipe(
      Effect.uninterruptible,
      Effect.retry({ while: ({ cause }) => isTransient(cause), schedule: retryPolicy, times: maxAttempts - 1 }),
      Effect.mapError(({ cause }) => toFilesUnavailable(cause))
    )

  return {
    write: Effect.fnUntraced(function* (id, content) {
      const name = objectName(id)
      let pendingPiece: Uint8Array | undefined
      let uploadId: string | undefined
      const parts: Array<{ readonly partNumber: number; readonly etag: string }> = []
      const send = (multipartId: string, piece: Uint8Array) =>
        Effect.map(
          callS3(() => s3.uploadPart(name, multipartId, piece, parts.length + 1)),
          (part) => void parts.push(part)
        )
      // Keeps the latest piece until the next one arrives: a file of one piece is a single PUT, a longer one a multipart upload.
      yield* Stream.runForEach(regroupChunks(content, pieceBytes), (piece) =>
        Effect.gen(function* () {
          const previousPiece = pendingPiece
          pendingPiece = piece
          if (previousPiece === undefined) return
          uploadId ??= yield* callS3(() => s3.getMultipartUploadId(name, type))
          yield* send(uploadId, previousPiece)
        })
      ).pipe(
        Effect.andThen(
          Effect.gen(function* () {
            const lastPiece = pendingPiece ?? new Uint8Array()
            const multipartId = uploadId
            if (multipartId === undefined) return yield* callS3(() => s3.putObject(name, lastPiece, type))
            yield* send(multipartId, lastPiece)
            return yield* callS3(() => s3.completeMultipartUpload(name, multipartId, parts))
          })
        ),
        Effect.onError(() => {
          const multipartId = uploadId
          return multipartId === undefined
            ? Effect.void
            : Effect.ignore(callS3(() => s3.abortMultipartUpload(name, multipartId)))
        })
      )
    }),

    read: (id) =>
      Stream.unwrap(
        Effect.gen(function* () {
          const response = yield* callS3(() => s3.getObjectResponse(objectName(id)))
          if (response === null) return yield* fileMissing(id)
          const { body } = response
          if (body === null) return Stream.empty
          return Stream.fromReadableStream({ evaluate: () => body, onError: toFilesUnavailable })
        })
      ),

    remove: (id) => Effect.asVoid(callS3(() => s3.deleteObject(objectName(id)))),

    all: Stream.paginate("", (token) =>
      Effect.gen(function* () {
        const page = yield* callS3(() =>
          s3.listObjectsPaged("/", prefix, listPageSize, token === "" ? undefined : token)
        )
        if (!page) return yield* toFilesUnavailable(new Error("There is no such bucket"))
        const objects = (page.objects ?? []).map(({ Key, Size }) => ({
          id: Key.slice(prefix.length),
          bytes: Number(Size)
        }))
        const next = page.nextContinuationToken
        return [
          objects.filter(({ id }) => isFileId(id)),
          next === undefined ? Option.none() : Option.some(next)
        ] as const
      })
    )
  }
}
