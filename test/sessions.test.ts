// test/sessions.test.ts: sign-in links, sessions, their cookies and the first run, and attacks on them.
import { assert, describe, it } from "@effect/vitest"
import { Clock, Context, Duration, Effect, Layer, Redacted } from "effect"
import { RateLimiter } from "effect/persistence"
import { Auth } from "#layers/Auth.ts"
import { FirstRun } from "#layers/FirstRun.ts"
import { LocalServers } from "#layers/model/LocalServers.ts"
import { type Mail, Mailer } from "#layers/Mailer.ts"
import { withChecksum } from "#layers/auth/Secret.ts"
import * as Limits from "#layers/RateLimiter.ts"
import { Workspaces } from "#layers/Workspaces.ts"
import { scopes } from "#schema/Auth.ts"
import { type Answer, expectBody, expectError } from "./support/answers.ts"
import { newCaller, callerFor, type Caller, json } from "./support/callers.ts"
import { type MovableClock, movableClock } from "./support/clock.ts"
import { dump } from "./support/dump.ts"
import { authenticatedEndpoints, sampleRequest } from "./support/endpoints.ts"
import { ollama } from "./support/ollama.ts"
import * as Server from "./support/server.ts"
import { failWrite, stopFailing } from "./support/failing-writes.ts"
import { until } from "./support/until.ts"

/** Headers that a browser sends from the console's page. */
const pageHeaders = { host: "test", origin: "http://test", "sec-fetch-site": "same-origin", "x-overture-session": "1" }

const post = (body: object, headers: Record<string, string> = pageHeaders): RequestInit => ({
  body: JSON.stringify(body),
  headers: { ...headers, "content-type": "application/json" }
})

const signIn = Effect.fnUntraced(function* (credentials: object, headers: Record<string, string> = pageHeaders) {
  const { send } = yield* Server.Server
  return yield* send("POST", "/session", post(credentials, headers))
})

const setCookieOf = ({ headers }: Answer) => headers.get("set-cookie") ?? ""
/** The `name=value` of the cookie that an answer sets. */
const cookieOf = (answer: Answer) => setCookieOf(answer).split(";")[0] ?? ""

/** A browser that has the cookie. */
const browser = Effect.fnUntraced(function* (cookie: string) {
  const { send } = yield* Server.Server
  return (method: string, path: string, headers: Record<string, string> = pageHeaders, sent?: object) =>
    send(method, path, sent === undefined ? { headers: { ...headers, cookie } } : post(sent, { ...headers, cookie }))
})

const tokenOf = (url: string) => url.slice(url.indexOf("ovl_"))

/** Creates a sign-in link for the caller's key. */
const createSignInLink = Effect.fnUntraced(function* (caller: Caller) {
  const [currentKey] = (yield* expectBody(200, caller.get("/keys"))).data.filter((key: any) => key.is_current)
  const { url } = yield* expectBody(201, caller.post(`/keys/${currentKey.id}/sign-in-link`))
  return { key: currentKey.id as string, token: tokenOf(url) }
})

const signInWithKey = Effect.fnUntraced(function* (caller: Caller) {
  const answer = yield* signIn({ key: caller.key })
  assert.strictEqual(answer.status, 201, answer.text)
  return { answer, cookie: cookieOf(answer), ask: yield* browser(cookieOf(answer)) }
})

/** Runs a test of the service on a clock that it can move. */
const withMovableClock = <E, R>(test: (movable: MovableClock) => Effect.Effect<void, E, R>) =>
  Effect.gen(function* () {
    const { clock, movable } = yield* movableClock()
    yield* test(movable).pipe(
      Effect.provide(Server.layer({ rate: { limit: 100_000, window: Duration.minutes(1) } })),
      Effect.provideService(Clock.Clock, clock)
    )
  })

