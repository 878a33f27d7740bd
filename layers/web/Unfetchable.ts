// layers/web/Unfetchable.ts: the error of a page that could not be fetched, worded for users.
import { Schema } from "effect"

export class Unfetchable extends Schema.TaggedError<Unfetchable>()("Unfetchable", { message: Schema.String }) {}
