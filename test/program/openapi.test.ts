// test/program/openapi.test.ts: the OpenAPI document that is generated from the contract.
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Result, Schema } from "effect"
import { type HttpApiEndpoint, OpenApi } from "effect/http-api"
import { execFile } from "node:child_process"
import { writeFile } from "node:fs/promises"
import { Api } from "#schema/Api.ts"
import { BodyRule, RequiredScope } from "#schema/Auth.ts"
import * as Errors from "#schema/Errors.ts"
import { Problem, problemType } from "#schema/Problem.ts"
import { summaries, tags } from "#schema/openapi/Summaries.ts"
import { eventSchemaOf } from "#test/support/declared.ts"
import { ReviewConflict, VersionConflict } from "#schema/Review.ts"
import { webhookEvents } from "#schema/WebhookEvents.ts"
import { eventTypes } from "#schema/Webhooks.ts"
import { temporaryFolder } from "#test/support/process.ts"

const document: Record<string, any> = OpenApi.fromApi(Api)
const operations: ReadonlyArray<any> = Object.values(document["paths"]).flatMap((path: any) => Object.values(path))
const endpoints = Object.values(Api.groups).flatMap((group): ReadonlyArray<HttpApiEndpoint.Top> =>
  Object.values<any>(group.endpoints)
)
const endpointOf = (operation: any) => endpoints.find(({ identifier }) => identifier === operation.operationId)

/** Resolves a `$ref`, and returns any other part unchanged. */
const resolve = (part: any): any =>
  part.$ref === undefined
    ? part
    : resolve(
        part.$ref
          .split("/")
          .slice(1)
          .reduce((part: any, key: string) => part[key], document)
      )

const responsesOf = (operation: any): ReadonlyArray<readonly [status: string, response: any]> =>
  Object.entries(operation.responses).map(([status, response]) => [status, resolve(response)])

const examplesOf = ({ example, examples }: any): ReadonlyArray<unknown> =>
  examples === undefined ? [example] : Object.values<any>(examples).map(({ value }) => value)

/** The statuses of each operation, without the ones that all authenticated operations have. */
const statuses: { readonly [operation: string]: string } = {
  listCampaigns: "200",
  createCampaign: "201 409",
  renameCampaign: "200 404",
  deleteCampaign: "200 404 409",
  branchCampaign: "201 404 409 422",
  listCampaignDocuments: "200 404",
  getSelections: "200 404",
  getBuildStatus: "200 404",
  listTargetAudiences: "200",
  setTargetAudience: "202 404 409",
  listAssetOptions: "200 404",
  selectAssets: "200 202 404 409",
  generateValuePropositions: "202 404 409",
  getPlaybook: "200 404 409",
  updatePlaybook: "200 404 409",
  createPersona: "201 404 409",
  updatePersona: "200 404 409",
  deletePersona: "200 404 409",
  createTemplate: "201 404 409",
  updateTemplate: "200 404 409",
  deleteTemplate: "200 404 409",
  resetTemplate: "200 404 409",
  redraftPlaybook: "202 404 409 422",
  tryPlaybook: "200 404 409",
  routeTitle: "200 404 409",
  previewCampaign: "200 402 404 409",
  listPreviews: "200 404",
  getPreview: "200 404",
  generate: "200 402 404 422",
  generateBatch: "202 402 404 409",
  lint: "200 404",
  readLeadFile: "200",
  listLists: "200",
  getList: "200 404",
  followList: "200 404",
  renameList: "200 404",
  deleteList: "200 404 409",
  reprocessList: "202 404 422",
  exportList: "200 404 409",
  countExport: "200 404 409",
  listLeads: "200 404",
  findLeads: "200",
  listOmittedRows: "200 404",
  exportOmittedRows: "200 404",
  getLead: "200 404",
  editEmail: "200 404 409",
  listEmailVersions: "200 404",
  restoreEmail: "200 404 409",
  rewriteLead: "200 402 404 409 422",
  sendTestMail: "200 404 409 422 503",
  reviewLead: "200 404 409 422",
  getLastBulkReview: "200 404",
  reviewLeads: "200 404 409",
  getJob: "200 404",
  listSignatures: "200",
  createSignature: "201",
  replaceSignature: "200 404",
  deleteSignature: "200 404",
  listSuppressions: "200",
  addSuppressions: "200 409",
  exportSuppressions: "200",
  deleteSuppression: "200 404",
  listWebhooks: "200",
  createWebhook: "201 409",
  listWebhookEventTypes: "200",
  getWebhook: "200 404",
  updateWebhook: "200 404",
  deleteWebhook: "200 404",
  rotateWebhookSecret: "200 404 409",
  testWebhook: "202 404 409 422",
  listWebhookDeliveries: "200 404",
  resendWebhookDelivery: "202 404 409 422",
  listKeys: "200",
  createKey: "201 409",
  revokeKey: "200 404",
  rotateKey: "201 404 409 422",
  createSignInLink: "201 404 422",
  getSession: "200",
  endSession: "200 404",
  getSignInOptions: "200",
  signIn: "201 401",
  requestSignInLink: "202 422 429",
  setUpFirstWorkspace: "201 401 409",
  findModelServers: "200 401",
  getCredits: "200 404",
  checkCredits: "200",
  getCreditUsage: "200 404",
  getWorkspace: "200 404",
  updateDetails: "200",
  listWorkspaceDocuments: "200",
  listImports: "200",
  getImport: "200 404",
  deleteImport: "200 404",
  importDocument: "202",
  importUrl: "202",
  regenerate: "202 404",
  getRegeneration: "200 404",
  chat: "200 404 409",
  listConversations: "200",
  listMessages: "200 404"
}

