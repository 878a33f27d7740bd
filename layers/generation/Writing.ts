// layers/generation/Writing.ts: the writing options of a request, in the form that is stored.
import { Effect, Schema } from "effect"
import type { Signatures } from "#layers/Signatures.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import type { Options } from "#schema/Generation.ts"

export const Writing = Schema.Struct({
  /** Number of emails, 1 to 4. */
  email_count: Schema.Int,
  /** Appended to every email, line by line. */
  signature: Schema.String,
  additional_details: Schema.NullOr(Schema.String),
  approved_ctas: Schema.Array(Schema.String)
})
export type Writing = typeof Writing.Type

const defaultCtas = ["Question CTA", "Lead Magnet CTA", "Direct Meeting CTA"]

interface Asked extends Pick<
  Options,
  "email_signature" | "signature_id" | "additional_details" | "campaign_angle" | "approved_ctas"
> {
  /** The number may also be sent as text. */
  readonly email_count: number | string
}

/** NOT_FOUND when the saved signature is not this workspace's. */
export const writingOf = Effect.fnUntraced(function* (
  signatures: Signatures["Service"],
  workspace: WorkspaceId,
  options: Asked
) {
  const signature =
    typeof options.signature_id === "string"
      ? (yield* signatures.find(workspace, options.signature_id)).signature_text
      : (options.email_signature ?? "").replaceAll("\\n", "\n")
  const ctas = [options.approved_ctas ?? []].flat().filter((cta) => cta.trim() !== "")
  return {
    email_count: Number(options.email_count),
    signature: signature.replace(/\r\n?/g, "\n"),
    additional_details: options.additional_details ?? options.campaign_angle ?? null,
    approved_ctas: ctas.length === 0 ? defaultCtas : ctas
  } satisfies Writing
})
