// src/http/Files.ts: documents behind signed links. No key is asked for: the link is one.
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Documents, pathOf } from "#layers/Documents.ts"
import { Links } from "#layers/Links.ts"
import { Forbidden, NotFound } from "#schema/Errors.ts"

const forbidden = HttpServerResponse.schemaJson(Forbidden)
const notFound = HttpServerResponse.schemaJson(NotFound)

export const Files = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const documents = yield* Documents
    const links = yield* Links

    yield* router.add(
      "GET",
      "/files/:id",
      Effect.gen(function* () {
        const { id = "" } = yield* HttpRouter.params
        const { expires, signature } = yield* HttpServerRequest.ParsedSearchParams
        const one = (value: string | ReadonlyArray<string> | undefined) =>
          typeof value === "string" ? value : undefined
        yield* links.check(pathOf(id), { expires: one(expires), signature: one(signature) })
        const { content, type } = yield* documents.read(id)
        return HttpServerResponse.text(content, {
          contentType: "text/markdown; charset=utf-8",
          headers: {
            "content-disposition": `attachment; filename="${type.replaceAll("_", "-")}.md"`,
            "x-content-type-options": "nosniff",
            "cache-control": "private, no-store"
          }
        })
      }).pipe(
        Effect.catchTags({
          FORBIDDEN: (error) => Effect.orDie(forbidden(error, { status: 403 })),
          NOT_FOUND: (error) => Effect.orDie(notFound(error, { status: 404 }))
        })
      )
    )
  })
)
