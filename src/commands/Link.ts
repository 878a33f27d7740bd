// src/commands/Link.ts: prints a sign-in link for the console of a running server.
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { Auth } from "#layers/Auth.ts"
import { FirstRun, ownerKey } from "#layers/FirstRun.ts"
import { firstRunAddress, signInAddress } from "#layers/SignInMail.ts"
import { Workspaces } from "#layers/Workspaces.ts"
import { userError } from "#src/commands/Output.ts"
import { print } from "#src/commands/Root.ts"
import { withStore } from "#src/commands/Store.ts"
import { reachableAddress } from "#src/Demo.ts"
import { publicUrl, serverSettings } from "#src/settings.ts"

/** The server's public address, from the flag or the settings. */
const addressOf = Effect.fnUntraced(function* (url: Option.Option<string>) {
  const { host, port } = yield* serverSettings
  const address = Option.getOrUndefined(url) ?? (yield* publicUrl) ?? reachableAddress(`http://${host}:${port}`)
  const isWeb = ["http:", "https:"].includes(URL.parse(address)?.protocol ?? "")
  return isWeb ? address.replace(/\/+$/, "") : yield* userError("--url takes an http or https address")
})

/** The named workspace, or the only one. */
const workspaceOf = Effect.fnUntraced(function* (id: Option.Option<string>) {
  const workspaces = yield* Workspaces
  if (Option.isSome(id)) return yield* workspaces.find(id.value)
  const [workspace, another] = yield* workspaces.list
  if (another !== undefined) return yield* userError("There are several workspaces; name one with --workspace ID")
  return workspace
})

export const link = Command.make(
  "link",
  {
    workspace: Flag.String("workspace").pipe(
      Flag.withDescription("The workspace's id; not needed if there is only one"),
      Flag.optional
    ),
    name: Flag.String("name").pipe(
      Flag.withDescription(`Who signs in, such as "Ann": the name of the key that is revoked to end it (${ownerKey})`),
      Flag.withDefault(ownerKey)
    ),
    url: Flag.String("url").pipe(
      Flag.withDescription("Address of the server (OVERTURE_PUBLIC_URL, or OVERTURE_HOST and OVERTURE_PORT)"),
      Flag.optional
    )
  },
  ({ name, url, workspace }) =>
    withStore(
      Effect.fnUntraced(function* () {
        const address = yield* addressOf(url)
        const target = yield* workspaceOf(workspace)
        if (target === undefined) {
          const { expires_at, token } = yield* Effect.flatMap((yield* FirstRun).link, Effect.fromOption).pipe(
            Effect.mapError(() => userError("Another process has just made a workspace; run the command again"))
          )
          const firstRunUrl = firstRunAddress(address, token)
          return yield* print({ url: firstRunUrl, expires_at }, [firstRunUrl, `Works once, until ${expires_at}`])
        }
        const auth = yield* Auth
        const { expires_at, token } = yield* auth.createLink(yield* auth.signInKey(target.id, name))
        const signInUrl = signInAddress(address, token)
        yield* print({ url: signInUrl, expires_at, workspace: target.id }, [
          signInUrl,
          `Signs in to ${target.name} once, until ${expires_at}`
        ])
      })
    )
)
