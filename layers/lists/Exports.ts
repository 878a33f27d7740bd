// layers/lists/Exports.ts: the emails of a completed list as files. Those of a long list are written once, by a job, and served as they are.
import { Effect, Option, Schema, Stream } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { Files } from "#layers/Files.ts"
import { type Claim, LeaseLost, Queue } from "#layers/Queue.ts"
import type { FileMissing, FilesUnavailable } from "#layers/files/Place.ts"
import { WrittenLead } from "#layers/lists/Lead.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import { type CustomFields, type LeadField, leadFields, type Sequence } from "#schema/Lead.ts"

type LeadCells = { readonly [F in LeadField]-?: string | null } & { readonly custom_fields: CustomFields | null }

/** A spreadsheet would run what begins like this as a formula; the quote makes it text again. */
const harmless = (cell: string) => (/^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell)

const quoted = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/** A line of CSV. No cell of it can run as a formula in a spreadsheet. */
export const csvLine = (cells: ReadonlyArray<string>) => `${cells.map((cell) => quoted(harmless(cell))).join(",")}\r\n`

const steps = (count: number, cells: (step: number) => ReadonlyArray<string>) =>
  Array.from({ length: count }, (_, step) => cells(step)).flat()

/** The columns of a list's CSV that depend on the list. */
export interface Columns {
  /** Emails of each lead. */
  readonly steps: number
  /** Keys of custom fields, in the order of their columns. */
  readonly keys: ReadonlyArray<string>
}

export const csvHeader = (columns: Columns) =>
  csvLine([
    ...leadFields,
    ...steps(columns.steps, (step) => [`step_${step + 1}_subject`, `step_${step + 1}_body`]),
    ...columns.keys.map((key) => `custom_${key}`)
  ])

/** A key such as `constructor` is a field only where the lead has it itself. */
const custom = (fields: CustomFields | null, key: string) =>
  fields !== null && Object.hasOwn(fields, key) ? String(fields[key] ?? "") : ""

export const csvRow = (lead: LeadCells, sequence: Sequence, columns: Columns) =>
  csvLine([
    ...leadFields.map((field) => lead[field] ?? ""),
    ...steps(columns.steps, (step) => [sequence[step]?.subject ?? "", sequence[step]?.body ?? ""]),
    ...columns.keys.map((key) => custom(lead.custom_fields, key))
  ])

export const formats = ["csv", "json"] as const
export type Format = (typeof formats)[number]

type Pages = Stream.Stream<ReadonlyArray<WrittenLead>>

const asJson = ({ company, custom_fields, email, name, sequence, title }: WrittenLead) =>
  JSON.stringify({ email, name, company, title, ...(custom_fields === null ? {} : { custom_fields }), sequence })

const csv = (pages: Pages, columns: Columns) =>
  Stream.make(csvHeader(columns)).pipe(
    Stream.concat(Stream.map(pages, (leads) => leads.map((lead) => csvRow(lead, lead.sequence, columns)).join("")))
  )

const json = (pages: Pages) => {
  const body = pages.pipe(
    Stream.filter((leads) => leads.length > 0),
    Stream.zipWithIndex,
    Stream.map(([leads, i]) => (i === 0 ? "" : ",") + leads.map(asJson).join(","))
  )
  return Stream.make('{"leads":[').pipe(Stream.concat(body), Stream.concat(Stream.make("]}")))
}

/** Written page by page; others have their turn between two of them, however fast a reader takes them. */
export const written = (format: Format, pages: Pages, columns: Columns): Stream.Stream<Uint8Array> => {
  const unhurried = Stream.tap(pages, () => Effect.yieldNow)
  return Stream.encodeText(format === "csv" ? csv(unhurried, columns) : json(unhurried))
}

/** About two milliseconds of everybody else's time, with what is made of it. */
const pageSize = 100

