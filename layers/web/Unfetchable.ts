// layers/web/Unfetchable.ts: why a page could not be had, in words for whoever asked for it.
import { Schema } from "effect"

export class Unfetchable extends Schema.TaggedError<Unfetchable>()("Unfetchable", { message: Schema.String }) {}
