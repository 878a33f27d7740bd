// test/field-limits.test.ts: the maximum length of every text and list in request bodies, and null for optional fields.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { listFields, noDetails, textFields } from "#schema/Details.ts"
import { expectBody, expectError } from "./support/answers.ts"
import { newCaller, type Caller, json } from "./support/callers.ts"
import { lead, unknownId, options } from "./support/endpoints.ts"
import * as Server from "./support/server.ts"

const live = { excludeTestServices: true }

const generateEndpoint = `POST /campaigns/${unknownId}/generate`
const batchEndpoint = `POST /campaigns/${unknownId}/generate-batch`
const previewEndpoint = `POST /campaigns/${unknownId}/preview`
const detailsEndpoint = "PUT /workspace/details"
const sample = { headers: ["Email"] }

/** Text fields: the endpoint, the path in the body, the maximum length, and a body with the given text. */
const textLimits: ReadonlyArray<readonly [string, string, number, (value: string) => object]> = [
  ...["name", "title", "company", "linkedin_url", "company_website"].flatMap((field) => [
    [
      generateEndpoint,
      `lead.${field}`,
      2000,
      (value: string) => ({ lead: { ...lead, [field]: value }, options })
    ] as const,
    [
      batchEndpoint,
      `leads.0.${field}`,
      2000,
      (value: string) => ({ leads: [{ ...lead, [field]: value }], options })
    ] as const
  ]),
  [
    generateEndpoint,
    "lead.custom_fields.note",
    2000,
    (note) => ({ lead: { ...lead, custom_fields: { gap: null, note } }, options })
  ],
  [
    batchEndpoint,
    "leads.0.custom_fields.note",
    2000,
    (note) => ({ leads: [{ ...lead, custom_fields: { note } }], options })
  ],
  ...[
    ["email_signature", 5000],
    ["additional_details", 10_000],
    ["campaign_angle", 10_000]
  ].flatMap(([field, maxLength]) => {
    const optionsWith = (value: string) => ({ ...options, [String(field)]: value })
    return [
      [
        generateEndpoint,
        `options.${field}`,
        Number(maxLength),
        (value: string) => ({ lead, options: optionsWith(value) })
      ] as const,
      [
        batchEndpoint,
        `options.${field}`,
        Number(maxLength),
        (value: string) => ({ leads: [lead], options: optionsWith(value) })
      ] as const,
      [
        previewEndpoint,
        `options.${field}`,
        Number(maxLength),
        (value: string) => ({ sample, options: optionsWith(value) })
      ] as const
    ]
  }),
  ...["list_name", "sequence_name"].map(
    (field) =>
      [
        generateEndpoint,
        `options.${field}`,
        200,
        (value: string) => ({ lead, options: { ...options, [field]: value } })
      ] as const
  ),
  [previewEndpoint, "sample.headers.0", 2000, (value) => ({ sample: { headers: [value] }, options })],
  [previewEndpoint, "sample.rows.0.0", 2000, (value) => ({ sample: { ...sample, rows: [[value]] }, options })],
  ...textFields
    // These have formats of their own, tested in test/workspace.test.ts.
    .filter((field) => !["contact_email", "contact_phone", "website_url"].includes(field))
    .map((field) => [detailsEndpoint, field, 20_000, (value: string) => ({ [field]: value })] as const),
  ...listFields.map(
    (field) => [detailsEndpoint, `${field}.0`, 20_000, (value: string) => ({ [field]: [value] })] as const
  ),
  [detailsEndpoint, "core_products.0.product", 20_000, (product) => ({ core_products: [{ product }] })],
  [detailsEndpoint, "core_products.0.pricing", 20_000, (pricing) => ({ core_products: [{ product: "Oak", pricing }] })],
  ["POST /signatures", "signature_text", 5000, (signature_text) => ({ signature_text })],
  [`PUT /signatures/${unknownId}`, "signature_text", 5000, (signature_text) => ({ signature_text })],
  [`PATCH /lists/${unknownId}`, "custom_name", 200, (custom_name) => ({ custom_name })],
  ["POST /agent/chat", "message", 8000, (message) => ({ message, campaign_id: unknownId })]
]

const addressOfLength = (length: number) => `ann@${`${"n".repeat(63)}.`.repeat(3)}`.padEnd(length, "n")

const addressFields: ReadonlyArray<readonly [string, string, (email: string) => object]> = [
  [generateEndpoint, "lead.email", (email) => ({ lead: { ...lead, email }, options })],
  [batchEndpoint, "leads.0.email", (email) => ({ leads: [{ ...lead, email }], options })],
  [
    batchEndpoint,
    "options.notification_email",
    (email) => ({ leads: [lead], options: { ...options, notification_email: email } })
  ]
]