/** Operations that have several error codes with the same status. */
const codes: { readonly [operation: string]: { readonly [status: string]: string } } = {
  createCampaign: { 409: "CONFLICT NOT_READY" },
  selectAssets: { 409: "CONFLICT NOT_READY" },
  generateValuePropositions: { 409: "CONFLICT NOT_READY" },
  createPersona: { 409: "CONFLICT NOT_READY" },
  deletePersona: { 409: "CONFLICT NOT_READY" },
  createTemplate: { 409: "CONFLICT NOT_READY" },
  deleteTemplate: { 409: "CONFLICT NOT_READY" },
  resetTemplate: { 409: "CONFLICT NOT_READY" },
  redraftPlaybook: { 409: "CONFLICT NOT_READY" },
  previewCampaign: { 409: "CONFLICT NOT_READY" },
  sendTestMail: { 409: "CONFLICT NOT_READY", 503: "MAIL_UNAVAILABLE" },
  generateBatch: { 429: "RATE_LIMITED WORKSPACE_LIMIT" },
  importDocument: { 429: "RATE_LIMITED WORKSPACE_LIMIT" }
}

/** Operations whose 409 is always NOT_READY. */
const onlyNotReady = [
  "chat",
  "exportList",
  "countExport",
  "getPlaybook",
  "updatePlaybook",
  "updatePersona",
  "updateTemplate",
  "tryPlaybook",
  "routeTitle"
]

const soleCodeOfStatus: { readonly [status: string]: string } = {
  400: "BAD_REQUEST",
  401: "UNAUTHORIZED",
  402: "INSUFFICIENT_CREDITS",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  422: "UNPROCESSABLE",
  429: "RATE_LIMITED",
  500: "INTERNAL_ERROR"
}

/** Operations without authentication. */
const endpointsWithoutKey = [
  "getSignInOptions",
  "signIn",
  "requestSignInLink",
  "setUpFirstWorkspace",
  "findModelServers"
]

