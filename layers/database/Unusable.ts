// layers/database/Unusable.ts: why a store cannot be used.
import { Schema } from "effect"

/** The store cannot be used; the message says what to do. */
export class StoreUnusable extends Schema.TaggedError<StoreUnusable>()("StoreUnusable", { message: Schema.String }) {}

export const cannotOpen = (filename: string) => (error: { readonly message: string }) =>
  new StoreUnusable({ message: `The store at ${filename} cannot be opened: ${error.message}` })
