// layers/generator/GenerationFailed.ts: the error of a writer, reader or answerer.
import { Schema } from "effect"
import { Failure } from "#schema/Errors.ts"

/**
 * Generation failed. `transient` means that the cause is external and may pass, such as a model provider that is down: the job is
 * retried later. Otherwise a retry would fail too.
 */
export class GenerationFailed extends Schema.TaggedError<GenerationFailed>()("GenerationFailed", {
  message: Schema.String,
  transient: Schema.Boolean,
  /** The reason for programs; omitted when this server is at fault. */
  failure: Schema.optionalKey(Failure)
}) {}

const fault: Failure = { reason: "fault" }

export const failureOf = ({ failure }: { readonly failure?: Failure }): Failure => failure ?? fault
