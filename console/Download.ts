// console/Download.ts: saves what the page has fetched as a file of the browser's downloads.
import { Effect } from "effect"
import { type HttpClientError, HttpClientResponse } from "effect/http"

export const saveFile = (name: string, content: BlobPart, type?: string) => {
  const url = URL.createObjectURL(new Blob([content], type === undefined ? {} : { type }))
  const link = document.createElement("a")
  link.href = url
  link.download = name
  link.click()
  // The browser may read the address after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** Saves the answer under the name that the server gives it, or what `rename` makes of it. Returns that name. */
export const saveResponse = <E, R>(
  response: Effect.Effect<HttpClientResponse.HttpClientResponse, E, R>,
  otherwise: string,
  rename: (name: string) => string = (name) => name
): Effect.Effect<string, E | HttpClientError.HttpClientError, R> =>
  response.pipe(
    Effect.flatMap(HttpClientResponse.filterStatusOk),
    Effect.flatMap((response) =>
      Effect.map(response.arrayBuffer, (bytes) => {
        const name = rename(/filename="([^"]+)"/.exec(response.headers["content-disposition"] ?? "")?.[1] ?? otherwise)
        saveFile(name, bytes)
        return name
      })
    )
  )
