// schema/Session.ts: sign-in to the console, and the session in a browser's cookie.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { OpenBody, RequestErrors, Scope } from "#schema/Auth.ts"
import { BadRequest, Conflict, Forbidden, NotFound, RateLimited, Unauthorized, Unprocessable } from "#schema/Errors.ts"
import { Email, Id, nonEmptyText, optional, Timestamp } from "#schema/Fields.ts"
import { Key } from "#schema/Keys.ts"

/** A header that requests by cookie need, against CSRF: no form or image can send it. */
export const sessionHeader = "x-overture-session"

export const Session = Schema.Struct({
  workspace: Schema.Struct({
    id: Id,
    name: Schema.String.annotate({ description: "Its name" }),
    is_unlimited: Schema.Boolean.annotate({
      description: "Whether its plan never refuses, so that credits need not be counted"
    })
  }).annotate({ title: "SessionWorkspace", description: "The workspace that it opens" }),
  key: Schema.Struct({
    id: Id,
    name: Key.fields.name,
    kind: Key.fields.kind,
    scopes: Schema.Array(Scope).annotate({ description: "What it may do" })
  }).annotate({ title: "SessionKey", description: "The key that it stands for" }),
  expires_at: Schema.NullOr(Timestamp).annotate({
    description: "When the session ends, at the latest; null for a request with an API key"
  })
}).annotate({
  title: "Session",
  description: "Who is signed in",
  examples: [
    {
      workspace: { id: "01980f3e-7c1a-7d52-9b7e-2f64c0a81d35", name: "Kestrel Pumps", is_unlimited: false },
      key: {
        id: "01980f45-3d2e-7a18-9c40-6b7f1e5d2a93",
        name: "Sign-in",
        kind: "sign_in",
        scopes: ["lists:read", "lists:write"]
      },
      expires_at: "2026-08-13T09:30:00.000Z"
    }
  ]
})
export type Session = typeof Session.Type

const Secret = nonEmptyText(200, "The secret")

const SignInInput = Schema.Struct({
  token: optional(Secret).annotate({ description: "What stands after `#/sign-in/` in a sign-in link" }),
  key: optional(Secret).annotate({ description: "An API key, in place of a token" })
}).annotate({
  title: "SignIn",
  description: "What to sign in with: a token or a key",
  examples: [{ token: "ovl_Rk3xV0bq7TzWm5LpJ2hYdC8sNf4KgE1uXaQi6Zo9rMw8tB0kHc" }]
})

const LinkRequest = Schema.Struct({
  email: Email.annotate({ description: "The address of a workspace's owner" })
}).annotate({ title: "LinkRequest", description: "Who wants to sign in", examples: [{ email: "ann@acme.example" }] })

const LinkRequested = Schema.Struct({ accepted: Schema.tag(true) }).annotate({
  title: "LinkRequested",
  description: "The same for every address. If it is the owner's of a workspace, a mail with a link is on its way"
})

const FirstRunInput = Schema.Struct({
  token: Secret.annotate({ description: "What stands after `#/first-run/` in the link that `serve` printed" }),
  name: nonEmptyText(200, "The name of the workspace, such as your company's"),
  email: Email.annotate({
    description: "Its owner, who is mailed when a batch is done and can ask for sign-in links"
  })
}).annotate({
  title: "FirstRun",
  description: "The first workspace of a server",
  examples: [
    {
      token: "ovl_Rk3xV0bq7TzWm5LpJ2hYdC8sNf4KgE1uXaQi6Zo9rMw8tB0kHc",
      name: "Kestrel Pumps",
      email: "piotr@kestrel-pumps.example"
    }
  ]
})

const FirstRunLink = Schema.Struct({ token: FirstRunInput.fields.token }).annotate({
  title: "FirstRunLink",
  description: "Who asks",
  examples: [{ token: "ovl_Rk3xV0bq7TzWm5LpJ2hYdC8sNf4KgE1uXaQi6Zo9rMw8tB0kHc" }]
})

const ModelServer = Schema.Struct({
  name: Schema.String.annotate({ description: "The kind of server" }),
  url: Schema.String.annotate({ description: "Its address on the machine of the server" }),
  models: Schema.Array(Schema.String).annotate({ description: "The models that it has and that can write" }),
  settings: Schema.Array(Schema.String).annotate({
    description: "Lines of the server's `.env` that make the first of them write; empty without a model"
  })
}).annotate({ title: "LocalModelServer", description: "A model server on the machine of the server" })
export type ModelServer = typeof ModelServer.Type

const ModelServers = Schema.Struct({ servers: Schema.Array(ModelServer) }).annotate({
  title: "LocalModelServers",
  description:
    "The model servers that answer on the usual ports of the machine; none if a model is configured. They were asked about themselves alone",
  examples: [
    {
      servers: [
        {
          name: "Ollama",
          url: "http://127.0.0.1:11434/v1",
          models: ["qwen3:8b"],
          settings: [
            "OVERTURE_MODEL_API=ollama",
            "OPENAI_BASE_URL=http://127.0.0.1:11434/v1",
            "OVERTURE_MODEL=qwen3:8b"
          ]
        }
      ]
    }
  ]
})

const SignInOptions = Schema.Struct({
  email: Schema.Boolean.annotate({ description: "Whether the server can mail sign-in links" })
}).annotate({
  title: "SignInOptions",
  description: "How one can sign in",
  examples: [{ email: true }]
})

const SessionsEnded = Schema.Struct({
  ended: Schema.Int.annotate({ description: "Sessions that were ended" })
}).annotate({ title: "SessionsEnded", description: "It is signed out", examples: [{ ended: 1 }] })

/**
 * Needs no key. Refuses pages of other origins, because such a page could sign a visitor in to the attacker's
 * workspace.
 */
export class SignInApi extends HttpApiGroup.make("sign_in")
  .add(
    HttpApiEndpoint.get("getSignInOptions", "/options", { success: SignInOptions }),
    HttpApiEndpoint.post("signIn", "/", {
      payload: SignInInput,
      success: Session.pipe(HttpApiSchema.status("Created")),
      error: Unauthorized
    }),
    HttpApiEndpoint.post("requestSignInLink", "/link", {
      payload: LinkRequest,
      success: LinkRequested.pipe(HttpApiSchema.status("Accepted")),
      error: [RateLimited, Unprocessable]
    }),
    HttpApiEndpoint.post("setUpFirstWorkspace", "/first-run", {
      payload: FirstRunInput,
      success: Session.pipe(HttpApiSchema.status("Created")),
      error: [Unauthorized, Conflict]
    }),
    HttpApiEndpoint.post("findModelServers", "/first-run/model-servers", {
      payload: FirstRunLink,
      success: ModelServers,
      error: Unauthorized
    })
  )
  .prefix("/session")
  .middleware(OpenBody)
  .middleware(RequestErrors) {}

export class SessionApi extends HttpApiGroup.make("session")
  .add(
    HttpApiEndpoint.get("getSession", "/", { success: Session, error: [Forbidden] }),
    HttpApiEndpoint.delete("endSession", "/", {
      query: {
        everywhere: Schema.optionalKey(
          Schema.Literals(["true", "false"]).annotate({
            description: "`true` also ends every other session of the same key"
          })
        )
      },
      success: SessionsEnded,
      error: [BadRequest, Forbidden, NotFound]
    })
  )
  .prefix("/session") {}
