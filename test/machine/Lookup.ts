// test/machine/Lookup.ts: finds the resource that a command names: the caller's own, the other workspace's, a deleted one or none.
import { unknownId } from "#test/support/endpoints.ts"
import { type Expected, forbidden, notFound } from "./Call.ts"
import type { Subject } from "./Commands.ts"
import { type Campaign, overall, type Workspace, type World } from "./Model.ts"

export const pick = <A>(all: ReadonlyArray<A>, at: number): A | undefined => all[all.length - 1 - (at % all.length)]

interface Lookup<A> {
  readonly id: string
  /**
   * The resource with this id, or the expected refusal, at the time when the request is sent, which may be repeated later.
   */
  readonly now: () => { readonly found: A | undefined; readonly refusal: Expected }
}

export const lookUp = <A extends { readonly id: string }>(
  { at, of }: Subject,
  own: ReadonlyArray<A>,
  foreign: ReadonlyArray<A>,
  gone: ReadonlyArray<string>,
  foreignRefusal: Expected,
  isFar: (one: A) => boolean
): Lookup<A> => {
  const chosen = (of === "best" ? own.findLast(isFar) : undefined) ?? pick(own, at)
  const chosenId = of === "own" || of === "best" ? chosen?.id : of === "foreign" ? pick(foreign, at)?.id : undefined
  const id = chosenId ?? (of === "nonsense" ? "42" : of === "gone" ? (pick(gone, at) ?? unknownId) : unknownId)
  return {
    id,
    now: () => ({
      found: own.find((one) => one.id === id),
      refusal: foreign.some((one) => one.id === id) ? foreignRefusal : notFound
    })
  }
}

export const ownAndOther = (world: World, caller: number): readonly [Workspace, Workspace] => {
  const [a, b] = world.workspaces
  return caller === 0 ? [a, b] : [b, a]
}

/** Far enough to be written from, now or when its build is done. */
export const isFar = (campaign: Campaign) => ["building", "ready"].includes(overall(campaign))

export const lookUpCampaign = (world: World, caller: number, on: Subject) => {
  const [own, other] = ownAndOther(world, caller)
  return lookUp(on, own.campaigns, other.campaigns, own.goneCampaigns, forbidden, isFar)
}

/** An id as a path has it: where the body is refused for its form, one whose own form is right. */
export const pathId = (id: string, malformed: boolean) => (malformed && id === "42" ? unknownId : id)
