// src/http/handlers/LeadFiles.ts: reads lead files.
import { Effect, Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import { makeMarkKnownLeads } from "#layers/generation/KnownLeads.ts"
import { formatOf, LeadFiles } from "#layers/LeadFiles.ts"
import { CurrentPrincipal } from "#schema/Auth.ts"
import { BadRequest } from "#schema/Errors.ts"
import { mappedFields } from "#schema/lead-files/Columns.ts"
import type { ChosenColumns } from "#schema/lead-files/Parser.ts"
import { maxLeadFileBytes } from "#schema/LeadFiles.ts"
import { handlersOf } from "#src/http/Handlers.ts"
import { receive } from "#src/http/handlers/Upload.ts"

const Headers = Schema.Union([Schema.String, Schema.Array(Schema.String)])
const Mapping = Schema.fromJsonString(Schema.Record(Schema.String, Headers))

/** The columns chosen by the caller. BAD_REQUEST for an unknown field. */
const chosenOf = Effect.fnUntraced(function* (mapping: string | undefined) {
  const chosen: { -readonly [F in keyof ChosenColumns]: ChosenColumns[F] } = {}
  if (mapping === undefined || mapping.trim() === "") return chosen
  const wrong = BadRequest.at(
    "mapping",
    'must be a JSON object of fields and headers, such as {"email": ["Work mail"]}'
  )
  const fields = yield* Effect.mapError(Schema.decodeEffect(Mapping)(mapping), () => wrong)
  for (const [name, headers] of Object.entries(fields)) {
    const field = mappedFields.find((one) => one === name)
    if (field === undefined) {
      return yield* BadRequest.at(
        `mapping.${name.slice(0, 100)}`,
        `is no field of a lead; the fields are ${mappedFields.join(", ")}`
      )
    }
    chosen[field] = typeof headers === "string" ? (headers === "" ? [] : [headers]) : headers
  }
  return chosen
})

export const LeadFilesHandlers = Effect.gen(function* () {
  const leadFiles = yield* LeadFiles
  const knownIn = yield* makeMarkKnownLeads

  return handlersOf("lead_files", {
    readLeadFile: Effect.fnUntraced(function* ({ payload }) {
      const { content, fields, name } = yield* receive(payload, {
        largest: maxLeadFileBytes,
        fields: ["sheet", "mapping", "campaign_id"],
        what: "a file of leads"
      })
      const chosen = yield* chosenOf(fields["mapping"])
      const sheet = fields["sheet"] === "" ? undefined : fields["sheet"]
      const found = formatOf(name, content)
      if ("refusal" in found) return yield* BadRequest.at("file", found.refusal)
      const { workspace_id } = yield* CurrentPrincipal
      const json = yield* leadFiles
        .read(workspace_id, { ...found, content, sheet, chosen })
        .pipe(Effect.catchTag("DocumentUnreadable", ({ message }) => BadRequest.at("file", message)))
      const campaign = fields["campaign_id"] ?? ""
      const answer = campaign === "" ? json : yield* knownIn(workspace_id, campaign, json)
      return HttpServerResponse.uint8Array(answer, { contentType: "application/json" })
    })
  })
})
