// src/doctor/Model.ts: whether the configured model answers a question, or which model servers this machine runs.
import { Context, Effect, Option, Schema } from "effect"
import type { Check } from "#layers/operations/Verify.ts"
import * as Client from "#layers/model/Client.ts"
import { probe } from "#layers/model/Probe.ts"
import { chosenModel } from "#src/settings/Services.ts"

interface LocalServer {
  readonly name: string
  readonly port: number
}

/** Default addresses of model servers. */
export const LocalServers = Context.Reference<ReadonlyArray<LocalServer>>("overture/src/doctor/LocalServers", {
  defaultValue: () => [
    { name: "Ollama", port: 11_434 },
    { name: "LM Studio", port: 1234 },
    { name: "llama.cpp", port: 8080 }
  ]
})

const Listed = Schema.Struct({ data: Schema.Array(Schema.Struct({ id: Schema.String })) })

/** The models of a server on this machine, if there is one that lists them. */
const listedAt = ({ name, port }: LocalServer) => {
  const url = `http://127.0.0.1:${port}/v1`
  return Effect.tryPromise((signal) => fetch(`${url}/models`, { signal }).then((answer) => answer.json())).pipe(
    Effect.timeout("2 seconds"),
    Effect.flatMap(Schema.decodeUnknownEffect(Listed)),
    Effect.map(({ data }) => ({ name, url, models: data.map(({ id }) => id) })),
    Effect.option
  )
}

const shown = 5

/** Nothing is configured: the rules write, and a server that is found is offered. */
const local = Effect.gen(function* () {
  const servers = yield* LocalServers
  const found = yield* Effect.forEach(servers, listedAt, { concurrency: "unbounded" })
  const offers = found.flatMap(Option.toArray).map(({ models, name, url }) => {
    const [first] = models
    return first === undefined
      ? `${name} runs at ${url} without a model.`
      : `${name} runs at ${url} with ${models.slice(0, shown).join(", ")}: to use it, set OVERTURE_GENERATOR=openai, OPENAI_BASE_URL=${url} and OVERTURE_MODEL=${first}.`
  })
  const nothing = `No model server was found on the ports ${servers.map(({ port }) => port).join(", ")}.`
  return ["The built-in writer writes; no model is configured.", ...(offers.length === 0 ? [nothing] : offers)].join(
    " "
  )
})

/** How long the one question may take. */
const mostMillis = 60_000

export const checkModel = Effect.gen(function* () {
  const settings = yield* chosenModel
  if (settings === undefined) return { name: "model", ok: true, detail: yield* local } satisfies Check
  const client = Client.make(settings, mostMillis)
  const problem = yield* probe(client, [settings.model, settings.verifier ?? settings.model], { asks: true })
  const detail = problem ?? `The model server answers; ${settings.model} writes.`
  return { name: "model", ok: problem === null, detail } satisfies Check
})
