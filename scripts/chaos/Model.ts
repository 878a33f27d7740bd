// scripts/chaos/Model.ts: the model server: a mock that answers correctly or with faults, and keeps a journal of its
// requests.
import { LLMock } from "@copilotkit/aimock"
import { Effect } from "effect"
import { subscribe, unsubscribe } from "node:diagnostics_channel"
import type { IncomingMessage, ServerResponse } from "node:http"
import { brain, emails } from "#test/support/brain.ts"
import { type Asked, askedOf, says, type Said, usage } from "#test/support/model.ts"
import type { Dice } from "./Dice.ts"

/** Faults of one request. */
const fates = [
  "busy",
  "broken",
  "reset",
  "stall",
  "garbage",
  "malformed",
  "truncated",
  "empty",
  "steps",
  "slow"
] as const
export type Fate = (typeof fates)[number]

/** The probability of each fault, from 0 to 1. */
export type Mood = Partial<Record<Fate, number>>

export interface Model {
  readonly url: string
  readonly mood: (mood: Mood) => void
  /** Sends the answers that were held back. */
  readonly relent: () => void
  /** Called after each answer with the latest request. */
  readonly onSent: (hook: ((asked: Asked | undefined) => void) | undefined) => void
  /** Returns and clears the journal of calls. */
  readonly journal: () => ReadonlyArray<{ readonly asked: Asked; readonly status: number }>
}

export const key = "sk-chaos-of-a-key-that-nobody-may-see"

const path = "/v1/chat/completions"
const down: Said = { error: { message: "overloaded" }, status: 500 }
const wait = (millis: number) => new Promise<void>((resume) => setTimeout(resume, millis))

/** What a request that `fate` befell is answered; resets and malformed bodies are the mock's own affair. */
const answer = async (
  asked: Asked,
  fate: Fate | undefined,
  stalled: () => Promise<void>,
  dice: Dice
): Promise<Said> => {
  const well = async (): Promise<Said> => (typeof brain === "function" ? brain(asked, 0) : brain)
  switch (fate) {
    case "busy":
      return { error: { message: "slow down" }, status: 429, retryAfter: 1 }
    case "broken":
      return down
    case "stall":
      await stalled()
      return down
    case "slow":
      await wait(dice.int(200, 2500))
      return well()
    case "garbage":
      return { content: "Certainly! Here are your emails, as you wished.", usage }
    case "truncated": {
      const whole = await well()
      return { content: "content" in whole ? String(whole.content).slice(0, 60) : "{", finishReason: "length", usage }
    }
    case "empty":
      return { content: "", usage }
    case "steps":
      return says({ emails: dice.chance(0.5) ? [] : [...emails(3), ...emails(3)] }, { usage })
    default:
      return well()
  }
}

export const make = Effect.fnUntraced(function* (dice: Dice) {
  let mood: Mood = {}
  let last: Asked | undefined
  let hook: ((asked: Asked | undefined) => void) | undefined
  let release = Promise.withResolvers<void>()
  /** A request is looked at more than once, and is decided upon once. */
  const decided = new WeakMap<object, Fate | "well">()

  const fateOf = (request: object): Fate | "well" => {
    const before = decided.get(request)
    if (before !== undefined) return before
    let at = dice.next()
    const fate = fates.find((each) => (at -= mood[each] ?? 0) < 0) ?? "well"
    decided.set(request, fate)
    return fate
  }
  const is = (fate: Fate) => ({ predicate: (request: object) => fateOf(request) === fate })

  const server = new LLMock({ port: 0, host: "127.0.0.1" })
  server.on(is("reset"), down, { chaos: { disconnectRate: 1 } })
  server.on(is("malformed"), { content: "{}" }, { chaos: { malformedRate: 1 } })
  server.on({}, (request) => {
    const asked = askedOf(request)
    last = asked
    const fate = fateOf(request)
    const stalled = () => Promise.race([wait(75_000), release.promise])
    return answer(asked, fate === "well" ? undefined : fate, stalled, dice)
  })
  yield* Effect.acquireRelease(
    Effect.promise(() => server.start()),
    () => Effect.promise(() => server.stop())
  )

  const sent = (message: unknown) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse }
    if (hook !== undefined && request.socket.localPort === server.port && request.url === path) {
      if (response.statusCode === 200) hook(last)
    }
  }
  yield* Effect.acquireRelease(
    Effect.sync(() => subscribe("http.server.response.finish", sent)),
    () => Effect.sync(() => unsubscribe("http.server.response.finish", sent))
  )

  return {
    url: `${server.url}/v1`,
    mood: (next) => {
      mood = next
    },
    relent: () => {
      release.resolve()
      release = Promise.withResolvers()
    },
    onSent: (next) => {
      hook = next
    },
    journal: () => {
      const entries = server.getRequests().filter((entry) => entry.path === path)
      server.clearRequests()
      return entries.map(({ body, response }) => ({ asked: askedOf(body), status: response.status }))
    }
  } satisfies Model
})
