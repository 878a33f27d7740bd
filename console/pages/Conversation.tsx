// console/pages/Conversation.tsx: questions to one campaign's knowledge, and the answers it gave.
import { useEffect, useRef, useState } from "preact/hooks"
import { Effect } from "effect"
import type { Citation } from "#schema/Agent.ts"
import type { Client } from "#console/Api.ts"
import { useAsk, useDoing } from "#console/Asking.ts"
import { useTextDraft } from "#console/Draft.ts"
import { Act } from "#console/parts/Act.tsx"
import { Form, FormTrouble, issueAt, Select, Text } from "#console/parts/Fields.tsx"
import { Markdown } from "#console/parts/Markdown.tsx"
import { Answered, Empty } from "#console/parts/Notices.tsx"
import { Page } from "#console/parts/Page.tsx"
import { to } from "#console/Route.ts"
import { useSession } from "#console/Session.tsx"

interface Said {
  readonly role: "user" | "assistant"
  readonly content: string
  readonly citations?: ReadonlyArray<Citation>
}

const Message = ({ citations = [], content, role }: Said) => {
  const files = citations.flatMap(({ filename }) => filename ?? [])
  return (
    <li class={`message ${role}`}>
      <p class="who">{role === "user" ? "You" : "Overture"}</p>
      {role === "user" ? <p class="asked">{content}</p> : <Markdown text={content} />}
      {files.length > 0 && <p class="quiet cited">From {files.join(", ")}</p>}
    </li>
  )
}

interface AskProps {
  /** The campaign it is about; without one, the person chooses. */
  readonly campaign: string | undefined
  readonly conversation: string | undefined
  readonly before: ReadonlyArray<Said>
}

const Ask = ({ before, campaign, conversation }: AskProps) => {
  const { ask } = useSession()
  const campaigns = useAsk((api) => api.campaigns.listCampaigns({ query: { limit: 100, offset: 0 } }), [])
  const [about, setAbout] = useState(campaign ?? "")
  const draft = useTextDraft(`question.${conversation ?? "new"}`, "")
  const question = draft.value
  const [said, setSaid] = useState(before)
  const [current, setCurrent] = useState(conversation)
  const form = useRef<HTMLFormElement>(null)
  const choices =
    campaigns.state === "there" ? campaigns.value.campaigns.filter(({ overall }) => overall === "ready") : []
  useEffect(() => {
    const [first] = choices
    if (about === "" && first !== undefined) setAbout(first.id)
  }, [campaigns])
  const send = useDoing(async () => {
    const answer = await ask((api) =>
      api.agent.chat({
        payload: {
          message: question.trim(),
          campaign_id: about,
          ...(current === undefined ? {} : { conversation_id: current })
        }
      })
    )
    setSaid((said) => [
      ...said,
      { role: "user", content: question },
      { role: "assistant", content: answer.message.content, citations: answer.citations }
    ])
    draft.drop()
    // The same page under the address at which it can be found again.
    if (current === undefined) history.replaceState(null, "", to("conversations", answer.conversation_id))
    setCurrent(answer.conversation_id)
    form.current?.querySelector("textarea")?.focus()
  })
  if (campaigns.state === "there" && choices.length === 0 && campaign === undefined) {
    return (
      <Empty
        title="No campaign can be asked yet"
        actions={
          <a class="button primary" href={to("campaigns")}>
            Go to the campaigns
          </a>
        }
      >
        A campaign knows something once it is built.
      </Empty>
    )
  }
  return (
    <>
      <div role="log" aria-label="Conversation">
        <ol class="messages">
          {said.map((message, i) => (
            <Message key={i} {...message} />
          ))}
        </ol>
      </div>
      <Form ref={form} class="form" onSubmit={send.start}>
        {current === undefined && choices.length > 0 && (
          <Select
            label="About which campaign"
            value={about}
            options={choices.map(({ id, name }) => [id, name] as const)}
            onChange={setAbout}
          />
        )}
        <Text
          label={said.length === 0 ? "Your question" : "Another question"}
          rows={3}
          value={question}
          onInput={(question) => draft.set(() => question)}
          maxLength={8000}
          issue={issueAt(send.problem, "message")}
          required
        />
        <FormTrouble problem={send.problem} fields={["message"]} />
        <Act kind="primary" doing={send} busy="Looking it up…">
          Ask
        </Act>
      </Form>
    </>
  )
}

const messagesOf = 100

/** What a conversation is about: the API tells that in its list alone. */
const campaignOf = Effect.fnUntraced(function* (api: Client, id: string) {
  for (let offset = 0; ; offset += 100) {
    const { data, has_more } = yield* api.agent.listConversations({ query: { limit: 100, offset } })
    const found = data.find((conversation) => conversation.id === id)
    if (found !== undefined || !has_more) return found?.campaign_id
  }
})

export const Conversation = ({ campaign, id }: { readonly id: string; readonly campaign: string | undefined }) => {
  const isNew = id === "new"
  const asked = useAsk(
    (api) =>
      isNew
        ? Effect.succeed({ messages: [], campaign, older: false })
        : Effect.gen(function* () {
            const { total } = yield* api.agent.listMessages({ params: { id }, query: { limit: 1, offset: 0 } })
            const { data } = yield* api.agent.listMessages({
              params: { id },
              query: { limit: messagesOf, offset: Math.max(0, total - messagesOf) }
            })
            return { messages: data, campaign: yield* campaignOf(api, id), older: total > messagesOf }
          }),
    [id]
  )
  return (
    <Page title={isNew ? "Ask a question" : "Conversation"} within={["Questions", to("conversations")]}>
      <Answered asked={asked} waiting="Looking for what was said…">
        {({ campaign, messages, older }) => (
          <>
            {older && <p class="quiet">The latest {messagesOf} messages are shown.</p>}
            <Ask campaign={campaign} conversation={isNew ? undefined : id} before={messages} />
          </>
        )}
      </Answered>
    </Page>
  )
}
