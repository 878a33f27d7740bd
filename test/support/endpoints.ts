// test/support/endpoints.ts: every endpoint of the contract, with a sample request, for tests that run against all of them.
import { Context } from "effect"
import { Api } from "#schema/Api.ts"
import { Authentication, BodyLimit, RequiredScope, type Scope } from "#schema/Auth.ts"
import { secretAddress } from "./answers.ts"
import { json } from "./callers.ts"
import { fileForm } from "./api-client.ts"

export interface Endpoint {
  readonly name: string
  readonly method: string
  /** Without `/api/v1`, with placeholders such as `:id`. */
  readonly path: string
  readonly scope: Scope | undefined
  readonly takesBody: boolean
  /** Whether the body is a file instead of JSON. */
  readonly takesFile: boolean
  readonly bodyLimit: number
  /** Whether requests need an API key. */
  readonly requiresKey: boolean
  /** Whether the endpoint honours an Idempotency-Key. */
  readonly takesIdempotencyKey: boolean
}

export const endpoints: ReadonlyArray<Endpoint> = Object.values(Api.groups).flatMap((group) =>
  Object.values(group.endpoints).map((endpoint) => ({
    name: endpoint.identifier,
    method: endpoint.method,
    path: endpoint.path.replace(/^\/api\/v1/, ""),
    scope: Context.get(endpoint.annotations, RequiredScope),
    takesBody: endpoint.payload.size > 0,
    takesFile: endpoint.payload.has("multipart/form-data"),
    bodyLimit: Context.get(endpoint.annotations, BodyLimit),
    requiresKey: Array.from<{ readonly key: string }>(endpoint.middlewares).some(
      ({ key }) => key === Authentication.key
    ),
    takesIdempotencyKey: endpoint.headers !== undefined
  }))
)

/** The ids of the placeholders that follow `:id` in a path. */
export interface NestedIds {
  readonly persona_id?: string | undefined
  readonly template_id?: string | undefined
  readonly preview_id?: string | undefined
  readonly lead_id?: string | undefined
  readonly step?: string | undefined
  readonly delivery_id?: string | undefined
}

/** A valid id that no resource has. */
export const unknownId = "01890000-0000-7000-8000-000000000000"

/** The endpoints that need an API key. */
export const authenticatedEndpoints = endpoints.filter(({ requiresKey }) => requiresKey)

/** The path with its placeholders filled in. */
export const pathOf = ({ path }: Endpoint, id: string, type = "social_proof", nestedIds: NestedIds = {}) =>
  path
    .replace(":id", id)
    .replace(":type", type)
    .replace(":persona_id", nestedIds.persona_id ?? unknownId)
    .replace(":template_id", nestedIds.template_id ?? unknownId)
    .replace(":preview_id", nestedIds.preview_id ?? unknownId)
    .replace(":lead_id", nestedIds.lead_id ?? unknownId)
    .replace(":step", nestedIds.step ?? "1")
    .replace(":delivery_id", nestedIds.delivery_id ?? unknownId)

export const lead = { email: secretAddress, name: "Ann", company: "North" }
export const options = { email_count: 2, email_signature: "Bo" }

/** A valid body for each endpoint. The ids in it need not exist. */
export const sampleBodies: { readonly [name: string]: unknown } = {
  createCampaign: { name: "Spring" },
  renameCampaign: { name: "Autumn" },
  branchCampaign: { name: "Autumn", branch_from_step: "social-proof" },
  setTargetAudience: { target_audience: { segment_name: "Mines" }, is_custom_target_audience: true },
  selectAssets: { selected_ids: [] },
  generate: { lead, options },
  generateBatch: { leads: [lead], options },
  previewCampaign: { sample: { headers: ["Email", "Company"] }, options },
  updatePlaybook: { status: "approved" },
  createPersona: { name: "Mining", titles: ["Mine Manager"] },
  updatePersona: { name: "Mining" },
  createTemplate: { persona_id: unknownId, step: 1, subject: "Pumps", body: "How often do they stop?" },
  updateTemplate: { subject: "Pumps", body: "How often do they stop?" },
  redraftPlaybook: {},
  tryPlaybook: { lead },
  lint: { subject: "Pumps", body: "How often do they stop?" },
  addSuppressions: { entries: [{ value: "hollowell.example" }] },
  createWebhook: { url: "https://hooks.acme.example", events: ["*"] },
  updateWebhook: { enabled: true },
  createSignature: { signature_text: "Ann" },
  renameList: { custom_name: "Fair" },
  editEmail: { subject: "Pumps", version: 1 },
  restoreEmail: { version: 1 },
  rewriteLead: { step: 1 },
  sendTestMail: { step: 1 },
  reviewLead: { status: "approved" },
  reviewLeads: { status: "approved" },
  replaceSignature: { signature_text: "Ann" },
  chat: { message: "What does it cost?", campaign_id: "01890000-0000-7000-8000-000000000000" },
  importUrl: { url: "https://acme.example" },
  updateDetails: { company_name: "North" },
  createKey: { name: "CRM", scopes: [] },
  rotateKey: { grace_hours: 1 },
  signIn: { token: "unknown" },
  requestSignInLink: { email: "ann@north.example" },
  setUpFirstWorkspace: { token: "unknown", name: "North", email: "ann@north.example" },
  findModelServers: { token: "unknown" }
}

/** A request that uploads a file. */
export const upload = (name: string, content: string | Uint8Array<ArrayBuffer>): RequestInit => ({
  body: fileForm(name, content)
})

/** A request that uploads a file of the type that the endpoint takes. */
export const fileUploadFor = ({ name }: Endpoint): RequestInit =>
  name === "readLeadFile" ? upload("leads.csv", `Email\n${lead.email}`) : upload("notes.txt", "Company: North")

/** The sample body of an endpoint, as JSON or as a file. */
const sampleOf = (endpoint: Endpoint): RequestInit => {
  const { name, takesBody, takesFile } = endpoint
  return takesFile ? fileUploadFor(endpoint) : takesBody ? json(sampleBodies[name]) : {}
}

/** The query of endpoints that require one. */
export const queries: { readonly [name: string]: string } = {
  checkCredits: "?required=1",
  findLeads: `?email=${secretAddress}`,
  routeTitle: "?title=Plant%20Director",
  // A key has no session of its own.
  endSession: "?everywhere=true"
}

/** A valid request to the endpoint. Its resource exists only if `id` is that of one. */
export const sampleRequest = (endpoint: Endpoint, id = unknownId, type?: string) =>
  [endpoint.method, pathOf(endpoint, id, type) + (queries[endpoint.name] ?? ""), sampleOf(endpoint)] as const
