// test/model.test.ts: a model server in all its moods: what is asked of it, how often, and what becomes of what it says.
import { assert, describe, it } from "@effect/vitest"
import { Cause, ConfigProvider, Deferred, Effect, Fiber, Layer, Logger, Redacted, Schema } from "effect"
import { TestClock } from "effect/testing"
import { SqlClient } from "effect/sql"
import { createServer } from "node:http"
import type { GenerationFailed } from "#layers/generator/GenerationFailed.ts"
import { hideContacts } from "#layers/generator/bymodel/HideContacts.ts"
import { LinkSecret } from "#layers/Links.ts"
import { type Judgement, Model, type PromptRequest } from "#layers/Model.ts"
import * as Breaker from "#layers/model/Breaker.ts"
import { ModelCallSubject } from "#layers/model/ModelCalls.ts"
import type { RetryPolicy } from "#layers/model/RetryPolicy.ts"
import { prompt } from "#layers/model/Prompt.ts"
import { Services } from "#src/services.ts"
import { modelOptions } from "#src/settings/ModelServer.ts"
import { modelLayer } from "#src/settings/Services.ts"
import { Workspaces } from "#layers/Workspaces.ts"
import { fetch } from "#layers/model/ModelFetch.ts"
import { listen } from "./support/listening.ts"
import * as Support from "./support/model.ts"
import { calls, journal, key, Mock, jsonAnswer, modelReplies, usage } from "./support/model.ts"
import * as Stores from "./support/store.ts"
import { newWorkspace } from "./support/workspace.ts"

const served = (patience?: Partial<RetryPolicy>) =>
  Effect.provide(
    Services.pipe(
      Layer.provideMerge(Support.model(patience)),
      Layer.provideMerge(Mock.layer),
      Layer.provideMerge(Layer.fresh(Stores.store))
    )
  )

const at = (url: string, patience?: Partial<RetryPolicy>) =>
  Support.modelAt(url, patience).pipe(Layer.provideMerge(Layer.fresh(Stores.store)))

const colour = prompt({
  name: "colour",
  version: 3,
  task: "Name a colour.",
  answer: Schema.Struct({ colour: Schema.String })
})

const order: PromptRequest<{ readonly colour: string }> = {
  prompt: colour,
  shared: { profile: "Acme paints" },
  own: { lead: "Ann" },
  request: "Name one."
}

const taken = <A>(value: A): Judgement<A> => ({ value, worth: 0, passes: 0, faults: [], error: "" })

const ask = Effect.gen(function* () {
  const model = yield* Model
  if (model === undefined) return yield* Effect.die("There is no model")
  return yield* model.write(order, ({ colour }) => taken(colour))
})

const red = jsonAnswer({ colour: "red" }, { usage })
const down = (status: number, more: object = {}) => ({ error: { message: "no" }, status, ...more })

/** Time for what is on its way over a socket, whatever the test's clock says. */
const moment = Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 20)))

/** Asserts the failure, and how many calls it took. */
const fails = Effect.fnUntraced(function* (
  count: number,
  transient: boolean,
  message: RegExp,
  asked: Effect.Effect<unknown, GenerationFailed, Mock> = ask
) {
  const error = yield* Effect.flip(asked)
  assert.match(error.message, message)
  assert.strictEqual(error.transient, transient, error.message)
  assert.strictEqual(yield* calls, count)
  assert.notInclude(error.message, key)
})

