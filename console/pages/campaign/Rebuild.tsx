// console/pages/campaign/Rebuild.tsx: detects that a campaign is older than the profile, and rebuilds it.
import { Effect } from "effect"
import type { AssetOption } from "#schema/Assets.ts"
import { Problem } from "#console/Api.ts"
import { type ActionState, pollJobUntilDone, useRequest, useAction } from "#console/Requests.ts"
import type { CampaignOverview } from "#console/pages/campaign/CampaignOverview.ts"
import { ActionButton } from "#console/parts/ActionButton.tsx"
import { RequireScope } from "#console/parts/RequireScope.tsx"
import { ProblemNotice } from "#console/parts/Notices.tsx"
import { withFinalPeriod } from "#console/parts/Format.ts"
import { navigate, routeTo } from "#console/Route.ts"
import { type Session, useSession } from "#console/Session.tsx"

const type = "value_proposition"

/** Whether the profile or the workspace's documents have changed since the campaign was built from them. */
const useOutdated = ({ entry: { id }, status: { overall } }: CampaignOverview) => {
  const { reload, ...documents } = useRequest(
    (api) =>
      Effect.all([api.workspace.listWorkspaceDocuments(), api.campaigns.listCampaignDocuments({ params: { id } })]),
    [id, overall]
  )
  const isOutdated =
    documents.state === "loaded" && documents.value.some(({ documents }) => documents.some(({ outdated }) => outdated))
  return { reload, isOutdated }
}

const settle = async ({ callApi }: Session, job: string, otherwise: string) => {
  const { error } = await callApi(pollJobUntilDone(job))
  if (error !== null) throw new Problem("REBUILD_FAILED", `${otherwise}: ${withFinalPeriod(error)}`)
}

/** The saved selection in terms of the new options; undefined if nothing was selected or a selected option no longer exists. */
const sameChoice = (
  { chosen }: CampaignOverview,
  previousOptions: ReadonlyArray<AssetOption>,
  options: ReadonlyArray<AssetOption>
) => {
  const selection = chosen.selections[type]
  const items = selection?.items ?? []
  const pairs = items.flatMap((item) => {
    const old = previousOptions.find(({ id }) => id === item.id) ?? item
    const option = options.find(({ description }) => description === old.description)
    return option === undefined ? [] : [{ item, option }]
  })
  if (items.length === 0 || pairs.length < items.length) return undefined
  const edits = (field: "name" | "description") =>
    Object.fromEntries(
      pairs.flatMap(({ item, option }) => (item[field] === option[field] ? [] : [[option.id, item[field]]]))
    )
  const details = selection?.additional_details ?? ""
  return {
    selected_ids: pairs.map(({ option }) => option.id),
    edited_names: edits("name"),
    edited_descriptions: edits("description"),
    ...(details === "" ? {} : { additional_details: details })
  }
}

/** Regenerates the documents and value propositions, then builds with the same selection if all its options still exist. */
const rebuild = async (session: Session, overview: CampaignOverview): Promise<"built" | "open"> => {
  const { callApi } = session
  const { id } = overview.entry
  const params = { id, type } as const
  const documents = await callApi((api) => api.workspace.regenerate())
  await settle(session, documents.id, "The documents of the workspace could not be regenerated")
  const { before, job } = await callApi((api) =>
    Effect.gen(function* () {
      const { options } = yield* api.build.listAssetOptions({ params })
      const { id: job } = yield* api.build.generateValuePropositions({ params: { id }, headers: {} })
      return { before: options, job }
    })
  )
  await settle(session, job, "The value propositions could not be made")
  const { options } = await callApi((api) => api.build.listAssetOptions({ params }))
  const payload = sameChoice(overview, before, options)
  if (payload === undefined) return "open"
  await callApi((api) => api.build.selectAssets({ params, headers: {}, payload }))
  return "built"
}

export interface Rebuild extends ActionState {
  readonly isOutdated: boolean
}

export const useRebuild = (overview: CampaignOverview, reload: () => void): Rebuild => {
  const session = useSession()
  const outdated = useOutdated(overview)
  const rebuildAction = useAction(async () => {
    const { id } = overview.entry
    const outcome = await rebuild(session, overview).finally(outdated.reload)
    reload()
    // Does not navigate if the user has left the page meanwhile.
    if (outcome === "open" && location.hash === routeTo("campaigns", id)) navigate("campaigns", id, "build", type)
  })
  return { ...rebuildAction, isOutdated: overview.status.overall === "ready" && outdated.isOutdated }
}

interface Props {
  readonly action: ActionState
}

export const RebuildButton = ({ action }: Props) => (
  <ActionButton action={action} busyLabel="Rebuilding…" onClick={action.start}>
    Rebuild
  </ActionButton>
)

export const OutdatedNote = ({ action }: Props) => (
  <div class="note" role="status">
    <p>
      <span class="strong">Out of date.</span> The profile or its documents have changed since this campaign was built.
      Rebuilding regenerates the documents and value propositions. Edited emails stay, and so do chosen propositions
      that are made again.
    </p>
    <RequireScope scope="campaigns:write">
      <div class="actions">
        <RebuildButton action={action} />
      </div>
    </RequireScope>
    {action.problem && <ProblemNotice problem={action.problem} title="The campaign could not be rebuilt" />}
  </div>
)
