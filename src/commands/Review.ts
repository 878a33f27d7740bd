// src/commands/Review.ts: shows, approves, rejects and rewrites the leads of a list on a server.
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { repeatable } from "#client/Client.ts"
import { Id } from "#schema/Fields.ts"
import { IdempotencyKey } from "#schema/Idempotency.ts"
import { ReviewStatus, severities } from "#schema/ListLeads.ts"
import { type BulkReviewed, Moment } from "#schema/Review.ts"
import { toggle, wholeNumber } from "#src/commands/Flags.ts"
import { userError } from "#src/commands/Output.ts"
import { remoteEnvironment, withClient } from "#src/commands/Remote.ts"
import { edit, restore, show, versions } from "#src/commands/ReviewEmails.ts"
import { print } from "#src/commands/Root.ts"
import { countOf, alignColumns } from "#src/commands/TerminalText.ts"

const id = Argument.String("list").pipe(Argument.withSchema(Id), Argument.withDescription("The list's id"))
const leads = Argument.String("lead").pipe(
  Argument.withSchema(Id),
  Argument.withDescription("The leads' ids, as review list shows them"),
  Argument.variadic()
)

const filterFlags = {
  search: Flag.String("search").pipe(
    Flag.withDescription("Only leads with this text in their address, name or company"),
    Flag.optional
  ),
  persona: Flag.String("persona").pipe(
    Flag.withSchema(Id),
    Flag.withDescription("Only leads that got the emails of this persona, by its id"),
    Flag.optional
  )
}

interface Filters {
  readonly search: Option.Option<string>
  readonly persona: Option.Option<typeof Id.Type>
}

const filterOf = ({ persona, search }: Filters) => ({
  ...(Option.isSome(search) ? { q: search.value } : {}),
  ...(Option.isSome(persona) ? { persona_id: persona.value } : {})
})

const list = Command.make(
  "list",
  {
    id,
    status: Flag.Literals("status", ReviewStatus.literals).pipe(
      Flag.withDescription("Only leads with this review"),
      Flag.optional
    ),
    severity: Flag.Literals("severity", severities).pipe(
      Flag.withDescription("Only leads whose worst finding is this"),
      Flag.optional
    ),
    ...filterFlags,
    maybe: toggle("maybe", "Only leads whose company may be one to leave out"),
    limit: wholeNumber("limit", "How many, those with the worst findings first, 1 to 100 (20)", 1, 100).pipe(
      Flag.withDefault(20)
    )
  },
  ({ id, limit, maybe, severity, status, ...filters }) =>
    withClient(
      Effect.fnUntraced(function* (client) {
        const { data, has_more, total } = yield* client.lists.listLeads({
          params: { id },
          query: {
            limit,
            offset: 0,
            status: "completed",
            sort: "findings",
            ...filterOf(filters),
            ...(Option.isSome(status) ? { review: status.value } : {}),
            ...(Option.isSome(severity) ? { severity: severity.value } : {}),
            ...(maybe ? { maybe: "true" } : {})
          }
        })
        yield* print(
          { leads: data, has_more, total },
          alignColumns(
            ["ID", "REVIEW", "FINDINGS", "EMAIL", "SUBJECT"],
            data.map(({ email, emails, id, review }) => [
              id,
              review.status,
              String(emails.flatMap(({ findings }) => findings).length),
              email,
              emails[0]?.subject ?? ""
            ])
          )
        )
      })
    )
).pipe(
  Command.withDescription("Show the written leads of a list, those with the worst findings first"),
  remoteEnvironment
)

const selectionFlags = {
  all: toggle("all", "Decide about all leads of the list"),
  severity: Flag.Literals("severity", ["none", "hint", "warn"]).pipe(
    Flag.withDescription("All leads whose worst finding is at most this"),
    Flag.optional
  ),
  seen: toggle("seen", "All leads that a person opened, such as by review show"),
  ...filterFlags
}

const unchangedSince = Flag.String("unchanged-since").pipe(
  Flag.withSchema(Moment),
  Flag.withDescription(
    "Leave out leads whose emails were written or changed since this time, such as 2026-07-14T10:02:00.000Z; --dry-run shows its own"
  ),
  Flag.optional
)

interface Selection extends Filters {
  readonly all: boolean
  readonly severity: Option.Option<"none" | "hint" | "warn">
  readonly seen: boolean
}

/** The leads that a rule selects, or undefined if no flag asks for any. */
const selectionOf = ({ all, seen, severity, ...filters }: Selection) => {
  const filter = filterOf(filters)
  const where = {
    ...(Option.isSome(severity) ? { severity: severity.value } : {}),
    ...(seen ? { seen: true as const } : {}),
    ...(Object.keys(filter).length === 0 ? {} : { filter })
  }
  return all || Object.keys(where).length > 0 ? where : undefined
}

