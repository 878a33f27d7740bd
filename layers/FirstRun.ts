// layers/FirstRun.ts: creates the first workspace of a database, by a link that the server prints.
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { Auth } from "#layers/Auth.ts"
import type { NewLink, NewSession } from "#layers/auth/Sessions.ts"
import { Model } from "#layers/Model.ts"
import { findLocalServers, type FoundServer, LocalServers } from "#layers/model/LocalServers.ts"
import { inTransaction } from "#layers/database/Transactions.ts"
import { Workspaces } from "#layers/Workspaces.ts"
import { Conflict, Unauthorized } from "#schema/Errors.ts"

/** The name of the sign-in key of a workspace's owner. */
export const ownerKey = "Owner"

export class FirstRun extends Context.Service<
  FirstRun,
  {
    /** A link that creates the first workspace; none if there is a workspace. */
    readonly link: Effect.Effect<Option.Option<NewLink>>
    /** The model servers of this machine; none if a model is configured. */
    readonly modelServers: Effect.Effect<ReadonlyArray<FoundServer>>
    /** The model servers of this machine, for the holder of a first-run link. Does not use up the link. */
    readonly modelServersFor: (token: string) => Effect.Effect<ReadonlyArray<FoundServer>, Unauthorized>
    /**
     * Creates a workspace on the unlimited plan and signs in. UNAUTHORIZED if the link is not valid, CONFLICT if there
     * is a workspace.
     */
    readonly begin: (options: {
      readonly token: string
      readonly name: string
      readonly email: string
    }) => Effect.Effect<NewSession, Unauthorized | Conflict>
  }
>()("overture/layers/FirstRun") {
  static readonly layer = Layer.effect(
    FirstRun,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const auth = yield* Auth
      const workspaces = yield* Workspaces
      const modelServers = findLocalServers((yield* Model) === undefined ? yield* LocalServers : [])
      const invalidLink = () =>
        new Unauthorized({
          message: "This link was used, has ended or is not complete. Restart the server for another"
        })
      const isStoreEmpty = Effect.map(workspaces.list, (workspaceList) => workspaceList.length === 0)

      const createFirst = Effect.fnUntraced(function* (token: string, name: string, email: string) {
        if (!(yield* auth.useFirstRunLink(token))) return yield* invalidLink()
        if (!(yield* isStoreEmpty)) {
          return yield* new Conflict({
            message: "This server has a workspace. Ask its operator for a sign-in link: overture link"
          })
        }
        const { workspace } = yield* workspaces.create({
          name,
          owner_email: email,
          plan: "internal",
          details: { company_name: name, contact_email: email },
          research: false
        })
        const session = yield* auth.signIn({ key_id: yield* auth.signInKey(workspace.id, ownerKey) })
        return yield* Effect.orDie(Effect.fromOption(session))
      }, inTransaction(sql))

      return FirstRun.of({
        link: Effect.gen(function* () {
          return (yield* isStoreEmpty) ? Option.some(yield* auth.createFirstRunLink) : Option.none()
        }),

        modelServers,

        modelServersFor: Effect.fn("FirstRun.modelServersFor")(function* (token) {
          return (yield* auth.isFirstRunLink(token)) ? yield* modelServers : yield* invalidLink()
        }),

        begin: Effect.fn("FirstRun.begin")(function* ({ email, name, token }) {
          // A read, so that requests with unknown tokens write nothing.
          if (!(yield* auth.isFirstRunLink(token))) return yield* invalidLink()
          return yield* createFirst(token, name, email)
        })
      })
    })
  )
}