describe("a session", () => {
  it.live("is created with a link or a key, returns its workspace and key, and has the key's scopes", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const { key, token } = yield* createSignInLink(caller)
      for (const credentials of [{ token }, { key: caller.key }]) {
        const answer = yield* signIn(credentials)
        assert.strictEqual(answer.status, 201, answer.text)
        assert.match(
          setCookieOf(answer),
          /^overture_session=ovs_[0-9A-Za-z]{46}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=2592000$/
        )
        const ask = yield* browser(cookieOf(answer))
        const session = yield* expectBody(200, ask("GET", "/session"))
        assert.deepStrictEqual(session, answer.body)
        assert.deepInclude(session, { key: { id: key, name: null, kind: "key", scopes: [...scopes] } })
        assert.deepInclude(session.workspace, { id: caller.workspace, is_unlimited: false })
        const signature = yield* expectBody(201, ask("POST", "/signatures", pageHeaders, { signature_text: "Ann" }))
        yield* expectBody(200, caller.delete(`/signatures/${signature.id}`))
        assert.notInclude(answer.text, cookieOf(answer).slice(20))
      }
      assert.isNull((yield* expectBody(200, caller.get("/session"))).expires_at)
      yield* Server.assertConsistent
    }).pipe(Server.withServer())
  )

  it.live("says that the plan is unlimited, also to a key that may not read credits", () =>
    Effect.gen(function* () {
      const { workspace } = yield* newCaller({ plan: "internal" })
      const { ask } = yield* signInWithKey(yield* callerFor(workspace, ["lists:read"]))
      assert.isTrue((yield* expectBody(200, ask("GET", "/session"))).workspace.is_unlimited)
      yield* expectError(403, "FORBIDDEN", ask("GET", "/credits"))
    }).pipe(Server.withServer())
  )

  it.live("has no scope that its key lacks", () =>
    Effect.gen(function* () {
      const { workspace } = yield* newCaller()
      const reader = yield* callerFor(workspace, ["lists:read"])
      const { ask } = yield* signInWithKey(reader)
      yield* expectBody(200, ask("GET", "/lists"))
      yield* expectError(403, "FORBIDDEN", ask("GET", "/keys"))
      yield* expectError(403, "FORBIDDEN", ask("POST", "/signatures", pageHeaders, { signature_text: "Ann" }))
    }).pipe(Server.withServer())
  )

  it.live("can access only its own workspace", () =>
    Effect.gen(function* () {
      const mine = yield* newCaller()
      const theirs = yield* newCaller()
      const { id } = yield* expectBody(201, theirs.post("/signatures", { signature_text: "Bo" }))
      const { ask } = yield* signInWithKey(mine)
      yield* expectError(404, "NOT_FOUND", ask("DELETE", `/signatures/${id}`))
      assert.strictEqual((yield* expectBody(200, ask("GET", "/signatures"))).total, 0)
      const before = yield* dump
      const otherKeyId = (yield* expectBody(200, theirs.get("/keys"))).data[0].id
      yield* expectError(404, "NOT_FOUND", ask("POST", `/keys/${otherKeyId}/sign-in-link`))
      yield* expectError(404, "NOT_FOUND", ask("DELETE", `/keys/${otherKeyId}`))
      assert.strictEqual(yield* dump, before)
    }).pipe(Server.withServer())
  )

  it.live("is stored only as a hash, like its link", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const { token } = yield* createSignInLink(caller)
      const { cookie } = yield* signInWithKey(caller)
      const stored = yield* dump
      for (const secret of [token, cookie.split("=")[1] ?? ""]) {
        assert.lengthOf(secret, 50)
        assert.notInclude(stored, secret.slice(4))
      }
    }).pipe(Server.withServer())
  )

  it.live("ends at sign-out; signing out everywhere ends all sessions and unused links of the key", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const firstSession = yield* signInWithKey(caller)
      const secondSession = yield* signInWithKey(caller)
      const other = yield* signInWithKey(yield* newCaller())
      const { token } = yield* createSignInLink(caller)
      const signOut = yield* firstSession.ask("DELETE", "/session")
      assert.deepStrictEqual([signOut.status, signOut.body], [200, { ended: 1 }])
      assert.match(setCookieOf(signOut), /^overture_session=; Path=\/; HttpOnly; SameSite=Strict; Max-Age=0$/)
      yield* expectError(401, "UNAUTHORIZED", firstSession.ask("GET", "/session"))
      yield* expectBody(200, secondSession.ask("GET", "/session"))
      const thirdSession = yield* signInWithKey(caller)
      const signOutEverywhere = yield* secondSession.ask("DELETE", "/session?everywhere=true")
      assert.deepStrictEqual(signOutEverywhere.body, { ended: 2 })
      for (const { ask } of [secondSession, thirdSession])
        yield* expectError(401, "UNAUTHORIZED", ask("GET", "/session"))
      assert.strictEqual((yield* signIn({ token })).status, 401)
      yield* expectBody(200, other.ask("GET", "/session"))
      // The key stays, and can end sessions, but has none.
      yield* expectError(404, "NOT_FOUND", caller.delete("/session"))
      assert.deepStrictEqual(yield* expectBody(200, caller.delete("/session?everywhere=true")), { ended: 0 })
    }).pipe(Server.withServer())
  )

  it.live("ends with its key: revoked or expired", () =>
    withMovableClock((movable) =>
      Effect.gen(function* () {
        const allScopesCaller = yield* newCaller()
        const hourCaller = yield* callerFor(allScopesCaller.workspace, scopes, Duration.hours(1))
        const { ask } = yield* signInWithKey(hourCaller)
        yield* expectBody(200, ask("GET", "/lists"))
        yield* movable.jumpBy("61 minutes")
        yield* expectError(401, "UNAUTHORIZED", ask("GET", "/lists"))
        const other = yield* signInWithKey(allScopesCaller)
        const { key, token } = yield* createSignInLink(allScopesCaller)
        yield* expectBody(200, allScopesCaller.delete(`/keys/${key}`))
        yield* expectError(401, "UNAUTHORIZED", other.ask("GET", "/lists"))
        assert.strictEqual((yield* signIn({ token })).status, 401)
        assert.strictEqual((yield* signIn({ key: allScopesCaller.key })).status, 401)
      })
    )
  )

  it.live("ends after 7 days without a request, and after 30 days in any case", () =>
    withMovableClock((movable) =>
      Effect.gen(function* () {
        const caller = yield* newCaller()
        const idle = yield* signInWithKey(caller)
        const busy = yield* signInWithKey(caller)
        for (let day = 0; day < 29; day++) {
          yield* movable.jumpBy("1 day")
          yield* expectBody(200, busy.ask("GET", "/session"))
          // The last use is stored after the response.
          yield* Effect.sleep("20 millis")
          if (day === 5) yield* expectBody(200, idle.ask("GET", "/session"))
          if (day === 13) yield* expectError(401, "UNAUTHORIZED", idle.ask("GET", "/session"))
        }
        yield* movable.jumpBy("25 hours")
        yield* expectError(401, "UNAUTHORIZED", busy.ask("GET", "/session"))
      })
    )
  )
})

