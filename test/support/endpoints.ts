// test/support/endpoints.ts: every endpoint that the contract declares, for what must hold of all of them.
import { Context } from "effect"
import { Api } from "#schema/Api.ts"
import { Authentication, BodyLimit, RequiredScope, type Scope } from "#schema/Auth.ts"
import { secretAddress } from "./answers.ts"
import { json } from "./callers.ts"
import { form } from "./wire.ts"

export interface Endpoint {
  readonly name: string
  readonly method: string
  /** Without `/api/v1`, with its placeholders. */
  readonly path: string
  readonly scope: Scope | undefined
  readonly takesBody: boolean
  /** The body is a file and not JSON. */
  readonly takesFile: boolean
  readonly bodyLimit: number
  /** It asks for a key. */
  readonly isGuarded: boolean
  /** An Idempotency-Key means something to it, if its body asks for that where it has to. */
  readonly takesKey: boolean
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
    isGuarded: Array.from<{ readonly key: string }>(endpoint.middlewares).some(({ key }) => key === Authentication.key),
    takesKey: endpoint.headers !== undefined
  }))
)

/** What a path may name within the thing that its `:id` names. */
export interface Inner {
  readonly persona_id?: string | undefined
  readonly template_id?: string | undefined
  readonly preview_id?: string | undefined
  readonly lead_id?: string | undefined
  readonly step?: string | undefined
  readonly delivery_id?: string | undefined
}

/** An id that nothing has. */
export const unknownId = "01890000-0000-7000-8000-000000000000"

/** All that ask for a key. */
export const guarded = endpoints.filter(({ isGuarded }) => isGuarded)

/** The path with its placeholders filled in. */
export const pathOf = ({ path }: Endpoint, id: string, type = "social_proof", inner: Inner = {}) =>
  path
    .replace(":id", id)
    .replace(":type", type)
    .replace(":persona_id", inner.persona_id ?? unknownId)
    .replace(":template_id", inner.template_id ?? unknownId)
    .replace(":preview_id", inner.preview_id ?? unknownId)
    .replace(":lead_id", inner.lead_id ?? unknownId)
    .replace(":step", inner.step ?? "1")
    .replace(":delivery_id", inner.delivery_id ?? unknownId)

export const lead = { email: secretAddress, name: "Ann", company: "North" }
export const options = { email_count: 2, email_signature: "Bo" }

/** A body that each endpoint accepts, whether or not the ids in it exist. */
export const samples: { readonly [name: string]: unknown } = {
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

/** A request with a document. */
export const upload = (name: string, content: string | Uint8Array<ArrayBuffer>): RequestInit => ({
  body: form(name, content)
})

/** A request with a file that its endpoint takes. */
export const fileOf = ({ name }: Endpoint): RequestInit =>
  name === "readLeadFile" ? upload("leads.csv", `Email\n${lead.email}`) : upload("notes.txt", "Company: North")

/** A request's body, in the form that its endpoint takes. */
const sampleOf = (endpoint: Endpoint): RequestInit => {
  const { name, takesBody, takesFile } = endpoint
  return takesFile ? fileOf(endpoint) : takesBody ? json(samples[name]) : {}
}

/** What each endpoint needs in its query. */
export const queries: { readonly [name: string]: string } = {
  checkCredits: "?required=1",
  routeTitle: "?title=Plant%20Director",
  // A key has no session of its own.
  endSession: "?everywhere=true"
}

/** A request that its endpoint understands, about nothing that is there unless an id is given. */
export const sampleRequest = (endpoint: Endpoint, id = unknownId, type?: string) =>
  [endpoint.method, pathOf(endpoint, id, type) + (queries[endpoint.name] ?? ""), sampleOf(endpoint)] as const
