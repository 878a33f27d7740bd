// src/http/ListFile.ts: the emails of a list as a file, for requests with a key or a link.
import type { Export } from "#layers/Lists.ts"
import { streamed } from "#src/http/Streamed.ts"

/** Downloaded under this name, never cached, never rendered. */
export const attached = (name: string) => ({
  "content-disposition": `attachment; filename="${name}"`,
  "cache-control": "private, no-store"
})

/** A name that every system can store; RFC 6266 allows more than every client understands. */
const fileName = (name: string) =>
  `${
    name
      .replace(/[^\w.-]+/g, "-")
      .replace(/^[-.]+|-+$/g, "")
      .slice(0, 80) || "list"
  }.csv`

export const json = ({ bytes, content }: Export) =>
  streamed(content, { contentType: "application/json", contentLength: bytes })

export const csv = ({ bytes, content, name }: Export) =>
  streamed(content, {
    contentType: "text/csv; charset=utf-8",
    contentLength: bytes,
    headers: attached(fileName(name))
  })
