// src/http/Body.ts: reads the body of a request within its size limit and its workspace's share of memory, checks it
// before it is parsed, and decodes it. A long list is decoded in pieces, so that it does not block other requests.
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

/** The owner of the memory that requests without an API key share. */
const withoutKey = ""

/** The headers and the body of a request, as a transport gives them. */
export interface BodySource {
  /** Whether an outer request already holds memory for this body. Waiting for more could then wait forever. */
  readonly memoryIsReserved?: boolean
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

/** Checks the text of a body of at most `limit` bytes in pieces. */
const checkText = (text: string, limit: number): Effect.Effect<JsonBody, BadRequest> => {
  const { isScanned, longLists, scanTo } = makeBodyScanner(text, limit)
  let end = charsPerStep
  const checkNext: Effect.Effect<JsonBody, BadRequest> = Effect.suspend(() => {
    const refusal = scanTo(end)
    if (refusal !== undefined) return refuse(refusal)
    if (isScanned()) return Effect.succeed({ text, longLists })
    end += charsPerStep
    return Effect.andThen(Effect.yieldNow, checkNext)
  })
  return checkNext
}

type ReadBody = (
  source: BodySource,
  context: RequestContext,
  principal: Principal | undefined
) => <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E | BadRequest, R>

/**
 * Makes the function that reads the bodies of an endpoint into `context`, and then does the work while the body's memory
 * is held. A multipart body is not read here, because the work reads it as a stream.
 */
export const makeBodyReader = (): ((endpoint: HttpApiEndpoint.Top) => ReadBody) => {
  const semaphores = new Map<WorkspaceId | typeof withoutKey, Semaphore.Semaphore>()

  /** Does the work while it holds so many bytes of the workspace's memory. The socket is not read while this waits. */
  const withMemory =
    (bytes: number, principal: Principal | undefined) =>
    <A, E, R>(work: Effect.Effect<A, E, R>) => {
      if (bytes <= smallBodyBytes) return work
      const owner = principal?.workspace_id ?? withoutKey
      const memory = semaphores.get(owner) ?? Semaphore.makeUnsafe(maxWorkspaceBytes / MiB)
      semaphores.set(owner, memory)
      return memory.withPermits(Math.min(Math.ceil(bytes / MiB), maxWorkspaceBytes / MiB))(work)
    }

  return (endpoint) => {
    const limit = Context.get(endpoint.annotations, BodyLimit)
    const takesBody = endpoint.payload.size > 0
    const takesFile = endpoint.payload.has("multipart/form-data")
    const takesKey = endpoint.headers !== undefined
    const tooLarge = `The body is too large; at most ${limit / MiB} MiB are taken`

    return (source, context, principal) => (work) => {
      const { headers } = source
      // If an endpoint declares no body, the body is only read to compare requests with the same Idempotency-Key.
      if (!takesBody && (!takesKey || headers["idempotency-key"] === undefined)) return work
      // A body without a length may be as large as the limit.
      const length = Number(headers["content-length"] ?? limit)
      if (length > limit) return refuse(tooLarge)
      const withBodyMemory = source.memoryIsReserved === true ? identity : withMemory(length, principal)
      const contentType = headers["content-type"]
      if (takesFile) {
        return mediaTypeOf(contentType) === "multipart/form-data" && /;\s*boundary=/i.test(contentType ?? "")
          ? withBodyMemory(work)
          : refuse("Send the document as multipart/form-data, in one part named file")
      }
      if (takesBody && mediaTypeOf(contentType) !== "application/json") {
        return refuse("Send the body as JSON, with Content-Type: application/json")
      }
      const readBody = Effect.matchEffect(source.bytes(limit), {
        onFailure: () => refuse(tooLarge),
        onSuccess: (bytes): Effect.Effect<void, BadRequest> => {
          if (!takesBody) {
            context.bytes = new Uint8Array(bytes)
            return Effect.void
          }
          const text = decode(bytes)
          if (text === undefined) return refuse("The body is not valid UTF-8")
          return Effect.map(checkText(text, limit), (json) => {
            context.json = json
          })
        }
      })
      return withBodyMemory(Effect.andThen(readBody, work))
    }
  }
}

const maxDepth = 64

/** A backslash in a JSON text. */
const escape = 0x5c
const quote = 0x22

/** The code unit of the escape at `position`; undefined unless it is `\u` and four hexadecimal digits. */
const escapedUnitAt = (json: string, position: number): number | undefined => {
  if (json.charCodeAt(position) !== escape || json.charCodeAt(position + 1) !== 0x75) return undefined
  const digits = json.slice(position + 2, position + 6)
  return /^[0-9a-fA-F]{4}$/.test(digits) ? Number.parseInt(digits, 16) : undefined
}

const unstorable = "A string of the body holds NUL or an unpaired surrogate"

/** For bodies of up to `limit` bytes: the most entries of one list, and the most values of the whole body. */
const limitsOf = (limit: number) => ({ entries: Math.floor(limit / 320), values: Math.floor(limit / 8) })

/** Fields of one nested object, which may be a record, whose fields are all decoded at once. */
const maxFields = 10_000
/** The depth from which objects may be records. Unknown fields of outer objects are ignored, so they need no limit. */
const recordDepth = 3

/** Entries that are parsed and decoded before other fibers run. */
export const pieceSize = 200

/**
 * Checks a text of well-formed UTF-16 in pieces before it is parsed. `scanTo` returns the reason to refuse the text, if
 * any. A short text can hold so many values that decoding and reporting each of them would block all other requests.
 */
export const makeBodyScanner = (json: string, limit: number) => {
  const limits = limitsOf(limit)
  const tooMany = `The body holds too many values: at most ${limits.values} are taken, and ${limits.entries} in one list`
  const entryCounts: Array<number> = [0]
  const fieldCounts: Array<number> = [0]
  const longLists: Array<LongList> = []
  let splitPositions: Array<number> = []
  let listStart = 0
  let depth = 0
  let valueCount = 0
  let inString = false
  let position = 0

  /** Checks up to position `until`, or to the first fault. */
  const scanTo = (until: number): string | undefined => {
    const end = Math.min(until, json.length)
    let i = position
    for (; i < end; i++) {
      const code = json.charCodeAt(i)
      if (inString) {
        if (code === quote) inString = false
        if (code !== escape) continue
        const unit = escapedUnitAt(json, i)
        if (unit === undefined) i++
        else if (unit === 0 || (unit >= 0xdc00 && unit <= 0xdfff)) return unstorable
        else if (unit >= 0xd800 && unit <= 0xdbff) {
          const next = escapedUnitAt(json, i + 6) ?? 0
          if (next < 0xdc00 || next > 0xdfff) return unstorable
          i += 11
        } else i += 5
      } else if (code === quote) inString = true
      else if (code === 0x5b || code === 0x7b) {
        if (++depth > maxDepth) return `The body is nested deeper than ${maxDepth} levels`
        entryCounts[depth] = code === 0x5b ? 0 : -Infinity
        fieldCounts[depth] = 0
        if (depth === 2) {
          listStart = i + 1
          splitPositions = []
        }
        if (++valueCount > limits.values) return tooMany
      } else if (code === 0x5d || code === 0x7d) {
        if (depth === 2 && splitPositions.length > 0) longLists.push({ start: listStart, splitPositions, end: i })
        depth--
      } else if (code === 0x2c) {
        const count = (entryCounts[depth] ?? 0) + 1
        entryCounts[depth] = count
        if (count === -Infinity && depth >= recordDepth) {
          const fieldCount = (fieldCounts[depth] ?? 0) + 1
          fieldCounts[depth] = fieldCount
          if (fieldCount >= maxFields)
            return `An object of the body has too many fields: at most ${maxFields} are taken`
        }
        if (depth === 2 && count > 0 && count % pieceSize === 0) splitPositions.push(i)
        if (++valueCount > limits.values || count >= limits.entries) return tooMany
      }
    }
    position = i
    return undefined
  }
  return { scanTo, isScanned: () => position >= json.length, longLists: longLists as ReadonlyArray<LongList> }
}

/** The contract's schemas need no services for decoding or encoding. */
export const asPlainCodec = (schema: Schema.Top) => schema as unknown as Schema.Codec<unknown, unknown>

/** The error for a body that is not JSON. */
export const invalidJson = new Schema.SchemaError(
  new SchemaIssue.InvalidValue({ message: "Expected a valid JSON body" })
)

export const parseJson = (text: string): Exit.Exit<unknown, Schema.SchemaError> => {
  try {
    return Exit.succeed(JSON.parse(text))
  } catch {
    return Exit.fail(invalidJson)
  }
}

/** Parses the list entries between two positions of a text. Fails if there are none. */
export const parseEntries = Effect.fnUntraced(function* (text: string, from: number, to: number) {
  const entries = yield* parseJson(`[${text.slice(from, to)}]`)
  // An empty piece between two commas, or between a comma and the end, is not valid JSON.
  if (!Array.isArray(entries) || entries.length === 0) return yield* invalidJson
  return entries as ReadonlyArray<unknown>
})

export const spansOf = ({ end, splitPositions, start }: LongList) =>
  [...splitPositions, end].map((to, index, ends) => ({ from: index === 0 ? start : (ends[index - 1] ?? 0) + 1, to }))

/**
 * The document with its long lists emptied, and these lists; undefined for a list that a later field of the same name
 * replaces.
 */
const parseWithoutLists = Effect.fnUntraced(function* (text: string, longLists: ReadonlyArray<LongList>) {
  // Replaces each list by a UUID, which no body can contain by chance.
  const placeholders = longLists.map(() => randomUUID())
  let shortened = ""
  let position = 0
  for (const [index, { end, start }] of longLists.entries()) {
    shortened += `${text.slice(position, start)}"${placeholders[index]}"`
    position = end
  }
  const body = text === "" ? undefined : yield* parseJson(shortened + text.slice(position))
  const lists: ReadonlyArray<Array<unknown>> =
    typeof body === "object" && body !== null ? Object.values(body).filter(Array.isArray) : []
  const emptied = placeholders.map((placeholder) => lists.find(([firstItem]) => firstItem === placeholder))
  for (const list of emptied) if (list !== undefined) list.length = 0
  return { body, lists: emptied }
})

/** Parses a text with known long lists, in pieces. */
export const parse = Effect.fnUntraced(function* ({ longLists, text }: JsonBody) {
  const { body, lists } = yield* parseWithoutLists(text, longLists)
  for (const [index, list] of longLists.entries()) {
    for (const { from, to } of spansOf(list)) {
      const entries = yield* parseEntries(text, from, to)
      lists[index]?.push(...entries)
      yield* Effect.yieldNow
    }
  }
  return body
})

const atPath = (path: ReadonlyArray<PropertyKey>) => (error: Schema.SchemaError) =>
  new Schema.SchemaError(new SchemaIssue.Pointer(path, error.issue))

/** A body with one long list. */
interface ListBody<E, A> {
  /** The name of the list's field. */
  readonly list: string
  readonly entry: Schema.Codec<E, unknown>
  /**
   * The part of an entry that `wholeBody` checks. Should be shared between equal entries, because all are kept in memory.
   */
  readonly digest: (entry: E) => unknown
  /** The schema of the body with digests as list entries. */
  readonly wholeBody: Schema.Codec<A, unknown>
}

/**
 * Decodes a body in pieces, and reports the same first error as decoding it as a whole. Entries of a long list are
 * validated first and decoded again when they are read: keeping all of them would fill the memory, and collecting that
 * garbage would block other requests.
 */
export const decodeLong = <E, A>({ digest, entry, list, wholeBody }: ListBody<E, A>) => {
  const decodeEntry = Schema.decodeUnknownEffect(entry)
  const decodeWhole = Schema.decodeUnknownEffect(wholeBody)
  const decodeEntries = Schema.decodeUnknownSync(Schema.Array(entry))

  return Effect.fnUntraced(function* ({ longLists, text }: JsonBody) {
    const { body, lists } = yield* parseWithoutLists(text, longLists)
    const fields = Predicate.hasProperty(body, list) ? body : undefined
    const value = fields?.[list]
    const digests: Array<unknown> = []
    const check = Effect.fnUntraced(function* (entries: ReadonlyArray<unknown>) {
      for (const item of entries) {
        digests.push(digest(yield* Effect.mapErrorEager(decodeEntry(item), atPath([list, digests.length]))))
      }
    })

    // Parses the other lists too, because the body must be valid JSON before its values are validated.
    const spans = longLists.flatMap((longList, index) =>
      spansOf(longList).map((span) => ({ ...span, isOfList: lists[index] !== undefined && lists[index] === value }))
    )
    let firstError: Schema.SchemaError | undefined
    for (const span of spans) {
      const entries = yield* parseEntries(text, span.from, span.to)
      if (span.isOfList && firstError === undefined) {
        firstError = yield* Effect.match(check(entries), { onFailure: (error) => error, onSuccess: () => undefined })
      }
      yield* Effect.yieldNow
    }
    if (firstError !== undefined) return yield* firstError

    if (!Array.isArray(value)) {
      const noEntries: Iterable<ReadonlyArray<E>> = []
      return { body: yield* decodeWhole(body), entries: noEntries, count: 0 }
    }
    const listSpans = spans.filter((span) => span.isOfList)
    const isShort = listSpans.length === 0
    if (isShort) yield* check(value)
    const decodedBody = yield* decodeWhole({ ...fields, [list]: digests })
    const entries: Iterable<ReadonlyArray<E>> = isShort
      ? [decodeEntries(value)]
      : {
          *[Symbol.iterator]() {
            for (const { from, to } of listSpans) yield decodeEntries(JSON.parse(`[${text.slice(from, to)}]`))
          }
        }
    return { body: decodedBody, entries, count: digests.length }
  })
}
