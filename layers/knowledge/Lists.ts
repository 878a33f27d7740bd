// layers/knowledge/Lists.ts: the lists of a campaign, and the leads and emails that a question names.
import { Array as Arr, Effect, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import type { KnowledgeFile, LeadReference } from "#layers/answerer/Answer.ts"
import { makeCompanyLookup } from "#layers/generation/KnownLeads.ts"
import { startSpellingSearch, Suppressions } from "#layers/Suppressions.ts"
import { removeContacts } from "#layers/text/Contacts.ts"
import { renderDocument, renderBullets, renderSection } from "#layers/text/Markdown.ts"
import { companyName } from "#layers/text/CompanyNames.ts"
import { isStopWord, truncate, wordTokens } from "#layers/text/Words.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import { Sequence } from "#schema/Lead.ts"
import { ReviewStatus } from "#schema/ListLeads.ts"
import { ProcessingStatus } from "#schema/Lists.ts"

const ListRow = Schema.Struct({
  id: Schema.String,
  kind: Schema.Literals(["single", "batch"]),
  custom_name: Schema.NullOr(Schema.String),
  processing_status: ProcessingStatus,
  leads_count: Schema.Int,
  leads_failed: Schema.Int,
  leads_skipped: Schema.Int,
  emails_created: Schema.Int,
  created_at: Schema.String,
  updated_at: Schema.String
})
type ListRow = typeof ListRow.Type

const TotalRow = Schema.Struct({
  kind: ListRow.fields.kind,
  lists: Schema.Int,
  rows: Schema.Int,
  leads: Schema.Int,
  emails: Schema.Int,
  failed: Schema.Int
})

/** The newest lists of a campaign, and totals of all. */
export interface ListsSummary {
  readonly newest: ReadonlyArray<ListRow>
  readonly totals: ReadonlyArray<typeof TotalRow.Type>
  /** The leads whose columns are searched, newest lists first. */
  readonly searched: ReadonlyArray<LeadKey>
  /** The summed length of their columns, which changes when leads are added or deleted. */
  readonly length: number
  readonly unsearchedLeads: number
}

/** A lead, and the bytes of its columns. */
interface LeadKey {
  readonly id: string
  readonly length: number
}

const PersonRow = Schema.Struct({
  position: Schema.Int,
  email: Schema.String,
  name: Schema.NullOr(Schema.String),
  company: Schema.NullOr(Schema.String),
  title: Schema.NullOr(Schema.String)
})
type PersonRow = typeof PersonRow.Type

const LeadRow = Schema.Struct({
  ...PersonRow.fields,
  status: Schema.String,
  error: Schema.NullOr(Schema.String),
  sequence: Schema.NullOr(Schema.fromJsonString(Sequence))
})
type LeadRow = typeof LeadRow.Type

const LeadColumnsRow = Schema.Struct({
  ...PersonRow.fields,
  id: Schema.String,
  list_id: Schema.String,
  custom_name: ListRow.fields.custom_name,
  created_at: Schema.String,
  custom_fields: Schema.NullOr(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown)))
})

/** What is compared with clients, competitors and the suppression list. */
const ContactRow = Schema.Struct({
  id: Schema.String,
  position: Schema.Int,
  email: Schema.String,
  company: Schema.NullOr(Schema.String),
  company_website: Schema.NullOr(Schema.String),
  list_id: Schema.String
})

/** Leads whose columns are searched, newest lists first. */
const maxRows = 2000
/** Bytes of columns that are searched, where a lead counts at most with `maxRowLength`. */
const maxSearchedLength = 4_000_000
/** Characters of a lead's row, of one of its columns, and of its name. */
const maxRowLength = 4000
const maxCellLength = 1000
const maxNameLength = 200
/** Leads read at once, and the bytes of their columns. */
const maxPieceLeads = 50
const maxPieceLength = 100_000

/** Lists in the document, newest first. */
const maxLists = 100
/** Lists and leads searched by name. */
const maxSearchedLists = 1000
const maxLeads = 50_000
const peoplePerPage = 200
const maxResults = 5

