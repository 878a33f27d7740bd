// src/http/body/Read.ts: reads the body of a request, within the endpoint's limit and the workspace's share of memory.
// Refuses JSON that is too deep, has too many values or cannot be stored, before it is parsed.
import { Context, Effect, identity, Semaphore } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { BodyLimit, type Principal, type WorkspaceId } from "#schema/Auth.ts"
import { BadRequest } from "#schema/Errors.ts"
import type { JsonBody, Long, RequestContext } from "#src/http/RequestContext.ts"

const MiB = 1024 * 1024

/** Bytes of bodies in memory per workspace: two of the largest batches. Further requests wait. */
const roomBytes = 64 * MiB
/** Bodies below this size, in bytes, are read without waiting. */
export const small = 64 * 1024
/** Characters checked before other fibers run; takes about a millisecond. */
const atOnce = 256 * 1024

/** The share of memory for requests without a key. */
const keyless = ""

/** A request of a transport, with the body unread. */
export interface BodySource {
  /** Whether an outer request already holds memory for this body; waiting for more could then deadlock. */
  readonly isHeld?: boolean
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The whole body; fails if it is longer than `limit` bytes. */
  readonly bytes: (limit: number) => Effect.Effect<ArrayBuffer | Uint8Array, unknown>
}

/** The media type of a Content-Type header, without its parameters. */
export const typeOf = (contentType: string | undefined) => contentType?.split(";", 1)[0]?.trim().toLowerCase()

const refuse = (message: string) => Effect.fail(new BadRequest({ message }))

const decoder = new TextDecoder("utf-8", { fatal: true })