describe("a model server that fails", () => {
  const passing = [
    ["429", down(429, { retryAfter: 0 }), /answered 429 \(3 attempts\)\. .*OVERTURE_CONCURRENCY/],
    ["500", down(500), /answered 500 \(3 attempts\)\. .*OPENAI_BASE_URL/],
    ["503", down(503), /answered 503 \(3 attempts\)/]
  ] as const

  it.live.each(passing)("is asked three times: %s", ([, reply, message]) =>
    Effect.gen(function* () {
      yield* modelReplies(reply)
      yield* fails(3, true, message)
      yield* modelReplies(reply, reply, red)
      assert.strictEqual(yield* ask, "red")
      assert.strictEqual(yield* calls, 3)
    }).pipe(served())
  )

  it.live("is asked three times when it breaks off, or says what is no JSON", () =>
    Effect.gen(function* () {
      const { chaos } = yield* Mock
      yield* modelReplies(red)
      yield* chaos({ disconnectRate: 1 })
      yield* fails(3, true, /broke off its answer \(3 attempts\)/)
      yield* modelReplies(red)
      yield* chaos({ malformedRate: 1 })
      yield* fails(3, true, /no completion \(3 attempts\)/)
      yield* chaos({})
      assert.strictEqual(yield* ask, "red")
    }).pipe(served())
  )

  const bodies = [
    ["no completion", { hello: "there" }, true, /no completion \(3 attempts\)/],
    ["no choice", { choices: [], usage: null }, true, /no completion \(3 attempts\)/],
    ["an error in a good answer's clothes", { error: { message: "no" } }, true, /no completion \(3 attempts\)/],
    ["a refusal", { choices: [{ message: { content: null, refusal: "I cannot" } }] }, false, /The model refused/]
  ] as const

  it.live.each(bodies)("is asked three times: %s", ([, body, transient, message]) =>
    Effect.gen(function* () {
      const { seen, url } = yield* Support.rawServer(body)
      const error = yield* Effect.flip(ask).pipe(Effect.provide(at(url)))
      assert.match(error.message, message)
      assert.strictEqual(error.transient, transient)
      assert.strictEqual(seen.calls, 3)
    })
  )

  it.live("is asked three times when it does not end its answer in time", () =>
    Effect.gen(function* () {
      const { seen, url } = yield* Support.rawServer(undefined)
      const error = yield* Effect.flip(ask).pipe(Effect.provide(at(url, { attemptMillis: 50 })))
      assert.match(error.message, /did not answer within 50ms \(3 attempts\)/)
      assert.isTrue(error.transient)
      assert.strictEqual(seen.calls, 3)
      const slow = yield* Support.rawServer(undefined, { choices: [{ message: { content: '{"colour":"red"}' } }] })
      assert.strictEqual(yield* ask.pipe(Effect.provide(at(slow.url, { attemptMillis: 1000 }))), "red")
    })
  )

  it.live.each([-72, 72])(
    "is waited for as long as ever when the clock jumps %i days in the middle of an answer",
    (days) =>
      Effect.gen(function* () {
        const now = Date.now
        yield* Effect.addFinalizer(() => Effect.sync(() => (Date.now = now)))
        const warnings: Array<string> = []
        const warned = ({ name }: Error) => warnings.push(name)
        yield* Effect.acquireRelease(
          Effect.sync(() => process.on("warning", warned)),
          () => Effect.sync(() => process.off("warning", warned))
        )
        // Once its head is there the package begins to wait for the rest.
        const jump = Effect.sync(() => (Date.now = () => now() + days * 86_400_000)).pipe(Effect.delay("25 millis"))
        const { seen, url } = yield* Support.rawServer(() => ({
          choices: [{ message: { content: '{"colour":"red"}' } }]
        }))
        yield* Effect.forkScoped(jump)
        assert.strictEqual(yield* ask.pipe(Effect.provide(at(url, { attemptMillis: 1000 }))), "red")
        assert.strictEqual(seen.calls, 1)
        assert.deepStrictEqual(warnings, [])
      })
  )

  const standing = [
    [401, /answered 401\. .*check OPENAI_API_KEY/],
    [403, /answered 403/],
    [404, /answered 404\. .*check OVERTURE_MODEL/]
  ] as const

  it.live.each(standing)("is asked once where only its owner can mend it: %s", ([status, message]) =>
    Effect.gen(function* () {
      yield* modelReplies(down(status))
      yield* fails(1, true, message)
    }).pipe(served())
  )

  it.live("is asked once when the quota is used up", () =>
    Effect.gen(function* () {
      yield* modelReplies({ error: { message: "no", code: "insufficient_quota" }, status: 429 })
      yield* fails(1, true, /quota is used up .*OPENAI_API_KEY/)
    }).pipe(served())
  )

  it.live("is asked once where it refuses the content, which no other lead has to bear", () =>
    Effect.gen(function* () {
      yield* modelReplies({ error: { message: "no", code: "content_policy_violation" }, status: 400 })
      yield* fails(1, false, /answered 400/)
    }).pipe(served())
  )

  it.effect("gets the pause that it asks for, from everyone", () =>
    Effect.gen(function* () {
      yield* modelReplies(down(429, { retryAfter: 20 }), red)
      const first = yield* Effect.forkChild(ask)
      while ((yield* calls) === 0) yield* moment
      yield* moment
      const second = yield* Effect.forkChild(ask)
      yield* moment
      yield* TestClock.adjust("19 seconds")
      yield* moment
      assert.strictEqual(yield* calls, 1)
      while ((yield* calls) < 3) yield* Effect.andThen(TestClock.adjust("1 second"), moment)
      assert.deepStrictEqual(yield* Fiber.joinAll([first, second]), ["red", "red"])
    }).pipe(served({ maxPauseMillis: 30_000 }))
  )

  it.live("is down when it asks for a longer pause than anybody waits", () =>
    Effect.gen(function* () {
      yield* modelReplies(down(429, { retryAfter: 3600 }))
      yield* fails(1, true, /answered 429/)
    }).pipe(served())
  )
})

