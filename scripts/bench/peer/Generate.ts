// scripts/bench/peer/Generate.ts: writes emails to a single lead while the caller waits. One transaction stores the hold, the
// list and the job, and another the emails of the model with the charge.
import { Pool } from "undici"
import { available, capture, hold, release } from "./Credits.ts"
import { iso, reader, transaction, uuid, writer } from "./Database.ts"
import { findCampaign } from "./Selections.ts"
import { app, badRequest, objectSchema, RequestError, stringSchema, integerSchema } from "./App.ts"

/** Concurrent single leads of a workspace. */
const maxSingles = 5

const modelUrl = new URL(process.env["OPENAI_BASE_URL"] ?? "http://127.0.0.1:1/v1")
const modelPool = new Pool(modelUrl.origin, { connections: 64 })

const countActive = writer.prepare(`
  SELECT count(*) AS n FROM lists
  WHERE workspace_id = ? AND kind = 'single' AND processing_status IN ('processing', 'in_progress')`)
/** The brief that the lists of a campaign share, once for each build and version of the playbook. */
const shareBrief = writer.prepare(`
  INSERT INTO briefs (id, workspace_id, content)
  SELECT build_job || ':' || playbook, workspace_id, brief FROM campaigns c WHERE id = ? AND workspace_id = ?
    AND NOT EXISTS (SELECT 1 FROM briefs b WHERE b.id = c.build_job || ':' || c.playbook)`)
const insertList = writer.prepare(`
  INSERT INTO lists (id, workspace_id, campaign_id, kind, custom_name, processing_status, options, cost, brief_id,
    leads_count, leads_done, leads_failed, emails_created, created_at, updated_at)
  SELECT ?, workspace_id, id, 'single', ?, 'processing', ?, 1, build_job || ':' || playbook, 1, 0, 0, 0, ?, ?
  FROM campaigns WHERE id = ? AND workspace_id = ?`)
const countList = writer.prepare(`
  INSERT INTO list_counts (workspace_id, campaign_id, kind, lists) VALUES (?, '', 'single', 1), (?, ?, 'single', 1)
  ON CONFLICT (workspace_id, campaign_id, kind) DO UPDATE SET lists = list_counts.lists + 1`)
const insertLead = writer.prepare(`
  INSERT INTO leads (id, list_id, workspace_id, position, email, name, title, company, linkedin_url, company_website,
    status, suspect)
  VALUES (?, ?, ?, 0, ?, ?, ?, ?, ?, ?, 'pending', 0)`)
const insertJob = writer.prepare(`
  INSERT INTO jobs (id, workspace_id, type, subject, status, payload, run_at, lease, lease_until, attempts, crashes,
    created_at, updated_at)
  VALUES (?, ?, 'list.single', ?, 'processing', '{"batch":0}', 0, 'peer', 0, 1, 0, ?, ?)`)
const endJob = writer.prepare(`
  UPDATE jobs SET status = ?, lease = NULL, updated_at = ?
  WHERE subject = ? AND workspace_id = ? AND status = 'processing' RETURNING id`)
/** The jobs that the last process left unfinished. */
const selectUnfinished = reader.prepare(`
  SELECT j.workspace_id, j.subject AS list, l.id AS lead_id, l.email, l.name, l.title, l.company, l.linkedin_url,
    l.company_website, b.content AS brief, s.options
  FROM jobs j JOIN lists s ON s.id = j.subject JOIN briefs b ON b.id = s.brief_id JOIN leads l ON l.list_id = s.id
  WHERE j.type = 'list.single' AND j.status = 'processing' AND j.lease = 'peer' AND l.status = 'pending'`)
const prompt_version = "1"
const insertModelCall = writer.prepare(`
  INSERT INTO model_calls (workspace_id, kind, subject, prompt, version, model, input_tokens, cached_tokens,
    output_tokens, at)
  VALUES (?, 'lead', ?, 'sequence', ?, ?, ?, 0, ?, ?)`)
/** A list of one lead has one call. */
const insertUsage = writer.prepare(`
  INSERT INTO list_usage (list_id, workspace_id, calls, input_tokens, cached_tokens, output_tokens)
  VALUES (?, ?, 1, ?, 0, ?)`)
const completeLead = writer.prepare(`
  UPDATE leads SET status = 'completed', sequence = ?, emails = ? WHERE id = ? AND workspace_id = ?`)
