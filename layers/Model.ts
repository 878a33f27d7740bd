// layers/Model.ts: the language model, as the services that write, extract and answer use it.
import { Context, type Effect, type Option } from "effect"
import type { GenerationFailed } from "#layers/generator/GenerationFailed.ts"
import type { ServerInfo } from "#layers/model/ModelServer.ts"
import type { Finding } from "#schema/Findings.ts"

/** A kind of request to the model. */
export interface Prompt<A> {
  readonly name: string
  /** The model to use; the writer by default. */
  readonly by?: "writer" | "verifier" | undefined
  /** Stored with each call; changes with every wording of the prompt. */
  readonly version: string
  /** The system message. `canary` is a secret word; an answer that contains it is rejected. */
  readonly system: (canary: string) => string
  /** The JSON Schema of the answer. */
  readonly schema: { readonly [key: string]: unknown }
  readonly decode: (answer: unknown) => Option.Option<A>
}

/** Values that can be encoded as JSON. Texts in them are cleaned and truncated before they are sent. */
export type PromptData = { readonly [name: string]: unknown }

/** One request. `shared` precedes `own`, so that the provider can cache the common start of the prompt. */
export interface PromptRequest<A> {
  readonly prompt: Prompt<A>
  /** The user's own instruction. It is sent first and unchanged, outside the fenced data, and may give instructions. */
  readonly trusted?: string | undefined
  readonly sharedData: PromptData
  readonly requestData: PromptData
  /** Longer texts are truncated to this many characters; 4,000 if undefined. */
  readonly maxTextLength?: number
  /** The closing instruction: what to do with the material. */
  readonly request: string
}

/** The caller's judgement of an answer. */
export interface Judgement<B> {
  /** The usable part of the answer, if any. */
  readonly value: B | undefined
  /** The usable answer with the highest worth is returned. */
  readonly worth: number
  /** How many further passes may improve the answer, counted from the first one; 0 accepts the answer. */
  readonly passes: 0 | 1 | 2
  /** What is wrong with the answer; quoted to the model in the next pass. */
  readonly faults: ReadonlyArray<string>
  /** The error message for people; it quotes nothing of the answer. */
  readonly error: string
  /** The checker's findings, passed on to the caller. */
  readonly findings?: ReadonlyArray<Finding> | undefined
}

/** How many emails have their claims verified by a second call. */
export type Verification = "all" | "sample" | "off"

export interface Model {
  /** The name of the writer model. */
  readonly name: string
  /**
   * Checks whether the model can be used: null, or the problem for the operator. Reads the server's list of models;
   * requests a completion too if `sendsPrompt` is set or the model is not in the list.
   */
  readonly probe: (options: { readonly sendsPrompt: boolean }) => Effect.Effect<string | null>
  readonly verification: Verification
  /** The server's state as last seen; sends no request. */
  readonly serverInfo: () => ServerInfo
  /**
   * Requests an answer, judges it, and asks again with its faults quoted. Fails after two passes without a usable
   * answer, or with `transient` when the provider is down.
   */
  readonly write: <A, B>(
    promptRequest: PromptRequest<A>,
    judge: (answer: A) => Judgement<B> | Effect.Effect<Judgement<B>, GenerationFailed>
  ) => Effect.Effect<B, GenerationFailed>
}

/** Undefined if no model is set; the built-in rules then do all the work. */
export const Model = Context.Reference<Model | undefined>("overture/layers/Model", { defaultValue: () => undefined })
