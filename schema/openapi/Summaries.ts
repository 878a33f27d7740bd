// schema/openapi/Summaries.ts: the summary of each operation in the reference, with details where its behaviour is not obvious.

/** The introduction of the reference. */
export const introduction = `Writes personalised cold-email sequences for sales leads.

- **Keys.** Send your API key as \`Authorization: Bearer\` or as \`X-API-Key\`. A key belongs to one workspace and sees nothing else. Each operation names the scope it needs.
- **From nothing to emails.** Create a campaign, choose its target audience, select social proof, lead magnet and risk reversal, have value propositions made, select some, and wait until build-status is ready. Then preview, write to one lead, or send a batch and export its list.
- **Background work** answers 202 with a job to poll; a batch is polled by its list, or followed by the events of that.
- **Errors** all have one form: \`error\`, a code for programs, \`message\` for people, \`request_id\` and sometimes \`detail\`. An invalid body is answered with all of its errors at once.
- **Pages.** Collections take \`limit\` and \`offset\` and answer \`has_more\` and \`total\`. A \`limit\` above 100 returns 100 rows, one below 1 returns 1.
- **Retries.** Where \`Idempotency-Key\` is taken, a retry does nothing twice. Generate and generate-batch take none: a retry writes and charges again.
- **Limits.** \`X-RateLimit-*\` show how many requests are left; after a 429, wait for \`Retry-After\` seconds.
- **Bodies.** JSON of at most 1 MiB, 4 MiB for suppressions or 32 MiB for a batch. Unknown fields and query parameters are ignored, misspelled ones too, and null counts as absent, except in workspace details, where it clears a field. Names of fields that are deprecated still work.`

/** The groups of operations: their names and what is in them. */
export const tags: Readonly<Record<string, readonly [name: string, description: string]>> = {
  campaigns: ["Campaigns", "Campaigns and how far each is built."],
  target_audiences: ["Target audiences", "The saved segments of the workspace."],
  build: ["Build", "The steps that build a campaign, each open to a person's review. They cost no credits."],
  playbook: [
    "Playbook",
    "The personas of a campaign, their messages, and the templates that leads are written from. Editing it costs no credits."
  ],
  preview: ["Preview", "Sample emails of a campaign, before you write to real leads."],
  generation: ["Generation", "Emails for one lead or for many."],
  lint: ["Lint", "The checker, for any text."],
  lead_files: ["Lead files", "Files of leads, read before anything is written or charged."],
  lists: ["Lists", "Batches of leads, their progress and results."],
  jobs: ["Jobs", "Background work."],
  signatures: ["Signatures", "Saved email signatures."],
  suppressions: ["Suppression list", "Addresses and domains that must not be written to."],
  credits: ["Credits", "The balance and use of credits."],
  workspace: ["Workspace", "The company profile, and the research that is made from it."],
  agent: ["Agent", "Questions about a campaign."],
  health: ["Health", "Whether the service is up."],
  files: ["Files", "Files behind signed links."]
}

