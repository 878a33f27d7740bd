// console/pages/Conversation.tsx: questions about one campaign, and the answers.
import { useEffect, useRef, useState } from "preact/hooks"
import { Effect } from "effect"
import type { Message } from "#schema/Agent.ts"
import type { Client } from "#console/Api.ts"
import { useRequest, useAction } from "#console/Requests.ts"
import { useTextDraft } from "#console/Draft.ts"
import { Message as Shown } from "#console/pages/conversation/Message.tsx"
import { ActionButton } from "#console/parts/ActionButton.tsx"
import { Form, FormTrouble, issueAt, SelectInput, TextInput } from "#console/parts/Fields.tsx"
import { Writable } from "#console/parts/RequireScope.tsx"
import { WhenLoaded, EmptyNotice } from "#console/parts/Notices.tsx"
import { Page } from "#console/parts/Page.tsx"
import { useWriterKind } from "#console/parts/Writer.tsx"
import { routeTo } from "#console/Route.ts"
import { useSession } from "#console/Session.tsx"

type UnsavedMessage = Omit<Message, "created_at">

/** Questions that every campaign can answer. */
export const exampleQuestions: ReadonlyArray<string> = [
  "Summarise this campaign",
  "What does it cost?",
  "Who is the target audience?",
  "What do we promise?",
  "Which lists do we have?"
]

/** What the search and the model each do while a question waits. */
const questionWordings = { model: { busy: "Answering…" }, search: { busy: "Searching…" } }

const useQuestionWording = () => questionWordings[useWriterKind() === "model" ? "model" : "search"]

const NoCampaignReady = () => (
  <EmptyNotice
    title="No campaign can be asked yet"
    actions={
      <a class="button primary" href={routeTo("campaigns")}>
        Go to the campaigns
      </a>
    }
  >
    Build a campaign first: its documents hold the answers.
  </EmptyNotice>
)

const MessageLog = ({ messages }: { readonly messages: ReadonlyArray<UnsavedMessage> }) => {
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    // From the question on, because an answer may be longer than the window.
    const questions = list.current?.querySelectorAll(".message.user")
    questions?.[questions.length - 1]?.scrollIntoView({ block: "start" })
  }, [messages])
  return (
    <div role="log" aria-label="Conversation">
      <ol class="messages" ref={list}>
        {messages.map((message, i) => (
          <Shown key={i} {...message} />
        ))}
      </ol>
    </div>
  )
}

interface ExampleProps {
  readonly disabled: boolean
  readonly onChoose: (question: string) => void
}

const ExampleQuestions = ({ disabled, onChoose }: ExampleProps) => (
  <ul class="examples" aria-label="Examples">
    {exampleQuestions.map((each) => (
      <li key={each}>
        <button type="button" class="button" disabled={disabled} onClick={() => onChoose(each)}>
          {each}
        </button>
      </li>
    ))}
  </ul>
)

interface AskProps {
  /** The campaign it is about; without one, the person chooses. */
  readonly campaign: string | undefined
  readonly conversation: string | undefined
  readonly before: ReadonlyArray<UnsavedMessage>
  /** A question to start with. */
  readonly example: string | undefined
  readonly onTitled: (title: string) => void
  readonly wording: ReturnType<typeof useQuestionWording>
}

