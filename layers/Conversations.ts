// layers/Conversations.ts: the questions asked about a campaign, and their answers.
import { Context, Effect, Layer, Option, Schema, Struct } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient, SqlSchema } from "effect/sql"
import { Answerer } from "#layers/Answerer.ts"
import type { Answer } from "#layers/answerer/Answer.ts"
import { inTransaction } from "#layers/database/Transactions.ts"
import { truncate } from "#layers/text/Words.ts"
import { Knowledge } from "#layers/Knowledge.ts"
import { ModelCallSubject } from "#layers/model/ModelCalls.ts"
import { now } from "#layers/lib/Time.ts"
import { makePageQuery } from "#layers/lib/Paging.ts"
import { Citation, Conversation, fallbackNotice, Message, type Question } from "#schema/Agent.ts"
import type { WorkspaceId } from "#schema/Auth.ts"
import { NotFound, type NotReady } from "#schema/Errors.ts"
import type { Page, Rows } from "#schema/Page.ts"

/** Earlier messages that are passed on with a question. */
const maxRememberedMessages = 8

const maxTitleLength = 80

const citations = Schema.NullOr(Schema.fromJsonString(Schema.Array(Citation)))

const StoredMessage = Schema.Struct({
  ...Struct.pick(Message.fields, ["role", "content", "created_at"]),
  citations,
  nearest: citations,
  answered_by: Schema.NullOr(Message.fields.answered_by.schema)
})

/** A notice if search answered because the model failed. */
const toNotice = (answered_by: Answer["answered_by"] | null) =>
  answered_by === "search_fallback" ? { notice: fallbackNotice } : {}

const toMessage = ({
  answered_by,
  citations,
  content,
  created_at,
  nearest,
  role
}: typeof StoredMessage.Type): Message => ({
  role,
  content,
  created_at,
  ...(citations === null ? {} : { citations }),
  ...(nearest === null ? {} : { nearest }),
  ...(answered_by === null ? {} : { answered_by }),
  ...toNotice(answered_by)
})

/** The first message on one line, truncated at a word boundary. */
export const conversationTitle = (message: string): string => {
  const line = message.replace(/\s+/g, " ").trim()
  if (line.length <= maxTitleLength) return line
  const prefix = line.slice(0, maxTitleLength)
  const end = prefix.lastIndexOf(" ")
  return `${end > 0 ? prefix.slice(0, end) : truncate(line, maxTitleLength - 1)}…`
}

export class Conversations extends Context.Service<
  Conversations,
  {
    /** Answers a question and stores it with its answer in one transaction. */
    readonly ask: (
      workspace: WorkspaceId,
      question: Question
    ) => Effect.Effect<Answer & { readonly conversation_id: string; readonly notice?: string }, NotFound | NotReady>
    /** Most recent message first. */
    readonly list: (
      workspace: WorkspaceId,
      page: Page,
      campaign?: string | undefined
    ) => Effect.Effect<Rows<Conversation>>
    /** Oldest first. */
    readonly messages: (workspace: WorkspaceId, id: string, page: Page) => Effect.Effect<Rows<Message>, NotFound>
  }
