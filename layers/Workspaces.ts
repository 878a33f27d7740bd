// layers/Workspaces.ts: workspaces and their company profiles.
import { Context, Effect, Layer, Option, Schema, Struct } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient, SqlSchema } from "effect/sql"
import { Credits } from "#layers/Credits.ts"
import { inTransaction } from "#layers/database/Transactions.ts"
import { Files } from "#layers/Files.ts"
import { now } from "#layers/lib/Time.ts"
import { Onboarding } from "#layers/workspaces/Onboarding.ts"
import { WorkspaceId } from "#schema/Auth.ts"
import { Tier } from "#schema/Credits.ts"
import { Details, type DetailsPatch, isValidDetail, noDetails } from "#schema/Details.ts"
import { NotFound } from "#schema/Errors.ts"

export const Workspace = Schema.Struct({
  id: WorkspaceId,
  name: Schema.String,
  plan: Tier,
  onboarding_completed: Schema.BooleanFromBit
})
export type Workspace = typeof Workspace.Type

const OwnedWorkspace = Schema.Struct({ id: WorkspaceId, name: Schema.String, owner_email: Schema.String })

const workspaceNotFound = (id: string) => new NotFound({ message: `No workspace has the id ${id}` })

/** Replaces every kind of empty value by null. */
const emptyToNull = <A extends string | ReadonlyArray<unknown>>(value: A | null): A | null =>
  value === null || value.length === 0 ? null : value

/** The changed fields as they are stored. */
const normalizeFields = (changes: DetailsPatch): Partial<Details> =>
  Object.fromEntries(
    Object.entries(changes).flatMap(([field, value]) =>
      value === undefined ? [] : [[field, emptyToNull(value)] as const]
    )
  )

export class Workspaces extends Context.Service<
  Workspaces,
  {
    /** Creates a workspace. With `research`, its onboarding is queued and `onboarding` is the job's id. */
    readonly create: (options: {
      readonly name: string
      readonly owner_email: string | null
      readonly plan: Tier
      readonly details: DetailsPatch
      readonly research: boolean
    }) => Effect.Effect<{ readonly workspace: Workspace; readonly onboarding: string | undefined }>
    readonly list: Effect.Effect<ReadonlyArray<Workspace>>
    readonly find: (id: string) => Effect.Effect<Workspace, NotFound>
    /** Workspaces whose owner has this address, ignoring case, each with the stored spelling of the address. */
    readonly findByOwner: (email: string) => Effect.Effect<ReadonlyArray<typeof OwnedWorkspace.Type>>
    /** Deletes the workspace with everything in it, except the ledger. Results of running jobs are discarded. */
    readonly remove: (id: string) => Effect.Effect<void, NotFound>
    readonly details: (workspace: WorkspaceId) => Effect.Effect<Details>
    /** Changes the fields in `changes` and returns all fields; null or an empty value clears a field. */
    readonly change: (workspace: WorkspaceId, changes: DetailsPatch) => Effect.Effect<Details>
    /**
     * Fills empty fields from `foundFields`; returns the names of the filled fields and of those that are still empty,
     * and all fields as they were before.
     */
    readonly fillEmptyFields: (
      workspace: WorkspaceId,
      found: DetailsPatch
    ) => Effect.Effect<{
      readonly filled: ReadonlyArray<string>
      readonly empty: ReadonlySet<string>
      readonly before: Details
    }>
    /** The owner's address. The operator sets it; no key can. */
    readonly owner: (workspace: WorkspaceId) => Effect.Effect<string | null>
    /** Sets the owner, who is notified when a batch is done. */
    readonly setOwner: (id: string, email: string) => Effect.Effect<void, NotFound>
  }