describe("an operation", () => {
  it("has a name without dots, a description and the scope it needs", () => {
    const ids = operations.map((operation) => operation.operationId)
    assert.strictEqual(new Set(ids).size, ids.length)
    assert.deepStrictEqual([...Object.keys(summaries), "openFile"].toSorted(), ids.toSorted())
    const groups = Object.values(tags).map(([name]) => name)
    for (const operation of operations) {
      const endpoint = endpointOf(operation)
      assert.match(operation.operationId, /^[a-z][A-Za-z]+$/)
      const [summary = operation.summary, description = ""] = summaries[operation.operationId] ?? []
      assert.isString(summary)
      assert.strictEqual(operation.summary, summary)
      assert.isTrue((operation.description ?? "").startsWith(description))
      assert.includeMembers(groups, operation.tags)
      const scope = endpoint && Context.get(endpoint.annotations, RequiredScope)
      if (scope !== undefined) assert.include(operation.description, `\`${scope}\``)
      const scopes = scope === undefined ? [] : [scope]
      const isOpen = ["health", "openFile", ...endpointsWithoutKey].includes(operation.operationId)
      assert.deepStrictEqual(operation.security, isOpen ? [] : [{ bearer: scopes }, { apiKey: scopes }])
    }
  })

  it("declares every response that it can return and no other", () => {
    for (const operation of operations) {
      const { operationId } = operation
      const expected =
        operationId === "health"
          ? "200 400 503"
          : operationId === "openFile"
            ? "200 400 403 404 429 500"
            : endpointsWithoutKey.includes(operationId)
              ? `${statuses[operationId]} 400 403 500`
              : // Every key of the workspace may read a job, whatever its scopes.
                `${statuses[operationId]} 400 401 429 500${operationId === "getJob" ? "" : " 403"}`
      assert.deepStrictEqual(Object.keys(operation.responses), expected.split(" ").toSorted(), operationId)
    }
  })

  it("lists the error codes of each status", () => {
    for (const operation of operations) {
      for (const [status, { content }] of responsesOf(operation)) {
        if (status < "400" || (status === "503" && operation.operationId === "health")) continue
        const expected =
          codes[operation.operationId]?.[status] ??
          soleCodeOfStatus[status] ??
          (onlyNotReady.includes(operation.operationId) ? "NOT_READY" : "CONFLICT")
        const { schema } = content["application/json"]
        const declaredCodes = (schema.anyOf ?? [schema]).map(
          (errorSchema: any) => resolve(errorSchema).properties.error.enum[0]
        )
        assert.deepStrictEqual(declaredCodes, expected.split(" "), `${operation.operationId} ${status}`)
      }
    }
  })

  it("declares its headers", () => {
    const limits = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "RateLimit-Policy", "RateLimit"]
    for (const operation of operations) {
      const { operationId, parameters } = operation
      const takesKey = parameters.some((parameter: any) => parameter.name === "Idempotency-Key")
      const draftingOperations = ["createPersona", "createTemplate", "resetTemplate", "redraftPlaybook"]
      const reviewOperations = ["restoreEmail", "rewriteLead", "reviewLeads", "sendTestMail"]
      const webhookOperations = ["createWebhook", "rotateWebhookSecret", "testWebhook", "resendWebhookDelivery"]
      const campaignOperations = ["createCampaign", "branchCampaign", "setTargetAudience", "selectAssets"]
      assert.strictEqual(
        takesKey,
        [
          ...campaignOperations,
          ...draftingOperations,
          ...reviewOperations,
          ...webhookOperations,
          "generateValuePropositions",
          "generateBatch",
          "previewCampaign",
          "addSuppressions"
        ].includes(operationId),
        operationId
      )
      for (const [status, { headers = {} }] of responsesOf(operation)) {
        const label = `${operationId} ${status}`
        const expected = [
          ...(operationId === "health" ? [] : ["X-Request-Id"]),
          ...(["health", "openFile", ...endpointsWithoutKey].includes(operationId) || status === "401" ? [] : limits),
          ...(status === "401" ? ["WWW-Authenticate"] : []),
          ...(status === "429" ? ["Retry-After"] : []),
          ...(takesKey && status < "300" ? ["Idempotent-Replayed"] : []),
          ...(["exportList", "exportOmittedRows", "exportSuppressions", "openFile"].includes(operationId) &&
          status === "200"
            ? ["Content-Disposition"]
            : [])
        ]
        assert.deepStrictEqual(Object.keys(headers), expected, label)
        for (const header of Object.values(headers)) assert.property(resolve(header), "description", label)
      }
    }
  })
})

/** The collections of the specification whose pages have no position. */
const specifiedPages = ["listTargetAudiences", "listLists", "listSignatures", "listConversations", "listMessages"]

/** Operations that take no Idempotency-Key, by the reason. */
const withoutKey = {
  "the specification gives them none": [
    "generate",
    "reprocessList",
    "createSignature",
    "importDocument",
    "importUrl",
    "regenerate",
    "chat"
  ],
  "they store nothing and cost nothing, so that a repeated request does no harm": [
    "readLeadFile",
    "lint",
    "tryPlaybook"
  ],
  "their answer has a secret, which is not stored": ["createKey", "rotateKey", "createSignInLink"],
  "they are for a person without a key": ["signIn", "requestSignInLink", "setUpFirstWorkspace", "findModelServers"]
}