/** A list's name without contact data, because documents may be sent to a model. */
const listName = ({ custom_name, created_at }: Pick<ListRow, "custom_name" | "created_at">) =>
  removeContacts(custom_name ?? "") || `List of ${created_at.slice(0, 10)}`

const formatCount = (count: number, noun: string) => `${count} ${count === 1 ? noun : `${noun}s`}`

/** Skipped leads are not counted as leads, as in the console. */
const skippedText = (count: number) => (count === 0 ? "" : `${count} left out, `)

const describeList = (row: ListRow) =>
  `${listName(row)}: ${formatCount(row.leads_count - row.leads_skipped, "lead")}, ${formatCount(row.emails_created, "email")} written, ${row.leads_failed} failed, ${skippedText(row.leads_skipped)}${row.processing_status.replaceAll("_", " ")}, created ${row.created_at.slice(0, 10)}`

const describeTotal = (noun: string, { emails, failed, leads }: typeof TotalRow.Type) =>
  `${noun}: ${formatCount(leads, "lead")}, ${formatCount(emails, "email")} written, ${failed} failed`

/** Lists of a single lead are only counted, because they are named after the lead. */
export const listsDocument = ({ newest, totals }: Pick<ListsSummary, "newest" | "totals">): string => {
  const [batch, single] = [totals.find(({ kind }) => kind === "batch"), totals.find(({ kind }) => kind === "single")]
  return renderDocument(
    "Lists",
    renderSection(
      "Lists of this campaign, newest first",
      renderBullets([
        ...(batch === undefined
          ? single === undefined
            ? ["There are no lists yet."]
            : []
          : [...newest.map(describeList), describeTotal(`In all: ${formatCount(batch.lists, "list")}`, batch)]),
        ...(single === undefined ? [] : [describeTotal("Written one at a time, outside of lists", single)])
      ])
    )
  )
}

/** How many written leads have each review, in all lists of the campaign. */
const reviewsFile = (
  counts: ReadonlyArray<{ readonly review: ReviewStatus; readonly leads: number }>
): KnowledgeFile => {
  const leadCount = (status: ReviewStatus) => counts.find(({ review }) => review === status)?.leads ?? 0
  const total = ReviewStatus.literals.reduce((sum, status) => sum + leadCount(status), 0)
  return {
    file_id: null,
    filename: "Reviews",
    source: "lists",
    link: "/#/lists",
    content: renderDocument(
      "Reviews",
      renderSection(
        "Reviews of this campaign's leads",
        total === 0
          ? "No lead of this campaign has emails yet."
          : `Of ${formatCount(total, "lead")} with emails in the lists of this campaign, ${leadCount("approved")} ${leadCount("approved") === 1 ? "is" : "are"} approved, ${leadCount("rejected")} rejected and ${leadCount("open")} open.`
      )
    )
  }
}

const containsWords = (text: string, name: string) => name.length > 1 && ` ${text} `.includes(` ${name} `)

