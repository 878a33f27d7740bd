// layers/operations/verify/Invariants.ts: invariants of the rows of a database.
import { Record } from "effect"
import type { Dialect } from "#layers/database/Dialect.ts"
import { ReviewStatus } from "#schema/ListLeads.ts"

const reviewStatuses = ReviewStatus.literals.map((status) => `'${status}'`).join(", ")

/** Each statement returns one row per violation, with an `id` that locates it. */
const statements: { readonly [invariant: string]: string | ((dialect: Dialect) => string) } = {
  "balances are the sums of their ledger": `
    SELECT a.workspace_id AS id FROM credit_accounts a
    LEFT JOIN (SELECT workspace_id,
        sum(CASE WHEN bucket = 'monthly' THEN amount ELSE 0 END) AS monthly,
        sum(CASE WHEN bucket = 'rollover' THEN amount ELSE 0 END) AS rollover,
        sum(CASE WHEN bucket = 'addon' THEN amount ELSE 0 END) AS addon
      FROM credit_entries GROUP BY workspace_id) e ON e.workspace_id = a.workspace_id
    WHERE a.monthly <> COALESCE(e.monthly, 0) OR a.rollover <> COALESCE(e.rollover, 0)
       OR a.addon <> COALESCE(e.addon, 0)`,
  "what was used is what was captured": `
    SELECT a.workspace_id AS id FROM credit_accounts a
    LEFT JOIN (SELECT workspace_id, -sum(amount) AS used FROM credit_entries WHERE kind IN ('capture', 'refund')
      GROUP BY workspace_id) e ON e.workspace_id = a.workspace_id
    WHERE a.used_total <> COALESCE(e.used, 0)`,
  "the usage of each day is the sum of its charges": `
    SELECT workspace_id || ' ' || day AS id FROM (
      SELECT workspace_id, day, used FROM credit_days
      UNION ALL
      SELECT a.workspace_id, substr(COALESCE(c.at, e.at), 1, 10) AS day, sum(e.amount) AS used
      FROM credit_accounts a
      JOIN credit_entries e ON e.workspace_id = a.workspace_id
      LEFT JOIN credit_entries c ON e.kind = 'refund' AND c.workspace_id = e.workspace_id
        AND c.operation = 'capture:' || e.ref || ':' || e.bucket
      WHERE (e.kind = 'capture' AND e.at >= a.period_start) OR (e.kind = 'refund' AND c.at >= a.period_start)
      GROUP BY 1, 2) AS days
    GROUP BY workspace_id, day HAVING sum(used) <> 0`,
  "no balance is negative and no cap is passed": `
    SELECT workspace_id AS id FROM credit_accounts
    WHERE monthly < 0 OR rollover < 0 OR addon < 0 OR held < 0
       OR (payg_used > 0 AND payg_used * 10 > payg_cap_cents)`,
  "held credits are the sum of their holds": `
    SELECT a.workspace_id AS id FROM credit_accounts a
    LEFT JOIN (SELECT workspace_id, sum(amount) AS held FROM credit_holds GROUP BY workspace_id) h
      ON h.workspace_id = a.workspace_id
    WHERE a.held <> COALESCE(h.held, 0)`,
  "every hold belongs to a lead that is pending, of a list in work": `
    SELECT h.owner AS id FROM credit_holds h
    LEFT JOIN leads l ON l.id = h.owner AND l.workspace_id = h.workspace_id LEFT JOIN lists t ON t.id = l.list_id
    WHERE l.id IS NULL OR l.status <> 'pending' OR t.processing_status NOT IN ('processing', 'in_progress')`,
  "every completed lead was captured once": `
    SELECT l.id FROM leads l JOIN lists t ON t.id = l.list_id
    LEFT JOIN (SELECT workspace_id, ref, -sum(amount) AS amount FROM credit_entries
      WHERE kind IN ('capture', 'refund') GROUP BY workspace_id, ref) e
      ON e.ref = l.id AND e.workspace_id = l.workspace_id
    WHERE l.status = 'completed' AND (e.amount IS NULL OR e.amount <> t.cost)`,
  "no capture is of a lead that is not completed": `
    SELECT e.id FROM credit_entries e JOIN leads l ON l.id = e.ref
    WHERE e.kind = 'capture' AND l.status <> 'completed' AND l.email <> ''`,
  "no refund is more than its capture": `
    SELECT COALESCE(ref, 'a refund of nothing') AS id FROM credit_entries WHERE kind IN ('capture', 'refund')
    GROUP BY workspace_id, ref HAVING ref IS NULL OR sum(amount) > 0`,
  "every entry has the sign of its kind": `
    SELECT id FROM credit_entries
    WHERE NOT CASE kind WHEN 'capture' THEN amount < 0 WHEN 'expire' THEN amount < 0 WHEN 'grant' THEN amount > 0
      WHEN 'refund' THEN amount > 0 WHEN 'rollover' THEN amount <> 0 ELSE FALSE END
      OR bucket NOT IN ('monthly', 'rollover', 'addon', 'payg', 'unlimited', 'unbilled')`,
  "pay-as-you-go is in the ledger": `
    SELECT a.workspace_id AS id FROM credit_accounts a
    LEFT JOIN (SELECT workspace_id, -sum(amount) AS used FROM credit_entries WHERE bucket = 'payg'
      GROUP BY workspace_id) e ON e.workspace_id = a.workspace_id
    WHERE a.payg_used < 0 OR a.payg_used > COALESCE(e.used, 0)`,
  "every workspace has an account": `
    SELECT id FROM workspaces WHERE id NOT IN (SELECT workspace_id FROM credit_accounts)`,
  "a preview costs what it wrote, and one in work has a job": `
    SELECT p.id FROM previews p
    LEFT JOIN (SELECT ref, -sum(amount) AS amount FROM credit_entries WHERE kind IN ('capture', 'refund')
      GROUP BY ref) e ON e.ref = p.id
    WHERE p.credits_charged <> COALESCE(e.amount, 0)
       OR (p.status = 'processing' AND NOT EXISTS (
         SELECT 1 FROM jobs j WHERE j.id = p.job AND j.status IN ('pending', 'processing')))`,
  "list counters are what their leads say": `
    SELECT t.id FROM lists t
    LEFT JOIN (SELECT list_id, count(*) AS leads_count,
        sum(CASE WHEN status = 'completed' THEN 1 ELSE 0 END) AS leads_done,
        sum(CASE WHEN status = 'failed' THEN 1 ELSE 0 END) AS leads_failed,
        sum(CASE WHEN status = 'skipped' THEN 1 ELSE 0 END) AS leads_skipped,
        sum(CASE WHEN status = 'completed' THEN emails ELSE 0 END) AS emails_created
      FROM leads GROUP BY list_id) l ON l.list_id = t.id
    WHERE t.leads_count <> COALESCE(l.leads_count, 0) OR t.leads_done <> COALESCE(l.leads_done, 0)
       OR t.leads_failed <> COALESCE(l.leads_failed, 0) OR t.leads_skipped <> COALESCE(l.leads_skipped, 0)
       OR t.emails_created <> COALESCE(l.emails_created, 0)`,
  "the numbers of lists are those of their rows": `
    SELECT workspace_id || ' ' || campaign_id || ' ' || kind AS id FROM (
      SELECT workspace_id, campaign_id, kind, lists FROM list_counts
      UNION ALL SELECT workspace_id, '', kind, -count(*) FROM lists GROUP BY workspace_id, kind
      UNION ALL SELECT workspace_id, campaign_id, kind, -count(*) FROM lists
        WHERE campaign_id IS NOT NULL GROUP BY workspace_id, campaign_id, kind) AS counts
    GROUP BY workspace_id, campaign_id, kind HAVING sum(lists) <> 0`,
  "a brief that lists share is of a list of its workspace": `
    SELECT id FROM briefs b
    WHERE NOT EXISTS (SELECT 1 FROM lists t WHERE t.brief_id = b.id AND t.workspace_id = b.workspace_id)`,
  "the brief that a list shares is stored": `
    SELECT id FROM lists t WHERE brief_id IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM briefs b WHERE b.id = t.brief_id AND b.workspace_id = t.workspace_id)`,
  // Pruned calls stay in the sums.
  "the usage of a list has all of its model calls": `
    SELECT t.id FROM model_calls c
    LEFT JOIN leads l ON l.id = c.subject AND l.workspace_id = c.workspace_id
    JOIN lists t ON t.id = COALESCE(l.list_id, c.subject) AND t.workspace_id = c.workspace_id
    LEFT JOIN list_usage u ON u.list_id = t.id AND u.workspace_id = t.workspace_id
    GROUP BY t.id, u.calls HAVING COALESCE(u.calls, 0) < count(*)`,
  "the leads of a list are numbered without a gap": `
    SELECT list_id AS id FROM leads GROUP BY list_id HAVING min(position) <> 0 OR max(position) <> count(*) - 1`,
  "a lead has emails exactly if it is completed": ({ elements }) => `
    SELECT id FROM leads
    WHERE CASE WHEN status = 'completed'
      THEN sequence IS NULL OR emails IS NULL OR emails < 1 OR emails <> ${elements("sequence")}
      ELSE sequence IS NOT NULL OR emails IS NOT NULL END`,
  "a lead is skipped for a reason": `SELECT id FROM leads WHERE status = 'skipped' AND skipped IS NULL`,
  "a suppression is an address, a domain or a company": `
    SELECT id FROM suppressions
    WHERE kind <> CASE WHEN value LIKE '%@%' THEN 'address' WHEN value LIKE '%.%' THEN 'domain' ELSE 'company' END
      OR value <> lower(value)`,
  "a finished list has no lead left, and one in work has a job": `
    SELECT t.id FROM lists t
    WHERE (t.processing_status IN ('completed', 'failed') AND t.leads_done + t.leads_failed + t.leads_skipped <> t.leads_count)
       OR (t.processing_status IN ('processing', 'in_progress') AND NOT EXISTS (
         SELECT 1 FROM jobs j WHERE j.subject = t.id AND j.type LIKE 'list.%'
           AND j.status IN ('waiting', 'pending', 'processing')))`,
  "every finished batch sends one mail, and no other list sends any": `
    SELECT t.id FROM lists t
    WHERE (SELECT count(*) FROM jobs j WHERE j.subject = t.id AND j.type = 'mail.completion') <>
      CASE WHEN t.kind = 'batch' AND t.recipient IS NOT NULL AND t.processing_status IN ('completed', 'failed')
        THEN 1 ELSE 0 END`,
  "every job is about something that is there": `
    SELECT j.id FROM jobs j
    WHERE NOT EXISTS (SELECT 1 FROM workspaces w WHERE w.id = j.subject)
      AND NOT EXISTS (SELECT 1 FROM campaigns c WHERE c.id = j.subject)
      AND NOT EXISTS (SELECT 1 FROM lists t WHERE t.id = j.subject)
      AND j.status NOT IN ('completed', 'failed')`,
  "a webhook delivery that is on its way has a job, and no other has one": `
    SELECT d.id FROM webhook_deliveries d
    WHERE (d.status = 'pending') <> EXISTS (SELECT 1 FROM jobs j WHERE j.id = d.job AND j.type = 'webhook.delivery'
        AND j.workspace_id = d.workspace_id AND j.status IN ('pending', 'processing'))
      OR (d.status = 'pending') <> (d.next_attempt_at IS NOT NULL)`,
  "each end of a lead is one event of a webhook": `
    SELECT min(id) AS id FROM webhook_deliveries WHERE lead_id IS NOT NULL
    GROUP BY webhook_id, type, lead_id HAVING count(DISTINCT event_id) > 1`,
  "a job has a lease while it is in work, and a gate while it waits": `
    SELECT id FROM jobs
    WHERE (status = 'processing') <> (lease IS NOT NULL) OR (status = 'waiting') <> (gate IS NOT NULL)`,
  "what is under way on a campaign has a job": `
    SELECT c.id FROM campaigns c
    CROSS JOIN (SELECT 'research' AS work UNION SELECT 'options' UNION SELECT 'build') w
    WHERE CASE w.work WHEN 'research' THEN c.research WHEN 'options' THEN c.options ELSE c.build END = 'processing'
      AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.status IN ('waiting', 'pending', 'processing') AND j.id =
        CASE w.work WHEN 'research' THEN c.research_job WHEN 'options' THEN c.options_job ELSE c.build_job END)`,
  "a campaign and its playbook have the same version": `
    SELECT c.id FROM campaigns c
    LEFT JOIN playbooks p ON p.campaign_id = c.id
    LEFT JOIN playbook_versions v ON v.campaign_id = p.campaign_id AND v.version = p.version
    WHERE (c.playbook IS NULL) <> (p.version IS NULL)
       OR (c.playbook IS NOT NULL AND (c.playbook <> p.version OR v.version IS NULL OR c.brief IS NULL))`,
  "every state is one that there is": `
    SELECT id FROM lists WHERE processing_status NOT IN ('pending', 'processing', 'in_progress', 'completed', 'failed')
    UNION ALL SELECT id FROM leads WHERE status NOT IN ('pending', 'completed', 'failed', 'skipped')
    UNION ALL SELECT id FROM jobs
      WHERE status NOT IN ('waiting', 'pending', 'processing', 'parked', 'completed', 'failed')
    UNION ALL SELECT id FROM previews WHERE status NOT IN ('processing', 'success', 'partial', 'failed')
    UNION ALL SELECT campaign_id FROM playbooks WHERE status NOT IN ('draft', 'approved')
    UNION ALL SELECT lead_id FROM lead_reviews WHERE review NOT IN (${reviewStatuses})
    UNION ALL SELECT id FROM webhook_deliveries WHERE status NOT IN ('pending', 'delivered', 'failed')`,
  "only written leads are reviewed and exported, and the versions of an email have no gap": `
    SELECT r.lead_id AS id FROM lead_reviews r JOIN leads l ON l.id = r.lead_id WHERE l.status <> 'completed'
    UNION ALL SELECT e.lead_id FROM lead_exports e JOIN leads l ON l.id = e.lead_id WHERE l.status <> 'completed'
    UNION ALL SELECT lead_id FROM email_versions GROUP BY lead_id, step
      HAVING min(version) <> 1 OR max(version) <> count(*) OR count(*) < 2`,
  "every rewrite was charged one credit": `
    SELECT v.rewrite AS id FROM (SELECT DISTINCT workspace_id, rewrite FROM email_versions WHERE rewrite IS NOT NULL) v
    LEFT JOIN (SELECT workspace_id, ref, -sum(amount) AS amount FROM credit_entries
      WHERE kind IN ('capture', 'refund') GROUP BY workspace_id, ref) e
      ON e.ref = v.rewrite AND e.workspace_id = v.workspace_id
    WHERE e.amount IS NULL OR e.amount <> 1`,
  "what belongs together is of one workspace": `
    SELECT l.id FROM leads l JOIN lists t ON t.id = l.list_id WHERE l.workspace_id <> t.workspace_id
    UNION ALL SELECT r.lead_id FROM lead_reviews r JOIN leads l ON l.id = r.lead_id
      WHERE r.workspace_id <> l.workspace_id
    UNION ALL SELECT e.lead_id FROM lead_exports e JOIN leads l ON l.id = e.lead_id
      WHERE e.workspace_id <> l.workspace_id
    UNION ALL SELECT v.lead_id FROM email_versions v JOIN leads l ON l.id = v.lead_id
      WHERE v.workspace_id <> l.workspace_id
    UNION ALL SELECT s.site FROM sites s JOIN lists t ON t.id = s.list_id WHERE s.workspace_id <> t.workspace_id
    UNION ALL SELECT t.id FROM lists t JOIN campaigns c ON c.id = t.campaign_id WHERE t.workspace_id <> c.workspace_id
    UNION ALL SELECT s.campaign_id FROM selections s JOIN campaigns c ON c.id = s.campaign_id
      WHERE s.workspace_id <> c.workspace_id
    UNION ALL SELECT d.id FROM campaign_documents d JOIN campaigns c ON c.id = d.campaign_id
      WHERE d.workspace_id <> c.workspace_id
    UNION ALL SELECT p.campaign_id FROM playbooks p JOIN campaigns c ON c.id = p.campaign_id
      WHERE p.workspace_id <> c.workspace_id
    UNION ALL SELECT v.campaign_id FROM playbook_versions v JOIN campaigns c ON c.id = v.campaign_id
      WHERE v.workspace_id <> c.workspace_id
    UNION ALL SELECT p.id FROM previews p JOIN campaigns c ON c.id = p.campaign_id WHERE p.workspace_id <> c.workspace_id
    UNION ALL SELECT v.id FROM conversations v JOIN campaigns c ON c.id = v.campaign_id
      WHERE v.workspace_id <> c.workspace_id
    UNION ALL SELECT m.conversation_id FROM messages m JOIN conversations v ON v.id = m.conversation_id
      WHERE m.workspace_id <> v.workspace_id
    UNION ALL SELECT d.id FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id
      WHERE d.workspace_id <> w.workspace_id
    UNION ALL SELECT j.id FROM jobs j JOIN lists t ON t.id = j.subject WHERE j.workspace_id <> t.workspace_id
    UNION ALL SELECT j.id FROM jobs j JOIN campaigns c ON c.id = j.subject WHERE j.workspace_id <> c.workspace_id`,
  "an uploaded document is as long as it is said to be": `
    SELECT u.id FROM uploads u LEFT JOIN files f ON f.id = u.file
      AND f.workspace_id = u.workspace_id AND f.state = 'kept'
    WHERE u.bytes <> COALESCE(f.bytes, 0) OR (u.file IS NOT NULL AND f.id IS NULL)`,
  "every kept file belongs to an upload or a list": `
    SELECT f.id FROM files f
    LEFT JOIN (SELECT file FROM uploads UNION ALL SELECT file FROM list_files) s ON s.file = f.id
    WHERE f.state = 'kept' AND s.file IS NULL`,
  "a file of a list is there, and the list is done": `
    SELECT s.file AS id FROM list_files s
    LEFT JOIN lists t ON t.id = s.list_id AND t.workspace_id = s.workspace_id AND t.processing_status = 'completed'
    LEFT JOIN files f ON f.id = s.file AND f.workspace_id = s.workspace_id AND f.state = 'kept'
    WHERE t.id IS NULL OR f.id IS NULL`,
  "a conversation counts its messages": `
    SELECT c.id FROM conversations c
    LEFT JOIN (SELECT conversation_id, count(*) AS messages, max(position) AS last FROM messages
      GROUP BY conversation_id) m ON m.conversation_id = c.id
    WHERE c.messages <> COALESCE(m.messages, 0) OR c.messages <> COALESCE(m.last, 0)`
}

/** The statements for a database. */
export const invariants = (dialect: Dialect) =>
  Record.map(statements, (statement) => (typeof statement === "string" ? statement : statement(dialect)))
