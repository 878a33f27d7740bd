// layers/knowledge/Lists.ts: the lists of a campaign, and the leads and emails that a question names.
import { Array as Arr, Effect, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import type { KnowledgeFile, LeadReference } from "#layers/answerer/Answer.ts"
import { makeCompanyLookup } from "#layers/generation/KnownLeads.ts"
import { Suppressions } from "#layers/Suppressions.ts"
import { removeContacts } from "#layers/text/Contacts.ts"
import { renderDocument, renderBullets, renderSection } from "#layers/text/Markdown.ts"
import { companyName } from "#layers/text/CompanyNames.ts"
import { isStopWord, wordTokens } from "#layers/text/Words.ts"
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
  leads: Schema.Int,
  emails: Schema.Int,
  failed: Schema.Int
})

/** The newest lists of a campaign, and totals of all. */
export interface ListsSummary {
  readonly newest: ReadonlyArray<ListRow>
  readonly totals: ReadonlyArray<typeof TotalRow.Type>
  /** The number of leads and the summed length of their columns, which change when leads are added or deleted. */
  readonly rows: { readonly leads: number; readonly length: number }
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
  list_id: Schema.String,
  custom_name: ListRow.fields.custom_name,
  created_at: Schema.String,
  company_website: Schema.NullOr(Schema.String),
  custom_fields: Schema.NullOr(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown)))
})

/** Leads whose columns are searched, newest lists first. */
const maxRows = 2000

/** Lists in the document, newest first. */
const maxLists = 100
/** Lists and leads searched by name. */
const maxSearched = 1000
const maxLeads = 50_000
const page = 2000
const maxFound = 5

/** A list's name without contact data, because documents may be sent to a model. */
const nameOf = ({ custom_name, created_at }: Pick<ListRow, "custom_name" | "created_at">) =>
  removeContacts(custom_name ?? "") || `List of ${created_at.slice(0, 10)}`

const formatCount = (count: number, noun: string) => `${count} ${count === 1 ? noun : `${noun}s`}`

/** Skipped leads are not counted as leads, as in the console. */
const skippedText = (count: number) => (count === 0 ? "" : `${count} left out, `)

const describeList = (row: ListRow) =>
  `${nameOf(row)}: ${formatCount(row.leads_count - row.leads_skipped, "lead")}, ${formatCount(row.emails_created, "email")} written, ${row.leads_failed} failed, ${skippedText(row.leads_skipped)}${row.processing_status.replaceAll("_", " ")}, created ${row.created_at.slice(0, 10)}`

const totalOf = (noun: string, { emails, failed, leads }: typeof TotalRow.Type) =>
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
          : [...newest.map(describeList), totalOf(`In all: ${formatCount(batch.lists, "list")}`, batch)]),
        ...(single === undefined ? [] : [totalOf("Written one at a time, outside of lists", single)])
      ])
    )
  )
}

