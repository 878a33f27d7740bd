// layers/generator/Plan.ts: which angle and which kind of ask each email of a sequence gets.
import type { Ask } from "#layers/generator/Asks.ts"

/** What an email is about: the reader's time, something to use, the money, or the end. */
export type Angle = "time" | "resource" | "money" | "goodbye"

export interface Step {
  readonly angle: Angle
  readonly ask: Ask
}

const angles: ReadonlyArray<ReadonlyArray<Angle>> = [
  [],
  ["time"],
  ["time", "goodbye"],
  ["time", "resource", "goodbye"],
  ["time", "resource", "money", "goodbye"]
]

/** The first of these that is approved. */
const first = (approved: ReadonlySet<Ask>, ...wanted: ReadonlyArray<Ask>): Ask =>
  wanted.find((ask) => approved.has(ask)) ?? "question"

/** A question first, something to give second, a meeting last, so far as each is approved. */
export const plan = (count: number, approved: ReadonlySet<Ask>): ReadonlyArray<Step> =>
  (angles[count] ?? []).map((angle, at) => {
    if (at === 1) {
      // Of two emails the second is also the last, and what is given gets more answers than a call.
      const after: ReadonlyArray<Ask> = count === 2 ? ["direct meeting", "question"] : ["question", "direct meeting"]
      return { angle, ask: first(approved, "lead magnet", ...after) }
    }
    if (at > 1 && at === count - 1) return { angle, ask: first(approved, "direct meeting", "question", "lead magnet") }
    return { angle, ask: first(approved, "question", "lead magnet", "direct meeting") }
  })