const failLead = writer.prepare("UPDATE leads SET status = 'failed', error = ? WHERE id = ? AND workspace_id = ?")
const completeList = writer.prepare(`
  UPDATE lists SET leads_done = 1, emails_created = ?, processing_status = 'completed', completed_at = ?, updated_at = ?
  WHERE id = ? AND workspace_id = ?`)
const failList = writer.prepare(`
  UPDATE lists SET leads_failed = 1, processing_status = 'failed', failed_at = ?, updated_at = ?
  WHERE id = ? AND workspace_id = ?`)

interface Lead {
  readonly email: string
  readonly name?: string | null
  readonly title?: string | null
  readonly company?: string | null
  readonly linkedin_url?: string | null
  readonly company_website?: string | null
}

interface Body {
  readonly lead: Lead
  readonly options: { readonly email_count: number; readonly email_signature: string }
}

interface Completion {
  readonly choices: ReadonlyArray<{ readonly message: { readonly content: string } }>
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number }
}

interface ReplyContent {
  readonly emails: ReadonlyArray<{ readonly subject: string; readonly body: string }>
}

const modelName = process.env["OVERTURE_MODEL"] ?? "bench"
const headers = { authorization: `Bearer ${process.env["OPENAI_API_KEY"]}`, "content-type": "application/json" }

/** The format of a reply. */
const responseFormat = {
  type: "json_schema",
  json_schema: {
    name: "sequence",
    strict: true,
    schema: {
      ...objectSchema(
        {
          emails: {
            type: "array",
            items: objectSchema({ subject: stringSchema, body: stringSchema }, ["subject", "body"])
          }
        },
        ["emails"]
      ),
      additionalProperties: false
    }
  }
}

const briefs = new Map<string, { readonly campaign: object; readonly instructions: string }>()
const parseBrief = (text: string) => {
  const cached = briefs.get(text)
  if (cached !== undefined) return cached
  const brief = JSON.parse(text)
  briefs.set(text, brief)
  return brief
}

const requestEmails = async (brief: string, { email_count }: Body["options"], lead: Lead) => {
  const { campaign, instructions } = parseBrief(brief)
  const promptData = JSON.stringify({ campaign, reader: lead })
  const { body, statusCode } = await modelPool.request({
    method: "POST",
    path: `${modelUrl.pathname}/chat/completions`,
    headers,
    body: JSON.stringify({
      model: modelName,
      messages: [
        { role: "system", content: instructions },
        { role: "user", content: `${promptData}\n\nWrite the ${email_count} emails of the plan to the reader.` }
      ],
      response_format: responseFormat
    })
  })
  const completion = (await body.json()) as Completion
  if (statusCode !== 200) throw new Error("The model did not answer")
  const { emails } = JSON.parse(completion.choices[0]?.message.content ?? "") as ReplyContent
  const isComplete = emails.every(({ body, subject }) => typeof subject === "string" && typeof body === "string")
  if (!isComplete || emails.length !== email_count) throw new Error("The model did not write what was asked for")
  return { emails, usage: completion.usage }
}

const optionalText = { type: ["string", "null"], maxLength: 2000 }
const Lead = objectSchema(
  {
    email: { type: "string", maxLength: 254, pattern: "^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$" },
    name: optionalText,
    title: optionalText,
    company: optionalText,
    linkedin_url: optionalText,
    company_website: optionalText
  },
  ["email"]
)
const Options = objectSchema(
  {
    email_count: { type: "integer", minimum: 1, maximum: 4 },
    email_signature: { type: "string", minLength: 1, maxLength: 5000 }
  },
  ["email_count", "email_signature"]
)
const Answer = objectSchema({
  lead_id: stringSchema,
  list_id: stringSchema,
  sequence: { type: "array", items: objectSchema({ step: integerSchema, subject: stringSchema, body: stringSchema }) },
  credits_remaining: integerSchema,
  sequence_id: stringSchema,
  ai_generated: { type: "boolean" },
  model: stringSchema,
  prompt_version: stringSchema
})

