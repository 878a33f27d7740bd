// scripts/bench/sections/Routes.ts: each class of route beside a tuned Fastify, which gives the same answers.
import { Effect } from "effect"
import { firstOf, generateKind, kinds, refused } from "../Kinds.ts"
import { agree, ask, cpu, perSecond, rounds } from "../Peers.ts"
import { number, plain, row } from "../Report.ts"
import type { Section } from "../Section.ts"
import { type Server, startFastify, startOverture } from "../Servers.ts"
import { borrowed, verify } from "../Store.ts"

// With less, who goes through more code is measured while it is still being compiled.
const times = { pairs: 3, millis: 1500, warmup: 4000 }
const quickly = { pairs: 1, millis: 400, warmup: 300 }

export const routes: Section = {
  name: "routes",
  about: "each class of route beside a tuned Fastify 5 server: requests a second, processor time",
  minutes: 4,
  needs: (quick) => (quick ? { leads: 4, singles: 1, choosing: 4 } : { leads: 16, singles: 4, choosing: 32 }),
  run: Effect.fnUntraced(function* ({ directory, material, model, quick }) {
    const ours = yield* borrowed(material, directory)
    // It has no jobs that would go on with what it is cut off from.
    const theirs = { ...(yield* borrowed(material, directory)), kept: true }
    yield* model.latency(0)
    const { classes, prompts } = yield* Effect.scoped(
      Effect.gen(function* () {
        const overture = yield* startOverture(ours, model.env)
        const fastify = yield* startFastify(theirs, model.env)
        const peers = { overture, fastify }
        for (const request of refused(material)) yield* agree(peers, request)
        const classes = yield* Effect.forEach(kinds, (of) =>
          Effect.gen(function* () {
            const kind = of(material)
            yield* agree(peers, firstOf(kind))
            const all = yield* rounds(overture, fastify, kind, quick ? quickly : times)
            return { kind: kind.name, connections: kind.connections, rounds: all }
          })
        )
        yield* model.journal
        const prompt = (server: Server) => Effect.andThen(ask(server, firstOf(generateKind(material))), model.journal)
        return { classes, prompts: { overture: yield* prompt(overture), fastify: yield* prompt(fastify) } }
      })
    )
    // A server that does less than the contract asks cannot be compared.
    yield* Effect.forEach([ours, theirs], verify, { concurrency: 2 })
    const busy = Math.max(
      ...classes.flatMap(({ rounds }) => rounds.flatMap(({ a, b }) => [a.sender_busy, b.sender_busy]))
    )
    const aim = "≥ 0.85"
    return {
      figures: { classes, prompts },
      tables: [
        {
          title: "Requests a second",
          heads: ["Route", "Overture", "tuned Fastify 5", "ratio", "aim"],
          rows: classes.map(({ kind, rounds }) => row(kind, perSecond(rounds), aim)),
          notes: [
            `${classes.map(({ connections }) => connections).join(", ")} connections, each with one request in hand, after ` +
              `${number((quick ? quickly : times).warmup / 1000)} seconds of as many. The sender was busy for at most ` +
              `${number(busy * 100)}% of its time.`,
            "The Fastify server has schema serialisation, cached statements on `node:sqlite` with the same pragmas, writes that " +
              "come together committed together, the same key cache, rate limits, headers, validation and " +
              "request log. Before each class both servers' answers are compared, field by field and header by header, but " +
              "for ids and times; afterwards both stores must pass " +
              "`overture verify`. To one lead it does what the contract asks and no more: it holds the credit, stores the job, asks " +
              "the model, sees that its answer has the form that was asked for, stores, charges and answers, and does after a crash " +
              "what that cut off; it does not judge what the model wrote. Its prompt has " +
              `${plain(prompts.fastify.length / prompts.overture.length)} times the length.`
          ]
        },
        {
          title: "Processor time of a request, in microseconds",
          heads: ["Route", "Overture", "tuned Fastify 5", "ratio", "aim"],
          rows: classes.map(({ kind, rounds }) => row(kind, cpu(rounds), aim)),
          notes: ["User and system time of the server's process, all threads. Above 1 Overture takes less."]
        }
      ]
    }
  })
}
