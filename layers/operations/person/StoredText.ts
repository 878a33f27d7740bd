// layers/operations/person/StoredText.ts: the text columns that may contain personal data, and how an address or a name
// is found and removed in them.

export const erased = "[erased]"

const escapePattern = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")

/** Lower-cases ASCII letters only, like the databases do in these columns. */
const lowerCase = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/** The pattern for `lower(column) LIKE … ESCAPE '\'`. */
const likePattern = (text: string) => `%${lowerCase(text).replace(/[\\%_]/g, "\\$&")}%`

/** The end of a file name: texts name the files that they are from. Only `md` could also end a longer address. */
const fileExtension = "\\.(?:txt|md|csv|tsv|pdf|docx|xlsx)(?![\\w-]|\\.\\w)"

/**
 * Matches the whole address, not a longer one that contains it. Quotes, Markdown and the query of a link may stand before an
 * address, so most other characters that an address could begin with do not make it longer.
 */
const addressMatcher = (address: string) =>
  new RegExp(`(?<![\\w.%+~-]|\\w['&])${escapePattern(address)}(?=${fileExtension}|(?![\\w-]|\\.\\w))`, "gi")

/** Matches the address also in names that are composed of it, such as `cv-ann@x.example-2026`. */
const composedMatcher = (address: string) =>
  new RegExp(
    `(?<![\\p{L}\\p{N}])${escapePattern(address)}(?=${fileExtension}|(?![\\p{L}\\p{N}]|\\.[\\p{L}\\p{N}]))`,
    "giu"
  )

const nameMatcher = (name: string) => new RegExp(`(?<![\\p{L}\\p{N}])${escapePattern(name)}(?![\\p{L}\\p{N}])`, "giu")

export interface Matcher {
  /** LIKE patterns that find all matches, and possibly more. */
  readonly patterns: ReadonlyArray<string>
  readonly matches: (text: string) => boolean
  /** The text with each match replaced. JSON stays valid JSON. */
  readonly redact: (text: string) => string
}

/** A string in JSON, with its quotes. */
const stringLiteral = /"[^"\\]*(?:\\.[^"\\]*)*"/g

/**
 * Changes the strings in a text that is JSON, without recursion, because a text of any depth may be stored. Undefined if the text
 * is not JSON, or has a string that is too long for the expression.
 */
const changeDocument = (text: string, change: (text: string) => string) => {
  if (!/^\s*[[{"]/.test(text)) return undefined
  try {
    JSON.parse(text)
    return text.replace(stringLiteral, (literal) => {
      const value: string = JSON.parse(literal)
      const changed = change(value)
      return changed === value ? literal : JSON.stringify(changed)
    })
  } catch {
    return undefined
  }
}

const matcherOf = (texts: ReadonlyArray<string>, expressions: ReadonlyArray<RegExp>): Matcher => {
  const replaceMatches = (text: string) => expressions.reduce((rest, each) => rest.replace(each, erased), text)
  const redact = (text: string) => changeDocument(text, replaceMatches) ?? replaceMatches(text)
  return { patterns: texts.map(likePattern), matches: (text) => redact(text) !== text, redact }
}

/** Matches the address, and those names that have at least two words. */
export const makeMatcher = (address: string, names: ReadonlyArray<string> = []): Matcher => {
  const fullNames = names.filter((name) => /\S+\s+\S+/.test(name) && name.length >= 5)
  return matcherOf([address, ...fullNames], [addressMatcher(address), ...fullNames.map(nameMatcher)])
}

/** For the columns in `composedTexts`. */
export const makeComposedMatcher = (address: string): Matcher => matcherOf([address], [composedMatcher(address)])

export interface TextColumns {
  readonly table: string
  /** Columns that identify a row within its workspace. */
  readonly key: ReadonlyArray<string>
  readonly columns: ReadonlyArray<string>
}

/** Text in which matches are replaced. */
export const replaceInRow: ReadonlyArray<TextColumns> = [
  { table: "conversations", key: ["id"], columns: ["title"] },
  { table: "import_texts", key: ["id"], columns: ["content"] },
  { table: "jobs", key: ["id"], columns: ["payload", "result", "error", "failure"] },
  { table: "previews", key: ["id"], columns: ["request", "answer", "error", "failure"] },
  { table: "sites", key: ["list_id", "site"], columns: ["facts"] },
  { table: "lists", key: ["id"], columns: ["custom_name", "options", "custom_keys"] },
  // The owner of the workspace when the signature was made.
  { table: "signatures", key: ["id"], columns: ["created_by"] },
  { table: "omitted_rows", key: ["list_id", "position"], columns: ["email", "name", "reason"] },
  {
    table: "leads",
    key: ["id"],
    columns: [
      "name",
      "title",
      "company",
      "linkedin_url",
      "company_website",
      "custom_fields",
      "sequence",
      "findings",
      "facts",
      "error",
      "failure",
      "skipped"
    ]
  },
  { table: "email_versions", key: ["lead_id", "step", "version"], columns: ["subject", "body"] },
  { table: "lead_reviews", key: ["lead_id"], columns: ["review_note"] },
  { table: "webhook_deliveries", key: ["id"], columns: ["payload", "response", "error"] },
  { table: "suppressions", key: ["id"], columns: ["reason"] },
  { table: "idempotency_keys", key: ["operation", "key"], columns: ["answer"] }
]

/** Names that may be composed of an address. Matches are replaced; an Idempotency-Key becomes a digest. */
export const composedTexts: ReadonlyArray<TextColumns> = [
  { table: "import_texts", key: ["id"], columns: ["name"] },
  { table: "uploads", key: ["id"], columns: ["name"] },
  { table: "idempotency_keys", key: ["operation", "key"], columns: ["key"] }
]

/**
 * Copies of a campaign's texts: the versions of its playbook, and the briefs of its lists. Matches are replaced unless the
 * campaign itself still has the address.
 */
export const copiedTexts: ReadonlyArray<TextColumns> = [
  { table: "playbook_versions", key: ["campaign_id", "version"], columns: ["content"] },
  { table: "briefs", key: ["id"], columns: ["content"] },
  { table: "lists", key: ["id"], columns: ["brief"] }
]

/** Messages are erased as a whole, because an answer about a person quotes emails to that person. */
export const messageTexts: TextColumns = {
  table: "messages",
  key: ["conversation_id", "position"],
  columns: ["content", "citations", "nearest"]
}

/** Texts of the workspace's own, which are reported but not changed. */
export const reportedTexts: ReadonlyArray<TextColumns> = [
  { table: "api_keys", key: ["id"], columns: ["name"] },
  { table: "campaigns", key: ["id"], columns: ["name", "audience", "brief"] },
  { table: "webhooks", key: ["id"], columns: ["url", "description"] },
  { table: "signatures", key: ["id"], columns: ["signature_text", "signature_name"] },
  {
    table: "target_audiences",
    key: ["id"],
    columns: [
      "segment_name",
      "industry_vertical",
      "company_size",
      "annual_revenue",
      "geographic_location",
      "decision_makers",
      "additional_details"
    ]
  },
  { table: "workspace_documents", key: ["type"], columns: ["content", "profile"] },
  { table: "campaign_documents", key: ["id"], columns: ["content"] },
  { table: "selections", key: ["campaign_id", "type"], columns: ["items", "additional_details"] },
  { table: "asset_options", key: ["id"], columns: ["name", "description", "sentence"] },
  { table: "playbooks", key: ["campaign_id"], columns: ["content"] },
  { table: "credit_entries", key: ["id"], columns: ["note"] }
]
