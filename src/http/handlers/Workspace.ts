// src/http/handlers/Workspace.ts: the caller's workspace: profile, imports, documents, writer.
import { Effect, Option } from "effect"
import { handlersOf } from "#src/http/Handlers.ts"
import { Documents } from "#layers/Documents.ts"
import { Imports, type Upload } from "#layers/Imports.ts"
import { Queue } from "#layers/Queue.ts"
import { Model } from "#layers/Model.ts"
import { ModelHealth } from "#layers/model/Health.ts"
import { detectKind } from "#layers/research/read/FileKinds.ts"
import { truncate } from "#layers/text/Words.ts"
import { documentTypes, Onboarding } from "#layers/workspaces/Onboarding.ts"
import { Workspaces } from "#layers/Workspaces.ts"
import { CurrentPrincipal, type WorkspaceId } from "#schema/Auth.ts"
import { BadRequest } from "#schema/Errors.ts"
import { maxDocumentBytes, type Writer } from "#schema/Workspace.ts"
import { receiveFile } from "#src/http/handlers/Upload.ts"

/** The uploaded document; its kind is detected by name and content. */
const documentOf = Effect.fnUntraced(function* (parts: Parameters<typeof receiveFile>[0]) {
  const { content, name } = yield* receiveFile(parts, { maxBytes: maxDocumentBytes, description: "a document" })
  const kind = detectKind(name, content)
  if ("refusal" in kind) return yield* BadRequest.at("file", kind.refusal)
  return { kind: kind.kind, name: fileName(name), content } satisfies Upload
})

const maxNameLength = 120

/** The file name on one line, without folders. */
const fileName = (name: string): string | null =>
  truncate((/[^/\\]*$/.exec(name)?.[0] ?? "").replace(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim(), maxNameLength) || null

/** The model server's details that a key may see: no path and no credentials. */
const serverOf = (model: Model): NonNullable<Writer["server"]> => {
  const { api = null, atOnce = null, context = null, host } = model.serverInfo()
  return { api, host, context, concurrency: atOnce }
}

export const WorkspaceHandlers = Effect.gen(function* () {
  const documents = yield* Documents
  const queue = yield* Queue
  const imports = yield* Imports
  const health = yield* ModelHealth
  const model = yield* Model
  const workspaces = yield* Workspaces
  const onboarding = yield* Onboarding

  /** The current writer, and whether its last call succeeded. */
  const writer: Effect.Effect<Writer> =
    model === undefined
      ? Effect.succeed({ kind: "builtin", model: null, answered: null, problem: null, server: null })
      : Effect.map(health.findLast, (recorded) => {
          const lastCall = Option.filter(recorded, (call) => call.model === model.name)
          return {
            kind: "model",
            model: model.name,
            answered: Option.getOrNull(Option.map(lastCall, ({ answered }) => answered)),
            problem: Option.getOrNull(Option.map(lastCall, ({ problem }) => problem)),
            server: serverOf(model)
          }
        })

  /** A new job, shown as pending even if a worker has already started it. */
  const pendingJob = Effect.fnUntraced(function* (workspace: WorkspaceId, id: string) {
    const job = yield* Effect.orDie(queue.find(workspace, id))
    return { ...job, status: "pending" as const, progress: null, result: null, error: null }
  })

  return handlersOf("workspace", {
    getWorkspace: Effect.fnUntraced(function* () {
      const { workspace_id } = yield* CurrentPrincipal
      const { id, name, onboarding_completed } = yield* workspaces.find(workspace_id)
      const details = yield* workspaces.details(workspace_id)
      return {
        id,
        name,
        onboarding_completed,
        details,
        documents: yield* documents.listWorkspaceDocuments(workspace_id),
        writer: yield* writer
      }
    }),
    updateDetails: Effect.fnUntraced(function* ({ payload }) {
      const { workspace_id } = yield* CurrentPrincipal
      return { details: yield* workspaces.change(workspace_id, payload) }
    }),
    listWorkspaceDocuments: Effect.fnUntraced(function* () {
      const { workspace_id } = yield* CurrentPrincipal
      return { documents: yield* documents.listWorkspaceDocuments(workspace_id) }
    }),
    listImports: Effect.fnUntraced(function* () {
      const { workspace_id } = yield* CurrentPrincipal
      return { imports: yield* imports.listTexts(workspace_id) }
    }),
    getImport: Effect.fnUntraced(function* ({ params }) {
      const { workspace_id } = yield* CurrentPrincipal
      return yield* imports.findText(workspace_id, params.id)
    }),
    deleteImport: Effect.fnUntraced(function* ({ params }) {
      const { workspace_id } = yield* CurrentPrincipal
      yield* imports.removeText(workspace_id, params.id)
      return { id: params.id, deleted: true }
    }),
    importDocument: Effect.fnUntraced(function* ({ payload }) {
      const { workspace_id } = yield* CurrentPrincipal
      const id = yield* Effect.catchTag(
        imports.importDocument(workspace_id, yield* documentOf(payload)),
        "FilesUnavailable",
        Effect.die
      )
      return { ...(yield* pendingJob(workspace_id, id)), type: "workspace.import.document" as const }
    }),
    importUrl: Effect.fnUntraced(function* ({ payload }) {
      const { workspace_id } = yield* CurrentPrincipal
      const id = yield* imports.importSite(workspace_id, payload.url)
      return { ...(yield* pendingJob(workspace_id, id)), type: "workspace.import.url" as const }
    }),
    regenerate: Effect.fnUntraced(function* () {
      const { workspace_id } = yield* CurrentPrincipal
      const id = yield* onboarding.regenerate(workspace_id)
      return { id, type: "workspace.regenerate", status: "processing", targets: documentTypes }
    }),
    getRegeneration: Effect.fnUntraced(function* ({ params }) {
      const { workspace_id } = yield* CurrentPrincipal
      const { id, status } = yield* queue.find(workspace_id, params.id, "workspace.regenerate")
      const artifacts = yield* documents.listWorkspaceDocuments(workspace_id)
      return { id, status, artifacts: artifacts.map(({ status, type }) => ({ type, status })) }
    })
  })
})
