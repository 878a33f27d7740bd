// console/pages/campaign/Rebuild.tsx: whether a campaign is older than the profile, and its rebuild.
import { Effect } from "effect"
import type { AssetOption } from "#schema/Assets.ts"
import { Problem } from "#console/Api.ts"
import { type ActionState, settledJob, useRequest, useAction } from "#console/Requests.ts"
import type { CampaignOverview } from "#console/pages/campaign/CampaignOverview.ts"
import { ActionButton } from "#console/parts/ActionButton.tsx"
import { RequireScope } from "#console/parts/RequireScope.tsx"
import { ProblemNotice } from "#console/parts/Notices.tsx"
import { endedText } from "#console/parts/Format.ts"
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

const settle = async ({ ask }: Session, job: string, otherwise: string) => {
  const { error } = await ask(settledJob(job))
  if (error !== null) throw new Problem("REBUILD_FAILED", `${otherwise}: ${endedText(error)}`)
}

/** The choice among new options that equals the old one; undefined if nothing was chosen or if a chosen option is gone. */
const sameChoice = (
  { chosen }: CampaignOverview,
  before: ReadonlyArray<AssetOption>,
  options: ReadonlyArray<AssetOption>
) => {
  const selection = chosen.selections[type]
  const items = selection?.items ?? []
  const pairs = items.flatMap((item) => {
    const old = before.find(({ id }) => id === item.id) ?? item
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

/** Regenerates the documents, makes the value propositions again, and builds with the same ones where all are still there. */
const rebuild = async (session: Session, overview: CampaignOverview): Promise<"built" | "open"> => {
  const { ask } = session
  const { id } = overview.entry
  const params = { id, type } as const
  const documents = await ask((api) => api.workspace.regenerate())
  await settle(session, documents.id, "The documents of the workspace could not be regenerated")
  const { before, job } = await ask((api) =>
    Effect.gen(function* () {
      const { options } = yield* api.build.listAssetOptions({ params })
      const { id: job } = yield* api.build.generateValuePropositions({ params: { id }, headers: {} })
      return { before: options, job }
    })
  )
  await settle(session, job, "The value propositions could not be made")
  const { options } = await ask((api) => api.build.listAssetOptions({ params }))
  const payload = sameChoice(overview, before, options)
  if (payload === undefined) return "open"
  await ask((api) => api.build.selectAssets({ params, headers: {}, payload }))
  return "built"
}

export interface Rebuild extends ActionState {
  readonly isOutdated: boolean
}

export const useRebuild = (overview: CampaignOverview, reload: () => void): Rebuild => {
  const session = useSession()
  const outdated = useOutdated(overview)
  const doing = useAction(async () => {
    const { id } = overview.entry
    const outcome = await rebuild(session, overview).finally(outdated.reload)
    reload()
    // A person who went elsewhere meanwhile stays there.
    if (outcome === "open" && location.hash === routeTo("campaigns", id)) navigate("campaigns", id, "build", type)
  })
  return { ...doing, isOutdated: overview.status.overall === "ready" && outdated.isOutdated }
}

interface Props {
  readonly doing: ActionState
}

export const RebuildButton = ({ doing }: Props) => (
  <ActionButton doing={doing} busy="Rebuilding…" onClick={doing.start}>
    Rebuild
  </ActionButton>
)

export const OutdatedNote = ({ doing }: Props) => (
  <div class="note" role="status">
    <p>
      <span class="strong">Out of date.</span> The profile or its documents have changed since this campaign was built.
      Rebuilding regenerates the documents and value propositions. Edited emails stay, and so do chosen propositions
      that are made again.
    </p>
    <RequireScope scope="campaigns:write">
      <div class="actions">
        <RebuildButton doing={doing} />
      </div>
    </RequireScope>
    {doing.problem && <ProblemNotice problem={doing.problem} title="The campaign could not be rebuilt" />}
  </div>
)
