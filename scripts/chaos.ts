// scripts/chaos.ts: the real server under load and under faults, and whether all it promised holds. The same seed makes
// the same decisions in the same order.
// usage: npm run chaos -- [--seed N] [--minutes M] [--only FAULT[,FAULT]] [--no-mount]
//        npm run chaos -- --kills N [--seed N]
//        npm run chaos -- --soak MINUTES
import { NodeRuntime } from "@effect/platform-node"
import { Console, Effect } from "effect"
import { parseArgs } from "node:util"
import { storm } from "./chaos/Storm.ts"
import { kills } from "./chaos/Kills.ts"
import { soak } from "./chaos/Soak.ts"

const { values: flags } = parseArgs({
  options: {
    seed: { type: "string", default: String(Math.floor(Math.random() * 1e9)) },
    minutes: { type: "string", default: "3" },
    kills: { type: "string" },
    soak: { type: "string" },
    only: { type: "string" },
    "no-mount": { type: "boolean", default: false }
  }
})
const seed = Number(flags.seed)
const minutes = Number(flags.minutes)

const main = Effect.gen(function* () {
  yield* Console.log(`Seed ${seed}`)
  const broken =
    flags.soak !== undefined
      ? yield* soak(Number(flags.soak))
      : flags.kills !== undefined
        ? yield* kills({ seed, times: Number(flags.kills) })
        : yield* storm({ seed, minutes, only: flags.only?.split(","), limit: flags["no-mount"] })
  yield* Console.log(broken === 0 ? `\nNothing broke. Seed ${seed}` : `\n${broken} findings. Seed ${seed}`)
  if (broken > 0) yield* Effect.sync(() => (process.exitCode = 1))
}).pipe(Effect.scoped)

NodeRuntime.runMain(main)
