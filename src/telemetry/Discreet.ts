// src/telemetry/Discreet.ts: a tracer that tells how the work went and nothing of what it was about.
import { Cause, Exit, Predicate, Tracer } from "effect"

/** All that may be said of a span. What a library adds, such as an address, a header or a statement, is left out. */
const allowed = new Set([
  "http.request.method",
  "http.route",
  "http.response.status_code",
  "db.system.name",
  "request_id",
  "job_id",
  "job.type",
  "job.attempt"
])

const nameOf = (error: unknown) => {
  if (Predicate.hasProperty(error, "_tag") && typeof error._tag === "string") return error._tag
  return error instanceof Error ? error.name : "Error"
}

/** The kind of a failure, as an error of few words: its message may quote a person, and the log has it. */
const wordless = (name: string) => Object.assign(new Error(name), { name, stack: name })

const without = (exit: Exit.Exit<unknown, unknown>): Exit.Exit<unknown, unknown> => {
  if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return exit
  const [reason] = exit.cause.reasons.filter((reason) => !Cause.isInterruptReason(reason))
  return Exit.fail(wordless(nameOf(reason !== undefined && Cause.isFailReason(reason) ? reason.error : reason?.defect)))
}

/** Each statement has a span too, by the name of its database, far more than anybody reads: transactions are enough. */
const isStatement = (name: string) => name === "sqlite" || name === "postgresql"

export const discreet = (tracer: Tracer.Tracer): Tracer.Tracer =>
  Tracer.make({
    ...tracer,
    span: (options) => {
      // A caller may continue its trace here, but not turn ours off.
      const sampled = options.kind === "server" ? true : options.sampled && !isStatement(options.name)
      const span = tracer.span({ ...options, sampled })
      const { attribute, end, event } = span
      return Object.assign(span, {
        attribute: (key: string, value: unknown) => {
          if (!allowed.has(key)) return
          attribute.call(span, key, value)
          // The route is known once the request was read, and is half of its name.
          if (key === "http.route" && options.kind === "server")
            Object.assign(span, { name: `${options.name} ${value}` })
        },
        event: (name: string, at: bigint) => event.call(span, name, at),
        end: (at: bigint, exit: Exit.Exit<unknown, unknown>) => end.call(span, at, without(exit))
      })
    }
  })
