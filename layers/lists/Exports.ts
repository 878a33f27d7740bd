// layers/lists/Exports.ts: exports of completed lists. A job writes the files of a long list once; short lists are read
// from rows.
import { Effect, Option, Schema, Stream } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { Files } from "#layers/Files.ts"
import { type ClaimedJob, LeaseLost, Queue } from "#layers/Queue.ts"
import type { FileMissing, FilesUnavailable } from "#layers/files/StorageBackend.ts"
import {
  type Columns,
  encode,
  type Format,
  formats,
  ExportRow,
  type ExportOptions,
  csvWithOptions,
  jsonWithOptions
} from "#layers/lists/ExportFormats.ts"
import { WrittenLead } from "#layers/lists/LeadColumns.ts"
import { isNotExported, makeRecordLeadExports } from "#layers/lists/LeadExports.ts"
import { leadsWithReviews } from "#layers/lists/LeadQueries.ts"
import { Suppressions } from "#layers/Suppressions.ts"
import type { WorkspaceId } from "#schema/Auth.ts"

/** Leads per page; reading and encoding a page takes about two milliseconds. */
const pageSize = 100

/**
 * Pages of a list's written leads, by position. Dies if there are fewer than `count`, because leads were deleted
 * meanwhile.
 */
const makeLeadPages = Effect.gen(function* () {
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

  // Reads the first page before the response begins, so that a failure is an error response and not a truncated file.
  return Effect.fnUntraced(function* (workspace: WorkspaceId, id: string, count: number) {
    const firstPage = yield* page({ workspace, id, after: -1 })
    const laterPages = Stream.paginate({ last: firstPage, left: count - firstPage.length }, ({ last, left }) => {
      const lastRow = last.length < pageSize ? undefined : last.at(-1)
      if (lastRow === undefined) {
        return left === 0
          ? Effect.succeed([[], Option.none()] as const)
          : Effect.die(new Error("Leads were deleted while they were read"))
      }
      const nextPage = Effect.orDie(page({ workspace, id, after: lastRow.position }))
      return Effect.map(nextPage, (rows) => [[rows], Option.some({ last: rows, left: left - rows.length })] as const)
    })
    // Sends each page before reading the next, so that a failure does not lose the page already read.
    return Stream.concat(Stream.make(firstPage), laterPages)
  }, Effect.orDie)
})

/** Whether the export is a selection of leads, without those that were suppressed after they were written; else it has all. */
export const isSelection = ({ exported, preset, review, suppressed }: ExportOptions) =>
  review !== undefined || preset !== undefined || suppressed !== undefined || exported !== undefined

/** A page of the leads of an export with options. */
const PageRequest = Schema.Struct({
  workspace: Schema.String,
  id: Schema.String,
  after: Schema.Int,
  review: Schema.UndefinedOr(Schema.String),
  exported: Schema.UndefinedOr(Schema.String)
})

/** Leads and conditions of a page, after FROM. */
const pageSource = (
  sql: SqlClient.SqlClient,
  { after, exported, id, review, workspace }: typeof PageRequest.Type
) => sql`
  ${sql.literal(leadsWithReviews)}
  WHERE leads.list_id = ${id} AND leads.workspace_id = ${workspace} AND leads.status = 'completed'
    AND position > ${after} ${review === undefined ? sql`` : sql`AND r.review = ${review}`}
    ${exported === undefined ? sql`` : sql`AND ${isNotExported(sql, workspace, id)}`}
  ORDER BY position`

/** Addresses read in one query for a count. */
const countPageSize = 500