const acceptLead = (workspace: string, id: string, { lead, options }: Body) =>
  transaction(() => {
    const { brief, build, options: optionsStatus, research, selected } = findCampaign(workspace, id)
    const failed = [research, optionsStatus, build].includes("failed")
    if (failed || selected !== 1 || build !== "ready") throw badRequest("The campaign's setup is incomplete")
    if (Number(countActive.get(workspace)?.["n"]) >= maxSingles) {
      throw new RequestError(429, "RATE_LIMITED", `At most ${maxSingles} leads are written at once; try again soon`)
    }
    const now = Date.now()
    const timestamp = iso(now)
    const list = uuid(now)
    const lead_id = uuid(now)
    const storedOptions = JSON.stringify({
      email_count: options.email_count,
      signature: options.email_signature.replaceAll("\\n", "\n"),
      additional_details: null,
      approved_ctas: ["Question CTA", "Lead Magnet CTA", "Direct Meeting CTA"],
      enriched: false,
      cost: 1,
      notification_email: null
    })
    shareBrief.run(id, workspace)
    insertList.run(list, lead.name ?? lead.company ?? lead.email, storedOptions, timestamp, timestamp, id, workspace)
    countList.run(workspace, workspace, id)
    const { company, company_website, email, linkedin_url, name, title } = lead
    const optionalValues = [name, title, company, linkedin_url, company_website].map((cell) => cell ?? null)
    insertLead.run(lead_id, list, workspace, email, ...optionalValues)
    insertJob.run(uuid(now), workspace, list, timestamp, timestamp)
    hold(workspace, lead_id, 1, now)
    return { list, lead_id, brief: String(brief) }
  })

/** Fails the lead, which then costs nothing. */
const failWriting = (workspace: string, list: string, lead: string) =>
  transaction(() => {
    const timestamp = iso(Date.now())
    if (endJob.get("failed", timestamp, list, workspace) === undefined) return
    failLead.run("The model provider failed", lead, workspace)
    release(workspace, lead)
    failList.run(timestamp, timestamp, list, workspace)
  })

interface AcceptedLead {
  readonly brief: string
  readonly lead_id: string
  readonly list: string
}

/** Writes and saves the emails, once. */
const writeEmails = async (workspace: string, { brief, lead_id, list }: AcceptedLead, { lead, options }: Body) => {
  const { emails, usage } = await requestEmails(brief, options, lead).catch(async (error: unknown) => {
    await failWriting(workspace, list, lead_id)
    throw error
  })
  const signature = options.email_signature.replaceAll("\\n", "\n")
  const sequence = emails.map(({ body, subject }, i) => ({ step: i + 1, subject, body: `${body}\n\n${signature}` }))
  const now = Date.now()
  const timestamp = iso(now)
  await transaction(() => {
    if (endJob.get("completed", timestamp, list, workspace) === undefined) throw new Error("Its job has ended")
    const tokens = [usage?.prompt_tokens ?? 0, usage?.completion_tokens ?? 0] as const
    insertModelCall.run(workspace, lead_id, prompt_version, modelName, ...tokens, timestamp)
    insertUsage.run(list, workspace, ...tokens)
    completeLead.run(JSON.stringify(sequence), sequence.length, lead_id, workspace)
    capture(workspace, lead_id, now)
    completeList.run(sequence.length, timestamp, timestamp, list, workspace)
  })
  return sequence
}

const toTextOrNull = (cell: unknown) => (typeof cell === "string" ? cell : null)

// Finish the jobs of the last process, whose callers are gone; each is charged once.
for (const row of selectUnfinished.all()) {
  const { email_count, signature } = JSON.parse(String(row["options"]))
  const { company, company_website, linkedin_url, name, title } = row
  const optionalFields = { name, title, company, linkedin_url, company_website }
  const lead = {
    email: String(row["email"]),
    ...Object.fromEntries(Object.entries(optionalFields).map(([key, cell]) => [key, toTextOrNull(cell)]))
  }
  const acceptedLead = { brief: String(row["brief"]), lead_id: String(row["lead_id"]), list: String(row["list"]) }
  const options = { email_count, email_signature: signature }
  writeEmails(String(row["workspace_id"]), acceptedLead, { lead, options }).catch((error: unknown) =>
    process.stderr.write(`${String(error)}\n`)
  )
}

app.post<{ readonly Params: { readonly id: string }; readonly Body: Body }>(
  "/api/v1/campaigns/:id/generate",
  {
    config: { scope: "campaigns:write" },
    schema: { body: objectSchema({ lead: Lead, options: Options }, ["lead", "options"]), response: { 200: Answer } }
  },
  async ({ body, caller: { workspace }, params }) => {
    const acceptedLead = await acceptLead(workspace, params.id, body)
    const sequence = await writeEmails(workspace, acceptedLead, body)
    const { lead_id, list } = acceptedLead
    const credits_remaining = available(workspace, Date.now())
    const provenance = { ai_generated: true, model: modelName, prompt_version }
    return { lead_id, list_id: list, sequence, credits_remaining, sequence_id: list, ...provenance }
  }
)
