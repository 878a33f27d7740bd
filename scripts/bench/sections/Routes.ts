// scripts/bench/sections/Routes.ts: each class of routes beside a tuned Fastify server that gives the same answers.
import { Effect } from "effect"
import { firstOf, generateKind, kinds, refused } from "../Kinds.ts"
import type { Compared } from "../Pairs.ts"
import { agree, type Amount, ask, cpu, perSecond, rounds } from "../Peers.ts"
import { number, plain, row, type Table } from "../Report.ts"
import type { Section } from "../Section.ts"
import { type Server, startFastify, startOverture } from "../Servers.ts"
import { borrowed, verify } from "../Store.ts"

// With a shorter warm-up, the server that runs more code is measured while its code is still being compiled.
const full: Amount = { pairs: 5, share: 1, warmup: 2.5 }
const quickly: Amount = { pairs: 1, share: 0.03, warmup: 0.02 }

export const routes: Section = {
  name: "routes",
  about: "each class of routes beside a tuned Fastify 5 server: requests a second, processor time",
  minutes: 6,
  needs: (quick) => (quick ? { leads: 4, singles: 1, choosing: 4 } : { leads: 16, singles: 4, choosing: 32 }),
  run: Effect.fnUntraced(function* ({ directory, material, model, quick }) {
    const amount = quick ? quickly : full
    const ours = yield* borrowed(material, directory)
    // Fastify has no jobs that would finish work after a kill, so it is stopped gracefully.
    const theirs = { ...(yield* borrowed(material, directory)), kept: true }
    yield* model.latency(0)
    const { classes, prompts } = yield* Effect.scoped(
      Effect.gen(function* () {
        const overture = yield* startOverture(ours, model.env)
        const fastify = yield* startFastify(theirs, model.env)
        const peers = { overture, fastify }
        for (const request of refused(material)) yield* agree(peers, request)
        const classes = yield* Effect.forEach(kinds(material), (kind) =>
          Effect.gen(function* () {
            yield* agree(peers, firstOf(kind))
            return {
              kind: kind.name,
              aim: kind.aim,
              connections: kind.connections,
              rounds: yield* rounds(peers, kind, amount)
            }
          })
        )
        yield* model.journal
        const prompt = (server: Server) => Effect.andThen(ask(server, firstOf(generateKind(material))), model.journal)
        return { classes, prompts: { overture: yield* prompt(overture), fastify: yield* prompt(fastify) } }
      })
    )
    // A server that does less than the contract asks for must not win.
    yield* Effect.forEach([ours, theirs], verify, { concurrency: 2 })
    const busy = Math.max(
      ...classes.flatMap(({ rounds }) => rounds.flatMap(({ a, b }) => [a.sender_busy, b.sender_busy]))
    )
    const table = (
      title: string,
      of: (all: (typeof classes)[number]["rounds"]) => Compared,
      ...notes: Table["notes"]
    ) => ({
      title,
      heads: ["Route", "Overture", "tuned Fastify 5", "ratio", "aim"],
      rows: classes.map(({ aim, kind, rounds }) => row(kind, of(rounds), `≥ ${aim}`)),
      notes
    })
    return {
      figures: { classes, prompts },
      tables: [
        table(
          "Requests a second",
          perSecond,
          `${classes.map(({ connections }) => connections).join(", ")} connections, each with one request at a time, sent by ` +
            `autocannon after a warm-up. The sender was busy for at most ${number(busy * 100)}% of its time.`,
          "The Fastify server has schema serialisation, cached statements on `node:sqlite` with the same pragmas, group " +
            "commits, and the same key cache, rate limits, headers, validation and request log. Before each class the answers " +
            "of both servers are compared, field by field and header by header, except for ids and times; afterwards both " +
            "stores must pass `overture verify`. For one lead the Fastify server does what the contract requires and no more: " +
            "it holds the credit, stores the job, asks the model, checks the format of the reply, stores it, charges and " +
            "answers, and finishes after a crash what was interrupted. It does not check what the model wrote. Its prompt " +
            `has ${plain(prompts.fastify.length / prompts.overture.length)} times the length.`
        ),
        table(
          "Processor time of a request, in microseconds",
          cpu,
          "User and system time of the server's process, all threads. Above 1 Overture takes less."
        )
      ]
    }
  })
}
