// schema/openapi/Summaries.ts: what each operation does, in a line for whoever reads the reference; more where it surprises.

/** How to use the API at all. */
export const introduction = `Writes personalised cold-email sequences for sales leads.

- **Keys.** Send your API key as \`Authorization: Bearer\` or as \`X-API-Key\`. A key belongs to one workspace and sees nothing else. Each operation names the scope it needs.
- **From nothing to emails.** Create a campaign, choose its target audience, select social proof, lead magnet and risk reversal, have value propositions made, select some, and wait until build-status is ready. Then preview, write to one lead, or send a batch and export its list.
- **Background work** answers 202 with a job to poll; a batch is polled by its list, or followed by the events of that.
- **Errors** all have one form: \`error\`, a code for programs, \`message\` for people, \`request_id\` and sometimes \`detail\`. Of a body that is not valid, everything that is wrong is told at once.
- **Pages.** Collections take \`limit\` and \`offset\` and answer \`has_more\` and \`total\`. A \`limit\` above 100 returns 100 rows, one below 1 returns 1.
- **Retries.** Where \`Idempotency-Key\` is taken, a retry does nothing twice. Generate and generate-batch take none: a retry writes and charges again.
- **Limits.** \`X-RateLimit-*\` tell how often the key may still ask; after a 429, wait as long as \`Retry-After\` says.
- **Bodies.** JSON of at most 1 MiB, or 32 MiB for a batch. Unknown fields and query parameters are ignored, misspelled ones too, and null is as good as left out, except in workspace details, where it clears a field. Names of fields that are deprecated still work.`

/** The groups of operations: their names and what is in them. */
export const tags: Readonly<Record<string, readonly [name: string, description: string]>> = {
  campaigns: ["Campaigns", "Campaigns and how far each is built."],
  target_audiences: ["Target audiences", "The saved segments of the workspace."],
  build: ["Build", "The steps that build a campaign, each open to a person's review. They cost no credits."],
  playbook: [
    "Playbook",
    "The personas of a campaign, their messages, and the templates that leads are written from. Editing it costs no credits."
  ],
  preview: ["Preview", "How a campaign sounds, before anybody is written to."],
  generation: ["Generation", "Emails for one lead or for many."],
  lint: ["Lint", "The checker, for any text."],
  lists: ["Lists", "Batches of leads, how far each is, and what came of it."],
  jobs: ["Jobs", "Background work."],
  signatures: ["Signatures", "Saved email signatures."],
  credits: ["Credits", "What the workspace may spend."],
  workspace: ["Workspace", "What the business says of itself, and the research that is made from it."],
  agent: ["Agent", "Questions to a campaign's knowledge."],
  health: ["Health", "Whether the service is up."],
  files: ["Files", "What signed links open."]
}

