// src/http/Envelope.ts: an error of the contract as an answer, where no endpoint is there to write it.
import { Effect, Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import { BadRequest, Forbidden, InternalError, NotFound, RateLimited } from "#schema/Errors.ts"

const Refusal = Schema.Union([BadRequest, Forbidden, NotFound, RateLimited, InternalError])

const written = HttpServerResponse.schemaJson(Refusal)

export const envelope = (status: number, error: typeof Refusal.Type) => Effect.orDie(written(error, { status }))
