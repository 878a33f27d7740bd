// layers/campaigns/Steps.ts: the steps that build a campaign, and their status.
import {
  linkedAudience,
  CampaignStore,
  missingSteps,
  type NotVisible,
  overallStatus,
  stageStatuses
} from "#layers/campaigns/Store.ts"
import { Context, Effect, Equal, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Assets } from "#layers/Assets.ts"
import { makeFindCompanyChange } from "#layers/campaigns/CompanyChange.ts"
import { Audiences } from "#layers/Audiences.ts"
import { inTransaction } from "#layers/database/Transactions.ts"
import { PlaybookStore } from "#layers/playbooks/Store.ts"
import { Onboarding } from "#layers/workspaces/Onboarding.ts"
import { traced } from "#layers/lib/Traced.ts"
import type { AssetOption, AssetType } from "#schema/Assets.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import type { AudienceInput } from "#schema/Audiences.ts"
import type { SelectionInput } from "#schema/Build.ts"
import type { BuildStatus } from "#schema/BuildStatus.ts"
import { BadRequest, NotReady } from "#schema/Errors.ts"

/** BAD_REQUEST for edits of options that are not selected. Needs only the body. */
const checkEdits = ({ edited_descriptions, edited_names, selected_ids }: SelectionInput) => {
  for (const [field, edits] of Object.entries({ edited_names, edited_descriptions })) {
    const unknownId = Object.keys(edits ?? {}).find((id) => !selected_ids.includes(id))
    if (unknownId !== undefined)
      return Effect.fail(BadRequest.at(`${field}.${unknownId}`, "is not one of selected_ids"))
  }
  return Effect.void
}

/** The selected options with their edits, in the order of selection, without duplicates. */
const resolveSelection = (
  type: AssetType,
  options: ReadonlyArray<AssetOption>,
  input: SelectionInput
): Effect.Effect<ReadonlyArray<AssetOption>, BadRequest> => {
  const ids = [...new Set(input.selected_ids)]
  const byId = new Map(options.map((option) => [option.id, option]))
  const unknown_ids = ids.filter((id) => !byId.has(id))
  if (unknown_ids.length > 0) {
    const message = `selected_ids: ${unknown_ids.length} of these are not among the options of ${type}`
    return Effect.fail(new BadRequest({ message, detail: { unknown_ids } }))
  }
  const names = input.edited_names ?? {}
  const descriptions = input.edited_descriptions ?? {}
  const selectedOptions = ids.flatMap((id) => {
    const option = byId.get(id)
    if (option === undefined) return []
    return [{ ...option, name: names[id] ?? option.name, description: descriptions[id] ?? option.description }]
  })
  return Effect.succeed(selectedOptions)
}

export class Steps extends Context.Service<
  Steps,
  {
    readonly getStatus: (workspace: WorkspaceId, id: string) => Effect.Effect<BuildStatus, NotVisible>
    /** Links the saved segment with the id `input.id`, or a custom one, and starts its research. Idempotent. */
    readonly setAudience: (
      workspace: WorkspaceId,
      id: string,
      input: AudienceInput
    ) => Effect.Effect<{ readonly job: string; readonly target_audience_id: string }, NotVisible>
    readonly listOptions: (
      workspace: WorkspaceId,
      id: string,
      type: AssetType
    ) => Effect.Effect<{ readonly ready: boolean; readonly options: ReadonlyArray<AssetOption> }, NotVisible>
    /** Stores a selection. Value propositions start the build, whose job id is `job`. */
    readonly select: (
      workspace: WorkspaceId,
      id: string,
      type: AssetType,
      input: SelectionInput
    ) => Effect.Effect<
      { readonly items_stored: number; readonly job: string | undefined },
      NotVisible | BadRequest | NotReady
    >
    /** Starts generating value propositions. Returns the id of the new job, or of the one in progress. */
    readonly propose: (workspace: WorkspaceId, id: string) => Effect.Effect<string, NotVisible | NotReady>
  }
