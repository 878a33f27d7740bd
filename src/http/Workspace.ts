// src/http/Workspace.ts: the workspace of a key.
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Documents } from "#layers/Documents.ts"
import { Jobs } from "#layers/Jobs.ts"
import { documentTypes, Workspaces } from "#layers/Workspaces.ts"
import { Api } from "#schema/Api.ts"
import { CurrentKey } from "#schema/Auth.ts"

export const WorkspaceHandlers = HttpApiBuilder.group(
  Api,
  "workspace",
  Effect.fnUntraced(function* (handlers) {
    const documents = yield* Documents
    const jobs = yield* Jobs
    const workspaces = yield* Workspaces

    return handlers.handleAll({
      getWorkspace: Effect.fnUntraced(function* () {
        const { workspace_id } = yield* CurrentKey
        const { id, name, onboarding_completed } = yield* workspaces.find(workspace_id)
        const details = yield* workspaces.details(workspace_id)
        return { id, name, onboarding_completed, details, documents: yield* documents.ofWorkspace(workspace_id) }
      }),
      updateDetails: Effect.fnUntraced(function* ({ payload }) {
        const { workspace_id } = yield* CurrentKey
        return { details: yield* workspaces.change(workspace_id, payload) }
      }),
      listWorkspaceDocuments: Effect.fnUntraced(function* () {
        const { workspace_id } = yield* CurrentKey
        return { documents: yield* documents.ofWorkspace(workspace_id) }
      }),
      regenerate: Effect.fnUntraced(function* () {
        const { workspace_id } = yield* CurrentKey
        const id = yield* workspaces.regenerate(workspace_id)
        return { id, type: "workspace.regenerate", status: "processing", targets: documentTypes }
      }),
      getRegeneration: Effect.fnUntraced(function* ({ params }) {
        const { workspace_id } = yield* CurrentKey
        const { id, status } = yield* jobs.find(workspace_id, params.id, "workspace.regenerate")
        const artifacts = yield* documents.ofWorkspace(workspace_id)
        return { id, status, artifacts: artifacts.map(({ status, type }) => ({ type, status })) }
      })
    })
  })
)
