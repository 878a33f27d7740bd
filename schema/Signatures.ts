// schema/Signatures.ts: saved email signatures, and the endpoints that speak of them.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { RequiredScope } from "#schema/Auth.ts"
import { NotFound } from "#schema/Errors.ts"
import { Id, name, Timestamp } from "#schema/Fields.ts"
import { PageQuery, paged } from "#schema/Page.ts"

export const SignatureText = name(5000)

export const Signature = Schema.Struct({
  id: Id,
  signature_text: Schema.String,
  /** The first line that says anything; the server derives it. */
  signature_name: Schema.NullOr(Schema.String),
  created_by: Schema.NullOr(Schema.String),
  created_at: Timestamp,
  updated_at: Timestamp
})
export type Signature = typeof Signature.Type

export const nameOf = (text: string): string | null =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .find((line) => line !== "") ?? null

const payload = Schema.Struct({ signature_text: SignatureText })
const params = { id: Id }

export class SignaturesApi extends HttpApiGroup.make("signatures")
  .add(
    HttpApiEndpoint.get("listSignatures", "/", { query: PageQuery, success: paged(Signature) }).annotate(
      RequiredScope,
      "signatures:read"
    ),
    HttpApiEndpoint.post("createSignature", "/", {
      payload,
      success: Signature.pipe(HttpApiSchema.status("Created"))
    }).annotate(RequiredScope, "signatures:write"),
    HttpApiEndpoint.put("replaceSignature", "/:id", { params, payload, success: Signature, error: NotFound }).annotate(
      RequiredScope,
      "signatures:write"
    ),
    HttpApiEndpoint.delete("deleteSignature", "/:id", {
      params,
      success: Schema.Struct({ id: Id, deleted: Schema.tag(true) }),
      error: NotFound
    }).annotate(RequiredScope, "signatures:write")
  )
  .prefix("/signatures") {}
