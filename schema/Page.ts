// schema/Page.ts: pagination: the query of a page, and the fields that every page of rows has.
import { Effect, Schema, SchemaGetter } from "effect"

/** Digits with an optional sign, as in a query: `""`, `5.0`, `0x10` and `abc` are invalid. OpenAPI shows an integer. */
const Digits = (description: string, shown: { minimum: number; maximum?: number; default?: number }) =>
  Schema.String.check(
    Schema.isPattern(/^[+-]?\d+$/, {
      message: "must be a whole number",
      toJsonSchema: () => ({ type: "integer", ...shown })
    })
  ).annotate({ description })

const toInt = (read: (text: string) => number) => ({
  decode: SchemaGetter.transform(read),
  encode: SchemaGetter.transform((n: number) => String(n))
})

/** Clamps a number to its bounds. */
const clamp = (least: number, maximum: number) => (text: string) => Math.min(Math.max(Number(text), least), maximum)

/** A positive whole number in a query. */
export const PositiveInt = (description: string) =>
  Digits(description, { minimum: 1 }).pipe(
    Schema.decodeTo(Schema.Int, toInt(Number)),
    Schema.check(Schema.isGreaterThanOrEqualTo(1, { message: "must be at least 1" }))
  )

const Limit = Digits("Rows a page; what is beyond the bounds is brought within them", {
  minimum: 1,
  maximum: 100,
  default: 50
}).pipe(Schema.decodeTo(Schema.Int, toInt(clamp(1, 100))))

const Offset = Digits("Rows to pass over", { minimum: 0, default: 0 }).pipe(
  Schema.decodeTo(Schema.Int, toInt(clamp(-1, Number.MAX_SAFE_INTEGER))),
  Schema.check(Schema.isGreaterThanOrEqualTo(0, { message: "must not be negative" }))
)

export const PageQuery = {
  limit: Limit.pipe(Schema.withDecodingDefaultTypeKey(Effect.succeed(50))),
  offset: Offset.pipe(Schema.withDecodingDefaultTypeKey(Effect.succeed(0)))
}
const PageStruct = Schema.Struct(PageQuery)
export type Page = typeof PageStruct.Type

/** One page of rows and the size of the whole filtered collection. */
export interface Rows<A> {
  readonly rows: ReadonlyArray<A>
  readonly total: number
}

/** The position of a page in its collection. */
export const pageFields = {
  has_more: Schema.Boolean.annotate({ description: "Whether rows follow this page", examples: [false] }),
  total: Schema.Int.annotate({ description: "Rows in the whole collection, as it was filtered", examples: [1] })
}

/** A page as the specification has it, for its own collections. */
export const paged = <S extends Schema.Top>(title: string, item: S) =>
  Schema.Struct({ data: Schema.Array(item), ...pageFields }).annotate({ title, description: "A page" })

/** A page of any collection that is not in the specification. */
export const positionedPage = <S extends Schema.Top>(title: string, item: S) =>
  Schema.Struct({
    data: Schema.Array(item),
    ...pageFields,
    limit: Schema.Int.annotate({ description: "Rows that a page has at most", examples: [50] }),
    offset: Schema.Int.annotate({ description: "Rows before this page", examples: [0] })
  }).annotate({ title, description: "A page" })

export const pageFieldsOf = ({ total }: Rows<unknown>, { limit, offset }: Page) => ({
  has_more: offset + limit < total,
  total
})

/** The answer with a `positionedPage`. */
export const positioned = <A>(page: Rows<A>, query: Page) => ({
  data: page.rows,
  ...pageFieldsOf(page, query),
  limit: query.limit,
  offset: query.offset
})
