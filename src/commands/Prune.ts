// src/commands/Prune.ts: deletes old data on demand.
import { Duration, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { megabytes } from "#layers/lib/Megabytes.ts"
import * as Prune from "#layers/operations/Prune.ts"
import { durationFlag, toggle } from "#src/commands/Flags.ts"
import { userError } from "#src/commands/Output.ts"
import { print } from "#src/commands/Root.ts"
import { withStore } from "#src/commands/Store.ts"

const kinds = Object.keys(Prune.defaultAges) as ReadonlyArray<Prune.Kind>

const days = (age: Duration.Duration) => `${Duration.toDays(age)}d`
const byDefault = kinds.map((kind) => `${kind} ${days(Prune.defaultAges[kind])}`).join(", ")

const chosen = Effect.fnUntraced(function* (text: string) {
  const requested = text.split(",").map((kind) => kind.trim())
  const known = kinds.filter((kind) => requested.includes(kind))
  if (known.length < requested.length) return yield* userError(`--only takes some of ${kinds.join(",")}`)
  return known
})

export const prune = Command.make(
  "prune",
  {
    olderThan: durationFlag("older-than", `One age for all, instead of ${byDefault}`).pipe(Flag.optional),
    only: Flag.String("only").pipe(Flag.withDescription(`Some of ${kinds.join(",")}`), Flag.optional),
    dryRun: toggle("dry-run", "Only count"),
    yes: toggle("yes", "Delete without asking again")
  },
  ({ dryRun, olderThan, only, yes }) =>
    withStore(
      Effect.fnUntraced(function* (directory) {
        const wanted = Option.isNone(only) ? kinds : yield* chosen(only.value)
        const { count, prune, reusable } = yield* Prune.make(directory, (kind) =>
          wanted.includes(kind) ? Option.getOrElse(olderThan, () => Prune.defaultAges[kind]) : undefined
        )
        const there = yield* count
        const summary = Object.entries(there)
          .filter(([, n]) => n > 0)
          .map(([kind, n]) => `${n} ${kind}`)
          .join(", ")
        const nothing = "Nothing is old enough"
        if (!dryRun && !yes) {
          if (summary === "") return yield* print({ dry_run: false, pruned: there }, [nothing])
          return yield* userError(`This deletes ${summary} for good; say --yes to do so, or --dry-run to count only`)
        }
        const pruned = dryRun ? there : yield* prune
        const free = yield* reusable
        yield* print({ dry_run: dryRun, pruned, ...(free === undefined ? {} : { reusable_bytes: free }) }, [
          summary === "" ? nothing : `${dryRun ? "Would delete" : "Deleted"} ${summary}`,
          ...(free === undefined ? [] : [`${megabytes(free)} of the file are free for what comes next`])
        ])
      })
    )
)
