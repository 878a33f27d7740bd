// src/commands/Flags.ts: flags that several commands share.
import { Duration, Effect, Option, Schema } from "effect"
import { Flag } from "effect/cli"
import { Id } from "#schema/Fields.ts"
import { EmailCount } from "#schema/Generation.ts"
import { userError } from "#src/commands/Output.ts"
import { parseDuration } from "#src/settings/SettingParsers.ts"

/** A boolean flag, false by default. */
export const toggle = (name: string, description: string) =>
  Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.withDefault(false))

/** A flag that takes a whole number within bounds. */
export const wholeNumber = (name: string, description: string, minimum: number, maximum: number) =>
  Flag.Int(name).pipe(
    Flag.withSchema(
      Schema.Int.check(
        Schema.isBetween({ minimum, maximum }, { message: `must be a whole number between ${minimum} and ${maximum}` })
      )
    ),
    Flag.withDescription(description)
  )

export const workspace = Flag.String("workspace").pipe(Flag.withDescription("The workspace's id"))

export const campaign = Flag.String("campaign").pipe(Flag.withSchema(Id), Flag.withDescription("The campaign's id"))

const DurationText = Schema.String.check(
  Schema.makeFilter((text: string) => parseDuration(text) !== undefined, {
    message: "Expected a duration such as 30m, 24h or 90d"
  })
)

/** A flag that takes `<n>s`, `<n>m`, `<n>h` or `<n>d`. */
export const durationFlag = (name: string, description: string) =>
  Flag.String(name).pipe(
    Flag.withSchema(DurationText),
    Flag.withDescription(description),
    Flag.map((text) => parseDuration(text) ?? Duration.zero)
  )

/** The writing options of a request. */
export const writingFlags = {
  emailCount: Flag.Int("email-count").pipe(
    Flag.withSchema(EmailCount),
    Flag.withDescription("Emails to each lead, 1 to 4")
  ),
  signature: Flag.String("signature").pipe(Flag.withDescription("The signature, \\n between its lines"), Flag.optional),
  signatureId: Flag.String("signature-id").pipe(
    Flag.withDescription("A saved signature's id, in place of --signature"),
    Flag.optional
  )
}

/** The signature options of a request: a text, or the id of a saved signature. */
export const signatureOptions = Effect.fnUntraced(function* ({
  signature,
  signatureId
}: {
  readonly signature: Option.Option<string>
  readonly signatureId: Option.Option<string>
}) {
  if (Option.isSome(signature) === Option.isSome(signatureId)) {
    return yield* userError("Give one of --signature and --signature-id")
  }
  return {
    ...(Option.isSome(signature) ? { email_signature: signature.value } : {}),
    ...(Option.isSome(signatureId) ? { signature_id: signatureId.value } : {})
  }
})