describe("a link", () => {
  it.live("works once, also if it is used several times at once", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const { token } = yield* createSignInLink(caller)
      const answers = yield* Effect.all(
        Array.from({ length: 8 }, () => signIn({ token })),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [201, ...Array(7).fill(401)])
      yield* expectError(401, "UNAUTHORIZED", signIn({ token }))
    }).pipe(Server.withServer())
  )

  it.live("works for 15 minutes, and is not used up by a request of another origin", () =>
    withMovableClock((movable) =>
      Effect.gen(function* () {
        const caller = yield* newCaller()
        const { token } = yield* createSignInLink(caller)
        yield* movable.jumpBy("14 minutes")
        yield* expectError(403, "FORBIDDEN", signIn({ token }, { host: "test", origin: "http://evil.example" }))
        yield* expectError(403, "FORBIDDEN", signIn({ token }, { host: "test", "sec-fetch-site": "cross-site" }))
        yield* expectError(403, "FORBIDDEN", signIn({ token }, { host: "test", origin: "null" }))
        yield* expectError(403, "FORBIDDEN", signIn({ token }, { host: "test", origin: "http://test:8080" }))
        assert.strictEqual((yield* signIn({ token })).status, 201)
        const expiringLink = yield* createSignInLink(caller)
        yield* movable.jumpBy("15 minutes")
        yield* expectError(401, "UNAUTHORIZED", signIn({ token: expiringLink.token }))
      })
    )
  )

  it.live("that is invalid or of another kind is rejected with the same response, and nothing is stored", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const { token } = yield* createSignInLink(caller)
      const { cookie } = yield* signInWithKey(caller)
      const session = cookie.split("=")[1] ?? ""
      const before = yield* dump
      const swapped = token.replace(/.$/, (lastCharacter) => (lastCharacter === "a" ? "b" : "a"))
      const answers = yield* Effect.forEach(
        [swapped, token.replace("ovl_", "ovs_"), token.toLowerCase(), session, caller.key, `${token} x`, "'; --"],
        (token) => signIn({ token })
      )
      for (const answer of answers) assert.deepStrictEqual([answer.status, setCookieOf(answer)], [401, ""])
      assert.strictEqual(new Set(answers.map(({ body }) => body.message)).size, 1)
      for (const key of [token, session, "ovk_"]) yield* expectError(401, "UNAUTHORIZED", signIn({ key }))
      yield* expectError(401, "UNAUTHORIZED", signIn({}))
      assert.strictEqual(yield* dump, before)
      // Neither a link nor a session is a key.
      const { send } = yield* Server.Server
      for (const secret of [token, session]) {
        yield* expectError(401, "UNAUTHORIZED", send("GET", "/lists", { headers: { "x-api-key": secret } }))
        yield* expectError(
          401,
          "UNAUTHORIZED",
          send("GET", "/lists", { headers: { authorization: `Bearer ${secret}` } })
        )
      }
      const asCookie = yield* browser(`overture_session=${caller.key}`)
      yield* expectError(401, "UNAUTHORIZED", asCookie("GET", "/lists"))
      const linkAsCookie = yield* browser(`overture_session=${token}`)
      yield* expectError(401, "UNAUTHORIZED", linkAsCookie("GET", "/lists"))
    }).pipe(Server.withServer())
  )

  it.live("or key that is unknown but well-formed writes nothing, not even an empty transaction", () =>
    Effect.gen(function* () {
      const { send } = yield* Server.Server
      const token = withChecksum(`ovl_${"a".repeat(40)}`)
      yield* failWrite(1)
      yield* expectError(401, "UNAUTHORIZED", signIn({ token }))
      yield* expectError(401, "UNAUTHORIZED", signIn({ key: withChecksum(`ovk_${"a".repeat(40)}`) }))
      const first = post({ token, name: "Evil", email: "e@evil.example" })
      yield* expectError(401, "UNAUTHORIZED", send("POST", "/session/first-run", first))
      assert.isUndefined(yield* stopFailing)
    }).pipe(Server.withServer({ runsWorkers: false }))
  )

  it.live("for the first run cannot sign in to a workspace, and a workspace's link cannot create the first one", () =>
    Effect.gen(function* () {
      const { send } = yield* Server.Server
      const auth = yield* Auth
      const firstRunToken = Redacted.value((yield* auth.createFirstRunLink).token)
      yield* expectError(401, "UNAUTHORIZED", signIn({ token: firstRunToken }))
      const caller = yield* newCaller()
      const { token } = yield* createSignInLink(caller)
      yield* expectError(
        401,
        "UNAUTHORIZED",
        send("POST", "/session/first-run", post({ token, name: "Evil", email: "e@evil.example" }))
      )
      yield* expectError(
        409,
        "CONFLICT",
        send("POST", "/session/first-run", post({ token: firstRunToken, name: "Evil", email: "e@evil.example" }))
      )
      assert.strictEqual((yield* signIn({ token })).status, 201)
      assert.lengthOf(yield* (yield* Workspaces).list, 1)
    }).pipe(Server.withServer())
  )
})

