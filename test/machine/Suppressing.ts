// test/machine/Suppressing.ts: requests that add and remove suppressions.
import { assert } from "@effect/vitest"
import { unknownId } from "#test/support/endpoints.ts"
import { type Call, idempotencyKey, notFound, ok } from "./Call.ts"
import type { CommandOf } from "./Commands.ts"
import { addressOf, company, leadsIn, type World } from "./Model.ts"
import { ownAndOther } from "./Lookup.ts"

/** The entry to send and its stored value: an address, or the domain or the company of all leads. */
const entryOf = (lead: CommandOf<"suppress">["lead"]) => {
  if (lead === "company") return { value: company, entry: { value: "The North GmbH", kind: "company" } }
  const value = lead === "all" ? "lead.example" : addressOf(lead)
  return { value, entry: { value: value.toUpperCase() } }
}

export const suppress = (world: World, { key, lead, caller }: CommandOf<"suppress">): Call => {
  const [{ lists, suppressionIds }] = ownAndOther(world, caller)
  const { entry, value } = entryOf(lead)
  return {
    caller,
    method: "POST",
    path: "/suppressions",
    body: { entries: [entry] },
    key: idempotencyKey(key),
    expect: () => {
      const added = suppressionIds.has(value) ? 0 : 1
      if (added === 1) suppressionIds.set(value, "")
      const exportedListIds = lists.flatMap((list) =>
        leadsIn(list).some(({ exportedAt, position }) => exportedAt !== null && addressOf(position) === value)
          ? [list.id]
          : []
      )
      return ok(200, ({ exported_lists = [], ...counts }) => {
        assert.deepStrictEqual(counts, { added, already: 1 - added })
        assert.sameMembers(
          exported_lists.map(({ id }: { readonly id: string }) => id),
          exportedListIds
        )
      })
    }
  }
}

export const unsuppress = (world: World, { lead, caller }: CommandOf<"unsuppress">): Call => {
  const [{ suppressionIds }] = ownAndOther(world, caller)
  const { value } = entryOf(lead)
  const id = suppressionIds.get(value) ?? unknownId
  return {
    caller,
    method: "DELETE",
    path: `/suppressions/${id}`,
    expect: () =>
      suppressionIds.delete(value) ? ok(200, (body) => assert.deepStrictEqual(body, { id, deleted: true })) : notFound
  }
}
