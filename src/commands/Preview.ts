// src/commands/Preview.ts: previews a campaign: emails to five synthetic leads, in the columns of the user's file.
import { Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import { readLeads } from "#src/commands/Files.ts"
import { campaign, signatureOptions, writingFlags } from "#src/commands/Flags.ts"
import { remoteEnvironment, withClient } from "#src/commands/Remote.ts"
import { print } from "#src/commands/Root.ts"

const defaultHeaders = ["Email", "Name", "Title", "Company"]

const headersOf = Effect.fnUntraced(function* (path: string) {
  const { columns, custom, unused } = yield* readLeads(path)
  const otherHeaders = [...custom.map(({ header }) => header), ...unused]
  return [...new Set([...Object.values(columns).flat(), ...otherHeaders])].slice(0, 100)
})

export const preview = Command.make(
  "preview",
  {
    leads: Argument.File("leads").pipe(
      Argument.withDescription("A CSV file of leads, for its headers alone"),
      Argument.optional
    ),
    campaign,
    ...writingFlags
  },
  ({ campaign, emailCount, leads, ...signatureFlags }) =>
    withClient(
      Effect.fnUntraced(function* (client) {
        const signature = yield* signatureOptions(signatureFlags)
        const headers = Option.isSome(leads) ? yield* headersOf(leads.value) : defaultHeaders
        const preview = yield* client.preview.previewCampaign({
          params: { id: campaign },
          headers: {},
          payload: {
            sample: { headers },
            options: { email_count: emailCount, ...signature }
          }
        })
        const { credits_charged, generated_emails } = preview
        yield* print(preview, [
          ...generated_emails.flatMap(({ emails, error, lead_data: { company, email, name, title } }) => [
            `━━ ${[name, title, company, email].filter((part) => (part ?? "") !== "").join(" · ")}`,
            "",
            ...(error === undefined ? [] : [`   ${error}`, ""]),
            ...emails.flatMap(({ body, subject }, index) => [
              `   Email ${index + 1} of ${emails.length}`,
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
).pipe(remoteEnvironment)
