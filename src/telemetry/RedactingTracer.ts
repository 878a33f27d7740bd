// src/telemetry/RedactingTracer.ts: a tracer without personal data.
import { Cause, Exit, Predicate, Tracer } from "effect"

/**
 * The only attributes that a span may have. Drops all others that libraries add, for example addresses, headers and
 * statements.
 */
const allowedAttributes = new Set([
  "http.request.method",
  "http.route",
  "http.response.status_code",
  "db.system.name",
  "request_id",
  "job_id",
  "job.type",
  "job.attempt",
  "error.type",
  "gen_ai.operation.name",
  "gen_ai.provider.name",
  "gen_ai.request.model",
  "gen_ai.request.temperature",
  "gen_ai.request.max_tokens",
  "gen_ai.request.seed",
  "gen_ai.output.type",
  "gen_ai.response.finish_reasons",
  "gen_ai.usage.input_tokens",
  "gen_ai.usage.cache_read.input_tokens",
  "gen_ai.usage.output_tokens"
])

const errorName = (error: unknown) => {
  if (Predicate.hasProperty(error, "_tag") && typeof error._tag === "string") return error._tag
  return error instanceof Error ? error.name : "Error"
}

/** An error with its name only, because its message may contain personal data; the log has the message. */
const errorWithoutMessage = (name: string) => Object.assign(new Error(name), { name, stack: name })

const exitWithoutMessages = (exit: Exit.Exit<unknown, unknown>): Exit.Exit<unknown, unknown> => {
  if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return exit
  const [reason] = exit.cause.reasons.filter((reason) => !Cause.isInterruptReason(reason))
  return Exit.fail(
    errorWithoutMessage(errorName(reason !== undefined && Cause.isFailReason(reason) ? reason.error : reason?.defect))
  )
}

/** Spans of single statements are dropped, because there are too many and each transaction has a span. */
const isStatement = (name: string) => name === "sqlite" || name === "postgresql"

export const redactingTracer = (tracer: Tracer.Tracer): Tracer.Tracer =>
  Tracer.make({
    ...tracer,
    span: (options) => {
      // A caller may continue its trace here, but cannot turn sampling off.
      const sampled = options.kind === "server" ? true : options.sampled && !isStatement(options.name)
      const span = tracer.span({ ...options, sampled })
      const { attribute, end, event } = span
      return Object.assign(span, {
        attribute: (key: string, value: unknown) => {
          if (!allowedAttributes.has(key)) return
          attribute.call(span, key, value)
          // Adds the route to the span's name, because it is known only after the request was routed.
          if (key === "http.route" && options.kind === "server")
            Object.assign(span, { name: `${options.name} ${value}` })
        },
        event: (name: string, timeNanos: bigint) => event.call(span, name, timeNanos),
        end: (timeNanos: bigint, exit: Exit.Exit<unknown, unknown>) =>
          end.call(span, timeNanos, exitWithoutMessages(exit))
      })
    }
  })
