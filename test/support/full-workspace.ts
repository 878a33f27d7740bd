// test/support/full-workspace.ts: a workspace with one resource of every type, and for each endpoint a request that sets
// every field.
import { Effect } from "effect"
import type { Generator } from "#layers/Generator.ts"
import { expectBody } from "./answers.ts"
import { type Caller, json, onboardedCaller } from "./callers.ts"
import { builtCampaign, assetOptions } from "./campaigns.ts"
import { dumpWorkspace, waitUntilIdle } from "./dump.ts"
import { type Endpoint, fileUploadFor, type NestedIds, pathOf, queries, upload } from "./endpoints.ts"
import { outage } from "./faults.ts"
import { until } from "./until.ts"
import { fakeWriter } from "./writer.ts"

export const assetTypes = ["social_proof", "lead_magnet", "risk_reversal", "value_proposition"] as const

/** The id of one resource of each type. */
export interface Ids {
  readonly campaign: string
  readonly list: string
  /** A list that is pending and can be reprocessed. */
  readonly pendingList: string
  readonly signature: string
  readonly suppression: string
  readonly segment: string
  readonly conversation: string
  readonly job: string
  readonly regeneration: string
  readonly document: string
  readonly imported: string
  readonly option: string
  readonly persona: string
  readonly template: string
  readonly preview: string
  /** The one lead of its completed list. */
  readonly lead: string
  readonly webhook: string
  /** A delivery of its webhook, which has failed. */
  readonly delivery: string
  /** A key that no test uses to authenticate. */
  readonly key: string
}

export interface FullWorkspace {
  readonly caller: Caller
  readonly ids: Ids
  readonly options: { readonly [type: string]: ReadonlyArray<string> }
  /** A word in most of the workspace's texts. Tests search for it where it must not appear. */
  readonly marker: string
  /** Signed links to its campaign's documents. */
  readonly links: ReadonlyArray<string>
}

/** Fails with an outage for the lead named "Pending", so that its list stays pending. */
export const partlyFailingWriter: Partial<Generator["Service"]> = {
  sequence: (brief) => (brief.lead.name === "Pending" ? Effect.fail(outage) : fakeWriter.sequence(brief))
}

/** Creates a webhook with a failed delivery: the service refuses its private address. */
const createFailedDelivery = Effect.fnUntraced(function* (caller: Caller, marker: string) {
  const events = ["list.failed", "list.resumed", "review.changed"]
  const input = { url: `http://localhost/${marker}`, events, description: marker }
  const { id: webhook } = yield* expectBody(201, caller.post("/webhooks", input))
  const { id: delivery } = yield* expectBody(202, caller.post(`/webhooks/${webhook}/test`))
  yield* waitUntilIdle
  return { webhook, delivery }
})

