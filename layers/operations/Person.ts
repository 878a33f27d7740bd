// layers/operations/Person.ts: finds and erases the data of the person with an email address.
import { Effect, FileSystem, Option, Path, Schema } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import { createHash } from "node:crypto"
import { Credits } from "#layers/Credits.ts"
import { inTransaction } from "#layers/database/Transactions.ts"
import { digestOfKey, makeForgetLeadAnswers } from "#layers/idempotency/KeyRows.ts"
import { now } from "#layers/lib/Time.ts"
import { makeDeleteListFiles } from "#layers/lists/Exports.ts"
import {
  composedTexts,
  copiedTexts,
  erased,
  reportedTexts,
  makeComposedMatcher,
  makeMatcher,
  type Matcher,
  messageTexts,
  replaceInRow,
  type TextColumns
} from "#layers/operations/person/StoredText.ts"
import { Suppressions } from "#layers/Suppressions.ts"
import { withoutContent } from "#layers/webhooks/Events.ts"
import { WorkspaceId } from "#schema/Auth.ts"

/** A stored lead with its emails. */
const FoundLead = Schema.Struct({
  id: Schema.String,
  list_id: Schema.String,
  position: Schema.Int,
  status: Schema.String,
  email: Schema.String,
  name: Schema.NullOr(Schema.String),
  title: Schema.NullOr(Schema.String),
  company: Schema.NullOr(Schema.String),
  linkedin_url: Schema.NullOr(Schema.String),
  company_website: Schema.NullOr(Schema.String),
  custom_fields: Schema.NullOr(Schema.String),
  sequence: Schema.NullOr(Schema.String),
  facts: Schema.NullOr(Schema.String),
  emails: Schema.NullOr(Schema.Int)
})
/** A version of an edited email. */
const FoundVersion = Schema.Struct({
  lead_id: Schema.String,
  step: Schema.Int,
  version: Schema.Int,
  subject: Schema.String,
  body: Schema.String
})
type FoundLead = typeof FoundLead.Type

const decodeLeads = Schema.decodeUnknownEffect(Schema.Array(FoundLead))
const decodeVersions = Schema.decodeUnknownEffect(Schema.Array(FoundVersion))

/** A column of a stored row. */
interface FoundColumn {
  readonly table: string
  readonly column: string
  /** The key columns of the row, for example `id`. */
  readonly key: Readonly<Record<string, string | number>>
}

interface FoundText extends FoundColumn {
  readonly text: string
}

interface FoundMessage {
  readonly key: FoundText["key"]
  /** The texts of the message that name the person, by column. */
  readonly texts: Readonly<Record<string, string>>
}

/** The person's data in one workspace. */
export interface FoundPerson {
  readonly workspace_id: WorkspaceId
  readonly leads: ReadonlyArray<FoundLead>
  readonly versions: ReadonlyArray<typeof FoundVersion.Type>
  /** Lists that send their notification to the address. */
  readonly notified: ReadonlyArray<string>
  readonly messages: ReadonlyArray<FoundMessage>
  readonly texts: ReadonlyArray<FoundText>
  /** Texts of the workspace's own that contain the address, and their copies. They are reported but not erased. */
  readonly kept: ReadonlyArray<FoundText>
  readonly suppressed: boolean
}

/** Each message once, also if its content and its citations name the person. */
const groupByMessage = (texts: ReadonlyArray<FoundText>): ReadonlyArray<FoundMessage> =>
  [...Map.groupBy(texts, ({ key }) => `${key["conversation_id"]} ${key["position"]}`).values()].flatMap((texts) =>
    texts.slice(0, 1).map(({ key }) => ({
      key,
      texts: Object.fromEntries(texts.map(({ column, text }) => [column, text] as const))
    }))
  )

const decodeDelivery = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Struct({ data: Schema.Struct({ lead: Schema.Struct({ email: Schema.String }) }) }))
)

/** Whether the text is the payload of a webhook delivery about the lead with this address. */
const isDeliveryAbout = ({ column, table, text }: FoundText, address: string) =>
  table === "webhook_deliveries" &&
  column === "payload" &&
  Option.exists(decodeDelivery(text), ({ data }) => data.lead.email.toLowerCase() === address)

const isComposed = ({ column, table }: FoundText) =>
  composedTexts.some((source) => source.table === table && source.columns.includes(column))

