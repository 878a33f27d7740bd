// test/machine/Walk.ts: takes commands one by one to the service and to the model, and holds the two together after each.
import { assert } from "@effect/vitest"
import { Cause, Clock, Duration, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { Credits } from "#layers/Credits.ts"
import { isPostgres } from "#layers/database/Dialect.ts"
import { json } from "#test/support/callers.ts"
import type { Hands } from "#test/support/clock.ts"
import { sound } from "#test/support/server.ts"
import { until } from "#test/support/until.ts"
import { type Mood, rest, slow } from "./Background.ts"
import type { Call, Expected } from "./Call.ts"
import { callOf } from "./Calls.ts"
import type { Command } from "./Commands.ts"
import { compare } from "./Compare.ts"
import { contest } from "./Contest.ts"
import type { Status, World } from "./Model.ts"
import { before, nextOf } from "./Next.ts"
import { found } from "./Party.ts"
import * as Workshop from "./Workshop.ts"

const day = 24 * 60 * 60 * 1000

/** Walks through `commands`, from two new workspaces. */
export const walk = Effect.fnUntraced(function* (commands: ReadonlyArray<Command>, hands: Hands) {
  const sql = yield* SqlClient.SqlClient
  const credits = yield* Credits
  const workshop = yield* Workshop.make
  const parties = [yield* found("Acme"), yield* found("Bolt")] as const
  const world: World = { workspaces: [parties[0].model, parties[1].model], now: 0 }
  const clients = parties.map(({ client }) => client)
  const statuses = new Map<string, Status>()
  const kept: Array<Call> = []
  const trail: Array<string> = []

  const tick = Effect.gen(function* () {
    world.now = yield* Clock.currentTimeMillis
    for (const { money } of world.workspaces) money.roll(new Date(world.now).toISOString())
  })

  const ask = (call: Call) => {
    const client = clients[call.who]
    const init = call.body === undefined ? {} : json(call.body)
    const headers = { ...init.headers, ...(call.key === undefined ? {} : { "idempotency-key": call.key }) }
    return client === undefined ? Effect.die("nobody") : client.send(call.method, call.path, { ...init, headers })
  }

  const rows = (table: string, where: string) =>
    Effect.orDie(
      Effect.map(
        sql.unsafe<{ readonly n: number }>(`SELECT count(*) AS n FROM ${table} WHERE ${where}`),
        ([row]) => row?.n
      )
    )

  /** The answer, with the workers there when it takes them. */
  const answered = Effect.fnUntraced(function* (call: Call, { takes }: Expected) {
    if (takes === undefined) return yield* ask(call)
    if (takes.of === "preview" && takes.lost !== true) {
      return yield* workshop.round("well", Effect.andThen(workshop.turn(takes.mood), ask(call)))
    }
    const [table, where] = takes.of === "list" ? ["lists", "1 = 1"] : ["previews", "status = 'processing'"]
    const before = yield* rows(table, where)
    const sent = yield* Effect.forkChild(ask(call))
    yield* until(rows(table, where), (now) => now !== before)
    return yield* workshop.round(takes.mood, Fiber.join(sent))
  })

  const round = Effect.fnUntraced(function* (mood: Mood) {
    // Four batches that stall would leave no room for the others.
    const how = mood === "stalling" && slow(world) > 3 ? "well" : mood
    rest(world, how)
    yield* workshop.round(how, Effect.void)
    yield* contest(world)
  })

  const send = Effect.fnUntraced(function* (call: Call) {
    const workspace = world.workspaces[call.who]
    if (workspace === undefined) return
    if (call.works?.() === true) yield* round("well")
    const body = JSON.stringify(call.body ?? null)
    const name = `${call.method} ${call.path} ${call.key}`
    const first = call.key === undefined || call.malformed === true ? undefined : workspace.keys.get(name)
    const earlier = first !== undefined && first.expires > world.now ? first : undefined
    const expected: Expected =
      earlier === undefined
        ? call.expect()
        : earlier.body === body
          ? { status: earlier.status, says: ({ text }) => assert.strictEqual(text, earlier.text) }
          : { status: 409, error: "CONFLICT" }
    const about = `${workspace.name}: ${call.method} ${call.path} ${body.slice(0, 300)}`
    trail.push(`${about} → ${expected.status}`)
    const answer = yield* answered(call, expected)
    const got = `${about} → ${answer.text.slice(0, 500)}`
    // A lead has a field of that name.
    const error = answer.status < 400 ? undefined : answer.body?.error
    assert.deepStrictEqual([answer.status, error], [expected.status, expected.error], got)
    if (expected.error !== undefined && expected.detail !== undefined) {
      assert.deepStrictEqual(answer.body.detail, expected.detail, got)
    }
    assert.strictEqual(
      answer.headers.get("idempotent-replayed"),
      earlier !== undefined && answer.status < 300 ? "true" : null,
      got
    )
    expected.says?.(answer)
    if (call.key !== undefined) kept.unshift(call)
    if (call.key !== undefined && earlier === undefined && answer.status < 300) {
      workspace.keys.set(name, { body, status: answer.status, text: answer.text, expires: world.now + day })
    }
  })

  const step = Effect.fnUntraced(function* (command: Command): Effect.fn.Return<void, never, any> {
    yield* tick
    switch (command.do) {
      case "next":
        return yield* step(nextOf(world, command.who, command.at))
      case "build": {
        for (let steps = 0; steps < 12; steps++) {
          const next = nextOf(world, command.who, command.at)
          if (next.do === "look") return
          yield* step(next)
        }
        return
      }
      case "rest":
        yield* round(command.mood)
        break
      case "grant":
        world.workspaces[command.who].money.addon += command.amount
        yield* credits.grant(parties[command.who].client.workspace, command.amount, null)
        break
      case "plan":
        world.workspaces[command.who].money.change(command.change)
        yield* credits.setPlan(parties[command.who].client.workspace, command.change)
        break
      case "wait":
        yield* hands.pass(Duration.hours(command.hours))
        // There keys go by the database's clock, which no test can move.
        if (isPostgres(sql)) {
          const passed = Duration.toMillis(Duration.hours(command.hours))
          yield* Effect.orDie(sql`UPDATE idempotency_keys SET expires_at = expires_at - ${passed}`)
        }
        yield* tick
        break
      case "again": {
        const call = kept[command.at]
        if (call === undefined) return
        const other = command.body === "other" && call.body !== undefined
        yield* send(other ? { ...call, body: { ...call.body, note: "of no meaning" } } : call)
        break
      }
      default: {
        const first = before(world, command)
        if (first !== undefined) yield* step(first)
        yield* tick
        const call = callOf(world, command)
        if (call !== undefined) yield* send(call)
        if (command.do === "batch" && command.afterwards !== "nothing") yield* round(command.afterwards)
      }
    }
    yield* contest(world)
    for (const { client, model } of parties) yield* compare(client, model, statuses)
  })

  yield* Effect.gen(function* () {
    for (const command of commands) {
      trail.push(JSON.stringify(command))
      yield* step(command)
    }
    yield* sound
  }).pipe(
    // The requests of the walk that is reported, so that it can be taken by hand.
    Effect.catchCause((cause) => Effect.die(new Error(`${Cause.pretty(cause)}\n${trail.join("\n")}`)))
  )
})
