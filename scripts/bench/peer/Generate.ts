// scripts/bench/peer/Generate.ts: writes emails to a single lead while the caller waits. One transaction stores the hold, the
// list and the job, and another the emails of the model with the charge.
import { Pool } from "undici"
import { available, capture, hold, release } from "./Credits.ts"
import { iso, reader, transaction, uuid, writer } from "./Database.ts"
import { campaignOf } from "./Selections.ts"
import { app, badRequest, object, Refused, text, whole } from "./Shell.ts"

/** Concurrent single leads of a workspace. */
const maxSingles = 5

const base = new URL(process.env["OPENAI_BASE_URL"] ?? "http://127.0.0.1:1/v1")
const model = new Pool(base.origin, { connections: 64 })

const inWork = writer.prepare(`
  SELECT count(*) AS n FROM lists
  WHERE workspace_id = ? AND kind = 'single' AND processing_status IN ('processing', 'in_progress')`)
const insertList = writer.prepare(`
  INSERT INTO lists (id, workspace_id, campaign_id, kind, custom_name, processing_status, options, cost, brief,
    leads_count, leads_done, leads_failed, emails_created, created_at, updated_at)
  SELECT ?, workspace_id, id, 'single', ?, 'processing', ?, 1, brief, 1, 0, 0, 0, ?, ?
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
const left = reader.prepare(`
  SELECT j.workspace_id, j.subject AS list, l.id AS lead_id, l.email, l.name, l.title, l.company, l.linkedin_url,
    l.company_website, s.brief, s.options
  FROM jobs j JOIN lists s ON s.id = j.subject JOIN leads l ON l.list_id = s.id
  WHERE j.type = 'list.single' AND j.status = 'processing' AND j.lease = 'peer' AND l.status = 'pending'`)
const prompt_version = "1"
const keepCall = writer.prepare(`
  INSERT INTO model_calls (workspace_id, kind, subject, prompt, version, model, input_tokens, cached_tokens,
    output_tokens, at)
  VALUES (?, 'lead', ?, 'sequence', ?, ?, ?, 0, ?, ?)`)
/** A list of one lead has one call. */
const keepUsage = writer.prepare(`
  INSERT INTO list_usage (list_id, workspace_id, calls, input_tokens, cached_tokens, output_tokens)
  VALUES (?, ?, 1, ?, 0, ?)`)
const keepLead = writer.prepare(`
  UPDATE leads SET status = 'completed', sequence = ?, emails = ? WHERE id = ? AND workspace_id = ?`)
const failLead = writer.prepare("UPDATE leads SET status = 'failed', error = ? WHERE id = ? AND workspace_id = ?")
const endList = writer.prepare(`
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

interface Written {
  readonly emails: ReadonlyArray<{ readonly subject: string; readonly body: string }>
}

const modelName = process.env["OVERTURE_MODEL"] ?? "bench"
const headers = { authorization: `Bearer ${process.env["OPENAI_API_KEY"]}`, "content-type": "application/json" }

/** The format of a reply. */
const form = {
  type: "json_schema",
  json_schema: {
    name: "sequence",
    strict: true,
    schema: {
      ...object({ emails: { type: "array", items: object({ subject: text, body: text }, ["subject", "body"]) } }, [
        "emails"
      ]),
      additionalProperties: false
    }
  }
}

const briefs = new Map<string, { readonly campaign: object; readonly instructions: string }>()
const briefOf = (text: string) => {
  const before = briefs.get(text)
  if (before !== undefined) return before
  const brief = JSON.parse(text)
  briefs.set(text, brief)
  return brief
}

const ask = async (brief: string, { email_count }: Body["options"], lead: Lead) => {
  const { campaign, instructions } = briefOf(brief)
  const material = JSON.stringify({ campaign, reader: lead })
  const { body, statusCode } = await model.request({
    method: "POST",
    path: `${base.pathname}/chat/completions`,
    headers,
    body: JSON.stringify({
      model: modelName,
      messages: [
        { role: "system", content: instructions },
        { role: "user", content: `${material}\n\nWrite the ${email_count} emails of the plan to the reader.` }
      ],
      response_format: form
    })
  })
  const answer = (await body.json()) as Completion
  if (statusCode !== 200) throw new Error("The model did not answer")
  const { emails } = JSON.parse(answer.choices[0]?.message.content ?? "") as Written
  const whole = emails.every(({ body, subject }) => typeof subject === "string" && typeof body === "string")
  if (!whole || emails.length !== email_count) throw new Error("The model did not write what was asked for")
  return { emails, usage: answer.usage }
}

const optional = { type: ["string", "null"], maxLength: 2000 }
const Lead = object(
  {
    email: { type: "string", maxLength: 254, pattern: "^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$" },
    name: optional,
    title: optional,
    company: optional,
    linkedin_url: optional,
    company_website: optional
  },
  ["email"]
)
const Options = object(
  {
    email_count: { type: "integer", minimum: 1, maximum: 4 },
    email_signature: { type: "string", minLength: 1, maxLength: 5000 }
  },
  ["email_count", "email_signature"]
)
const Answer = object({
  lead_id: text,
  list_id: text,
  sequence: { type: "array", items: object({ step: whole, subject: text, body: text }) },
  credits_remaining: whole,
  sequence_id: text,
  ai_generated: { type: "boolean" },
  model: text,
  prompt_version: text
})

const accept = (workspace: string, id: string, { lead, options }: Body) =>
  transaction(() => {
    const { brief, build, options: proposed, research, selected } = campaignOf(workspace, id)
    const failed = [research, proposed, build].includes("failed")
    if (failed || selected !== 1 || build !== "ready") throw badRequest("The campaign's setup is incomplete")
    if (Number(inWork.get(workspace)?.["n"]) >= maxSingles) {
      throw new Refused(429, "RATE_LIMITED", `At most ${maxSingles} leads are written at once; try again soon`)
    }
    const now = Date.now()
    const at = iso(now)
    const list = uuid(now)
    const lead_id = uuid(now)
    const writing = JSON.stringify({
      email_count: options.email_count,
      signature: options.email_signature.replaceAll("\\n", "\n"),
      additional_details: null,
      approved_ctas: ["Question CTA", "Lead Magnet CTA", "Direct Meeting CTA"],
      enriched: false,
      cost: 1,
      notification_email: null
    })
    insertList.run(list, lead.name ?? lead.company ?? lead.email, writing, at, at, id, workspace)
    countList.run(workspace, workspace, id)
    const { company, company_website, email, linkedin_url, name, title } = lead
    const rest = [name, title, company, linkedin_url, company_website].map((cell) => cell ?? null)
    insertLead.run(lead_id, list, workspace, email, ...rest)
    insertJob.run(uuid(now), workspace, list, at, at)
    hold(workspace, lead_id, 1, now)
    return { list, lead_id, brief: String(brief) }
  })

/** Fails the lead, which then costs nothing. */
const failWriting = (workspace: string, list: string, lead: string) =>
  transaction(() => {
    const at = iso(Date.now())
    if (endJob.get("failed", at, list, workspace) === undefined) return
    failLead.run("The model provider failed", lead, workspace)
    release(workspace, lead)
    failList.run(at, at, list, workspace)
  })

interface Work {
  readonly brief: string
  readonly lead_id: string
  readonly list: string
}

/** Writes and saves the emails, once. */
const write = async (workspace: string, { brief, lead_id, list }: Work, { lead, options }: Body) => {
  const { emails, usage } = await ask(brief, options, lead).catch(async (error: unknown) => {
    await failWriting(workspace, list, lead_id)
    throw error
  })
  const signature = options.email_signature.replaceAll("\\n", "\n")
  const sequence = emails.map(({ body, subject }, i) => ({ step: i + 1, subject, body: `${body}\n\n${signature}` }))
  const now = Date.now()
  const at = iso(now)
  await transaction(() => {
    if (endJob.get("completed", at, list, workspace) === undefined) throw new Error("Its job has ended")
    const tokens = [usage?.prompt_tokens ?? 0, usage?.completion_tokens ?? 0] as const
    keepCall.run(workspace, lead_id, prompt_version, modelName, ...tokens, at)
    keepUsage.run(list, workspace, ...tokens)
    keepLead.run(JSON.stringify(sequence), sequence.length, lead_id, workspace)
    capture(workspace, lead_id, now)
    endList.run(sequence.length, at, at, list, workspace)
  })
  return sequence
}

const textOrNull = (cell: unknown) => (typeof cell === "string" ? cell : null)

// Finish the jobs of the last process, whose callers are gone; each is charged once.
for (const row of left.all()) {
  const { email_count, signature } = JSON.parse(String(row["options"]))
  const { company, company_website, linkedin_url, name, title } = row
  const optional = { name, title, company, linkedin_url, company_website }
  const lead = {
    email: String(row["email"]),
    ...Object.fromEntries(Object.entries(optional).map(([key, cell]) => [key, textOrNull(cell)]))
  }
  const work = { brief: String(row["brief"]), lead_id: String(row["lead_id"]), list: String(row["list"]) }
  const options = { email_count, email_signature: signature }
  write(String(row["workspace_id"]), work, { lead, options }).catch((error: unknown) =>
    process.stderr.write(`${String(error)}\n`)
  )
}

app.post<{ readonly Params: { readonly id: string }; readonly Body: Body }>(
  "/api/v1/campaigns/:id/generate",
  {
    config: { scope: "campaigns:write" },
    schema: { body: object({ lead: Lead, options: Options }, ["lead", "options"]), response: { 200: Answer } }
  },
  async ({ body, caller: { workspace }, params }) => {
    const work = await accept(workspace, params.id, body)
    const sequence = await write(workspace, work, body)
    const { lead_id, list } = work
    const credits_remaining = available(workspace, Date.now())
    const marks = { ai_generated: true, model: modelName, prompt_version }
    return { lead_id, list_id: list, sequence, credits_remaining, sequence_id: list, ...marks }
  }
)
