// layers/jobs/Hands.ts: how many more jobs a lane may have in work, and of which types.
import { Effect } from "effect"
import type { Lane, Stage } from "#layers/jobs/Stage.ts"

export type Pace = "working" | "resting" | "stopped"

export interface Hands<R> {
  readonly types: ReadonlyArray<string>
  /** What it may take a job of now: nothing while no hand is free. */
  readonly takes: () => ReadonlyArray<Stage<R>>
  /** Takes a hand, and answers how to give it back: with whether the job in it has ended. */
  readonly take: () => (ended: boolean) => Effect.Effect<void>
}

/** `look` is for whoever looks for jobs: there may be some that no hand was free for, or that are to be taken again. */
export const make = <R>(
  { concurrency, stages }: Lane<R>,
  pace: () => Pace,
  look: (types: ReadonlyArray<string>) => Effect.Effect<void>
): Hands<R> => {
  const types = stages.map((stage) => stage.type)
  const awaited = stages.filter((stage) => stage.awaited === true)
  const none: ReadonlyArray<Stage<R>> = []
  let free = concurrency
  return {
    types,
    takes: () => (free < 1 || pace() === "stopped" ? none : pace() === "working" ? stages : awaited),
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
