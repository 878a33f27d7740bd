// layers/queue/WorkerSlots.ts: the free worker slots of a lane, and the job types that it may claim now.
import { Effect } from "effect"
import type { Lane, JobHandler } from "#layers/queue/JobHandler.ts"

export type Pace = "working" | "resting" | "stopped"

export interface WorkerSlots<R> {
  readonly types: ReadonlyArray<string>
  /** Handlers whose jobs may be claimed now; none while no slot is free. */
  readonly takes: () => ReadonlyArray<JobHandler<R>>
  /** Takes a slot. Call the result to release it, with whether its job has ended. */
  readonly take: () => (ended: boolean) => Effect.Effect<void>
}

/** `look` wakes the workers: jobs may be pending that found no free slot, or that were requeued. */
export const make = <R>(
  { concurrency, handlers }: Lane<R>,
  pace: () => Pace,
  look: (types: ReadonlyArray<string>) => Effect.Effect<void>
): WorkerSlots<R> => {
  const types = handlers.map((handler) => handler.type)
  const awaited = handlers.filter((handler) => handler.awaited === true)
  const none: ReadonlyArray<JobHandler<R>> = []
  let free = concurrency
  return {
    types,
    takes: () => (free < 1 || pace() === "stopped" ? none : pace() === "working" ? handlers : awaited),
    take: () => {
      free--
      return (ended) =>
        Effect.suspend(() => {
          free++
          return free === 1 || !ended ? look(types) : Effect.void
        })
    }
  }
}