describe("a cookie", () => {
  const requests: ReadonlyArray<
    readonly [about: string, method: string, headers: Record<string, string>, allowed: boolean]
  > = [
    ["of the page", "POST", pageHeaders, true],
    ["of the page, read", "GET", { host: "test", "x-overture-session": "1" }, true],
    ["without the header of sessions", "POST", { ...pageHeaders, "x-overture-session": "" }, false],
    ["read without the header of sessions", "GET", { host: "test", "sec-fetch-site": "same-origin" }, false],
    ["with another value in that header", "POST", { ...pageHeaders, "x-overture-session": "true" }, false],
    [
      "of another site",
      "POST",
      { ...pageHeaders, origin: "http://evil.example", "sec-fetch-site": "cross-site" },
      false
    ],
    [
      "of another site in an old browser",
      "POST",
      { host: "test", origin: "http://evil.example", "x-overture-session": "1" },
      false
    ],
    [
      "of another port of the host",
      "POST",
      { ...pageHeaders, origin: "http://test:8080", "sec-fetch-site": "same-site" },
      false
    ],
    [
      "of another port in an old browser",
      "POST",
      { host: "test", origin: "http://test:8080", "x-overture-session": "1" },
      false
    ],
    ["of a subdomain", "POST", { ...pageHeaders, origin: "http://a.test", "sec-fetch-site": "same-site" }, false],
    ["of a sandboxed frame", "POST", { ...pageHeaders, origin: "null" }, false],
    ["of a host that begins alike", "POST", { ...pageHeaders, origin: "http://test.evil.example" }, false],
    ["whose origin and site disagree", "POST", { ...pageHeaders, "sec-fetch-site": "cross-site" }, false],
    ["without an origin or a site", "POST", { host: "test", "x-overture-session": "1" }, false],
    ["of a navigation", "POST", { host: "test", "sec-fetch-site": "none", "x-overture-session": "1" }, false],
    ["read by another origin", "GET", { ...pageHeaders, origin: "http://evil.example" }, false],
    [
      "without Origin in a browser that says the site",
      "POST",
      { host: "test", "sec-fetch-site": "same-origin", "x-overture-session": "1" },
      true
    ]
  ]

  it.live.each(requests)("%s", ([, method, headers, allowed]) =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const { ask } = yield* signInWithKey(caller)
      const before = yield* dump
      const sent = method === "GET" ? undefined : { signature_text: "Ann" }
      const { body: answer, status } = yield* ask(method, "/signatures", headers, sent)
      if (allowed) return assert.oneOf(status, [200, 201])
      assert.deepStrictEqual([status, answer.error], [403, "FORBIDDEN"])
      assert.strictEqual(yield* dump, before)
    }).pipe(Server.withServer())
  )

  it.live("is rejected by every endpoint if another origin sends it", () =>
    Effect.gen(function* () {
      const { send } = yield* Server.Server
      const { cookie } = yield* signInWithKey(yield* newCaller())
      const before = yield* dump
      for (const endpoint of authenticatedEndpoints) {
        const [method, path, init] = sampleRequest(endpoint)
        const headers = new Headers(init.headers)
        headers.set("cookie", cookie)
        headers.set("host", "test")
        headers.set("origin", "http://evil.example")
        headers.set("x-overture-session", "1")
        const { status } = yield* send(method, path, { ...init, headers })
        assert.strictEqual(status, 403, endpoint.name)
      }
      assert.strictEqual(yield* dump, before)
    }).pipe(Server.withServer({ rate: { limit: 10_000, window: Duration.minutes(1) } }))
  )

  it.live("that an attacker chose does not become a session, and signing in ends the browser's previous session", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const attacker = yield* signInWithKey(yield* newCaller())
      const firstSignIn = yield* signIn({ key: caller.key }, { ...pageHeaders, cookie: attacker.cookie })
      assert.strictEqual(firstSignIn.status, 201)
      assert.notStrictEqual(cookieOf(firstSignIn), attacker.cookie)
      // The session of the sent cookie has ended.
      yield* expectError(401, "UNAUTHORIZED", attacker.ask("GET", "/session"))
      const madeUpCookie = `overture_session=ovs_${"0".repeat(46)}`
      const secondSignIn = yield* signIn({ key: caller.key }, { ...pageHeaders, cookie: madeUpCookie })
      assert.notStrictEqual(cookieOf(secondSignIn), madeUpCookie)
      yield* expectError(401, "UNAUTHORIZED", (yield* browser(madeUpCookie))("GET", "/session"))
    }).pipe(Server.withServer())
  )

  it.live("that is sent twice is ignored", () =>
    Effect.gen(function* () {
      const firstSession = yield* signInWithKey(yield* newCaller())
      const secondSession = yield* signInWithKey(yield* newCaller())
      const browserWithBoth = yield* browser(`${firstSession.cookie}; ${secondSession.cookie}`)
      yield* expectError(401, "UNAUTHORIZED", browserWithBoth("GET", "/session"))
      const browserWithOthers = yield* browser(`theme=dark; ${firstSession.cookie}; x_${secondSession.cookie}`)
      yield* expectBody(200, browserWithOthers("GET", "/session"))
    }).pipe(Server.withServer())
  )

  it.live("is ignored if a key is sent", () =>
    Effect.gen(function* () {
      const { send } = yield* Server.Server
      const caller = yield* newCaller()
      const { cookie } = yield* signInWithKey(caller)
      const other = yield* newCaller()
      const answer = yield* send("GET", "/session", { headers: { ...pageHeaders, cookie, "x-api-key": other.key } })
      assert.strictEqual(answer.body.workspace.id, other.workspace)
      yield* expectError(
        401,
        "UNAUTHORIZED",
        send("GET", "/lists", { headers: { ...pageHeaders, cookie, "x-api-key": "wrong" } })
      )
      yield* expectError(
        401,
        "UNAUTHORIZED",
        send("GET", "/lists", { headers: { ...pageHeaders, cookie, authorization: "" } })
      )
    }).pipe(Server.withServer())
  )

  it.live("is Secure and bound to the host over https, where no other cookie is accepted", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const https = { ...pageHeaders, origin: "https://test" }
      const answer = yield* signIn({ key: caller.key }, https)
      assert.match(
        setCookieOf(answer),
        /^__Host-overture_session=ovs_\w+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+; Secure$/
      )
      const ask = yield* browser(cookieOf(answer))
      yield* expectBody(200, ask("GET", "/session", https))
      // Another host of the same domain can set the plain cookie name, but not the __Host- one.
      const plainCookie = (yield* signInWithKey(yield* newCaller())).cookie
      const browserWithBoth = yield* browser(`${plainCookie}; ${cookieOf(answer)}`)
      assert.strictEqual((yield* expectBody(200, browserWithBoth("GET", "/session"))).workspace.id, caller.workspace)
      yield* expectError(
        401,
        "UNAUTHORIZED",
        (yield* browser(plainCookie))("POST", "/signatures", https, { signature_text: "A" })
      )
      const signOut = yield* ask("DELETE", "/session", https)
      assert.match(setCookieOf(signOut), /^__Host-overture_session=; .*Max-Age=0; Secure$/)
    }).pipe(Server.withServer())
  )

  it.live("is never logged, nor are links", () =>
    Effect.gen(function* () {
      const { logs } = yield* Server.Server
      const caller = yield* newCaller()
      const { token } = yield* createSignInLink(caller)
      const { ask, cookie } = yield* signInWithKey(caller)
      yield* Server.dropTable("signatures")
      yield* expectError(500, "INTERNAL_ERROR", ask("GET", "/signatures"))
      yield* signIn({ token: `${token}x` })
      const text = logs.join("\n")
      assert.isNotEmpty(text)
      for (const secret of [token, cookie.split("=")[1] ?? "", caller.key]) assert.notInclude(text, secret.slice(4))
    }).pipe(Server.withServer())
  )
})

