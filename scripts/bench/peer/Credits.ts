// scripts/bench/peer/Credits.ts: checks, holds and captures credits by the rules of the ledger.
import { iso, reader, uuid, writer } from "./Database.ts"
import { app, badRequest, objectSchema, RequestError, integerSchema } from "./App.ts"

const selectAccountSql = "SELECT * FROM credit_accounts WHERE workspace_id = ?"
const selectAccount = reader.prepare(selectAccountSql)
const selectAccountForUpdate = writer.prepare(selectAccountSql)

type Row = Record<string, unknown>
const numberIn = (row: Row, column: string) => Number(row[column])

const headroom = (row: Row, totalCredits: number) => {
  if (row["tier"] === "none") return 0
  return numberIn(row, "is_unlimited") === 1
    ? Number.MAX_SAFE_INTEGER
    : Math.max(0, totalCredits - numberIn(row, "held"))
}

const readAccount = (row: Row | undefined, now: number) => {
  if (row === undefined) throw new RequestError(404, "NOT_FOUND", "This workspace has no subscription")
  // A benchmark does not run until the end of a period.
  if (String(row["period_end"]) <= iso(now)) throw new Error("The period has ended")
  const ownCredits = numberIn(row, "monthly") + numberIn(row, "rollover") + numberIn(row, "addon")
  const cap = numberIn(row, "payg_cap_cents")
  const payg =
    numberIn(row, "payg_eligible") === 1 && numberIn(row, "payg_enabled") === 1
      ? Math.max(0, Math.floor(cap / 10) - numberIn(row, "payg_used"))
      : 0
  return {
    row,
    balance: Math.max(0, ownCredits - numberIn(row, "held")),
    headroom: headroom(row, ownCredits + payg),
    payg,
    payg_enabled: numberIn(row, "payg_enabled") === 1,
    pct_of_cap: cap === 0 ? 0 : Math.min(1, (numberIn(row, "payg_used") * 10) / cap)
  }
}

const checkCredits = (workspace: string, required: number, now: number) => {
  const { balance, headroom, payg_enabled, pct_of_cap } = readAccount(selectAccount.get(workspace), now)
  return { required, available: balance, payg_enabled, pct_of_cap, sufficient: headroom >= required }
}
export const available = (workspace: string, now: number) => checkCredits(workspace, 0, now).available

const addHeld = writer.prepare("UPDATE credit_accounts SET held = held + ? WHERE workspace_id = ?")
const insertHold = writer.prepare(
  "INSERT INTO credit_holds (owner, workspace_id, amount, created_at) VALUES (?, ?, ?, ?)"
)

/** Runs in the transaction that accepts the work. */
export const hold = (workspace: string, owner: string, amount: number, now: number) => {
  const { balance, headroom, payg_enabled, pct_of_cap } = readAccount(selectAccountForUpdate.get(workspace), now)
  if (headroom < amount) {
    const detail = { required: amount, available: balance, payg_enabled, pct_of_cap }
    throw new RequestError(
      402,
      "INSUFFICIENT_CREDITS",
      `This takes ${amount} credits; ${balance} are available`,
      detail
    )
  }
  addHeld.run(amount, workspace)
  insertHold.run(owner, workspace, amount, iso(now))
}

const deleteHold = writer.prepare("DELETE FROM credit_holds WHERE owner = ? AND workspace_id = ? RETURNING amount")
const spendCredits = writer.prepare(`
  UPDATE credit_accounts SET held = held - :amount, monthly = monthly - :monthly, rollover = rollover - :rollover,
    addon = addon - :addon, payg_used = payg_used + :payg, used_period = used_period + :amount,
    used_total = used_total + :amount
  WHERE workspace_id = :workspace`)
const addUsedToDay = writer.prepare(`
  INSERT INTO credit_days (workspace_id, day, used) VALUES (?, ?, ?)
  ON CONFLICT (workspace_id, day) DO UPDATE SET used = credit_days.used + excluded.used`)
const insertEntry = writer.prepare(`
  INSERT INTO credit_entries (id, workspace_id, at, bucket, amount, kind, ref, note, operation)
  VALUES (?, ?, ?, ?, ?, 'capture', ?, NULL, ?)`)

/** Turns the hold into a charge, in the transaction that saves the emails. */
export const capture = (workspace: string, owner: string, now: number) => {
  const deletedHold = deleteHold.get(owner, workspace)
  if (deletedHold === undefined) return
  const amount = numberIn(deletedHold, "amount")
  const { payg, row } = readAccount(selectAccountForUpdate.get(workspace), now)
  const unlimited = numberIn(row, "is_unlimited") === 1
  const amounts = { monthly: 0, rollover: 0, addon: 0, payg: 0, unlimited: 0, unbilled: 0 }
  if (unlimited) amounts.unlimited = amount
  else {
    let remaining = amount
    for (const bucket of ["monthly", "rollover", "addon"] as const) {
      amounts[bucket] = Math.min(remaining, numberIn(row, bucket))
      remaining -= amounts[bucket]
    }
    amounts.payg = Math.min(remaining, payg)
    amounts.unbilled = remaining - amounts.payg
  }
  const { addon, monthly, rollover } = amounts
  spendCredits.run({ amount, monthly, rollover, addon, payg: amounts.payg, workspace })
  addUsedToDay.run(workspace, iso(now).slice(0, 10), amount)
  for (const [bucket, bucketAmount] of Object.entries(amounts)) {
    if (bucketAmount > 0)
      insertEntry.run(uuid(now), workspace, iso(now), bucket, -bucketAmount, owner, `capture:${owner}:${bucket}`)
  }
}

export const release = (workspace: string, owner: string) => {
  const deletedHold = deleteHold.get(owner, workspace)
  if (deletedHold !== undefined) addHeld.run(-numberIn(deletedHold, "amount"), workspace)
}

const Check = objectSchema({
  required: integerSchema,
  available: integerSchema,
  payg_enabled: { type: "boolean" },
  pct_of_cap: { type: "number" },
  sufficient: { type: "boolean" }
})

app.get<{ readonly Querystring: { readonly required: string } }>(
  "/api/v1/credits/check",
  {
    config: { scope: "credits:read" },
    schema: {
      querystring: objectSchema({ required: { type: "string", pattern: "^\\d{1,15}$" } }, ["required"]),
      response: { 200: Check }
    }
  },
  ({ caller, query }, reply) => {
    const required = Number(query.required)
    if (required === 0) throw badRequest("required: must be a positive whole number")
    reply.send(checkCredits(caller.workspace, required, Date.now()))
  }
)