describe("beyond the specification", () => {
  it("every page has its position", () => {
    const pages = operations.filter((operation) => operation.parameters?.some(({ name }: any) => name === "offset"))
    const withoutPosition = pages.filter((operation) => {
      const { properties } = resolve(resolve(operation.responses["200"]).content["application/json"].schema)
      return !("limit" in properties && "offset" in properties)
    })
    assert.sameMembers(
      withoutPosition.map(({ operationId }) => operationId),
      specifiedPages
    )
  })

  it("every POST takes an Idempotency-Key, or has a reason why it need not", () => {
    const posts = endpoints.filter(({ headers, method }) => method === "POST" && headers === undefined)
    assert.sameMembers(
      posts.map(({ identifier }) => identifier),
      Object.values(withoutKey).flat()
    )
  })
})

describe("a schema", () => {
  const bodies = operations.flatMap((operation) => [
    ...Object.entries<any>(operation.requestBody?.content ?? {}),
    ...responsesOf(operation).flatMap(([, { content }]) => Object.entries<any>(content))
  ])

  it("of every body has a name", () => {
    for (const [type, { schema }] of bodies) {
      if (type.startsWith("text/")) continue
      for (const bodySchema of schema.anyOf ?? [schema])
        assert.match(bodySchema.$ref, /^#\/components\/schemas\/[A-Z][A-Za-z]+$/)
    }
  })

  it("describes each parameter, response and field that is sent", () => {
    const assertDescribed = (schema: any, label: string): void => {
      const { anyOf = [], items, properties = {} } = resolve(schema)
      for (const part of [...anyOf, ...(items ? [items] : [])]) assertDescribed(part, label)
      for (const [key, field] of Object.entries<any>(properties)) {
        // A named schema has its description in its definition, and a file in its body.
        const { description, format } = resolve(field)
        if (format !== "binary") assert.isString(field.description ?? description, `${label}.${key}`)
        assertDescribed(field, `${label}.${key}`)
      }
    }
    for (const operation of operations) {
      for (const { description, name } of operation.parameters) {
        assert.isString(description, `${operation.operationId} ${name}`)
      }
      for (const [, { description }] of responsesOf(operation)) assert.isAbove(description.length, 3)
      for (const { schema } of Object.values<any>(operation.requestBody?.content ?? {})) {
        assertDescribed(schema, operation.operationId)
      }
    }
  })

  it("has numeric types for numbers, and only bounds that were set on purpose", () => {
    const { parameters } = document["paths"]["/api/v1/lists"].get
    assert.deepStrictEqual(
      parameters.slice(0, 2).map(({ name, schema }: any) => [name, schema]),
      [
        ["limit", { type: "integer", minimum: 1, maximum: 100, default: 50 }],
        ["offset", { type: "integer", minimum: 0, default: 0 }]
      ]
    )
    const [amountParameter] = document["paths"]["/api/v1/credits/check"].get.parameters
    assert.deepStrictEqual([amountParameter.required, amountParameter.schema], [true, { type: "integer", minimum: 1 }])
    assert.notMatch(JSON.stringify(document), /9007199254740991|\[0-9a-fA-F\]\{8\}|"_tag"|Encoded"/)
  })

  it("marks deprecated names", () => {
    const deprecatedFields = Object.entries<any>(document["components"].schemas).flatMap(
      ([name, { properties = {} }]) =>
        Object.entries<any>(properties).flatMap(([key, { deprecated }]) => (deprecated ? [`${name}.${key}`] : []))
    )
    assert.deepStrictEqual(deprecatedFields.toSorted(), [
      "BatchAccepted.sequence_id",
      "BatchOptions.campaign_angle",
      "BatchOptions.sequence_name",
      "GenerateOptions.campaign_angle",
      "GenerateOptions.sequence_name",
      "Generated.sequence_id",
      "ListFinding.offset",
      "PreviewOptions.campaign_angle"
    ])
  })
})

describe("an example", () => {
  const errors = Object.values(Errors).filter((value) => Schema.isSchema(value))

  /** Whether the example is valid for one of these schemas and has no unknown field. */
  const matchesSchema = (schemas: Iterable<Schema.Constraint>, example: unknown) =>
    Array.from(schemas, (schema) => eventSchemaOf(schema) ?? schema).some(({ ast }) =>
      Result.isSuccess(
        Schema.decodeUnknownResult(Schema.make<Schema.Codec<unknown>>(ast), { onExcessProperty: "error" })(example)
      )
    )

  it.each(endpoints.map((endpoint) => [endpoint.identifier, endpoint] as const))(
    "of each body of %s is valid",
    (_, endpoint) => {
      const operation = operations.find(({ operationId }) => operationId === endpoint.identifier)
      for (const [type, media] of Object.entries<any>(operation.requestBody?.content ?? {})) {
        if (type === "multipart/form-data") continue
        const [example] = examplesOf(media)
        assert.isTrue(matchesSchema(endpoint.payload.get(type)?.schemas ?? [], example), JSON.stringify(example))
        assert.deepStrictEqual(Context.get(endpoint.annotations, BodyRule)(example), [])
      }
      for (const [status, { content }] of responsesOf(operation)) {
        const schemas =
          status < "400" || (status === "503" && endpoint.identifier === "health")
            ? endpoint.success
            : [...errors, ReviewConflict, VersionConflict]
        const { [problemType]: problem, ...others } = content
        for (const example of Object.values(others).flatMap(examplesOf)) {
          assert.isTrue(matchesSchema(schemas, example), `${status} ${JSON.stringify(example)}`)
        }
        // Each error has an equivalent problem document.
        const bodies = examplesOf(others["application/json"] ?? {}).filter(
          (example: any) => example?.request_id !== undefined
        )
        const problems = problem === undefined ? [] : examplesOf(problem)
        assert.deepStrictEqual(
          problems.map(({ detail, error, status, type }: any) => {
            const { properties } = resolve({ $ref: type.slice(type.indexOf("#")) })
            return [detail, error, status, properties.error.enum]
          }),
          bodies.map(({ error, message }: any) => [message, error, Number(status), [error]]),
          `${endpoint.identifier} ${status}`
        )
        for (const problem of problems) assert.isTrue(Schema.is(Problem)(problem), JSON.stringify(problem))
      }
    }
  )
})

describe("webhooks", () => {
  it("have each event with its description, headers, body and responses", () => {
    const documentedWebhooks: Record<string, any> = document["webhooks"]
    assert.deepStrictEqual(
      Object.entries(documentedWebhooks).map(([type, { post }]) => [type, post.summary]),
      Object.entries(eventTypes)
    )
    for (const [type, { post }] of Object.entries(documentedWebhooks)) {
      assert.deepStrictEqual(
        post.parameters.map(({ name }: any) => name),
        ["webhook-id", "webhook-timestamp", "webhook-signature"]
      )
      assert.deepStrictEqual(Object.keys(post.responses).toSorted(), ["2XX", "410", "default"].toSorted())
      const { example, schema } = post.requestBody.content["application/json"]
      assert.match(schema.$ref, /^#\/components\/schemas\/\w+Event$/)
      assert.deepStrictEqual(resolve(schema).properties.type.enum, [type])
      for (const { description, $ref } of Object.values<any>(resolve(schema).properties.data.properties)) {
        assert.isString(description ?? resolve({ $ref }).description)
      }
      const { body } = webhookEvents.find((event) => event.type === type) ?? assert.fail()
      Schema.decodeUnknownSync(body, { onExcessProperty: "error" })(example)
    }
  })
})

describe("redocly", () => {
  it.live("reports no problem", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const file = `${folder}/openapi.json`
      yield* Effect.promise(() => writeFile(file, JSON.stringify(document)))
      const cli = new URL("../../node_modules/@redocly/cli/bin/cli.js", import.meta.url).pathname
      const args = [cli, "lint", file, "--extends", "recommended", "--format", "json"]
      const report = yield* Effect.callback<string>((resume) => {
        const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" }
        execFile(process.execPath, args, { cwd: folder, env }, (_, stdout) => resume(Effect.succeed(stdout)))
      })
      assert.deepStrictEqual(JSON.parse(report).problems, [])
    })
  )
})
