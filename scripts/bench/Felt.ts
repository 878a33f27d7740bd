// scripts/bench/Felt.ts: what readers feel of something that the server does meanwhile.
import { Effect } from "effect"
import { page } from "./Kinds.ts"
import { beside, type Outcome } from "./Load.ts"
import type { Material } from "./Material.ts"
import { compare } from "./Pairs.ts"
import { row } from "./Report.ts"
import type { Server } from "./Servers.ts"

const readsPerSecond = 200

export interface Felt {
  readonly idle: Outcome
  readonly during: Outcome
}

/** Reads of an idle workspace, for as long as `work` takes. */
export const feeling = <A, E, R>(server: Server, material: Material, work: Effect.Effect<A, E, R>) =>
  beside({ port: server.port, request: page(material), perSecond: readsPerSecond }, work)

/** The rows of a table whose ratios say how much worse it gets. */
export const feltRows = (rounds: ReadonlyArray<Felt>, aim: string) =>
  (["p50", "p99"] as const).map((share) => {
    const worse = compare(
      rounds.map(({ during, idle }) => ({ a: during, b: idle })),
      (outcome) => outcome[share]
    )
    return row(`${share} of ${readsPerSecond} reads a second, ms`, worse, share === "p99" ? aim : "")
  })

export const feltNote =
  "Reads are pages of 10 rows of another workspace, each sent when it is due, whatever has become of those before, and timed " +
  "from then. Here less is better."
