// layers/generation/Writing.ts: what a caller asks of the emails, in the form that the writer takes.
import { Effect } from "effect"
import type { Signatures } from "#layers/Signatures.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import type { Options } from "#schema/Generation.ts"

const defaultCtas = ["Question CTA", "Lead Magnet CTA", "Direct Meeting CTA"]

type Asked = Pick<
  Options,
  "email_signature" | "signature_id" | "additional_details" | "campaign_angle" | "approved_ctas"
>

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
    signature: signature.replace(/\r\n?/g, "\n"),
    additional_details: options.additional_details ?? options.campaign_angle ?? null,
    approved_ctas: ctas.length === 0 ? defaultCtas : ctas
  }
})