/** A key that is equal for spellings of a name: "Müller" and "Mueller", "Schöllhammer" and "Schollhamer". */
const foldWords = (text: string | null) =>
  wordTokens(
    (text ?? "")
      .toLowerCase()
      .replace(/([aou])e/g, "$1")
      .normalize("NFD")
      .replace(/[\p{M}']/gu, "")
      .replace(/(.)\1/gu, "$1")
  )

/** Every word of the name must match: Jane Poole is not Jane Poe. */
const makeMatcher = (reference: LeadReference) => {
  const names = reference.names.map(({ isMarked, words }) => ({ isMarked, nameWords: foldWords(words.join(" ")) }))
  return (person: PersonRow): boolean => matchesReference(person, reference, names)
}

const matchesReference = (
  { company, email, name, title }: PersonRow,
  reference: LeadReference,
  names: ReadonlyArray<{ readonly isMarked: boolean; readonly nameWords: ReadonlyArray<string> }>
): boolean => {
  if (reference.addresses.length > 0) return reference.addresses.includes(email.toLowerCase())
  if (names.length === 0) return false
  const [person, firm, role] = [foldWords(name), foldWords(companyName(company) ?? company), foldWords(title)]
  const brandWord = firm.find((word) => word !== "the") ?? ""
  const personWords = new Set([...person, ...foldWords(company), ...role])
  return names.some(({ isMarked, nameWords }) => {
    const matchesNameOrBrand = nameWords.some((word) => person.includes(word) || word === brandWord)
    return (
      nameWords.every((word) => personWords.has(word)) &&
      (matchesNameOrBrand
        ? isMarked || nameWords.length > 1
        : reference.byTitle && role.length > 0 && role.every((word) => nameWords.includes(word) || isStopWord(word)))
    )
  })
}

const leadHeading = (lead: LeadRow) => {
  const details = [lead.title, lead.company, lead.email].filter((part) => (part ?? "") !== "").join(", ")
  return `${lead.name || lead.email} (${details})`.replace(/\s+/g, " ")
}

const notWrittenReason = ({ error, status }: LeadRow) => `No email was written: ${error ?? status}`

const maxGroupLeads = 20

/** A document with the leads of one list, one per line. */
const groupFile = (
  row: ListRow,
  group: NonNullable<LeadReference["group"]>,
  rows: ReadonlyArray<LeadRow>
): KnowledgeFile => {
  const isFailedGroup = group === "failed"
  const leads = row.leads_count - row.leads_skipped
  const count = isFailedGroup ? row.leads_failed : leads
  const lines = rows.map((lead) => `${leadHeading(lead)}${isFailedGroup ? `: ${notWrittenReason(lead)}` : ""}`)
  return {
    file_id: null,
    filename: listName(row),
    source: "lists",
    link: `/#/lists/${row.id}`,
    content: renderDocument(
      listName(row),
      renderSection(
        isFailedGroup
          ? `${count} of ${formatCount(leads, "lead")} of ${listName(row)} failed`
          : `Leads of ${listName(row)}`,
        renderBullets([...lines, ...(count > lines.length ? [`${count - lines.length} more`] : [])])
      )
    )
  }
}

/** The lists with the most words in common with the question; all lists if there are none. */
const findNamedLists = (
  rows: ReadonlyArray<ListRow>,
  { words: questionWords }: LeadReference
): ReadonlyArray<ListRow> => {
  const score = (row: ListRow) =>
    wordTokens(listName(row).toLowerCase()).filter(
      (word) =>
        word.length > 2 && !/^(?:list|lists|leads|the|and|for)$/.test(word) && containsWords(questionWords, word)
    ).length
  const bestScore = Math.max(0, ...rows.map(score))
  return bestScore === 0 ? rows : rows.filter((row) => score(row) === bestScore)
}

const leadFile = (row: ListRow, lead: LeadRow): KnowledgeFile => {
  const emails = lead.sequence ?? []
  return {
    file_id: null,
    filename: listName(row),
    source: "lead",
    link: `/#/lists/${row.id}/${lead.position + 1}`,
    content: [
      `# ${leadHeading(lead)}`,
      ...(emails.length === 0 ? [notWrittenReason(lead)] : []),
      ...emails.flatMap(({ body, subject }, index) => [
        `**Email ${index + 1}. Subject: ${subject}**`,
        body.replace(/^#/gm, "\\#")
      ])
    ].join("\n\n")
  }
}

const fieldLabel = (key: string) => key.charAt(0).toUpperCase() + key.slice(1).replaceAll("_", " ")

const leadLink = ({ list_id, position }: Pick<typeof LeadColumnsRow.Type, "list_id" | "position">) =>
  `/#/lists/${list_id}/${position + 1}`

/** A text on one line, with an ellipsis if it is cut. */
const toLine = (text: string, maxLength: number) =>
  (text.length > maxLength ? `${truncate(text, maxLength)}…` : text).replace(/\s+/g, " ")

/** A lead with its columns on one line, so that any of them can be searched. */
const rowFile = (row: typeof LeadColumnsRow.Type): KnowledgeFile => {
  const fields = Object.entries(row.custom_fields ?? {}).map(([key, value]) => `${fieldLabel(key)}: ${String(value)}`)
  const cells = [row.title ?? "", row.company ?? "", ...fields].filter((cell) => cell.trim() !== "")
  const details = cells.map((cell) => toLine(cell, maxCellLength)).join("; ")
  const isCut = details.length > maxRowLength || cells.some((cell) => cell.length > maxCellLength)
  return {
    file_id: null,
    filename: listName(row),
    title: truncate(row.title ?? "", maxNameLength),
    source: "lead",
    link: leadLink(row),
    ...(isCut ? { isCut } : {}),
    content: `# Lead: ${toLine(row.name || row.email, maxNameLength)}\n\n- ${toLine(details || row.email, maxRowLength)}`
  }
}

/** The leads in pieces that are quickly read. */
const inPieces = (keys: ReadonlyArray<LeadKey>): ReadonlyArray<ReadonlyArray<LeadKey>> => {
  const pieces: Array<Array<LeadKey>> = []
  let length = Infinity
  for (const key of keys) {
    if (length + key.length > maxPieceLength || pieces.at(-1)?.length === maxPieceLeads) {
      pieces.push([])
      length = 0
    }
    pieces.at(-1)?.push(key)
    length += key.length
  }
  return pieces
}

/** Leads compared before yielding to other requests. */
const leadsPerTurn = 10

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const makeLookup = yield* makeCompanyLookup
  const suppressions = yield* Suppressions
  const Key = Schema.Struct({ workspace: Schema.String, campaign: Schema.String })
  const findLists = SqlSchema.findAll({
    Request: Key,
    Result: ListRow,
    execute: ({ campaign, workspace }) => sql`
      SELECT id, kind, custom_name, processing_status, leads_count, leads_failed, leads_skipped, emails_created, created_at, updated_at
      FROM lists WHERE campaign_id = ${campaign} AND workspace_id = ${workspace}
      ORDER BY created_at DESC, id DESC LIMIT (0 + ${maxSearchedLists})`
  })
  const findBatches = SqlSchema.findAll({
    Request: Key,
    Result: ListRow,
    execute: ({ campaign, workspace }) => sql`
      SELECT id, kind, custom_name, processing_status, leads_count, leads_failed, leads_skipped, emails_created, created_at, updated_at
      FROM lists WHERE campaign_id = ${campaign} AND workspace_id = ${workspace} AND kind = 'batch'
      ORDER BY created_at DESC, id DESC LIMIT (0 + ${maxLists})`
  })
  const findTotals = SqlSchema.findAll({
    Request: Key,
    Result: TotalRow,
    execute: ({ campaign, workspace }) => sql`
      SELECT kind, CAST(COUNT(*) AS INTEGER) AS lists, CAST(SUM(leads_count) AS INTEGER) AS rows, CAST(SUM(leads_count - leads_skipped) AS INTEGER) AS leads,
        CAST(SUM(emails_created) AS INTEGER) AS emails, CAST(SUM(leads_failed) AS INTEGER) AS failed
      FROM lists WHERE campaign_id = ${campaign} AND workspace_id = ${workspace} GROUP BY kind`
  })
  const Piece = Schema.Struct({ workspace: Schema.String, ids: Schema.Array(Schema.String) })
  const findLeadColumns = SqlSchema.findAll({
    Request: Piece,
    Result: LeadColumnsRow,
    execute: ({ ids, workspace }) => sql`
      SELECT p.id, p.position, p.email, p.name, p.company, p.title, p.custom_fields, p.list_id, l.custom_name, l.created_at
      FROM leads p JOIN lists l ON l.id = p.list_id
      WHERE p.workspace_id = ${workspace} AND l.workspace_id = ${workspace} AND ${sql.in("p.id", ids)}`
  })
  const findContacts = SqlSchema.findAll({
    Request: Piece,
    Result: ContactRow,
    execute: ({ ids, workspace }) => sql`
      SELECT id, position, email, company, company_website, list_id FROM leads
      WHERE workspace_id = ${workspace} AND ${sql.in("id", ids)}`
  })
  /** The newest leads. Their columns are measured by bytes, which needs no reading of them, because they may have 100 MB. */
  const findNewestKeys = (workspace: WorkspaceId, campaign: string) =>
    sql<LeadKey>`
      SELECT p.id, CAST(octet_length(p.email) + COALESCE(octet_length(p.name), 0) + COALESCE(octet_length(p.title), 0)
        + COALESCE(octet_length(p.company), 0) + COALESCE(octet_length(p.custom_fields), 0) AS INTEGER) AS length
      FROM lists l JOIN leads p ON p.list_id = l.id
      WHERE l.campaign_id = ${campaign} AND l.workspace_id = ${workspace} AND p.workspace_id = ${workspace}
      ORDER BY l.created_at DESC, l.id DESC, p.position LIMIT (0 + ${maxRows})`
  /** Reads leads in pieces; erased ones, which have no address, are left out. */
  const readInPieces = Effect.fnUntraced(function* <A extends { readonly id: string; readonly email: string }, B>(
    workspace: WorkspaceId,
    keys: ReadonlyArray<LeadKey>,
    read: (piece: typeof Piece.Type) => Effect.Effect<ReadonlyArray<A>, unknown>,
    map: (row: A) => B
  ) {
    const results: Array<B> = []
    for (const piece of inPieces(keys)) {
      const found = yield* Effect.orDie(read({ workspace, ids: piece.map(({ id }) => id) }))
      const rowById = new Map(found.map((row) => [row.id, row]))
      for (const { id } of piece) {
        const row = rowById.get(id)
        if (row !== undefined && row.email !== "") results.push(map(row))
      }
      yield* Effect.yieldNow
    }
    return results
  })
  const rows = (workspace: WorkspaceId, { searched }: ListsSummary) =>
    readInPieces(workspace, searched, findLeadColumns, rowFile)

  /** The reasons not to write to leads, certain and possible ones, by the link of the lead. */
  const exclusions = Effect.fnUntraced(function* (workspace: WorkspaceId, campaign: string) {
    const reasonsByLink = new Map<string, string>()
    const companies = yield* makeLookup(workspace, campaign)
    const search = startSpellingSearch()
    const keys = yield* Effect.orDie(findNewestKeys(workspace, campaign))
    const leads = yield* readInPieces(
      workspace,
      keys.map(({ id }) => ({ id, length: 0 })),
      findContacts,
      (row) => row
    )
    for (const part of Arr.chunksOf(leads, leadsPerTurn)) {
      const suppressed = yield* suppressions.findReasons(workspace, part)
      const maybeSuppressed = yield* suppressions.findPossibleReasons(workspace, part, search)
      for (const [index, row] of part.entries()) {
        const { company, company_website, email } = row
        const lead = { email, company, company_website }
        const reason =
          suppressed[index] ??
          companies.findKnown(lead)?.reason ??
          maybeSuppressed[index] ??
          companies.findPossible(lead)?.reason
        if (reason !== undefined) reasonsByLink.set(leadLink(row), reason)
      }
      yield* Effect.yieldNow
    }
    return reasonsByLink
  })

  const loadSummary = Effect.fnUntraced(function* (workspace: WorkspaceId, campaign: string) {
    const scope = { workspace, campaign }
    const newest = yield* findBatches(scope)
    const totals = yield* findTotals(scope)
    const keys = yield* findNewestKeys(workspace, campaign)
    let searchedLength = 0
    const searched = keys.filter(({ length }) => {
      searchedLength += Math.min(length, maxRowLength)
      return searchedLength <= maxSearchedLength
    })
    const leads = totals.reduce((total, { rows }) => total + rows, 0)
    return {
      newest,
      totals,
      searched,
      length: keys.reduce((total, { length }) => total + length, 0),
      // A batch counts leads that are not stored yet.
      unsearchedLeads:
        searched.length < Math.min(keys.length, maxRows) || keys.length === maxRows ? leads - searched.length : 0
    } satisfies ListsSummary
  }, Effect.orDie)
  const Range = Schema.Struct({ workspace: Schema.String, list: Schema.String, from: Schema.Int })
  const findPeople = SqlSchema.findAll({
    Request: Range,
    Result: PersonRow,
    execute: ({ from, list, workspace }) => sql`
      SELECT position, email, name, company, title FROM leads
      WHERE list_id = ${list} AND workspace_id = ${workspace} AND position >= ${from} ORDER BY position LIMIT (0 + ${peoplePerPage})`
  })
  const findLead = SqlSchema.findAll({
    Request: Range,
    Result: LeadRow,
    execute: ({ from, list, workspace }) => sql`
      SELECT position, email, name, company, title, status, error, sequence FROM leads
      WHERE list_id = ${list} AND workspace_id = ${workspace} AND position = ${from}`
  })

  const findGroupMembers = SqlSchema.findAll({
    Request: Schema.Struct({ workspace: Schema.String, list: Schema.String, group: Schema.String }),
    Result: LeadRow,
    execute: ({ group, list, workspace }) => sql`
      SELECT position, email, name, company, title, status, error, NULL AS sequence FROM leads
      WHERE list_id = ${list} AND workspace_id = ${workspace} AND (status = 'failed' OR (${group} = 'all' AND status <> 'skipped'))
      ORDER BY position LIMIT (0 + ${maxGroupLeads})`
  })
  const findGroups = Effect.fnUntraced(function* (workspace: WorkspaceId, campaign: string, reference: LeadReference) {
    const { group } = reference
    if (group === undefined || reference.addresses.length > 0) return []
    const rows = findNamedLists(
      (yield* findLists({ workspace, campaign })).filter(({ kind }) => kind === "batch"),
      reference
    )
    const groups = yield* Effect.forEach(rows.slice(0, maxResults), (row) =>
      Effect.map(findGroupMembers({ workspace, list: row.id, group }), (leads) => ({ leads, row }))
    )
    return groups.flatMap(({ leads, row }) => (leads.length === 0 ? [] : [groupFile(row, group, leads)]))
  })

  /** Reads in pages, so that a long list does not block other requests. */
  const findMatching = Effect.fnUntraced(function* (
    workspace: WorkspaceId,
    campaign: string,
    matches: (person: PersonRow) => boolean
  ) {
    const matching: Array<{ readonly row: ListRow; readonly person: PersonRow }> = []
    let readCount = 0
    for (const row of yield* findLists({ workspace, campaign })) {
      for (
        let firstPosition = 0;
        firstPosition < row.leads_count && readCount < maxLeads && matching.length < maxResults;
        firstPosition += peoplePerPage
      ) {
        const rows = yield* findPeople({ workspace, list: row.id, from: firstPosition })
        readCount += rows.length
        for (const person of rows.filter(matches).slice(0, maxResults - matching.length)) matching.push({ row, person })
        yield* Effect.yieldNow
      }
    }
    return matching
  })

  const find = Effect.fnUntraced(function* (workspace: WorkspaceId, campaign: string, reference: LeadReference) {
    const isNamed = makeMatcher(reference)
    const people = yield* findMatching(workspace, campaign, isNamed)
    const companies = new Set(people.flatMap(({ person }) => person.company ?? []))
    const matching = reference.colleagues
      ? yield* findMatching(
          workspace,
          campaign,
          (person) => person.company !== null && companies.has(person.company) && !isNamed(person)
        )
      : people
    const leads = yield* Effect.forEach(matching, ({ person, row }) =>
      findLead({ workspace, list: row.id, from: person.position }).pipe(
        Effect.map((rows) => rows.map((lead) => leadFile(row, lead)))
      )
    )
    return leads.length > 0 ? leads.flat() : yield* findGroups(workspace, campaign, reference)
  }, Effect.orDie)

  const countReviews = SqlSchema.findAll({
    Request: Key,
    Result: Schema.Struct({ review: ReviewStatus, leads: Schema.Int }),
    execute: ({ campaign, workspace }) => sql`
      SELECT COALESCE(r.review, 'open') AS review, CAST(COUNT(*) AS INTEGER) AS leads
      FROM lists l JOIN leads p ON p.list_id = l.id AND p.workspace_id = l.workspace_id
      LEFT JOIN lead_reviews r ON r.lead_id = p.id AND r.workspace_id = p.workspace_id
      WHERE l.campaign_id = ${campaign} AND l.workspace_id = ${workspace} AND p.status = 'completed'
      GROUP BY COALESCE(r.review, 'open')`
  })
  const reviews = (workspace: WorkspaceId, campaign: string) =>
    Effect.map(Effect.orDie(countReviews({ workspace, campaign })), reviewsFile)

  return { exclusions, find, loadSummary, reviews, rows }
})
