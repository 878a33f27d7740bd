// layers/database/StoreUnusable.ts: the error of a store that cannot be used.
import { Schema } from "effect"

/** The store cannot be used; the message says what to do. */
export class StoreUnusable extends Schema.TaggedError<StoreUnusable>()("StoreUnusable", { message: Schema.String }) {}

/** SQLite reports a full disk only as an I/O error when it creates its files at opening. */
const unusableHint = (message: string) =>
  /disk I\/O error|disk is full/.test(message) ? ". The disk may be full or failing: check its free space" : ""

export const cannotOpen =
  (filename: string) =>
  ({ message }: { readonly message: string }) =>
    new StoreUnusable({ message: `The store at ${filename} cannot be opened: ${message}${unusableHint(message)}` })
