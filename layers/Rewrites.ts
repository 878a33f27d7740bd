// layers/Rewrites.ts: rewrites the emails of a lead, by a model or from another variant of a template.
import { Context, Effect, Fiber, Layer, Scope, Struct } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { Credits } from "#layers/Credits.ts"
import { inTransaction } from "#layers/database/Transactions.ts"
import { makeLeadBrief, appendSignature } from "#layers/generation/WritingSettings.ts"
import type { ChooseTemplate, JudgedEmail } from "#layers/generator/Brief.ts"
import type { PlaybookSnapshot } from "#layers/generator/playbook/PlaybookSnapshot.ts"
import { failureOf } from "#layers/generator/GenerationFailed.ts"
import { Generator } from "#layers/Generator.ts"
import { traced } from "#layers/lib/Traced.ts"
import { Model } from "#layers/Model.ts"
import { withHeldModelCalls, ModelCallSubject } from "#layers/model/ModelCalls.ts"
import { toPlaybookSnapshot } from "#layers/playbooks/Content.ts"
import { PlaybookStore } from "#layers/playbooks/Store.ts"
import type { LeadPath, OpenedLead } from "#layers/reviews/LoadLead.ts"
import { Reviews, type Rewritten } from "#layers/Reviews.ts"
import { storedChecks, currentVersion } from "#layers/reviews/ReviewEmails.ts"
import { Suppressions } from "#layers/Suppressions.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import {
  type Conflict,
  type InsufficientCredits,
  InternalError,
  type NotFound,
  RateLimited,
  Unprocessable
} from "#schema/Errors.ts"
import { leadFields } from "#schema/Lead.ts"
import type { ReviewedLead, RewriteInput } from "#schema/Review.ts"

/** Credits for a rewrite that changes at least one email. */
const rewriteCost = 1

/** Rewrites of one workspace at the same time, in this process. */
const maxRewrites = 5

const refuseRewrite = (message: string) => new Unprocessable({ message })

/** The current emails without the signature that the list appends. */
const currentEmails = ({ basis, row }: OpenedLead) => {
  const signatureEnd = `\n\n${basis.writing.signature}`
  return (row.sequence ?? []).map((email, index) => {
    const check = storedChecks(row)[index]
    return {
      ...email,
      body: email.body.endsWith(signatureEnd) ? email.body.slice(0, -signatureEnd.length) : email.body,
      edited: check?.author === "person",
      template_id: check?.template_id ?? null
    }
  })
}

/** Selects the requested variant, or the next one. Other steps keep their template. */
const templateChooser = (
  current: ReturnType<typeof currentEmails>,
  { step, variant }: RewriteInput
): ChooseTemplate => {
  return (stepOfEmail, variants) => {
    const previousIndex = variants.findIndex(
      ({ id }) => id === current.find((email) => email.step === stepOfEmail)?.template_id
    )
    if (step != null && step !== stepOfEmail) return variants[previousIndex]
    if (variant != null) return variants.find((template) => template.variant === variant)
    return variants[(previousIndex + 1) % variants.length]
  }
}

export class Rewrites extends Context.Service<
  Rewrites,
  {
    /**
     * Writes without storing or charging. When the caller is interrupted, the work continues until `store` has ended.
     * INTERNAL_ERROR gives the reason if nothing could be written.
     */
    readonly write: (
      workspace: WorkspaceId,
      path: LeadPath,
      input: RewriteInput
    ) => Effect.Effect<Rewritten, NotFound | Unprocessable | InsufficientCredits | InternalError>
    /** Stores the rewritten emails and charges for them in one transaction. Does neither if nothing changed. */
    readonly store: (
      workspace: WorkspaceId,
      path: LeadPath,
      rewritten: Rewritten
    ) => Effect.Effect<ReviewedLead, NotFound | Conflict | InsufficientCredits>
    /**
     * Runs a whole rewrite, which continues when its caller is interrupted. RATE_LIMITED if five are running for the
     * workspace.
     */
    readonly runDetached: <A, E>(workspace: WorkspaceId, work: Effect.Effect<A, E>) => Effect.Effect<A, E | RateLimited>
  }
