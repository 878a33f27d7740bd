// test/machine/Seen.ts: what a command is about: something of the caller's own, of the other's, gone, or nothing.
import { unknownId } from "#test/support/endpoints.ts"
import { type Expected, forbidden, notFound } from "./Call.ts"
import type { On } from "./Commands.ts"
import { type Campaign, overall, type Workspace, type World } from "./Model.ts"

export const pick = <A>(all: ReadonlyArray<A>, at: number): A | undefined => all[all.length - 1 - (at % all.length)]

interface Seen<A> {
  readonly id: string
  /**
   * The resource with this id, or the expected refusal, at the time when the request is sent, which may be repeated later.
   */
  readonly now: () => { readonly found: A | undefined; readonly refusal: Expected }
}

export const seen = <A extends { readonly id: string }>(
  { at, of }: On,
  own: ReadonlyArray<A>,
  foreign: ReadonlyArray<A>,
  gone: ReadonlyArray<string>,
  ofForeign: Expected,
  isFar: (one: A) => boolean
): Seen<A> => {
  const mine = (of === "best" ? own.findLast(isFar) : undefined) ?? pick(own, at)
  const named = of === "own" || of === "best" ? mine?.id : of === "foreign" ? pick(foreign, at)?.id : undefined
  const id = named ?? (of === "nonsense" ? "42" : of === "gone" ? (pick(gone, at) ?? unknownId) : unknownId)
  return {
    id,
    now: () => ({
      found: own.find((one) => one.id === id),
      refusal: foreign.some((one) => one.id === id) ? ofForeign : notFound
    })
  }
}

export const parties = (world: World, who: number): readonly [Workspace, Workspace] => {
  const [a, b] = world.workspaces
  return who === 0 ? [a, b] : [b, a]
}

/** Far enough to be written from, now or when its build is done. */
export const isFar = (campaign: Campaign) => ["building", "ready"].includes(overall(campaign))

export const seenCampaign = (world: World, who: number, on: On) => {
  const [own, other] = parties(world, who)
  return seen(on, own.campaigns, other.campaigns, own.goneCampaigns, forbidden, isFar)
}

/** An id as a path has it: where the body is refused for its form, one whose own form is right. */
export const placeOf = (id: string, malformed: boolean) => (malformed && id === "42" ? unknownId : id)
