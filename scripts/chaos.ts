// scripts/chaos.ts: runs the real server under load and faults, and checks its promises. The same seed makes the same
// decisions in the same order.
// usage: npm run chaos -- [--seed N] [--minutes M] [--only FAULT[,FAULT]] [--no-mount]
//        npm run chaos -- --kills N [--seed N]
//        npm run chaos -- --soak MINUTES [--seed N]: load without faults, and whether memory levels off
import { NodeRuntime } from "@effect/platform-node"
import { Console, Effect } from "effect"
import { parseArgs } from "node:util"
import { runFaultRounds } from "./chaos/FaultRounds.ts"
import { runKills } from "./chaos/Kills.ts"
import { runSoak } from "./chaos/Soak.ts"

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
  const findingsCount = yield* flags.kills !== undefined
    ? runKills({ seed, times: Number(flags.kills) })
    : flags.soak !== undefined
      ? runSoak({ seed, minutes: Number(flags.soak) })
      : runFaultRounds({ seed, minutes, only: flags.only?.split(","), limitFileSize: flags["no-mount"] })
  yield* Console.log(
    findingsCount === 0 ? `\nNothing broke. Seed ${seed}` : `\n${findingsCount} findings. Seed ${seed}`
  )
  if (findingsCount > 0) yield* Effect.sync(() => (process.exitCode = 1))
}).pipe(Effect.scoped)

NodeRuntime.runMain(main)
