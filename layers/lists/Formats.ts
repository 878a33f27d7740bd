// layers/lists/Formats.ts: the emails of a list as the bytes of a file.
import { Effect, Stream } from "effect"
import * as Csv from "#layers/lists/Csv.ts"
import type { WrittenLead } from "#layers/lists/Lead.ts"

export const formats = ["csv", "json"] as const
export type Format = (typeof formats)[number]

type Pages = Stream.Stream<ReadonlyArray<WrittenLead>>

const asJson = ({ company, custom_fields, email, name, sequence, title }: WrittenLead) =>
  JSON.stringify({ email, name, company, title, ...(custom_fields === null ? {} : { custom_fields }), sequence })

const csv = (pages: Pages, columns: Csv.Columns) =>
  Stream.make(Csv.header(columns)).pipe(
    Stream.concat(Stream.map(pages, (leads) => leads.map((lead) => Csv.row(lead, lead.sequence, columns)).join("")))
  )

const json = (pages: Pages) => {
  const body = pages.pipe(
    Stream.filter((leads) => leads.length > 0),
    Stream.zipWithIndex,
    Stream.map(([leads, i]) => (i === 0 ? "" : ",") + leads.map(asJson).join(","))
  )
  return Stream.make('{"leads":[').pipe(Stream.concat(body), Stream.concat(Stream.make("]}")))
}

/** Written page by page; others have their turn between two of them, however fast a reader takes them. */
export const written = (format: Format, pages: Pages, columns: Csv.Columns): Stream.Stream<Uint8Array> => {
  const unhurried = Stream.tap(pages, () => Effect.yieldNow)
  return Stream.encodeText(format === "csv" ? csv(unhurried, columns) : json(unhurried))
}
