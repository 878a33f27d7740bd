// scripts/bench/ModelServer.ts: starts the model server in its own process, and controls it.
import { Effect } from "effect"
import { fork } from "node:child_process"
import { join } from "node:path"
import { stopProcess } from "#test/support/process.ts"
import type { Command, Email, Message } from "./mock.ts"
import type { Env } from "./Servers.ts"

type Journal = Extract<Message, { readonly kind: "journal" }>

export interface ModelServer {
  readonly url: string
  /** The settings of a server that uses this model. */
  readonly env: Env
  readonly setLatency: (millis: number) => Effect.Effect<void>
  /** The calls since the last time. */
  readonly takeJournal: Effect.Effect<Journal>
}

/** A model server until the scope closes, with replies for as many leads as there are `emails`. */
export const startModelServer = Effect.fnUntraced(function* (emails: ReadonlyArray<ReadonlyArray<Email>>) {
  const child = yield* Effect.acquireRelease(
    Effect.sync(() => fork(join(import.meta.dirname, "mock.ts"), { stdio: ["ignore", "ignore", "inherit", "ipc"] })),
    (child) => stopProcess(child, "SIGKILL")
  )
  const send = (command: Command) => Effect.sync(() => void child.send(command))
  const receive = <K extends Message["kind"]>(kind: K) =>
    Effect.callback<Extract<Message, { readonly kind: K }>>((resume) => {
      const listen = (message: Message) => {
        if (message.kind !== kind) return
        child.off("message", listen)
        resume(Effect.succeed(message as Extract<Message, { readonly kind: K }>))
      }
      child.on("message", listen)
      child.once("exit", () => resume(Effect.die(new Error("The model server ended"))))
    })
  const { url } = yield* receive("ready")
  yield* send({ kind: "emails", emails })
  return {
    url,
    env: {
      OVERTURE_GENERATOR: "openai",
      OPENAI_API_KEY: "sk-of-no-account",
      OPENAI_BASE_URL: url,
      OVERTURE_MODEL: "bench",
      OVERTURE_VERIFY: "off"
    },
    setLatency: (millis) => send({ kind: "latency", millis }),
    takeJournal: Effect.andThen(send({ kind: "journal" }), receive("journal"))
  } satisfies ModelServer
})