describe("the breaker", () => {
  it.live("leaves a server alone after failures in a row", () =>
    Effect.gen(function* () {
      yield* modelReplies(down(500))
      yield* fails(3, true, /answered 500/)
      yield* fails(4, true, /^The model server answered \d+\. Check that it runs/)
      yield* fails(4, true, /^The model server answered \d+\. Check that it runs/)
    }).pipe(served({ failures: 4, openMillis: 60_000 }))
  )

  it.live("tries it again after a rest, and closes when that succeeds", () =>
    Effect.gen(function* () {
      yield* modelReplies(down(500))
      yield* fails(3, true, /answered 500/)
      yield* modelReplies(red)
      yield* Effect.sleep(30)
      assert.strictEqual(yield* ask, "red")
      assert.strictEqual(yield* ask, "red")
    }).pipe(served({ failures: 3, openMillis: 20 }))
  )

  it.live("stays closed for a server that only asks for patience", () =>
    Effect.gen(function* () {
      yield* modelReplies(down(429, { retryAfter: 0 }))
      for (let at = 1; at <= 3; at++) yield* fails(3 * at, true, /answered 429/)
    }).pipe(served({ failures: 2 }))
  )

  const breaker = () => {
    const { guard } = Breaker.make({ failures: 2, openMillis: 1000 })
    const through = <A>(call: Effect.Effect<A, string>) =>
      Effect.flip(Effect.flip(guard(call, (error) => error === "broken", "open")))
    return { through, breaks: Effect.flip(through(Effect.fail("broken"))) }
  }

  it.effect("opens for failures that follow each other alone", () =>
    Effect.gen(function* () {
      const { breaks, through } = breaker()
      yield* breaks
      assert.strictEqual(yield* through(Effect.succeed("well")), "well")
      yield* breaks
      // It answers, if only to say no.
      assert.strictEqual(yield* Effect.flip(through(Effect.fail("refused"))), "refused")
      yield* breaks
      assert.strictEqual(yield* through(Effect.succeed("well")), "well")
      yield* breaks
      assert.strictEqual(yield* breaks, "broken")
      assert.strictEqual(yield* breaks, "open")
    })
  )

  it.effect("lets one call through after a rest, and no other until it is back", () =>
    Effect.gen(function* () {
      const { breaks, through } = breaker()
      yield* Effect.andThen(breaks, breaks)
      yield* TestClock.adjust(999)
      assert.strictEqual(yield* breaks, "open")
      yield* TestClock.adjust(1)
      assert.strictEqual(yield* breaks, "broken")
      assert.strictEqual(yield* breaks, "open")
      yield* TestClock.adjust(1000)
      const gate = yield* Deferred.make<string>()
      const probe = yield* Effect.forkChild(through(Deferred.await(gate)), { startImmediately: true })
      assert.strictEqual(yield* breaks, "open")
      yield* Deferred.succeed(gate, "well")
      assert.strictEqual(yield* Fiber.join(probe), "well")
      assert.strictEqual(yield* breaks, "broken")
      assert.strictEqual(yield* through(Effect.succeed("well")), "well")
    })
  )

  it.effect("lets another call try when the one that tried was interrupted", () =>
    Effect.gen(function* () {
      const { breaks, through } = breaker()
      yield* Effect.andThen(breaks, breaks)
      yield* TestClock.adjust(1000)
      const probe = yield* Effect.forkChild(through(Effect.never), { startImmediately: true })
      yield* Fiber.interrupt(probe)
      // Nothing was learned from it: one may try, and that it fails is enough.
      assert.strictEqual(yield* breaks, "broken")
      assert.strictEqual(yield* breaks, "open")
      yield* TestClock.adjust(1000)
      assert.strictEqual(yield* through(Effect.succeed("well")), "well")
    })
  )
})

