// test/machine/Audience.ts: the target audiences that a campaign may be given.
import { unknownId } from "#test/support/endpoints.ts"
import type { CommandOf } from "./Commands.ts"
import type { Segment, World } from "./Model.ts"
import { ownAndOther } from "./Lookup.ts"

/** The request body for a target audience, and `save`, which updates the model and returns the segment, if there is one. */
export const audienceOf = (world: World, caller: number, kind: CommandOf<"target">["audience"]) => {
  const [ownWorkspace, otherWorkspace] = ownAndOther(world, caller)
  const [first, second] = ownWorkspace.segments
  const savedSegment = (segment: Segment | undefined, change: Partial<Segment> = {}) => ({
    body: { target_audience: { id: segment?.id, segment_name: segment?.segment_name, ...change } },
    save: (): Segment | undefined => {
      const index = ownWorkspace.segments.findIndex(({ id }) => id === segment?.id)
      const segmentBefore = ownWorkspace.segments[index]
      if (segmentBefore === undefined) return undefined
      const segmentAfter = { ...segmentBefore, ...change }
      ownWorkspace.segments[index] = segmentAfter
      return segmentAfter
    }
  })
  switch (kind) {
    case "first":
      return savedSegment(first)
    case "second":
      return savedSegment(second)
    case "described":
      return savedSegment(first, { company_size: first?.company_size === "50" ? "60" : "50" })
    case "custom":
      return {
        body: { target_audience: { segment_name: "Own", company_size: "7" }, is_custom_target_audience: true },
        save: () => ({ id: "custom", segment_name: "Own", company_size: "7" })
      }
    case "foreign":
      return savedSegment(otherWorkspace.segments[0])
    case "unknown":
      return savedSegment(first === undefined ? undefined : { ...first, id: unknownId })
    case "nameless":
      return { ...savedSegment(first, { segment_name: " " }), malformed: true }
    case "no id":
      return {
        body: { target_audience: { segment_name: "Own" } },
        malformed: true,
        anonymous: true,
        save: () => undefined
      }
    case "none":
      return { body: {}, malformed: true, save: () => undefined }
  }
}
