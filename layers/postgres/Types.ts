// layers/postgres/Types.ts: rows read as SQLite reads them: every whole number, sums and counts too, is a `number`.
import { PgTypes } from "@effect/sql-pg"
import { Result } from "effect"

const asNumber = (oid: number, encodable: (value: number | bigint) => unknown): PgTypes.Codec<number | bigint> => ({
  encode: (value) =>
    Result.mapError(PgTypes.encode(encodable(value), oid), ({ message }) => new PgTypes.CodecError({ message })),
  decode: (bytes) => Result.map(PgTypes.decode(bytes, oid, 1), Number)
})

export const types = PgTypes.makeRegistry()
types.register(PgTypes.OID.int8, asNumber(PgTypes.OID.int8, BigInt))
// A sum of BIGINTs.
types.register(PgTypes.OID.numeric, asNumber(PgTypes.OID.numeric, String))