const listLimits: ReadonlyArray<readonly [string, string, number, (value: ReadonlyArray<string>) => object]> = [
  [
    generateEndpoint,
    "options.approved_ctas",
    10,
    (approved_ctas) => ({ lead, options: { ...options, approved_ctas } })
  ],
  [
    batchEndpoint,
    "options.approved_ctas",
    10,
    (approved_ctas) => ({ leads: [lead], options: { ...options, approved_ctas } })
  ],
  [
    previewEndpoint,
    "options.approved_ctas",
    10,
    (approved_ctas) => ({ sample, options: { ...options, approved_ctas } })
  ],
  [previewEndpoint, "sample.headers", 100, (headers) => ({ sample: { headers }, options })],
  [
    previewEndpoint,
    "sample.rows",
    1000,
    (rows) => ({ sample: { ...sample, rows: rows.map((cell) => [cell]) }, options })
  ],
  ...listFields.map(
    (field) => [detailsEndpoint, field, 100, (value: ReadonlyArray<string>) => ({ [field]: value })] as const
  ),
  [detailsEndpoint, "core_products", 100, (names) => ({ core_products: names.map((product) => ({ product })) })]
]

const send = (caller: Caller, endpoint: string, requestBody: object) => {
  const [method = "", path = ""] = endpoint.split(" ")
  return caller.send(method, path, json(requestBody))
}

layer(Server.layer({ runsWorkers: false }), live)("the limits of request fields", (it) => {
  const assertLimit = (endpoint: string, path: string, validBodies: ReadonlyArray<object>, invalidBody: object) =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      for (const requestBody of validBodies) {
        const { status, text } = yield* send(caller, endpoint, requestBody)
        assert.notInclude([400, 500], status, text.slice(0, 500))
      }
      const { issues } = yield* expectError(400, "BAD_REQUEST", send(caller, endpoint, invalidBody))
      assert.deepStrictEqual(
        issues.map((issue: { readonly path: string }) => issue.path),
        [path]
      )
    })

  // A character outside the BMP counts as one, as in JSON Schema.
  it.effect.each(textLimits)(
    "%s accepts a text at %s of at most %d characters",
    ([endpoint, path, maximum, bodyWith]) =>
      assertLimit(
        endpoint,
        path,
        [bodyWith("x".repeat(maximum)), bodyWith("😀".repeat(maximum))],
        bodyWith("😀".repeat(maximum + 1))
      )
  )

  it.effect.each(listLimits)("%s accepts a list at %s of at most %d entries", ([endpoint, path, maximum, bodyWith]) => {
    const bodyWithEntries = (length: number) =>
      bodyWith(Array.from({ length }, () => (path.endsWith("_ctas") ? "Question CTA" : "x")))
    return assertLimit(endpoint, path, [bodyWithEntries(maximum)], bodyWithEntries(maximum + 1))
  })

  it.effect.each(addressFields)(
    "%s accepts an email address at %s of at most 254 characters",
    ([endpoint, path, bodyWith]) =>
      assertLimit(endpoint, path, [bodyWith(addressOfLength(254))], bodyWith(addressOfLength(255)))
  )

  const nullFields = (...fields: ReadonlyArray<string>) => Object.fromEntries(fields.map((field) => [field, null]))
  const nullWritingOptions = nullFields(
    "signature_id",
    "additional_details",
    "campaign_angle",
    "approved_ctas",
    "enrichment_enabled"
  )
  const nullLeadFields = nullFields("name", "title", "company", "linkedin_url", "company_website")
  const nullNames = nullFields("list_name", "sequence_name")

  it.effect.each([
    [
      generateEndpoint,
      { lead: { ...lead, ...nullLeadFields }, options: { ...options, ...nullWritingOptions, ...nullNames } }
    ],
    [
      batchEndpoint,
      {
        leads: [{ ...lead, ...nullLeadFields }],
        options: { ...options, ...nullWritingOptions, ...nullNames, ...nullFields("notification_email") }
      }
    ],
    [
      previewEndpoint,
      {
        sample: { ...sample, ...nullFields("rows", "field_mapping") },
        options: { ...options, ...nullWritingOptions, ...nullFields("enrichment_mapping", "assistant_id", "vector_id") }
      }
    ],
    ["POST /agent/chat", { message: "What does it cost?", campaign_id: unknownId, conversation_id: null }],
    [detailsEndpoint, { ...noDetails, company_name: "North" }],
    [detailsEndpoint, { core_products: [{ product: "Oak", pricing: null }] }]
  ] as const)("%s accepts null for optional fields: %j", ([endpoint, requestBody]) =>
    Effect.gen(function* () {
      const { status, text } = yield* send(yield* newCaller(), endpoint, requestBody)
      assert.notInclude([400, 500], status, text)
    })
  )

  it.effect("null for a price is stored as an empty string", () =>
    Effect.gen(function* () {
      const caller = yield* newCaller()
      const requestBody = { core_products: [{ product: "Oak", pricing: null }, { product: "Ash" }] }
      assert.deepStrictEqual(
        (yield* expectBody(200, caller.put("/workspace/details", requestBody))).details.core_products,
        [
          { product: "Oak", pricing: "" },
          { product: "Ash", pricing: "" }
        ]
      )
    })
  )
})
