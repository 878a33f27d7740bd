// scripts/bench/sections/Routes.ts: each class of routes beside a tuned Fastify server that gives the same answers.
import { Effect } from "effect"
import { firstRequest, generateClass, requestClasses, rejectedRequests } from "../RequestClasses.ts"
import type { Comparison } from "../Pairs.ts"
import {
  expectSameResponse,
  type RoundSize,
  readComparableResponse,
  compareCpu,
  compareThroughput,
  measureRounds
} from "../ServerComparison.ts"
import { formatNumber, formatSignificant, comparisonRow, type Table } from "../Report.ts"
import type { Section } from "../Section.ts"
import { type Server, startFastify, startOverture } from "../Servers.ts"
import { temporaryCopy, verify } from "../Store.ts"

// With a shorter warm-up, the server that runs more code is measured while its code is still being compiled.
const fullSize: RoundSize = { pairs: 5, share: 1, warmup: 2.5 }
const quickSize: RoundSize = { pairs: 1, share: 0.03, warmup: 0.02 }

export const routes: Section = {
  name: "routes",
  about: "each class of routes beside a tuned Fastify 5 server: requests a second, processor time",
  minutes: 6,
  needs: (quick) =>
    quick ? { leads: 4, singles: 1, selectionCampaigns: 4 } : { leads: 16, singles: 4, selectionCampaigns: 32 },
  run: Effect.fnUntraced(function* ({ directory, testData, model, quick }) {
    const size = quick ? quickSize : fullSize
    const overtureStore = yield* temporaryCopy(testData, directory)
    // Fastify has no jobs that would finish work after a kill, so it is stopped gracefully.
    const fastifyStore = { ...(yield* temporaryCopy(testData, directory)), stopGracefully: true }
    yield* model.setLatency(0)
    const { classes, prompts } = yield* Effect.scoped(
      Effect.gen(function* () {
        const overture = yield* startOverture(overtureStore, model.env)
        const fastify = yield* startFastify(fastifyStore, model.env)
        const servers = { overture, fastify }
        for (const request of rejectedRequests(testData)) yield* expectSameResponse(servers, request)
        const classes = yield* Effect.forEach(requestClasses(testData), (kind) =>
          Effect.gen(function* () {
            yield* expectSameResponse(servers, firstRequest(kind))
            return {
              kind: kind.name,
              aim: kind.aim,
              connections: kind.connections,
              rounds: yield* measureRounds(servers, kind, size)
            }
          })
        )
        yield* model.takeJournal
        const measurePrompt = (server: Server) =>
          Effect.andThen(readComparableResponse(server, firstRequest(generateClass(testData))), model.takeJournal)
        return {
          classes,
          prompts: { overture: yield* measurePrompt(overture), fastify: yield* measurePrompt(fastify) }
        }
      })
    )
    // A server that does less than the contract asks for must not win.
    yield* Effect.forEach([overtureStore, fastifyStore], verify, { concurrency: 2 })
    const maxSenderBusy = Math.max(
      ...classes.flatMap(({ rounds }) => rounds.flatMap(({ a, b }) => [a.sender_busy, b.sender_busy]))
    )
    const routeTable = (
      title: string,
      compareRounds: (rounds: (typeof classes)[number]["rounds"]) => Comparison,
      ...notes: Table["notes"]
    ) => ({
      title,
      heads: ["Route", "Overture", "tuned Fastify 5", "ratio", "aim"],
      rows: classes.map(({ aim, kind, rounds }) => comparisonRow(kind, compareRounds(rounds), `≥ ${aim}`)),
      notes
    })
    return {
      figures: { classes, prompts },
      tables: [
        routeTable(
          "Requests a second",
          compareThroughput,
          `${classes.map(({ connections }) => connections).join(", ")} connections, each with one request at a time, sent by ` +
            `autocannon after a warm-up. The sender was busy for at most ${formatNumber(maxSenderBusy * 100)}% of its time.`,
          "The Fastify server has schema serialisation, cached statements on `node:sqlite` with the same pragmas, group " +
            "commits, and the same key cache, rate limits, headers, validation and request log. Before each class the answers " +
            "of both servers are compared, field by field and header by header, except for ids and times; afterwards both " +
            "stores must pass `overture verify`. For one lead the Fastify server does what the contract requires and no more: " +
            "it holds the credit, stores the job, asks the model, checks the format of the reply, stores it, charges and " +
            "answers, and finishes after a crash what was interrupted. It does not check what the model wrote. Its prompt " +
            `has ${formatSignificant(prompts.fastify.length / prompts.overture.length)} times the length.`
        ),
        routeTable(
          "Processor time of a request, in microseconds",
          compareCpu,
          "User and system time of the server's process, all threads. Above 1 Overture takes less."
        )
      ]
    }
  })
}
