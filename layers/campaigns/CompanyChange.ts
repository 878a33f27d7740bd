// layers/campaigns/CompanyChange.ts: detects that the profile names another company than the one a campaign was built for.
import { Effect, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { dialectOf } from "#layers/database/Dialect.ts"
import { companyName } from "#layers/text/CompanyNames.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import type { CompanyChange } from "#schema/BuildStatus.ts"

const textOrNull = Schema.NullOr(Schema.String)

/** The same for names that differ in case or legal form only. */
const comparable = (name: string) => (companyName(name) ?? name).toLowerCase()

export const makeFindCompanyChange = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { member } = dialectOf(sql)
  const builtFor = ["campaign", "profile", "company_name"].reduce(member, "c.brief")
  // A brief may be large, so it is read only if the workspace was changed after the build.
  const findNames = SqlSchema.findOneOption({
    Request: Schema.Struct({ workspace: Schema.String, campaign: Schema.String }),
    Result: Schema.Struct({ from: textOrNull, to: textOrNull }),
    execute: ({ campaign, workspace }) => sql`
      SELECT ${sql.literal(builtFor)} AS "from", ${sql.literal(member("w.details", "company_name"))} AS "to"
      FROM campaigns c JOIN workspaces w ON w.id = c.workspace_id
      JOIN campaign_documents d ON d.campaign_id = c.id AND d.workspace_id = c.workspace_id
        AND d.type = 'email_instructions' AND d.updated_at <= w.updated_at
      WHERE c.id = ${campaign} AND c.workspace_id = ${workspace} AND c.brief IS NOT NULL`
  })

  /** Undefined if the campaign has not been built, was built without a company's name, or the profile has the same one. */
  return Effect.fnUntraced(function* (workspace: WorkspaceId, campaign: string) {
    const names = Option.getOrUndefined(yield* findNames({ workspace, campaign }))
    const from = names?.from?.trim() ?? ""
    const to = names?.to?.trim() ?? ""
    if (from === "" || comparable(from) === comparable(to)) return undefined
    return { from, to: to === "" ? null : to } satisfies CompanyChange
  }, Effect.orDie)
})

export const companyChangeNotice = ({ from, to }: CompanyChange) =>
  `This campaign was built for ${from}, and the profile ${to === null ? "names no company now" : `now names ${to}`}. ` +
  `Its emails are written in the name of ${from}. Build a new campaign, or if only the name of the company has changed, ` +
  "regenerate the documents and select the value propositions of this one again."
