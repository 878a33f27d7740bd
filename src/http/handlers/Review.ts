// src/http/handlers/Review.ts: the review of a list's emails.
import { Effect, Option } from "effect"
import { Reviews } from "#layers/Reviews.ts"
import { makeTestMails } from "#layers/reviews/TestMails.ts"
import { Rewrites } from "#layers/Rewrites.ts"
import { CurrentPrincipal } from "#schema/Auth.ts"
import { positioned } from "#schema/Page.ts"
import { handlersOf } from "#src/http/Handlers.ts"
import { idempotent, idempotentAfter } from "#src/http/IdempotentHandler.ts"
import { RequestContext } from "#src/http/RequestContext.ts"

const leadKeyOf = ({ id, lead_id }: { readonly id: string; readonly lead_id: string }) => ({ list: id, lead: lead_id })

export const ReviewHandlers = Effect.gen(function* () {
  const reviews = yield* Reviews
  const rewrites = yield* Rewrites
  const sendTest = yield* makeTestMails
  const runOnce = yield* idempotent
  const runOnceAfter = yield* idempotentAfter

  return handlersOf("review", {
    getLead: Effect.fnUntraced(function* ({ params }) {
      const { scopes, workspace_id } = yield* CurrentPrincipal
      const context = yield* RequestContext
      // Only reads by a key that may approve emails count as seen; the answer to HEAD has no emails.
      const marksSeen = scopes.includes("lists:write") && context?.method !== "HEAD"
      return yield* reviews.findLead(workspace_id, leadKeyOf(params), marksSeen)
    }),
    editEmail: Effect.fnUntraced(function* ({ params, payload }) {
      const { workspace_id } = yield* CurrentPrincipal
      return yield* reviews.edit(workspace_id, { ...leadKeyOf(params), step: params.step }, payload)
    }),
    listEmailVersions: Effect.fnUntraced(function* ({ params, query }) {
      const { workspace_id } = yield* CurrentPrincipal
      const page = yield* reviews.listVersions(workspace_id, { ...leadKeyOf(params), step: params.step }, query)
      return positioned(page, query)
    }),
    restoreEmail: Effect.fnUntraced(function* (request) {
      const { workspace_id } = yield* CurrentPrincipal
      const { params, payload } = request
      return yield* runOnce(
        request,
        reviews.restore(workspace_id, { ...leadKeyOf(params), step: params.step }, payload.version)
      )
    }),
    rewriteLead: Effect.fnUntraced(function* (request) {
      const { workspace_id } = yield* CurrentPrincipal
      const leadKey = leadKeyOf(request.params)
      const context = yield* Effect.context<CurrentPrincipal>()
      const work = runOnceAfter(request, rewrites.write(workspace_id, leadKey, request.payload), (rewritten) =>
        rewrites.store(workspace_id, leadKey, rewritten)
      )
      return yield* rewrites.runDetached(workspace_id, Effect.provideContext(work, context))
    }),
    sendTestMail: Effect.fnUntraced(function* (request) {
      const { workspace_id } = yield* CurrentPrincipal
      const { params, payload } = request
      // Sent before the transaction, because a slow mail server would hold it open.
      return yield* runOnceAfter(
        request,
        sendTest(workspace_id, leadKeyOf(params), payload.step ?? null),
        Effect.succeed
      )
    }),
    reviewLead: Effect.fnUntraced(function* ({ params, payload }) {
      const { workspace_id } = yield* CurrentPrincipal
      return yield* reviews.decide(workspace_id, leadKeyOf(params), payload)
    }),
    getLastBulkReview: Effect.fnUntraced(function* ({ params }) {
      const { workspace_id } = yield* CurrentPrincipal
      const lastBulk = yield* reviews.findLastBulk(workspace_id, params.id)
      return { last: Option.getOrNull(lastBulk), counts: yield* reviews.countReviews(workspace_id, params.id) }
    }),
    reviewLeads: Effect.fnUntraced(function* (request) {
      const { workspace_id } = yield* CurrentPrincipal
      return yield* runOnce(request, reviews.decideAll(workspace_id, request.params.id, request.payload))
    })
  })
})