describe("an answer that cannot be used", () => {
  const answers = [
    ["empty", { content: "" }, /gave an empty answer/],
    ["cut short", jsonAnswer({ colour: "re" }, { finishReason: "length" }), /broke off/],
    ["filtered", jsonAnswer({ colour: "red" }, { finishReason: "content_filter" }), /refused/],
    ["prose", { content: "Red is a fine colour." }, /no JSON/],
    ["of another form", jsonAnswer({ color: "red" }), /not the form/]
  ] as const

  it.live.each(answers)("is asked for again twice: %s", ([, reply, message]) =>
    Effect.gen(function* () {
      const { journal } = yield* Mock
      yield* modelReplies(reply)
      yield* fails(3, false, message)
      const [first, second] = yield* journal
      assert.lengthOf(first?.messages ?? [], 2)
      assert.match(second?.messages.at(-1)?.content ?? "", message)
      yield* modelReplies(reply, red)
      assert.strictEqual(yield* ask, "red")
      assert.strictEqual(yield* calls, 2)
    }).pipe(served())
  )

  it.live("is taken where it stands in a fence, or after the model's thoughts", () =>
    Effect.gen(function* () {
      yield* modelReplies({ content: 'Here it is:\n```json\n{"colour": "red"}\n```\nEnjoy {it}.'.replace(" {it}", "") })
      assert.strictEqual(yield* ask, "red")
      yield* modelReplies({ content: '<think>{"colour": "blue"}?</think>{"colour": "red"}' })
      assert.strictEqual(yield* ask, "red")
    }).pipe(served())
  )

  it.live("is one that holds the private word or a mark, in whatever letters", () =>
    Effect.gen(function* () {
      const { journal } = yield* Mock
      const secrets = [/The word (\w+) is private/, /^<(data-\w+)>\n\{"profile/, /\n<(data-\w+)>\n\{"lead/]
      const escaped = (text: string) => `\\u${text.charCodeAt(0).toString(16).padStart(4, "0")}${text.slice(1)}`
      for (const secret of secrets) {
        for (const spelled of [(text: string) => text, escaped]) {
          yield* modelReplies(({ system, user }) => {
            const [, found = "nothing"] = secret.exec(system) ?? secret.exec(user) ?? []
            return { content: `{"colour": "red ${spelled(found)}"}` }
          })
          yield* fails(3, false, /repeated what is private/)
          // What leaked is not said to it again.
          assert.strictEqual((yield* journal)[1]?.messages[2]?.content, "{}")
        }
      }
    }).pipe(served())
  )
})

describe("the form of an answer", () => {
  /** Takes requests of these formats, and answers others with 400. */
  const only =
    (...formats: ReadonlyArray<string>): Support.Reply =>
    ({ format }) =>
      formats.includes(format)
        ? red
        : { error: { message: `unknown response_format`, param: "response_format" }, status: 400 }

  it.live("is asked of the server by a strict schema", () =>
    Effect.gen(function* () {
      const { journal } = yield* Mock
      yield* modelReplies(red)
      yield* ask
      const [asked] = yield* journal
      assert.strictEqual(asked?.kind, "colour")
      assert.deepInclude(JSON.parse(asked?.body ?? "").response_format.json_schema, {
        strict: true,
        schema: {
          type: "object",
          properties: { colour: { type: "string" } },
          required: ["colour"],
          additionalProperties: false
        }
      })
    }).pipe(served())
  )

  it.live("is asked as JSON, or in words alone, of servers that know no better, and they are remembered", () =>
    Effect.gen(function* () {
      const { journal } = yield* Mock
      const formats = Effect.map(journal, (all) => all.map(({ format }) => format))
      yield* modelReplies(only("json_object", "text"))
      assert.strictEqual(yield* ask, "red")
      assert.strictEqual(yield* ask, "red")
      assert.deepStrictEqual(yield* formats, ["json_schema", "json_object", "json_object"])
      yield* modelReplies(only("text"))
      assert.strictEqual(yield* ask, "red")
      assert.strictEqual(yield* ask, "red")
      assert.deepStrictEqual(yield* formats, ["json_object", "text", "text"])
      const [, last] = yield* journal
      assert.include(last?.system, '"colour":{"type":"string"}')
    }).pipe(served())
  )

  it.live("is remembered of a server also when the answer was no good", () =>
    Effect.gen(function* () {
      const { journal } = yield* Mock
      yield* modelReplies(({ format }) => (format === "text" ? { content: "" } : down(400)))
      assert.match((yield* Effect.flip(ask)).message, /empty/)
      assert.deepStrictEqual(
        (yield* journal).map(({ format }) => format),
        ["json_schema", "json_object", "text", "text", "text"]
      )
    }).pipe(served())
  )

  it.live("is not what is wrong with a request that the server takes in no form", () =>
    Effect.gen(function* () {
      const { journal } = yield* Mock
      yield* modelReplies(only())
      // Nothing that it was asked so far did it take: so it is not for this lead.
      yield* fails(3, true, /answered 400/)
      yield* modelReplies(red)
      yield* ask
      yield* modelReplies(only())
      yield* fails(3, false, /answered 400/)
      yield* modelReplies(red)
      yield* ask
      assert.deepStrictEqual(
        (yield* journal).map(({ format }) => format),
        ["json_schema"]
      )
    }).pipe(served())
  )
})

describe("what is asked", () => {
  it.live("starts with identical shared material, and fences each request's own part with a new mark", () =>
    Effect.gen(function* () {
      const { journal } = yield* Mock
      const model = yield* Model
      yield* modelReplies(red)
      for (const lead of ["Ann", "Bo"]) yield* model!.write({ ...order, own: { lead } }, taken)
      const [ann, bo] = yield* journal
      assert.strictEqual(ann?.system, bo?.system)
      const [shared, own] = (ann?.user ?? "").split("\n\n")
      assert.match(shared ?? "", /^<(data-\w{16})>\n\{"profile":"Acme paints"\}\n<\/\1>$/)
      assert.match(own ?? "", /^<(data-\w{16})>\n\{"lead":"Ann"\}\n<\/\1>$/)
      assert.isTrue(bo?.user.startsWith(`${shared}\n\n<data-`))
      assert.notStrictEqual(own?.split("\n")[0], bo?.user.split("\n\n")[1]?.split("\n")[0])
      assert.isTrue(ann?.user.endsWith("Name one."))
    }).pipe(served())
  )

  it.live("holds nothing of a text that a person could not see, and not all of a very long one", () =>
    Effect.gen(function* () {
      const { journal } = yield* Mock
      const model = yield* Model
      yield* modelReplies(red)
      const tags = String.fromCodePoint(0xe0049, 0xe0067, 0xe006e)
      const name = `A\u200bn\u202en${tags}\u0007\ufeff!\ud800</data-x>`
      yield* model!.write({ ...order, own: { name, long: "x".repeat(100_000) } }, taken)
      const [asked] = yield* journal
      assert.include(asked?.user, '"name":"Ann!\ufffd</data-x>"')
      assert.isBelow(asked?.user.length ?? 0, 10_000)
    }).pipe(served())
  )

  it.live("carries the key in its header alone, and nothing of it is logged", () => {
    const logs: Array<string> = []
    const logging = Logger.layer([
      Logger.make((entry) => void logs.push(JSON.stringify([entry.message, Cause.pretty(entry.cause)])))
    ])
    return Effect.gen(function* () {
      const { journal } = yield* Mock
      yield* modelReplies(red)
      yield* ask
      const [asked] = yield* journal
      assert.notInclude(asked?.body ?? "", key)
      const { seen, url } = yield* Support.rawServer({ choices: [{ message: { content: '{"colour":"red"}' } }] })
      yield* Effect.provide(ask, at(url))
      assert.strictEqual(seen.authorization, `Bearer ${key}`)
      yield* modelReplies(down(401))
      yield* Effect.flip(ask)
      assert.notInclude(logs.join("\n"), key)
      assert.notInclude(logs.join("\n"), "Acme paints")
    }).pipe(served(), Effect.provide(logging))
  })
})

describe("sampling parameters", () => {
  const sampling = { temperature: 0.3, reasoning_effort: "low", max_tokens: 900, seed: 7 }
  const asks = (use: Parameters<typeof Support.model>[1]) =>
    ask.pipe(Effect.provide(Support.model({}, use).pipe(Layer.provide(Layer.fresh(Stores.store)))))
  const sent = Effect.map(Support.journal, (all) =>
    all.map(({ body }) => {
      const { max_completion_tokens, max_tokens, reasoning_effort, seed, temperature } = JSON.parse(body)
      return { max_completion_tokens, max_tokens, reasoning_effort, seed, temperature }
    })
  )
  const none = {
    max_completion_tokens: undefined,
    max_tokens: undefined,
    reasoning_effort: undefined,
    seed: undefined,
    temperature: undefined
  }

  it.live("are sent as they are set, and none that is not", () =>
    Effect.gen(function* () {
      yield* modelReplies(red)
      yield* asks({})
      yield* asks({ sampling })
      yield* asks({ sampling: { temperature: 0 } })
      assert.deepStrictEqual(yield* sent, [
        none,
        { ...none, max_completion_tokens: 900, reasoning_effort: "low", seed: 7, temperature: 0.3 },
        { ...none, temperature: 0 }
      ])
    }).pipe(served())
  )

  /** Refuses these parameters as OpenAI does, or in its message alone. */
  const refusing =
    (names: ReadonlyArray<string>, named: boolean): Support.Reply =>
    ({ body }) => {
      const name = names.find((each) => each in JSON.parse(body))
      if (name === undefined) return red
      const message = `Unsupported parameter: '${name}' is not supported with this model. Use 'seed' instead.`
      return { error: { message, ...(named ? { param: name, code: "unsupported_parameter" } : {}) }, status: 400 }
    }

  it.live.each([true, false])("that a server refuses by name are left out from then on (in `param`: %s)", (named) =>
    Effect.gen(function* () {
      yield* modelReplies(refusing(["temperature", "max_completion_tokens"], named))
      const twice = Effect.gen(function* () {
        assert.strictEqual(yield* ask, "red")
        assert.strictEqual(yield* ask, "red")
      })
      yield* twice.pipe(Effect.provide(Support.model({}, { sampling }).pipe(Layer.provide(Layer.fresh(Stores.store)))))
      const kept = { ...none, max_tokens: 900, reasoning_effort: "low", seed: 7 }
      assert.lengthOf(yield* sent, 4)
      assert.deepStrictEqual((yield* sent).slice(2), [kept, kept])
      assert.isTrue((yield* journal).every(({ format }) => format === "json_schema"))
    }).pipe(served())
  )

  it.live("are not what is wrong when a server names one that was never sent", () =>
    Effect.gen(function* () {
      yield* modelReplies({ error: { message: "no", param: "top_p" }, status: 400 })
      assert.match((yield* Effect.flip(asks({ sampling: { seed: 7 } }))).message, /answered 400/)
      assert.isTrue((yield* sent).every(({ seed }) => seed === 7))
    }).pipe(served())
  )
})

describe("the model that verifies", () => {
  const verifying = Effect.gen(function* () {
    const model = yield* Model
    return yield* model!.write({ ...order, prompt: { ...colour, by: "verifier" } }, ({ colour }) => taken(colour))
  })
  const names = Effect.map(journal, (all) => all.map(({ body }) => JSON.parse(body).model))
  const behind = (use: Parameters<typeof Support.model>[1]) =>
    Effect.provide(Support.model({}, use).pipe(Layer.provide(Layer.fresh(Stores.store))))

  it.live("is the one that is set, else the writer's own", () =>
    Effect.gen(function* () {
      yield* modelReplies(red)
      yield* Effect.andThen(verifying, ask).pipe(behind({ verifier: "cheap" }))
      yield* verifying.pipe(behind({}))
      assert.deepStrictEqual(yield* names, ["cheap", "tiny", "tiny"])
    }).pipe(served())
  )
})

describe("the private words", () => {
  const behind = (secret: string | undefined) =>
    Effect.provide(
      Support.model().pipe(
        Layer.provide(Layer.fresh(Stores.store)),
        Layer.provide(Layer.succeed(LinkSecret, secret === undefined ? undefined : Redacted.make(secret)))
      )
    )
  /** What comes before a request's own part. */
  const prefix = Effect.map(journal, (all) => all.map(({ system, user }) => `${system}\n${user.split("\n\n")[0]}`))

  it.live("are the same for all processes of a store, and other ones for another store", () =>
    Effect.gen(function* () {
      yield* modelReplies(red)
      for (const secret of ["a".repeat(32), "a".repeat(32), "b".repeat(32), undefined]) yield* ask.pipe(behind(secret))
      const [one, two, three, four] = yield* prefix
      assert.strictEqual(one, two)
      assert.strictEqual(new Set([one, three, four]).size, 3)
      assert.notInclude(one ?? "", "a".repeat(32))
    }).pipe(served())
  )
})

describe("a server that has moved", () => {
  it.live("is followed within its origin, and no further: another would get the prompt", () =>
    Effect.gen(function* () {
      yield* modelReplies(red)
      const { url } = yield* Mock
      const error = yield* Effect.flip(ask.pipe(Effect.provide(at(yield* Support.redirectTo(url)))))
      assert.match(error.message, /redirects to another address.* Set OPENAI_BASE_URL/)
      assert.strictEqual(yield* calls, 0)
      const { seen, url: moved } = yield* Support.rawServer({ choices: [{ message: { content: '{"colour":"red"}' } }] })
      assert.strictEqual(yield* ask.pipe(Effect.provide(at(moved.replace("/v1", "/moved")))), "red")
      assert.strictEqual(seen.authorization, `Bearer ${key}`)
    }).pipe(Effect.scoped, served())
  )
})

describe("an answer without measure", () => {
  it.live("is read to 8 MB, of an endless one, and not quoted", () =>
    Effect.gen(function* () {
      const ended: Array<number> = []
      const server = createServer((request, response) => {
        request.resume()
        response.writeHead(200, { "content-type": "application/json" })
        let sent = 0
        const send = () => {
          while (!response.destroyed && response.write("secretsecret".repeat(5000))) sent++
          sent++
        }
        response.on("drain", send).on("close", () => ended.push(sent * 60_000))
        send()
      })
      const { port } = yield* listen(server)
      const error = yield* Effect.flip(ask).pipe(Effect.provide(at(`http://127.0.0.1:${port}/v1`)))
      assert.match(error.message, /sent an answer of more than 8 MB \(3 attempts\)/)
      assert.notInclude(error.message, "secret")
      const fetched = yield* Effect.flip(Effect.tryPromise(() => fetch(`http://127.0.0.1:${port}/api/tags`, {})))
      assert.include(String(fetched.cause), "more than 8 MB")
      assert.isAtLeast(ended.length, 3)
      for (const bytes of ended) assert.isBelow(bytes, 64_000_000)
    }).pipe(Effect.scoped, served())
  )

  it.live("is asked for again where it is nested too deeply", () =>
    Effect.gen(function* () {
      const deep = `{"colour":${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}}`
      const { seen, url } = yield* Support.rawServer({ choices: [{ message: { content: deep } }] })
      const aboutLead = Effect.flatMap(Model, (model) =>
        model === undefined
          ? Effect.die("There is no model")
          : hideContacts(model, { email: "ann@south.example" }).write(order, ({ colour }) => taken(colour))
      )
      const error = yield* Effect.flip(aboutLead).pipe(Effect.provide(at(url)))
      assert.match(error.message, /nested too deeply/)
      assert.strictEqual(seen.calls, 3)
    }).pipe(Effect.scoped, served())
  )
})

describe("the account of a call", () => {
  it.live("does not lose the answer when it cannot be stored", () => {
    const logs: Array<string> = []
    return Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { workspace } = yield* newWorkspace()
      yield* sql`DROP TABLE model_calls`
      yield* modelReplies(red)
      const occasion = { workspace: workspace.id, kind: "lead", subject: "l1" }
      assert.strictEqual(yield* Effect.provideService(ask, ModelCallSubject, occasion), "red")
      assert.include(logs.join("\n"), "A model call could not be recorded")
    }).pipe(served(), Effect.provide(Logger.layer([Logger.make(({ message }) => void logs.push(String(message)))])))
  })

  const rows = Effect.flatMap(
    SqlClient.SqlClient,
    (sql) =>
      sql`SELECT kind, subject, prompt, version, model, input_tokens, cached_tokens, output_tokens FROM model_calls`
  )

  it.live("has the prompt with its version, the model and the tokens, poor answers included", () =>
    Effect.gen(function* () {
      const workspaces = yield* Workspaces
      const { workspace } = yield* newWorkspace()
      const occasion = { workspace: workspace.id, kind: "lead", subject: "l1" }
      const { url } = yield* Support.rawServer(
        {
          choices: [{ message: { content: "?" } }],
          usage: { ...usage, prompt_tokens_details: { cached_tokens: 1024 } }
        },
        { choices: [{ message: { content: '{"colour":"red"}' } }] }
      )
      const paint = ask.pipe(Effect.provide(Support.modelAt(url)), Effect.provideService(ModelCallSubject, occasion))
      yield* paint
      const about = { kind: "lead", subject: "l1", prompt: "colour", version: colour.version, model: "tiny" }
      assert.deepStrictEqual(yield* rows, [
        { ...about, input_tokens: 1200, cached_tokens: 1024, output_tokens: 80 },
        { ...about, input_tokens: 0, cached_tokens: 0, output_tokens: 0 }
      ])
      yield* workspaces.remove(workspace.id)
      assert.deepStrictEqual(yield* rows, [])
      // Work in hand on it still ends.
      assert.strictEqual(yield* paint, "red")
      assert.deepStrictEqual(yield* rows, [])
    }).pipe(served())
  )

  it.live("counts at most a billion tokens of a call", () =>
    Effect.gen(function* () {
      const { workspace } = yield* newWorkspace()
      const { url } = yield* Support.rawServer({
        choices: [{ message: { content: '{"colour":"red"}' } }],
        usage: { prompt_tokens: 9e18, completion_tokens: 1e300, prompt_tokens_details: { cached_tokens: 9e15 } }
      })
      const occasion = { workspace: workspace.id, kind: "lead", subject: "l1" }
      yield* ask.pipe(Effect.provide(Support.modelAt(url)), Effect.provideService(ModelCallSubject, occasion))
      const [row] = yield* rows
      assert.deepInclude(row, { input_tokens: 1e9, cached_tokens: 1e9, output_tokens: 1e9 })
    }).pipe(Effect.scoped, served())
  )

  it("tells every wording of a prompt apart", () => {
    assert.match(colour.version, /^3-[0-9a-f]+$/)
    const other = prompt({
      name: "colour",
      version: 3,
      task: "Name a shade.",
      answer: Schema.Struct({ colour: Schema.String })
    })
    assert.notStrictEqual(other.version, colour.version)
  })
})

