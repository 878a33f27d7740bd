// schema/openapi/Files.ts: documents signed links, which are the only path outside the API's endpoints.
import { requestIdExample } from "#schema/Errors.ts"
import { headerRefs } from "#schema/Headers.ts"
import { problemOf, problemType } from "#schema/Problem.ts"
import type { Json } from "#schema/openapi/Shapes.ts"

const parameter = (name: string, place: "path" | "query", description: string) => ({
  name,
  in: place,
  required: true,
  description,
  schema: { type: "string" }
})

const errorResponse = (
  status: number,
  description: string,
  name: string,
  error: string,
  message: string,
  headers: Parameters<typeof headerRefs>[0] = ["X-Request-Id"]
) => ({
  description,
  headers: headerRefs(headers),
  content: {
    "application/json": {
      schema: { $ref: `#/components/schemas/${name}` },
      example: { error, message, request_id: requestIdExample }
    },
    [problemType]: {
      schema: { $ref: "#/components/schemas/Problem" },
      example: problemOf(status, { error, message, request_id: requestIdExample })
    }
  }
})

export const file: Json = {
  operationId: "openFile",
  summary: "Open a signed link",
  description:
    "Documents are Markdown, lists are CSV. No key is asked for: take the address as it was given, in a `download_url` or in a mail. A link that has expired or was altered is refused.",
  tags: ["Files"],
  security: [],
  parameters: [
    parameter("id", "path", "The document or the list"),
    parameter("expires", "query", "When the link ends, in seconds since 1970"),
    parameter("signature", "query", "The signature of the link")
  ],
  responses: {
    200: {
      description: "A document as Markdown, or the emails of a list as CSV",
      headers: headerRefs(["X-Request-Id", "Content-Disposition"]),
      content: {
        "text/markdown": { schema: { type: "string" }, example: "# Company summary\n\nKestrel Pumps rebuilds pumps." },
        "text/csv": {
          schema: { type: "string" },
          example: "email,name,…\r\nida.moreau@northquarry.example,Ida Moreau,…\r\n"
        }
      }
    },
    400: errorResponse(
      400,
      "The request is malformed, such as one without a Host",
      "BadRequestError",
      "BAD_REQUEST",
      "Malformed request"
    ),
    403: errorResponse(
      403,
      "The link has expired or was altered",
      "ForbiddenError",
      "FORBIDDEN",
      "This link has ended or is not valid; ask for a new one"
    ),
    404: errorResponse(
      404,
      "The document or list no longer exists",
      "NotFoundError",
      "NOT_FOUND",
      "No such document in this workspace"
    ),
    429: errorResponse(
      429,
      "It was opened sixty times within a minute",
      "RateLimitedError",
      "RATE_LIMITED",
      "This link is opened too often; try again in 12 s",
      ["X-Request-Id", "Retry-After"]
    ),
    500: errorResponse(
      500,
      "The server failed",
      "InternalError",
      "INTERNAL_ERROR",
      "Something broke on our side; try again later"
    )
  }
}
