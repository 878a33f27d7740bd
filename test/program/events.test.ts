// test/program/events.test.ts: the events of a list, as clients receive them over a socket.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Option, Redacted, Schema, Stream } from "effect"
import { Statement } from "effect/sql"
import { once } from "node:events"
import { connect } from "node:net"
import { Auth } from "#layers/Auth.ts"
import { GenerationFailed } from "#layers/generator/GenerationFailed.ts"
import { maxFollowedLists, ProgressIntervals, ListProgress } from "#layers/lists/ListProgress.ts"
import * as Client from "#client/Client.ts"
import { ListEvent } from "#schema/Lists.ts"
import { connector } from "#client/PromiseClient.ts"
import { follow as followList } from "#client/Follow.ts"
import { StallMillis } from "#src/http/server/Listener.ts"
import { Listener } from "#src/http/server/Listener.ts"
import { expectBody, expectError } from "../support/answers.ts"
import { type Caller, callerFor } from "../support/callers.ts"
import { callerWithCampaign } from "../support/campaigns.ts"
import { commandJson } from "../support/command.ts"
import { gated, outage } from "../support/faults.ts"
import { openEventStream, type EventStream, waitForEvents } from "../support/event-stream.ts"
import { onboardedWorkspace, namedLeads, options } from "../support/program-workspace.ts"
import { portOf } from "../support/listening.ts"
import { waitForList, startBatch } from "../support/lists.ts"
import { serve } from "../support/process.ts"
import { withWorkers } from "../support/server.ts"
import * as SocketServer from "../support/socket.ts"
import { until } from "../support/until.ts"
import { buildCampaign, apiClient } from "../support/api-client.ts"
import { fakeWriter } from "../support/writer.ts"

const { Socket } = SocketServer

const serverWithIntervals = (
  intervals: Partial<typeof ProgressIntervals.Service> = {},
  extraLayer: Layer.Layer<never> = Layer.empty
) =>
  Effect.provide(
    SocketServer.layer.pipe(
      Layer.provide([
        Layer.succeed(ProgressIntervals, { lists: 20, keys: 100, keepAliveMillis: 15_000, ...intervals }),
        extraLayer
      ])
    )
  )

const startNamedBatch = (caller: Caller, campaign: string, ...names: ReadonlyArray<string>) =>
  startBatch(
    caller,
    campaign,
    names.map((name) => ({ email: `${name}@company.example` }))
  )

/** The name in a lead's address selects its outcome. */
const writerWithOutcomes = (outcomes: { readonly [name: string]: Effect.Effect<void, GenerationFailed> }) => ({
  sequence: ((brief) =>
    Effect.andThen(
      outcomes[brief.lead.email.split("@")[0] ?? ""] ?? Effect.void,
      fakeWriter.sequence(brief)
    )) as typeof fakeWriter.sequence
})

const closedGate = gated(() => Effect.void)

/** Builds a campaign with workers that then stop. */
const createCampaign = callerWithCampaign().pipe(withWorkers())

/** Asserts that every event matches the contract exactly. */
const assertContractEvents = (stream: EventStream) =>
  Effect.forEach(stream.events(), ({ data, event, id }) =>
    Effect.orDie(
      Schema.decodeUnknownEffect(ListEvent)({ id, event, data: JSON.stringify(data) }, { onExcessProperty: "error" })
    )
  )

