// layers/Lint.ts: checks a text against the facts of a campaign and a lead.
import { Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { CampaignStore, linkedAudience, type NotVisible } from "#layers/campaigns/Store.ts"
import type { Campaign } from "#layers/Generator.ts"
import { type CheckedEmail, checkEmails, type Evidence, noEvidence } from "#layers/generator/checker/Check.ts"
import { claimSources } from "#layers/generator/checker/ClaimSources.ts"
import { checkTemplateText } from "#layers/generator/checker/SavedTemplates.ts"
import { runInOneTurn } from "#layers/lib/Turns.ts"
import { parseBrief, joinMessages } from "#layers/playbooks/CampaignBrief.ts"
import { Workspaces } from "#layers/Workspaces.ts"
import { noSegment } from "#schema/Audiences.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import type { LintInput, LintResult } from "#schema/Lint.ts"

const toLintResult = ({ claims, findings, score }: CheckedEmail): LintResult => ({
  passes: findings.every(({ severity }) => severity !== "fail"),
  findings,
  score,
  claims
})

export class Lint extends Context.Service<
  Lint,
  { readonly lint: (workspace: WorkspaceId, input: LintInput) => Effect.Effect<LintResult, NotVisible> }
>()("overture/layers/Lint") {
  static readonly layer = Layer.effect(
    Lint,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const store = yield* CampaignStore
      const workspaces = yield* Workspaces

      const findBrief = SqlSchema.findOneOption({
        Request: Schema.Struct({ workspace: Schema.String, id: Schema.String }),
        Result: Schema.Struct({ brief: Schema.NullOr(Schema.String) }),
        execute: ({ id, workspace }) =>
          sql`SELECT brief FROM campaigns WHERE id = ${id} AND workspace_id = ${workspace}`
      })

      /** The data that the campaign's emails are written from; before the first build, its selections so far. */
      const loadEvidence = Effect.fnUntraced(function* (workspace: WorkspaceId, id: string) {
        const state = yield* store.find(workspace, id)
        const storedBrief = Option.getOrNull(yield* Effect.orDie(findBrief({ workspace, id })))?.brief ?? null
        if (storedBrief !== null) {
          const brief = parseBrief(storedBrief)
          return {
            campaign: brief.campaign,
            message: joinMessages(brief.playbook),
            never_say: brief.playbook.never_say
          }
        }
        const audience = (yield* linkedAudience(state)) ?? noSegment
        const choices = yield* store.findSelections(workspace, id)
        const campaign: Campaign = { profile: yield* workspaces.details(workspace), audience, ...choices }
        return { campaign, message: null, never_say: [] }
      })

      return Lint.of({
        lint: Effect.fn("Lint.lint")(function* (workspace, input) {
          const { body, campaign_id, email_count, lead, step, subject, template } = input
          const campaignEvidence =
            typeof campaign_id === "string" ? yield* loadEvidence(workspace, campaign_id) : noEvidence
          const evidence: Evidence = {
            ...noEvidence,
            ...campaignEvidence,
            lead: lead ?? null,
            email_count: email_count ?? null
          }
          const email = { step: step ?? 1, subject: subject ?? "", body }
          const { campaign, message } = evidence
          // Long sources need a turn of their own; the check finds them kept.
          if (campaign !== null) yield* runInOneTurn(() => claimSources(campaign, message))
          yield* Effect.yieldNow
          return toLintResult(
            template === true
              ? checkTemplateText(email, evidence)
              : (checkEmails([email], evidence)[0] ?? { findings: [], claims: [], score: null })
          )
        })
      })
    })
  )
}
