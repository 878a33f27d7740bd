// test/model.test.ts: the model client: retries, circuit breaker, prompts, response formats, sampling parameters, call records and settings.
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

const withMockModel = (retryPolicy?: Partial<RetryPolicy>) =>
  Effect.provide(
    Services.pipe(
      Layer.provideMerge(Support.model(retryPolicy)),
      Layer.provideMerge(Mock.layer),
      Layer.provideMerge(Layer.fresh(Stores.store))
    )
  )

const modelAt = (url: string, retryPolicy?: Partial<RetryPolicy>) =>
  Support.modelAt(url, retryPolicy).pipe(Layer.provideMerge(Layer.fresh(Stores.store)))

const colour = prompt({
  name: "colour",
  version: 3,
  task: "Name a colour.",
  answer: Schema.Struct({ colour: Schema.String })
})

const request: PromptRequest<{ readonly colour: string }> = {
  prompt: colour,
  sharedData: { profile: "Acme paints" },
  requestData: { lead: "Ann" },
  request: "Name one."
}

const accepted = <A>(value: A): Judgement<A> => ({ value, worth: 0, passes: 0, faults: [], error: "" })

const askColour = Effect.gen(function* () {
  const model = yield* Model
  if (model === undefined) return yield* Effect.die("There is no model")
  return yield* model.write(request, ({ colour }) => accepted(colour))
})

const red = jsonAnswer({ colour: "red" }, { usage })
const failure = (status: number, options: object = {}) => ({ error: { message: "no" }, status, ...options })

/** Waits in real time for data on sockets, also under a test clock. */
const realTimePause = Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 20)))

/** Asserts that a call fails, and the number of requests so far. */
const expectFailure = Effect.fnUntraced(function* (
  expectedCalls: number,
  transient: boolean,
  message: RegExp,
  call: Effect.Effect<unknown, GenerationFailed, Mock> = askColour
) {
  const error = yield* Effect.flip(call)
  assert.match(error.message, message)
  assert.strictEqual(error.transient, transient, error.message)
  assert.strictEqual(yield* calls, expectedCalls)
  assert.notInclude(error.message, key)
})

