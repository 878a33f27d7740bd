// test/support/furnished.ts: a workspace that has one of everything, and for each endpoint the fullest request that its
// owner could send.
import { Effect } from "effect"
import type { Generator } from "#layers/Generator.ts"
import { body } from "./answers.ts"
import { type Caller, json, onboardedCaller } from "./callers.ts"
import { built, optionsOf } from "./campaigns.ts"
import { dumpOf, idle } from "./dump.ts"
import { type Endpoint, fileOf, type Inner, pathOf, queries, upload } from "./endpoints.ts"
import { outage } from "./faults.ts"
import { until } from "./until.ts"
import { fake } from "./writer.ts"

export const assetTypes = ["social_proof", "lead_magnet", "risk_reversal", "value_proposition"] as const

/** Ids by what they are of. */
export interface Ids {
  readonly campaign: string
  readonly list: string
  /** A list that could be reprocessed. */
  readonly resting: string
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
  /** A key that nothing else is done with. */
  readonly key: string
}

export interface Furnished {
  readonly who: Caller
  readonly ids: Ids
  readonly options: { readonly [type: string]: ReadonlyArray<string> }
  /** A word that stands in most of its texts, by which they are found where they should not be. */
  readonly word: string
  /** Signed links to its campaign's documents. */
  readonly links: ReadonlyArray<string>
}

/** Fails with an outage for one lead, by its name, so that its list stays pending. */
export const writer: Partial<Generator["Service"]> = {
  sequence: (order) => (order.lead.name === "Nobody yet" ? Effect.fail(outage) : fake.sequence(order))
}

/** A webhook with a delivery that has failed, since its address is private. */
const furnishWebhook = Effect.fnUntraced(function* (who: Caller, word: string) {
  const events = ["list.failed", "list.resumed", "review.changed"]
  const input = { url: `http://localhost/${word}`, events, description: word }
  const { id: webhook } = yield* body(201, who.post("/webhooks", input))
  const { id: delivery } = yield* body(202, who.post(`/webhooks/${webhook}/test`))
  yield* idle
  return { webhook, delivery }
})

export const furnish = Effect.fnUntraced(function* (word: string) {
  const who = yield* onboardedCaller({ owner: `owner@${word}.example`, plan: "internal" })
  yield* body(200, who.put("/workspace/details", { company_name: word, guarantee: [word] }))
  const campaign = yield* built(who)
  yield* body(200, who.patch(`/campaigns/${campaign}`, { name: word }))
  const signature = (yield* body(201, who.post("/signatures", { signature_text: word }))).id
  const batch = Effect.fnUntraced(function* (name: string, status: string) {
    // Not the company of the workspace itself, which no batch writes to.
    const lead = { email: `ann@${word}.example`, name, company: `Harbour ${word}` }
    const options = { email_count: 2, signature_id: signature, list_name: word }
    const { list_id } = yield* body(202, who.post(`/campaigns/${campaign}/generate-batch`, { leads: [lead], options }))
    yield* until(who.get(`/lists/${list_id}`), ({ body }) => body.processing_status === status)
    return list_id
  })
  const list = yield* batch(word, "completed")
  const lead = (yield* body(200, who.get(`/lists/${list}/leads`))).data[0].id
  const resting = yield* batch("Nobody yet", "pending")
  const suppressed = [`${word}-rival.example`, `ann@${campaign}.example`, `${list}.example`]
  const entries = suppressed.map((value) => ({ value, reason: word }))
  yield* body(200, who.post("/suppressions", { entries }))
  const [{ id: suppression }] = (yield* body(200, who.get("/suppressions"))).data
  const sample = { headers: ["Email", word] }
  const { preview_id } = yield* body(
    200,
    who.post(`/campaigns/${campaign}/preview`, { sample, options: { email_count: 1, signature_id: signature } })
  )
  const { conversation_id } = yield* body(200, who.post("/agent/chat", { message: word, campaign_id: campaign }))
  const job = (yield* body(202, who.send("POST", "/workspace/imports/document", upload("notes.txt", word)))).id
  const regeneration = (yield* body(202, who.post("/workspace/regenerate"))).id
  yield* idle
  const options: Record<string, ReadonlyArray<string>> = {}
  for (const type of assetTypes) options[type] = (yield* optionsOf(who, campaign, type)).map(({ id }) => id)
  const custom = { target_audience: { segment_name: word }, is_custom_target_audience: true }
  const draft = (yield* body(201, who.post("/campaigns", { name: word }))).id
  const segment = (yield* body(202, who.post(`/campaigns/${draft}/target-audience`, custom))).target_audience_id
  const { documents } = yield* body(200, who.get(`/campaigns/${campaign}/documents`))
  const { imports } = yield* body(200, who.get("/workspace/imports"))
  const { personas } = yield* body(200, who.get(`/campaigns/${campaign}/playbook`))
  const [persona, ...others] = personas
  // An edited template, which can be reset, beside another, so that it can be deleted; its persona is not the one that is.
  const { id: persona_id, templates } = others.at(-1)
  const email = { subject: word, body: word }
  const template = yield* body(200, who.put(`/campaigns/${campaign}/playbook/templates/${templates[0].id}`, email))
  yield* body(201, who.post(`/campaigns/${campaign}/playbook/templates`, { persona_id, step: template.step, ...email }))
  yield* idle
  const ids: Ids = {
    campaign,
    list,
    resting,
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
    ...(yield* furnishWebhook(who, word)),
    key: (yield* body(201, who.post("/keys", { name: word }))).id
  }
  const links = documents.map((document: { readonly download_url: string }) => document.download_url)
  return { who, ids, options, word, links } satisfies Furnished
})