describe("the events of a list", () => {
  it.live("start with its current state, then report each change and its end, and then the stream closes", () => {
    const gatedLead = gated(() => Effect.void)
    const secondGatedLead = gated(() => Effect.void)
    return Effect.gen(function* () {
      const { origin } = yield* Socket
      const { campaign: campaignId, caller } = yield* createCampaign
      const list = yield* startNamedBatch(caller, campaignId, "one", "two", "three")
      const firstStream = yield* openEventStream(origin, caller.key, list)
      assert.strictEqual(firstStream.status, 200)
      for (const [name, value] of [
        ["content-type", "text/event-stream"],
        ["cache-control", "no-store"],
        ["x-accel-buffering", "no"],
        ["x-content-type-options", "nosniff"]
      ] as const) {
        assert.strictEqual(firstStream.headers.get(name), value)
      }
      assert.match(firstStream.headers.get("x-request-id") ?? "", /^req_/)
      assert.match(firstStream.headers.get("x-ratelimit-remaining") ?? "", /^\d+$/)
      yield* waitForEvents(firstStream, (events) => events.length > 0)
      const { processing_status, progress } = yield* expectBody(200, caller.get(`/lists/${list}`))
      assert.deepStrictEqual(firstStream.events(), [
        { id: firstStream.events()[0]?.id, event: "progress", data: { processing_status, progress } }
      ])

      yield* Effect.gen(function* () {
        const hasDone = (count: number) => (events: ReadonlyArray<{ readonly data: any }>) =>
          events.some(({ data }) => data.progress?.leads_done === count)
        yield* waitForEvents(firstStream, hasDone(1))
        yield* gatedLead.open
        yield* waitForEvents(firstStream, hasDone(2))
        // A late or returning follower gets the current state.
        const secondStream = yield* openEventStream(origin, caller.key, list, {
          "last-event-id": firstStream.events()[0]?.id ?? ""
        })
        yield* waitForEvents(secondStream, (events) => events.length > 0)
        assert.deepStrictEqual(secondStream.events()[0]?.data, {
          processing_status: "in_progress",
          progress: { leads_total: 3, leads_done: 2, leads_failed: 0 }
        })
        yield* secondGatedLead.open
        for (const stream of [firstStream, secondStream]) {
          assert.isTrue(yield* stream.closed)
          const events = stream.events()
          assert.deepStrictEqual(
            events.map(({ event }) => event),
            [...events.slice(1).map(() => "progress"), "end"]
          )
          assert.deepStrictEqual(events.at(-1)?.data, yield* expectBody(200, caller.get(`/lists/${list}`)))
          assert.strictEqual(new Set(events.map(({ id }) => id)).size, events.length)
          // A finished stream does not ask its client to reconnect.
          assert.notInclude(stream.text(), "retry:")
          yield* assertContractEvents(stream)
        }
      }).pipe(withWorkers(writerWithOutcomes({ one: gatedLead(), two: secondGatedLead() })))
    }).pipe(Effect.scoped, serverWithIntervals())
  })

  it.live("are only the end event for a completed list", () =>
    Effect.gen(function* () {
      const { origin } = yield* Socket
      const { campaign: campaignId, caller } = yield* createCampaign
      const list = yield* startNamedBatch(caller, campaignId, "one")
      yield* waitForList(caller, list).pipe(withWorkers())
      for (const id of ["", "completed", "anything at all"]) {
        const stream = yield* openEventStream(origin, caller.key, list, { "last-event-id": id })
        assert.isTrue(yield* stream.closed)
        assert.deepStrictEqual(stream.events(), [
          { id: "completed", event: "end", data: yield* expectBody(200, caller.get(`/lists/${list}`)) }
        ])
      }
    }).pipe(Effect.scoped, serverWithIntervals())
  )

  it.live("reach a client that is made from the contract, up to the end event", () => {
    const gatedLead = gated(() => Effect.void)
    return Effect.gen(function* () {
      const { origin } = yield* Socket
      const { campaign: campaignId, caller } = yield* createCampaign
      const list = yield* startNamedBatch(caller, campaignId, "one", "two")
      const client = connector({ followList: "GET /api/v1/lists/{id}/events" })({ baseUrl: origin, key: caller.key })
      const receivedEvents: Array<unknown> = []
      const clientFiber = yield* Effect.forkChild(
        Effect.promise(async () => {
          const events: any = await client.followList({ params: { id: list } })
          for await (const event of events) receivedEvents.push(event)
        })
      )
      yield* until(
        Effect.sync(() => receivedEvents.length),
        (count) => count > 0
      )
      yield* Effect.andThen(gatedLead.open, Fiber.join(clientFiber)).pipe(
        withWorkers(writerWithOutcomes({ one: gatedLead() }))
      )
      assert.isAbove(receivedEvents.length, 1)
      assert.deepStrictEqual(receivedEvents.at(-1), {
        id: "completed",
        event: "end",
        data: yield* expectBody(200, caller.get(`/lists/${list}`))
      })
    }).pipe(Effect.scoped, serverWithIntervals())
  })

  it.live("are the progress that the command line shows", () => {
    const gatedLead = gated(() => Effect.void)
    return Effect.gen(function* () {
      const { origin } = yield* Socket
      const { campaign: campaignId, caller } = yield* createCampaign
      const list = yield* startNamedBatch(caller, campaignId, "one", "two")
      const client = yield* Client.make({ baseUrl: origin, key: Redacted.make(caller.key) })
      const shownProgress: Array<number | undefined> = []
      const followFiber = yield* Effect.forkChild(
        followList(client, list, ({ progress }) => Effect.sync(() => void shownProgress.push(progress?.leads_done)))
      )
      yield* Effect.gen(function* () {
        yield* until(
          Effect.sync(() => shownProgress),
          (shownProgress) => shownProgress.includes(1)
        )
        yield* gatedLead.open
        assert.deepInclude(yield* Fiber.join(followFiber), { id: list, processing_status: "completed", leads_count: 2 })
      }).pipe(withWorkers(writerWithOutcomes({ one: gatedLead() })))
      // Each state is shown once. A client that polls would see the same state many times.
      assert.deepStrictEqual(shownProgress.slice(0, -2), [...new Set(shownProgress.slice(0, -2))])
    }).pipe(Effect.scoped, serverWithIntervals())
  })

  it.live("continue while it is pending, and stop when it is deleted", () =>
    Effect.gen(function* () {
      const { origin } = yield* Socket
      const { campaign: campaignId, caller } = yield* createCampaign
      const list = yield* startNamedBatch(caller, campaignId, "one", "down")
      const stream = yield* openEventStream(origin, caller.key, list)
      yield* waitForList(caller, list, "pending").pipe(withWorkers(writerWithOutcomes({ down: Effect.fail(outage) })))
      yield* waitForEvents(stream, (events) => events.at(-1)?.data.processing_status === "pending")
      assert.deepStrictEqual(stream.events().at(-1), {
        id: stream.events().at(-1)?.id,
        event: "progress",
        data: { processing_status: "pending", progress: { leads_total: 2, leads_done: 1, leads_failed: 0 } }
      })
      yield* assertContractEvents(stream)
      assert.isTrue(stream.isOpen())
      yield* expectBody(200, caller.delete(`/lists/${list}`))
      assert.isTrue(yield* stream.closed)
      assert.notInclude(stream.text(), "event: end")
      assert.match(stream.text(), /\n\nretry: \d+\n\n$/)
      yield* expectError(404, "NOT_FOUND", caller.get(`/lists/${list}/events`))
    }).pipe(Effect.scoped, serverWithIntervals())
  )

  it.live("belong to the list's workspace, and need the scope of the list", () =>
    Effect.gen(function* () {
      const { campaign: campaignId, caller } = yield* createCampaign
      const { caller: otherCaller } = yield* createCampaign
      const list = yield* startNamedBatch(caller, campaignId, "one")
      const callerWithoutReadScope = yield* callerFor(caller.workspace, ["lists:write"])
      yield* expectError(404, "NOT_FOUND", otherCaller.get(`/lists/${list}/events`))
      yield* expectError(404, "NOT_FOUND", caller.get("/lists/no-id/events"))
      yield* expectError(403, "FORBIDDEN", callerWithoutReadScope.get(`/lists/${list}/events`))
    }).pipe(serverWithIntervals())
  )

  it.live("stop when their key is revoked, and continue for other keys", () =>
    Effect.gen(function* () {
      const { origin } = yield* Socket
      const keys = yield* Auth
      const { campaign: campaignId, caller } = yield* createCampaign
      const callerToRevoke = yield* callerFor(caller.workspace, ["lists:read"])
      const list = yield* startNamedBatch(caller, campaignId, "one")
      const [revokedStream, otherStream] = yield* Effect.all([
        openEventStream(origin, callerToRevoke.key, list),
        openEventStream(origin, caller.key, list)
      ])
      const [, { id = "" } = {}] = yield* keys.list(caller.workspace)
      yield* keys.revoke(id)
      assert.isTrue(yield* revokedStream.closed)
      assert.notInclude(revokedStream.text(), "event: end")
      assert.isTrue(otherStream.isOpen(), otherStream.text())
      yield* expectError(401, "UNAUTHORIZED", callerToRevoke.get(`/lists/${list}/events`))
    }).pipe(Effect.scoped, serverWithIntervals())
  )

  it.live("are open to one key a limited number of times at once", () =>
    Effect.gen(function* () {
      const { origin } = yield* Socket
      const { campaign: campaignId, caller } = yield* createCampaign
      const callerWithOtherKey = yield* callerFor(caller.workspace)
      const list = yield* startNamedBatch(caller, campaignId, "one")
      const openStreams = yield* Effect.replicateEffect(openEventStream(origin, caller.key, list), maxFollowedLists)
      assert.isTrue(openStreams.every(({ status }) => status === 200))
      yield* expectError(429, "RATE_LIMITED", caller.get(`/lists/${list}/events`))
      assert.strictEqual((yield* openEventStream(origin, callerWithOtherKey.key, list)).status, 200)
      yield* openStreams[0]?.hangUp ?? Effect.void
      const tryToOpen = () =>
        Effect.flatMap(openEventStream(origin, caller.key, list), (stream) =>
          Effect.as(stream.status === 200 ? Effect.void : stream.hangUp, stream)
        )
      yield* until(Effect.suspend(tryToOpen), ({ status }) => status === 200)
      // A HEAD request does not count as an open stream.
      yield* caller.send("HEAD", `/lists/${list}/events`)
      yield* openStreams[1]?.hangUp ?? Effect.void
      yield* until(Effect.suspend(tryToOpen), ({ status }) => status === 200)
    }).pipe(Effect.scoped, serverWithIntervals())
  )

  it.live("include a comment during long silence, so that proxies keep the connection", () =>
    Effect.gen(function* () {
      const { origin } = yield* Socket
      const { campaign: campaignId, caller } = yield* createCampaign
      const list = yield* startNamedBatch(caller, campaignId, "one")
      const stream = yield* openEventStream(origin, caller.key, list)
      yield* until(
        Effect.sync(() => stream.text().match(/^:.*\n\n/gm) ?? []),
        (comments) => comments.length >= 3
      )
      assert.lengthOf(stream.events(), 1)
    }).pipe(Effect.scoped, serverWithIntervals({ keepAliveMillis: 50 }))
  )

  it.live("need as many queries for many clients as for one", () => {
    let queryCount = 0
    const countQueries = Layer.succeed(Statement.CurrentTransformer, (statement) =>
      Effect.sync(() => {
        if (/SELECT id, campaign_id.* failed_at,\s+leads_count|SELECT id FROM api_keys/s.test(statement.compile()[0]))
          queryCount++
        return statement
      })
    )
    return Effect.gen(function* () {
      const { origin } = yield* Socket
      const { campaign: campaignId, caller } = yield* createCampaign
      const lists = yield* Effect.replicateEffect(startNamedBatch(caller, campaignId, "one"), 3)
      const measureQueries = Effect.gen(function* () {
        const countBefore = queryCount
        yield* Effect.sleep("1 second")
        return queryCount - countBefore
      })
      assert.strictEqual(yield* measureQueries, 0)
      yield* openEventStream(origin, caller.key, lists[0] ?? "")
      const queriesOfOne = yield* measureQueries
      assert.isAbove(queriesOfOne, 0)
      for (const list of lists) yield* Effect.replicateEffect(openEventStream(origin, caller.key, list), 15)
      assert.isAtMost(yield* measureQueries, queriesOfOne * 10)
    }).pipe(Effect.scoped, serverWithIntervals({ lists: 100 }, countQueries))
  })

  it.live("do not queue for a slow client", () => {
    const gates = Array.from({ length: 5 }, () => gated(() => Effect.void))
    return Effect.gen(function* () {
      const { campaign: campaignId, caller } = yield* createCampaign
      const names = gates.map((_, i) => `lead${i}`)
      const list = yield* startNamedBatch(caller, campaignId, ...names, "last")
      const key = Option.getOrThrow(yield* (yield* Auth).find(caller.key))
      const stream = yield* (yield* ListProgress).watch(key, list)
      yield* Effect.gen(function* () {
        for (const [i, gate] of gates.entries()) {
          yield* gate.open
          yield* until(expectBody(200, caller.get(`/lists/${list}`)), ({ progress }) => progress.leads_done === i + 1)
          yield* Effect.sleep(100)
        }
        const [firstState] = yield* Stream.runCollect(Stream.take(stream, 1))
        assert.deepStrictEqual(firstState?.progress, { leads_total: 6, leads_done: 5, leads_failed: 0 })
      }).pipe(
        withWorkers(
          writerWithOutcomes({
            ...Object.fromEntries(gates.map((gate, i) => [`lead${i}`, gate()])),
            last: closedGate()
          })
        )
      )
    }).pipe(Effect.scoped, serverWithIntervals())
  })
})

