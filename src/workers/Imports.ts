// src/workers/Imports.ts: imports documents and sites into the company profile.
import { Duration, Effect, Option, Schema } from "effect"
import { createHash } from "node:crypto"
import { GenerationFailed } from "#layers/generator/GenerationFailed.ts"
import { DocumentPayload, Imports, SitePayload } from "#layers/Imports.ts"
import { type ClaimedJob, Queue } from "#layers/Queue.ts"
import type { JobHandler } from "#layers/queue/JobHandler.ts"
import { Researcher } from "#layers/Researcher.ts"
import type { ExtractedProfile } from "#layers/research/ExtractProfile.ts"
import { fetchSite } from "#layers/research/FetchSite.ts"
import { Web } from "#layers/Web.ts"
import { Events } from "#layers/webhooks/Events.ts"
import { Workspaces } from "#layers/Workspaces.ts"

/** Transient: an outage of the file storage ends, so the job retries for about two hours. */
const documentUnavailable = new GenerationFailed({
  message: "The document cannot be read now; send it again later",
  transient: true
})

/** The identity of a document, so that a repeated import replaces its text. */
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")

/**
 * The result of an import: sources of the filled fields, fields that are still empty, and a notice if the model was not
 * used.
 */
const importResult = (
  { missing, notice, sources }: ExtractedProfile,
  filled: ReadonlyArray<string>,
  empty: ReadonlySet<string>
) => ({
  ...(notice === undefined ? {} : { notice }),
  sources: sources.filter(({ field }) => filled.includes(field)),
  missing: missing.filter(({ field }) => empty.has(field))
})

const importEvent = (
  claim: ClaimedJob,
  source: "document" | "url",
  status: "success" | "failed",
  fields_updated: number
) => ({
  job_id: claim.id,
  source,
  status,
  fields_updated
})

/** An unreadable document does not fail the job; the result has the reason. */
export const documentImport: Effect.Effect<JobHandler, never, Events | Imports | Queue | Researcher | Workspaces> =
  Effect.gen(function* () {
    const events = yield* Events
    const queue = yield* Queue
    const researcher = yield* Researcher
    const imports = yield* Imports
    const workspaces = yield* Workspaces

    return {
      type: "workspace.import.document",
      run: Effect.fn("import.document")(function* (claim) {
        const { upload } = yield* Effect.orDie(Schema.decodeUnknownEffect(DocumentPayload)(claim.payload))
        const document = yield* Effect.mapError(
          imports.readUpload(claim.workspace_id, upload),
          () => documentUnavailable
        )
        if (Option.isNone(document)) {
          // The workspace was deleted meanwhile, with the upload and the job.
          yield* queue.requireLease(claim)
          return yield* Effect.die(new Error(`No upload ${upload}`))
        }
        const store = yield* researcher.extractProfile(document.value).pipe(
          Effect.match({
            onSuccess: Effect.fnUntraced(function* (extracted) {
              const { empty, filled } = yield* workspaces.fillEmptyFields(claim.workspace_id, extracted.findings)
              const name = document.value.name ?? `${document.value.kind.toUpperCase()} document`
              yield* imports.saveText(claim.workspace_id, {
                source: sha256(extracted.own),
                name,
                content: extracted.own
              })
              return { status: "success" as const, fields_updated: filled, ...importResult(extracted, filled, empty) }
            }),
            onFailure: ({ message }) =>
              Effect.succeed({ status: "failed" as const, fields_updated: [], error: message })
          })
        )
        const storeAndRecord = Effect.gen(function* () {
          const result = yield* store
          const event = importEvent(claim, "document", result.status, result.fields_updated.length)
          yield* events.record(claim.workspace_id, "import.completed", event)
          return result
        })
        yield* queue.complete(claim, storeAndRecord)
      }),
      failed: (claim) =>
        events.record(claim.workspace_id, "import.completed", importEvent(claim, "document", "failed", 0)),
      retryPolicy: { attempts: 60, maxPause: Duration.minutes(2) }
    }
  })

/** Pages read in addition to the home page. */
const maxPages = 5

/** An unreachable home page fails the job; other pages may be missing. */
export const urlImport: Effect.Effect<JobHandler, never, Events | Imports | Queue | Researcher | Web | Workspaces> =
  Effect.gen(function* () {
    const events = yield* Events
    const imports = yield* Imports
    const queue = yield* Queue
    const researcher = yield* Researcher
    const web = yield* Web
    const workspaces = yield* Workspaces
    const permanentFailure = ({ message }: { readonly message: string }) =>
      new GenerationFailed({ message, transient: false })

    return {
      type: "workspace.import.url",
      run: Effect.fn("import.url")(function* (claim) {
        const { url } = yield* Effect.orDie(Schema.decodeUnknownEffect(SitePayload)(claim.payload))
        const { home, pages } = yield* Effect.mapError(fetchSite(web, url, maxPages), permanentFailure)
        const extracted = yield* researcher
          .extractProfile({ kind: "pages", site: new URL(home).origin, pages })
          .pipe(Effect.mapError(permanentFailure))
        const { host, origin } = new URL(home)
        const store = Effect.gen(function* () {
          const { empty, filled } = yield* workspaces.fillEmptyFields(claim.workspace_id, extracted.findings)
          yield* imports.saveText(claim.workspace_id, { source: origin, name: host, content: extracted.own })
          yield* events.record(
            claim.workspace_id,
            "import.completed",
            importEvent(claim, "url", "success", filled.length)
          )
          return { parsed: filled.length > 0, ...importResult(extracted, filled, empty) }
        })
        yield* queue.complete(claim, store)
      }),
      failed: (claim) => events.record(claim.workspace_id, "import.completed", importEvent(claim, "url", "failed", 0))
    }
  })
