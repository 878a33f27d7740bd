// src/http/Body.ts: the body of a request: read within its limit and its workspace's share of memory, checked before it is parsed, and
// decoded. A long list is decoded some entries at a time, so that it does not block other requests.
import { Context, Effect, Exit, identity, Predicate, Schema, SchemaIssue, Semaphore } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { BodyLimit, type Principal, type WorkspaceId } from "#schema/Auth.ts"
import { BadRequest } from "#schema/Errors.ts"
import type { JsonBody, LongList, RequestContext } from "#src/http/RequestContext.ts"
import { randomUUID } from "node:crypto"

const MiB = 1024 * 1024

/** Bodies of one workspace that are in memory at once, in bytes: two of the largest batches. Others wait. */
const maxWorkspaceBytes = 64 * MiB
/** Smaller bodies are read without waiting for memory. */
export const smallBodyBytes = 64 * 1024
/** Characters that are checked before other fibers run: about a millisecond. */
const charsPerStep = 256 * 1024

/** Whose room requests without a key share. */
const keyless = ""

/** The headers and the body of a request, as a transport gives them. */
export interface BodySource {
  /** Whether another request holds the memory of this body already: one that waited for more of it could wait for ever. */
  readonly isHeld?: boolean
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The whole body; fails if it is longer than `limit` bytes. */
  readonly bytes: (limit: number) => Effect.Effect<ArrayBuffer | Uint8Array, unknown>
}

/** The media type of a Content-Type header, without its parameters. */
export const mediaTypeOf = (contentType: string | undefined) => contentType?.split(";", 1)[0]?.trim().toLowerCase()

const refuse = (message: string) => Effect.fail(new BadRequest({ message }))

const decoder = new TextDecoder("utf-8", { fatal: true })

