// layers/generation/Notices.ts: what a request asks for that the writer in use cannot follow.
import { Effect, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { Model } from "#layers/Model.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import { Personalization } from "#schema/Playbook.ts"

interface Asked {
  readonly additional_details: string | null
  /** Whether research of each lead was asked for. */
  readonly enriched: boolean
}

const isSaid = (text: string | null) => text !== null && text.trim() !== ""

/** Templates follow no free text, with or without a model behind the rest of the service. */
const reasons = {
  builtin: "the built-in writer fills in the playbook's templates",
  template: "the playbook's personalization is set to template"
}

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const model = yield* Model

  const stored = SqlSchema.findOneOption({
    Request: Schema.Struct({ workspace: Schema.String, campaign: Schema.String }),
    Result: Schema.Struct({
      content: Schema.fromJsonString(Schema.Struct({ personalization: Schema.NullOr(Personalization) }))
    }),
    execute: ({ campaign, workspace }) =>
      sql`SELECT content FROM playbooks WHERE campaign_id = ${campaign} AND workspace_id = ${workspace}`
  })
  /** That of the campaign's playbook; "adapted" until a person has chosen. */
  const personalization = (workspace: WorkspaceId, campaign: string) =>
    Effect.map(stored({ workspace, campaign }), (found) =>
      Option.isSome(found) ? (found.value.content.personalization ?? "adapted") : "adapted"
    )

  return Effect.fnUntraced(function* (workspace: WorkspaceId, campaign: string, asked: Asked) {
    if (model !== undefined && (yield* personalization(workspace, campaign)) === "adapted") return []
    const because = reasons[model === undefined ? "builtin" : "template"]
    const steps = yield* sql<{ readonly type: string }>`
      SELECT type FROM selections
      WHERE campaign_id = ${campaign} AND workspace_id = ${workspace} AND trim(additional_details) <> ''
      ORDER BY type`
    return [
      ...(isSaid(asked.additional_details)
        ? [`additional_details is not followed: ${because}. Edit the playbook instead.`]
        : []),
      ...(steps.length === 0
        ? []
        : [
            `The remarks on ${steps.map(({ type }) => type).join(", ")} are not followed: ${because}. Edit the playbook instead.`
          ]),
      ...(asked.enriched
        ? [
            `Research is stored with each lead but not used in the emails: ${because}, and these take no sentence of another company's site.`
          ]
        : [])
    ]
  }, Effect.orDie)
})
