// src/commands/Preview.ts: how a campaign sounds: emails to five made-up leads, laid out as one's own file is.
import { Effect, FileSystem, Option } from "effect"
import { Argument, Command } from "effect/cli"
import { fail, HelpEnd } from "#src/commands/Output.ts"
import { campaign, environment, withClient, writing } from "#src/commands/Remote.ts"
import { print } from "#src/commands/Root.ts"
import * as LeadFile from "#schema/LeadFile.ts"

const usual = ["Email", "Name", "Title", "Company"]

const headersOf = Effect.fnUntraced(function* (path: string) {
  const fs = yield* FileSystem.FileSystem
  const bytes = yield* Effect.mapError(fs.readFile(path), () => fail(`Cannot read ${path}`))
  const file = yield* Effect.mapError(LeadFile.read(bytes), ({ message }) => fail(`${path}: ${message}`))
  return [...new Set([...Object.values(file.columns).flat(), ...file.unused])].slice(0, 100)
})

export const preview = Command.make(
  "preview",
  {
    leads: Argument.File("leads").pipe(
      Argument.withDescription("A CSV file of leads, for its headers alone"),
      Argument.optional
    ),
    campaign,
    ...writing
  },
  ({ campaign, emailCount, leads, signature, signatureId }) =>
    withClient(
      Effect.fnUntraced(function* (client) {
        if (Option.isSome(signature) === Option.isSome(signatureId)) {
          return yield* fail("Give one of --signature and --signature-id")
        }
        const headers = Option.isSome(leads) ? yield* headersOf(leads.value) : usual
        const preview = yield* client.preview.previewCampaign({
          params: { id: campaign },
          headers: {},
          payload: {
            sample: { headers },
            options: {
              email_count: emailCount,
              ...(Option.isSome(signature) ? { email_signature: signature.value } : {}),
              ...(Option.isSome(signatureId) ? { signature_id: signatureId.value } : {})
            }
          }
        })
        const { credits_charged, generated_emails } = preview
        yield* print(JSON.parse(JSON.stringify(preview)), [
          ...generated_emails.flatMap(({ emails, error, lead_data: { company, email, name, title } }) => [
            `━━ ${[name, title, company, email].filter((part) => (part ?? "") !== "").join(" · ")}`,
            "",
            ...(error === undefined ? [] : [`   ${error}`, ""]),
            ...emails.flatMap(({ body, subject }, at) => [
              `   Email ${at + 1} of ${emails.length}`,
              `   Subject: ${subject}`,
              "",
              ...body.split("\n").map((line) => `   ${line}`.trimEnd()),
              ""
            ])
          ]),
          `${credits_charged} credits`
        ])
      })
    )
).pipe(
  Command.withDescription("Read emails to five made-up leads; five credits, and one back for each that fails"),
  Command.annotate(HelpEnd, environment)
)
