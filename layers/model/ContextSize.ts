// layers/model/ContextSize.ts: whether a prompt fits into the context of a model, before it is sent and after it was read.
import type { Message } from "#layers/model/Client.ts"
import type { ModelFault } from "#layers/model/Faults.ts"

/** Tokens that are left for an answer where OVERTURE_MAX_TOKENS says nothing, and the fewest that an email fits into. */
const answerTokens = { usual: 4096, least: 1024 }

/** The smallest context that a model is loaded with: one size for most prompts, because another one loads it again. */
export const smallestContext = 8192

const groupDigits = (count: number) => count.toLocaleString("en-US")

/** The fault of a prompt that was not sent because it is too long. */
export const tooLongMessage = (tokens: number, context: number, hint: string): ModelFault => ({
  what: `has a context of ${groupDigits(context)} tokens, and this prompt with its answer needs up to ${groupDigits(tokens)}. It was not sent, because the server would cut it`,
  hint,
  kind: "content"
})

/** The fault of an answer to a prompt that the server cut. */
export const wasTruncated = (read: number, context: number | undefined, hint: string): ModelFault => ({
  what: `cut the prompt: it read ${groupDigits(read)} tokens of it${context === undefined ? "" : ` in a context of ${groupDigits(context)}`}. Its answer is not used`,
  hint,
  kind: "content"
})

/** Tokens that a chat template adds around a message, and around all of them. */
const template = { message: 8, all: 64 }

const tokenPieces = /[A-Za-z]+|[0-9]+|[ \t]+|\n+|[\x21-\x7e]|[^\x00-\x7f]+|[\s\S]/g // oxlint-disable-line no-control-regex

const maxTokensFor = (piece: string): number => {
  // Common words are one token; rare ones, names and compounds are cut every two to four letters.
  if (/^[A-Za-z]/.test(piece)) return Math.ceil(piece.length / (piece.length > 8 ? 2.5 : 4))
  // Some tokenizers give each digit a token of its own.
  if (/^[0-9]/.test(piece)) return piece.length
  // A space joins the word that follows it.
  if (piece === " ") return 0
  if (/^\s/.test(piece)) return Math.ceil(piece.length / 4)
  // Tokenizers fall back to bytes for characters that they do not know, and never need more tokens than bytes.
  return /^[\x21-\x7e]$/.test(piece) ? 1 : Buffer.byteLength(piece)
}

/** More tokens than common tokenizers make of these messages: a third to a half more for English and for JSON. */
export const maxTokens = (messages: ReadonlyArray<Message>): number =>
  messages.reduce(
    (sum, { content }) =>
      sum + template.message + (content.match(tokenPieces) ?? []).reduce((all, one) => all + maxTokensFor(one), 0),
    template.all
  )

/** Fewer tokens than any tokenizer makes of them, because no common token spans two words. */
export const leastTokens = (messages: ReadonlyArray<Message>): number =>
  Math.floor(messages.reduce((sum, { content }) => sum + (content.match(/\S+/g) ?? []).length, 0) * 0.9)

export interface Size {
  /** The context to load the model with. */
  readonly context: number
  /** The tokens that are left for the answer. */
  readonly answer: number
}

/**
 * The context that a prompt needs, doubled from the smallest so that few sizes occur, and at most `ceiling`; else the tokens
 * that are needed.
 */
export const promptSize = (
  messages: ReadonlyArray<Message>,
  options: { readonly answer: number | undefined; readonly ceiling: number; readonly floor: number }
): Size | { readonly needs: number } => {
  const prompt = maxTokens(messages)
  const wantedAnswer = options.answer ?? answerTokens.usual
  const leastAnswer = Math.min(wantedAnswer, answerTokens.least)
  if (prompt + leastAnswer > options.ceiling) return { needs: prompt + leastAnswer }
  let context = Math.max(smallestContext, options.floor)
  while (context < prompt + wantedAnswer) context *= 2
  context = Math.min(context, options.ceiling)
  return { context, answer: Math.min(wantedAnswer, context - prompt) }
}

/** Whether the server can have read these messages as a whole, by the tokens that it counted. */
export const isComplete = (
  messages: ReadonlyArray<Message>,
  read: number,
  context = Number.POSITIVE_INFINITY
): boolean => read >= leastTokens(messages) && read < context - 1
