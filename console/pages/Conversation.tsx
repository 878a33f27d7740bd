// console/pages/Conversation.tsx: questions about one campaign, and the answers.
import { useEffect, useRef, useState } from "preact/hooks"
import { Effect } from "effect"
import type { Message } from "#schema/Agent.ts"
import type { Client } from "#console/Api.ts"
import { useRequest, useAction } from "#console/Requests.ts"
import { useTextDraft } from "#console/Draft.ts"
import { Message as MessageView } from "#console/pages/conversation/Message.tsx"
import { ActionButton } from "#console/parts/ActionButton.tsx"
import { Form, FormTrouble, issueAt, SelectInput, TextInput } from "#console/parts/Fields.tsx"
import { LockWithoutScope } from "#console/parts/RequireScope.tsx"
import { WhenLoaded, EmptyNotice } from "#console/parts/Notices.tsx"
import { Page } from "#console/parts/Page.tsx"
import { useWriterKind } from "#console/parts/Writer.tsx"
import { routeTo } from "#console/Route.ts"
import { useSession } from "#console/Session.tsx"

type ShownMessage = Omit<Message, "created_at">

/** Questions that every campaign can answer. */
export const exampleQuestions: ReadonlyArray<string> = [
  "Summarise this campaign",
  "What does it cost?",
  "Who is the target audience?",
  "What do we promise?",
  "Which lists do we have?"
]

/** The label of the submit button while the search or the model answers. */
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

const MessageLog = ({ messages }: { readonly messages: ReadonlyArray<ShownMessage> }) => {
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    // Scrolls to the question, because an answer may be longer than the window.
    const questions = list.current?.querySelectorAll(".message.user")
    questions?.[questions.length - 1]?.scrollIntoView({ block: "start" })
  }, [messages])
  return (
    <div role="log" aria-label="Conversation">
      <ol class="messages" ref={list}>
        {messages.map((message, i) => (
          <MessageView key={i} {...message} />
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

interface QuestionFormProps {
  /** The campaign's id; undefined if the user selects the campaign. */
  readonly campaign: string | undefined
  readonly conversation: string | undefined
  readonly initialMessages: ReadonlyArray<ShownMessage>
  /** A question to start with. */
  readonly example: string | undefined
  readonly onTitled: (title: string) => void
  readonly wording: ReturnType<typeof useQuestionWording>
}

const QuestionForm = ({ initialMessages, campaign, conversation, example, onTitled, wording }: QuestionFormProps) => {
  const { callApi } = useSession()
  const campaigns = useRequest((api) => api.campaigns.listCampaigns({ query: { limit: 100, offset: 0 } }), [])
  const [selectedCampaignId, setSelectedCampaignId] = useState(campaign ?? "")
  const [messages, setMessages] = useState(initialMessages)
  // Only a new conversation starts with the example.
  const draft = useTextDraft(`question.${conversation ?? "new"}`, messages.length === 0 ? (example ?? "") : "")
  const question = draft.value
  const [current, setCurrent] = useState(conversation)
  const form = useRef<HTMLFormElement>(null)
  const choices =
    campaigns.state === "loaded" ? campaigns.value.campaigns.filter(({ overall }) => overall === "ready") : []
  useEffect(() => {
    const [first] = choices
    if (selectedCampaignId === "" && first !== undefined) setSelectedCampaignId(first.id)
  }, [campaigns])
  const pendingQuestion = useRef("")
  const send = useAction(async () => {
    const message = pendingQuestion.current.trim()
    const {
      conversation_id,
      message: reply,
      ...answer
    } = await callApi((api) =>
      api.agent.chat({
        payload: {
          message,
          campaign_id: selectedCampaignId,
          ...(current === undefined ? {} : { conversation_id: current })
        }
      })
    )
    setMessages((messages) => [...messages, { role: "user", content: message }, { ...reply, ...answer }])
    draft.discard()
    if (current === undefined) {
      // Changes the address to that of the new conversation without reloading the page.
      history.replaceState(null, "", routeTo("conversations", conversation_id))
      onTitled(message)
    }
    setCurrent(conversation_id)
    form.current?.querySelector("textarea")?.focus({ preventScroll: true })
  })
  const submit = (message: string) => {
    if (send.isBusy) return
    pendingQuestion.current = message
    send.start()
  }
  if (campaigns.state === "loaded" && choices.length === 0 && campaign === undefined) return <NoCampaignReady />
  return (
    <>
      <MessageLog messages={messages} />
      {messages.length === 0 && <ExampleQuestions disabled={selectedCampaignId === ""} onChoose={submit} />}
      <Form ref={form} class="form ask" onSubmit={() => submit(question)}>
        {current === undefined && choices.length > 0 && (
          <SelectInput
            label="Campaign"
            value={selectedCampaignId}
            options={choices.map(({ id, name }) => [id, name] as const)}
            onChange={setSelectedCampaignId}
          />
        )}
        <FormTrouble problem={send.problem} fields={["message"]} />
        <TextInput
          label={messages.length === 0 ? "Your question" : "Another question"}
          hint="Enter sends. Shift+Enter starts a new line."
          rows={2}
          value={question}
          onEnter={() => submit(question)}
          onInput={(question) => draft.set(() => question)}
          maxLength={8000}
          issue={issueAt(send.problem, "message")}
          required
        />
        <ActionButton kind="primary" action={send} busyLabel={wording.busy}>
          Ask
        </ActionButton>
      </Form>
    </>
  )
}

/** The title of a new conversation, and the label of links to it. */
export const askTitle = "Ask a question"

const maxMessages = 100

/** Searches the list of conversations, because the API has no endpoint for a single one. */
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

/** The placeholder in an address for a campaign that is not selected yet. */
export const anyCampaign = "any"

export const Conversation = ({ campaign, example, id }: Props) => {
  const isNew = id === "new"
  const [titled, setTitled] = useState<string>()
  const request = useRequest(
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
  const title = titled ?? (request.state === "loaded" ? request.value.title : undefined)
  return (
    <Page title={title ?? (isNew ? askTitle : "Conversation")} within={["Questions", routeTo("conversations")]}>
      <WhenLoaded request={request} waiting="Loading the conversation…">
        {({ campaign, messages, older }) => (
          <>
            {older && <p class="quiet">The latest {maxMessages} messages are shown.</p>}
            <LockWithoutScope scope="agent:write">
              <QuestionForm
                campaign={campaign}
                conversation={isNew ? undefined : id}
                initialMessages={messages}
                example={example}
                onTitled={setTitled}
                wording={wording}
              />
            </LockWithoutScope>
          </>
        )}
      </WhenLoaded>
    </Page>
  )
}
