// layers/web/Unfetchable.ts: why a page could not be fetched, in words for the user.
import { Schema } from "effect"

export class Unfetchable extends Schema.TaggedError<Unfetchable>()("Unfetchable", { message: Schema.String }) {}