const decode = (bytes: ArrayBuffer | Uint8Array) => {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

/** Checks a text for a body of at most `limit` bytes, a piece at a time. */
const checked = (text: string, limit: number): Effect.Effect<JsonBody, BadRequest> => {
  const { isRead, long, readTo } = makeBodyScanner(text, limit)
  let until = charsPerStep
  const next: Effect.Effect<JsonBody, BadRequest> = Effect.suspend(() => {
    const refusal = readTo(until)
    if (refusal !== undefined) return refuse(refusal)
    if (isRead()) return Effect.succeed({ text, long })
    until += charsPerStep
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
 * For an endpoint: reads the body into `context`, then does the work while the body's share of memory is held. A multipart body
 * is left to the work, which reads it as a stream.
 */
export const makeBodyReader = (): ((endpoint: HttpApiEndpoint.Top) => Read) => {
  const semaphores = new Map<WorkspaceId | typeof keyless, Semaphore.Semaphore>()

  /** Holds so many bytes of the workspace's room. The socket is not read while this waits. */
  const withMemory =
    (bytes: number, principal: Principal | undefined) =>
    <A, E, R>(work: Effect.Effect<A, E, R>) => {
      if (bytes <= smallBodyBytes) return work
      const owner = principal?.workspace_id ?? keyless
      const room = semaphores.get(owner) ?? Semaphore.makeUnsafe(maxWorkspaceBytes / MiB)
      semaphores.set(owner, room)
      return room.withPermits(Math.min(Math.ceil(bytes / MiB), maxWorkspaceBytes / MiB))(work)
    }

  return (endpoint) => {
    const limit = Context.get(endpoint.annotations, BodyLimit)
    const takesBody = endpoint.payload.size > 0
    const takesFile = endpoint.payload.has("multipart/form-data")
    const takesKey = endpoint.headers !== undefined
    const tooLarge = `The body is too large; at most ${limit / MiB} MiB are taken`

    return (source, context, principal) => (work) => {
      const { headers } = source
      // The body of an endpoint that declares none counts for its Idempotency-Key alone.
      if (!takesBody && (!takesKey || headers["idempotency-key"] === undefined)) return work
      // A body without a length may become as large as any.
      const length = Number(headers["content-length"] ?? limit)
      if (length > limit) return refuse(tooLarge)
      const room = source.isHeld === true ? identity : withMemory(length, principal)
      const contentType = headers["content-type"]
      if (takesFile) {
        return mediaTypeOf(contentType) === "multipart/form-data" && /;\s*boundary=/i.test(contentType ?? "")
          ? room(work)
          : refuse("Send the document as multipart/form-data, in one part named file")
      }
      if (takesBody && mediaTypeOf(contentType) !== "application/json") {
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

/** A backslash in a JSON text. */
const escape = 0x5c
const quote = 0x22

/** The code unit of the escape at `at`; undefined unless it has the form \uXXXX. */
const unitAt = (json: string, at: number): number | undefined => {
  if (json.charCodeAt(at) !== escape || json.charCodeAt(at + 1) !== 0x75) return undefined
  const digits = json.slice(at + 2, at + 6)
  return /^[0-9a-fA-F]{4}$/.test(digits) ? Number.parseInt(digits, 16) : undefined
}

const unstorable = "A string of the body holds NUL or an unpaired surrogate"

/** Of bodies up to `limit` bytes: the entries that one list may have, and the values that all of it may hold. */
const bounds = (limit: number) => ({ entries: Math.floor(limit / 320), values: Math.floor(limit / 8) })

/** Fields of an object within an entry or a field of the body: where that is a record, all of them are decoded at once. */
const maxFields = 10_000
/** Objects further out are no records, and their unknown fields are ignored, however many there are. */
const recordDepth = 3

/** Entries that are parsed and decoded before other fibers run. */
export const pieceSize = 200

/**
 * Checks a text of well-formed UTF-16 before it is parsed, a part at a time, and returns the reason to refuse it, if any. A
 * short text can hold so many values that decoding and reporting each of them would block all other requests.
 */
export const makeBodyScanner = (json: string, limit: number) => {
  const limits = bounds(limit)
  const tooMany = `The body holds too many values: at most ${limits.values} are taken, and ${limits.entries} in one list`
  const entries: Array<number> = [0]
  const fields: Array<number> = [0]
  const long: Array<LongList> = []
  let cuts: Array<number> = []
  let start = 0
  let depth = 0
  let values = 0
  let inString = false
  let read = 0

  /** Checks up to `until`, or to the first fault. */
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
        if (++values > limits.values) return tooMany
      } else if (code === 0x5d || code === 0x7d) {
        if (depth === 2 && cuts.length > 0) long.push({ start, cuts, end: i })
        depth--
      } else if (code === 0x2c) {
        const count = (entries[depth] ?? 0) + 1
        entries[depth] = count
        if (count === -Infinity && depth >= recordDepth) {
          const fieldCount = (fields[depth] ?? 0) + 1
          fields[depth] = fieldCount
          if (fieldCount >= maxFields)
            return `An object of the body has too many fields: at most ${maxFields} are taken`
        }
        if (depth === 2 && count > 0 && count % pieceSize === 0) cuts.push(i)
        if (++values > limits.values || count >= limits.entries) return tooMany
      }
    }
    read = i
    return undefined
  }
  return { readTo, isRead: () => read >= json.length, long: long as ReadonlyArray<LongList> }
}

/** The contract's schemas need no services for decoding or encoding. */
export const asPlain = (schema: Schema.Top) => schema as unknown as Schema.Codec<unknown, unknown>

/** The error for a body that is not JSON. */
export const notJson = new Schema.SchemaError(new SchemaIssue.InvalidValue({ message: "Expected a valid JSON body" }))

export const parsed = (text: string): Exit.Exit<unknown, Schema.SchemaError> => {
  try {
    return Exit.succeed(JSON.parse(text))
  } catch {
    return Exit.fail(notJson)
  }
}

/** Parses the list entries between two positions of a text. Fails if there are none. */
export const entriesOf = Effect.fnUntraced(function* (text: string, from: number, to: number) {
  const entries = yield* parsed(`[${text.slice(from, to)}]`)
  // An empty piece between two commas, or between a comma and the end, is not valid JSON.
  if (!Array.isArray(entries) || entries.length === 0) return yield* notJson
  return entries as ReadonlyArray<unknown>
})

export const spansOf = ({ cuts, end, start }: LongList) =>
  [...cuts, end].map((to, index, all) => ({ from: index === 0 ? start : (all[index - 1] ?? 0) + 1, to }))

/**
 * The document with its long lists emptied, and these lists; undefined for a list that a later field of the same name
 * replaces.
 */
const frameOf = Effect.fnUntraced(function* (text: string, long: ReadonlyArray<LongList>) {
  // Replaces each list by a UUID, which no body can contain by chance.
  const placeholders = long.map(() => randomUUID())
  let rest = ""
  let after = 0
  for (const [index, { end, start }] of long.entries()) {
    rest += `${text.slice(after, start)}"${placeholders[index]}"`
    after = end
  }
  const body = text === "" ? undefined : yield* parsed(rest + text.slice(after))
  const lists: ReadonlyArray<Array<unknown>> =
    typeof body === "object" && body !== null ? Object.values(body).filter(Array.isArray) : []
  const found = placeholders.map((mark) => lists.find(([first]) => first === mark))
  for (const list of found) if (list !== undefined) list.length = 0
  return { body, lists: found }
})

/** Parses a text with known long lists, in pieces. */
export const parse = Effect.fnUntraced(function* ({ long, text }: JsonBody) {
  const { body, lists } = yield* frameOf(text, long)
  for (const [index, one] of long.entries()) {
    for (const { from, to } of spansOf(one)) {
      const entries = yield* entriesOf(text, from, to)
      lists[index]?.push(...entries)
      yield* Effect.yieldNow
    }
  }
  return body
})

const within = (path: ReadonlyArray<PropertyKey>) => (error: Schema.SchemaError) =>
  new Schema.SchemaError(new SchemaIssue.Pointer(path, error.issue))

/** A body with one long list. */
interface ListBody<E, A> {
  /** The name of the list's field. */
  readonly list: string
  readonly entry: Schema.Codec<E, unknown>
  /**
   * The part of an entry that `whole` checks. Should be shared between equal entries, because all are kept in memory.
   */
  readonly digest: (entry: E) => unknown
  /** The schema of the body with digests as list entries. */
  readonly whole: Schema.Codec<A, unknown>
}

/**
 * Decodes a body in pieces, and reports the same first error as decoding it as a whole. Entries of a long list are
 * validated first and decoded again when they are read: keeping all of them would fill the memory, and collecting that
 * garbage would block other requests.
 */
export const decodeLong = <E, A>({ digest, entry, list, whole }: ListBody<E, A>) => {
  const decodeEntry = Schema.decodeUnknownEffect(entry)
  const decodeWhole = Schema.decodeUnknownEffect(whole)
  const decodeEntries = Schema.decodeUnknownSync(Schema.Array(entry))

  return Effect.fnUntraced(function* ({ long, text }: JsonBody) {
    const { body, lists } = yield* frameOf(text, long)
    const fields = Predicate.hasProperty(body, list) ? body : undefined
    const value = fields?.[list]
    const digests: Array<unknown> = []
    const check = Effect.fnUntraced(function* (entries: ReadonlyArray<unknown>) {
      for (const one of entries) {
        digests.push(digest(yield* Effect.mapErrorEager(decodeEntry(one), within([list, digests.length]))))
      }
    })

    // Parses the other lists too, because the body must be valid JSON before its values are validated.
    const spans = long.flatMap((one, index) =>
      spansOf(one).map((span) => ({ ...span, isOfList: lists[index] !== undefined && lists[index] === value }))
    )
    let firstError: Schema.SchemaError | undefined
    for (const span of spans) {
      const entries = yield* entriesOf(text, span.from, span.to)
      if (span.isOfList && firstError === undefined) {
        firstError = yield* Effect.match(check(entries), { onFailure: (error) => error, onSuccess: () => undefined })
      }
      yield* Effect.yieldNow
    }
    if (firstError !== undefined) return yield* firstError

    if (!Array.isArray(value)) {
      const none: Iterable<ReadonlyArray<E>> = []
      return { rest: yield* decodeWhole(body), entries: none, count: 0 }
    }
    const listSpans = spans.filter((span) => span.isOfList)
    const isShort = listSpans.length === 0
    if (isShort) yield* check(value)
    const rest = yield* decodeWhole({ ...fields, [list]: digests })
    const entries: Iterable<ReadonlyArray<E>> = isShort
      ? [decodeEntries(value)]
      : {
          *[Symbol.iterator]() {
            for (const { from, to } of listSpans) yield decodeEntries(JSON.parse(`[${text.slice(from, to)}]`))
          }
        }
    return { rest, entries, count: digests.length }
  })
}
