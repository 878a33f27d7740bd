// layers/model/ContextSize.ts: checks whether a prompt fits into a model's context, before sending and after the
// answer.
import type { Message } from "#layers/model/Client.ts"
import type { ModelFault } from "#layers/model/Faults.ts"

/** Tokens reserved for an answer if OVERTURE_MAX_TOKENS is not set, and the fewest that an email needs. */
const answerTokens = { default: 4096, min: 1024 }

/**
 * The smallest context that a model is loaded with. One size for most prompts, because another size reloads the model.
 */
export const minContext = 8192

const groupDigits = (count: number) => count.toLocaleString("en-US")

/** The prompt is too long and was not sent. */
export const promptTooLong = (tokens: number, context: number, hint: string): ModelFault => ({
  what: `has a context of ${groupDigits(context)} tokens, and this prompt with its answer needs up to ${groupDigits(tokens)}. It was not sent, because the server would cut it`,
  hint,
  kind: "content"
})

/** The server truncated the prompt. */
export const promptTruncated = (read: number, context: number | undefined, hint: string): ModelFault => ({
  what: `cut the prompt: it read ${groupDigits(read)} tokens of it${context === undefined ? "" : ` in a context of ${groupDigits(context)}`}. Its answer is not used`,
  hint,
  kind: "content"
})

/** Tokens that a chat template adds to each message, and to the whole prompt. */
const templateTokens = { message: 8, prompt: 64 }

const tokenPieces = /[A-Za-z]+|[0-9]+|[ \t]+|\n+|[\x21-\x7e]|[^\x00-\x7f]+|[\s\S]/g // oxlint-disable-line no-control-regex

const maxTokensFor = (piece: string): number => {
  // Common words are one token; rare words, names and compounds are split every two to four letters.
  if (/^[A-Za-z]/.test(piece)) return Math.ceil(piece.length / (piece.length > 8 ? 2.5 : 4))
  // Some tokenizers split numbers into digits.
  if (/^[0-9]/.test(piece)) return piece.length
  // A space is part of the token of the next word.
  if (piece === " ") return 0
  if (/^\s/.test(piece)) return Math.ceil(piece.length / 4)
  // Tokenizers encode unknown characters as bytes, so there are never more tokens than bytes.
  return /^[\x21-\x7e]$/.test(piece) ? 1 : Buffer.byteLength(piece)
}

/** An upper bound: a third to a half more than common tokenizers need for English and JSON. */
export const maxTokens = (messages: ReadonlyArray<Message>): number =>
  messages.reduce(
    (sum, { content }) =>
      sum +
      templateTokens.message +
      (content.match(tokenPieces) ?? []).reduce((tokenSum, piece) => tokenSum + maxTokensFor(piece), 0),
    templateTokens.prompt
  )

/** A lower bound, because no common token spans two words; a tenth of them is the margin. */
export const minTokens = (messages: ReadonlyArray<Message>): number =>
  Math.floor(messages.reduce((sum, { content }) => sum + (content.match(/\S+/g) ?? []).length, 0) * 0.9)

export interface Size {
  /** The context to load the model with. */
  readonly context: number
  /** Tokens left for the answer. */
  readonly answer: number
}

/**
 * The context for a prompt: doubled from the smallest until it fits, so that few sizes occur, and at most `ceiling`. If
 * it does not fit, the tokens that it needs.
 */
export const promptSize = (
  messages: ReadonlyArray<Message>,
  options: { readonly answer: number | undefined; readonly ceiling: number; readonly floor: number }
): Size | { readonly needs: number } => {
  const prompt = maxTokens(messages)
  const wantedAnswer = options.answer ?? answerTokens.default
  const leastAnswer = Math.min(wantedAnswer, answerTokens.min)
  if (prompt + leastAnswer > options.ceiling) return { needs: prompt + leastAnswer }
  let context = Math.max(minContext, options.floor)
  while (context < prompt + wantedAnswer) context *= 2
  context = Math.min(context, options.ceiling)
  return { context, answer: Math.min(wantedAnswer, context - prompt) }
}

/** Whether the token count that the server reports allows that it read the whole prompt. */
export const isComplete = (
  messages: ReadonlyArray<Message>,
  read: number,
  context = Number.POSITIVE_INFINITY
): boolean => read >= minTokens(messages) && read < context - 1