export const createFullWorkspace = Effect.fnUntraced(function* (marker: string) {
  const caller = yield* onboardedCaller({ owner: `owner@${marker}.example`, plan: "internal" })
  yield* expectBody(200, caller.put("/workspace/details", { company_name: marker, guarantee: [marker] }))
  const campaign = yield* builtCampaign(caller)
  yield* expectBody(200, caller.patch(`/campaigns/${campaign}`, { name: marker }))
  const signature = (yield* expectBody(201, caller.post("/signatures", { signature_text: marker }))).id
  const createList = Effect.fnUntraced(function* (name: string, status: string) {
    // The company differs from the workspace's own, because a batch skips leads of the own company.
    const lead = { email: `ann@${marker}.example`, name, company: `Harbour ${marker}` }
    const options = { email_count: 2, signature_id: signature, list_name: marker }
    const { list_id } = yield* expectBody(
      202,
      caller.post(`/campaigns/${campaign}/generate-batch`, { leads: [lead], options })
    )
    yield* until(caller.get(`/lists/${list_id}`), ({ body }) => body.processing_status === status)
    return list_id
  })
  const list = yield* createList(marker, "completed")
  const lead = (yield* expectBody(200, caller.get(`/lists/${list}/leads`))).data[0].id
  // The first stores each lead of the file, the second that the file has all leads.
  for (const query of ["&exported=new", ""]) {
    yield* expectBody(200, caller.get(`/lists/${list}/export?format=json${query}`))
  }
  // The export is recorded in the background.
  yield* until(caller.get(`/lists/${list}`), ({ body }) => body.exported_at !== undefined)
  const pendingList = yield* createList("Pending", "pending")
  const suppressedValues = [`${marker}-rival.example`, `ann@${campaign}.example`, `${list}.example`]
  const entries = suppressedValues.map((value) => ({ value, reason: marker }))
  yield* expectBody(200, caller.post("/suppressions", { entries }))
  const [{ id: suppression }] = (yield* expectBody(200, caller.get("/suppressions"))).data
  const sample = { headers: ["Email", marker] }
  const { preview_id } = yield* expectBody(
    200,
    caller.post(`/campaigns/${campaign}/preview`, { sample, options: { email_count: 1, signature_id: signature } })
  )
  const { conversation_id } = yield* expectBody(
    200,
    caller.post("/agent/chat", { message: marker, campaign_id: campaign })
  )
  const job = (yield* expectBody(202, caller.send("POST", "/workspace/imports/document", upload("notes.txt", marker))))
    .id
  const regeneration = (yield* expectBody(202, caller.post("/workspace/regenerate"))).id
  yield* waitUntilIdle
  const options: Record<string, ReadonlyArray<string>> = {}
  for (const type of assetTypes) options[type] = (yield* assetOptions(caller, campaign, type)).map(({ id }) => id)
  const custom = { target_audience: { segment_name: marker }, is_custom_target_audience: true }
  const draft = (yield* expectBody(201, caller.post("/campaigns", { name: marker }))).id
  const segment = (yield* expectBody(202, caller.post(`/campaigns/${draft}/target-audience`, custom)))
    .target_audience_id
  const { documents } = yield* expectBody(200, caller.get(`/campaigns/${campaign}/documents`))
  const { imports } = yield* expectBody(200, caller.get("/workspace/imports"))
  const { personas } = yield* expectBody(200, caller.get(`/campaigns/${campaign}/playbook`))
  const [persona, ...others] = personas
  // The template is edited, so that it can be reset, and its step has two, so that it can be deleted. It belongs to another
  // persona than `ids.persona`, so that deleting that persona does not delete it.
  const { id: persona_id, templates } = others.at(-1)
  const email = { subject: marker, body: marker }
  const template = yield* expectBody(
    200,
    caller.put(`/campaigns/${campaign}/playbook/templates/${templates[0].id}`, email)
  )
  yield* expectBody(
    201,
    caller.post(`/campaigns/${campaign}/playbook/templates`, { persona_id, step: template.step, ...email })
  )
  yield* waitUntilIdle
  const ids: Ids = {
    campaign,
    list,
    pendingList,
    signature,
    suppression,
    segment,
    conversation: conversation_id,
    job,
    regeneration,
    document: documents[0].id,
    imported: imports[0].id,
    option: options["social_proof"]?.[0] ?? "",
    persona: persona.id,
    template: template.id,
    preview: preview_id,
    lead,
    ...(yield* createFailedDelivery(caller, marker)),
    key: (yield* expectBody(201, caller.post("/keys", { name: marker }))).id
  }
  const links = documents.map((document: { readonly download_url: string }) => document.download_url)
  return { caller, ids, options, marker, links } satisfies FullWorkspace
})

/** All ids in the rows of a workspace. */
export const idsOf = (workspace: string) =>
  Effect.map(
    dumpWorkspace(workspace),
    (text): ReadonlySet<string> =>
      new Set(text.match(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g))
  )

