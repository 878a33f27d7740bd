// test/program/privacy.test.ts: the log contains no sent content, and a link is valid only with its secret.
import { assert, it } from "@effect/vitest"
import { Duration, Effect, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { Links, LinkSecret } from "#layers/Links.ts"
import { commandJson } from "#test/support/command.ts"
import { temporaryFolder, serve } from "#test/support/process.ts"
import { until } from "#test/support/until.ts"
import { buildCampaign, apiClient } from "#test/support/api-client.ts"

it.live("the log at level all contains no content, recipient or key of any request", () =>
  Effect.gen(function* () {
    const data = yield* temporaryFolder
    const profile = new URL("../../src/demo/profile.json", import.meta.url).pathname
    const flags = ["--name", "Kestrel", "--profile", profile, "--owner-email", "owner.secret@kestrel.example"]
    const { id } = yield* commandJson(data, "workspace", "create", ...flags)
    const { key } = yield* commandJson(data, "key", "create", "--workspace", id)
    const server = yield* serve(data, { OVERTURE_LOG_LEVEL: "all", OVERTURE_LOG_FORMAT: "json" })
    const api = apiClient(server.url, key)
    const campaign = yield* buildCampaign(api)
    const lead = { email: "lead.secret@quarry.example", name: "Zebedee Quill", company: "Quarrymoor Ltd" }
    const options = { email_count: 1, email_signature: "Signed Sekrit", additional_details: "Hushword" }
    const request = { lead, options: { ...options, notification_email: "mail.secret@quarry.example" } }
    const { body } = yield* api.send("POST", `/campaigns/${campaign}/generate-batch`, { ...request, leads: [lead] })
    yield* until(api.send("GET", `/lists/${body.list_id}`), (answer) => "completed_at" in answer.body)
    const generateAnswer = yield* api.send("POST", `/campaigns/${campaign}/generate`, request)
    assert.strictEqual(generateAnswer.status, 200)
    yield* api.send("POST", "/agent/chat", { campaign_id: campaign, message: "What of Hushword?" })
    yield* api.send("POST", `/campaigns/${campaign}/generate`, { lead: { email: "bad.secret@" }, options })
    yield* api.send("GET", "/lists?status=Hushword")
    yield* apiClient(server.url, `${key}x`).send("GET", "/nowhere/Hushword?q=Hushword")
    const documents = (yield* api.send("GET", `/campaigns/${campaign}/documents`)).body.documents
    const link: string = documents[0].download_url
    const download = yield* Effect.promise(() => fetch(link))
    assert.deepStrictEqual([download.status, download.headers.get("cache-control")], [200, "private, no-store"])
    yield* Effect.promise(() => fetch(link.replace("signature=", "signature=0")))

    yield* until(Effect.sync(server.log), (log) => log.split("/files/").length > 1 || log.includes('"status":403'))
    const log = server.log()
    assert.include(log, "/campaigns/:id/generate")
    const signature = new URL(link).searchParams.get("signature") ?? "none"
    const secrets = [key, key.slice(8), signature, "Zebedee", "Quill", "Quarrymoor", "secret@", "Sekrit", "Hushword"]
    const privateTexts = [
      ...secrets,
      generateAnswer.body.sequence[0].subject,
      generateAnswer.body.sequence[0].body.slice(0, 40)
    ]
    assert.deepStrictEqual(
      privateTexts.filter((secret) => log.includes(secret)),
      []
    )
  })
)

it.effect("every link is invalid after the secret changes", () =>
  Effect.gen(function* () {
    const runWithSecret = <A, E>(secret: string, effect: Effect.Effect<A, E, Links>) =>
      effect.pipe(
        Effect.provide(Links.layer),
        Effect.provideService(LinkSecret, Redacted.make(secret)),
        Effect.provide(SecureRandom.layerWebCrypto)
      )
    const link = yield* runWithSecret(
      "one",
      Links.use((links) => links.sign("/files/1", Duration.minutes(15)))
    )
    const query = Object.fromEntries(new URLSearchParams(link.split("?")[1]))
    const check = Links.use((links) => links.check("/files/1", query))
    yield* runWithSecret("one", check)
    assert.strictEqual((yield* Effect.flip(runWithSecret("two", check))).error, "FORBIDDEN")
  })
)
