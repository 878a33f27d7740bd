// src/commands/Workspace.ts: creates and shows workspaces.
import { Console, Effect, Layer, Option, Schedule } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Credits } from "#layers/Credits.ts"
import { Files } from "#layers/Files.ts"
import { Generator } from "#layers/Generator.ts"
import { Queue } from "#layers/Queue.ts"
import { Campaigns } from "#layers/Campaigns.ts"
import { Lists } from "#layers/Lists.ts"
import * as WorkerLock from "#layers/database/WorkerLock.ts"
import { Workspaces } from "#layers/Workspaces.ts"
import { Tier } from "#schema/Credits.ts"
import { Email } from "#schema/Fields.ts"
import { readProfile } from "#src/commands/Files.ts"
import { toggle } from "#src/commands/Flags.ts"
import { userError } from "#src/commands/Output.ts"
import { printNote } from "#src/commands/Remote.ts"
import { print } from "#src/commands/Root.ts"
import { withStore } from "#src/commands/Store.ts"
import { alignColumns } from "#src/commands/TerminalText.ts"
import { BackgroundWorkers } from "#src/workers/BackgroundWorkers.ts"

const id = Argument.String("id").pipe(Argument.withDescription("The workspace's id"))

const onePage = { limit: 1, offset: 0 }

/**
 * Waits for the job, and runs it in this process if no server does. Retries to get the worker lock, because another
 * command may hold it and end without running the job.
 */
const runOnboarding = Effect.fnUntraced(function* (directory: string, job: string) {
  const settled = (yield* Queue).waitUntilSettled(job)
  yield* Console.error("Researching: company summary, market research, segments, options")
  const localWorkers = BackgroundWorkers({ concurrency: 1 }).pipe(
    Layer.provide(Generator.layer),
    Layer.provide(WorkerLock.layer(directory))
  )
  const runLocally = Effect.provide(settled, localWorkers, { local: true })
  yield* Effect.catchTag(runLocally, "StoreUnusable", () =>
    Effect.andThen(
      Console.error("The running server does this; waiting for it"),
      Effect.raceFirst(settled, Effect.retry(runLocally, Schedule.spaced("1 second")))
    )
  )
})

/** The hint for a workspace without an owner. */
const withoutOwner = (id: string) =>
  "The workspace has no owner. Until it has one, its documents cannot be regenerated and no mail is sent for completed lists: " +
  `overture workspace owner ${id} --email EMAIL`

const create = Command.make(
  "create",
  {
    name: Flag.String("name").pipe(Flag.withDescription("The name of the workspace")),
    ownerEmail: Flag.String("owner-email").pipe(
      Flag.withSchema(Email),
      Flag.withDescription(
        "Owner of the workspace, who is mailed when a batch is done; needed to regenerate its documents"
      ),
      Flag.optional
    ),
    plan: Flag.Literals("plan", Tier.literals).pipe(
      Flag.withDescription("The plan (growth)"),
      Flag.withDefault("growth")
    ),
    profile: Flag.String("profile").pipe(Flag.withDescription("A JSON file of business details"), Flag.optional),
    research: Flag.Boolean("research").pipe(
      Flag.withDescription("Make documents, segments and options from the profile (true); --no-research does not"),
      Flag.withDefault(true)
    )
  },
  ({ name, ownerEmail, plan, profile, research }) =>
    withStore(
      Effect.fnUntraced(function* (directory) {
        const workspaces = yield* Workspaces
        const details = Option.isNone(profile) ? {} : yield* readProfile(profile.value)
        const { onboarding, workspace } = yield* workspaces.create({
          name,
          owner_email: Option.getOrNull(ownerEmail),
          plan,
          details,
          research: research && Option.isSome(profile)
        })
        if (onboarding !== undefined) {
          yield* runOnboarding(directory, onboarding)
          const { error, status } = yield* (yield* Queue).find(workspace.id, onboarding)
          if (status !== "completed") {
            return yield* userError(
              `Workspace ${workspace.id} was created, but could not be onboarded: ${error ?? status}. ` +
                "POST /workspace/regenerate tries again"
            )
          }
        }
        const created = yield* workspaces.find(workspace.id)
        if (Option.isNone(ownerEmail)) yield* printNote(withoutOwner(created.id))
        yield* print(created, [
          `Made workspace ${created.name}: ${created.id}`,
          `Next: overture key create --workspace ${created.id}`
        ])
      }),
      { creates: true }
    )
).pipe(Command.withDescription("Make a workspace; with --profile, onboard it too"))

const owner = Command.make(
  "owner",
  {
    id,
    email: Flag.String("email").pipe(Flag.withSchema(Email), Flag.withDescription("The owner's address"))
  },
  ({ email, id }) =>
    withStore(
      Effect.fnUntraced(function* () {
        yield* (yield* Workspaces).setOwner(id, email)
        yield* print({ id, owner_email: email }, [`${email} now owns workspace ${id}`])
      })
    )
).pipe(
  Command.withDescription(
    "Set the owner of a workspace; without one, documents are not regenerated and no mail is sent"
  )
)

const list = Command.make("list", {}, () =>
  withStore(
    Effect.fnUntraced(function* () {
      const workspaces = yield* (yield* Workspaces).list
      yield* print(
        { workspaces },
        alignColumns(
          ["ID", "PLAN", "ONBOARDED", "NAME"],
          workspaces.map((workspace) => [
            workspace.id,
            workspace.plan,
            workspace.onboarding_completed ? "yes" : "no",
            workspace.name
          ])
        )
      )
    })
  )
).pipe(Command.withDescription("List the workspaces"))

const show = Command.make("show", { id }, ({ id }) =>
  withStore(
    Effect.fnUntraced(function* () {
      const workspace = yield* (yield* Workspaces).find(id)
      const { available } = yield* (yield* Credits).check(workspace.id, 0)
      const campaigns = (yield* (yield* Campaigns).list(workspace.id, onePage)).total
      const lists = (yield* (yield* Lists).list(workspace.id, onePage, {})).total
      yield* print({ ...workspace, balance: available, campaigns, lists }, [
        `${workspace.name} (${workspace.id})`,
        `plan ${workspace.plan}, ${workspace.onboarding_completed ? "onboarded" : "not onboarded"}`,
        `${available} credits, ${campaigns} campaigns, ${lists} lists`
      ])
    })
  )
).pipe(Command.withDescription("Show a workspace with its balance and counts"))

const remove = Command.make(
  "delete",
  {
    id,
    yes: toggle("yes", "Delete without asking again")
  },
  ({ id, yes }) =>
    withStore(
      Effect.fnUntraced(function* () {
        const workspaces = yield* Workspaces
        const { name } = yield* workspaces.find(id)
        if (!yes) return yield* userError(`This deletes ${name} with its campaigns, lists and keys; say --yes to do so`)
        yield* workspaces.remove(id)
        // Removes the files now, because this process may end before background work does.
        yield* (yield* Files).sweep
        yield* print({ id, deleted: true }, [`Deleted ${name}`])
      })
    )
).pipe(Command.withDescription("Delete a workspace with everything in it"))

export const workspace = Command.make("workspace").pipe(Command.withSubcommands([create, list, show, owner, remove]))
