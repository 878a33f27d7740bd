// layers/LeadFiles.ts: reads lead files in a worker thread, with limits on memory and time.
import { Context, Effect, Layer, PartitionedSemaphore } from "effect"
import type { LeadFileJson, LeadFileQuestion, LeadFileReply } from "#layers/lead-files/ReadLeadFile.ts"
import { binaryName, extensionOf } from "#layers/research/read/FileKinds.ts"
import { runInThread, type DocumentUnreadable, unreadable } from "#layers/threads/RunInThread.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import { BadRequest } from "#schema/Errors.ts"
import type { ChosenColumns, LeadFile } from "#schema/lead-files/Parser.ts"

const maxThreads = 2

export interface UploadedFile {
  readonly format: LeadFileQuestion["format"]
  readonly content: Uint8Array
  /** The first sheet of a workbook if undefined. */
  readonly sheet: string | undefined
  readonly chosen: ChosenColumns
}

/** The format of a file by its name and first bytes, or the reason why it cannot be read. */
export const formatOf = (
  name: string,
  content: Uint8Array
): { readonly format: LeadFileQuestion["format"] } | { readonly refusal: string } => {
  const fileExtension = extensionOf(name)
  if (fileExtension === "xls") return { refusal: "is an old Excel workbook; save it as .xlsx or .csv" }
  if (fileExtension !== "csv" && fileExtension !== "tsv" && fileExtension !== "xlsx") {
    return { refusal: "must be a .csv, .tsv or .xlsx file" }
  }
  if (content.length === 0) return { refusal: "is empty" }
  const binaryFormat = binaryName(content)
  if (fileExtension === "xlsx") {
    return binaryFormat === "a ZIP or Office file"
      ? { format: "xlsx" }
      : { refusal: `is named .xlsx but is ${binaryFormat ?? "something else"}` }
  }
  return binaryFormat === undefined || binaryFormat === "a program"
    ? { format: "csv" }
    : { refusal: `is named .${fileExtension} but is ${binaryFormat}` }
}

/** Reads the leads of a workbook or text file without the service, for the CLI. */
export const readFile = Effect.fn("LeadFiles.readFile")(function* (file: UploadedFile) {
  const reply = yield* runInThread<LeadFileReply>({ kind: "lead-file", answer: "file", ...file })
  if ("file" in reply) return reply.file satisfies LeadFile
  return yield* unreadable("unreadable" in reply ? reply.unreadable : "The file cannot be read")
})

export class LeadFiles extends Context.Service<
  LeadFiles,
  {
    /**
     * The leads and problems of a file in JSON. Encoded in the worker thread, because there may be very many. `content`
     * is empty afterwards.
     */
    readonly read: (
      workspace: WorkspaceId,
      file: UploadedFile & { readonly content: Uint8Array<ArrayBuffer> }
    ) => Effect.Effect<LeadFileJson, DocumentUnreadable | BadRequest>
  }
>()("overture/layers/LeadFiles") {
  static readonly layer = Layer.effect(
    LeadFiles,
    Effect.gen(function* () {
      // Workspaces take turns, because a small workbook can occupy a thread for its whole time.
      const threads = yield* PartitionedSemaphore.make<WorkspaceId>({ permits: maxThreads })
      return LeadFiles.of({
        read: Effect.fn("LeadFiles.read")(function* (workspace, file) {
          const reply = yield* threads.withPermit(workspace)(
            runInThread<LeadFileReply>({ kind: "lead-file", answer: "json", ...file }, [file.content.buffer])
          )
          if ("json" in reply) return reply
          if ("unreadable" in reply && reply.field !== undefined)
            return yield* BadRequest.at(`mapping.${reply.field}`, reply.unreadable)
          return yield* unreadable("unreadable" in reply ? reply.unreadable : "The file cannot be read")
        })
      })
    })
  )
}