const decode = (bytes: ArrayBuffer | Uint8Array) => {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

/** Checks a text in pieces, for a body of at most `limit` bytes. */
const checked = (text: string, limit: number): Effect.Effect<JsonBody, BadRequest> => {
  const { isRead, long, readTo } = shapeOf(text, limit)
  let until = atOnce
  const next: Effect.Effect<JsonBody, BadRequest> = Effect.suspend(() => {
    const refusal = readTo(until)
    if (refusal !== undefined) return refuse(refusal)
    if (isRead()) return Effect.succeed({ text, long })
    until += atOnce
    return Effect.andThen(Effect.yieldNow, next)
  })
  return next
}

type Read = (
  source: BodySource,
  context: RequestContext,
  principal: Principal | undefined
) => <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E | BadRequest, R>

/**
 * For an endpoint: reads the body into `context` and runs the work while holding the body's share of memory. Leaves a
 * multipart body to the work, which streams it.
 */
export const make = (): ((endpoint: HttpApiEndpoint.Top) => Read) => {
  const rooms = new Map<WorkspaceId | typeof keyless, Semaphore.Semaphore>()

  /** Holds `bytes` of the workspace's share. The socket is not read while this waits. */
  const inRoom =
    (bytes: number, principal: Principal | undefined) =>
    <A, E, R>(work: Effect.Effect<A, E, R>) => {
      if (bytes <= small) return work
      const owner = principal?.workspace_id ?? keyless
      const room = rooms.get(owner) ?? Semaphore.makeUnsafe(roomBytes / MiB)
      rooms.set(owner, room)
      return room.withPermits(Math.min(Math.ceil(bytes / MiB), roomBytes / MiB))(work)
    }

  return (endpoint) => {
    const limit = Context.get(endpoint.annotations, BodyLimit)
    const takesBody = endpoint.payload.size > 0
    const takesFile = endpoint.payload.has("multipart/form-data")
    const takesKey = endpoint.headers !== undefined
    const tooLarge = `The body is too large; at most ${limit / MiB} MiB are taken`

    return (source, context, principal) => (work) => {
      const { headers } = source
      // The body of an endpoint that declares none is needed only for its Idempotency-Key.
      if (!takesBody && (!takesKey || headers["idempotency-key"] === undefined)) return work
      // Without Content-Length, assumes the largest body.
      const length = Number(headers["content-length"] ?? limit)
      if (length > limit) return refuse(tooLarge)
      const room = source.isHeld === true ? identity : inRoom(length, principal)
      const contentType = headers["content-type"]
      if (takesFile) {
        return typeOf(contentType) === "multipart/form-data" && /;\s*boundary=/i.test(contentType ?? "")
          ? room(work)
          : refuse("Send the document as multipart/form-data, in one part named file")
      }
      if (takesBody && typeOf(contentType) !== "application/json") {
        return refuse("Send the body as JSON, with Content-Type: application/json")
      }
      const read = Effect.matchEffect(source.bytes(limit), {
        onFailure: () => refuse(tooLarge),
        onSuccess: (bytes): Effect.Effect<void, BadRequest> => {
          if (!takesBody) {
            context.bytes = new Uint8Array(bytes)
            return Effect.void
          }
          const text = decode(bytes)
          if (text === undefined) return refuse("The body is not valid UTF-8")
          return Effect.map(checked(text, limit), (json) => {
            context.json = json
          })
        }
      })
      return room(Effect.andThen(read, work))
    }
  }
}

const maxDepth = 64

/** The character code of a backslash. */
const escape = 0x5c
const quote = 0x22

/** The code unit of an escape \uXXXX at `at`; undefined for other escapes. */
const unitAt = (json: string, at: number): number | undefined => {
  if (json.charCodeAt(at) !== escape || json.charCodeAt(at + 1) !== 0x75) return undefined
  const digits = json.slice(at + 2, at + 6)
  return /^[0-9a-fA-F]{4}$/.test(digits) ? Number.parseInt(digits, 16) : undefined
}

const unstorable = "A string of the body holds NUL or an unpaired surrogate"

/** For bodies of at most `limit` bytes: the maximum entries per list, and values in total. */
const bounds = (limit: number) => ({ entries: Math.floor(limit / 320), values: Math.floor(limit / 8) })

/** Maximum fields of an object near the top of a body, where records are decoded as a whole. */
const mostFields = 10_000
/** Deeper objects are not records, so their unknown fields are ignored. */
const recordDepth = 3

/** Entries parsed and decoded before other fibers run. */
export const pieceSize = 200

/**
 * Checks a well-formed UTF-16 text in pieces before it is parsed, and returns the reason to refuse it, if any. A short
 * text can have so many values that decoding and reporting them would block all other requests.
 */
export const shapeOf = (json: string, limit: number) => {
  const most = bounds(limit)
  const tooMany = `The body holds too many values: at most ${most.values} are taken, and ${most.entries} in one list`
  const entries: Array<number> = [0]
  const fields: Array<number> = [0]
  const long: Array<Long> = []
  let cuts: Array<number> = []
  let start = 0
  let depth = 0
  let values = 0
  let inString = false
  let read = 0

  /** Checks up to `until` or to the first problem. */
  const readTo = (until: number): string | undefined => {
    const end = Math.min(until, json.length)
    let i = read
    for (; i < end; i++) {
      const code = json.charCodeAt(i)
      if (inString) {
        if (code === quote) inString = false
        if (code !== escape) continue
        const unit = unitAt(json, i)
        if (unit === undefined) i++
        else if (unit === 0 || (unit >= 0xdc00 && unit <= 0xdfff)) return unstorable
        else if (unit >= 0xd800 && unit <= 0xdbff) {
          const next = unitAt(json, i + 6) ?? 0
          if (next < 0xdc00 || next > 0xdfff) return unstorable
          i += 11
        } else i += 5
      } else if (code === quote) inString = true
      else if (code === 0x5b || code === 0x7b) {
        if (++depth > maxDepth) return `The body is nested deeper than ${maxDepth} levels`
        entries[depth] = code === 0x5b ? 0 : -Infinity
        fields[depth] = 0
        if (depth === 2) {
          start = i + 1
          cuts = []
        }
        if (++values > most.values) return tooMany
      } else if (code === 0x5d || code === 0x7d) {
        if (depth === 2 && cuts.length > 0) long.push({ start, cuts, end: i })
        depth--
      } else if (code === 0x2c) {
        const count = (entries[depth] ?? 0) + 1
        entries[depth] = count
        if (count === -Infinity && depth >= recordDepth) {
          const more = (fields[depth] ?? 0) + 1
          fields[depth] = more
          if (more >= mostFields) return `An object of the body has too many fields: at most ${mostFields} are taken`
        }
        if (depth === 2 && count > 0 && count % pieceSize === 0) cuts.push(i)
        if (++values > most.values || count >= most.entries) return tooMany
      }
    }
    read = i
    return undefined
  }
  return { readTo, isRead: () => read >= json.length, long: long as ReadonlyArray<Long> }
}