const QuestionForm = ({ before, campaign, conversation, example, onTitled, wording }: AskProps) => {
  const { ask } = useSession()
  const campaigns = useRequest((api) => api.campaigns.listCampaigns({ query: { limit: 100, offset: 0 } }), [])
  const [about, setAbout] = useState(campaign ?? "")
  const [said, setSaid] = useState(before)
  // The example is a first question only.
  const draft = useTextDraft(`question.${conversation ?? "new"}`, said.length === 0 ? (example ?? "") : "")
  const question = draft.value
  const [current, setCurrent] = useState(conversation)
  const form = useRef<HTMLFormElement>(null)
  const choices =
    campaigns.state === "there" ? campaigns.value.campaigns.filter(({ overall }) => overall === "ready") : []
  useEffect(() => {
    const [first] = choices
    if (about === "" && first !== undefined) setAbout(first.id)
  }, [campaigns])
  const asking = useRef("")
  const send = useAction(async () => {
    const message = asking.current.trim()
    const {
      conversation_id,
      message: reply,
      ...answer
    } = await ask((api) =>
      api.agent.chat({
        payload: { message, campaign_id: about, ...(current === undefined ? {} : { conversation_id: current }) }
      })
    )
    setSaid((said) => [...said, { role: "user", content: message }, { ...reply, ...answer }])
    draft.drop()
    if (current === undefined) {
      // The same page under the address at which it can be found again.
      history.replaceState(null, "", routeTo("conversations", conversation_id))
      onTitled(message)
    }
    setCurrent(conversation_id)
    form.current?.querySelector("textarea")?.focus({ preventScroll: true })
  })
  const submit = (message: string) => {
    if (send.busy) return
    asking.current = message
    send.start()
  }
  if (campaigns.state === "there" && choices.length === 0 && campaign === undefined) return <NoCampaignReady />
  return (
    <>
      <MessageLog messages={said} />
      {said.length === 0 && <ExampleQuestions disabled={about === ""} onChoose={submit} />}
      <Form ref={form} class="form ask" onSubmit={() => submit(question)}>
        {current === undefined && choices.length > 0 && (
          <SelectInput
            label="Campaign"
            value={about}
            options={choices.map(({ id, name }) => [id, name] as const)}
            onChange={setAbout}
          />
        )}
        <FormTrouble problem={send.problem} fields={["message"]} />
        <TextInput
          label={said.length === 0 ? "Your question" : "Another question"}
          hint="Enter sends. Shift+Enter starts a new line."
          rows={2}
          value={question}
          onEnter={() => submit(question)}
          onInput={(question) => draft.set(() => question)}
          maxLength={8000}
          issue={issueAt(send.problem, "message")}
          required
        />
        <ActionButton kind="primary" doing={send} busy={wording.busy}>
          Ask
        </ActionButton>
      </Form>
    </>
  )
}

/** The name of a new conversation, and of the buttons that lead there. */
export const askTitle = "Ask a question"

const maxMessages = 100

/** The conversation, which the API returns in its list alone. */
const loadConversation = Effect.fnUntraced(function* (api: Client, id: string) {
  for (let offset = 0; ; offset += 100) {
    const { data, has_more } = yield* api.agent.listConversations({ query: { limit: 100, offset } })
    const found = data.find((conversation) => conversation.id === id)
    if (found !== undefined || !has_more) return found
  }
})

interface Props {
  readonly id: string
  readonly campaign: string | undefined
  readonly example: string | undefined
}

/** In an address, for a campaign that is still to be chosen. */
export const anyCampaign = "any"

export const Conversation = ({ campaign, example, id }: Props) => {
  const isNew = id === "new"
  const [titled, setTitled] = useState<string>()
  const asked = useRequest(
    (api) =>
      isNew
        ? Effect.succeed({
            messages: [],
            campaign: campaign === anyCampaign ? undefined : campaign,
            title: undefined,
            older: false
          })
        : Effect.gen(function* () {
            const { total } = yield* api.agent.listMessages({ params: { id }, query: { limit: 1, offset: 0 } })
            const { data } = yield* api.agent.listMessages({
              params: { id },
              query: { limit: maxMessages, offset: Math.max(0, total - maxMessages) }
            })
            const found = yield* loadConversation(api, id)
            return { messages: data, campaign: found?.campaign_id, title: found?.title, older: total > maxMessages }
          }),
    [id]
  )
  const wording = useQuestionWording()
  const title = titled ?? (asked.state === "there" ? asked.value.title : undefined)
  return (
    <Page title={title ?? (isNew ? askTitle : "Conversation")} within={["Questions", routeTo("conversations")]}>
      <WhenLoaded asked={asked} waiting="Loading the conversation…">
        {({ campaign, messages, older }) => (
          <>
            {older && <p class="quiet">The latest {maxMessages} messages are shown.</p>}
            <Writable scope="agent:write">
              <QuestionForm
                campaign={campaign}
                conversation={isNew ? undefined : id}
                before={messages}
                example={example}
                onTitled={setTitled}
                wording={wording}
              />
            </Writable>
          </>
        )}
      </WhenLoaded>
    </Page>
  )
}
