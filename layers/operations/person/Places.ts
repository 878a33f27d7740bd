// layers/operations/person/Places.ts: the columns whose text may name a person.

export interface TextPlace {
  readonly table: string
  /** The columns that identify a row within its workspace. */
  readonly key: ReadonlyArray<string>
  readonly columns: ReadonlyArray<string>
}

/** Text in which an address is replaced. */
export const replaced: ReadonlyArray<TextPlace> = [
  { table: "conversations", key: ["id"], columns: ["title"] },
  { table: "import_texts", key: ["id"], columns: ["content"] },
  { table: "jobs", key: ["id"], columns: ["payload", "result", "error"] },
  { table: "previews", key: ["id"], columns: ["request", "answer", "error"] },
  { table: "sites", key: ["list_id", "site"], columns: ["facts"] },
  { table: "lists", key: ["id"], columns: ["custom_name", "options"] },
  { table: "leads", key: ["id"], columns: ["custom_fields", "sequence", "findings", "facts"] },
  { table: "idempotency_keys", key: ["operation", "key"], columns: ["answer"] }
]

/** Messages are emptied, since an answer about a person quotes what was written to that person. */
export const messages: TextPlace = {
  table: "messages",
  key: ["conversation_id", "position"],
  columns: ["content", "citations", "nearest"]
}

/** Your own texts, which are shown and not changed. */
export const kept: ReadonlyArray<TextPlace> = [
  { table: "signatures", key: ["id"], columns: ["signature_text"] },
  { table: "target_audiences", key: ["id"], columns: ["segment_name", "decision_makers", "additional_details"] },
  { table: "workspace_documents", key: ["type"], columns: ["content"] },
  { table: "campaign_documents", key: ["id"], columns: ["content"] },
  { table: "selections", key: ["campaign_id", "type"], columns: ["items", "additional_details"] },
  { table: "asset_options", key: ["id"], columns: ["name", "description"] },
  { table: "playbooks", key: ["campaign_id"], columns: ["content"] }
]