/** Every id that a workspace's rows hold. */
export const idsOf = (workspace: string) =>
  Effect.map(
    dumpOf(workspace),
    (text): ReadonlySet<string> =>
      new Set(text.match(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g))
  )

/** What the id in a path is of, by how the path begins. */
const owners: ReadonlyArray<readonly [prefix: string, of: keyof Ids]> = [
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

export const ownerOf = ({ path }: Pick<Endpoint, "path">) => owners.find(([prefix]) => path.startsWith(prefix))?.[1]

/** The fullest body of each endpoint; of two fields that exclude each other it has one. */
export const bodyOf = (
  name: string,
  { ids, options }: Pick<Furnished, "ids" | "options">,
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
  const writing = {
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
  const naming = { list_name: "Fair", sequence_name: "Fair" }
  const [chosen = ""] = options[type] ?? []
  const texts = `company_name website_url city_region industry_vertical contact_name contact_title contact_phone
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
      selected_ids: [chosen],
      edited_names: { [chosen]: "Proof" },
      edited_descriptions: { [chosen]: "It works" },
      additional_details: "Be brief"
    },
    generate: { lead, options: { ...writing, ...naming } },
    generateBatch: {
      leads: [lead, lead],
      options: {
        ...writing,
        ...naming,
        notification_email: "bo@north.example",
        skip_duplicates: true,
        skip_clients: true,
        include_addresses: [lead.email],
        omitted_rows: [{ line: 3, email: "ida@north", reason: "not a valid email address", by_hand: false }],
        skip_written: null
      }
    },
    previewCampaign: {
      sample: { headers: ["Email", "Firm"], rows: [["a@b.example", "North"]], field_mapping: { companyName: "Firm" } },
      options: { ...writing, enrichment_mapping: { size: "Size" } }
    },
    renameList: { custom_name: "Fair" },
    editEmail: { subject: "Pumps", body: "How often do they stop?", version: 1 },
    restoreEmail: { version: 1 },
    rewriteLead: { step: 1 },
    sendTestMail: { step: 1 },
    reviewLead: { status: "approved", note: "Good" },
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
      ...Object.fromEntries(texts.map((field) => [field, "North"])),
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

/** A request that would do something, with its owner's own ids unless others are given. */
export const requestOf = (
  endpoint: Endpoint,
  own: Furnished,
  other: {
    readonly id?: string
    readonly type?: string | undefined
    readonly body?: unknown
    readonly query?: string
    readonly inner?: Inner | undefined
  } = {}
) => {
  const { id = own.ids[ownerOf(endpoint) ?? "campaign"], inner, query = queries[endpoint.name] ?? "", type } = other
  const sent = "body" in other ? other.body : bodyOf(endpoint.name, own, type)
  const init = endpoint.takesFile ? fileOf(endpoint) : endpoint.takesBody ? json(sent) : {}
  return [
    endpoint.method,
    pathOf(endpoint, id, type, {
      persona_id: own.ids.persona,
      template_id: own.ids.template,
      preview_id: own.ids.preview,
      lead_id: own.ids.lead,
      delivery_id: own.ids.delivery,
      ...inner
    }) + query,
    init
  ] as const
}