describe("a client that reads none of its events", () => {
  it.live("is disconnected once the socket buffers are full, and others are not", () =>
    Effect.gen(function* () {
      const { server } = yield* Listener
      const closedReaders: Array<string> = []
      server.on("request", (request, response) => {
        const name = request.url ?? ""
        response.writeHead(200, "OK", { "content-type": "text/event-stream" })
        const writeTimer = setInterval(() => response.write(`: ${"0".repeat(1_000_000)}\n\n`), 10)
        response.on("close", () => {
          clearInterval(writeTimer)
          closedReaders.push(name)
        })
      })
      server.listen(0, "127.0.0.1")
      yield* Effect.promise(() => once(server, "listening"))
      const port = portOf(server)
      const connectReader = (name: string) =>
        Effect.acquireRelease(
          Effect.sync(() => connect(port, "127.0.0.1").on("error", () => {})),
          (socket) => Effect.sync(() => socket.destroy())
        ).pipe(Effect.tap((socket) => Effect.sync(() => socket.write(`GET /${name} HTTP/1.1\r\nHost: x\r\n\r\n`))))
      const reader = yield* connectReader("reader")
      reader.resume()
      const slowReader = yield* connectReader("sleeper")
      slowReader.pause()
      yield* until(Effect.succeed(closedReaders), (readers) => readers.length > 0)
      assert.deepStrictEqual(closedReaders, ["/sleeper"])
    }).pipe(Effect.scoped, Effect.provide(Listener.layer.pipe(Layer.provide(Layer.succeed(StallMillis, 1000)))))
  )
})

