// test/caps.test.ts: how long every text and list of a body may be, to the character, and that null is as good as absent.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { listFields, noDetails, textFields } from "#schema/Details.ts"
import { expectBody, expectError } from "./support/answers.ts"
import { newCaller, type Caller, json } from "./support/callers.ts"
import { lead, unknownId, options } from "./support/endpoints.ts"
import * as Server from "./support/server.ts"

const live = { excludeTestServices: true }

const generate = `POST /campaigns/${unknownId}/generate`
const batch = `POST /campaigns/${unknownId}/generate-batch`
const preview = `POST /campaigns/${unknownId}/preview`
const details = "PUT /workspace/details"
const sample = { headers: ["Email"] }

/** Where a text may stand: the endpoint, its path in the body, the most characters, and a body with it. */
const texts: ReadonlyArray<readonly [string, string, number, (value: string) => object]> = [
  ...["name", "title", "company", "linkedin_url", "company_website"].flatMap((field) => [
    [generate, `lead.${field}`, 2000, (value: string) => ({ lead: { ...lead, [field]: value }, options })] as const,
    [batch, `leads.0.${field}`, 2000, (value: string) => ({ leads: [{ ...lead, [field]: value }], options })] as const
  ]),
  [
    generate,
    "lead.custom_fields.note",
    2000,
    (note) => ({ lead: { ...lead, custom_fields: { gap: null, note } }, options })
  ],
  [batch, "leads.0.custom_fields.note", 2000, (note) => ({ leads: [{ ...lead, custom_fields: { note } }], options })],
  ...[
    ["email_signature", 5000],
    ["additional_details", 10_000],
    ["campaign_angle", 10_000]
  ].flatMap(([field, most]) => {
    const given = (value: string) => ({ ...options, [String(field)]: value })
    return [
      [generate, `options.${field}`, Number(most), (value: string) => ({ lead, options: given(value) })] as const,
      [batch, `options.${field}`, Number(most), (value: string) => ({ leads: [lead], options: given(value) })] as const,
      [preview, `options.${field}`, Number(most), (value: string) => ({ sample, options: given(value) })] as const
    ]
  }),
  ...["list_name", "sequence_name"].map(
    (field) =>
      [
        generate,
        `options.${field}`,
        200,
        (value: string) => ({ lead, options: { ...options, [field]: value } })
      ] as const
  ),
  [preview, "sample.headers.0", 2000, (value) => ({ sample: { headers: [value] }, options })],
  [preview, "sample.rows.0.0", 2000, (value) => ({ sample: { ...sample, rows: [[value]] }, options })],
  ...textFields
    // These have a form of their own, which test/workspace.test.ts tells of.
    .filter((field) => !["contact_email", "contact_phone", "website_url"].includes(field))
    .map((field) => [details, field, 20_000, (value: string) => ({ [field]: value })] as const),
  ...listFields.map((field) => [details, `${field}.0`, 20_000, (value: string) => ({ [field]: [value] })] as const),
  [details, "core_products.0.product", 20_000, (product) => ({ core_products: [{ product }] })],
  [details, "core_products.0.pricing", 20_000, (pricing) => ({ core_products: [{ product: "Oak", pricing }] })],
  ["POST /signatures", "signature_text", 5000, (signature_text) => ({ signature_text })],
  [`PUT /signatures/${unknownId}`, "signature_text", 5000, (signature_text) => ({ signature_text })],
  [`PATCH /lists/${unknownId}`, "custom_name", 200, (custom_name) => ({ custom_name })],
  ["POST /agent/chat", "message", 8000, (message) => ({ message, campaign_id: unknownId })]
]

const address = (length: number) => `ann@${`${"n".repeat(63)}.`.repeat(3)}`.padEnd(length, "n")

const addresses: ReadonlyArray<readonly [string, string, (email: string) => object]> = [
  [generate, "lead.email", (email) => ({ lead: { ...lead, email }, options })],
  [batch, "leads.0.email", (email) => ({ leads: [{ ...lead, email }], options })],
  [
    batch,
    "options.notification_email",
    (email) => ({ leads: [lead], options: { ...options, notification_email: email } })
  ]
]