export const summaries: Readonly<Record<string, readonly [summary: string, description?: string]>> = {
  health: ["Whether the service is up", "Needs no key. 503 when the store does not answer."],
  listCampaigns: ["List campaigns, newest first"],
  createCampaign: [
    "Create an empty campaign",
    "Counts as one campaign build of the plan, also when the campaign is deleted later. `detail.missing` of a NOT_READY names what the workspace lacks."
  ],
  renameCampaign: ["Rename a campaign"],
  deleteCampaign: [
    "Delete a campaign",
    "Its lists stay readable and exportable with `campaign_id` null; what they cost stays in the ledger. Refused while one of them is being written."
  ],
  branchCampaign: [
    "Branch a campaign",
    "A new campaign with the source's choices before `branch_from_step`; that step and the later ones are open. Branching from target-audience links the segment that is sent and starts its research. Counts as a campaign build."
  ],
  listCampaignDocuments: ["List the documents of a campaign", "Links open for 15 minutes."],
  getSelections: [
    "Get the selections of a campaign",
    "With edits applied; null for steps that were not submitted yet."
  ],
  getBuildStatus: [
    "Get the build status of a campaign",
    "Generate once `overall` is ready, or while it is building: then writing starts by itself."
  ],
  listTargetAudiences: ["List saved segments", "`q` searches all texts of a segment, ignoring case."],
  setTargetAudience: [
    "Choose the target audience",
    "A saved segment by its id, updated with the other fields of the request; with `is_custom_target_audience` a segment of your own, which is saved under its name. Its research runs in the background; the same segment again changes nothing."
  ],
  listAssetOptions: ["List the options of a step", "While `ready` is false they are still being generated."],
  selectAssets: [
    "Select options of a step",
    "Replaces the previous selection, which may be empty for all but value propositions. Selecting value propositions starts the build and answers 202 with its job."
  ],
  generateValuePropositions: [
    "Generate value propositions",
    "Needs the target audience and the three selections before it. While generation runs, its job is returned."
  ],
  getPlaybook: [
    "Get the playbook of a campaign",
    "Drafted by the first build; NOT_READY before that. `missing` lists sentences that would make the emails better."
  ],
  updatePlaybook: [
    "Update a playbook",
    "Approves it, or sets the phrases to avoid and how leads are written to. Lists that were accepted before keep the playbook they were accepted with."
  ],
  createPersona: [
    "Create a persona",
    "Its templates are drafted from its message at once. CONFLICT when the playbook has 8 personas."
  ],
  updatePersona: [
    "Update a persona",
    "A changed message drafts the templates that were not edited again, without a model; use redraft for a model's draft. Edited templates stay and become `stale`."
  ],
  deletePersona: [
    "Delete a persona",
    "Its leads get the emails of Everyone else, which cannot be deleted. A rebuild does not bring it back unless it has new titles."
  ],
  createTemplate: [
    "Add a template to a step",
    "A variant: each lead always gets the same one of its step. CONFLICT when the step has 3."
  ],
  updateTemplate: [
    "Update a template",
    "A Liquid error, an unknown variable or a variable without a fallback is a BAD_REQUEST that names the line and column. The text of the draft makes the template unedited again."
  ],
  deleteTemplate: ["Delete a template", "CONFLICT when it is the only one of its step."],
  resetTemplate: ["Reset a template to its draft", "CONFLICT when a person added it."],
  redraftPlaybook: [
    "Draft templates again",
    "In the background, for one persona or all; edited templates stay, and the playbook becomes a draft. While a redraft runs, its job is returned. An instruction needs a model."
  ],
  tryPlaybook: [
    "Write to one lead from the templates",
    "Free, and stores nothing. Shows which persona the lead gets and why, and the findings of each email."
  ],
  routeTitle: ["Find the persona of a job title"],
  previewCampaign: [
    "Preview emails for five invented leads",
    "Leads that fit the campaign's segment, on reserved domains, under the headers of your own file. Five credits, charged at once; one comes back for each lead that fails, all of them when none succeeds."
  ],
  listPreviews: [
    "List the previews of a campaign, newest first",
    "Those that were written; one that failed cost nothing."
  ],
  getPreview: ["Read a preview again", "Kept until its campaign is deleted or it is pruned."],
  generate: [
    "Write to one lead and wait",
    "Can take minutes with a model: use a timeout of 300 seconds or more. The lead is a list of one that outlives the connection; find it by GET /lists. One credit, held at once, charged when the sequence is stored; two with `enrichment_enabled`, which reads the site of the lead's company first. UNPROCESSABLE for a lead on the suppression list."
  ],
  generateBatch: [
    "Write to many leads in the background",
    "Up to 50,000 leads; equal leads are separate ones, unless you send `skip_duplicates`. Leads on the suppression list are left out: the list shows each as `skipped` with its reason. BAD_REQUEST when every lead is left out. One credit for each lead that succeeds, two with `enrichment_enabled`, which reads the sites of the leads' companies first, each once. Follow GET /lists/:id/events, or poll GET /lists/:id; a mail with a link to the CSV goes to `notification_email`, or to the workspace's owner."
  ],
  lint: [
    "Check an email or a template",
    "Returns findings with their exact positions, and claims with the source that supports each. With `campaign_id` the text is compared with what that campaign supplies; without it `supported` is null and no claim fails. With `template` errors of the Liquid are findings too. Writes nothing and costs no credits."
  ],
  readLeadFile: [
    "Read a file of leads",
    "A .csv, .tsv or .xlsx file in one part named `file`, at most 50,000 leads. Columns are recognised by their headers or content; others become custom fields. Returns the leads in the form that generate-batch takes, and the rows that give none. Formulas count by the result that was saved with them. Stores nothing and costs no credits."
  ],
  listLists: [
    "List batches of leads, newest first",
    "Generate makes a list of one lead each time: `source=batch` leaves those out."
  ],
  getList: ["Get a list", "`progress` while it is being written or pending; counts once it is completed."],
  followList: [
    "Follow the progress of a list",
    "Server-sent events: `progress` at once and whenever it changes, `end` with the list when it is completed or has failed; then the stream ends. A pending list is sent as `progress` with `pending`, and the stream continues. A comment is sent every 15 seconds. If the stream ends with `retry` instead of `end`, the key was revoked, the list was deleted or the server is stopping: connect again, or poll. A key may follow 50 lists at once."
  ],
  renameList: ["Rename a list"],
  deleteList: ["Delete a list with its leads", "Its cost stays in the ledger. Refused while it is being written."],
  reprocessList: [
    "Resume a pending list",
    "A list is `pending` when credits ran out or the writer failed, or when its campaign changed before the build that it waited for: that one resumes when value propositions are selected again. Finished leads are not written again."
  ],
  exportList: ["Export the emails of a completed list", "The leads that succeeded, in the order they were sent."],
  listLeads: [
    "Read the leads of a list",
    "Each with its emails, their findings and sources, in the order they were sent; also while the list is being written, and including failed leads."
  ],
  getJob: ["Get a background job", "Needs a key of the workspace and no scope."],
  listSignatures: ["List saved signatures, newest first"],
  createSignature: ["Save a signature", "Its name is its first line that is not blank."],
  replaceSignature: ["Replace a signature's text"],
  deleteSignature: ["Delete a signature"],
  listSuppressions: ["List suppressed addresses and domains, newest first"],
  addSuppressions: [
    "Suppress addresses and domains",
    "Up to 10,000 at once. Batches leave out suppressed leads and charge nothing for them; leads that wait in a list are left out too. Generate is UNPROCESSABLE for one. What is written already stays."
  ],
  exportSuppressions: ["Export the suppression list"],
  deleteSuppression: ["Remove an entry", "Its leads can be written to again by later requests."],
  chat: [
    "Ask about a campaign",
    "Answered from its documents, selections, profile, imports, playbook and lists, with the passages cited; a question that they do not answer gets the nearest passages instead. Without `conversation_id` a new conversation begins. Costs no credits."
  ],
  listConversations: ["List conversations, newest activity first"],
  listMessages: ["List the messages of a conversation, oldest first"],
  getCredits: ["Get the credit account", "`balance` excludes credits held for leads being written."],
  checkCredits: ["Check whether credits suffice", "Includes pay-as-you-go."],
  getCreditUsage: [
    "Get credit use by day",
    "Of the current period, by UTC day. Refunds count on the day of the charge."
  ],
  getWorkspace: ["Get the workspace"],
  updateDetails: [
    "Change workspace details",
    "Omitted fields keep their value; null, an empty text or an empty list clears a field and counts as one. Documents are not regenerated."
  ],
  importDocument: [
    "Import a document",
    "One file part named `file`: .txt, .md, .csv, .pdf or .docx, at most 10 MB. Fills details that are still empty. The job is `completed` even if the file could not be read: see `result.status`."
  ],
  importUrl: [
    "Import a site",
    "Its home page and up to five linked pages. Fills details that are still empty. Only public addresses are fetched."
  ],
  listImports: [
    "List the imported documents and sites",
    "Questions about a campaign are answered from their texts where the profile and the campaign do not answer."
  ],
  getImport: ["Get the text of an import", "Without parts about other companies, and without struck-out text."],
  deleteImport: [
    "Delete the text of an import",
    "Questions are not answered from it any more. Details that it filled stay."
  ],
  listWorkspaceDocuments: ["List the documents of the workspace", "Links open for 15 minutes."],
  regenerate: [
    "Regenerate the research",
    "Company summary, market research, proposed segments and options, from the current details. Items that a person edited or a campaign selected stay. While it runs, its job is returned. NOT_FOUND for a workspace without an owner."
  ],
  getRegeneration: ["Get a regeneration"]
}
