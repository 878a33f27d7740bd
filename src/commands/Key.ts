// src/commands/Key.ts: API keys. A key is printed once, when it is created.
import { Duration, Effect, Option, Redacted } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Auth, type KeyRecord, type NewKey } from "#layers/Auth.ts"
import { now } from "#layers/lib/Time.ts"
import { Workspaces } from "#layers/Workspaces.ts"
import { type Scope, scopes } from "#schema/Auth.ts"
import { durationFlag, workspace } from "#src/commands/Flags.ts"
import { userError } from "#src/commands/Output.ts"
import { print } from "#src/commands/Root.ts"
import { withStore } from "#src/commands/Store.ts"
import { alignColumns } from "#src/commands/TerminalText.ts"

const id = Argument.String("id").pipe(Argument.withDescription("The key's id"))

const printKey = ({ expires_at, id, key, name, scopes }: NewKey) =>
  print({ id, key: Redacted.value(key), name, scopes, expires_at }, [
    Redacted.value(key),
    `This is shown once. Its id is ${id}${expires_at === null ? "" : `; it expires ${expires_at}`}.`
  ])

const isScope = (text: string): text is Scope => scopes.some((scope) => scope === text)

const scopesOf = Effect.fnUntraced(function* (text: string) {
  if (text === "all") return scopes
  const requested = text.split(",").map((scope) => scope.trim())
  const knownScopes = requested.filter(isScope)
  if (knownScopes.length < requested.length) {
    return yield* userError(`--scopes takes all, or some of ${scopes.join(",")}`)
  }
  return knownScopes
})

const create = Command.make(
  "create",
  {
    workspace,
    name: Flag.String("name").pipe(Flag.withDescription("A name, to tell keys apart"), Flag.optional),
    scopes: Flag.String("scopes").pipe(
      Flag.withDescription("What the key may do: all, or scopes joined by commas (all)"),
      Flag.withDefault("all")
    ),
    expiresIn: durationFlag("expires-in", "When the key ends, such as 90d; never without it").pipe(Flag.optional)
  },
  ({ expiresIn, name, scopes, workspace }) =>
    withStore(
      Effect.fnUntraced(function* () {
        const { id } = yield* (yield* Workspaces).find(workspace)
        const keys = yield* Auth
        yield* printKey(
          yield* keys.create(id, {
            name: Option.getOrNull(name),
            scopes: yield* scopesOf(scopes),
            expiresIn: Option.getOrUndefined(expiresIn)
          })
        )
      })
    )
).pipe(Command.withDescription("Make a key; it is shown once"))

/** Whether a key expires, has expired or was revoked, and when. */
const describeExpiry = ({ expires_at, revoked_at }: Pick<KeyRecord, "expires_at" | "revoked_at">, time: string) => {
  if (revoked_at !== null) return `revoked ${revoked_at}`
  if (expires_at === null) return "never"
  return expires_at <= time ? `expired ${expires_at}` : expires_at
}

const list = Command.make("list", { workspace }, ({ workspace }) =>
  withStore(
    Effect.fnUntraced(function* () {
      const { id } = yield* (yield* Workspaces).find(workspace)
      const keys = yield* (yield* Auth).list(id)
      const time = yield* now
      yield* print(
        { keys },
        alignColumns(
          ["ID", "PREFIX", "CREATED", "LAST USED", "ENDS", "NAME"],
          keys.map((key) => [
            key.id,
            key.prefix,
            key.created_at,
            key.last_used_at ?? "never",
            describeExpiry(key, time),
            key.name ?? ""
          ])
        )
      )
    })
  )
).pipe(Command.withDescription("List a workspace's keys, revoked ones included"))

const revoke = Command.make("revoke", { id }, ({ id }) =>
  withStore(
    Effect.fnUntraced(function* () {
      yield* (yield* Auth).revoke(id)
      yield* print({ id, revoked: true }, [`Revoked ${id}; a running server knows within seconds`])
    })
  )
).pipe(Command.withDescription("Revoke a key"))

const rotate = Command.make(
  "rotate",
  {
    id,
    grace: durationFlag("grace", "How long the old key stays valid, such as 2h (24h)").pipe(
      Flag.withDefault(Duration.hours(24))
    )
  },
  ({ grace, id }) =>
    withStore(
      Effect.fnUntraced(function* () {
        yield* printKey(yield* (yield* Auth).rotate(id, grace))
      })
    )
).pipe(Command.withDescription("Replace a key; the old one stays valid for a while"))

export const key = Command.make("key").pipe(Command.withSubcommands([create, list, revoke, rotate]))
