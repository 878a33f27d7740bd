// src/mcp/tools/Shared.ts: shared parts of the MCP tools: parameters, annotations and error messages.
import { Context, Effect, Schema } from "effect"
import { Tool } from "effect/ai"
import { BadRequest } from "#schema/Errors.ts"
import { Id } from "#schema/Fields.ts"
import { IdempotencyKey } from "#schema/Idempotency.ts"
import { issuesOf } from "#schema/Issues.ts"

/** A tool call failed; the message says why and what to do. */
export class ToolFailed extends Schema.TaggedError<ToolFailed>()("ToolFailed", { message: Schema.String }) {}

export const failure = ToolFailed
export const campaign_id = Id.annotate({ description: "The campaign, as list_campaigns names it" })
export const list_id = Id.annotate({ description: "The list, as list_lists or generate names it" })

export const idempotency_key = Schema.optionalKey(IdempotencyKey).annotate({
  description: "A word of your choice: the same call with the same word within a day is not charged again"
})

/** Rows per page if a tool call gives no limit. */
export const defaultPageSize = 20

const IntBetween = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

export const pageParameters = {
  limit: Schema.optionalKey(IntBetween(1, 100)).annotate({ description: "How many at most, 20 unless said" }),
  offset: Schema.optionalKey(IntBetween(0, 1_000_000)).annotate({ description: "How many to pass over" })
}

/** Annotations of a tool that changes data but destroys none. Unknown arguments are refused. */
export const writingTool = Context.make(Tool.Destructive, false).pipe(
  Context.add(Tool.OpenWorld, false),
  Context.add(Tool.Strict, true)
)

/** Annotations of a tool that deletes or replaces data. */
export const destructiveTool = Context.add(writingTool, Tool.Destructive, true)

/** Annotations of a tool that changes nothing and costs nothing. */
export const readOnlyTool = Context.add(writingTool, Tool.Readonly, true)

export type ExplainError = <A, R>(
  request: Effect.Effect<A, { readonly message: string }, R>
) => Effect.Effect<A, { readonly message: string }, R>

/** The parameter name of a request field. Tools have flat parameters for what requests nest in `options` and `sample`. */
const argumentName = (path: string) => path.replace(/^(?:options|sample)\./, "")

/** Names a validation error's fields by the tool's parameters. */
const nameArguments = (error: { readonly message: string }) => {
  const issues = Schema.isSchemaError(error)
    ? issuesOf(error.issue)
    : error instanceof BadRequest
      ? (error.detail?.issues ?? [])
      : []
  return issues.length === 0
    ? error
    : new ToolFailed({ message: issues.map(({ message, path }) => `${argumentName(path)}: ${message}`).join("; ") })
}

/** Runs an API request of a tool and converts its error to a message for the agent. */
export type CallApi = <A, R>(
  request: Effect.Effect<A, { readonly message: string }, R>
) => Effect.Effect<A, ToolFailed, R>

export const makeCallApi =
  (explainError: ExplainError): CallApi =>
  (request) =>
    Effect.mapError(explainError(Effect.mapError(request, nameArguments)), ({ message }) => new ToolFailed({ message }))