/** The leads of a list that succeeded, in the order they were sent; so many, or it breaks off: some were deleted meanwhile. */
export const makePages = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const columns = sql.literal(Object.keys(WrittenLead.fields).join(", "))
  const page = SqlSchema.findAll({
    Request: Schema.Struct({ workspace: Schema.String, id: Schema.String, after: Schema.Int }),
    Result: WrittenLead,
    execute: ({ after, id, workspace }) => sql`
      SELECT ${columns} FROM leads
      WHERE list_id = ${id} AND workspace_id = ${workspace} AND status = 'completed' AND position > ${after}
      ORDER BY position LIMIT ${sql.literal(String(pageSize))}`
  })

  // The first page is read before anything is answered: what cannot be read is an error then, and no broken file.
  return Effect.fnUntraced(function* (workspace: WorkspaceId, id: string, count: number) {
    const first = yield* page({ workspace, id, after: -1 })
    const rest = Stream.paginate({ last: first, left: count - first.length }, ({ last, left }) => {
      const end = last.length < pageSize ? undefined : last.at(-1)
      if (end === undefined) {
        return left === 0
          ? Effect.succeed([[], Option.none()] as const)
          : Effect.die(new Error("Leads were deleted while they were read"))
      }
      const next = Effect.orDie(page({ workspace, id, after: end.position }))
      return Effect.map(next, (rows) => [[rows], Option.some({ last: rows, left: left - rows.length })] as const)
    })
    // A page is sent before the next one is read, so that a failure there does not take this one with it.
    return Stream.concat(Stream.make(first), rest)
  }, Effect.orDie)
})

/** A list of so many emails' leads is read from its rows as fast as anybody would have it. */
export const short = 500

/** What of a completed list its files are made of. */
interface Completed extends Columns {
  readonly id: string
  readonly leads_done: number
}

/** Pause after each page while other requests read rows: no request waits for a file. */
const rest = "5 millis"

const notBegun = ["waiting", "pending"]

export interface Content {
  readonly content: Stream.Stream<Uint8Array>
  /** How long it is, where that is known before it is read. */
  readonly bytes: number | undefined
}

/** The job that writes the files of a list. */
export const order = (workspace: WorkspaceId, list: string) => ({ workspace, type: "list.file", subject: list })