/** Counts the leads in an export and the suppressed leads that it excludes. */
const makeCount = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const suppressions = yield* Suppressions
  const page = SqlSchema.findAll({
    Request: PageRequest,
    Result: Schema.Struct({ position: Schema.Int, email: Schema.String, company: Schema.NullOr(Schema.String) }),
    execute: (request) => sql`
      SELECT position, email, company FROM ${pageSource(sql, request)} LIMIT ${sql.literal(String(countPageSize))}`
  })
  return Effect.fnUntraced(function* (workspace: WorkspaceId, id: string, options: ExportOptions) {
    let [leads, suppressed] = [0, 0]
    for (let lastPosition = -1; ;) {
      const rows = yield* page({
        workspace,
        id,
        after: lastPosition,
        review: options.review,
        exported: options.exported
      })
      const reasons = isSelection(options) ? yield* suppressions.findReasons(workspace, rows) : []
      const excluded = reasons.filter((reason) => reason !== undefined).length
      leads += rows.length - excluded
      suppressed += excluded
      const lastRow = rows.length < countPageSize ? undefined : rows.at(-1)
      if (lastRow === undefined) return { leads, suppressed }
      lastPosition = lastRow.position
      yield* Effect.yieldNow
    }
  }, Effect.orDie)
})

/** Exports with a filter, preset or additional columns, which are always read from rows. */
const makeFilteredPages = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const suppressions = yield* Suppressions
  const recordLeads = yield* makeRecordLeadExports
  const columns = sql.literal(Object.keys(ExportRow.fields).join(", "))
  const page = SqlSchema.findAll({
    Request: PageRequest,
    Result: ExportRow,
    execute: (request) => sql`
      SELECT ${columns} FROM ${pageSource(sql, request)} LIMIT ${sql.literal(String(pageSize))}`
  })
  /** Excludes leads that were suppressed after they were written, and records that the file has the others. */
  const select = Effect.fnUntraced(function* (
    workspace: WorkspaceId,
    list: string,
    leads: ReadonlyArray<ExportRow>,
    timestamp: string
  ) {
    const reasons = yield* suppressions.findReasons(workspace, leads)
    const selected = leads.filter((_, index) => reasons[index] === undefined)
    yield* recordLeads(workspace, list, selected, timestamp)
    return selected
  })
  return Effect.fnUntraced(function* (
    workspace: WorkspaceId,
    list: CompletedList,
    format: Format,
    options: ExportOptions,
    timestamp: string
  ) {
    const { exported, review } = options
    const read = (position: number) => page({ workspace, id: list.id, after: position, review, exported })
    // Before the response begins, so that a failure is an error response and not a truncated file.
    const firstPage = yield* read(-1)
    const laterPages = Stream.paginate(firstPage, (lastPage) => {
      const lastRow = lastPage.length < pageSize ? undefined : lastPage.at(-1)
      if (lastRow === undefined) return Effect.succeed([[], Option.none()] as const)
      return Effect.map(Effect.orDie(read(lastRow.position)), (rows) => [[rows], Option.some(rows)] as const)
    })
    const pages = Stream.concat(Stream.make(firstPage), laterPages).pipe(
      Stream.mapEffect((leads) =>
        isSelection(options) ? select(workspace, list.id, leads, timestamp) : Effect.succeed(leads)
      ),
      Stream.tap(() => Effect.yieldNow)
    )
    if (format === "json") return Stream.encodeText(jsonWithOptions(options, pages))
    const { header, rowOf } = csvWithOptions(options, list)
    const rows = Stream.map(pages, (leads) => leads.map(rowOf).join(""))
    return Stream.encodeText(Stream.concat(Stream.make(header), rows))
  }, Effect.orDie)
})

/** Largest list, in leads, that is exported from rows instead of a file. */
export const maxRowsWithoutFile = 500

/** An email was edited while the file was being written. */
class ListEdited extends Schema.TaggedError<ListEdited>()("ListEdited", {}) {}

/** The fields of a completed list that its files depend on. */
interface CompletedList extends Columns {
  readonly id: string
  readonly leads_done: number
  /** Number of edits of the list's emails; a file is valid for one number. */
  readonly edits: number
}

/** Pause after each page while other requests read rows, so that writing files does not delay them. */
const readerPause = "5 millis"

const notStartedStatuses = ["waiting", "pending"]

export interface Content {
  readonly content: Stream.Stream<Uint8Array>
  /** Length in bytes; undefined if it is unknown before the content is read. */
  readonly bytes: number | undefined
}

/** The job that writes the files of a list. */
export const listFileJob = (workspace: WorkspaceId, list: string) => ({ workspace, type: "list.file", subject: list })

