// scripts/bench/sections/Latency.ts: the latency of reads while a batch is written.
import { Effect } from "effect"
import { makeClient, runBatch } from "../Client.ts"
import { signaturesRequest } from "../RequestClasses.ts"
import { measureReadLatency } from "../Load.ts"
import { compare, measurePairs } from "../Pairs.ts"
import { formatNumber, comparisonRow } from "../Report.ts"
import type { Section } from "../Section.ts"
import { startOverture } from "../Servers.ts"
import { temporaryCopy } from "../Store.ts"

const readsPerSecond = 200

const fullSizes = { pairs: 5, leads: 6000, idleMillis: 6000 }
const quickSizes = { pairs: 1, leads: 200, idleMillis: 500 }

export const latency: Section = {
  name: "latency",
  about: "reads at 200 a second while a batch is written, beside the same reads of an idle server",
  minutes: 2,
  run: Effect.fnUntraced(function* ({ directory, testData, quick }) {
    const size = quick ? quickSizes : fullSizes
    const server = yield* startOverture(yield* temporaryCopy(testData, directory))
    const call = makeClient(server, testData.batches.key)
    const writeBatch = (leads: number) => runBatch(call, testData.batches.campaign, leads)
    const readDuring = <A>(work: Effect.Effect<A>) =>
      measureReadLatency(server, signaturesRequest(testData), readsPerSecond, work)
    // Warms up the server; not measured.
    yield* readDuring(writeBatch(Math.ceil(size.leads / 10)))
    const rounds = yield* measurePairs(
      size.pairs,
      readDuring(writeBatch(size.leads)),
      readDuring(Effect.sleep(size.idleMillis))
    )
    return {
      figures: rounds,
      tables: [
        {
          title: "Reads beside a batch",
          heads: ["", "while a batch is written", "idle", "ratio", "aim"],
          rows: (["p50", "p99"] as const).map((percentile) =>
            comparisonRow(
              `${percentile} of ${readsPerSecond} reads a second, ms`,
              compare(rounds, (latency) => latency[percentile]),
              percentile === "p99" ? "≤ 3 times" : ""
            )
          ),
          notes: [
            `From sending a batch of ${formatNumber(size.leads)} leads until its list is completed, with the built-in writer. Reads are ` +
              "pages of 10 rows of another workspace. Each is sent when it is due, regardless of earlier reads, and timed from " +
              "then. Here less is better."
          ]
        }
      ]
    }
  })
}
