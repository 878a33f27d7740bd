// src/commands/ReviewEmails.ts: shows, edits and restores the emails of a lead on a server.
import { Effect, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Id } from "#schema/Fields.ts"
import type { Claim } from "#schema/Findings.ts"
import type { ReviewedEmail } from "#schema/Review.ts"
import { wholeNumber } from "#src/commands/Flags.ts"
import { readEmailFile } from "#src/commands/Lint.ts"
import { userError } from "#src/commands/Output.ts"
import { remoteEnvironment, withClient } from "#src/commands/Remote.ts"
import { print } from "#src/commands/Root.ts"
import { alignColumns } from "#src/commands/TerminalText.ts"

const list = Argument.String("list").pipe(Argument.withSchema(Id), Argument.withDescription("The list's id"))
const lead = Argument.String("lead").pipe(
  Argument.withSchema(Id),
  Argument.withDescription("The lead's id, as review list shows it")
)
const step = Argument.Int("step").pipe(
  Argument.withSchema(
    Schema.Int.check(
      Schema.isBetween({ minimum: 1, maximum: 4 }, { message: "must be a whole number between 1 and 4" })
    )
  ),
  Argument.withDescription("Which email of the lead, 1 to 4")
)

const describeClaim = ({ sentence, sources, supported }: Claim): ReadonlyArray<string> => {
  // Null if there is nothing to compare the sentence with.
  if (supported === null) return []
  const from = sources.map(({ at, from }) => `${from} ${at}`).join(", ")
  return [supported ? `Source ${from}: ${sentence}` : `No source: ${sentence}`]
}

const describeEmail = ({ body, claims, edited, findings, step, subject, version }: ReviewedEmail) => [
  `Email ${step}, version ${version}${edited ? ", edited" : ""}: ${subject}`,
  ...body.split("\n").map((line) => `  ${line}`),
  ...findings.map(({ message, rule, severity }) => `${severity}  ${rule}  ${message}`),
  ...claims.flatMap(describeClaim)
]

export const show = Command.make("show", { list, lead }, ({ lead, list: id }) =>
  withClient(
    Effect.fnUntraced(function* (client) {
      const reviewed = yield* client.review.getLead({ params: { id, lead_id: lead } })
      const { note, status } = reviewed.review
      const reasons = [reviewed.skipped?.reason, reviewed.error, reviewed.suppressed, reviewed.maybe]
      yield* print(reviewed, [
        `Lead ${reviewed.position}, ${status}: ${[reviewed.email, reviewed.name, reviewed.title, reviewed.company].filter(Boolean).join(", ")}`,
        ...(note === null ? [] : [`Note: ${note}`]),
        ...reasons.filter((reason) => typeof reason === "string"),
        ...reviewed.emails.flatMap((email) => ["", ...describeEmail(email)])
      ])
    })
  )
).pipe(
  Command.withDescription("Show a lead and its emails, with their findings and the sources of what they state"),
  remoteEnvironment
)

export const edit = Command.make(
  "edit",
  {
    list,
    lead,
    step,
    subject: Flag.String("subject").pipe(Flag.withDescription("The new subject line"), Flag.optional),
    body: Flag.String("body").pipe(
      Flag.withDescription("The whole new body, signature included, \\n between its lines"),
      Flag.optional
    ),
    file: Flag.File("file").pipe(
      Flag.withDescription(
        'A file with the new body, in place of --body; a first line "Subject: ..." is the subject. - for standard input'
      ),
      Flag.optional
    ),
    from: wholeNumber("from-version", "The version that you changed, as review show prints it", 1, 1_000_000)
  },
  ({ body, file, from, lead, list: id, step, subject }) =>
    withClient(
      Effect.fnUntraced(function* (client) {
        if (Option.isSome(body) && Option.isSome(file)) return yield* userError("Give one of --body and --file")
        const emailFile = Option.isSome(file) ? yield* readEmailFile(file) : undefined
        const newSubject = Option.getOrUndefined(subject) ?? emailFile?.subject
        const newBody = emailFile?.body ?? Option.getOrUndefined(body)?.replaceAll("\\n", "\n")
        if (newSubject === undefined && newBody === undefined)
          return yield* userError("Give a --subject, a --body or a --file")
        const email = yield* client.review.editEmail({
          params: { id, lead_id: lead, step },
          payload: {
            version: from,
            ...(newSubject === undefined ? {} : { subject: newSubject }),
            ...(newBody === undefined ? {} : { body: newBody })
          }
        })
        yield* print(email, describeEmail(email))
      })
    )
).pipe(
  Command.withDescription("Save a new version of an email; refused if the email was changed since --from-version"),
  remoteEnvironment
)

export const versions = Command.make("versions", { list, lead, step }, ({ lead, list: id, step }) =>
  withClient(
    Effect.fnUntraced(function* (client) {
      const page = yield* client.review.listEmailVersions({
        params: { id, lead_id: lead, step },
        query: { limit: 100, offset: 0 }
      })
      yield* print(
        { versions: page.data, has_more: page.has_more, total: page.total },
        alignColumns(
          ["VERSION", "BY", "AT", "SUBJECT"],
          page.data.map(({ at, by, subject, version }) => [String(version), by, at, subject])
        )
      )
    })
  )
).pipe(Command.withDescription("Show the versions of an email, the newest first"), remoteEnvironment)

export const restore = Command.make(
  "restore",
  {
    list,
    lead,
    step,
    version: Argument.Int("version").pipe(
      Argument.withSchema(Schema.Int.check(Schema.isGreaterThanOrEqualTo(1, { message: "must be 1 or more" }))),
      Argument.withDescription("The version, as review versions shows it")
    )
  },
  ({ lead, list: id, step, version }) =>
    withClient(
      Effect.fnUntraced(function* (client) {
        const email = yield* client.review.restoreEmail({
          params: { id, lead_id: lead, step },
          headers: {},
          payload: { version }
        })
        yield* print(email, describeEmail(email))
      })
    )
).pipe(Command.withDescription("Make an earlier version of an email the current one again"), remoteEnvironment)
