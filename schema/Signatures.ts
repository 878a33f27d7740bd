// schema/Signatures.ts: saved email signatures, and the endpoints that manage them.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { RequiredScope } from "#schema/Auth.ts"
import { NotFound } from "#schema/Errors.ts"
import { Deleted, Id, nonEmptyText, idParams, Timestamp } from "#schema/Fields.ts"
import { PageQuery, paged } from "#schema/Page.ts"

export const SignatureText = nonEmptyText(5000, "The whole signature, its lines separated by newlines")

export const Signature = Schema.Struct({
  id: Id.annotate({ description: "To be sent as options.signature_id" }),
  signature_text: Schema.String.annotate({ description: "The whole signature" }),
  signature_name: Schema.NullOr(Schema.String).annotate({
    description: "Its first line that says anything; the server derives it"
  }),
  created_by: Schema.NullOr(Schema.String).annotate({ description: "The user; the workspace's owner, by the API" }),
  created_at: Timestamp,
  updated_at: Timestamp
}).annotate({
  title: "Signature",
  description: "A saved signature",
  examples: [
    {
      id: "01980f3e-7c1a-7d52-9b7e-2f64c0a81d35",
      signature_text: "Piotr Zielinski\nKestrel Pumps",
      signature_name: "Piotr Zielinski",
      created_by: "owner@kestrel-pumps.example",
      created_at: "2026-07-14T09:30:00.000Z",
      updated_at: "2026-07-14T09:30:00.000Z"
    }
  ]
})
export type Signature = typeof Signature.Type

export const nameOf = (text: string): string | null =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .find((line) => line !== "") ?? null

const payload = Schema.Struct({ signature_text: SignatureText }).annotate({
  title: "SignatureInput",
  description: "A signature's text",
  examples: [{ signature_text: "Piotr Zielinski\nKestrel Pumps" }]
})
const params = idParams("signature")

export class SignaturesApi extends HttpApiGroup.make("signatures")
  .add(
    HttpApiEndpoint.get("listSignatures", "/", {
      query: PageQuery,
      success: paged("SignaturePage", Signature)
    }).annotate(RequiredScope, "signatures:read"),
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
      success: Deleted,
      error: NotFound
    }).annotate(RequiredScope, "signatures:write")
  )
  .prefix("/signatures") {}
