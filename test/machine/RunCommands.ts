// test/machine/RunCommands.ts: carries out commands on the service and on the model, and compares the two after each.
import { assert } from "@effect/vitest"
import { Cause, Clock, Duration, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { Credits } from "#layers/Credits.ts"
import { isPostgres } from "#layers/database/Dialect.ts"
import { json } from "#test/support/callers.ts"
import type { MovableClock } from "#test/support/clock.ts"
import { assertConsistent } from "#test/support/server.ts"
import { until } from "#test/support/until.ts"
import { type WriterState, finishWork, countSlowBatches } from "./Background.ts"
import type { Call, Expected } from "./Call.ts"
import { callOf } from "./Calls.ts"
import type { Command } from "./Commands.ts"
import { compare } from "./Compare.ts"
import { adoptContested } from "./ContestedCredits.ts"
import type { Status, World } from "./Model.ts"
import { prerequisiteOf, nextCommand } from "./NextCommand.ts"
import { createModelledWorkspace } from "./ModelledWorkspace.ts"
import * as Workers from "./Workers.ts"

const day = 24 * 60 * 60 * 1000

/** Carries out `commands`, starting with two new workspaces. */
export const runCommands = Effect.fnUntraced(function* (commands: ReadonlyArray<Command>, clock: MovableClock) {
  const sql = yield* SqlClient.SqlClient
  const credits = yield* Credits
  const workers = yield* Workers.make
  const parties = [yield* createModelledWorkspace("Acme"), yield* createModelledWorkspace("Bolt")] as const
  const world: World = { workspaces: [parties[0].model, parties[1].model], now: 0 }
  const clients = parties.map(({ client }) => client)
  const statuses = new Map<string, Status>()
  const keyedCalls: Array<Call> = []
  const requestLog: Array<string> = []

  const updateTime = Effect.gen(function* () {
    world.now = yield* Clock.currentTimeMillis
    for (const { money } of world.workspaces) money.roll(new Date(world.now).toISOString())
  })

  const ask = (call: Call) => {
    const client = clients[call.caller]
    const init = call.body === undefined ? {} : json(call.body)
    const headers = { ...init.headers, ...(call.key === undefined ? {} : { "idempotency-key": call.key }) }
    return client === undefined
      ? Effect.die(`There is no caller ${call.caller}`)
      : client.send(call.method, call.path, { ...init, headers })
  }

  const countRows = (table: string, where: string) =>
    Effect.orDie(
      Effect.map(
        sql.unsafe<{ readonly n: number }>(`SELECT count(*) AS n FROM ${table} WHERE ${where}`),
        ([row]) => row?.n
      )
    )

  /** The answer to a request, with workers running if it waits for them. */
  const awaitAnswer = Effect.fnUntraced(function* (call: Call, { background }: Expected) {
    if (background === undefined) return yield* ask(call)
    if (background.of === "preview" && background.lost !== true) {
      return yield* workers.runUntilIdle(
        "well",
        Effect.andThen(workers.setWriterState(background.writerState), ask(call))
      )
    }
    const [table, where] = background.of === "list" ? ["lists", "1 = 1"] : ["previews", "status = 'processing'"]
    const before = yield* countRows(table, where)
    const sent = yield* Effect.forkChild(ask(call))
    yield* until(countRows(table, where), (now) => now !== before)
    return yield* workers.runUntilIdle(background.writerState, Fiber.join(sent))
  })

  const runWorkers = Effect.fnUntraced(function* (wanted: WriterState) {
    // Four batches that stall would leave no room for the others.
    const writerState = wanted === "stalling" && countSlowBatches(world) > 3 ? "well" : wanted
    finishWork(world, writerState)
    yield* workers.runUntilIdle(writerState, Effect.void)
    yield* adoptContested(world)
  })

  const sendAndCheck = Effect.fnUntraced(function* (call: Call) {
    const workspace = world.workspaces[call.caller]
    if (workspace === undefined) return
    if (call.needsIdleWorkers?.() === true) yield* runWorkers("well")
    const body = JSON.stringify(call.body ?? null)
    const name = `${call.method} ${call.path} ${call.key}`
    const first = call.key === undefined || call.malformed === true ? undefined : workspace.keys.get(name)
    const earlier = first !== undefined && first.expires > world.now ? first : undefined
    const expected: Expected =
      earlier === undefined
        ? call.expect()
        : earlier.body === body
          ? { status: earlier.status, check: ({ text }) => assert.strictEqual(text, earlier.text) }
          : { status: 409, error: "CONFLICT" }
    const about = `${workspace.name}: ${call.method} ${call.path} ${body.slice(0, 300)}`
    requestLog.push(`${about} → ${expected.status}`)
    const answer = yield* awaitAnswer(call, expected)
    const description = `${about} → ${answer.text.slice(0, 500)}`
    // A lead has a field of that name.
    const error = answer.status < 400 ? undefined : answer.body?.error
    assert.deepStrictEqual([answer.status, error], [expected.status, expected.error], description)
    if (expected.error !== undefined && expected.detail !== undefined) {
      assert.deepStrictEqual(answer.body.detail, expected.detail, description)
    }
    assert.strictEqual(
      answer.headers.get("idempotent-replayed"),
      earlier !== undefined && answer.status < 300 ? "true" : null,
      description
    )
    expected.check?.(answer)
    if (call.key !== undefined) keyedCalls.unshift(call)
    if (call.key !== undefined && earlier === undefined && answer.status < 300) {
      workspace.keys.set(name, { body, status: answer.status, text: answer.text, expires: world.now + day })
    }
  })

  const runCommand = Effect.fnUntraced(function* (command: Command): Effect.fn.Return<void, never, any> {
    yield* updateTime
    switch (command.do) {
      case "next":
        return yield* runCommand(nextCommand(world, command.caller, command.at))
      case "build": {
        for (let steps = 0; steps < 12; steps++) {
          const next = nextCommand(world, command.caller, command.at)
          if (next.do === "look") return
          yield* runCommand(next)
        }
        return
      }
      case "rest":
        yield* runWorkers(command.writerState)
        break
      case "grant":
        world.workspaces[command.caller].money.addon += command.amount
        yield* credits.grant(parties[command.caller].client.workspace, command.amount, null)
        break
      case "plan":
        world.workspaces[command.caller].money.change(command.change)
        yield* credits.setPlan(parties[command.caller].client.workspace, command.change)
        break
      case "wait":
        yield* clock.pass(Duration.hours(command.hours))
        // There keys go by the database's clock, which no test can move.
        if (isPostgres(sql)) {
          const passed = Duration.toMillis(Duration.hours(command.hours))
          yield* Effect.orDie(sql`UPDATE idempotency_keys SET expires_at = expires_at - ${passed}`)
        }
        yield* updateTime
        break
      case "again": {
        const call = keyedCalls[command.at]
        if (call === undefined) return
        const other = command.body === "other" && call.body !== undefined
        yield* sendAndCheck(other ? { ...call, body: { ...call.body, note: "of no meaning" } } : call)
        break
      }
      default: {
        const first = prerequisiteOf(world, command)
        if (first !== undefined) yield* runCommand(first)
        yield* updateTime
        const call = callOf(world, command)
        if (call !== undefined) yield* sendAndCheck(call)
        if (command.do === "batch" && command.afterwards !== "nothing") yield* runWorkers(command.afterwards)
      }
    }
    yield* adoptContested(world)
    for (const { client, model } of parties) yield* compare(client, model, statuses)
  })

  yield* Effect.gen(function* () {
    for (const command of commands) {
      requestLog.push(JSON.stringify(command))
      yield* runCommand(command)
    }
    yield* assertConsistent
  }).pipe(
    // The requests so far, so that a failure can be repeated by hand.
    Effect.catchCause((cause) => Effect.die(new Error(`${Cause.pretty(cause)}\n${requestLog.join("\n")}`)))
  )
})