>()("overture/layers/campaigns/Steps") {
  static readonly layer = Layer.effect(
    Steps,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const assets = yield* Assets
      const audiences = yield* Audiences
      const store = yield* CampaignStore
      const onboarding = yield* Onboarding
      const playbooks = yield* PlaybookStore
      const findCompanyChange = yield* makeFindCompanyChange

      return Steps.of({
        getStatus: traced("Steps.status")(function* (workspace, id) {
          const state = yield* store.find(workspace, id)
          const missing = yield* playbooks.findMissing(state)
          const company_changed = yield* findCompanyChange(workspace, id)
          return {
            campaign_id: id,
            overall: overallStatus(state),
            stages: stageStatuses(state, yield* store.findSelections(workspace, id)),
            ...(company_changed && { company_changed }),
            ...(missing && { missing })
          }
        }),

        setAudience: traced("Steps.setAudience")(function* (workspace, id, input) {
          const state = yield* store.find(workspace, id)
          const audience =
            typeof input.id === "string"
              ? yield* audiences.update(workspace, input.id, input)
              : yield* audiences.saveCustom(workspace, input)
          const target_audience_id = audience.id
          const isSameAudience = Equal.equals(yield* linkedAudience(state), audience)
          if (isSameAudience && state.research_job !== null && state.research !== "failed") {
            return { job: state.research_job, target_audience_id }
          }
          yield* store.update(state, { target_audience_id, audience: JSON.stringify(audience) })
          yield* store.reopen(state)
          return { job: yield* store.startWork(state, "research", "campaign.target_audience"), target_audience_id }
        }, inTransaction(sql)),

        listOptions: traced("Steps.options")(function* (workspace, id, type) {
          const state = yield* store.find(workspace, id)
          const isReady =
            type === "value_proposition"
              ? state.options === "ready"
              : (yield* onboarding.findReady(workspace)).has("company_summary")
          return { ready: isReady, options: isReady ? yield* assets.options(workspace, id, type) : [] }
        }),

        select: traced("Steps.select")(function* (workspace, id, type, input) {
          const isValueProposition = type === "value_proposition"
          if (isValueProposition && input.selected_ids.length === 0) {
            return yield* BadRequest.at("selected_ids", "choose at least one value proposition")
          }
          yield* checkEdits(input)
          const state = yield* store.find(workspace, id)
          if (
            isValueProposition &&
            (state.options !== "ready" || state.research === "failed" || state.audience === null)
          ) {
            return yield* new NotReady({
              message:
                state.options === "ready"
                  ? "The target audience has to be submitted again first"
                  : "Value propositions have to be generated first"
            })
          }
          const items = yield* resolveSelection(type, yield* assets.options(workspace, id, type), input)
          const details = input.additional_details ?? null
          const { build, build_job, selected } = state
          const isBuildCurrent = isValueProposition && selected && build !== "failed" && build_job !== null
          const force = isValueProposition && !isBuildCurrent
          const items_stored = items.length
          const hasChanged = yield* store.saveSelection(state, type, { items, details, force })
          if (!hasChanged) return { items_stored, job: isBuildCurrent ? build_job : undefined }
          if (!isValueProposition) {
            yield* store.reopen(state)
            return { items_stored, job: undefined }
          }
          yield* store.update(state, { selected: 1 })
          return { items_stored, job: yield* store.startWork(state, "build", "campaign.build") }
        }, inTransaction(sql)),

        propose: traced("Steps.propose")(function* (workspace, id) {
          const state = yield* store.find(workspace, id)
          const missing = missingSteps(state, yield* store.findSelections(workspace, id))
          if (missing.length > 0) {
            return yield* new NotReady({
              message: "Submit the steps in detail.missing before value propositions are generated",
              detail: { missing }
            })
          }
          if (state.options === "processing" && state.options_job !== null) return state.options_job
          yield* store.reopen(state)
          return yield* store.startWork(state, "options", "campaign.value_propositions")
        }, inTransaction(sql))
      })
    })
  )
}
