// console/pages/list/Download.ts: takes a list's emails home as a file. A link could not carry the key, so the page fetches it.
import { Effect } from "effect"
import { HttpClientResponse } from "effect/http"
import type { Session } from "#console/Session.tsx"

export const download = async ({ ask }: Session, list: string, format: "csv" | "json", otherwise: string) => {
  const { bytes, name } = await ask((api) =>
    api.lists.exportList({ params: { id: list }, query: { format }, responseMode: "response-only" }).pipe(
      Effect.flatMap(HttpClientResponse.filterStatusOk),
      Effect.flatMap((response) =>
        Effect.map(response.arrayBuffer, (bytes) => ({
          bytes,
          name: /filename="([^"]+)"/.exec(response.headers["content-disposition"] ?? "")?.[1]
        }))
      )
    )
  )
  const url = URL.createObjectURL(new Blob([bytes]))
  const link = document.createElement("a")
  link.href = url
  link.download = name ?? `${otherwise}.${format}`
  link.click()
  // The browser has taken hold of it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
