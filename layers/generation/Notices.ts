// layers/generation/Notices.ts: notices about parts of a request that the writer cannot follow, and about missing
// facts.
import { Effect, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { Model } from "#layers/Model.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import { Personalization } from "#schema/Playbook.ts"

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
        missing: Schema.Array(Schema.Struct({ part: Schema.String })),
        templates: Schema.Array(
          Schema.Struct({ basis: Schema.NullOr(Schema.String), drafted: Schema.NullOr(Schema.Unknown) })
        )
      })
    )
  })
)
type StoredPlaybook = typeof StoredPlaybook.Type

const missingProductNotice =
  "No email says what the business does. Fill in business_description in English, or write it in the playbook."

/** Whether no email names the product: every message lacks it, and no person has written or edited a template. */
const namesNoProduct = ({ personas }: StoredPlaybook) =>
  personas.every(
    ({ missing, templates }) =>
      missing.some(({ part }) => part === "what_we_do") &&
      templates.every(({ basis, drafted }) => basis === null && drafted !== null)
  )

const hasText = (text: string | null) => text !== null && text.trim() !== ""

/** Why free text is not followed. */
const ignoredTextReasons = {
  builtin: "the built-in writer fills in the playbook's templates",
  template: "the playbook's personalization is set to template"
}

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const model = yield* Model

  const stored = SqlSchema.findOneOption({
    Request: Schema.Struct({ workspace: Schema.String, campaign: Schema.String }),
    Result: Schema.Struct({ content: StoredPlaybook }),
    execute: ({ campaign, workspace }) =>
      sql`SELECT content FROM playbooks WHERE campaign_id = ${campaign} AND workspace_id = ${workspace}`
  })

  /** The notices of a request; empty if the writer can follow all of it. */
  return Effect.fnUntraced(function* (workspace: WorkspaceId, campaign: string, request: NoticeRequest) {
    const book = Option.getOrUndefined(yield* stored({ workspace, campaign }))?.content
    const gaps = book !== undefined && namesNoProduct(book) ? [missingProductNotice] : []
    // `adapted` is the default, under which the model follows free text.
    if (model !== undefined && (book?.personalization ?? "adapted") === "adapted") return gaps
    const reason = ignoredTextReasons[model === undefined ? "builtin" : "template"]
    const steps = yield* sql<{ readonly type: string }>`
      SELECT type FROM selections
      WHERE campaign_id = ${campaign} AND workspace_id = ${workspace} AND trim(additional_details) <> ''
      ORDER BY type`
    return [
      ...gaps,
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