/** The type of resource that `:id` names, by the start of the path. */
const idKinds: ReadonlyArray<readonly [prefix: string, of: keyof Ids]> = [
  ["/campaigns/:id", "campaign"],
  ["/lists/:id", "list"],
  ["/jobs/:id", "job"],
  ["/signatures/:id", "signature"],
  ["/suppressions/:id", "suppression"],
  ["/webhooks/:id", "webhook"],
  ["/keys/:id", "key"],
  ["/conversations/:id", "conversation"],
  ["/workspace/imports/:id", "imported"],
  ["/workspace/regenerate/:id", "regeneration"]
]

export const idKindOf = ({ path }: Pick<Endpoint, "path">) => idKinds.find(([prefix]) => path.startsWith(prefix))?.[1]

/** A body for the endpoint with every field set, except that only one of two exclusive fields is. */
export const fullBody = (
  name: string,
  { ids, options }: Pick<FullWorkspace, "ids" | "options">,
  type = "social_proof"
): unknown => {
  const audience = {
    id: ids.segment,
    segment_name: "Ferries",
    industry_vertical: "Shipping",
    company_size: "50",
    annual_revenue: "1 million",
    geographic_location: "Oslo",
    decision_makers: ["Captain", "Mate"],
    additional_details: "None"
  }
  const lead = {
    email: "ida@north.example",
    name: "Ida",
    title: "Captain",
    company: "North",
    linkedin_url: "https://linkedin.example/in/ida",
    company_website: "https://north.example",
    custom_fields: { last_meeting: "Trade fair" }
  }
  const writingOptions = {
    email_count: 2,
    email_signature: "Bo",
    additional_details: "Be brief",
    campaign_angle: "Be kind",
    approved_ctas: ["Question CTA"],
    enrichment_enabled: false
  }
  const message = {
    what_we_do: "We mend pumps.",
    problem: "Pumps stop.",
    consequence: "The ship waits.",
    proof: "North mended 40 pumps.",
    offer: "A free check.",
    question: "Who looks after yours?"
  }
  const email = { subject: "Pumps", body: 'Hi {{ first_name | default: "there" }}, how often do they stop?' }
  const listNames = { list_name: "Fair", sequence_name: "Fair" }
  const [optionId = ""] = options[type] ?? []
  const textFields = `company_name website_url city_region industry_vertical contact_name contact_title contact_phone
    contact_email business_address primary_goal target_job_titles ideal_client_urls competitors business_description
    problems_solved client_transformation ideal_client_description pain_points solution_triggers
    competitor_frustrations unique_differentiators objections_and_responses additional_info`.split(/\s+/)
  const bodies: { readonly [endpoint: string]: unknown } = {
    createCampaign: { name: "Spring" },
    renameCampaign: { name: "Autumn" },
    branchCampaign: {
      name: "Winter",
      branch_from_step: "target-audience",
      target_audience: audience,
      is_custom_target_audience: false
    },
    setTargetAudience: { target_audience: audience, is_custom_target_audience: false },
    selectAssets: {
      selected_ids: [optionId],
      edited_names: { [optionId]: "Proof" },
      edited_descriptions: { [optionId]: "It works" },
      additional_details: "Be brief"
    },
    generate: { lead, options: { ...writingOptions, ...listNames } },
    generateBatch: {
      leads: [lead, lead],
      options: {
        ...writingOptions,
        ...listNames,
        notification_email: "bo@north.example",
        skip_duplicates: true,
        skip_clients: true,
        include_addresses: [lead.email],
        omitted_rows: [
          { line: 3, email: "ida@north", name: "Ida North", reason: "not a valid email address", by_hand: false }
        ],
        skip_written: null
      }
    },
    previewCampaign: {
      sample: { headers: ["Email", "Firm"], rows: [["a@b.example", "North"]], field_mapping: { companyName: "Firm" } },
      options: { ...writingOptions, enrichment_mapping: { size: "Size" } }
    },
    renameList: { custom_name: "Fair" },
    editEmail: { subject: "Pumps", body: "How often do they stop?", version: 1 },
    restoreEmail: { version: 1 },
    rewriteLead: { step: 1 },
    sendTestMail: { step: 1 },
    reviewLead: { status: "approved", note: "Good", versions: [{ step: 2, version: 1 }] },
    reviewLeads: { status: "approved", lead_ids: [ids.lead], where: { severity: "warn", seen: true } },
    updatePlaybook: { never_say: ["cheap"], personalization: "template", status: "approved" },
    createPersona: { name: "Fleet", titles: ["Fleet Manager"], message: { ...message, what_we_do: null } },
    updatePersona: { name: "Captains", titles: ["Captain"], message },
    createTemplate: { persona_id: ids.persona, step: 2, ...email },
    updateTemplate: email,
    redraftPlaybook: { persona_id: ids.persona },
    tryPlaybook: { lead, email_count: 2, templates: [{ template_id: ids.template, ...email }] },
    lint: { ...email, step: 2, email_count: 3, campaign_id: ids.campaign, lead, template: true },
    addSuppressions: {
      entries: [
        { value: `ann@${ids.campaign}.example`, reason: "Asked for it" },
        { value: `${ids.list}.example` },
        { value: `North ${ids.list}`, kind: "company" }
      ]
    },
    createWebhook: {
      url: "https://hooks.north.example/in",
      events: ["list.failed"],
      description: "Ours",
      include_content: false
    },
    updateWebhook: {
      url: "https://hooks.north.example/in",
      events: ["list.failed"],
      description: "Ours",
      enabled: true,
      include_content: true
    },
    createSignature: { signature_text: "Ann" },
    replaceSignature: { signature_text: "Ann" },
    updateDetails: {
      ...Object.fromEntries(textFields.map((field) => [field, "North"])),
      contact_email: "ann@north.example",
      contact_phone: "+1 555 0100",
      website_url: "https://north.example",
      core_products: [{ product: "Pumps", pricing: "10 euros" }],
      case_studies: ["One"],
      credibility_markers: ["Two"],
      guarantee: ["Three"],
      lead_magnets: ["Four"]
    },
    createKey: { name: "CRM", scopes: ["lists:read"], expires_in_days: 90 },
    rotateKey: { grace_hours: 1 },
    signIn: { token: "ovl_none", key: "ovk_none" },
    requestSignInLink: { email: "ann@north.example" },
    setUpFirstWorkspace: { token: "ovl_none", name: "North", email: "ann@north.example" },
    findModelServers: { token: "ovl_none" },
    importUrl: { url: "https://127.0.0.1" },
    chat: { message: "What does it cost?", campaign_id: ids.campaign, conversation_id: ids.conversation }
  }
  return bodies[name]
}

/** A request with a full body and the workspace's own ids, which `overrides` can replace. */
export const fullRequest = (
  endpoint: Endpoint,
  workspace: FullWorkspace,
  overrides: {
    readonly id?: string
    readonly type?: string | undefined
    readonly body?: unknown
    readonly query?: string
    readonly inner?: NestedIds | undefined
  } = {}
) => {
  const {
    id = workspace.ids[idKindOf(endpoint) ?? "campaign"],
    inner,
    query = queries[endpoint.name] ?? "",
    type
  } = overrides
  const requestBody = "body" in overrides ? overrides.body : fullBody(endpoint.name, workspace, type)
  const init = endpoint.takesFile ? fileUploadFor(endpoint) : endpoint.takesBody ? json(requestBody) : {}
  return [
    endpoint.method,
    pathOf(endpoint, id, type, {
      persona_id: workspace.ids.persona,
      template_id: workspace.ids.template,
      preview_id: workspace.ids.preview,
      lead_id: workspace.ids.lead,
      delivery_id: workspace.ids.delivery,
      ...inner
    }) + query,
    init
  ] as const
}