describe("a process with the role api", () => {
  it.live(
    "reports the work of another process, ends streams of a revoked key, and stops without waiting for clients",
    () =>
      Effect.gen(function* () {
        const { data, key, key_id, workspace } = yield* onboardedWorkspace
        const otherKey: string = (yield* commandJson(data, "key", "create", "--workspace", workspace)).key
        const api = yield* serve(data, { OVERTURE_ROLE: "api" })
        const { send } = apiClient(api.url, key)
        const campaign = yield* Effect.gen(function* () {
          yield* serve(data, { OVERTURE_ROLE: "worker", OVERTURE_PUBLIC_URL: api.url })
          const campaign = yield* buildCampaign({ send })
          const { body } = yield* send("POST", `/campaigns/${campaign}/generate-batch`, {
            leads: namedLeads(30),
            options
          })
          const stream = yield* openEventStream(api.url, key, body.list_id)
          assert.isTrue(yield* stream.closed)
          const events = stream.events()
          assert.strictEqual(events.at(-1)?.event, "end")
          assert.deepInclude(events.at(-1)?.data, { processing_status: "completed", emails_created: 60 })
          return campaign
        }).pipe(Effect.scoped)
        // No worker runs, so this list keeps its state.
        const pendingList = (yield* send("POST", `/campaigns/${campaign}/generate-batch`, {
          leads: namedLeads(2),
          options
        })).body
        const revokedStream = yield* openEventStream(api.url, key, pendingList.list_id)
        const otherStream = yield* openEventStream(api.url, otherKey, pendingList.list_id)
        yield* commandJson(data, "key", "revoke", key_id)
        assert.isTrue(yield* revokedStream.closed)
        assert.isTrue(otherStream.isOpen(), otherStream.text())

        const exit = once(api.child, "exit")
        api.child.kill("SIGTERM")
        assert.isTrue(yield* otherStream.closed)
        assert.notInclude(otherStream.text(), "event: end")
        assert.match(otherStream.text(), /\n\nretry: \d+\n\n$/)
        assert.deepStrictEqual(yield* Effect.promise(() => exit), [0, null])
      }).pipe(Effect.scoped),
    180_000
  )
})
