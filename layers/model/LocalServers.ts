// layers/model/LocalServers.ts: model servers on this machine, found on their usual ports, with the settings that use them.
import { Context, Effect, Option, Redacted, Schema } from "effect"
import { apiNames, recogniseServer } from "#layers/model/DetectServer.ts"
import { fetch } from "#layers/model/ModelFetch.ts"

interface UsualServer {
  readonly name: string
  readonly port: number
}

/** The model servers to look for, with their default ports. */
export const LocalServers = Context.Reference<ReadonlyArray<UsualServer>>("overture/layers/model/LocalServers", {
  defaultValue: () => [
    { name: "Ollama", port: 11_434 },
    { name: "LM Studio", port: 1234 },
    { name: "llama.cpp", port: 8080 }
  ]
})

export interface FoundServer {
  readonly name: string
  readonly url: string
  /** Models that generate text; empty if the server has none. */
  readonly models: ReadonlyArray<string>
  /** The `.env` lines that configure the first model; empty if there is no model. */
  readonly settings: ReadonlyArray<string>
}

const ModelList = Schema.Struct({ data: Schema.Array(Schema.Struct({ id: Schema.String })) })

/** People paste names into a shell, so a name with any other character is not offered. */
const isPlainName = (name: string) => /^[\w.:/@+-]{1,200}$/.test(name)

/** Excludes embedding models, which generate no text. */
const canWrite = (name: string) => isPlainName(name) && !/embed/i.test(name)

/** The server on a port of this machine, if it lists its models. Only requests server information. */
const findServer = ({ name, port }: UsualServer) => {
  const url = `http://127.0.0.1:${port}/v1`
  return Effect.tryPromise((signal) => fetch(`${url}/models`, { signal }).then((answer) => answer.json())).pipe(
    Effect.timeout("5 seconds"),
    Effect.flatMap(Schema.decodeUnknownEffect(ModelList)),
    Effect.flatMap(({ data }) =>
      Effect.map(recogniseServer({ url, key: Redacted.make("none") }), (api = "openai"): FoundServer => {
        const models = data.map(({ id }) => id).filter(canWrite)
        const [firstModel] = models
        // A server of another kind may use the port.
        const apiSetting = api === "openai" ? "OVERTURE_GENERATOR=openai" : `OVERTURE_MODEL_API=${api}`
        return {
          name: api === "openai" ? name : apiNames[api],
          url,
          models,
          settings:
            firstModel === undefined ? [] : [apiSetting, `OPENAI_BASE_URL=${url}`, `OVERTURE_MODEL=${firstModel}`]
        }
      })
    ),
    Effect.option
  )
}

/** The servers that answer within five seconds. */
export const findLocalServers = (servers: ReadonlyArray<UsualServer>) =>
  Effect.map(Effect.forEach(servers, findServer, { concurrency: "unbounded" }), (results) =>
    results.flatMap(Option.toArray)
  )

const maxShownModels = 5

/** A server as the log and `overture doctor` name it. */
export const describeServer = ({ models, name, url }: FoundServer) =>
  models.length === 0
    ? `${name} runs at ${url} without a model`
    : `${name} runs at ${url} with ${models.slice(0, maxShownModels).join(", ")}`
