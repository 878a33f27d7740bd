// scripts/bench/Model.ts: the model server's process, and the answers it is given.
import { Effect } from "effect"
import { fork } from "node:child_process"
import { join } from "node:path"
import { end } from "#test/support/process.ts"
import type { Email, Heard, Told } from "./mock.ts"
import type { Env } from "./Servers.ts"

type Journal = Extract<Heard, { readonly kind: "journal" }>

export interface Model {
  readonly url: string
  /** Settings of a server that is to ask this model. */
  readonly env: Env
  readonly latency: (millis: number) => Effect.Effect<void>
  /** What it was asked since the last time. */
  readonly journal: Effect.Effect<Journal>
}

/** One for as long as the scope lasts, which knows what to say to as many leads as there are `emails`. */
export const make = Effect.fnUntraced(function* (emails: ReadonlyArray<ReadonlyArray<Email>>) {
  const child = yield* Effect.acquireRelease(
    Effect.sync(() => fork(join(import.meta.dirname, "mock.ts"), { stdio: ["ignore", "ignore", "inherit", "ipc"] })),
    (child) => end(child, "SIGKILL")
  )
  const tell = (told: Told) => Effect.sync(() => void child.send(told))
  const heard = <K extends Heard["kind"]>(kind: K) =>
    Effect.callback<Extract<Heard, { readonly kind: K }>>((resume) => {
      const listen = (heard: Heard) => {
        if (heard.kind !== kind) return
        child.off("message", listen)
        resume(Effect.succeed(heard as Extract<Heard, { readonly kind: K }>))
      }
      child.on("message", listen)
      child.once("exit", () => resume(Effect.die(new Error("The model server ended"))))
    })
  const { url } = yield* heard("ready")
  yield* tell({ kind: "emails", emails })
  return {
    url,
    env: {
      OVERTURE_GENERATOR: "openai",
      OPENAI_API_KEY: "sk-of-no-account",
      OPENAI_BASE_URL: url,
      OVERTURE_MODEL: "bench",
      OVERTURE_VERIFY: "off"
    },
    latency: (millis) => tell({ kind: "latency", millis }),
    journal: Effect.andThen(tell({ kind: "journal" }), heard("journal"))
  } satisfies Model
})
