// test/spec/versioning.ts: the version in the path, and deprecated names.
import type { Chapter } from "./Fact.ts"

export const versioning: Chapter = {
  title: "Versioning",
  facts: [
    ["the API is under /api/v1 and nowhere else", "http: include everything outside /api/v1, and other versions"],
    [
      "campaign_angle is still accepted for additional_details",
      "generation: reach the writer: $input",
      "preview: has options that are passed to the writer"
    ],
    ["sequence_name is still accepted for list_name", "generation: gives its list a name unless one is sent"],
    [
      "sequence_id is still returned beside list_id",
      "generation: gets its sequence in the response, is charged, and is stored in its own list",
      "generation-batch: is accepted immediately, written in the background, charged per lead, and listed"
    ],
    [
      "GET /campaigns and GET /lists keep their own keys, with has_more and total",
      "http: of %s has the documented shape"
    ]
  ]
}
