// scripts/bench/sections/Growth.ts: the same requests to a store of ten times the rows.
import { Effect } from "effect"
import { checkKind, createKind, pageKind, rowKind } from "../Kinds.ts"
import { inverse } from "../Pairs.ts"
import { cpu, rounds } from "../Peers.ts"
import { plain, spreadCell } from "../Report.ts"
import type { Section } from "../Section.ts"
import { startFastify, startOverture } from "../Servers.ts"
import { borrowed, lengthen, signMore } from "../Store.ts"

const times = { pairs: 5, millis: 1200, warmup: 1500 }
const quickly = { pairs: 1, millis: 200, warmup: 100 }

export const growth: Section = {
  name: "growth",
  about: "a store of ten times the rows beside the store, for both servers",
  minutes: 2,
  run: Effect.fnUntraced(function* ({ directory, material, quick }) {
    const few = yield* borrowed(material, directory)
    yield* signMore(few, 10)
    yield* lengthen(few, material.reads.list, 10)
    const many = yield* borrowed(material, directory)
    yield* signMore(many, 100)
    yield* lengthen(many, material.reads.list, 100)
    const kinds = [pageKind, rowKind, checkKind, createKind].map((of) => of(material))
    const measured = yield* Effect.forEach([startOverture, startFastify], (start) =>
      Effect.scoped(
        Effect.gen(function* () {
          const large = yield* start(many)
          const small = yield* start(few)
          return yield* Effect.forEach(kinds, (kind) => rounds(large, small, kind, quick ? quickly : times))
        })
      )
    )
    const [overture = [], fastify = []] = measured
    const cells = (all: (typeof overture)[number] | undefined) => {
      // `cpu` says how much cheaper the first is; here it is how much dearer.
      const { a, b, ratio } = inverse(cpu(all ?? []))
      return [plain(a), plain(b), spreadCell(ratio)]
    }
    return {
      figures: { overture, fastify },
      tables: [
        {
          title: "Processor time of a request over ten times the rows, in microseconds",
          heads: ["Route", "10,000 rows", "1,000 rows", "times", "Fastify: times", "aim"],
          rows: kinds.map(({ name }, i) => [name, ...cells(overture[i]), cells(fastify[i])[2] ?? "", "1"]),
          notes: [
            "Rows are signatures of the workspace that is read, and leads of its list. A page says how many there are, so both " +
              "servers count them."
          ]
        }
      ]
    }
  })
}