>()("overture/layers/Conversations") {
  static readonly layer = Layer.effect(
    Conversations,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const random = yield* SecureRandom.SecureRandom
      const answerer = yield* Answerer
      const knowledge = yield* Knowledge

      const Key = Schema.Struct({ workspace: Schema.String, id: Schema.String })

      const findConversation = SqlSchema.findOneOption({
        Request: Key,
        Result: Schema.Struct({ campaign_id: Schema.String, messages: Schema.Int }),
        execute: ({ id, workspace }) =>
          sql`SELECT campaign_id, messages FROM conversations WHERE id = ${id} AND workspace_id = ${workspace}`
      })
      const page = makePageQuery(sql, Conversation, {
        table: "conversations",
        matching: (filter: { readonly workspace: WorkspaceId; readonly campaign: string | undefined }) => [
          sql`workspace_id = ${filter.workspace}`,
          ...(filter.campaign === undefined ? [] : [sql`campaign_id = ${filter.campaign}`])
        ],
        order: "last_message_at DESC, id DESC"
      })
      const findMessages = SqlSchema.findAll({
        Request: Schema.Struct({ ...Key.fields, limit: Schema.Int, offset: Schema.Int }),
        Result: StoredMessage,
        execute: ({ id, limit, offset, workspace }) => sql`
          SELECT role, content, created_at, citations, nearest, answered_by FROM messages WHERE conversation_id = ${id} AND workspace_id = ${workspace}
          ORDER BY position LIMIT (0 + ${limit}) OFFSET (0 + ${offset})`
      })
      /**
       * Adds the question and its answer to the count; finds no row if the conversation was deleted with its campaign.
       */
      const countExchange = SqlSchema.findOneOption({
        Request: Schema.Struct({ ...Key.fields, at: Schema.String }),
        Result: Schema.Struct({ messages: Schema.Int }),
        execute: ({ at, id, workspace }) => sql`
          UPDATE conversations SET messages = messages + 2, last_message_at = ${at}
          WHERE id = ${id} AND workspace_id = ${workspace} RETURNING messages`
      })
      const insertConversation = SqlSchema.findOneOption({
        Request: Schema.Struct({ ...Key.fields, campaign: Schema.String, title: Schema.String, at: Schema.String }),
        Result: Schema.Struct({ messages: Schema.Int }),
        execute: ({ at, campaign, id, title, workspace }) => sql`
          INSERT INTO conversations (id, workspace_id, campaign_id, title, messages, created_at, last_message_at)
          SELECT ${id}, workspace_id, id, ${title}, 2, ${at}, ${at} FROM campaigns
          WHERE id = ${campaign} AND workspace_id = ${workspace} RETURNING messages`
      })

      const saveExchange = Effect.fnUntraced(function* (
        workspace: WorkspaceId,
        question: Question,
        askedAt: string,
        answer: Answer
      ) {
        const timestamp = yield* now
        const id = question.conversation_id ?? (yield* random.uuidV7())
        const conversation = yield* typeof question.conversation_id === "string"
          ? countExchange({ workspace, id, at: timestamp })
          : insertConversation({
              workspace,
              id,
              at: timestamp,
              campaign: question.campaign_id,
              title: conversationTitle(question.message)
            })
        if (Option.isNone(conversation)) return yield* NotFound.of("campaign")
        const row = { conversation_id: id, workspace_id: workspace }
        const { messages } = conversation.value
        yield* sql`
          INSERT INTO messages ${sql.insert([
            {
              ...row,
              position: messages - 1,
              role: "user",
              content: question.message,
              citations: null,
              nearest: null,
              answered_by: null,
              created_at: askedAt
            },
            {
              ...row,
              position: messages,
              role: "assistant",
              content: answer.content,
              citations: JSON.stringify(answer.citations),
              nearest: JSON.stringify(answer.nearest),
              answered_by: answer.answered_by,
              created_at: timestamp
            }
          ])}`
        return id
      }, inTransaction(sql))

      const requireConversation = (workspace: WorkspaceId, id: string) =>
        findConversation({ workspace, id }).pipe(
          Effect.orDie,
          Effect.flatMap(Effect.fromOption(() => NotFound.of("conversation")))
        )

      return Conversations.of({
        ask: Effect.fn("Conversations.ask")(function* (workspace, question) {
          const askedAt = yield* now
          const { campaign_id, conversation_id } = question
          let history: ReadonlyArray<typeof StoredMessage.Type> = []
          if (typeof conversation_id === "string") {
            const { campaign_id: conversationCampaign, messages } = yield* requireConversation(
              workspace,
              conversation_id
            )
            if (conversationCampaign !== campaign_id) return yield* NotFound.of("conversation")
            const offset = Math.max(0, messages - maxRememberedMessages)
            history = yield* Effect.orDie(
              findMessages({ workspace, id: conversation_id, limit: maxRememberedMessages, offset })
            )
          }
          const source = yield* knowledge.forCampaign(workspace, campaign_id)
          const callSubject = { workspace, kind: "campaign", subject: campaign_id }
          const answer = yield* answerer
            .answer(question.message, history, source)
            .pipe(Effect.provideService(ModelCallSubject, callSubject))
          return {
            ...answer,
            ...toNotice(answer.answered_by),
            conversation_id: yield* saveExchange(workspace, question, askedAt, answer)
          }
        }),

        list: (workspace, pageQuery, campaign) => page({ workspace, campaign }, pageQuery),

        messages: Effect.fn("Conversations.messages")(function* (workspace, id, { limit, offset }) {
          const { messages } = yield* requireConversation(workspace, id)
          const rows = yield* Effect.orDie(findMessages({ workspace, id, limit, offset }))
          return { rows: rows.map(toMessage), total: messages }
        })
      })
    })
  )
}