/** In the caller's transaction: marks the files of a deleted or changed list as deleted. */
export const makeForget = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const files = yield* Files
  return Effect.fnUntraced(function* (workspace: WorkspaceId, list: string) {
    const gone = yield* sql<{ readonly file: string }>`
      DELETE FROM list_files WHERE list_id = ${list} AND workspace_id = ${workspace} RETURNING file`
    yield* Effect.forEach(gone, ({ file }) => files.remove(workspace, file), { discard: true })
  })
})

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const files = yield* Files
  const queue = yield* Queue
  const forget = yield* makeForget
  const pages = yield* makePages
  const scope = yield* Effect.scope

  const fileOf = SqlSchema.findOneOption({
    Request: Schema.Struct({ workspace: Schema.String, id: Schema.String, format: Schema.Literals(formats) }),
    Result: Schema.Struct({ file: Schema.String, bytes: Schema.NullOr(Schema.Int) }),
    execute: ({ format, id, workspace }) => sql`
      SELECT l.file, f.bytes FROM list_files l
      LEFT JOIN files f ON f.id = l.file AND f.workspace_id = l.workspace_id AND f.state = 'kept'
      WHERE l.list_id = ${id} AND l.workspace_id = ${workspace} AND l.format = ${format}`
  })

  const fromRows = Effect.fnUntraced(function* (workspace: WorkspaceId, list: Completed, format: Format) {
    return written(format, yield* pages(workspace, list.id, list.leads_done), list)
  })
  /** Exports that are read from rows at this moment. */
  let reading = 0
  const unmeasured = (content: Stream.Stream<Uint8Array>): Content => ({
    content: Stream.suspend(() => {
      reading++
      return Stream.ensuring(
        content,
        Effect.sync(() => reading--)
      )
    }),
    bytes: undefined
  })
  const patient = (content: Stream.Stream<Uint8Array>) =>
    Stream.tap(content, () => (reading > 0 ? Effect.sleep(rest) : Effect.void))

  /** Has the files written, unless a job in one of these states will. No request waits for it or fails with it. */
  const wanted = (workspace: WorkspaceId, id: string, states: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      const open = yield* sql`
        SELECT id FROM jobs WHERE subject = ${id} AND workspace_id = ${workspace} AND type = 'list.file'
          AND ${sql.in("status", states)}`
      if (open.length === 0) yield* queue.enqueue([order(workspace, id)])
    }).pipe(
      sql.withTransaction,
      Effect.catchCause((cause) => Effect.logWarning("The files of a list are not written now", { list: id }, cause)),
      Effect.forkIn(scope)
    )

  /** The rest of what the rows say when a file breaks off: it is to the byte what the file held. */
  const goOn = (workspace: WorkspaceId, list: Completed, format: Format, sent: number) =>
    Stream.unwrap(
      Effect.map(fromRows(workspace, list, format), (content) =>
        Stream.mapAccum(
          content,
          () => sent,
          (before, chunk) => [Math.max(0, before - chunk.length), before < chunk.length ? [chunk.subarray(before)] : []]
        )
      )
    )

  /** Notes that the file of a list cannot be read, and has one that is gone written again. */
  const unreadable = Effect.fnUntraced(function* (
    workspace: WorkspaceId,
    list: Completed,
    error: FileMissing | FilesUnavailable
  ) {
    yield* Effect.logWarning("The file of a list cannot be read; its rows are", { list: list.id }, error)
    if (error._tag === "FilesUnavailable") return
    yield* Effect.ignoreCause(sql.withTransaction(forget(workspace, list.id)))
    // A job in work may have written the lost file already, and would not look at it again.
    yield* wanted(workspace, list.id, notBegun)
  })

  /** Whether the start of a file can be read, so that one that cannot is noticed before the answer has a status. */
  const opens = (workspace: WorkspaceId, list: Completed, file: string) =>
    Stream.runHead(files.readReusing(workspace, file)).pipe(
      Effect.as(true),
      Effect.catchTag(["FileMissing", "FilesUnavailable"], (error) =>
        Effect.as(unreadable(workspace, list, error), false)
      )
    )

  const fromFile = (workspace: WorkspaceId, list: Completed, format: Format, file: string) =>
    Stream.suspend(() => {
      let sent = 0
      return files.readReusing(workspace, file).pipe(
        Stream.map((chunk) => {
          sent += chunk.length
          return chunk
        }),
        Stream.catchTag(["FileMissing", "FilesUnavailable"], (error) =>
          Stream.unwrap(Effect.as(unreadable(workspace, list, error), goOn(workspace, list, format, sent)))
        )
      )
    })

  return {
    forget,

    /** What cannot be read at all is an error here, and no file that breaks off. */
    content: Effect.fnUntraced(function* (workspace: WorkspaceId, list: Completed, format: Format) {
      if (list.leads_done <= short) return unmeasured(yield* fromRows(workspace, list, format))
      const found = yield* Effect.orDie(fileOf({ workspace, id: list.id, format }))
      if (Option.isSome(found) && (yield* opens(workspace, list, found.value.file))) {
        const { bytes, file } = found.value
        return { content: fromFile(workspace, list, format, file), bytes: bytes ?? undefined }
      }
      if (Option.isNone(found)) yield* wanted(workspace, list.id, [...notBegun, "processing"])
      return unmeasured(yield* fromRows(workspace, list, format))
    }),

    /** Writes the files that are not there yet, for the job that is to. */
    write: Effect.fnUntraced(function* (claim: Claim, list: Completed) {
      const { workspace_id } = claim
      for (const format of formats) {
        if (Option.isSome(yield* Effect.orDie(fileOf({ workspace: workspace_id, id: list.id, format })))) continue
        const content = yield* fromRows(workspace_id, list, format)
        yield* files.put(workspace_id, patient(content), (file) =>
          Effect.gen(function* () {
            // A list that was deleted meanwhile has taken its jobs with it.
            yield* queue.holding(claim)
            const kept = yield* Effect.orDie(sql`
              INSERT INTO list_files (list_id, workspace_id, format, file)
              VALUES (${list.id}, ${workspace_id}, ${format}, ${file}) ON CONFLICT DO NOTHING RETURNING file`)
            if (kept.length === 0) return yield* new LeaseLost({ id: claim.id })
          })
        )
      }
    })
  }
})