describe("a model server that fails", () => {
  const transientReplies = [
    ["429", failure(429, { retryAfter: 0 }), /answered 429 \(3 attempts\)\. .*OVERTURE_CONCURRENCY/],
    ["500", failure(500), /answered 500 \(3 attempts\)\. .*OPENAI_BASE_URL/],
    ["503", failure(503), /answered 503 \(3 attempts\)/]
  ] as const

  it.live.each(transientReplies)("gets three requests for the status %s", ([, reply, message]) =>
    Effect.gen(function* () {
      yield* modelReplies(reply)
      yield* expectFailure(3, true, message)
      yield* modelReplies(reply, reply, red)
      assert.strictEqual(yield* askColour, "red")
      assert.strictEqual(yield* calls, 3)
    }).pipe(withMockModel())
  )

  it.live("gets three requests if it closes the connection or sends invalid JSON", () =>
    Effect.gen(function* () {
      const { chaos } = yield* Mock
      yield* modelReplies(red)
      yield* chaos({ disconnectRate: 1 })
      yield* expectFailure(3, true, /broke off its answer \(3 attempts\)/)
      yield* modelReplies(red)
      yield* chaos({ malformedRate: 1 })
      yield* expectFailure(3, true, /no completion \(3 attempts\)/)
      yield* chaos({})
      assert.strictEqual(yield* askColour, "red")
    }).pipe(withMockModel())
  )

  const bodies = [
    ["no completion", { hello: "there" }, true, /no completion \(3 attempts\)/],
    ["no choice", { choices: [], usage: null }, true, /no completion \(3 attempts\)/],
    ["an error with status 200", { error: { message: "no" } }, true, /no completion \(3 attempts\)/],
    ["a refusal", { choices: [{ message: { content: null, refusal: "I cannot" } }] }, false, /The model refused/]
  ] as const

  it.live.each(bodies)("gets three requests if it sends %s", ([, body, transient, message]) =>
    Effect.gen(function* () {
      const { seen, url } = yield* Support.rawServer(body)
      const error = yield* Effect.flip(askColour).pipe(Effect.provide(modelAt(url)))
      assert.match(error.message, message)
      assert.strictEqual(error.transient, transient)
      assert.strictEqual(seen.calls, 3)
    })
  )

  it.live("gets three requests if its answer takes too long", () =>
    Effect.gen(function* () {
      const { seen, url } = yield* Support.rawServer(undefined)
      const error = yield* Effect.flip(askColour).pipe(Effect.provide(modelAt(url, { attemptMillis: 50 })))
      assert.match(error.message, /did not answer within 50ms \(3 attempts\)/)
      assert.isTrue(error.transient)
      assert.strictEqual(seen.calls, 3)
      const slow = yield* Support.rawServer(undefined, { choices: [{ message: { content: '{"colour":"red"}' } }] })
      assert.strictEqual(yield* askColour.pipe(Effect.provide(modelAt(slow.url, { attemptMillis: 1000 }))), "red")
    })
  )

  it.live.each([-72, 72])("has the same time limit when the clock jumps %i days during an answer", (days) =>
    Effect.gen(function* () {
      const realNow = Date.now
      yield* Effect.addFinalizer(() => Effect.sync(() => (Date.now = realNow)))
      const warnings: Array<string> = []
      const onWarning = ({ name }: Error) => warnings.push(name)
      yield* Effect.acquireRelease(
        Effect.sync(() => process.on("warning", onWarning)),
        () => Effect.sync(() => process.off("warning", onWarning))
      )
      // The server sends its headers first. The client then waits 25 ms for the body, in which the clock jumps.
      const jump = Effect.sync(() => (Date.now = () => realNow() + days * 86_400_000)).pipe(Effect.delay("25 millis"))
      const { seen, url } = yield* Support.rawServer(() => ({
        choices: [{ message: { content: '{"colour":"red"}' } }]
      }))
      yield* Effect.forkScoped(jump)
      assert.strictEqual(yield* askColour.pipe(Effect.provide(modelAt(url, { attemptMillis: 1000 }))), "red")
      assert.strictEqual(seen.calls, 1)
      assert.deepStrictEqual(warnings, [])
    })
  )

  const permanentStatuses = [
    [401, /answered 401\. .*check OPENAI_API_KEY/],
    [403, /answered 403/],
    [404, /answered 404\. .*check OVERTURE_MODEL/]
  ] as const

  it.live.each(permanentStatuses)(
    "gets one request if it answers %s, which only its operator can fix",
    ([status, message]) =>
      Effect.gen(function* () {
        yield* modelReplies(failure(status))
        yield* expectFailure(1, true, message)
      }).pipe(withMockModel())
  )

  it.live("gets one request if the quota is used up", () =>
    Effect.gen(function* () {
      yield* modelReplies({ error: { message: "no", code: "insufficient_quota" }, status: 429 })
      yield* expectFailure(1, true, /quota is used up .*OPENAI_API_KEY/)
    }).pipe(withMockModel())
  )

  it.live("gets one request if it rejects the content, which is not a transient failure", () =>
    Effect.gen(function* () {
      yield* modelReplies({ error: { message: "no", code: "content_policy_violation" }, status: 400 })
      yield* expectFailure(1, false, /answered 400/)
    }).pipe(withMockModel())
  )

  it.effect("gets no request from any caller during the pause of its Retry-After", () =>
    Effect.gen(function* () {
      yield* modelReplies(failure(429, { retryAfter: 20 }), red)
      const first = yield* Effect.forkChild(askColour)
      while ((yield* calls) === 0) yield* realTimePause
      yield* realTimePause
      const second = yield* Effect.forkChild(askColour)
      yield* realTimePause
      yield* TestClock.adjust("19 seconds")
      yield* realTimePause
      assert.strictEqual(yield* calls, 1)
      while ((yield* calls) < 3) yield* Effect.andThen(TestClock.adjust("1 second"), realTimePause)
      assert.deepStrictEqual(yield* Fiber.joinAll([first, second]), ["red", "red"])
    }).pipe(withMockModel({ maxPauseMillis: 30_000 }))
  )

  it.live("counts as down if its Retry-After exceeds the longest pause", () =>
    Effect.gen(function* () {
      yield* modelReplies(failure(429, { retryAfter: 3600 }))
      yield* expectFailure(1, true, /answered 429/)
    }).pipe(withMockModel())
  )
})

