// src/workers/Imports.ts: imports documents and sites into the company profile.
import { Duration, Effect, Option, Schema, Struct } from "effect"
import { createHash } from "node:crypto"
import { GenerationFailed } from "#layers/generator/GenerationFailed.ts"
import { DocumentPayload, Imports, SitePayload } from "#layers/Imports.ts"
import { type ClaimedJob, Queue } from "#layers/Queue.ts"
import type { JobHandler } from "#layers/queue/JobHandler.ts"
import { Researcher } from "#layers/Researcher.ts"
import type { ExtractedProfile, Findings } from "#layers/research/ExtractProfile.ts"
import { fetchSite } from "#layers/research/FetchSite.ts"
import { Web } from "#layers/Web.ts"
import { Events } from "#layers/webhooks/Events.ts"
import { Workspaces } from "#layers/Workspaces.ts"
import type { Details } from "#schema/Details.ts"
import type { FieldConflict } from "#schema/Imports.ts"

/** Transient: an outage of the file storage ends, so the job retries for about two hours. */
const documentUnavailable = new GenerationFailed({
  message: "The document cannot be read now; send it again later",
  transient: true
})

/** The identity of a document, so that a repeated import replaces its text. */
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")

const maxCandidates = 12

/** The entries of a field as text, such as "Seal kit | €80" for a product with its price. */
const entriesOf = (value: Details[keyof Details] | undefined): ReadonlyArray<string> =>
  [value ?? []]
    .flat()
    .map((entry) =>
      typeof entry === "string" ? entry : [entry.product, entry.pricing].filter((part) => part !== "").join(" | ")
    )

const normalize = (text: string) => text.toLowerCase().replace(/\s+/g, " ").trim()

/** What a text states for fields that have a value, unless the value says it. */
const findConflicts = (findings: Findings, before: Details): ReadonlyArray<FieldConflict> =>
  Struct.keys(findings).flatMap((field) => {
    const value = normalize(entriesOf(before[field]).join("\n"))
    const candidates = entriesOf(findings[field]).filter((entry) => !value.includes(normalize(entry)))
    return value === "" || candidates.length === 0 ? [] : [{ field, candidates: candidates.slice(0, maxCandidates) }]
  })

/**
 * The result of an import: sources of the filled fields, fields that are still empty or have another value, and a notice
 * if the model was not used.
 */
const importResult = (
  { findings, missing, notice, sources }: ExtractedProfile,
  { before, empty, filled }: Effect.Success<ReturnType<Workspaces["Service"]["fillEmptyFields"]>>
) => ({
  ...(notice === undefined ? {} : { notice }),
  sources: sources.filter(({ field }) => filled.includes(field)),
  missing: missing.filter(({ field }) => empty.has(field)),
  conflicts: findConflicts(findings, before)
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
              const result = yield* workspaces.fillEmptyFields(claim.workspace_id, extracted.findings)
              const name = document.value.name ?? `${document.value.kind.toUpperCase()} document`
              yield* imports.saveText(claim.workspace_id, {
                source: sha256(extracted.own),
                name,
                content: extracted.own
              })
              return { status: "success" as const, fields_updated: result.filled, ...importResult(extracted, result) }
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
          const result = yield* workspaces.fillEmptyFields(claim.workspace_id, extracted.findings)
          yield* imports.saveText(claim.workspace_id, { source: origin, name: host, content: extracted.own })
          yield* events.record(
            claim.workspace_id,
            "import.completed",
            importEvent(claim, "url", "success", result.filled.length)
          )
          return { parsed: result.filled.length > 0, ...importResult(extracted, result) }
        })
        yield* queue.complete(claim, store)
      }),
      failed: (claim) => events.record(claim.workspace_id, "import.completed", importEvent(claim, "url", "failed", 0))
    }
  })
