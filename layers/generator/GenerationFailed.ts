// layers/generator/GenerationFailed.ts: why nothing was written, read or answered.
import { Schema } from "effect"
import { Failure } from "#schema/Errors.ts"

/**
 * The writer could not do it. `transient` when an outside reason (a model provider that is down) may pass: the work
 * is then kept for later. Otherwise trying the same thing again cannot help.
 */
export class GenerationFailed extends Schema.TaggedError<GenerationFailed>()("GenerationFailed", {
  message: Schema.String,
  transient: Schema.Boolean,
  /** For the caller of an email; a fault of this server when omitted. */
  failure: Schema.optionalKey(Failure)
}) {}

const fault: Failure = { reason: "fault" }

export const failureOf = ({ failure }: { readonly failure?: Failure }): Failure => failure ?? fault