describe("the circuit breaker", () => {
  it.live("opens after consecutive failures", () =>
    Effect.gen(function* () {
      yield* modelReplies(failure(500))
      yield* expectFailure(3, true, /answered 500/)
      yield* expectFailure(4, true, /^The model server answered \d+\. Check that it runs/)
      yield* expectFailure(4, true, /^The model server answered \d+\. Check that it runs/)
    }).pipe(withMockModel({ failures: 4, openMillis: 60_000 }))
  )

  it.live("closes when a call succeeds after the open period", () =>
    Effect.gen(function* () {
      yield* modelReplies(failure(500))
      yield* expectFailure(3, true, /answered 500/)
      yield* modelReplies(red)
      yield* Effect.sleep(30)
      assert.strictEqual(yield* askColour, "red")
      assert.strictEqual(yield* askColour, "red")
    }).pipe(withMockModel({ failures: 3, openMillis: 20 }))
  )

  it.live("stays closed for a server that answers 429", () =>
    Effect.gen(function* () {
      yield* modelReplies(failure(429, { retryAfter: 0 }))
      for (let attempt = 1; attempt <= 3; attempt++) yield* expectFailure(3 * attempt, true, /answered 429/)
    }).pipe(withMockModel({ failures: 2 }))
  )

  const breaker = () => {
    const { guard } = Breaker.make({ failures: 2, openMillis: 1000 })
    const guarded = <A>(call: Effect.Effect<A, string>) =>
      Effect.flip(Effect.flip(guard(call, (error) => error === "broken", "open")))
    return { through: guarded, fail: Effect.flip(guarded(Effect.fail("broken"))) }
  }

  it.effect("opens only for consecutive failures", () =>
    Effect.gen(function* () {
      const { fail: breaks, through } = breaker()
      yield* breaks
      assert.strictEqual(yield* through(Effect.succeed("well")), "well")
      yield* breaks
      // The server answered, so this is not a failure of the server.
      assert.strictEqual(yield* Effect.flip(through(Effect.fail("refused"))), "refused")
      yield* breaks
      assert.strictEqual(yield* through(Effect.succeed("well")), "well")
      yield* breaks
      assert.strictEqual(yield* breaks, "broken")
      assert.strictEqual(yield* breaks, "open")
    })
  )

  it.effect("lets one call through after the open period, and no other until that call succeeds", () =>
    Effect.gen(function* () {
      const { fail: breaks, through } = breaker()
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

  it.effect("lets another call through if the first one was interrupted", () =>
    Effect.gen(function* () {
      const { fail: breaks, through } = breaker()
      yield* Effect.andThen(breaks, breaks)
      yield* TestClock.adjust(1000)
      const probe = yield* Effect.forkChild(through(Effect.never), { startImmediately: true })
      yield* Fiber.interrupt(probe)
      // The interrupted call had no result, so the next call is let through; its failure opens the breaker again.
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

  it.live.each(answers)("is requested again twice if it is %s", ([, reply, message]) =>
    Effect.gen(function* () {
      const { journal } = yield* Mock
      yield* modelReplies(reply)
      yield* expectFailure(3, false, message)
      const [first, second] = yield* journal
      assert.lengthOf(first?.messages ?? [], 2)
      assert.match(second?.messages.at(-1)?.content ?? "", message)
      yield* modelReplies(reply, red)
      assert.strictEqual(yield* askColour, "red")
      assert.strictEqual(yield* calls, 2)
    }).pipe(withMockModel())
  )

  it.live("is read from a code fence, and after <think> tags", () =>
    Effect.gen(function* () {
      yield* modelReplies({ content: 'Here it is:\n```json\n{"colour": "red"}\n```\nEnjoy {it}.'.replace(" {it}", "") })
      assert.strictEqual(yield* askColour, "red")
      yield* modelReplies({ content: '<think>{"colour": "blue"}?</think>{"colour": "red"}' })
      assert.strictEqual(yield* askColour, "red")
    }).pipe(withMockModel())
  )

  it.live("is one that contains the private word or a data tag, escaped or not", () =>
    Effect.gen(function* () {
      const { journal } = yield* Mock
      const secrets = [/The word (\w+) is private/, /^<(data-\w+)>\n\{"profile/, /\n<(data-\w+)>\n\{"lead/]
      const escaped = (text: string) => `\\u${text.charCodeAt(0).toString(16).padStart(4, "0")}${text.slice(1)}`
      for (const secret of secrets) {
        for (const spell of [(text: string) => text, escaped]) {
          yield* modelReplies(({ system, user }) => {
            const [, secretText = "nothing"] = secret.exec(system) ?? secret.exec(user) ?? []
            return { content: `{"colour": "red ${spell(secretText)}"}` }
          })
          yield* expectFailure(3, false, /repeated what is private/)
          // The retry does not repeat the leaked text to the model.
          assert.strictEqual((yield* journal)[1]?.messages[2]?.content, "{}")
        }
      }
    }).pipe(withMockModel())
  )
})

describe("the response format", () => {
  /** Accepts requests with these response formats, and answers others with 400. */
  const acceptFormats =
    (...formats: ReadonlyArray<string>): Support.Reply =>
    ({ format }) =>
      formats.includes(format)
        ? red
        : { error: { message: `unknown response_format`, param: "response_format" }, status: 400 }

  it.live("is a strict JSON schema", () =>
    Effect.gen(function* () {
      const { journal } = yield* Mock
      yield* modelReplies(red)
      yield* askColour
      const [request] = yield* journal
      assert.strictEqual(request?.kind, "colour")
      assert.deepInclude(JSON.parse(request?.body ?? "").response_format.json_schema, {
        strict: true,
        schema: {
          type: "object",
          properties: { colour: { type: "string" } },
          required: ["colour"],
          additionalProperties: false
        }
      })
    }).pipe(withMockModel())
  )

  it.live("falls back to JSON or text for servers without schemas, and the fallback is remembered", () =>
    Effect.gen(function* () {
      const { journal } = yield* Mock
      const formats = Effect.map(journal, (all) => all.map(({ format }) => format))
      yield* modelReplies(acceptFormats("json_object", "text"))
      assert.strictEqual(yield* askColour, "red")
      assert.strictEqual(yield* askColour, "red")
      assert.deepStrictEqual(yield* formats, ["json_schema", "json_object", "json_object"])
      yield* modelReplies(acceptFormats("text"))
      assert.strictEqual(yield* askColour, "red")
      assert.strictEqual(yield* askColour, "red")
      assert.deepStrictEqual(yield* formats, ["json_object", "text", "text"])
      const [, last] = yield* journal
      assert.include(last?.system, '"colour":{"type":"string"}')
    }).pipe(withMockModel())
  )

  it.live("is remembered also if the answer was unusable", () =>
    Effect.gen(function* () {
      const { journal } = yield* Mock
      yield* modelReplies(({ format }) => (format === "text" ? { content: "" } : failure(400)))
      assert.match((yield* Effect.flip(askColour)).message, /empty/)
      assert.deepStrictEqual(
        (yield* journal).map(({ format }) => format),
        ["json_schema", "json_object", "text", "text", "text"]
      )
    }).pipe(withMockModel())
  )

  it.live("is not blamed if the server rejects a request in all formats", () =>
    Effect.gen(function* () {
      const { journal } = yield* Mock
      yield* modelReplies(acceptFormats())
      // The server has accepted no request so far, so the failure is not the lead's.
      yield* expectFailure(3, true, /answered 400/)
      yield* modelReplies(red)
      yield* askColour
      yield* modelReplies(acceptFormats())
      yield* expectFailure(3, false, /answered 400/)
      yield* modelReplies(red)
      yield* askColour
      assert.deepStrictEqual(
        (yield* journal).map(({ format }) => format),
        ["json_schema"]
      )
    }).pipe(withMockModel())
  )
})

describe("the prompt", () => {
  it.live("starts with identical shared data, and puts each request's own data in a new tag", () =>
    Effect.gen(function* () {
      const { journal } = yield* Mock
      const model = yield* Model
      yield* modelReplies(red)
      for (const lead of ["Ann", "Bo"]) yield* model!.write({ ...request, requestData: { lead } }, accepted)
      const [ann, bo] = yield* journal
      assert.strictEqual(ann?.system, bo?.system)
      const [shared, ownPart] = (ann?.user ?? "").split("\n\n")
      assert.match(shared ?? "", /^<(data-\w{16})>\n\{"profile":"Acme paints"\}\n<\/\1>$/)
      assert.match(ownPart ?? "", /^<(data-\w{16})>\n\{"lead":"Ann"\}\n<\/\1>$/)
      assert.isTrue(bo?.user.startsWith(`${shared}\n\n<data-`))
      assert.notStrictEqual(ownPart?.split("\n")[0], bo?.user.split("\n\n")[1]?.split("\n")[0])
      assert.isTrue(ann?.user.endsWith("Name one."))
    }).pipe(withMockModel())
  )

  it.live("contains no invisible characters, and truncates a very long text", () =>
    Effect.gen(function* () {
      const { journal } = yield* Mock
      const model = yield* Model
      yield* modelReplies(red)
      const tags = String.fromCodePoint(0xe0049, 0xe0067, 0xe006e)
      const name = `A\u200bn\u202en${tags}\u0007\ufeff!\ud800</data-x>`
      yield* model!.write({ ...request, requestData: { name, long: "x".repeat(100_000) } }, accepted)
      const [sentRequest] = yield* journal
      assert.include(sentRequest?.user, '"name":"Ann!\ufffd</data-x>"')
      assert.isBelow(sentRequest?.user.length ?? 0, 10_000)
    }).pipe(withMockModel())
  )

  it.live("has the API key only in its header, and is not logged", () => {
    const logs: Array<string> = []
    const logging = Logger.layer([
      Logger.make((entry) => void logs.push(JSON.stringify([entry.message, Cause.pretty(entry.cause)])))
    ])
    return Effect.gen(function* () {
      const { journal } = yield* Mock
      yield* modelReplies(red)
      yield* askColour
      const [request] = yield* journal
      assert.notInclude(request?.body ?? "", key)
      const { seen, url } = yield* Support.rawServer({ choices: [{ message: { content: '{"colour":"red"}' } }] })
      yield* Effect.provide(askColour, modelAt(url))
      assert.strictEqual(seen.authorization, `Bearer ${key}`)
      yield* modelReplies(failure(401))
      yield* Effect.flip(askColour)
      assert.notInclude(logs.join("\n"), key)
      assert.notInclude(logs.join("\n"), "Acme paints")
    }).pipe(withMockModel(), Effect.provide(logging))
  })
})

describe("sampling parameters", () => {
  const sampling = { temperature: 0.3, reasoning_effort: "low", max_tokens: 900, seed: 7 }
  const askWith = (use: Parameters<typeof Support.model>[1]) =>
    askColour.pipe(Effect.provide(Support.model({}, use).pipe(Layer.provide(Layer.fresh(Stores.store)))))
  const sentParameters = Effect.map(Support.journal, (all) =>
    all.map(({ body }) => {
      const { max_completion_tokens, max_tokens, reasoning_effort, seed, temperature } = JSON.parse(body)
      return { max_completion_tokens, max_tokens, reasoning_effort, seed, temperature }
    })
  )
  const noParameters = {
    max_completion_tokens: undefined,
    max_tokens: undefined,
    reasoning_effort: undefined,
    seed: undefined,
    temperature: undefined
  }

  it.live("are sent only if they are set", () =>
    Effect.gen(function* () {
      yield* modelReplies(red)
      yield* askWith({})
      yield* askWith({ sampling })
      yield* askWith({ sampling: { temperature: 0 } })
      assert.deepStrictEqual(yield* sentParameters, [
        noParameters,
        { ...noParameters, max_completion_tokens: 900, reasoning_effort: "low", seed: 7, temperature: 0.3 },
        { ...noParameters, temperature: 0 }
      ])
    }).pipe(withMockModel())
  )

  /** Rejects these parameters as OpenAI does; with `namesParam` also in `param`, else only in the message. */
  const rejectParameters =
    (names: ReadonlyArray<string>, namesParam: boolean): Support.Reply =>
    ({ body }) => {
      const name = names.find((parameter) => parameter in JSON.parse(body))
      if (name === undefined) return red
      const message = `Unsupported parameter: '${name}' is not supported with this model. Use 'seed' instead.`
      return { error: { message, ...(namesParam ? { param: name, code: "unsupported_parameter" } : {}) }, status: 400 }
    }

  it.live.each([true, false])(
    "that a server rejects by name are left out from then on (named in `param`: %s)",
    (named) =>
      Effect.gen(function* () {
        yield* modelReplies(rejectParameters(["temperature", "max_completion_tokens"], named))
        const askTwice = Effect.gen(function* () {
          assert.strictEqual(yield* askColour, "red")
          assert.strictEqual(yield* askColour, "red")
        })
        yield* askTwice.pipe(
          Effect.provide(Support.model({}, { sampling }).pipe(Layer.provide(Layer.fresh(Stores.store))))
        )
        const remaining = { ...noParameters, max_tokens: 900, reasoning_effort: "low", seed: 7 }
        assert.lengthOf(yield* sentParameters, 4)
        assert.deepStrictEqual((yield* sentParameters).slice(2), [remaining, remaining])
        assert.isTrue((yield* journal).every(({ format }) => format === "json_schema"))
      }).pipe(withMockModel())
  )

  it.live("are not left out if the server rejects a parameter that was not sent", () =>
    Effect.gen(function* () {
      yield* modelReplies({ error: { message: "no", param: "top_p" }, status: 400 })
      assert.match((yield* Effect.flip(askWith({ sampling: { seed: 7 } }))).message, /answered 400/)
      assert.isTrue((yield* sentParameters).every(({ seed }) => seed === 7))
    }).pipe(withMockModel())
  )
})

describe("the verifier model", () => {
  const askVerifier = Effect.gen(function* () {
    const model = yield* Model
    return yield* model!.write({ ...request, prompt: { ...colour, by: "verifier" } }, ({ colour }) => accepted(colour))
  })
  const modelNames = Effect.map(journal, (all) => all.map(({ body }) => JSON.parse(body).model))
  const withOptions = (use: Parameters<typeof Support.model>[1]) =>
    Effect.provide(Support.model({}, use).pipe(Layer.provide(Layer.fresh(Stores.store))))

  it.live("is the configured one, else the writer's model", () =>
    Effect.gen(function* () {
      yield* modelReplies(red)
      yield* Effect.andThen(askVerifier, askColour).pipe(withOptions({ verifier: "cheap" }))
      yield* askVerifier.pipe(withOptions({}))
      assert.deepStrictEqual(yield* modelNames, ["cheap", "tiny", "tiny"])
    }).pipe(withMockModel())
  )
})

describe("the private word of the prompt", () => {
  const withSecret = (secret: string | undefined) =>
    Effect.provide(
      Support.model().pipe(
        Layer.provide(Layer.fresh(Stores.store)),
        Layer.provide(Layer.succeed(LinkSecret, secret === undefined ? undefined : Redacted.make(secret)))
      )
    )
  /** The prompt without the request's own data. */
  const prefix = Effect.map(journal, (all) => all.map(({ system, user }) => `${system}\n${user.split("\n\n")[0]}`))

  it.live("is the same for all processes with one link secret, and differs for another secret", () =>
    Effect.gen(function* () {
      yield* modelReplies(red)
      for (const secret of ["a".repeat(32), "a".repeat(32), "b".repeat(32), undefined])
        yield* askColour.pipe(withSecret(secret))
      const [first, sameSecret, otherSecret, withoutSecret] = yield* prefix
      assert.strictEqual(first, sameSecret)
      assert.strictEqual(new Set([first, otherSecret, withoutSecret]).size, 3)
      assert.notInclude(first ?? "", "a".repeat(32))
    }).pipe(withMockModel())
  )
})

describe("a redirect of the model server", () => {
  it.live("is followed only within its origin, because another origin would get the prompt", () =>
    Effect.gen(function* () {
      yield* modelReplies(red)
      const { url } = yield* Mock
      const error = yield* Effect.flip(askColour.pipe(Effect.provide(modelAt(yield* Support.redirectTo(url)))))
      assert.match(error.message, /redirects to another address.* Set OPENAI_BASE_URL/)
      assert.strictEqual(yield* calls, 0)
      const { seen, url: movedUrl } = yield* Support.rawServer({
        choices: [{ message: { content: '{"colour":"red"}' } }]
      })
      assert.strictEqual(yield* askColour.pipe(Effect.provide(modelAt(movedUrl.replace("/v1", "/moved")))), "red")
      assert.strictEqual(seen.authorization, `Bearer ${key}`)
    }).pipe(Effect.scoped, withMockModel())
  )
})

describe("an oversized answer", () => {
  it.live("is read up to 8 MB, and is not quoted in the error", () =>
    Effect.gen(function* () {
      const sentBytes: Array<number> = []
      const server = createServer((request, response) => {
        request.resume()
        response.writeHead(200, { "content-type": "application/json" })
        let chunks = 0
        const send = () => {
          while (!response.destroyed && response.write("secretsecret".repeat(5000))) chunks++
          chunks++
        }
        response.on("drain", send).on("close", () => sentBytes.push(chunks * 60_000))
        send()
      })
      const { port } = yield* listen(server)
      const error = yield* Effect.flip(askColour).pipe(Effect.provide(modelAt(`http://127.0.0.1:${port}/v1`)))
      assert.match(error.message, /sent an answer of more than 8 MB \(3 attempts\)/)
      assert.notInclude(error.message, "secret")
      const fetched = yield* Effect.flip(Effect.tryPromise(() => fetch(`http://127.0.0.1:${port}/api/tags`, {})))
      assert.include(String(fetched.cause), "more than 8 MB")
      assert.isAtLeast(sentBytes.length, 3)
      for (const bytes of sentBytes) assert.isBelow(bytes, 64_000_000)
    }).pipe(Effect.scoped, withMockModel())
  )

  it.live("is requested again if it is nested too deeply", () =>
    Effect.gen(function* () {
      const deep = `{"colour":${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}}`
      const { seen, url } = yield* Support.rawServer({ choices: [{ message: { content: deep } }] })
      const aboutLead = Effect.flatMap(Model, (model) =>
        model === undefined
          ? Effect.die("There is no model")
          : hideContacts(model, { email: "ann@south.example" }).write(request, ({ colour }) => accepted(colour))
      )
      const error = yield* Effect.flip(aboutLead).pipe(Effect.provide(modelAt(url)))
      assert.match(error.message, /nested too deeply/)
      assert.strictEqual(seen.calls, 3)
    }).pipe(Effect.scoped, withMockModel())
  )
})

describe("the record of a call", () => {
  it.live("may fail to be stored without losing the answer", () => {
    const logs: Array<string> = []
    return Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { workspace } = yield* newWorkspace()
      yield* sql`DROP TABLE model_calls`
      yield* modelReplies(red)
      const subject = { workspace: workspace.id, kind: "lead", subject: "l1" }
      assert.strictEqual(yield* Effect.provideService(askColour, ModelCallSubject, subject), "red")
      assert.include(logs.join("\n"), "A model call could not be recorded")
    }).pipe(
      withMockModel(),
      Effect.provide(Logger.layer([Logger.make(({ message }) => void logs.push(String(message)))]))
    )
  })

  const recordedCalls = Effect.flatMap(
    SqlClient.SqlClient,
    (sql) =>
      sql`SELECT kind, subject, prompt, version, model, input_tokens, cached_tokens, output_tokens FROM model_calls`
  )

  it.live("has the prompt, its version, the model and the tokens, also for unusable answers", () =>
    Effect.gen(function* () {
      const workspaces = yield* Workspaces
      const { workspace } = yield* newWorkspace()
      const subject = { workspace: workspace.id, kind: "lead", subject: "l1" }
      const { url } = yield* Support.rawServer(
        {
          choices: [{ message: { content: "?" } }],
          usage: { ...usage, prompt_tokens_details: { cached_tokens: 1024 } }
        },
        { choices: [{ message: { content: '{"colour":"red"}' } }] }
      )
      const recordedAsk = askColour.pipe(
        Effect.provide(Support.modelAt(url)),
        Effect.provideService(ModelCallSubject, subject)
      )
      yield* recordedAsk
      const expected = { kind: "lead", subject: "l1", prompt: "colour", version: colour.version, model: "tiny" }
      assert.deepStrictEqual(yield* recordedCalls, [
        { ...expected, input_tokens: 1200, cached_tokens: 1024, output_tokens: 80 },
        { ...expected, input_tokens: 0, cached_tokens: 0, output_tokens: 0 }
      ])
      yield* workspaces.remove(workspace.id)
      assert.deepStrictEqual(yield* recordedCalls, [])
      // Calls for a deleted workspace still succeed, but are not recorded.
      assert.strictEqual(yield* recordedAsk, "red")
      assert.deepStrictEqual(yield* recordedCalls, [])
    }).pipe(withMockModel())
  )

  it.live("counts at most a billion tokens per call", () =>
    Effect.gen(function* () {
      const { workspace } = yield* newWorkspace()
      const { url } = yield* Support.rawServer({
        choices: [{ message: { content: '{"colour":"red"}' } }],
        usage: { prompt_tokens: 9e18, completion_tokens: 1e300, prompt_tokens_details: { cached_tokens: 9e15 } }
      })
      const subject = { workspace: workspace.id, kind: "lead", subject: "l1" }
      yield* askColour.pipe(Effect.provide(Support.modelAt(url)), Effect.provideService(ModelCallSubject, subject))
      const [row] = yield* recordedCalls
      assert.deepInclude(row, { input_tokens: 1e9, cached_tokens: 1e9, output_tokens: 1e9 })
    }).pipe(Effect.scoped, withMockModel())
  )

  it("has another prompt version for another wording", () => {
    assert.match(colour.version, /^3-[0-9a-f]+$/)
    const reworded = prompt({
      name: "colour",
      version: 3,
      task: "Name a shade.",
      answer: Schema.Struct({ colour: Schema.String })
    })
    assert.notStrictEqual(reworded.version, colour.version)
  })
})

describe("the settings", () => {
  const isModelConfigured = (env: Record<string, string>) =>
    Effect.map(Effect.service(Model), (model) => model !== undefined).pipe(
      Effect.provide(modelLayer),
      Effect.provide([Layer.fresh(Stores.store), ConfigProvider.layer(ConfigProvider.fromUnknown(env))])
    )

  it.effect("enable the model if there is a key or the generator is openai", () =>
    Effect.gen(function* () {
      const url = "http://127.0.0.1:1/v1"
      const cases: ReadonlyArray<readonly [Record<string, string>, boolean]> = [
        [{}, false],
        [{ OPENAI_API_KEY: " " }, false],
        [{ OPENAI_BASE_URL: url }, false],
        [{ OPENAI_API_KEY: key }, true],
        [{ OPENAI_API_KEY: key, OVERTURE_GENERATOR: "" }, true],
        [{ OPENAI_API_KEY: key, OVERTURE_GENERATOR: "builtin", OPENAI_BASE_URL: "nonsense" }, false],
        [{ OVERTURE_GENERATOR: "openai", OPENAI_BASE_URL: url }, true],
        [{ OVERTURE_GENERATOR: "openai", OPENAI_API_KEY: key, OPENAI_BASE_URL: "" }, true]
      ]
      for (const [env, expected] of cases)
        assert.strictEqual(yield* isModelConfigured(env), expected, JSON.stringify(env))
    })
  )

  it.effect("set the verifier, sampling and limits, and are rejected if invalid", () =>
    Effect.gen(function* () {
      const withEnv = (env: Record<string, string>) =>
        Effect.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(env)))
      const modelOptionsOf = (env: Record<string, string>) => modelOptions.pipe(withEnv(env))
      const unset = { temperature: undefined, reasoning_effort: undefined, max_tokens: undefined, seed: undefined }
      assert.deepStrictEqual(yield* modelOptionsOf({}), {
        verifier: undefined,
        verification: "sample",
        context: undefined,
        answerMillis: undefined,
        sampling: unset
      })
      assert.deepStrictEqual(
        yield* modelOptionsOf({
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
        assert.match((yield* Effect.flip(modelOptionsOf({ [name]: value }))).message, new RegExp(name))
      }
    })
  )

  it.effect("are rejected if they do not describe a model server", () =>
    Effect.gen(function* () {
      assert.match(
        (yield* Effect.flip(isModelConfigured({ OVERTURE_GENERATOR: "openai" }))).message,
        /set OPENAI_API_KEY, or/
      )
      assert.match(
        (yield* Effect.flip(isModelConfigured({ OVERTURE_GENERATOR: "other" }))).message,
        /OVERTURE_GENERATOR/
      )
      const env = { OPENAI_API_KEY: key, OPENAI_BASE_URL: "localhost:11434" }
      const { message } = yield* Effect.flip(isModelConfigured(env))
      assert.match(message, /Expected a URL such as/)
      assert.notInclude(message, key)
    })
  )
})