const erasureReason = "The person's data was erased."

export const make = Effect.fnUntraced(function* (directory: string) {
  const sql = yield* SqlClient.SqlClient
  const credits = yield* Credits
  const suppressions = yield* Suppressions
  const deleteListFiles = yield* makeDeleteListFiles
  const forgetAnswers = yield* makeForgetLeadAnswers
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path

  const workspaces = Effect.map(
    sql<{ readonly id: string }>`SELECT id FROM workspaces ORDER BY id`,
    (rows): ReadonlyArray<WorkspaceId> => rows.map(({ id }) => WorkspaceId.make(id))
  )

  const leadColumns = sql.literal(Object.keys(FoundLead.fields).join(", "))
  const findLeads = (workspace: WorkspaceId, address: string) =>
    Effect.flatMap(
      sql`SELECT ${leadColumns} FROM leads WHERE workspace_id = ${workspace} AND lower(email) = ${address} ORDER BY id`,
      decodeLeads
    )

  const findVersions = (workspace: WorkspaceId, leads: ReadonlyArray<FoundLead>) =>
    leads.length === 0
      ? Effect.succeed([])
      : Effect.flatMap(
          sql`
            SELECT lead_id, step, version, subject, body FROM email_versions
            WHERE workspace_id = ${workspace} AND ${sql.in(
              "lead_id",
              leads.map(({ id }) => id)
            )}
            ORDER BY lead_id, step, version`,
          decodeVersions
        )

  const findNotifiedLists = (workspace: WorkspaceId, address: string) =>
    Effect.map(
      sql<{
        readonly id: string
      }>`SELECT id FROM lists WHERE workspace_id = ${workspace} AND lower(recipient) = ${address}`,
      (rows) => rows.map(({ id }) => id)
    )

  type Row = Readonly<Record<string, string | number | null>>

  const findTexts = Effect.fnUntraced(function* (workspace: WorkspaceId, source: TextColumns, matcher: Matcher) {
    const texts: Array<FoundText> = []
    for (const column of source.columns) {
      const condition = sql.or(
        matcher.patterns.map((pattern) => sql`lower(${sql.literal(column)}) LIKE ${pattern} ESCAPE '\\'`)
      )
      const rows = yield* sql<Row>`
        SELECT ${sql.literal([...source.key, column].join(", "))} FROM ${sql(source.table)}
        WHERE workspace_id = ${workspace} AND ${condition}`
      for (const row of rows) {
        const text = String(row[column] ?? "")
        if (!matcher.matches(text)) continue
        const key = Object.fromEntries(source.key.map((name) => [name, row[name] ?? ""]))
        texts.push({ table: source.table, column, key, text })
      }
    }
    return texts
  })

  const findAllTexts = (workspace: WorkspaceId, sources: ReadonlyArray<TextColumns>, matcher: Matcher) =>
    Effect.map(
      Effect.forEach(sources, (source) => findTexts(workspace, source, matcher)),
      (textLists) => textLists.flat()
    )

  /** The company profile and the owner; the workspaces table has no workspace_id column. */
  const findProfileTexts = Effect.fnUntraced(function* (workspace: WorkspaceId, matcher: Matcher) {
    const [row] = yield* sql<Row>`SELECT name, details, owner_email FROM workspaces WHERE id = ${workspace}`
    return ["name", "details", "owner_email"].flatMap((column): ReadonlyArray<FoundText> => {
      const text = String(row?.[column] ?? "")
      return matcher.matches(text) ? [{ table: "workspaces", column, key: { id: workspace }, text }] : []
    })
  })

  /**
   * The copies of campaigns' texts that contain the address. Those of a campaign that still has it are kept like the
   * campaign: lists that are being written use them, and the next list copies them again.
   */
  const findCopies = Effect.fnUntraced(function* (
    workspace: WorkspaceId,
    kept: ReadonlyArray<FoundText>,
    matcher: Matcher
  ) {
    const campaigns = new Set(
      kept.flatMap(({ column, key, table }) => (table === "campaigns" && column === "brief" ? [key["id"]] : []))
    )
    /** The campaign of a row of `copiedTexts`; all lists of a brief have the same one. */
    const findCampaign = Effect.fnUntraced(function* ({ key, table }: FoundText) {
      if (table === "playbook_versions") return key["campaign_id"]
      const [list] = yield* sql<{ readonly campaign_id: string | null }>`
        SELECT campaign_id FROM lists
        WHERE ${sql(table === "briefs" ? "brief_id" : "id")} = ${key["id"]} AND workspace_id = ${workspace} LIMIT 1`
      return list?.campaign_id
    })
    const copies = yield* Effect.forEach(yield* findAllTexts(workspace, copiedTexts, matcher), (text) =>
      Effect.map(findCampaign(text), (campaign) => ({ text, isKept: campaigns.has(campaign ?? undefined) }))
    )
    return {
      erasable: copies.flatMap(({ isKept, text }) => (isKept ? [] : [text])),
      kept: copies.flatMap(({ isKept, text }) => (isKept ? [text] : []))
    }
  })

  /** The names in omitted rows of lead files that contain the address, in the email column or in the reason. */
  const findOmittedNames = Effect.fnUntraced(function* (workspace: WorkspaceId, texts: ReadonlyArray<FoundText>) {
    const names: Array<FoundText> = []
    const keys = texts.flatMap(({ key, table }) =>
      table === "omitted_rows" ? [[JSON.stringify(key), key] as const] : []
    )
    for (const key of new Map(keys).values()) {
      const [row] = yield* sql<{ readonly name: string | null }>`
        SELECT name FROM omitted_rows WHERE workspace_id = ${workspace} AND ${keyCondition(key)}`
      if (row !== undefined && row.name !== null)
        names.push({ table: "omitted_rows", column: "name", key, text: row.name })
    }
    return names
  })

  const findInWorkspace = Effect.fnUntraced(function* (workspace: WorkspaceId, address: string) {
    const leads = yield* findLeads(workspace, address)
    const leadIds = new Set(leads.map(({ id }) => id))
    const names = [...new Set(leads.flatMap(({ name }) => (name === null ? [] : [name.trim()])))]
    const matcher = makeMatcher(address)
    const matchingTexts = yield* findAllTexts(workspace, replaceInRow, matcher)
    const kept = yield* findAllTexts(workspace, reportedTexts, matcher)
    const copies = yield* findCopies(workspace, kept, matcher)
    const texts = [
      ...matchingTexts,
      ...(yield* findAllTexts(workspace, composedTexts, makeComposedMatcher(address))),
      ...copies.erasable,
      ...(yield* findOmittedNames(workspace, matchingTexts))
    ]
    return {
      workspace_id: workspace,
      leads,
      versions: yield* findVersions(workspace, leads),
      notified: yield* findNotifiedLists(workspace, address),
      messages: groupByMessage(yield* findTexts(workspace, messageTexts, makeMatcher(address, names))),
      // Excludes a lead's own columns, which are erased with the lead.
      texts: texts.filter(({ key }) => !leadIds.has(String(key["lead_id"] ?? key["id"]))),
      kept: [...(yield* findProfileTexts(workspace, matcher)), ...kept, ...copies.kept],
      suppressed: (yield* suppressions.findReasons(workspace, [{ email: address }]))[0] !== undefined
    } satisfies FoundPerson
  }, Effect.orDie)

  /** Outbox mails that are addressed to the person or contain the address. */
  const findOutboxMails = Effect.fnUntraced(function* (address: string) {
    const outbox = path.join(directory, "outbox")
    if (!(yield* fs.exists(outbox))) return []
    const { matches } = makeMatcher(address)
    const files = (yield* fs.readDirectory(outbox)).filter((name) => name.endsWith(".eml"))
    return yield* Effect.filter(
      files.map((name) => path.join(outbox, name)),
      (file) =>
        Effect.map(
          Effect.orElseSucceed(fs.readFileString(file), () => ""),
          matches
        )
    )
  }, Effect.orDie)

  const keyCondition = (key: FoundText["key"]): Statement.Fragment =>
    sql.and(Object.entries(key).map(([name, value]) => sql`${sql.literal(name)} = ${value}`))

  /** Erases a message together with its question or answer. */
  const eraseExchange = Effect.fnUntraced(function* (workspace: WorkspaceId, { key }: FoundMessage) {
    const conversation = String(key["conversation_id"])
    const position = Number(key["position"])
    // Questions have odd positions and are followed by their answers.
    const question = position % 2 === 1 ? position : position - 1
    yield* sql`
      UPDATE messages SET content = ${erased}, citations = CASE WHEN citations IS NULL THEN NULL ELSE '[]' END, nearest = NULL
      WHERE conversation_id = ${conversation} AND workspace_id = ${workspace}
        AND position IN (${question}, ${question + 1})`
    // The title of a conversation is its first question.
    if (question === 1) {
      yield* sql`UPDATE conversations SET title = ${erased} WHERE id = ${conversation} AND workspace_id = ${workspace}`
    }
  })

  /** Runs the work on a row in a savepoint. If it fails, the row is added to `failed` and the erasure continues. */
  const tryRow = <A, E>(
    { column, key, table }: FoundColumn,
    failed: Array<FoundColumn>,
    work: Effect.Effect<A, E | SqlError.SqlError>
  ) =>
    work.pipe(
      inTransaction(sql),
      Effect.asVoid,
      Effect.catchDefect(() => Effect.sync(() => void failed.push({ table, column, key })))
    )

  /** Removes the lead and its emails from deliveries to webhooks. Pending deliveries are still sent. */
  const eraseDeliveries = Effect.fnUntraced(function* (
    workspace: WorkspaceId,
    condition: Statement.Fragment,
    failed: Array<FoundColumn>
  ) {
    const deliveries = yield* sql<{ readonly id: string; readonly payload: string }>`
      SELECT id, payload FROM webhook_deliveries WHERE ${condition} AND workspace_id = ${workspace}`
    for (const { id, payload } of deliveries) {
      const update = Effect.suspend(
        () => sql`
          UPDATE webhook_deliveries SET payload = ${withoutContent(payload)},
            response = CASE WHEN response IS NULL THEN NULL ELSE ${erased} END
          WHERE id = ${id} AND workspace_id = ${workspace}`
      )
      yield* tryRow({ table: "webhook_deliveries", column: "payload", key: { id } }, failed, update)
    }
  })

  /** Keeps the lead's row without any data, so that counts and charges stay right. */
  const eraseLead = Effect.fnUntraced(function* (workspace: WorkspaceId, lead: FoundLead, failed: Array<FoundColumn>) {
    const { emails, id, list_id, status } = lead
    yield* sql`
      UPDATE leads SET email = '', name = NULL, title = NULL, company = NULL, linkedin_url = NULL, company_website = NULL,
        custom_fields = NULL, sequence = NULL, emails = NULL, score = NULL, findings = NULL, facts = NULL, failure = NULL,
        persona_id = NULL, suspect = 0, severity = NULL, finding_count = 0, edited = 0, written_at = NULL, status = 'skipped', skipped = ${erasureReason}, error = ${erasureReason}
      WHERE id = ${id} AND workspace_id = ${workspace}`
    yield* sql`DELETE FROM email_versions WHERE lead_id = ${id} AND workspace_id = ${workspace}`
    yield* sql`DELETE FROM lead_exports WHERE lead_id = ${id} AND workspace_id = ${workspace}`
    yield* sql`DELETE FROM lead_reviews WHERE lead_id = ${id} AND workspace_id = ${workspace}`
    yield* eraseDeliveries(workspace, sql`lead_id = ${id}`, failed)
    // The stored answers of rewrites have all of the lead. A repeated request is refused, because the lead has no data.
    yield* forgetAnswers(workspace, list_id, id)
    yield* credits.release(workspace, [id])
    const countIf = (countedStatus: string) => (status === countedStatus ? 1 : 0)
    yield* sql`
      UPDATE lists SET leads_done = leads_done - ${countIf("completed")}, leads_failed = leads_failed - ${countIf("failed")},
        leads_skipped = leads_skipped + ${1 - countIf("skipped")}, emails_created = emails_created - ${emails ?? 0},
        custom_name = CASE WHEN kind = 'single' THEN ${erased} ELSE custom_name END, updated_at = ${yield* now}
      WHERE id = ${list_id} AND workspace_id = ${workspace}`
  })

  /**
   * Deletes the export files of these lists, and restarts jobs that are writing them. The next export writes them
   * again.
   */
  const discardFiles = Effect.fnUntraced(function* (workspace: WorkspaceId, lists: ReadonlySet<string>) {
    for (const list of lists) {
      yield* deleteListFiles(workspace, list)
      yield* sql`
        UPDATE jobs SET status = 'pending', lease = NULL
        WHERE subject = ${list} AND workspace_id = ${workspace} AND type = 'list.file' AND status = 'processing'`
    }
  })

  const eraseText = Effect.fnUntraced(function* (
    workspace: WorkspaceId,
    address: string,
    text: FoundText,
    failed: Array<FoundColumn>
  ) {
    const rowKey = keyCondition(text.key)
    const rowCondition = sql`workspace_id = ${workspace} AND ${rowKey}`
    // The name is erased as a whole, because the row has the address.
    if (text.table === "omitted_rows" && text.column === "name") {
      yield* sql`UPDATE omitted_rows SET name = NULL WHERE workspace_id = ${workspace} AND ${rowKey}`
      return
    }
    // A digest still matches a repeated request, which would else be executed again and store the person again.
    if (text.table === "idempotency_keys" && text.column === "key") {
      const digest = digestOfKey({ workspace, operation: String(text.key["operation"]), key: text.text })
      yield* sql`UPDATE idempotency_keys SET key = ${digest} WHERE workspace_id = ${workspace} AND ${rowKey}`
      return
    }
    // Its lead may have been deleted with its list.
    if (isDeliveryAbout(text, address)) yield* eraseDeliveries(workspace, sql`id = ${text.key["id"]}`, failed)
    const column = sql.literal(text.column)
    // The text may have changed since it was found.
    const [row] = yield* sql<{ readonly text: string | null }>`
      SELECT ${column} AS text FROM ${sql(text.table)} WHERE ${rowCondition}`
    if (typeof row?.text !== "string") return
    const { redact } = isComposed(text) ? makeComposedMatcher(address) : makeMatcher(address)
    yield* sql`UPDATE ${sql(text.table)} SET ${column} = ${redact(row.text)} WHERE ${rowCondition}`
  })

  const eraseInWorkspace = Effect.fnUntraced(function* (address: string, person: FoundPerson, suppress: boolean) {
    const { workspace_id: workspace } = person
    const failed: Array<FoundColumn> = []
    const leads = yield* findLeads(workspace, address)
    const lists = new Set(leads.map(({ list_id }) => list_id))
    for (const lead of leads) yield* eraseLead(workspace, lead, failed)
    for (const text of person.texts) {
      yield* tryRow(text, failed, eraseText(workspace, address, text, failed))
      if (text.table !== "leads") continue
      const [row] = yield* sql<{ readonly list_id: string }>`
        SELECT list_id FROM leads WHERE id = ${text.key["id"]} AND workspace_id = ${workspace}`
      if (row !== undefined) lists.add(row.list_id)
    }
    for (const message of person.messages) yield* eraseExchange(workspace, message)
    for (const list of yield* findNotifiedLists(workspace, address)) {
      yield* sql`UPDATE lists SET recipient = NULL WHERE id = ${list} AND workspace_id = ${workspace}`
      yield* sql`DELETE FROM jobs WHERE subject = ${list} AND workspace_id = ${workspace} AND type = 'mail.completion'`
    }
    const digest = createHash("sha256").update(`${workspace} ${address}`).digest("hex")
    yield* sql`DELETE FROM recipients WHERE workspace_id = ${workspace} AND digest = ${digest}`
    yield* discardFiles(workspace, lists)
    // A running server keeps search indexes and the reasons of suppressed companies until this time changes.
    yield* sql`UPDATE workspaces SET updated_at = ${yield* now} WHERE id = ${workspace}`
    if (suppress) yield* suppressions.add(workspace, [{ value: address, reason: "Erased" }])
    return failed
  }, inTransaction(sql))

  const find = Effect.fn("Person.find")(function* (address: string) {
    const people = yield* Effect.forEach(yield* Effect.orDie(workspaces), (workspace) =>
      findInWorkspace(workspace, address)
    )
    return { found: people, mails: yield* findOutboxMails(address) }
  })

  return {
    find,

    /**
     * Erases what `find` returns, one transaction per workspace. `suppress` also adds the address to the suppression
     * lists. `failed` are the columns that could not be erased.
     */
    erase: Effect.fn("Person.erase")(function* (address: string, suppress: boolean) {
      const { found, mails } = yield* find(address)
      const failed = yield* Effect.forEach(found, (person) => eraseInWorkspace(address, person, suppress))
      yield* Effect.orDie(Effect.forEach(mails, (file) => fs.remove(file, { force: true }), { discard: true }))
      return { found, mails, failed: failed.flat() }
    })
  }
})
