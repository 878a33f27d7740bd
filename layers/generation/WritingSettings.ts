// layers/generation/WritingSettings.ts: the writing options of a request as they are stored.
import { Effect, Schema } from "effect"
import type { Brief, Draft } from "#layers/generator/Brief.ts"
import type { Signatures } from "#layers/Signatures.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import type { Options } from "#schema/Generation.ts"
import type { Sequence } from "#schema/Lead.ts"

export const WritingSettings = Schema.Struct({
  /** Number of emails, 1 to 4. */
  email_count: Schema.Int,
  /** Appended to every email. */
  signature: Schema.String,
  additional_details: Schema.NullOr(Schema.String),
  approved_ctas: Schema.Array(Schema.String)
})
export type WritingSettings = typeof WritingSettings.Type

const defaultCtas = ["Question CTA", "Lead Magnet CTA", "Direct Meeting CTA"]

interface WritingOptions extends Pick<
  Options,
  "email_signature" | "signature_id" | "additional_details" | "campaign_angle" | "approved_ctas"
> {
  /** The number may also be sent as a string. */
  readonly email_count: number | string
}

/** NOT_FOUND if the workspace has no such signature. */
export const resolveWriting = Effect.fnUntraced(function* (
  signatures: Signatures["Service"],
  workspace: WorkspaceId,
  options: WritingOptions
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
  } satisfies WritingSettings
})

/** The finished emails: the drafts with the signature appended. */
export const appendSignature = (drafts: ReadonlyArray<Draft>, signature: string): Sequence =>
  drafts.map(({ body, subject }, i) => ({ step: i + 1, subject, body: `${body}\n\n${signature}` }))

/** The writer's input for one lead. */
export const leadBrief = (
  {
    campaign,
    instructions,
    playbook,
    writing
  }: Pick<Brief, "campaign" | "instructions" | "playbook"> & {
    readonly writing: Pick<Brief, "additional_details" | "approved_ctas" | "email_count">
  },
  lead: Pick<Brief, "facts" | "lead" | "seed">
): Brief => ({
  campaign,
  instructions,
  playbook,
  email_count: writing.email_count,
  additional_details: writing.additional_details,
  approved_ctas: writing.approved_ctas,
  ...lead
})
