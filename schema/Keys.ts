// schema/Keys.ts: API keys, and the endpoints that manage them.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { RateBucket, RequiredScope, Scope, scopes } from "#schema/Auth.ts"
import { BadRequest, Conflict, NotFound, Unprocessable } from "#schema/Errors.ts"
import { Id, optional, idParams, text, Timestamp } from "#schema/Fields.ts"
import { PageQuery, positionedPage } from "#schema/Page.ts"

/** The most characters in a name. */
export const maxNameLength = 100

/** The most keys of a workspace that are neither expired nor revoked. */
export const maxLiveKeys = 100

/** Maximum number of hours that a replaced key stays valid. */
const maxGraceHours = 720

const keyFields = {
  id: Id,
  name: Schema.NullOr(Schema.String).annotate({ description: "A name, to tell keys apart" }),
  kind: Schema.Literals(["key", "sign_in"]).annotate({
    description: "`sign_in` for a key whose secret was discarded: only sign-in links and their sessions use it"
  }),
  prefix: Schema.String.annotate({ description: "The first 8 characters of the secret" }),
  scopes: Schema.Array(Scope).annotate({ description: "What the key may do" }),
  created_at: Timestamp,
  expires_at: Schema.NullOr(Timestamp).annotate({ description: "When it ends; null if never" }),
  last_used_at: Schema.NullOr(Timestamp).annotate({ description: "When it was last used, to the minute" }),
  revoked_at: Schema.NullOr(Timestamp).annotate({ description: "When it was revoked; null if it was not" }),
  is_current: Schema.Boolean.annotate({ description: "Whether this request was made with it" })
}
const example = {
  id: "01980f45-3d2e-7a18-9c40-6b7f1e5d2a93",
  name: "CRM",
  kind: "key",
  prefix: "ovk_Rk3x",
  scopes: ["lists:read", "credits:read"],
  created_at: "2026-07-14T09:30:00.000Z",
  expires_at: null,
  last_used_at: "2026-07-15T08:02:00.000Z",
  revoked_at: null,
  is_current: false
} as const

export const Key = Schema.Struct(keyFields).annotate({
  title: "Key",
  description: "An API key, without its secret",
  examples: [example]
})
export type Key = typeof Key.Type

export const KeyWithSecret = Schema.Struct({
  ...keyFields,
  key: Schema.String.annotate({ description: "The secret. Store it now: it is not shown again" })
}).annotate({
  title: "KeyWithSecret",
  description: "A new API key with its secret",
  examples: [{ ...example, last_used_at: null, key: "ovk_Rk3xV0bq7TzWm5LpJ2hYdC8sNf4KgE1uXaQi6Zo9rMw8tB0kHc" }]
})
export type KeyWithSecret = typeof KeyWithSecret.Type

const KeyInput = Schema.Struct({
  name: optional(text(maxNameLength)).annotate({ description: "A name, to tell keys apart" }),
  scopes: optional(Schema.Array(Scope).check(Schema.isMaxLength(scopes.length))).annotate({
    description: "What the key may do: only what the key of this request may do. All of that if left out"
  }),
  expires_in_days: optional(
    Schema.Int.check(
      Schema.isBetween({ minimum: 1, maximum: 3650 }, { message: "must be a whole number from 1 to 3650" })
    )
  ).annotate({
    description: "Days until it ends; if left out, never, or with the key of this request. No later than that key ends"
  })
}).annotate({
  title: "KeyInput",
  description: "A new API key",
  examples: [{ name: "CRM", scopes: ["lists:read", "credits:read"], expires_in_days: 90 }]
})
export type KeyInput = typeof KeyInput.Type

const Rotation = Schema.Struct({
  grace_hours: optional(
    Schema.Int.check(
      Schema.isBetween(
        { minimum: 0, maximum: maxGraceHours },
        { message: `must be a whole number from 0 to ${maxGraceHours}` }
      )
    )
  ).annotate({ description: "Hours that the old key stays valid; 24 if left out" })
}).annotate({ title: "KeyRotation", description: "How a key is replaced", examples: [{ grace_hours: 24 }] })

export const SignInLink = Schema.Struct({
  url: Schema.String.annotate({ description: "The address to open in a browser. It signs in once" }),
  expires_at: Timestamp.annotate({ description: "When it ends: after 15 minutes" })
}).annotate({
  title: "SignInLink",
  description: "A link that signs in to the page without a key",
  examples: [
    {
      url: "https://overture.example/#/sign-in/ovl_Rk3xV0bq7TzWm5LpJ2hYdC8sNf4KgE1uXaQi6Zo9rMw8tB0kHc",
      expires_at: "2026-07-14T09:45:00.000Z"
    }
  ]
})
export type SignInLink = typeof SignInLink.Type

const KeyPage = positionedPage("KeyPage", Key)

const params = idParams("key")
const bucket = { name: "keys", limit: 20, per: "workspace" } as const

export class KeysApi extends HttpApiGroup.make("keys")
  .add(
    HttpApiEndpoint.get("listKeys", "/", { query: PageQuery, success: KeyPage }).annotate(RequiredScope, "keys:write"),
    HttpApiEndpoint.post("createKey", "/", {
      payload: KeyInput,
      success: KeyWithSecret.pipe(HttpApiSchema.status("Created")),
      error: [BadRequest, Conflict]
    })
      .annotate(RequiredScope, "keys:write")
      .annotate(RateBucket, bucket),
    HttpApiEndpoint.delete("revokeKey", "/:id", { params, success: Key, error: NotFound }).annotate(
      RequiredScope,
      "keys:write"
    ),
    HttpApiEndpoint.post("rotateKey", "/:id/rotate", {
      params,
      payload: Rotation,
      success: KeyWithSecret.pipe(HttpApiSchema.status("Created")),
      error: [BadRequest, NotFound, Conflict, Unprocessable]
    })
      .annotate(RequiredScope, "keys:write")
      .annotate(RateBucket, bucket),
    HttpApiEndpoint.post("createSignInLink", "/:id/sign-in-link", {
      params,
      success: SignInLink.pipe(HttpApiSchema.status("Created")),
      error: [NotFound, Unprocessable]
    })
      .annotate(RequiredScope, "keys:write")
      .annotate(RateBucket, bucket)
  )
  .prefix("/keys") {}