const describeDecision = (
  { at, changed, changed_since = 0, failing, maybe, suppressed }: BulkReviewed,
  dryRun: boolean
) => [
  `${dryRun ? "Would change" : "Changed"} the review of ${countOf(changed, "lead")}`,
  ...(failing > 0 ? [`Not approved: ${countOf(failing, "lead")} with a failing finding`] : []),
  ...(suppressed > 0 ? [`Not approved: ${countOf(suppressed, "lead")} on the suppression list`] : []),
  ...(maybe > 0
    ? [
        `Not approved: ${countOf(maybe, "lead")} whose company may be one to leave out. Look at them: review list --maybe`
      ]
    : []),
  ...(changed_since > 0 ? [`Left as they are: ${countOf(changed_since, "lead")} with an email changed since`] : []),
  ...(dryRun && changed > 0 ? [`To leave out emails that are changed from now on, add --unchanged-since ${at}`] : [])
]

const decide = (name: "approve" | "reject" | "reopen", status: ReviewStatus, description: string) =>
  Command.make(
    name,
    {
      id,
      leads,
      ...selectionFlags,
      unchangedSince,
      note: Flag.String("note").pipe(Flag.withDescription("A note on the leads that you name"), Flag.optional),
      dryRun: toggle("dry-run", "Count the leads, and decide about none")
    },
    ({ dryRun, id, leads, note, unchangedSince, ...rule }) =>
      withClient(
        Effect.fnUntraced(function* (client) {
          const selection = selectionOf(rule)
          if ((selection === undefined) === (leads.length === 0))
            return yield* userError("Name the leads, or give --all, --severity, --seen, --search or --persona")
          if (Option.isSome(note) && leads.length === 0) return yield* userError("Name the leads that --note is about")
          const where = {
            ...selection,
            ...(Option.isSome(unchangedSince) ? { unchanged_since: unchangedSince.value } : {})
          }
          const review = (selected: { readonly lead_ids?: typeof leads }) => {
            const payload = { status, ...selected, where, ...(dryRun ? { dry_run: true } : {}) }
            return client.review.reviewLeads({ params: { id }, headers: {}, payload })
          }
          const result = yield* review(leads.length === 0 ? {} : { lead_ids: leads })
          if (Option.isSome(note) && !dryRun) {
            for (const lead_id of leads) {
              // A lead that may not be approved gets no note either: the note is set together with the decision.
              const { changed_since = 0, failing, suppressed } = yield* review({ lead_ids: [lead_id] })
              if (changed_since + failing + suppressed > 0) continue
              yield* client.review.reviewLead({ params: { id, lead_id }, payload: { status, note: note.value } })
            }
          }
          yield* print(result, describeDecision(result, dryRun))
        })
      )
  ).pipe(Command.withDescription(description), remoteEnvironment)

const testMail = Command.make(
  "test-mail",
  {
    id,
    lead: Argument.String("lead").pipe(Argument.withSchema(Id), Argument.withDescription("The lead's id")),
    step: wholeNumber("step", "The email to send; all emails without it", 1, 4).pipe(Flag.optional)
  },
  ({ id, lead, step }) =>
    withClient(
      Effect.fnUntraced(function* (client) {
        const mailed = yield* client.review.sendTestMail({
          params: { id, lead_id: lead },
          headers: {},
          payload: Option.isSome(step) ? { step: step.value } : {}
        })
        yield* print(mailed, [`Sent ${countOf(mailed.sent, "test mail")} to ${mailed.to}`])
      })
    )
).pipe(
  Command.withDescription("Send the emails of a lead to the workspace's owner, never to the lead"),
  remoteEnvironment
)

export const review = Command.make("review").pipe(
  Command.withSubcommands([
    list,
    show,
    edit,
    versions,
    restore,
    decide("approve", "approved", "Approve leads; never one with a failing finding or on the suppression list"),
    decide("reject", "rejected", "Reject leads"),
    decide("reopen", "open", "Open the review of leads again"),
    testMail
  ])
)

export const rewrite = Command.make(
  "rewrite",
  {
    id,
    lead: Argument.String("lead").pipe(Argument.withSchema(Id), Argument.withDescription("The lead's id")),
    step: wholeNumber("step", "The email to write again; all emails without it", 1, 4).pipe(Flag.optional),
    instruction: Flag.String("instruction").pipe(
      Flag.withDescription("What to change; the server needs a model for it"),
      Flag.optional
    ),
    variant: wholeNumber("variant", "The template variant to fill in, without a model", 1, 3).pipe(Flag.optional),
    key: Flag.String("idempotency-key").pipe(
      Flag.withSchema(IdempotencyKey),
      Flag.withDescription("With the key of an earlier run, shows what that run wrote and charges nothing"),
      Flag.optional
    )
  },
  ({ id, instruction, key, lead, step, variant }) =>
    withClient(
      Effect.fnUntraced(function* (client) {
        const payload = {
          ...(Option.isSome(step) ? { step: step.value } : {}),
          ...(Option.isSome(instruction) ? { instruction: instruction.value } : {}),
          ...(Option.isSome(variant) ? { variant: variant.value } : {})
        }
        const rewritten = yield* repeatable(
          (headers) => client.review.rewriteLead({ params: { id, lead_id: lead }, headers, payload }),
          Option.getOrUndefined(key)
        )
        yield* print(
          rewritten,
          rewritten.emails.flatMap(({ body, step, subject, version }) => [
            `Email ${step}, version ${version}: ${subject}`,
            ...body.split("\n").map((line) => `  ${line}`)
          ])
        )
      })
    )
).pipe(remoteEnvironment)
