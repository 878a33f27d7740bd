// layers/generator/builtin/Scribe.ts: what is asked of a thread that writes, and how it answers. Runs in such threads alone.
import { write } from "#layers/generator/builtin/Sequence.ts"
import { provenance } from "#layers/generator/Provenance.ts"
import type { Brief, Campaign, Judged } from "#layers/Generator.ts"

/** A brief whose campaign stands for one that the thread was told of. */
export interface Task extends Omit<Brief, "campaign"> {
  readonly campaign: number
}

export interface Order {
  readonly id: number
  /** Whether no task will speak any more of campaigns told of before. */
  readonly anew: boolean
  readonly campaigns: ReadonlyArray<readonly [id: number, campaign: Campaign]>
  readonly tasks: ReadonlyArray<Task>
}

/** The emails, or what the checker had against the last wording, or what is wrong with the program. */
export type Outcome =
  | { readonly emails: ReadonlyArray<Judged> }
  | { readonly failing: string }
  | { readonly defect: unknown }

export interface Delivery {
  readonly id: number
  /** One for each task, in their order. */
  readonly outcomes: ReadonlyArray<Outcome>
}

export const scribe = () => {
  const known = new Map<number, Campaign>()

  const attempt = (task: Task): Outcome => {
    const campaign = known.get(task.campaign)
    if (campaign === undefined) return { defect: new Error("A campaign that nobody told of") }
    const brief: Brief = { ...task, campaign }
    try {
      const written = write(brief)
      if ("failing" in written) return written
      const restsOn = provenance(brief)
      return { emails: written.emails.map((email) => ({ ...email, sources: restsOn(email) })) }
    } catch (defect) {
      return { defect }
    }
  }

  return ({ anew, campaigns, id, tasks }: Order): Delivery => {
    if (anew) known.clear()
    for (const [at, campaign] of campaigns) known.set(at, campaign)
    return { id, outcomes: tasks.map(attempt) }
  }
}