/** A mail server in memory. */
const mailing = (mails: Array<Mail>) =>
  Layer.succeed(Mailer, { send: (mail) => Effect.sync(() => void mails.push(mail)) })

/** The service, which mails into `mails`. */
const withMail = (mails: Array<Mail>, options: Server.Options = {}) => {
  const mailer = mailing(mails)
  return Effect.provide(Server.layer({ mailer, ...options }).pipe(Layer.provide(mailer)))
}

describe("a link by mail", () => {
  const ask = Effect.fnUntraced(function* (email: string) {
    const { send } = yield* Server.Server
    return yield* send("POST", "/session/link", post({ email }))
  })

  it.live("is sent only to an owner, and the response is the same for every address", () => {
    const mails: Array<Mail> = []
    return Effect.gen(function* () {
      const { send } = yield* Server.Server
      assert.deepStrictEqual(yield* expectBody(200, send("GET", "/session/options")), { email: true })
      const caller = yield* newCaller({ owner: "Ann@North.example" })
      yield* newCaller({ owner: "bo@south.example" })
      const answers = [yield* ask("ann@north.example"), yield* ask("ann@nowhere.example")]
      assert.deepStrictEqual(
        answers.map(({ body, status }) => [status, body]),
        [0, 1].map(() => [202, { accepted: true }])
      )
      yield* until(
        Effect.sync(() => mails.length),
        (count) => count > 0
      )
      yield* Effect.sleep("50 millis")
      assert.deepStrictEqual(
        mails.map(({ to }) => to),
        ["Ann@North.example"]
      )
      const { text } = mails[0] ?? { text: "" }
      const token = tokenOf(text).split("\n")[0] ?? ""
      assert.include(
        text,
        `/#/sign-in/${token}`,
        "browsers do not send the part after #, so that link previews do not use up the token"
      )
      const answer = yield* signIn({ token })
      assert.strictEqual(answer.body.workspace.id, caller.workspace)
    }).pipe(withMail(mails))
  })

  it.live("is sent to an address at most three times in 15 minutes, and the response does not reveal that", () => {
    const mails: Array<Mail> = []
    return Effect.gen(function* () {
      yield* newCaller({ owner: "ann@north.example" })
      for (let i = 0; i < 5; i++) assert.strictEqual((yield* ask("ann@north.example")).status, 202)
      yield* until(
        Effect.sync(() => mails.length),
        (count) => count >= 3
      )
      yield* Effect.sleep("100 millis")
      assert.lengthOf(mails, 3)
    }).pipe(withMail(mails))
  })

  it.live("reaches an owner however many other addresses are asked for, which are not counted", () => {
    const mails: Array<Mail> = []
    const counters: Limits.Counters = new Map()
    return Effect.gen(function* () {
      const override = Context.make(RateLimiter.RateLimiterStore, yield* RateLimiter.RateLimiterStore)
      yield* Effect.gen(function* () {
        yield* newCaller({ owner: "ann@north.example" })
        for (let i = 0; i < 80; i++) assert.strictEqual((yield* ask(`a${i}@north.example`)).status, 202)
        assert.strictEqual((yield* ask("Ann@north.example")).status, 202)
        yield* until(
          Effect.sync(() => mails.length),
          (sent) => sent > 0
        )
        assert.deepStrictEqual([...counters.keys()], ["sign-in-mail:ann@north.example"])
      }).pipe(withMail(mails, { override }))
    }).pipe(Effect.provide(Limits.make(counters)))
  })

  it.live("is refused while a thousand addresses are looked up, and then sent again", () => {
    const { promise: lookupsMayEnd, resolve: endLookups } = Promise.withResolvers<void>()
    // Only lookups of owners are called.
    const lookups = Layer.mock(Workspaces, {
      findByOwner: () =>
        Effect.as(
          Effect.promise(() => lookupsMayEnd),
          []
        )
    })
    return Effect.gen(function* () {
      for (let i = 0; i < 1000; i++) assert.strictEqual((yield* ask(`a${i}@north.example`)).status, 202)
      yield* expectError(429, "RATE_LIMITED", ask("ann@north.example"))
      endLookups()
      yield* until(ask("ann@north.example"), ({ status }) => status === 202)
    }).pipe(
      (test) => Effect.flatMap(Layer.build(lookups), (override) => withMail([], { override })(test)),
      Effect.scoped
    )
  })

  it.live("requires a mail server, a valid address and a request from the console's origin", () =>
    Effect.gen(function* () {
      const { send } = yield* Server.Server
      assert.deepStrictEqual(yield* expectBody(200, send("GET", "/session/options")), { email: false })
      yield* expectError(422, "UNPROCESSABLE", ask("ann@north.example"))
      yield* expectError(400, "BAD_REQUEST", ask("ann"))
      const foreignRequest = post({ email: "ann@north.example" }, { host: "test", origin: "http://evil.example" })
      yield* expectError(403, "FORBIDDEN", send("POST", "/session/link", foreignRequest))
      yield* expectError(400, "BAD_REQUEST", send("POST", "/session/link", json(`{"email":"${"a".repeat(20_000)}"}`)))
    }).pipe(Server.withServer())
  )
})

