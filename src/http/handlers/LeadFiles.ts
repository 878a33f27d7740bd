// src/http/handlers/LeadFiles.ts: reads lead files.
import { Effect, Schema, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import { makeMarkKnownLeads } from "#layers/generation/KnownLeads.ts"
import { formatOf, LeadFiles } from "#layers/LeadFiles.ts"
import { CurrentPrincipal } from "#schema/Auth.ts"
import { BadRequest } from "#schema/Errors.ts"
import { mappedFields } from "#schema/lead-files/Columns.ts"
import type { ChosenColumns } from "#schema/lead-files/Parser.ts"
import { maxLeadFileBytes } from "#schema/LeadFiles.ts"
import { handlersOf } from "#src/http/Handlers.ts"
import { receiveFile } from "#src/http/handlers/Upload.ts"

const Headers = Schema.Union([Schema.String, Schema.Array(Schema.String)])
const Mapping = Schema.fromJsonString(Schema.Record(Schema.String, Headers))

/** The columns chosen by the caller. BAD_REQUEST for an unknown field. */
const parseMapping = Effect.fnUntraced(function* (mapping: string | undefined) {
  const chosen: { -readonly [F in keyof ChosenColumns]: ChosenColumns[F] } = {}
  if (mapping === undefined || mapping.trim() === "") return chosen
  const invalidMapping = BadRequest.at(
    "mapping",
    'must be a JSON object of fields and headers, such as {"email": ["Work mail"]}'
  )
  const fields = yield* Effect.mapError(Schema.decodeEffect(Mapping)(mapping), () => invalidMapping)
  for (const [name, headers] of Object.entries(fields)) {
    const field = mappedFields.find((mappedField) => mappedField === name)
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
  const markKnownLeads = yield* makeMarkKnownLeads

  return handlersOf("lead_files", {
    readLeadFile: Effect.fnUntraced(function* ({ payload }) {
      const { content, fields, name } = yield* receiveFile(payload, {
        maxBytes: maxLeadFileBytes,
        fields: ["sheet", "mapping", "campaign_id"],
        description: "a file of leads"
      })
      const chosen = yield* parseMapping(fields["mapping"])
      const sheet = fields["sheet"] === "" ? undefined : fields["sheet"]
      const detected = formatOf(name, content)
      if ("refusal" in detected) return yield* BadRequest.at("file", detected.refusal)
      const principal = yield* CurrentPrincipal
      const read = yield* leadFiles
        .read(principal.workspace_id, { ...detected, content, sheet, chosen })
        .pipe(Effect.catchTag("DocumentUnreadable", ({ message }) => BadRequest.at("file", message)))
      const campaign = fields["campaign_id"] ?? ""
      const parts = campaign === "" ? [read.json] : yield* markKnownLeads(principal, campaign, read)
      return HttpServerResponse.stream(Stream.fromIterable(parts), {
        contentType: "application/json",
        contentLength: parts.reduce((length, part) => length + part.length, 0)
      })
    })
  })
})
