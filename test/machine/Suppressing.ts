// test/machine/Suppressing.ts: requests that change whom a workspace never writes to.
import { assert } from "@effect/vitest"
import { unknownId } from "#test/support/endpoints.ts"
import { type Call, keyed, notFound, ok } from "./Call.ts"
import type { Of } from "./Commands.ts"
import { addressOf, type World } from "./Model.ts"
import { parties } from "./Seen.ts"

const valueOf = (lead: Of<"suppress">["lead"]) => (lead === "all" ? "lead.example" : addressOf(lead))

export const suppress = (world: World, { key, lead, who }: Of<"suppress">): Call => {
  const [{ suppressed }] = parties(world, who)
  const value = valueOf(lead)
  return {
    who,
    method: "POST",
    path: "/suppressions",
    body: { entries: [{ value: value.toUpperCase() }] },
    key: keyed(key),
    expect: () => {
      const added = suppressed.has(value) ? 0 : 1
      if (added === 1) suppressed.set(value, "")
      return ok(200, (body) => assert.deepStrictEqual(body, { added, already: 1 - added }))
    }
  }
}

export const unsuppress = (world: World, { lead, who }: Of<"unsuppress">): Call => {
  const [{ suppressed }] = parties(world, who)
  const value = valueOf(lead)
  const id = suppressed.get(value) ?? unknownId
  return {
    who,
    method: "DELETE",
    path: `/suppressions/${id}`,
    expect: () =>
      suppressed.delete(value) ? ok(200, (body) => assert.deepStrictEqual(body, { id, deleted: true })) : notFound
  }
}
