// src/commands/Review.ts: shows, approves, rejects and rewrites the leads of a list on a server.
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { repeatable } from "#client/Client.ts"
import { Id } from "#schema/Fields.ts"
import { IdempotencyKey } from "#schema/Idempotency.ts"
import { ReviewStatus, severities } from "#schema/ListLeads.ts"
import { toggle, wholeNumber } from "#src/commands/Flags.ts"
import { userError } from "#src/commands/Output.ts"
import { remoteEnvironment, withClient } from "#src/commands/Remote.ts"
import { print } from "#src/commands/Root.ts"
import { countOf, alignColumns } from "#src/commands/TextTable.ts"

const id = Argument.String("list").pipe(Argument.withSchema(Id), Argument.withDescription("The list's id"))
const leads = Argument.String("lead").pipe(
  Argument.withSchema(Id),
  Argument.withDescription("The leads' ids, as review list shows them"),
  Argument.variadic()
)

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
    maybe: toggle("maybe", "Only leads whose company may be one to leave out"),
    limit: wholeNumber("limit", "How many, those with the worst findings first, 1 to 100 (20)", 1, 100).pipe(
      Flag.withDefault(20)
    )
  },
  ({ id, limit, maybe, severity, status }) =>
    withClient(
      Effect.fnUntraced(function* (client) {
        const { data, has_more, total } = yield* client.lists.listLeads({
          params: { id },
          query: {
            limit,
            offset: 0,
            status: "completed",
            sort: "findings",
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

const decide = (name: "approve" | "reject" | "reopen", status: ReviewStatus, description: string) =>
  Command.make(name, { id, leads, all: toggle("all", "Decide about all leads of the list") }, ({ all, id, leads }) =>
    withClient(
      Effect.fnUntraced(function* (client) {
        if (all === leads.length > 0) return yield* userError("Name the leads, or give --all")
        const payload = { status, ...(all ? {} : { lead_ids: leads }) }
        const changed = yield* client.review.reviewLeads({ params: { id }, headers: {}, payload })
        const { failing, maybe, suppressed } = changed
        yield* print(changed, [
          `Changed the review of ${countOf(changed.changed, "lead")}`,
          ...(failing > 0 ? [`Not approved: ${countOf(failing, "lead")} with a failing finding`] : []),
          ...(suppressed > 0 ? [`Not approved: ${countOf(suppressed, "lead")} on the suppression list`] : []),
          ...(maybe > 0
            ? [
                `Not approved: ${countOf(maybe, "lead")} whose company may be one to leave out. Look at them: review list --maybe`
              ]
            : [])
        ])
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
  Command.withDescription("Send the emails of a lead to the workspace's own address, never to the lead"),
  remoteEnvironment
)

export const review = Command.make("review").pipe(
  Command.withSubcommands([
    list,
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
        const written = yield* repeatable(
          (headers) => client.review.rewriteLead({ params: { id, lead_id: lead }, headers, payload }),
          Option.getOrUndefined(key)
        )
        yield* print(
          written,
          written.emails.flatMap(({ body, step, subject, version }) => [
            `Email ${step}, version ${version}: ${subject}`,
            ...body.split("\n").map((line) => `  ${line}`)
          ])
        )
      })
    )
).pipe(remoteEnvironment)
