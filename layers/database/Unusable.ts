// layers/database/Unusable.ts: why a store cannot be used.
import { Schema } from "effect"

/** The store cannot be used; the message says what to do. */
export class StoreUnusable extends Schema.TaggedError<StoreUnusable>()("StoreUnusable", { message: Schema.String }) {}
