// scripts/bench/sections/Latency.ts: the latency of reads while a batch is written.
import { Effect } from "effect"
import { client, written } from "../Client.ts"
import { page } from "../Kinds.ts"
import { reading } from "../Load.ts"
import { compare, pairs } from "../Pairs.ts"
import { number, row } from "../Report.ts"
import type { Section } from "../Section.ts"
import { startOverture } from "../Servers.ts"
import { borrowed } from "../Store.ts"

const readsPerSecond = 200

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
    const batch = (leads: number) => written(call, material.batches.campaign, leads)
    const during = <A>(work: Effect.Effect<A>) => reading(server, page(material), readsPerSecond, work)
    yield* during(batch(Math.ceil(size.leads / 10)))
    const rounds = yield* pairs(size.pairs, during(batch(size.leads)), during(Effect.sleep(size.idleMillis)))
    return {
      figures: rounds,
      tables: [
        {
          title: "Reads beside a batch",
          heads: ["", "while a batch is written", "idle", "ratio", "aim"],
          rows: (["p50", "p99"] as const).map((share) =>
            row(
              `${share} of ${readsPerSecond} reads a second, ms`,
              compare(rounds, (latency) => latency[share]),
              share === "p99" ? "≤ 3 times" : ""
            )
          ),
          notes: [
            `From sending a batch of ${number(size.leads)} leads until its list is completed, with the built-in writer. Reads are ` +
              "pages of 10 rows of another workspace. Each is sent when it is due, regardless of earlier reads, and timed from " +
              "then. Here less is better."
          ]
        }
      ]
    }
  })
}