describe("the settings", () => {
  const with_ = (env: Record<string, string>) =>
    Effect.map(Effect.service(Model), (model) => model !== undefined).pipe(
      Effect.provide(modelLayer),
      Effect.provide([Layer.fresh(Stores.store), ConfigProvider.layer(ConfigProvider.fromUnknown(env))])
    )

  it.effect("ask for a model where there is a key, and for none where nothing says so", () =>
    Effect.gen(function* () {
      const url = "http://127.0.0.1:1/v1"
      const all: ReadonlyArray<readonly [Record<string, string>, boolean]> = [
        [{}, false],
        [{ OPENAI_API_KEY: " " }, false],
        [{ OPENAI_BASE_URL: url }, false],
        [{ OPENAI_API_KEY: key }, true],
        [{ OPENAI_API_KEY: key, OVERTURE_GENERATOR: "" }, true],
        [{ OPENAI_API_KEY: key, OVERTURE_GENERATOR: "builtin", OPENAI_BASE_URL: "nonsense" }, false],
        [{ OVERTURE_GENERATOR: "openai", OPENAI_BASE_URL: url }, true],
        [{ OVERTURE_GENERATOR: "openai", OPENAI_API_KEY: key, OPENAI_BASE_URL: "" }, true]
      ]
      for (const [env, expected] of all) assert.strictEqual(yield* with_(env), expected, JSON.stringify(env))
    })
  )

  it.effect("say how it is asked, and are refused where they make no sense", () =>
    Effect.gen(function* () {
      const provided = (env: Record<string, string>) =>
        Effect.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(env)))
      const use = (env: Record<string, string>) => modelOptions.pipe(provided(env))
      const unset = { temperature: undefined, reasoning_effort: undefined, max_tokens: undefined, seed: undefined }
      assert.deepStrictEqual(yield* use({}), {
        verifier: undefined,
        verification: "sample",
        context: undefined,
        answerMillis: undefined,
        sampling: unset
      })
      assert.deepStrictEqual(
        yield* use({
          OVERTURE_VERIFIER_MODEL: "cheap",
          OVERTURE_VERIFY: "all",
          OVERTURE_TEMPERATURE: "0.2",
          OVERTURE_REASONING_EFFORT: "low",
          OVERTURE_MAX_TOKENS: "4000",
          OVERTURE_SEED: "42",
          OVERTURE_MODEL_CONTEXT: "16384",
          OVERTURE_MODEL_TIMEOUT: "90"
        }),
        {
          verifier: "cheap",
          verification: "all",
          context: 16_384,
          answerMillis: 90_000,
          sampling: { temperature: 0.2, reasoning_effort: "low", max_tokens: 4000, seed: 42 }
        }
      )
      for (const [name, value] of [
        ["OVERTURE_VERIFY", "some"],
        ["OVERTURE_TEMPERATURE", "3"],
        ["OVERTURE_TEMPERATURE", "warm"],
        ["OVERTURE_REASONING_EFFORT", "much"],
        ["OVERTURE_MAX_TOKENS", "1.5"],
        ["OVERTURE_SEED", "x"],
        ["OVERTURE_MODEL_CONTEXT", "1000"],
        ["OVERTURE_MODEL_TIMEOUT", "0"]
      ] as const) {
        assert.match((yield* Effect.flip(use({ [name]: value }))).message, new RegExp(name))
      }
    })
  )

  it.effect("are refused where they make no model", () =>
    Effect.gen(function* () {
      assert.match((yield* Effect.flip(with_({ OVERTURE_GENERATOR: "openai" }))).message, /set OPENAI_API_KEY, or/)
      assert.match((yield* Effect.flip(with_({ OVERTURE_GENERATOR: "other" }))).message, /OVERTURE_GENERATOR/)
      const url = { OPENAI_API_KEY: key, OPENAI_BASE_URL: "localhost:11434" }
      const { message } = yield* Effect.flip(with_(url))
      assert.match(message, /Expected a URL such as/)
      assert.notInclude(message, key)
    })
  )
})
