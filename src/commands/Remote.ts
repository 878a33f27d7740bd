// src/commands/Remote.ts: shared code of commands that call a server over HTTP with an API key.
import { Console, Effect, Redacted, Schema } from "effect"
import { HttpClientError } from "effect/http"
import { Unauthorized } from "#schema/Errors.ts"
import { type Client, make } from "#client/Client.ts"
import { asUserError, describeSchemaError, userError, withEnvironment } from "#src/commands/Output.ts"
import { directory } from "#src/commands/Root.ts"
import { escapeControl } from "#src/commands/TerminalText.ts"
import { dotEnvLayer } from "#src/DataDir.ts"
import { clientSettings, remoteServer } from "#src/settings.ts"

/** Adds the environment variables of these commands to their help. */
export const remoteEnvironment = withEnvironment(clientSettings)

/** An answer that does not match the contract. */
class ContractMismatch extends Schema.TaggedError<ContractMismatch>()("ContractMismatch", { message: Schema.String }) {}

const explainMismatch = Effect.mapError((error: unknown) =>
  Schema.isSchemaError(error) ? new ContractMismatch({ message: describeSchemaError(error) }) : error
)

/** The error message for the user. */
const explainErrors = (url: string) =>
  Effect.mapError((error: { readonly message: string }) => {
    if (error instanceof Unauthorized) {
      return userError(
        "The server does not know the key in OVERTURE_API_KEY, or it has ended. Make one: overture key create --workspace ID"
      )
    }
    if (error instanceof ContractMismatch) {
      return userError(`The server at ${url} is not an Overture server of this version: ${error.message}`)
    }
    // The request was not sent, because an argument does not match the contract.
    if (Schema.isSchemaError(error)) return userError(describeSchemaError(error))
    if (!HttpClientError.isHttpClientError(error)) return error
    return error.reason._tag === "TransportError"
      ? userError(`No server answers at ${url}. Is it running? OVERTURE_URL says where`)
      : userError(`The server at ${url} is a proxy, or not an Overture server of this version: ${error.reason.message}`)
  })

/** Exit code 130 for an interruption. The server continues work that it has accepted. */
const setInterruptedExitCode = Effect.onInterrupt(() => Effect.sync(() => (process.exitCode = 130)))

/** A client of the server at `OVERTURE_URL`, and a function that explains its errors. */
export const connect = Effect.gen(function* () {
  const folder = yield* directory
  const environment = yield* remoteServer
  const { key, url } = yield* Effect.provide(remoteServer, yield* dotEnvLayer(folder))
  if (key === undefined || Redacted.value(key) === "") {
    return yield* userError(
      "Set OVERTURE_API_KEY to a key of your workspace. Make one: overture key create --workspace ID"
    )
  }
  // The folder may be another person's: its server must not get a key that it does not hold itself.
  if (environment.key !== undefined && url !== environment.url) {
    return yield* userError(
      `OVERTURE_API_KEY is set in the environment, and OVERTURE_URL in ${folder}/.env. Set both in the same place: a key of the environment is not sent to the server that a file names`
    )
  }
  if (!URL.canParse(url)) return yield* userError("OVERTURE_URL is not a URL such as http://127.0.0.1:3000")
  const client = yield* make({ baseUrl: url.replace(/\/+$/, ""), key, transformResponse: explainMismatch })
  return { client, explainError: explainErrors(url) }
}).pipe(asUserError)

/** Runs `use` with a client of that server. */
export const withClient = <A, E extends { readonly message: string }, R>(
  use: (client: Client) => Effect.Effect<A, E, R>
) =>
  Effect.flatMap(connect, ({ client, explainError }) => explainError(use(client))).pipe(
    asUserError,
    setInterruptedExitCode
  )

/** Prints a message on standard error, so that standard output has only the result. */
export const printNote = (line: string) => Console.error(escapeControl(line))
