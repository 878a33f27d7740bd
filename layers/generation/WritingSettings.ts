// layers/generation/WritingSettings.ts: the options of a request as they are stored and as the writer gets them, and notices about
// what the writer cannot follow.
import { Effect, Option, Schema } from "effect"
import type { Brief, Draft } from "#layers/generator/Brief.ts"
import type { Signatures } from "#layers/Signatures.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import type { Options } from "#schema/Generation.ts"
import type { Sequence } from "#schema/Lead.ts"
import { SqlClient, SqlSchema } from "effect/sql"
import { cacheByText } from "#layers/lib/CacheByText.ts"
import { Model } from "#layers/Model.ts"
import { companyChangeNotice, makeFindCompanyChange } from "#layers/campaigns/CompanyChange.ts"
import { Personalization } from "#schema/Playbook.ts"

export const WritingSettings = Schema.Struct({
  /** Number of emails, 1 to 4. */
  email_count: Schema.Int,
  /** Appended to every email. */
  signature: Schema.String,
  additional_details: Schema.NullOr(Schema.String),
  approved_ctas: Schema.Array(Schema.String)
})
export type WritingSettings = typeof WritingSettings.Type

const defaultCtas = ["Question CTA", "Lead Magnet CTA", "Direct Meeting CTA"]

interface WritingOptions extends Pick<
  Options,
  "email_signature" | "signature_id" | "additional_details" | "campaign_angle" | "approved_ctas"
> {
  /** The number may also be sent as a string. */
  readonly email_count: number | string
}

/** NOT_FOUND if the workspace has no such signature. */
export const resolveWriting = Effect.fnUntraced(function* (
  signatures: Signatures["Service"],
  workspace: WorkspaceId,
  options: WritingOptions
) {
  const signature =
    typeof options.signature_id === "string"
      ? (yield* signatures.find(workspace, options.signature_id)).signature_text
      : (options.email_signature ?? "").replaceAll("\\n", "\n")
  const ctas = [options.approved_ctas ?? []].flat().filter((cta) => cta.trim() !== "")
  return {
    email_count: Number(options.email_count),
    signature: signature.replace(/\r\n?/g, "\n"),
    additional_details: options.additional_details ?? options.campaign_angle ?? null,
    approved_ctas: ctas.length === 0 ? defaultCtas : ctas
  } satisfies WritingSettings
})

/** The finished emails: the drafts with the signature appended. */
export const appendSignature = (drafts: ReadonlyArray<Draft>, signature: string): Sequence =>
  drafts.map(({ body, subject }, i) => ({ step: i + 1, subject, body: `${body}\n\n${signature}` }))

/** The writer's input for one lead. */
export const makeLeadBrief = (
  {
    campaign,
    instructions,
    playbook,
    writing
  }: Pick<Brief, "campaign" | "instructions" | "playbook"> & {
    readonly writing: Pick<Brief, "additional_details" | "approved_ctas" | "email_count">
  },
  lead: Pick<Brief, "facts" | "lead" | "seed">
): Brief => ({
  campaign,
  instructions,
  playbook,
  email_count: writing.email_count,
  additional_details: writing.additional_details,
  approved_ctas: writing.approved_ctas,
  ...lead
})

interface NoticeRequest {
  readonly additional_details: string | null
  /** Whether research of each lead was requested. */
  readonly enriched: boolean
}

const StoredPlaybook = Schema.fromJsonString(
  Schema.Struct({
    personalization: Schema.NullOr(Personalization),
    personas: Schema.Array(
      Schema.Struct({
        message: Schema.Struct({ what_we_do: Schema.NullOr(Schema.String) }),
        missing: Schema.Array(Schema.Struct({ part: Schema.String })),
        templates: Schema.Array(
          Schema.Struct({ basis: Schema.NullOr(Schema.String), drafted: Schema.NullOr(Schema.Unknown) })
        )
      })
    )
  })
)
type StoredPlaybook = typeof StoredPlaybook.Type

/** With a model, the profile may be in any language; the built-in writer only uses English sentences. */
const missingProductNotice = (hasModel: boolean) =>
  "No email says what the business does" +
  (hasModel
    ? ". Fill in business_description in English, or write it in the playbook."
    : ": the profile does not say it in English. Fill in business_description in English, write it in the playbook, or connect a model (OPENAI_BASE_URL, OPENAI_API_KEY), which also reads text in other languages.")

/**
 * Whether no email names the product: every message lacks it and no person has written or edited a template. A
 * message that names it only in a note counts as naming it, because frames for notes include it.
 */
const namesNoProduct = ({ personas }: StoredPlaybook) =>
  personas.every(
    ({ message, missing, templates }) =>
      message.what_we_do === null &&
      missing.some(({ part }) => part === "what_we_do") &&
      templates.every(({ basis, drafted }) => basis === null && drafted !== null)
  )

const decodePlaybook = Schema.decodeSync(StoredPlaybook)

/** What notices depend on. Cached, because a playbook has tens of kilobytes and each request reads it. */
const readNoticeFacts = cacheByText((content) => {
  const playbook = decodePlaybook(content)
  return { namesNoProduct: namesNoProduct(playbook), personalization: playbook.personalization }
})

const hasText = (text: string | null) => text !== null && text.trim() !== ""

/** Why free text is not followed. */
const ignoredTextReasons = {
  builtin: "the built-in writer fills in the playbook's templates",
  template: "the playbook's personalization is set to template"
}

export const makeNotices = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const model = yield* Model
  const findCompanyChange = yield* makeFindCompanyChange

  const findPlaybook = SqlSchema.findOneOption({
    Request: Schema.Struct({ workspace: Schema.String, campaign: Schema.String }),
    Result: Schema.Struct({ content: Schema.String }),
    execute: ({ campaign, workspace }) =>
      sql`SELECT content FROM playbooks WHERE campaign_id = ${campaign} AND workspace_id = ${workspace}`
  })

  /** The notices of a request; empty if the writer can follow all of it. */
  return Effect.fnUntraced(function* (workspace: WorkspaceId, campaign: string, request: NoticeRequest) {
    const row = Option.getOrUndefined(yield* findPlaybook({ workspace, campaign }))
    const playbook = row && readNoticeFacts(row.content)
    const companyChange = yield* findCompanyChange(workspace, campaign)
    const factNotices = [
      ...(companyChange === undefined ? [] : [companyChangeNotice(companyChange)]),
      ...(playbook?.namesNoProduct === true ? [missingProductNotice(model !== undefined)] : [])
    ]
    // `adapted` is the default, under which the model follows free text.
    if (model !== undefined && (playbook?.personalization ?? "adapted") === "adapted") return factNotices
    const reason = ignoredTextReasons[model === undefined ? "builtin" : "template"]
    const steps = yield* sql<{ readonly type: string }>`
      SELECT type FROM selections
      WHERE campaign_id = ${campaign} AND workspace_id = ${workspace} AND trim(additional_details) <> ''
      ORDER BY type`
    return [
      ...factNotices,
      ...(hasText(request.additional_details)
        ? [`additional_details is not followed: ${reason}. Edit the playbook instead.`]
        : []),
      ...(steps.length === 0
        ? []
        : [
            `The remarks on ${steps.map(({ type }) => type).join(", ")} are not followed: ${reason}. Edit the playbook instead.`
          ]),
      ...(request.enriched
        ? [
            `Research is stored with each lead but not used in the emails: ${reason}, and these take no sentence of another company's site.`
          ]
        : [])
    ]
  }, Effect.orDie)
})
