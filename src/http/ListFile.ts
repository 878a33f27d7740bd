// src/http/ListFile.ts: the emails of a list as a CSV file, whoever asks for it by whatever right.
import { Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import * as Csv from "#layers/lists/Csv.ts"
import type { Written } from "#layers/lists/Emails.ts"

const table = ({ pages, steps }: Written) =>
  Stream.make(Csv.header(steps)).pipe(
    Stream.concat(Stream.map(pages, (leads) => leads.map((lead) => Csv.row(lead, lead.sequence, steps)).join(""))),
    Stream.encodeText
  )

/** A name that every system can store; RFC 6266 allows more than every client understands. */
const fileName = (name: string) =>
  `${
    name
      .replace(/[^\w.-]+/g, "-")
      .replace(/^[-.]+|-+$/g, "")
      .slice(0, 80) || "list"
  }.csv`

export const csv = (written: Written) =>
  HttpServerResponse.stream(table(written), {
    contentType: "text/csv; charset=utf-8",
    headers: {
      "content-disposition": `attachment; filename="${fileName(written.name)}"`,
      "x-content-type-options": "nosniff",
      "cache-control": "private, no-store"
    }
  })