>()("overture/layers/Workspaces") {
  static readonly layer = Layer.effect(
    Workspaces,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const credits = yield* Credits
      const files = yield* Files
      const onboarding = yield* Onboarding

      const fields = sql`
        w.id, w.name, a.tier AS plan, CASE WHEN w.onboarded_at IS NULL THEN 0 ELSE 1 END AS onboarding_completed
        FROM workspaces w JOIN credit_accounts a ON a.workspace_id = w.id`
      const findAll = SqlSchema.findAll({
        Request: Schema.Void,
        Result: Workspace,
        execute: () => sql`SELECT ${fields} ORDER BY w.created_at, w.id`
      })
      const findOne = SqlSchema.findOneOption({
        Request: Schema.String,
        Result: Workspace,
        execute: (id) => sql`SELECT ${fields} WHERE w.id = ${id}`
      })
      const findByOwner = SqlSchema.findAll({
        Request: Schema.String,
        Result: OwnedWorkspace,
        execute: (email) => sql`
          SELECT id, name, owner_email FROM workspaces WHERE lower(owner_email) = lower(${email}) ORDER BY created_at, id`
      })
      const findDetails = SqlSchema.findOne({
        Request: Schema.String,
        Result: Schema.Struct({ details: Schema.fromJsonString(Details) }),
        execute: (workspace) => sql`SELECT details FROM workspaces WHERE id = ${workspace}`
      })

      const setDetails = Effect.fnUntraced(function* (workspace: WorkspaceId, details: Details) {
        yield* sql`
          UPDATE workspaces SET details = ${JSON.stringify(details)}, updated_at = ${yield* now} WHERE id = ${workspace}`
      })

      return Workspaces.of({
        create: Effect.fn("Workspaces.create")(function* (options) {
          const id = WorkspaceId.make(yield* random.uuidV7())
          const created_at = yield* now
          yield* sql`
            INSERT INTO workspaces ${sql.insert({
              id,
              name: options.name,
              owner_email: options.owner_email,
              details: JSON.stringify({ ...noDetails, ...normalizeFields(options.details) }),
              onboarded_at: null,
              created_at,
              updated_at: created_at
            })}`
          yield* credits.openAccount(id, options.plan)
          return {
            workspace: { id, name: options.name, plan: options.plan, onboarding_completed: false },
            onboarding: yield* onboarding.begin(id, options.research)
          }
        }, inTransaction(sql)),

        list: Effect.orDie(findAll(undefined)),

        find: Effect.fn("Workspaces.find")(function* (id) {
          const row = yield* Effect.orDie(findOne(id))
          return Option.isSome(row) ? row.value : yield* workspaceNotFound(id)
        }),

        findByOwner: (email) => Effect.orDie(findByOwner(email)),

        remove: Effect.fn("Workspaces.remove")(function* (id) {
          const [removedRow] = yield* sql<{ readonly id: WorkspaceId }>`
            DELETE FROM workspaces WHERE id = ${id} RETURNING id`
          if (removedRow === undefined) return yield* workspaceNotFound(id)
          yield* files.removeAll(removedRow.id)
        }, inTransaction(sql)),

        setOwner: Effect.fn("Workspaces.setOwner")(function* (id, email) {
          const updatedRows = yield* Effect.orDie(sql`
            UPDATE workspaces SET owner_email = ${email}, updated_at = ${yield* now} WHERE id = ${id} RETURNING id`)
          if (updatedRows.length === 0) return yield* workspaceNotFound(id)
        }),

        details: (workspace) => Effect.orDie(Effect.map(findDetails(workspace), (row) => row.details)),

        owner: Effect.fn("Workspaces.owner")(function* (workspace) {
          const [row] = yield* sql<{ readonly owner_email: string | null }>`
            SELECT owner_email FROM workspaces WHERE id = ${workspace}`
          return row?.owner_email || null
        }, Effect.orDie),

        change: Effect.fn("Workspaces.change")(function* (workspace, changes) {
          const current = (yield* findDetails(workspace)).details
          const changed: Details = { ...current, ...normalizeFields(changes) }
          yield* setDetails(workspace, changed)
          return changed
        }, inTransaction(sql)),

        fillEmptyFields: Effect.fn("Workspaces.learn")(function* (workspace, foundFields) {
          const current = (yield* findDetails(workspace)).details
          const filled = Struct.keys(foundFields).filter((field) => {
            const value = foundFields[field]
            // A page or document may contain a value that the API would refuse.
            if (typeof value === "string" && !isValidDetail(field, value)) return false
            return !current[field]?.length && value?.length
          })
          const filledFields = new Set<string>(filled)
          const empty = new Set(
            Struct.keys(current).filter((field) => !current[field]?.length && !filledFields.has(field))
          )
          if (filled.length > 0) yield* setDetails(workspace, { ...current, ...Struct.pick(foundFields, filled) })
          return { filled, empty, before: current }
        }, inTransaction(sql))
      })
    })
  )
}
