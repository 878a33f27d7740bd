// layers/Model.ts: the language model, for the services that write, read or answer with it.
import { Context, type Effect, type Option } from "effect"
import type { GenerationFailed } from "#layers/generator/GenerationFailed.ts"
import type { ServerInfo } from "#layers/model/ModelServer.ts"
import type { Finding } from "#schema/Findings.ts"

/** One kind of request to a model. */
export interface Prompt<A> {
  readonly name: string
  /** The model that answers; the writer by default. */
  readonly by?: "writer" | "verifier" | undefined
  /** Stored with each call; differs for every wording of the prompt. */
  readonly version: string
  /** The system message. `canary` is a private word that no answer may contain. */
  readonly system: (canary: string) => string
  /** The JSON Schema of the answer. */
  readonly schema: { readonly [key: string]: unknown }
  readonly decode: (answer: unknown) => Option.Option<A>
}

/** Values that can be encoded as JSON. Texts in it are cleaned and capped before they are sent. */
export type Material = { readonly [name: string]: unknown }

/** One request. Material that many requests share comes first, so that the provider can cache the prompt. */
export interface PromptRequest<A> {
  readonly prompt: Prompt<A>
  /** The user's own request, outside the fenced data. It comes first, unchanged, and may give instructions. */
  readonly trusted?: string | undefined
  readonly shared: Material
  readonly own: Material
  /** Longest text that is sent, in characters, if not the default. */
  readonly longest?: number
  /** The instruction at the end: what to do with the material. */
  readonly request: string
}

/** A caller's assessment of an answer. */
export interface Judgement<B> {
  /** The part of the answer that can be used, if any. */
  readonly value: B | undefined
  /** Of several usable answers, the one with the highest worth is used. */
  readonly worth: number
  /** Passes, counted from the first answer, that may be spent on improving this one; 0 accepts it as it is. */
  readonly passes: 0 | 1 | 2
  /** What is wrong with the answer, quoted to the model. */
  readonly faults: ReadonlyArray<string>
  /** The error for a person; it quotes nothing of the answer. */
  readonly error: string
  /** The checker's findings, for the caller of the email. */
  readonly findings?: ReadonlyArray<Finding> | undefined
}

/** The emails whose claims are checked by a second call. */
export type Verification = "all" | "sample" | "off"

export interface Model {
  /** The name of the model that writes. */
  readonly name: string
  /**
   * Checks whether the model can be used: null, or the problem in the operator's words. Reads the server's list of models,
   * and also requests a completion if `asks` is set or the list does not name the model.
   */
  readonly probe: (options: { readonly asks: boolean }) => Effect.Effect<string | null>
  readonly verification: Verification
  /** What is known of the server without asking it. */
  readonly about: () => ServerInfo
  /**
   * Requests an answer, has it judged, and asks again with its faults quoted. Fails after two passes without a usable
   * answer, and with `transient` when the provider is down.
   */
  readonly write: <A, B>(
    order: PromptRequest<A>,
    judge: (answer: A) => Judgement<B> | Effect.Effect<Judgement<B>, GenerationFailed>
  ) => Effect.Effect<B, GenerationFailed>
}

/** The model; undefined when the built-in rules do everything. */
export const Model = Context.Reference<Model | undefined>("overture/layers/Model", { defaultValue: () => undefined })