/** How many written leads have each review, in all lists of the campaign. */
const reviewsFile = (
  counts: ReadonlyArray<{ readonly review: ReviewStatus; readonly leads: number }>
): KnowledgeFile => {
  const countOf = (status: ReviewStatus) => counts.find(({ review }) => review === status)?.leads ?? 0
  const total = ReviewStatus.literals.reduce((sum, status) => sum + countOf(status), 0)
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
          : `Of ${formatCount(total, "lead")} with emails in the lists of this campaign, ${countOf("approved")} ${countOf("approved") === 1 ? "is" : "are"} approved, ${countOf("rejected")} rejected and ${countOf("open")} open.`
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
const matchesReference = ({ company, email, name, title }: PersonRow, named: LeadReference): boolean => {
  if (named.addresses.length > 0) return named.addresses.includes(email.toLowerCase())
  const [person, firm, role] = [foldWords(name), foldWords(companyName(company) ?? company), foldWords(title)]
  const brand = firm.find((word) => word !== "the") ?? ""
  const own = new Set([...person, ...foldWords(company), ...role])
  return named.names.some(({ isMarked, words: questionWords }) => {
    const nameWords = foldWords(questionWords.join(" "))
    const isKnown = nameWords.some((word) => person.includes(word) || word === brand)
    return (
      nameWords.every((word) => own.has(word)) &&
      (isKnown
        ? isMarked || nameWords.length > 1
        : named.byTitle && role.length > 0 && role.every((word) => nameWords.includes(word) || isStopWord(word)))
    )
  })
}

const leadHeading = (lead: LeadRow) => {
  const about = [lead.title, lead.company, lead.email].filter((part) => (part ?? "") !== "").join(", ")
  return `${lead.name || lead.email} (${about})`.replace(/\s+/g, " ")
}

const notWrittenReason = ({ error, status }: LeadRow) => `No email was written: ${error ?? status}`

const maxShown = 20

/** A document with the leads of one list, one per line. */
const groupFile = (
  row: ListRow,
  group: NonNullable<LeadReference["group"]>,
  rows: ReadonlyArray<LeadRow>
): KnowledgeFile => {
  const failed = group === "failed"
  const leads = row.leads_count - row.leads_skipped
  const count = failed ? row.leads_failed : leads
  const shown = rows.map((lead) => `${leadHeading(lead)}${failed ? `: ${notWrittenReason(lead)}` : ""}`)
  return {
    file_id: null,
    filename: nameOf(row),
    source: "lists",
    link: `/#/lists/${row.id}`,
    content: renderDocument(
      nameOf(row),
      renderSection(
        failed ? `${count} of ${formatCount(leads, "lead")} of ${nameOf(row)} failed` : `Leads of ${nameOf(row)}`,
        renderBullets([...shown, ...(count > shown.length ? [`${count - shown.length} more`] : [])])
      )
    )
  }
}

/** The lists with the most words in common with the question; all lists if there are none. */
const listsNamed = (rows: ReadonlyArray<ListRow>, { words: questionWords }: LeadReference): ReadonlyArray<ListRow> => {
  const score = (row: ListRow) =>
    wordTokens(nameOf(row).toLowerCase()).filter(
      (word) =>
        word.length > 2 && !/^(?:list|lists|leads|the|and|for)$/.test(word) && containsWords(questionWords, word)
    ).length
  const best = Math.max(0, ...rows.map(score))
  return best === 0 ? rows : rows.filter((row) => score(row) === best)
}

const leadFile = (row: ListRow, lead: LeadRow): KnowledgeFile => {
  const emails = lead.sequence ?? []
  return {
    file_id: null,
    filename: nameOf(row),
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

const labelOf = (key: string) => key.charAt(0).toUpperCase() + key.slice(1).replaceAll("_", " ")

const linkOf = ({ list_id, position }: Pick<typeof LeadColumnsRow.Type, "list_id" | "position">) =>
  `/#/lists/${list_id}/${position + 1}`

/** A lead with its columns on one line, so that any of them can be searched. */
const rowFile = (row: typeof LeadColumnsRow.Type): KnowledgeFile => {
  const fields = Object.entries(row.custom_fields ?? {}).map(([key, value]) => `${labelOf(key)}: ${String(value)}`)
  const about = [row.title, row.company, ...fields].filter((part) => (part ?? "").trim() !== "").join("; ")
  return {
    file_id: null,
    filename: nameOf(row),
    title: row.title ?? "",
    source: "lead",
    link: linkOf(row),
    content: `# Lead: ${row.name || row.email}\n\n- ${(about || row.email).replace(/\s+/g, " ")}`
  }
}

/** Leads that are looked at before other requests get their turn. */
const leadsPerTurn = 200

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const companiesOf = yield* makeCompanyLookup
  const suppressions = yield* Suppressions
  const Key = Schema.Struct({ workspace: Schema.String, campaign: Schema.String })
  const lists = SqlSchema.findAll({
    Request: Key,
    Result: ListRow,
    execute: ({ campaign, workspace }) => sql`
      SELECT id, kind, custom_name, processing_status, leads_count, leads_failed, leads_skipped, emails_created, created_at, updated_at
      FROM lists WHERE campaign_id = ${campaign} AND workspace_id = ${workspace}
      ORDER BY created_at DESC, id DESC LIMIT (0 + ${maxSearched})`
  })
  const batches = SqlSchema.findAll({
    Request: Key,
    Result: ListRow,
    execute: ({ campaign, workspace }) => sql`
      SELECT id, kind, custom_name, processing_status, leads_count, leads_failed, leads_skipped, emails_created, created_at, updated_at
      FROM lists WHERE campaign_id = ${campaign} AND workspace_id = ${workspace} AND kind = 'batch'
      ORDER BY created_at DESC, id DESC LIMIT (0 + ${maxLists})`
  })
  const totals = SqlSchema.findAll({
    Request: Key,
    Result: TotalRow,
    execute: ({ campaign, workspace }) => sql`
      SELECT kind, CAST(COUNT(*) AS INTEGER) AS lists, CAST(SUM(leads_count - leads_skipped) AS INTEGER) AS leads,
        CAST(SUM(emails_created) AS INTEGER) AS emails, CAST(SUM(leads_failed) AS INTEGER) AS failed
      FROM lists WHERE campaign_id = ${campaign} AND workspace_id = ${workspace} GROUP BY kind`
  })
  const rowsOf = SqlSchema.findAll({
    Request: Key,
    Result: LeadColumnsRow,
    execute: ({ campaign, workspace }) => sql`
      SELECT p.position, p.email, p.name, p.company, p.title, p.company_website, p.custom_fields, p.list_id, l.custom_name, l.created_at
      FROM lists l JOIN leads p ON p.list_id = l.id
      WHERE l.campaign_id = ${campaign} AND l.workspace_id = ${workspace} AND p.workspace_id = ${workspace}
      ORDER BY l.created_at DESC, l.id DESC, p.position LIMIT (0 + ${maxRows})`
  })
  const sizes = SqlSchema.findOne({
    Request: Key,
    Result: Schema.Struct({ leads: Schema.Int, length: Schema.Int }),
    execute: ({ campaign, workspace }) => sql`
      SELECT CAST(COUNT(*) AS INTEGER) AS leads, CAST(COALESCE(SUM(LENGTH(p.email) + LENGTH(COALESCE(p.name, ''))
        + LENGTH(COALESCE(p.title, '')) + LENGTH(COALESCE(p.company, '')) + LENGTH(COALESCE(p.custom_fields, ''))), 0) AS INTEGER) AS length
      FROM lists l JOIN leads p ON p.list_id = l.id
      WHERE l.campaign_id = ${campaign} AND l.workspace_id = ${workspace} AND p.workspace_id = ${workspace}`
  })
  const rows = (workspace: WorkspaceId, campaign: string) =>
    // Erased leads have no address.
    Effect.map(Effect.orDie(rowsOf({ workspace, campaign })), (found) =>
      found.filter(({ email }) => email !== "").map(rowFile)
    )

  /** The reasons against an email to a lead, by the link of its row, with those that are only possible. */
  const exclusions = Effect.fnUntraced(function* (workspace: WorkspaceId, campaign: string) {
    const found = new Map<string, string>()
    const companies = yield* companiesOf(workspace, campaign)
    const leads = (yield* Effect.orDie(rowsOf({ workspace, campaign }))).filter(({ email }) => email !== "")
    for (const part of Arr.chunksOf(leads, leadsPerTurn)) {
      const suppressed = yield* suppressions.reasons(workspace, part)
      const maybeSuppressed = yield* suppressions.possible(workspace, part)
      for (const [index, row] of part.entries()) {
        const { company, company_website, email } = row
        const lead = { email, company, company_website }
        const reason =
          suppressed[index] ??
          companies.known(lead)?.reason ??
          maybeSuppressed[index] ??
          companies.possible(lead)?.reason
        if (reason !== undefined) found.set(linkOf(row), reason)
      }
      yield* Effect.yieldNow
    }
    return found
  })

  const loadSummary = Effect.fnUntraced(function* (workspace: WorkspaceId, campaign: string) {
    const scope = { workspace, campaign }
    return { newest: yield* batches(scope), totals: yield* totals(scope), rows: yield* sizes(scope) }
  }, Effect.orDie)
  const Range = Schema.Struct({ workspace: Schema.String, list: Schema.String, from: Schema.Int })
  const people = SqlSchema.findAll({
    Request: Range,
    Result: PersonRow,
    execute: ({ from, list, workspace }) => sql`
      SELECT position, email, name, company, title FROM leads
      WHERE list_id = ${list} AND workspace_id = ${workspace} AND position >= ${from} ORDER BY position LIMIT (0 + ${page})`
  })
  const lead = SqlSchema.findAll({
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
      ORDER BY position LIMIT (0 + ${maxShown})`
  })
  const groups = Effect.fnUntraced(function* (workspace: WorkspaceId, campaign: string, named: LeadReference) {
    const { group } = named
    if (group === undefined || named.addresses.length > 0) return []
    const rows = listsNamed(
      (yield* lists({ workspace, campaign })).filter(({ kind }) => kind === "batch"),
      named
    )
    const found = yield* Effect.forEach(rows.slice(0, maxFound), (row) =>
      Effect.map(findGroupMembers({ workspace, list: row.id, group }), (leads) => ({ leads, row }))
    )
    return found.flatMap(({ leads, row }) => (leads.length === 0 ? [] : [groupFile(row, group, leads)]))
  })

  /** Reads in pages, so that a long list does not block other requests. */
  const findMatching = Effect.fnUntraced(function* (
    workspace: WorkspaceId,
    campaign: string,
    matches: (person: PersonRow) => boolean
  ) {
    const found: Array<{ readonly row: ListRow; readonly person: PersonRow }> = []
    let read = 0
    for (const row of yield* lists({ workspace, campaign })) {
      for (let from = 0; from < row.leads_count && read < maxLeads && found.length < maxFound; from += page) {
        const rows = yield* people({ workspace, list: row.id, from })
        read += rows.length
        for (const person of rows.filter(matches).slice(0, maxFound - found.length)) found.push({ row, person })
        yield* Effect.yieldNow
      }
    }
    return found
  })

  const find = Effect.fnUntraced(function* (workspace: WorkspaceId, campaign: string, named: LeadReference) {
    const people = yield* findMatching(workspace, campaign, (person) => matchesReference(person, named))
    const companies = new Set(people.flatMap(({ person }) => person.company ?? []))
    const found = named.colleagues
      ? yield* findMatching(
          workspace,
          campaign,
          (person) => person.company !== null && companies.has(person.company) && !matchesReference(person, named)
        )
      : people
    const leads = yield* Effect.forEach(found, ({ person, row }) =>
      lead({ workspace, list: row.id, from: person.position }).pipe(
        Effect.map((rows) => rows.map((each) => leadFile(row, each)))
      )
    )
    return leads.length > 0 ? leads.flat() : yield* groups(workspace, campaign, named)
  }, Effect.orDie)

  const reviewed = SqlSchema.findAll({
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
    Effect.map(Effect.orDie(reviewed({ workspace, campaign })), reviewsFile)

  return { exclusions, find, loadSummary, reviews, rows }
})