>()("overture/layers/Rewrites") {
  static readonly layer = Layer.effect(
    Rewrites,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const scope = yield* Scope.Scope
      const credits = yield* Credits
      const generator = yield* Generator
      const model = yield* Model
      const playbooks = yield* PlaybookStore
      const reviews = yield* Reviews
      const suppressions = yield* Suppressions
      const runningRewrites = new Map<string, number>()
      const addRunning = (workspace: string, change: number) =>
        Effect.sync(() => {
          const count = (runningRewrites.get(workspace) ?? 0) + change
          if (count > 0) runningRewrites.set(workspace, count)
          else runningRewrites.delete(workspace)
        })

      const checkRequest = Effect.fnUntraced(function* (
        workspace: WorkspaceId,
        { row }: OpenedLead,
        input: RewriteInput
      ) {
        if (row.email === "")
          return yield* refuseRewrite("This person's data was erased, so nothing is written to this lead")
        if (row.sequence === null)
          return yield* refuseRewrite("This lead has no emails, so there is nothing to write again")
        if (input.step != null && !row.sequence.some(({ step }) => step === input.step)) {
          return yield* refuseRewrite(`This lead has no email ${input.step}; it has ${row.sequence.length}`)
        }
        const instruction = input.instruction?.trim() ?? ""
        if (instruction !== "" && model === undefined) {
          return yield* refuseRewrite(
            "instruction needs a model, and none is set; leave it out to use another template variant"
          )
        }
        if (instruction !== "" && input.variant != null) {
          return yield* refuseRewrite("A template variant cannot follow an instruction; send instruction or variant")
        }
        const [suppressed] = yield* suppressions.findReasons(workspace, [row])
        if (suppressed !== undefined) {
          return yield* refuseRewrite(
            `${suppressed} Nothing is written to this lead; remove the entry with DELETE /api/v1/suppressions/:id to write to it`
          )
        }
        yield* credits.require(workspace, rewriteCost)
        return instruction === "" ? null : instruction
      })

      /** The campaign's current playbook, for lists whose copy of the playbook is not used. */
      const currentPlaybook = Effect.fnUntraced(function* (workspace: WorkspaceId, campaign: string | null) {
        const refuseDeleted = () =>
          refuseRewrite("The campaign of this list was deleted, so there is no playbook to write from")
        if (campaign === null) return yield* refuseDeleted()
        const { brief, row } = yield* playbooks
          .open(workspace, campaign)
          .pipe(inTransaction(sql), Effect.catchTag(["FORBIDDEN", "NOT_FOUND", "NOT_READY"], refuseDeleted))
        return { ...brief, playbook: toPlaybookSnapshot(row.content, row.version) }
      })

      const writeSequence = Effect.fnUntraced(function* (
        workspace: WorkspaceId,
        path: LeadPath,
        storedLead: OpenedLead,
        input: RewriteInput,
        instruction: string | null
      ) {
        const { basis, campaign, row } = storedLead
        const current = currentEmails(storedLead)
        const isAdapted = instruction !== null || basis.brief?.playbook.personalization === "adapted"
        const byModel = model !== undefined && input.variant == null && isAdapted && basis.brief !== null
        const campaignBrief =
          byModel && basis.brief !== null ? basis.brief : yield* currentPlaybook(workspace, campaign)
        if (input.variant != null) yield* requireVariant(campaignBrief.playbook, current, input)
        const brief = {
          ...makeLeadBrief(
            { ...campaignBrief, writing: { ...basis.writing, email_count: current.length } },
            {
              lead: Struct.pick(row, [...leadFields, "custom_fields"]),
              facts: row.facts ?? [],
              seed: `${path.list}:${row.position}`
            }
          ),
          ...(byModel
            ? { rewrite: { step: input.step ?? null, current, instruction } }
            : { choose: templateChooser(current, input), only: input.step ?? undefined })
        }
        const writtenEmails = yield* generator.sequence(brief)
        const emails = appendSignature(writtenEmails, basis.writing.signature).map((email, index) => ({
          ...email,
          // If the request names a step, `written` has only the email of that step.
          step: input.step ?? email.step,
          judged: writtenEmails[index]
        }))
        return { emails, playbook_version: campaignBrief.playbook.version }
      })

      const write = traced("Rewrites.write")(function* (workspace: WorkspaceId, path: LeadPath, input: RewriteInput) {
        const storedLead = yield* reviews.loadLead(workspace, path)
        const instruction = yield* checkRequest(workspace, storedLead, input)
        const { emails, playbook_version } = yield* withHeldModelCalls(() =>
          Effect.provideService(writeSequence(workspace, path, storedLead, input, instruction), ModelCallSubject, {
            workspace,
            kind: "lead",
            subject: path.lead,
            list: path.list
          })
        ).pipe(
          Effect.catchTag("GenerationFailed", (error) =>
            InternalError.notWritten(`Nothing was rewritten and nothing charged: ${error.message}`, failureOf(error))
          )
        )
        const checks = storedChecks(storedLead.row)
        const changes = emails.flatMap(({ body, judged, step, subject }) => {
          const index = storedLead.row.sequence?.findIndex((email) => email.step === step) ?? -1
          const previous = storedLead.row.sequence?.[index]
          const review = checks[index]
          if (previous === undefined || review === undefined) return []
          if (previous.subject === subject && previous.body === body) return []
          const mark = judged?.mark
          const origin = {
            author: "rewrite" as const,
            template_id: templateOf(judged),
            playbook_version,
            ...(mark !== undefined && { mark })
          }
          return [{ step, subject, body, origin, replaces: currentVersion(review) }]
        })
        return { id: yield* random.uuidV7(), changes } satisfies Rewritten
      })

      return Rewrites.of({
        write,

        store: traced("Rewrites.store")(function* (workspace, path, rewritten) {
          if (rewritten.changes.length === 0) return yield* reviews.findLead(workspace, path, false)
          const lead = yield* reviews.replace(workspace, path, rewritten)
          yield* credits.charge(workspace, rewritten.id, rewriteCost)
          return lead
        }, inTransaction(sql)),

        runDetached: <A, E>(workspace: WorkspaceId, work: Effect.Effect<A, E>) =>
          Effect.suspend((): Effect.Effect<A, E | RateLimited> =>
            (runningRewrites.get(workspace) ?? 0) >= maxRewrites
              ? Effect.fail(
                  new RateLimited({ message: `At most ${maxRewrites} leads are rewritten at once; try again soon` })
                )
              : Effect.andThen(
                  addRunning(workspace, 1),
                  Effect.flatMap(Effect.forkIn(Effect.ensuring(work, addRunning(workspace, -1)), scope), Fiber.join)
                )
          )
      })
    })
  ).pipe(Layer.provide(Generator.layer))
}

const templateOf = (judged: JudgedEmail | undefined) => judged?.template_id ?? null

/** Fails unless the playbook has the requested variant for one of the emails. */
const requireVariant = (
  playbook: PlaybookSnapshot,
  current: ReturnType<typeof currentEmails>,
  { step, variant }: RewriteInput
) => {
  const templates = playbook.personas.flatMap((persona) => persona.templates)
  const templateIds = current
    .filter((email) => step == null || email.step === step)
    .map(({ template_id }) => template_id)
  const persona = playbook.personas.find(({ templates }) => templates.some(({ id }) => templateIds.includes(id)))
  const steps = new Set(templates.filter(({ id }) => templateIds.includes(id)).map((template) => template.step))
  const candidates = (persona?.templates ?? templates).filter(
    (template) => steps.size === 0 || steps.has(template.step)
  )
  return candidates.some((template) => template.variant === variant)
    ? Effect.void
    : refuseRewrite(
        `The playbook has no variant ${variant} of this email; add one with POST /api/v1/campaigns/:id/playbook/templates`
      )
}