export const summaries: Readonly<Record<string, readonly [summary: string, description?: string]>> = {
  health: ["Whether the service is up", "Asks for no key. 503 when the store does not answer."],
  listCampaigns: ["List campaigns, newest first"],
  createCampaign: [
    "Create an empty campaign",
    "Counts as one campaign build of the plan, also when the campaign is deleted later. `detail.missing` of a NOT_READY names what the workspace lacks."
  ],
  renameCampaign: ["Rename a campaign"],
  deleteCampaign: [
    "Delete a campaign",
    "Its lists stay readable and exportable with `campaign_id` null; what they cost stays in the ledger. Refused while one of them is in work."
  ],
  branchCampaign: [
    "Branch a campaign",
    "A new campaign with the source's choices before `branch_from_step`; that step and the later ones are open. Branching from target-audience links the segment that is sent and starts its research. Counts as a campaign build."
  ],
  listCampaignDocuments: ["List the documents of a campaign", "Links open for 15 minutes."],
  getSelections: ["What a campaign has chosen", "Edits applied; null where nothing was submitted yet."],
  getBuildStatus: [
    "How far a campaign is built",
    "Generate once `overall` is ready, or while it is building: then writing starts by itself."
  ],
  listTargetAudiences: [
    "List saved segments",
    "`q` is looked for in everything that describes a segment, whatever its case."
  ],
  setTargetAudience: [
    "Choose the target audience",
    "A saved segment by its id, brought up to date with the fields that are sent beside that; with `is_custom_target_audience` a segment of your own, which is saved under its name. Its research runs in the background; the same segment again changes nothing."
  ],
  listAssetOptions: ["Options of one step", "While `ready` is false they are still being made."],
  selectAssets: [
    "Choose among the options of a step",
    "Replaces what was chosen before. An empty selection is valid for all but value propositions. Choosing value propositions starts the build and answers 202 with its job."
  ],
  generateValuePropositions: [
    "Have value propositions made",
    "Needs the target audience and the three selections before it. While they are being made, the same job is answered."
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
    "Preview emails for five made-up leads",
    "Leads that fit the campaign's segment, on reserved domains, under the headers of your own file. Five credits, charged at once; one comes back for each lead that fails, all of them when none succeeds."
  ],
  listPreviews: [
    "List the previews of a campaign, newest first",
    "Those that were written; one that failed cost nothing."
  ],
  getPreview: ["Read a preview again", "Kept until its campaign is deleted or it is pruned."],
  generate: [
    "Write to one lead and wait",
    "May take minutes with a model: use a timeout of 300 seconds or more. The work is a list of one that outlives the connection; find it by GET /lists. One credit, held at once, charged when the sequence is stored; two with `enrichment_enabled`, which reads the site of the lead's company first."
  ],
  generateBatch: [
    "Write to many leads in the background",
    "Up to 50,000 leads; equal leads are separate ones. One credit for each lead that succeeds, two with `enrichment_enabled`, which reads the sites of the leads' companies first, each once. Follow GET /lists/:id/events, or poll GET /lists/:id; a mail with a link to the CSV goes to `notification_email`, or to the workspace's owner."
  ],
  lint: [
    "Check an email or a template",
    "Answers findings with their exact places, and the claims with the source that supports each. With `campaign_id` the text is compared with what that campaign supplies; without it `supported` is null and no claim fails. With `template` errors of the Liquid are findings too. Writes nothing and costs no credits."
  ],
  listLists: [
    "List batches of leads, newest first",
    "Generate makes a list of one lead each time: `source=batch` leaves those out."
  ],
  getList: [
    "How far a list is, and what came of it",
    "`progress` while it is in work or rests; counts once it is completed."
  ],
  followList: [
    "Follow a list as it is written to",
    "Server-sent events: `progress` at once and whenever it changes, `end` with the list when it is completed or has failed; then the stream ends. One that rests is told as `progress` with `pending`, and followed on. A comment comes every 15 seconds. Where the stream ends with `retry` and not with `end`, the key has ended, the list is gone or the server is being stopped: connect again, or poll. A key may follow 50 lists at once."
  ],
  renameList: ["Rename a list"],
  deleteList: ["Delete a list with its leads", "What it cost stays in the ledger. Refused while it is in work."],
  reprocessList: [
    "Go on with a list that rests",
    "A list is `pending` when credits or the writer gave out, or when a change to its campaign overtook the build it waited for: that one goes on once value propositions are selected anew. Nothing that is finished is done again."
  ],
  exportList: ["Export the emails of a completed list", "The leads that succeeded, in the order they were sent."],
  listLeads: [
    "Read the leads of a list",
    "Each with its emails, what the checker says of them and what they rest on, in the order they were sent; also while the list is in work, and with those that failed."
  ],
  getJob: ["How far a background job is", "Asks for a key of the workspace and no scope."],
  listSignatures: ["List saved signatures, newest first"],
  createSignature: ["Save a signature", "Its name is its first line that says anything."],
  replaceSignature: ["Replace a signature's text"],
  deleteSignature: ["Delete a signature"],
  chat: [
    "Ask about a campaign",
    "Answered in the words of its documents, selections, profile, imports, playbook and lists, with the passages cited; what they do not hold is said to be unknown. Without `conversation_id` a new conversation begins. Costs no credits."
  ],
  listConversations: ["List conversations, newest activity first"],
  listMessages: ["List the messages of a conversation, oldest first"],
  getCredits: ["The credit account", "`balance` leaves out what is held for work in hand."],
  checkCredits: ["Whether so many credits could be spent", "Pay-as-you-go included."],
  getCreditUsage: [
    "What was spent in this period, day by day",
    "By days of UTC. What was given back counts on the day on which it had been spent."
  ],
  getWorkspace: ["The workspace of this key"],
  updateDetails: [
    "Change workspace details",
    "Fields that are not sent keep their value; null, an empty text or an empty list clears a field and counts as one. Documents are not regenerated."
  ],
  importDocument: [
    "Read a document about the business",
    "One file part named `file`: .txt, .md, .csv, .pdf or .docx, at most 10 MB. What it says fills details that are still empty. The job ends `completed` also when the file could not be read: see `result.status`."
  ],
  importUrl: [
    "Read the site of the business",
    "Its home page and up to five pages it links to. What they say fills details that are still empty. Only public addresses are fetched."
  ],
  listImports: [
    "List the imported documents and sites",
    "Questions about a campaign are answered from their texts where the profile and the campaign do not answer."
  ],
  getImport: ["Read the text of an import", "Without what it says of others, and without what is struck out."],
  deleteImport: [
    "Delete the text of an import",
    "Questions are not answered from it any more. Details that it filled stay."
  ],
  listWorkspaceDocuments: ["List the documents of the workspace", "Links open for 15 minutes."],
  regenerate: [
    "Have the research made anew",
    "Company summary, market research, proposed segments and options, from the present details. What a person edited or a campaign chose stays. While it runs, the same job is answered. NOT_FOUND for a workspace without an owner."
  ],
  getRegeneration: ["How far a regeneration is"]
}
