// src/commands/Prune.ts: deletes old data on demand.
import { Duration, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { formatMegabytes } from "#layers/lib/Megabytes.ts"
import * as Prune from "#layers/operations/Prune.ts"
import { durationFlag, toggle } from "#src/commands/Flags.ts"
import { userError } from "#src/commands/Output.ts"
import { print } from "#src/commands/Root.ts"
import { withStore } from "#src/commands/Store.ts"

const kinds = Object.keys(Prune.defaultAges) as ReadonlyArray<Prune.Kind>

const days = (age: Duration.Duration) => `${Duration.toDays(age)}d`
const defaultAges = kinds.map((kind) => `${kind} ${days(Prune.defaultAges[kind])}`).join(", ")

const parseKinds = Effect.fnUntraced(function* (text: string) {
  const requested = text.split(",").map((kind) => kind.trim())
  const knownKinds = kinds.filter((kind) => requested.includes(kind))
  if (knownKinds.length < requested.length) return yield* userError(`--only takes some of ${kinds.join(",")}`)
  return knownKinds
})

export const prune = Command.make(
  "prune",
  {
    olderThan: durationFlag("older-than", `One age for all, instead of ${defaultAges}`).pipe(Flag.optional),
    only: Flag.String("only").pipe(Flag.withDescription(`Some of ${kinds.join(",")}`), Flag.optional),
    dryRun: toggle("dry-run", "Only count"),
    yes: toggle("yes", "Delete without asking again")
  },
  ({ dryRun, olderThan, only, yes }) =>
    withStore(
      Effect.fnUntraced(function* (directory) {
        const selectedKinds = Option.isNone(only) ? kinds : yield* parseKinds(only.value)
        const {
          count,
          prune,
          reusableBytes: readReusableBytes
        } = yield* Prune.make(directory, (kind) =>
          selectedKinds.includes(kind) ? Option.getOrElse(olderThan, () => Prune.defaultAges[kind]) : undefined
        )
        const counts = yield* count
        const summary = Object.entries(counts)
          .filter(([, n]) => n > 0)
          .map(([kind, n]) => `${n} ${kind}`)
          .join(", ")
        const nothingText = "Nothing is old enough"
        if (!dryRun && !yes) {
          if (summary === "") return yield* print({ dry_run: false, pruned: counts }, [nothingText])
          return yield* userError(`This deletes ${summary} for good; say --yes to do so, or --dry-run to count only`)
        }
        const pruned = dryRun ? counts : yield* prune
        const reusableBytes = yield* readReusableBytes
        yield* print(
          { dry_run: dryRun, pruned, ...(reusableBytes === undefined ? {} : { reusable_bytes: reusableBytes }) },
          [
            summary === "" ? nothingText : `${dryRun ? "Would delete" : "Deleted"} ${summary}`,
            ...(reusableBytes === undefined
              ? []
              : [`${formatMegabytes(reusableBytes)} of the file are free for what comes next`])
          ]
        )
      })
    )
)
