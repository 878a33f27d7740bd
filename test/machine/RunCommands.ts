// test/machine/RunCommands.ts: runs commands against the service and the model, and compares the two after each.
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
import { copyContestedOutcomes } from "./ContestedCredits.ts"
import type { Status, World } from "./Model.ts"
import { prerequisiteOf, nextCommand } from "./NextCommand.ts"
import { createModelledWorkspace } from "./ModelledWorkspace.ts"
import * as Workers from "./Workers.ts"

const dayMillis = 24 * 60 * 60 * 1000

/** Runs `commands`, starting with two new workspaces. */
export const runCommands = Effect.fnUntraced(function* (commands: ReadonlyArray<Command>, clock: MovableClock) {
  const sql = yield* SqlClient.SqlClient
  const credits = yield* Credits
  const workers = yield* Workers.makeWorkers
  const tenants = [yield* createModelledWorkspace("Acme"), yield* createModelledWorkspace("Bolt")] as const
  const world: World = { workspaces: [tenants[0].model, tenants[1].model], now: 0 }
  const clients = tenants.map(({ client }) => client)
  const listStatuses = new Map<string, Status>()
  const keyedCalls: Array<Call> = []
  const requestLog: Array<string> = []

  const updateTime = Effect.gen(function* () {
    world.now = yield* Clock.currentTimeMillis
    for (const { creditAccount } of world.workspaces) creditAccount.startDuePeriods(new Date(world.now).toISOString())
  })

  const send = (call: Call) => {
    const client = clients[call.caller]
    const init = call.body === undefined ? {} : json(call.body)
    const headers = { ...init.headers, ...(call.key === undefined ? {} : { "idempotency-key": call.key }) }
    return client === undefined
      ? Effect.die(`There is no caller ${call.caller}`)
      : client.send(call.method, call.path, { ...init, headers })
  }

  const countRows = (table: string, condition: string) =>
    Effect.orDie(
      Effect.map(
        sql.unsafe<{ readonly n: number }>(`SELECT count(*) AS n FROM ${table} WHERE ${condition}`),
        ([row]) => row?.n
      )
    )

  /** Sends a request and returns the response, with workers running if the request waits for them. */
  const awaitAnswer = Effect.fnUntraced(function* (call: Call, { background }: Expected) {
    if (background === undefined) return yield* send(call)
    if (background.waitsFor === "preview" && background.startsLate !== true) {
      return yield* workers.runUntilIdle(
        "well",
        Effect.andThen(workers.setWriterState(background.writerState), send(call))
      )
    }
    const [table, condition] =
      background.waitsFor === "list" ? ["lists", "1 = 1"] : ["previews", "status = 'processing'"]
    const rowsBefore = yield* countRows(table, condition)
    const pendingAnswer = yield* Effect.forkChild(send(call))
    yield* until(countRows(table, condition), (count) => count !== rowsBefore)
    return yield* workers.runUntilIdle(background.writerState, Fiber.join(pendingAnswer))
  })

  /** Waits until the export is recorded, and a millisecond more, so that later edits have a later time. */
  const awaitRecordOfExport = Effect.fnUntraced(function* ({ leads, list }: NonNullable<Expected["exported"]>) {
    const requestedAt = new Date(world.now).toISOString()
    yield* until(countRows("lists", `id = '${list.id}' AND exported_at >= '${requestedAt}'`), (count) => count === 1)
    yield* clock.advance("1 millis")
    yield* updateTime
    list.exportedAt = world.now
    for (const lead of leads) lead.exportedAt = world.now
  })

  const runWorkers = Effect.fnUntraced(function* (requestedState: WriterState) {
    // Four stalled batches would occupy all workers.
    const writerState = requestedState === "stalling" && countSlowBatches(world) > 3 ? "well" : requestedState
    finishWork(world, writerState)
    yield* workers.runUntilIdle(writerState, Effect.void)
    yield* copyContestedOutcomes(world)
  })

  const sendAndCheck = Effect.fnUntraced(function* (call: Call) {
    const workspace = world.workspaces[call.caller]
    if (workspace === undefined) return
    if (call.needsIdleWorkers?.() === true) yield* runWorkers("well")
    const body = JSON.stringify(call.body ?? null)
    const answerKey = `${call.method} ${call.path} ${call.key}`
    const storedAnswer =
      call.key === undefined || call.malformed === true ? undefined : workspace.answersByKey.get(answerKey)
    const validAnswer = storedAnswer !== undefined && storedAnswer.expiresAt > world.now ? storedAnswer : undefined
    const expected: Expected =
      validAnswer === undefined
        ? call.expect()
        : validAnswer.body === body
          ? { status: validAnswer.status, checkAnswer: ({ text }) => assert.strictEqual(text, validAnswer.text) }
          : { status: 409, error: "CONFLICT" }
    const requestText = `${workspace.name}: ${call.method} ${call.path} ${body.slice(0, 300)}`
    requestLog.push(`${requestText} → ${expected.status}`)
    const answer = yield* awaitAnswer(call, expected)
    const description = `${requestText} → ${answer.text.slice(0, 500)}`
    // The body of a lead also has a field named `error`.
    const error = answer.status < 400 ? undefined : answer.body?.error
    assert.deepStrictEqual([answer.status, error], [expected.status, expected.error], description)
    if (expected.error !== undefined && expected.detail !== undefined) {
      assert.deepStrictEqual(answer.body.detail, expected.detail, description)
    }
    assert.strictEqual(
      answer.headers.get("idempotent-replayed"),
      validAnswer !== undefined && answer.status < 300 ? "true" : null,
      description
    )
    expected.checkAnswer?.(answer)
    if (expected.exported !== undefined) yield* awaitRecordOfExport(expected.exported)
    if (call.key !== undefined) keyedCalls.unshift(call)
    if (call.key !== undefined && validAnswer === undefined && answer.status < 300) {
      workspace.answersByKey.set(answerKey, {
        body,
        status: answer.status,
        text: answer.text,
        expiresAt: world.now + dayMillis
      })
    }
  })

  const runCommand = Effect.fnUntraced(function* (command: Command): Effect.fn.Return<void, never, any> {
    yield* updateTime
    switch (command.do) {
      case "next":
        return yield* runCommand(nextCommand(world, command.caller, command.campaignIndex))
      case "build": {
        for (let step = 0; step < 12; step++) {
          const nextStep = nextCommand(world, command.caller, command.campaignIndex)
          if (nextStep.do === "read") return
          yield* runCommand(nextStep)
        }
        return
      }
      case "run jobs":
        yield* runWorkers(command.writerState)
        break
      case "grant":
        world.workspaces[command.caller].creditAccount.addon += command.amount
        yield* credits.grant(tenants[command.caller].client.workspace, command.amount, null)
        break
      case "plan":
        world.workspaces[command.caller].creditAccount.changePlan(command.change)
        yield* credits.setPlan(tenants[command.caller].client.workspace, command.change)
        break
      case "wait":
        yield* clock.advance(Duration.hours(command.hours))
        // On PostgreSQL, idempotency keys expire by the database's clock, which a test cannot move.
        if (isPostgres(sql)) {
          const passedMillis = Duration.toMillis(Duration.hours(command.hours))
          yield* Effect.orDie(sql`UPDATE idempotency_keys SET expires_at = expires_at - ${passedMillis}`)
        }
        yield* updateTime
        break
      case "again": {
        const call = keyedCalls[command.callIndex]
        if (call === undefined) return
        const sendsOtherBody = command.body === "other" && call.body !== undefined
        yield* sendAndCheck(sendsOtherBody ? { ...call, body: { ...call.body, note: "of no meaning" } } : call)
        break
      }
      default: {
        const prerequisite = prerequisiteOf(world, command)
        if (prerequisite !== undefined) yield* runCommand(prerequisite)
        yield* updateTime
        const call = callOf(world, command)
        if (call !== undefined) yield* sendAndCheck(call)
        if (command.do === "batch" && command.afterwards !== "nothing") yield* runWorkers(command.afterwards)
      }
    }
    yield* copyContestedOutcomes(world)
    for (const { client, model } of tenants) yield* compare(client, model, listStatuses)
  })

  yield* Effect.gen(function* () {
    for (const command of commands) {
      requestLog.push(JSON.stringify(command))
      yield* runCommand(command)
    }
    yield* assertConsistent
  }).pipe(
    // Add the requests so far to the error, so that a failure can be reproduced by hand.
    Effect.catchCause((cause) => Effect.die(new Error(`${Cause.pretty(cause)}\n${requestLog.join("\n")}`)))
  )
})
