// test/machine/Lookup.ts: resolves a command's reference to the caller's own resource, the other workspace's, a deleted or an unknown one.
import { unknownId } from "#test/support/endpoints.ts"
import { type Expected, forbidden, notFound } from "./Call.ts"
import type { ResourceRef } from "./Commands.ts"
import { type Campaign, campaignStatus, type Workspace, type World } from "./Model.ts"

export const nthNewest = <A>(resources: ReadonlyArray<A>, index: number): A | undefined =>
  resources[resources.length - 1 - (index % resources.length)]

interface Lookup<A> {
  readonly id: string
  /** The resource with this id, or the expected refusal. Called when the request is sent, as the resource may be gone by then. */
  readonly resolve: () => { readonly found: A | undefined; readonly refusal: Expected }
}

export const lookUp = <A extends { readonly id: string }>(
  { index, which }: ResourceRef,
  ownResources: ReadonlyArray<A>,
  otherResources: ReadonlyArray<A>,
  deletedIds: ReadonlyArray<string>,
  foreignRefusal: Expected,
  isPreferred: (resource: A) => boolean
): Lookup<A> => {
  const chosen = (which === "best" ? ownResources.findLast(isPreferred) : undefined) ?? nthNewest(ownResources, index)
  const chosenId =
    which === "own" || which === "best"
      ? chosen?.id
      : which === "foreign"
        ? nthNewest(otherResources, index)?.id
        : undefined
  const id =
    chosenId ??
    (which === "nonsense" ? "42" : which === "gone" ? (nthNewest(deletedIds, index) ?? unknownId) : unknownId)
  return {
    id,
    resolve: () => ({
      found: ownResources.find((resource) => resource.id === id),
      refusal: otherResources.some((resource) => resource.id === id) ? foreignRefusal : notFound
    })
  }
}

export const ownAndOther = (world: World, caller: number): readonly [Workspace, Workspace] => {
  const [a, b] = world.workspaces
  return caller === 0 ? [a, b] : [b, a]
}

/** Whether emails can be written for the campaign, now or once its build is done. */
export const canWriteFrom = (campaign: Campaign) => ["building", "ready"].includes(campaignStatus(campaign))

export const lookUpCampaign = (world: World, caller: number, ref: ResourceRef) => {
  const [ownWorkspace, otherWorkspace] = ownAndOther(world, caller)
  return lookUp(
    ref,
    ownWorkspace.campaigns,
    otherWorkspace.campaigns,
    ownWorkspace.deletedCampaignIds,
    forbidden,
    canWriteFrom
  )
}

/** The id for a path. A request with an invalid body gets a valid id, so that only the body is at fault. */
export const pathId = (id: string, malformed: boolean) => (malformed && id === "42" ? unknownId : id)
