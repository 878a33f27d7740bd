// test/spec/versioning.ts: the version in the path, and the names of before.
import type { Chapter } from "./Fact.ts"

export const versioning: Chapter = {
  title: "Versioning",
  facts: [
    ["the API is under /api/v1 and nowhere else", "http: is anything outside /api/v1, or under another version"],
    [
      "campaign_angle is still taken for additional_details",
      "generation: reach the writer: $given",
      "preview: has options that are passed to the writer"
    ],
    ["sequence_name is still taken for list_name", "generation: lends its list a name unless there is one"],
    [
      "sequence_id is still answered beside list_id",
      "generation: is answered with its sequence, charged, and kept in a list of its own",
      "generation-batch: is accepted at once, written in the background, charged by lead, and listed"
    ],
    ["GET /campaigns and GET /lists keep their own keys, with has_more and total", "http: of %s keeps its own shape"]
  ]
}
