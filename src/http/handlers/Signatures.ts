// src/http/handlers/Signatures.ts: saved signatures.
import { Effect } from "effect"
import { handlersOf } from "#src/http/Handlers.ts"
import { Signatures } from "#layers/Signatures.ts"
import { CurrentPrincipal } from "#schema/Auth.ts"
import { pageFieldsOf } from "#schema/Page.ts"

export const SignaturesHandlers = Effect.gen(function* () {
  const signatures = yield* Signatures

  return handlersOf("signatures", {
    listSignatures: Effect.fnUntraced(function* ({ query }) {
      const { workspace_id } = yield* CurrentPrincipal
      const page = yield* signatures.list(workspace_id, query)
      return { data: page.rows, ...pageFieldsOf(page, query) }
    }),
    createSignature: Effect.fnUntraced(function* ({ payload }) {
      const { workspace_id } = yield* CurrentPrincipal
      return yield* signatures.create(workspace_id, payload.signature_text)
    }),
    replaceSignature: Effect.fnUntraced(function* ({ params, payload }) {
      const { workspace_id } = yield* CurrentPrincipal
      return yield* signatures.replace(workspace_id, params.id, payload.signature_text)
    }),
    deleteSignature: Effect.fnUntraced(function* ({ params }) {
      const { workspace_id } = yield* CurrentPrincipal
      yield* signatures.remove(workspace_id, params.id)
      return { id: params.id, deleted: true }
    })
  })
})
