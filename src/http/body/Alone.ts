// src/http/body/Alone.ts: schemas of the contract as what they are: read and written without a service.
import type { Schema } from "effect"

/** No endpoint asks for a service to be read, or to be written where it succeeds; the type of any schema cannot say so. */
export const asPlainCodec = (schema: Schema.Top) => schema as unknown as Schema.Codec<unknown, unknown>
