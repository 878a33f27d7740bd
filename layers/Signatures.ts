// layers/Signatures.ts: saved email signatures.
import { Context, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient, SqlSchema } from "effect/sql"
import { now } from "#layers/lib/Time.ts"
import { makePageQuery } from "#layers/lib/Paging.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import { NotFound } from "#schema/Errors.ts"
import type { Page, Rows } from "#schema/Page.ts"
import { nameOf, Signature } from "#schema/Signatures.ts"

const orSignatureNotFound = Effect.fromOption(() => NotFound.of("signature"))

export class Signatures extends Context.Service<
  Signatures,
  {
    readonly list: (workspace: WorkspaceId, page: Page) => Effect.Effect<Rows<Signature>>
    readonly find: (workspace: WorkspaceId, id: string) => Effect.Effect<Signature, NotFound>
    readonly create: (workspace: WorkspaceId, text: string) => Effect.Effect<Signature>
    readonly replace: (workspace: WorkspaceId, id: string, text: string) => Effect.Effect<Signature, NotFound>
    readonly remove: (workspace: WorkspaceId, id: string) => Effect.Effect<void, NotFound>
  }
>()("overture/layers/Signatures") {
  static readonly layer = Layer.effect(
    Signatures,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const fields = sql.literal(Object.keys(Signature.fields).join(", "))
      const Key = Schema.Struct({ workspace: Schema.String, id: Schema.String })

      const page = makePageQuery(sql, Signature, {
        table: "signatures",
        matching: (workspace: WorkspaceId) => [sql`workspace_id = ${workspace}`],
        order: "created_at DESC, id DESC"
      })
      const findOne = SqlSchema.findOneOption({
        Request: Key,
        Result: Signature,
        execute: ({ id, workspace }) =>
          sql`SELECT ${fields} FROM signatures WHERE id = ${id} AND workspace_id = ${workspace}`
      })
      const deleteOne = SqlSchema.findOneOption({
        Request: Key,
        Result: Schema.Struct({ id: Schema.String }),
        execute: ({ id, workspace }) =>
          sql`DELETE FROM signatures WHERE id = ${id} AND workspace_id = ${workspace} RETURNING id`
      })
      const updateOne = SqlSchema.findOneOption({
        Request: Schema.Struct({ workspace: Schema.String, id: Schema.String, text: Schema.String, at: Schema.String }),
        Result: Signature,
        execute: ({ at, id, text, workspace }) => sql`
          UPDATE signatures SET signature_text = ${text}, signature_name = ${nameOf(text)}, updated_at = ${at}
          WHERE id = ${id} AND workspace_id = ${workspace} RETURNING ${fields}`
      })
      const findOwner = SqlSchema.findOne({
        Request: Schema.String,
        Result: Schema.Struct({ owner_email: Schema.NullOr(Schema.String) }),
        execute: (workspace) => sql`SELECT owner_email FROM workspaces WHERE id = ${workspace}`
      })

      return Signatures.of({
        list: page,

        find: (workspace, id) => findOne({ workspace, id }).pipe(Effect.orDie, Effect.flatMap(orSignatureNotFound)),

        create: Effect.fnUntraced(function* (workspace, signature_text) {
          const timestamp = yield* now
          const signature = {
            id: yield* random.uuidV7(),
            signature_text,
            signature_name: nameOf(signature_text),
            created_by: (yield* findOwner(workspace)).owner_email,
            created_at: timestamp,
            updated_at: timestamp
          }
          // Spelled out, so that the statement's text is constant and its prepared statement is reused.
          const { created_by, id, signature_name } = signature
          yield* sql`
            INSERT INTO signatures (${fields}, workspace_id)
            VALUES (${id}, ${signature_text}, ${signature_name}, ${created_by}, ${timestamp}, ${timestamp}, ${workspace})`
          return signature
        }, Effect.orDie),

        replace: Effect.fnUntraced(
          function* (workspace, id, text) {
            return yield* updateOne({ workspace, id, text, at: yield* now })
          },
          Effect.orDie,
          Effect.flatMap(orSignatureNotFound)
        ),

        remove: (workspace, id) =>
          deleteOne({ workspace, id }).pipe(Effect.orDie, Effect.flatMap(orSignatureNotFound), Effect.asVoid)
      })
    })
  )
}
