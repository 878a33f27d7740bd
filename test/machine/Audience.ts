// test/machine/Audience.ts: the target audiences that a campaign may be given.
import { unknownId } from "#test/support/endpoints.ts"
import type { CommandOf } from "./Commands.ts"
import type { Segment, World } from "./Model.ts"
import { ownAndOther } from "./Lookup.ts"

/** A segment as it is sent, and the saved one it then is; nothing where there is none to be. */
export const audienceOf = (world: World, caller: number, kind: CommandOf<"target">["audience"]) => {
  const [own, other] = ownAndOther(world, caller)
  const [first, second] = own.segments
  const saved = (segment: Segment | undefined, change: Partial<Segment> = {}) => ({
    body: { target_audience: { id: segment?.id, segment_name: segment?.segment_name, ...change } },
    save: (): Segment | undefined => {
      const at = own.segments.findIndex(({ id }) => id === segment?.id)
      const before = own.segments[at]
      if (before === undefined) return undefined
      const after = { ...before, ...change }
      own.segments[at] = after
      return after
    }
  })
  switch (kind) {
    case "first":
      return saved(first)
    case "second":
      return saved(second)
    case "described":
      return saved(first, { company_size: first?.company_size === "50" ? "60" : "50" })
    case "custom":
      return {
        body: { target_audience: { segment_name: "Own", company_size: "7" }, is_custom_target_audience: true },
        save: () => ({ id: "custom", segment_name: "Own", company_size: "7" })
      }
    case "foreign":
      return saved(other.segments[0])
    case "unknown":
      return saved(first === undefined ? undefined : { ...first, id: unknownId })
    case "nameless":
      return { ...saved(first, { segment_name: " " }), malformed: true }
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
