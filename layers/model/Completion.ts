// layers/model/Completion.ts: the `Model` service: requests an answer, checks it, and asks again with its faults quoted.
import { Effect, Layer, Redacted } from "effect"
import { Mac, SecureRandom } from "effect/crypto"
import { Hex } from "effect/encoding"
import { GenerationFailed } from "#layers/generator/GenerationFailed.ts"
import { LinkSecret } from "#layers/Links.ts"
import { type Judgement, type PromptData, Model, type PromptRequest, type Verification } from "#layers/Model.ts"
import type { Message, ClientSettings } from "#layers/model/Client.ts"
import { Unusable } from "#layers/model/Faults.ts"
import { fenceMaterial, removeInvisible } from "#layers/model/Fence.ts"
import { ModelHealth } from "#layers/model/Health.ts"
import * as OpenAi from "#layers/model/ModelProvider.ts"
import * as Structured from "#layers/model/Structured.ts"
import { ModelCalls } from "#layers/model/ModelCalls.ts"
import { traced } from "#layers/lib/Traced.ts"

const maxAttempts = 2
/** Longest text of the material that is sent by default, in characters. */
const defaultMaxTextLength = 4000
/** Longest part of a rejected answer that is sent back, in characters. */
const maxAnswerLength = 20_000

/** A rejected answer and its faults. */
interface AnswerDraft {
  readonly text: string
  readonly faults: ReadonlyArray<string>
}

const retryInstruction = ({ faults, text }: AnswerDraft): ReadonlyArray<Message> => {
  const faultList = faults.map((fault) => `- ${fault}`).join("\n")
  const note = `That answer cannot be used as it is:\n${faultList}\nMend this, keep what is good, and give the whole answer again.`
  return [
    { role: "assistant", content: removeInvisible(text, maxAnswerLength).trim() || "{}" },
    { role: "user", content: note }
  ]
}

const toRejectedAnswer = ({ message, text }: Unusable) => ({
  text,
  judged: { value: undefined, worth: 0, passes: maxAttempts, faults: [message], error: message } as const
})

/** Secret words derived from a shared secret, so that requests of all processes share the provider's prompt cache. */
const secretWords = Effect.gen(function* () {
  const mac = yield* Mac.Mac
  const random = yield* SecureRandom.SecureRandom
  const configuredSecret = yield* LinkSecret
  const secret =
    configuredSecret === undefined
      ? yield* random.randomBytes(32)
      : new TextEncoder().encode(Redacted.value(configuredSecret))
  const key = yield* Mac.key(Mac.hmacSha256, secret)
  const word = (purpose: string) =>
    Effect.map(mac.sign(key, new TextEncoder().encode(`model\n${purpose}`)), (bytes) => Hex.encode(bytes).slice(0, 16))
  return { canary: `ov${yield* word("canary")}`, sharedMark: `data-${yield* word("data")}` }
}).pipe(Effect.orDie, Effect.provide(Mac.layerWebCrypto))

export const layer = (settings: ClientSettings & { readonly verification?: Verification }) =>
  Layer.effect(
    Model,
    Effect.gen(function* () {
      const random = yield* SecureRandom.SecureRandom
      const word = Effect.map(random.randomBytes(8), Hex.encode)
      const provider = yield* OpenAi.make(settings)
      const structured = Structured.make(provider)
      const health = yield* ModelHealth
      const record = (problem: string | null) => health.record(settings.model, problem)
      // Shared material has its own mark, because a prompt cache needs identical text. Material of a single request,
      // for example a lead, is fenced with a random mark.
      const { canary, sharedMark } = yield* secretWords

      /** Caches the fenced blocks of shared material: requests often pass the same object, and cleaning it is expensive. */
      const fencedSharedBlocks = new WeakMap<
        PromptData,
        { readonly maxTextLength: number; readonly blocks: ReadonlyArray<string> }
      >()
      const fenceShared = (shared: PromptData, maxTextLength: number) => {
        const previous = fencedSharedBlocks.get(shared)
        if (previous?.maxTextLength === maxTextLength) return previous.blocks
        const blocks = fenceMaterial(sharedMark, shared, maxTextLength)
        fencedSharedBlocks.set(shared, { maxTextLength, blocks })
        return blocks
      }

      const requestAnswer = Effect.fnUntraced(function* <A>(
        { maxTextLength = defaultMaxTextLength, requestData, prompt, request, sharedData, trusted }: PromptRequest<A>,
        rejectedAnswer: AnswerDraft | undefined
      ) {
        const fenceTag = `data-${yield* word}`
        const instruction = trusted === undefined || trusted.trim() === "" ? [] : [trusted.trim()]
        const material = [
          ...instruction,
          ...fenceShared(sharedData, maxTextLength),
          ...fenceMaterial(fenceTag, requestData, maxTextLength)
        ]
        const completion = structured.ask(prompt, [
          { role: "system", content: prompt.system(canary) },
          { role: "user", content: [...material, request].join("\n\n") },
          ...(rejectedAnswer === undefined ? [] : retryInstruction(rejectedAnswer))
        ])
        const { answer, text } = yield* completion.pipe(
          Effect.tap(record(null)),
          Effect.tapErrorTag("Unusable", () => record(null)),
          Effect.tapErrorTag("GenerationFailed", ({ failure, message }) =>
            record(failure?.reason === "model_unreachable" ? message : null)
          )
        )
        // Searches the raw text and the decoded value, because JSON can escape letters.
        const answerText = text + JSON.stringify(answer)
        if ([canary, sharedMark, fenceTag].some((secret) => answerText.includes(secret))) {
          // The leaked answer is not sent back to the model.
          return yield* new Unusable({
            message: "The model repeated what is private to its instructions",
            text: ""
          })
        }
        return { answer, text }
      })

      return {
        verification: settings.verification ?? "sample",
        name: settings.model,
        serverInfo: provider.serverInfo,
        probe: (options) => Effect.tap(provider.probe(options), record),
        write: traced("Model.write")(function* <A, B>(
          promptRequest: PromptRequest<A>,
          judge: (answer: A) => Judgement<B> | Effect.Effect<Judgement<B>, GenerationFailed>
        ) {
          let best: Judgement<B> | undefined
          let previous: AnswerDraft | undefined
          for (let pass = 0; ; pass++) {
            const { judged, text }: { readonly judged: Judgement<B>; readonly text: string } = yield* requestAnswer(
              promptRequest,
              previous
            ).pipe(
              Effect.flatMap(({ answer, text }) => {
                const judged = judge(answer)
                return Effect.map(Effect.isEffect(judged) ? judged : Effect.succeed(judged), (judged) => ({
                  text,
                  judged
                }))
              }),
              Effect.catchTag("Unusable", (error) => Effect.succeed(toRejectedAnswer(error)))
            )
            if (judged.value !== undefined && (best === undefined || judged.worth > best.worth)) best = judged
            if (pass >= Math.min(judged.passes, best?.passes ?? maxAttempts)) {
              if (best?.value !== undefined) return best.value
              const { error, findings } = judged
              return yield* new GenerationFailed({
                message: error,
                transient: false,
                failure: findings === undefined ? { reason: "model_refused" } : { reason: "rules", findings }
              })
            }
            previous = { text, faults: judged.faults }
          }
        })
      }
    })
  ).pipe(Layer.provide([ModelCalls.layer, ModelHealth.layer, SecureRandom.layerWebCrypto]))
