// layers/database/StoreUnusable.ts: the error of a database that cannot be used.
import { Schema } from "effect"

/** The database cannot be used. The message tells how to fix it. */
export class StoreUnusable extends Schema.TaggedError<StoreUnusable>()("StoreUnusable", { message: Schema.String }) {}

/** SQLite reports a full disk as an I/O error when it creates its files. */
const unusableHint = (message: string) =>
  /disk I\/O error|disk is full/.test(message) ? ". The disk may be full or failing: check its free space" : ""

export const cannotOpen =
  (filename: string) =>
  ({ message }: { readonly message: string }) =>
    new StoreUnusable({ message: `The store at ${filename} cannot be opened: ${message}${unusableHint(message)}` })
