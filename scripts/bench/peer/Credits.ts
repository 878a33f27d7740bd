// scripts/bench/peer/Credits.ts: checks, holds and captures credits by the rules of the ledger.
import { iso, reader, uuid, writer } from "./Database.ts"
import { app, badRequest, object, Refused, whole } from "./Shell.ts"

const select = "SELECT * FROM credit_accounts WHERE workspace_id = ?"
const shown = reader.prepare(select)
const locked = writer.prepare(select)

type Row = Record<string, unknown>
const n = (row: Row, column: string) => Number(row[column])

const headroomOf = (row: Row, there: number) => {
  if (row["tier"] === "none") return 0
  return n(row, "is_unlimited") === 1 ? Number.MAX_SAFE_INTEGER : Math.max(0, there - n(row, "held"))
}

const accountOf = (row: Row | undefined, now: number) => {
  if (row === undefined) throw new Refused(404, "NOT_FOUND", "This workspace has no subscription")
  // A benchmark does not run until the end of a period.
  if (String(row["period_end"]) <= iso(now)) throw new Error("The period has ended")
  const own = n(row, "monthly") + n(row, "rollover") + n(row, "addon")
  const cap = n(row, "payg_cap_cents")
  const payg =
    n(row, "payg_eligible") === 1 && n(row, "payg_enabled") === 1
      ? Math.max(0, Math.floor(cap / 10) - n(row, "payg_used"))
      : 0
  return {
    row,
    balance: Math.max(0, own - n(row, "held")),
    headroom: headroomOf(row, own + payg),
    payg,
    payg_enabled: n(row, "payg_enabled") === 1,
    pct_of_cap: cap === 0 ? 0 : Math.min(1, (n(row, "payg_used") * 10) / cap)
  }
}

const check = (workspace: string, required: number, now: number) => {
  const { balance, headroom, payg_enabled, pct_of_cap } = accountOf(shown.get(workspace), now)
  return { required, available: balance, payg_enabled, pct_of_cap, sufficient: headroom >= required }
}
export const available = (workspace: string, now: number) => check(workspace, 0, now).available

const addHeld = writer.prepare("UPDATE credit_accounts SET held = held + ? WHERE workspace_id = ?")
const insertHold = writer.prepare(
  "INSERT INTO credit_holds (owner, workspace_id, amount, created_at) VALUES (?, ?, ?, ?)"
)

/** Runs in the transaction that accepts the work. */
export const hold = (workspace: string, owner: string, amount: number, now: number) => {
  const { balance, headroom, payg_enabled, pct_of_cap } = accountOf(locked.get(workspace), now)
  if (headroom < amount) {
    const detail = { required: amount, available: balance, payg_enabled, pct_of_cap }
    throw new Refused(402, "INSUFFICIENT_CREDITS", `This takes ${amount} credits; ${balance} are available`, detail)
  }
  addHeld.run(amount, workspace)
  insertHold.run(owner, workspace, amount, iso(now))
}

const deleteHold = writer.prepare("DELETE FROM credit_holds WHERE owner = ? AND workspace_id = ? RETURNING amount")
const spend = writer.prepare(`
  UPDATE credit_accounts SET held = held - :amount, monthly = monthly - :monthly, rollover = rollover - :rollover,
    addon = addon - :addon, payg_used = payg_used + :payg, used_period = used_period + :amount,
    used_total = used_total + :amount
  WHERE workspace_id = :workspace`)
const countUsed = writer.prepare(`
  INSERT INTO credit_days (workspace_id, day, used) VALUES (?, ?, ?)
  ON CONFLICT (workspace_id, day) DO UPDATE SET used = credit_days.used + excluded.used`)
const enter = writer.prepare(`
  INSERT INTO credit_entries (id, workspace_id, at, bucket, amount, kind, ref, note, operation)
  VALUES (?, ?, ?, ?, ?, 'capture', ?, NULL, ?)`)

/** Turns the hold into a charge, in the transaction that saves the emails. */
export const capture = (workspace: string, owner: string, now: number) => {
  const held = deleteHold.get(owner, workspace)
  if (held === undefined) return
  const amount = n(held, "amount")
  const { payg, row } = accountOf(locked.get(workspace), now)
  const unlimited = n(row, "is_unlimited") === 1
  const from = { monthly: 0, rollover: 0, addon: 0, payg: 0, unlimited: 0, unbilled: 0 }
  if (unlimited) from.unlimited = amount
  else {
    let left = amount
    for (const bucket of ["monthly", "rollover", "addon"] as const) {
      from[bucket] = Math.min(left, n(row, bucket))
      left -= from[bucket]
    }
    from.payg = Math.min(left, payg)
    from.unbilled = left - from.payg
  }
  const { addon, monthly, rollover } = from
  spend.run({ amount, monthly, rollover, addon, payg: from.payg, workspace })
  countUsed.run(workspace, iso(now).slice(0, 10), amount)
  for (const [bucket, part] of Object.entries(from)) {
    if (part > 0) enter.run(uuid(now), workspace, iso(now), bucket, -part, owner, `capture:${owner}:${bucket}`)
  }
}

export const release = (workspace: string, owner: string) => {
  const held = deleteHold.get(owner, workspace)
  if (held !== undefined) addHeld.run(-n(held, "amount"), workspace)
}

const Check = object({
  required: whole,
  available: whole,
  payg_enabled: { type: "boolean" },
  pct_of_cap: { type: "number" },
  sufficient: { type: "boolean" }
})

app.get<{ readonly Querystring: { readonly required: string } }>(
  "/api/v1/credits/check",
  {
    config: { scope: "credits:read" },
    schema: {
      querystring: object({ required: { type: "string", pattern: "^\\d{1,15}$" } }, ["required"]),
      response: { 200: Check }
    }
  },
  ({ caller, query }, reply) => {
    const required = Number(query.required)
    if (required === 0) throw badRequest("required: must be a positive whole number")
    reply.send(check(caller.workspace, required, Date.now()))
  }
)
