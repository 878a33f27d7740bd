// src/commands/LeadChecks.ts: asks the server what to look at among the leads of a batch before it costs anything.
import { Effect } from "effect"
import { HttpClientError } from "effect/http"
import type { Batch } from "#client/Batch.ts"
import type { Client } from "#client/Client.ts"
import { BadRequest, Forbidden } from "#schema/Errors.ts"
import type { LeadFileProblem } from "#schema/LeadFiles.ts"
import { printNote } from "#src/commands/Remote.ts"
import { countOf } from "#src/commands/TerminalText.ts"

type Kind = LeadFileProblem["kind"]

/** What is wrong with leads of each kind, in the order in which the kinds are printed. */
const descriptions = [
  ["suppressed", "on the suppression list"],
  ["client", "at your own company, a client or a competitor"],
  ["written_campaign", "in another list of this campaign"],
  ["written_workspace", "in a list of another campaign"],
  ["decided", "left out by hand or rejected in an earlier list"],
  ["maybe", "perhaps at a client, a competitor or a suppressed company"],
  ["typo", "with an address whose domain looks mistyped"],
  ["role", "with a shared mailbox, such as info@"],
  ["disposable", "with a throw-away address"],
  ["consumer", "with a private address, such as at gmail.com"],
  ["unusable", "with a name or a company that no email can use"]
] as const satisfies ReadonlyArray<readonly [Kind, string]>

/** The fields that the server checks, as a CSV file. The others are not sent, because a batch sends them anyway. */
const csvOf = (leads: Batch["leads"]) => {
  const quote = (cell: string | null | undefined) => `"${(cell ?? "").replaceAll('"', '""')}"`
  const rows = leads.map(({ company, company_website, email, name }) =>
    [email, name, company, company_website].map(quote).join(",")
  )
  return ["email,name,company,company_website", ...rows].join("\n")
}

/** The key may not read lead files, the server has no such endpoint, or it refuses what the batch itself reports better. */
const isUnavailable = (error: unknown) =>
  error instanceof Forbidden ||
  error instanceof BadRequest ||
  (HttpClientError.isHttpClientError(error) && error.response?.status === 404)

/** Whether the batch leaves out the lead of a problem. */
const isSkipped = ({ options }: Batch) => {
  const included = new Set(options.include_addresses?.map((address) => address.toLowerCase()))
  return ({ email, kind }: LeadFileProblem) => {
    if (kind === "suppressed") return true
    if (included.has((email ?? "").toLowerCase())) return false
    if (kind === "client") return options.skip_clients === true
    if (kind === "written_campaign") return options.skip_written !== undefined
    return kind === "written_workspace" && options.skip_written === "workspace"
  }
}

/**
 * Prints how many leads of each kind there are, and returns the leads that the batch does not leave out. Prints nothing
 * if the server cannot be asked.
 */
export const checkLeads = Effect.fnUntraced(function* (client: Client, batch: Batch) {
  const payload = new FormData()
  payload.append("file", new Blob([csvOf(batch.leads)]), "leads.csv")
  payload.append("campaign_id", batch.campaign)
  const problems = yield* client.lead_files.readLeadFile({ payload }).pipe(
    Effect.map((read) => read.problems),
    Effect.catchIf(isUnavailable, () => Effect.succeed<ReadonlyArray<LeadFileProblem>>([]))
  )
  const skipped = problems.filter(isSkipped(batch))
  const skippedAddresses = new Set(skipped.map(({ email }) => email))
  const addressesOf = (of: ReadonlyArray<LeadFileProblem>, kind: Kind) =>
    new Set(of.filter((problem) => problem.kind === kind).map(({ email }) => email)).size
  const lines = descriptions.flatMap(([kind, description]) => {
    const count = addressesOf(problems, kind)
    const skippedCount = addressesOf(skipped, kind)
    if (count === 0) return []
    const consequence = skippedCount === 0 ? "" : skippedCount === count ? ", left out" : `, ${skippedCount} left out`
    return [`  ${countOf(count, "lead")} ${description}${consequence}`]
  })
  if (lines.length > 0) yield* printNote("Look at these before you write to them:")
  for (const line of lines) yield* printNote(line)
  return batch.leads.filter(({ email }) => !skippedAddresses.has(email))
})
