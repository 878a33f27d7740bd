// schema/Page.ts: pages of a collection: what a caller asks for, and what every collection answers beside its rows.
import { Effect, Schema, SchemaGetter } from "effect"

/** Digits with an optional sign, as a query holds them: `""`, `5.0`, `0x10` and `abc` are no whole numbers. */
const Digits = Schema.String.check(Schema.isPattern(/^[+-]?\d+$/, { message: "must be a whole number" }))

const whole = (read: (text: string) => number) =>
  Digits.pipe(
    Schema.decodeTo(Schema.Int, {
      decode: SchemaGetter.transform(read),
      encode: SchemaGetter.transform((n: number) => String(n))
    })
  )

/** Past its bounds a number means the bound, however large it is. */
const within = (least: number, most: number) => (text: string) => Math.min(Math.max(Number(text), least), most)

/** A positive whole number in a query. */
export const PositiveInt = whole(Number).check(Schema.isGreaterThanOrEqualTo(1, { message: "must be at least 1" }))

const Limit = whole(within(1, 100))
const Offset = whole(within(-1, Number.MAX_SAFE_INTEGER)).check(
  Schema.isGreaterThanOrEqualTo(0, { message: "must not be negative" })
)

export const PageQuery = {
  /** Rows a page, brought into 1 to 100; 50 unless said. */
  limit: Limit.pipe(Schema.withDecodingDefaultTypeKey(Effect.succeed(50))),
  /** Rows passed over; 0 unless said. */
  offset: Offset.pipe(Schema.withDecodingDefaultTypeKey(Effect.succeed(0)))
}
const PageStruct = Schema.Struct(PageQuery)
export type Page = typeof PageStruct.Type

/** One page of rows and the size of the whole filtered collection. */
export interface Rows<A> {
  readonly rows: ReadonlyArray<A>
  readonly total: number
}

/** Where a page stands in its collection. */
export const position = { has_more: Schema.Boolean, total: Schema.Int }

export const paged = <S extends Schema.Top>(item: S) => Schema.Struct({ data: Schema.Array(item), ...position })

export const positionOf = ({ total }: Rows<unknown>, { limit, offset }: Page) => ({
  has_more: offset + limit < total,
  total
})
