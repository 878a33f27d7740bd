// schema/openapi/Summaries.ts: the summary of each operation in the reference, with details where its behaviour is not obvious.

/** The introduction of the reference. */
export const introduction = `Writes personalised cold-email sequences for sales leads.

- **Keys.** Send your API key as \`Authorization: Bearer\` or as \`X-API-Key\`. A key belongs to one workspace and sees nothing else. Each operation names the scope it needs.
- **From nothing to emails.** Create a campaign, choose its target audience, select social proof, lead magnet and risk reversal, have value propositions made, select some, and wait until build-status is ready. Then preview, write to one lead, or send a batch and export its list.
- **Background work** answers 202 with a job to poll; a batch is polled by its list, or followed by the events of that.
- **Errors** have one form: \`error\`, a code for programs, \`message\` for people, \`request_id\` and sometimes \`detail\`. An invalid body is answered with all of its errors at once. Where \`Accept\` names \`application/problem+json\` and weighs it no less than \`application/json\`, errors have the form of RFC 9457: \`message\` is \`detail\`, and what \`detail\` held are further members.
- **Pages.** Collections take \`limit\` and \`offset\` and answer \`has_more\` and \`total\`, most also \`limit\` and \`offset\` as they were counted. A \`limit\` above 100 returns 100 rows, one below 1 returns 1.
- **Retries.** Where \`Idempotency-Key\` is taken, a retry does nothing twice. Generate-batch honours it with \`options.idempotent\` alone, and generate never: without it a retry writes and charges again. Requests that store nothing and cost nothing need none, such as those that read a file of leads, check a text or try the playbook.
- **Limits.** \`X-RateLimit-*\` show how many requests are left; after a 429, wait for \`Retry-After\` seconds.
- **Bodies.** JSON of at most 1 MiB, 4 MiB for suppressions and a review of many leads, or 32 MiB for a batch. Unknown fields and query parameters are ignored, misspelled ones too, and null counts as absent, except in workspace details, where it clears a field. Names of fields that are deprecated still work.`

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
  review: ["Review", "The emails of a list as a person reads, edits and approves them."],
  jobs: ["Jobs", "Background work."],
  signatures: ["Signatures", "Saved email signatures."],
  suppressions: ["Suppression list", "Addresses, domains and companies that must not be written to."],
  credits: ["Credits", "The balance and use of credits."],
  webhooks: ["Webhooks", "Addresses that are notified of events, signed as Standard Webhooks 1.0.0 has it."],
  workspace: ["Workspace", "The company profile, and the research that is made from it."],
  keys: ["Keys", "The API keys of the workspace."],
  session: ["Session", "Who is signed in to the page of the server."],
  sign_in: ["Signing in", "Sessions of browsers, without a key."],
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
    "A .csv, .tsv or .xlsx file in one part named `file`, at most 50,000 rows below the headers. Columns are recognised by their headers or content, or named in `mapping`; others become custom fields. Returns the leads in the form that generate-batch takes, and the rows that give none. Formulas count by the result that was saved with them. Stores nothing and costs no credits."
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
  exportList: [
    "Export the emails of a completed list",
    "The leads that succeeded, in the order they were sent, or those of them that were approved. `preset` and `columns` are for CSV. Leads that were suppressed since are left out with `review`, `preset` or `suppressed=exclude`."
  ],
  countExport: [
    "Count the leads of an export",
    "For the same query: the leads that the file has, and those that it leaves out because they are on the suppression list."
  ],
  listLeads: [
    "Read the leads of a list",
    "Each with its emails, their findings and sources, and its review; also while the list is being written, and including failed leads. In the order they were sent, unless `sort` has another. Leads without emails are `open`: add `status=completed` to leave them out."
  ],
  findLeads: [
    "Find an address in all lists",
    "Every lead with this address, those of the newest list first, also pending, skipped and failed ones. Also the rows that lists were made without, and the entries of the suppression list that suppress the address."
  ],
  listOmittedRows: [
    "List the rows that a list was made without",
    "Rows of the lead file that were none of `leads`, each with the reason: what `omitted_rows` of generate-batch held."
  ],
  exportOmittedRows: ["Export the rows that a list was made without", "All of them as CSV."],
  getLead: [
    "Read one lead for review",
    "With the current text of each email, its findings, and its claims with their sources. Reading with a key that has `lists:write` marks the lead as seen; a key that only reads marks nothing."
  ],
  editEmail: [
    "Edit an email",
    "Send the `version` that you read; if the email was changed meanwhile, the CONFLICT has the current one in `detail.email`. The text is checked as POST /lint does, against what the list was written from. A text with a failing finding is kept too, with its findings. The review stays as it is; the same text again makes no version."
  ],
  listEmailVersions: ["List the versions of an email, newest first"],
  restoreEmail: [
    "Restore a version of an email",
    "Its text becomes the newest version, by the author it had. NOT_FOUND for a version that the email never had."
  ],
  rewriteLead: [
    "Write an email, or all emails of a lead, again",
    "With a model, from what the list was written from, and with your `instruction`; a text that a person edited is rewritten. Without a model, or with `variant`, another variant of the campaign's current playbook template is filled in. Each email that changes gets a new version by `rewrite`, and the lead is `open` again. Costs one credit if anything was written: an unchanged `version` means that nothing was, and that it was free. CONFLICT if an email was changed meanwhile; UNPROCESSABLE for a suppressed lead and one without emails. At most five at once. The work continues when you disconnect: send an Idempotency-Key to get its answer."
  ],
  sendTestMail: [
    "Send an email of a lead to yourself",
    "As plain mail through the server's SMTP, with `[Test]` before the subject. It goes to the workspace's owner, and never to the lead. NOT_READY if the server has no SMTP or the workspace no owner; MAIL_UNAVAILABLE if the mail server does not take the mail. Changes and costs nothing."
  ],
  reviewLead: [
    "Approve or reject a lead",
    "Or open it again. Replaces the note. With `versions`, CONFLICT if one of these emails was changed since it was read. UNPROCESSABLE for a lead without emails, and for the approval of a lead that is on the suppression list."
  ],
  getLastBulkReview: [
    "Count the reviews, and get the last decision about many leads",
    "To undo it: send `open` with its `at` as `where.at`. After that, its status is `open`."
  ],
  reviewLeads: [
    "Approve or reject many leads",
    "All leads of the list that have emails, or only those in `lead_ids` and of `where`. A lead with a failing finding is never approved here, and one that was rejected only when `lead_ids` names it; approve them one at a time. Leads on the suppression list are never approved. `dry_run` counts and changes nothing. Notes stay. An id that is not of this list is NOT_FOUND, and then nothing is changed."
  ],
  getJob: ["Get a background job", "Needs a key of the workspace and no scope."],
  listSignatures: ["List saved signatures, newest first"],
  createSignature: ["Save a signature", "Its name is its first line that is not blank."],
  replaceSignature: ["Replace a signature's text"],
  deleteSignature: ["Delete a signature"],
  listSuppressions: ["List suppressed addresses, domains and companies, newest first"],
  addSuppressions: [
    "Suppress addresses, domains and companies",
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
  listWebhooks: ["List webhooks, newest first"],
  createWebhook: [
    "Create a webhook",
    "The secret is in this answer alone. Events that happen from a second later on are sent, each in a request of its own: `{type, timestamp, data}` with ids and counts, and with the lead and its emails only where `include_content` is set. Delivery is at least once and in no fixed order: drop copies by `webhook-id`. CONFLICT for more than 20 webhooks."
  ],
  listWebhookEventTypes: ["List the events of webhooks"],
  getWebhook: ["Get a webhook", "Without its secret."],
  updateWebhook: [
    "Change a webhook",
    "Omitted fields keep their value. While it is disabled, no events are stored for it, and deliveries that are due fail. Enabling it, or a new address, also clears the failures that the server noted."
  ],
  deleteWebhook: ["Delete a webhook", "With its deliveries. Nothing more is sent to it."],
  rotateWebhookSecret: [
    "Replace the secret of a webhook",
    "The new secret is in this answer alone. Both sign for 24 hours: each request carries a signature by each."
  ],
  testWebhook: [
    "Send a test event to a webhook",
    "Whatever it subscribes to. The delivery shows what came of it. UNPROCESSABLE while it is disabled."
  ],
  listWebhookDeliveries: [
    "List the deliveries of a webhook, newest first",
    "An attempt succeeds with a 2xx within 15 seconds. Others are repeated after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, later where `Retry-After` asks for it, and then fail. An answer of 410 disables the webhook at once, failures over five days disable it with a mail to the owner of the workspace."
  ],
  resendWebhookDelivery: [
    "Send a delivery again",
    "As a new delivery of the same event, with the same `webhook-id` and body. UNPROCESSABLE while the webhook is disabled."
  ],
  listKeys: ["List API keys, newest first", "Also those that have ended. Without their secrets."],
  createKey: [
    "Create an API key",
    "The secret is in this answer alone, so a retry makes another key. FORBIDDEN for scopes that the key of the request lacks. It ends no later than that key."
  ],
  revokeKey: [
    "Revoke an API key",
    "A running server refuses it within five seconds, and with it its sign-in links and sessions. The key stays in the list."
  ],
  rotateKey: [
    "Replace an API key",
    "The new key has its name, scopes and lifetime, but ends no later than the key of the request unless it replaces that one; the old one stays valid for `grace_hours`. The secret is in this answer alone. FORBIDDEN for a key with scopes that the key of the request lacks, or that ends later. UNPROCESSABLE for a key that has ended or is for signing in."
  ],
  createSignInLink: [
    "Make a sign-in link",
    "Opens the page without the secret, as this key. It works once, within 15 minutes. FORBIDDEN for a key with scopes that the key of the request lacks, or that ends later."
  ],
  getSession: [
    "Get the current session",
    "Of the cookie of a browser, or of the key that was sent. A request by cookie needs the header `X-Overture-Session: 1` and must come from the page of this server, or else is FORBIDDEN."
  ],
  endSession: [
    "Sign out",
    "Ends the session of the cookie; with `everywhere`, also every other session and open link of its key. NOT_FOUND for a key that was sent without it."
  ],
  getSignInOptions: ["Get the ways to sign in"],
  signIn: [
    "Sign in",
    "With the token of a sign-in link, which works once, or with an API key. Answers with a cookie (HttpOnly, SameSite=Strict, over https also Secure), which stands for the key for 30 days, or 7 days without a request, and ends with the key. FORBIDDEN for the page of another server."
  ],
  requestSignInLink: [
    "Ask for a sign-in link by mail",
    "The same answer for every address; the owner of a workspace gets a mail, at most three in 15 minutes. UNPROCESSABLE if the server sends no mail."
  ],
  setUpFirstWorkspace: [
    "Create the first workspace",
    "With the link that `serve` prints while the store has no workspace. Signs in as POST /session does."
  ],
  findModelServers: [
    "Find model servers on the server's machine",
    "With the same link, which stays valid. Answers once each of the usual ports of Ollama, LM Studio and llama.cpp was asked, within a few seconds."
  ],
  listWorkspaceDocuments: ["List the documents of the workspace", "Links open for 15 minutes."],
  regenerate: [
    "Regenerate the research",
    "Company summary, market research, proposed segments and options, from the current details. Items that a person edited or a campaign selected stay. While it runs, its job is returned. NOT_FOUND for a workspace without an owner."
  ],
  getRegeneration: ["Get a regeneration"]
}
