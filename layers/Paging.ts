// layers/Paging.ts: a page of a collection, and the size of the whole of it at the same moment.
import { Effect, Schema } from "effect"
import type { Page } from "#schema/Page.ts"

const Counted = Schema.decodeUnknownEffect(Schema.Struct({ total: Schema.Int }))

/**
 * Reads both by one statement, each row of which tells the `total` beside its own fields. A page past the end has no row
 * to tell it, and leaves it to the first of the collection.
 */
export const paging = <Item extends Schema.Constraint, Request extends Page, E, R>(
  item: Item,
  execute: (request: Request) => Effect.Effect<ReadonlyArray<unknown>, E, R>
) => {
  const decode = Schema.decodeUnknownEffect(Schema.Array(item))
  return Effect.fnUntraced(function* (request: Request) {
    const found = yield* execute(request)
    const rows = yield* decode(found)
    const [first] =
      found.length > 0 || request.offset === 0 ? found : yield* execute({ ...request, limit: 1, offset: 0 })
    return { rows, total: first === undefined ? 0 : (yield* Counted(first)).total }
  })
}