/** Marks the files of a deleted or edited list as deleted, in the caller's transaction. */
export const makeDeleteListFiles = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const files = yield* Files
  return Effect.fnUntraced(function* (workspace: WorkspaceId, list: string) {
    const deletedFiles = yield* sql<{ readonly file: string }>`
      DELETE FROM list_files WHERE list_id = ${list} AND workspace_id = ${workspace} RETURNING file`
    yield* Effect.forEach(deletedFiles, ({ file }) => files.remove(workspace, file), { discard: true })
  })
})

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const files = yield* Files
  const queue = yield* Queue
  const deleteListFiles = yield* makeDeleteListFiles
  const pages = yield* makeLeadPages
  const readFiltered = yield* makeFilteredPages
  const count = yield* makeCount
  const scope = yield* Effect.scope
  // SQLite has a single writer, so reading without a lock is enough.
  const lock = sql.onDialectOrElse({ pg: () => sql.literal(" FOR UPDATE"), orElse: () => sql.literal("") })

  const findFile = SqlSchema.findOneOption({
    Request: Schema.Struct({ workspace: Schema.String, id: Schema.String, format: Schema.Literals(formats) }),
    Result: Schema.Struct({ file: Schema.String, bytes: Schema.NullOr(Schema.Int) }),
    execute: ({ format, id, workspace }) => sql`
      SELECT l.file, f.bytes FROM list_files l
      LEFT JOIN files f ON f.id = l.file AND f.workspace_id = l.workspace_id AND f.state = 'kept'
      WHERE l.list_id = ${id} AND l.workspace_id = ${workspace} AND l.format = ${format}`
  })

  const encodeRows = Effect.fnUntraced(function* (workspace: WorkspaceId, list: CompletedList, format: Format) {
    return encode(format, yield* pages(workspace, list.id, list.leads_done), list)
  })
  /** Number of exports being read from rows. */
  let activeReads = 0
  const withoutLength = (content: Stream.Stream<Uint8Array>): Content => ({
    content: Stream.suspend(() => {
      activeReads++
      return Stream.ensuring(
        content,
        Effect.sync(() => activeReads--)
      )
    }),
    bytes: undefined
  })
  const pauseForReaders = (content: Stream.Stream<Uint8Array>) =>
    Stream.tap(content, () => (activeReads > 0 ? Effect.sleep(readerPause) : Effect.void))

  /**
   * Queues the job that writes the files, unless one exists in one of these states. A failure does not affect the
   * request.
   */
  const requestFiles = (workspace: WorkspaceId, id: string, states: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      const openJobs = yield* sql`
        SELECT id FROM jobs WHERE subject = ${id} AND workspace_id = ${workspace} AND type = 'list.file'
          AND ${sql.in("status", states)}`
      if (openJobs.length === 0) yield* queue.enqueue([listFileJob(workspace, id)])
    }).pipe(
      sql.withTransaction,
      Effect.catchCause((cause) =>
        Effect.logWarning("Could not queue the job that writes the files of a list", { list: id }, cause)
      ),
      Effect.forkIn(scope)
    )

  /**
   * Whether no email was edited since the list was read. With `locksRow`, none can be edited until the transaction ends.
   */
  const isUnchanged = (workspace: WorkspaceId, { edits, id }: CompletedList, locksRow = false) =>
    sql`
      SELECT id FROM lists
      WHERE id = ${id} AND workspace_id = ${workspace} AND edits = ${edits}${locksRow ? lock : sql.literal("")}`.pipe(
      Effect.map((rows) => rows.length > 0),
      Effect.orDie
    )

  /** Continues a file that breaks off from the rows, which encode to the same bytes. */
  const continueFromRows = (workspace: WorkspaceId, list: CompletedList, format: Format, sentBytes: number) =>
    Stream.unwrap(
      Effect.gen(function* () {
        const content = yield* encodeRows(workspace, list, format)
        // After an edit, the rows no longer match the part already sent.
        if (!(yield* isUnchanged(workspace, list))) {
          return yield* Effect.die(new Error("Emails were edited while they were read"))
        }
        return Stream.mapAccum(
          content,
          () => sentBytes,
          (bytesToSkip, chunk) => [
            Math.max(0, bytesToSkip - chunk.length),
            bytesToSkip < chunk.length ? [chunk.subarray(bytesToSkip)] : []
          ]
        )
      })
    )

  /** Logs that the file of a list cannot be read, and requests a missing file again. */
  const reportUnreadable = Effect.fnUntraced(function* (
    workspace: WorkspaceId,
    list: CompletedList,
    error: FileMissing | FilesUnavailable
  ) {
    yield* Effect.logWarning("The file of a list cannot be read; the export reads its rows", { list: list.id }, error)
    if (error._tag === "FilesUnavailable") return
    yield* Effect.ignoreCause(sql.withTransaction(deleteListFiles(workspace, list.id)))
    // Ignores running jobs, because one may have written the lost file already and would not check it again.
    yield* requestFiles(workspace, list.id, notStartedStatuses)
  })

  /** Reads the start of the file, so that an unreadable file is detected before the response has a status. */
  const isReadable = (workspace: WorkspaceId, list: CompletedList, file: string) =>
    Stream.runHead(files.readReusing(workspace, file)).pipe(
      Effect.as(true),
      Effect.catchTag(["FileMissing", "FilesUnavailable"], (error) =>
        Effect.as(reportUnreadable(workspace, list, error), false)
      )
    )

  const streamFile = (workspace: WorkspaceId, list: CompletedList, format: Format, file: string) =>
    Stream.suspend(() => {
      let sentBytes = 0
      return files.readReusing(workspace, file).pipe(
        Stream.map((chunk) => {
          sentBytes += chunk.length
          return chunk
        }),
        Stream.catchTag(["FileMissing", "FilesUnavailable"], (error) =>
          Stream.unwrap(
            Effect.as(reportUnreadable(workspace, list, error), continueFromRows(workspace, list, format, sentBytes))
          )
        )
      )
    })

  return {
    deleteListFiles,

    /** The content of an export: its file if it can be read, else its rows. Fails before the response begins. */
    content: Effect.fnUntraced(function* (workspace: WorkspaceId, list: CompletedList, format: Format) {
      if (list.leads_done <= maxRowsWithoutFile) return withoutLength(yield* encodeRows(workspace, list, format))
      const fileRow = yield* Effect.orDie(findFile({ workspace, id: list.id, format }))
      if (Option.isSome(fileRow) && (yield* isReadable(workspace, list, fileRow.value.file))) {
        const { bytes, file } = fileRow.value
        return { content: streamFile(workspace, list, format, file), bytes: bytes ?? undefined }
      }
      if (Option.isNone(fileRow)) yield* requestFiles(workspace, list.id, [...notStartedStatuses, "processing"])
      return withoutLength(yield* encodeRows(workspace, list, format))
    }),

    count,

    /** The content of an export with options. Reading it records the leads of a selection as exported at `timestamp`. */
    filtered: (
      workspace: WorkspaceId,
      list: CompletedList,
      format: Format,
      options: ExportOptions,
      timestamp: string
    ) => Effect.map(readFiltered(workspace, list, format, options, timestamp), withoutLength),

    /** Writes the missing files of a list. Runs in the claimed job. */
    write: Effect.fnUntraced(
      function* (claim: ClaimedJob, list: CompletedList) {
        const { workspace_id } = claim
        for (const format of formats) {
          if (Option.isSome(yield* Effect.orDie(findFile({ workspace: workspace_id, id: list.id, format })))) continue
          const content = yield* encodeRows(workspace_id, list, format)
          yield* files.put(workspace_id, pauseForReaders(content), (file) =>
            Effect.gen(function* () {
              // Fails if the list was deleted meanwhile, because its jobs were deleted with it.
              yield* queue.requireLease(claim)
              if (!(yield* isUnchanged(workspace_id, list, true))) return yield* new ListEdited()
              const insertedRows = yield* Effect.orDie(sql`
              INSERT INTO list_files (list_id, workspace_id, format, file)
              VALUES (${list.id}, ${workspace_id}, ${format}, ${file}) ON CONFLICT DO NOTHING RETURNING file`)
              if (insertedRows.length === 0) return yield* new LeaseLost({ id: claim.id })
            })
          )
        }
      },
      // The next export of the list requests its files again.
      Effect.catchTag("ListEdited", () => Effect.void)
    )
  }
})
