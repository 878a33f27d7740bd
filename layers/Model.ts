// layers/Model.ts: a language model, as those use it who write, read or answer better with one.
import { Context, type Effect, type Option } from "effect"
import type { GenerationFailed } from "#layers/generator/GenerationFailed.ts"
import type { Finding } from "#schema/Findings.ts"

/** One kind of thing that a model is asked for. */
export interface Prompt<A> {
  readonly name: string
  /** Which model answers: the writer's when omitted. */
  readonly by?: "writer" | "verifier" | undefined
  /** Stored with each call: tells every wording of the prompt apart. */
  readonly version: string
  /** What comes first in each request, with a private word that no answer may hold. */
  readonly system: (canary: string) => string
  /** The form of an answer, as JSON Schema. */
  readonly schema: { readonly [key: string]: unknown }
  readonly decode: (answer: unknown) => Option.Option<A>
}

/** Anything that can be written as JSON; texts in it are cleaned and capped on their way. */
export type Material = { readonly [name: string]: unknown }

/** What is asked this time. Whatever many requests share comes first, so that a provider's prompt cache knows it. */
export interface PromptRequest<A> {
  readonly prompt: Prompt<A>
  /** The user's request, outside the data: it comes first, unchanged, and may give instructions. */
  readonly trusted?: string | undefined
  readonly shared: Material
  readonly own: Material
  /** As much of each text as is sent, where that is not the usual. */
  readonly longest?: number
  /** The last words: what to make of this. */
  readonly request: string
}

/** The value of an answer to its caller. */
export interface Judgement<B> {
  /** What could be used of it, if anything. */
  readonly value: B | undefined
  /** Of several that could be used, the worthiest is. */
  readonly worth: number
  /** How many passes, counted from the first answer, it may take to better this one; 0 takes it as it is. */
  readonly passes: 0 | 1 | 2
  /** What is wrong, in words for the model. */
  readonly faults: ReadonlyArray<string>
  /** The error in words for a person; it quotes nothing of the answer. */
  readonly error: string
  /** What the checker reports of it, for the caller whose email it was. */
  readonly findings?: ReadonlyArray<Finding> | undefined
}

/** For which emails a second call checks the claims. */
export type Verification = "all" | "sample" | "off"

export interface Model {
  /** What the model is called that writes. */
  readonly name: string
  /**
   * Whether the model can be used now: null, or what is wrong in the operator's words. Looks in the server's list of
   * models; `asks` for a word too where that is wanted, or where the list does not say.
   */
  readonly probe: (options: { readonly asks: boolean }) => Effect.Effect<string | null>
  readonly verification: Verification
  /**
   * Asks, has the answer judged, and asks again with the faults quoted. Fails when two passes were not enough, and
   * with `transient` when the provider is down.
   */
  readonly write: <A, B>(
    order: PromptRequest<A>,
    judge: (answer: A) => Judgement<B> | Effect.Effect<Judgement<B>, GenerationFailed>
  ) => Effect.Effect<B, GenerationFailed>
}

/** None where the built-in rules do everything. */
export const Model = Context.Reference<Model | undefined>("overture/layers/Model", { defaultValue: () => undefined })