const lists: ReadonlyArray<readonly [string, string, number, (value: ReadonlyArray<string>) => object]> = [
  [generate, "options.approved_ctas", 10, (approved_ctas) => ({ lead, options: { ...options, approved_ctas } })],
  [batch, "options.approved_ctas", 10, (approved_ctas) => ({ leads: [lead], options: { ...options, approved_ctas } })],
  [preview, "options.approved_ctas", 10, (approved_ctas) => ({ sample, options: { ...options, approved_ctas } })],
  [preview, "sample.headers", 100, (headers) => ({ sample: { headers }, options })],
  [preview, "sample.rows", 1000, (rows) => ({ sample: { ...sample, rows: rows.map((cell) => [cell]) }, options })],
  ...listFields.map((field) => [details, field, 100, (value: ReadonlyArray<string>) => ({ [field]: value })] as const),
  [details, "core_products", 100, (names) => ({ core_products: names.map((product) => ({ product })) })]
]

const send = (caller: Caller, endpoint: string, sent: object) => {
  const [method = "", path = ""] = endpoint.split(" ")
  return caller.send(method, path, json(sent))
}

layer(Server.layer({ runsWorkers: false }), live)("a body", (it) => {
  const most = (endpoint: string, path: string, right: ReadonlyArray<object>, wrong: object) =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      for (const sent of right) {
        const { status, text } = yield* send(caller, endpoint, sent)
        assert.notInclude([400, 500], status, text.slice(0, 500))
      }
      const { issues } = yield* expectError(400, "BAD_REQUEST", send(caller, endpoint, wrong))
      assert.deepStrictEqual(
        issues.map((issue: { readonly path: string }) => issue.path),
        [path]
      )
    })

  // A character outside the first 65,536 counts as one, as in JSON Schema.
  it.effect.each(texts)(
    "of %s takes a text at %s of %d characters, whatever letters they are, and no more",
    ([endpoint, path, count, of]) =>
      most(endpoint, path, [of("x".repeat(count)), of("😀".repeat(count))], of("😀".repeat(count + 1)))
  )

  it.effect.each(lists)("of %s takes a list at %s of %d entries and no more", ([endpoint, path, count, of]) => {
    const filled = (length: number) => of(Array.from({ length }, () => (path.endsWith("_ctas") ? "Question CTA" : "x")))
    return most(endpoint, path, [filled(count)], filled(count + 1))
  })

  it.effect.each(addresses)("of %s takes an address at %s of 254 characters and no more", ([endpoint, path, of]) =>
    most(endpoint, path, [of(address(254))], of(address(255)))
  )

  const nothing = (...fields: ReadonlyArray<string>) => Object.fromEntries(fields.map((field) => [field, null]))
  const writing = nothing("signature_id", "additional_details", "campaign_angle", "approved_ctas", "enrichment_enabled")
  const person = nothing("name", "title", "company", "linkedin_url", "company_website")
  const named = nothing("list_name", "sequence_name")

  it.effect.each([
    [generate, { lead: { ...lead, ...person }, options: { ...options, ...writing, ...named } }],
    [
      batch,
      {
        leads: [{ ...lead, ...person }],
        options: { ...options, ...writing, ...named, ...nothing("notification_email") }
      }
    ],
    [
      preview,
      {
        sample: { ...sample, ...nothing("rows", "field_mapping") },
        options: { ...options, ...writing, ...nothing("enrichment_mapping", "assistant_id", "vector_id") }
      }
    ],
    ["POST /agent/chat", { message: "What does it cost?", campaign_id: unknownId, conversation_id: null }],
    [details, { ...noDetails, company_name: "North" }],
    [details, { core_products: [{ product: "Oak", pricing: null }] }]
  ] as const)("of %s takes null for what may be left out: %j", ([endpoint, sent]) =>
    Effect.gen(function* () {
      const { status, text } = yield* send(yield* newCaller(), endpoint, sent)
      assert.notInclude([400, 500], status, text)
    })
  )

  it.effect("with null for a price leaves it empty", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const sent = { core_products: [{ product: "Oak", pricing: null }, { product: "Ash" }] }
      assert.deepStrictEqual((yield* expectBody(200, caller.put("/workspace/details", sent))).details.core_products, [
        { product: "Oak", pricing: "" },
        { product: "Ash", pricing: "" }
      ])
    })
  )
})
