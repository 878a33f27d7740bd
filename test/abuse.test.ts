// test/abuse.test.ts: what one caller sends must cost the others nothing: neither their turn nor the process's memory.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { lead, nobody, options } from "./support/endpoints.ts"
import * as Server from "./support/server.ts"
import { refused } from "./support/server.ts"

const live = { excludeTestServices: true }

layer(Server.layer({ working: false }), live)("a body in which very much is wrong", (it) => {
  const small = 100_000

  it.effect.each([
    ["PUT", `/campaigns/${nobody}/assets/social_proof/selection`, `{"selected_ids":[${"1,".repeat(400_000)}1]}`],
    ["PUT", "/workspace/details", `{"guarantee":[${"1,".repeat(3000)}1]}`],
    [
      "PUT",
      `/campaigns/${nobody}/assets/social_proof/selection`,
      JSON.stringify({
        selected_ids: [],
        edited_names: Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`k${at}`, 1]))
      })
    ],
    [
      "POST",
      `/campaigns/${nobody}/preview`,
      JSON.stringify({ sample: { headers: ["Email"], rows: Array(1000).fill(Array(100).fill(1)) }, options })
    ],
    ["POST", `/campaigns/${nobody}/generate-batch`, `{"leads":[${"1,".repeat(2_000_000)}1],"options":{}}`],
    ["POST", `/campaigns/${nobody}/generate-batch`, `{"leads":[${"1,".repeat(60_000)}1],"options":{}}`],
    ["POST", `/campaigns/${nobody}/generate-batch`, `{"leads":[],"options":{},"x":[${"[[]],".repeat(90_000)}[]]}`]
  ] as const)("is refused in few words: %s %s", ([method, path, sent]) =>
    Effect.gen(function* () {
      const who = yield* Server.bare()
      const { body, status, text } = yield* who.send(method, path, Server.json(sent))
      assert.deepStrictEqual([status, body.error], [400, "BAD_REQUEST"])
      assert.isBelow(text.length, small)
    })
  )

  it.effect("names every lead that cannot be written to, wherever it stands", () =>
    Effect.gen(function* () {
      const who = yield* Server.bare()
      const wrong = [3, 250, 2999]
      const leads = Array.from({ length: 3000 }, (_, at) => (wrong.includes(at) ? { ...lead, email: "ida" } : lead))
      const sent = who.post(`/campaigns/${nobody}/generate-batch`, { leads, options: { ...options, email_count: 9 } })
      const { issues } = yield* refused(400, "BAD_REQUEST", sent)
      assert.sameMembers(
        issues.map((issue: { readonly path: string }) => issue.path),
        [...wrong.map((at) => `leads.${at}.email`), "options.email_count"]
      )
    })
  )

  it.effect("with more values than any body needs is refused before it is parsed", () =>
    Effect.gen(function* () {
      const who = yield* Server.bare()
      for (const sent of [
        `{"name":"A","x":[${"0,".repeat(4000)}0]}`,
        `{"name":"A","x":[${"[0,0,0],".repeat(100_000)}0]}`
      ]) {
        const { body, status } = yield* who.send("POST", "/campaigns", Server.json(sent))
        assert.deepStrictEqual([status, body.error], [400, "BAD_REQUEST"])
        assert.match(body.message, /too many values/)
      }
    })
  )
})
