// scripts/bench/sections/Latency.ts: what readers feel of a batch that is written beside them.
import { Effect } from "effect"
import { client, written } from "../Client.ts"
import { feeling, feltNote, feltRows } from "../Felt.ts"
import { pairs } from "../Pairs.ts"
import { number } from "../Report.ts"
import type { Section } from "../Section.ts"
import { startOverture } from "../Servers.ts"
import { borrowed } from "../Store.ts"

const sizes = { pairs: 5, leads: 6000, idleMillis: 6000 }
const quickly = { pairs: 1, leads: 200, idleMillis: 500 }

export const latency: Section = {
  name: "latency",
  about: "reads at 200 a second while a batch is written, beside the same reads of an idle server",
  minutes: 2,
  run: Effect.fnUntraced(function* ({ directory, material, quick }) {
    const size = quick ? quickly : sizes
    const server = yield* startOverture(yield* borrowed(material, directory))
    const call = client(server, material.batches.key)
    const batch = written(call, material.batches.campaign, size.leads)
    yield* feeling(server, material, written(call, material.batches.campaign, Math.ceil(size.leads / 10)))
    const outcomes = yield* pairs(
      size.pairs,
      feeling(server, material, Effect.sleep(size.idleMillis)),
      feeling(server, material, batch)
    )
    const rounds = outcomes.map(({ a, b }) => ({ idle: a.outcome, during: b.outcome }))
    return {
      figures: rounds,
      tables: [
        {
          title: "Reads beside a batch",
          heads: ["", "while a batch is written", "idle", "ratio", "aim"],
          rows: feltRows(rounds, "≤ 5 times"),
          notes: [
            `From the moment a batch of ${number(size.leads)} leads is sent until its list is completed, by the built-in writer. ${feltNote}`
          ]
        }
      ]
    }
  })
}
