// src/http/Files.ts: documents and the emails of lists behind signed links. No key is asked for: the link is one.
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Documents, pathOf } from "#layers/Documents.ts"
import { Links } from "#layers/Links.ts"
import { Lists } from "#layers/Lists.ts"
import { Forbidden, NotFound } from "#schema/Errors.ts"
import { csv } from "#src/http/ListFile.ts"
import { Facts } from "#src/http/RequestLog.ts"

const forbidden = HttpServerResponse.schemaJson(Forbidden)
const notFound = HttpServerResponse.schemaJson(NotFound)

const route = "/files/:id"

export const Files = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const documents = yield* Documents
    const links = yield* Links
    const lists = yield* Lists

    const document = (id: string) =>
      Effect.map(documents.read(id), ({ content, type }) =>
        HttpServerResponse.text(content, {
          contentType: "text/markdown; charset=utf-8",
          headers: {
            "content-disposition": `attachment; filename="${type.replaceAll("_", "-")}.md"`,
            "x-content-type-options": "nosniff",
            "cache-control": "private, no-store"
          }
        })
      )
    const list = (id: string) => Effect.map(lists.linked(id), csv)

    yield* router.add(
      "GET",
      route,
      Effect.gen(function* () {
        const facts = yield* Facts
        if (facts !== undefined) facts.route = route
        const { id = "" } = yield* HttpRouter.params
        const { expires, signature } = yield* HttpServerRequest.ParsedSearchParams
        const one = (value: string | ReadonlyArray<string> | undefined) =>
          typeof value === "string" ? value : undefined
        yield* links.check(pathOf(id), { expires: one(expires), signature: one(signature) })
        return yield* Effect.catchTag(document(id), "NOT_FOUND", () => list(id))
      }).pipe(
        Effect.catchTags({
          FORBIDDEN: (error) => Effect.orDie(forbidden(error, { status: 403 })),
          NOT_FOUND: (error) => Effect.orDie(notFound(error, { status: 404 }))
        })
      )
    )
  })
)