describe("the first run", () => {
  it.live("creates one workspace without limits, signs in, and invalidates its links", () =>
    Effect.gen(function* () {
      const { send } = yield* Server.Server
      const firstRun = yield* FirstRun
      const links = [yield* firstRun.link, yield* firstRun.link].map((link) =>
        link._tag === "Some" ? Redacted.value(link.value.token) : ""
      )
      const startFirstRun = (token: string, name = "North", headers?: Record<string, string>) =>
        send("POST", "/session/first-run", post({ token, name, email: "ann@north.example" }, headers))
      yield* expectError(
        403,
        "FORBIDDEN",
        startFirstRun(links[0] ?? "", "Evil", { host: "test", origin: "http://evil.example" })
      )
      yield* expectError(401, "UNAUTHORIZED", startFirstRun(`ovl_${"0".repeat(46)}`))
      const answers = yield* Effect.all(
        links.map((token) => startFirstRun(token)),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [201, 401])
      const answer = answers.find(({ status }) => status === 201)
      if (answer === undefined) return assert.fail()
      const ask = yield* browser(cookieOf(answer))
      const workspace = yield* expectBody(200, ask("GET", "/workspace"))
      assert.deepInclude(workspace.details, { company_name: "North", contact_email: "ann@north.example" })
      assert.strictEqual((yield* (yield* Workspaces).list)[0]?.plan, "internal")
      assert.deepStrictEqual(answer.body.key.scopes, [...scopes])
      assert.strictEqual((yield* firstRun.link)._tag, "None")
      for (const token of links) yield* expectError(401, "UNAUTHORIZED", startFirstRun(token))
      assert.lengthOf(yield* (yield* Workspaces).list, 1)
      yield* Server.assertConsistent
    }).pipe(Server.withServer())
  )

  it.live("lists the local model servers with their settings, only for a valid first-run link", () => {
    const knownServers: Array<{ name: string; port: number }> = []
    return Effect.gen(function* () {
      const { send } = yield* Server.Server
      const link = yield* (yield* FirstRun).link
      const token = link._tag === "Some" ? Redacted.value(link.value.token) : ""
      const { seen, state, url } = yield* ollama()
      knownServers.push({ name: "Ollama", port: Number(new URL(url).port) })
      const find = (linkToken: string) => send("POST", "/session/first-run/model-servers", post({ token: linkToken }))
      const assertServers = (servers: ReadonlyArray<object>) =>
        Effect.map(expectBody(200, find(token)), (answer) => assert.deepStrictEqual(answer, { servers }))
      const settings = ["OVERTURE_MODEL_API=ollama", `OPENAI_BASE_URL=${url}`, "OVERTURE_MODEL=tiny:latest"]
      yield* assertServers([{ name: "Ollama", url, models: ["tiny:latest"], settings }])
      yield* expectError(401, "UNAUTHORIZED", find(`ovl_${"0".repeat(46)}`))
      yield* expectError(401, "UNAUTHORIZED", find("ovl_none"))
      // Names that would be unsafe in a shell command are omitted.
      state.models = ["nomic-embed-text:latest", "x;reboot", "x\nOVERTURE_SECRET=1"]
      yield* assertServers([{ name: "Ollama", url, models: [], settings: [] }])
      assert.deepStrictEqual(seen.chats, [])
      yield* expectBody(
        201,
        send("POST", "/session/first-run", post({ token, name: "North", email: "ann@north.example" }))
      )
      yield* expectError(401, "UNAUTHORIZED", find(token))
    }).pipe(Effect.provide(Layer.provide(Server.layer(), Layer.succeed(LocalServers, knownServers))))
  })
})
