// console/pages/webhooks/WebhookForm.tsx: a form for a new webhook, or for changes to one: its address, its events and what they carry.
import { useState } from "preact/hooks"
import { eventTypes, type EventType, type Webhook, type WebhookInput } from "#schema/Webhooks.ts"
import { useAction } from "#console/Requests.ts"
import { ActionButton } from "#console/parts/ActionButton.tsx"
import { webAddress } from "#console/parts/Format.ts"
import { Checkbox, Form, FormTrouble, issueAt, SelectInput, TextInput } from "#console/parts/Fields.tsx"

const choices = [
  ["all", "All events, later ones included"],
  ["some", "Selected events"]
] as const

/** Every event but the one of a test, which each webhook gets. */
const selectable = (Object.keys(eventTypes) as ReadonlyArray<EventType>).filter((type) => type !== "test")

interface Props {
  /** The webhook that is changed; omitted for a new one. */
  readonly saved?: Webhook
  readonly verb: string
  readonly busy: string
  /** Sends the request. A new form is empty afterwards. */
  readonly save: (input: WebhookInput) => Promise<void>
}

const choiceOf = (saved: Webhook | undefined): "all" | "some" =>
  saved === undefined || saved.events.includes("*") ? "all" : "some"

export const WebhookForm = ({ busy, saved, save, verb }: Props) => {
  const [url, setUrl] = useState(saved?.url ?? "")
  const [description, setDescription] = useState(saved?.description ?? "")
  const [choice, setChoice] = useState(choiceOf(saved))
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set(saved?.events.filter((type) => type !== "*")))
  const [content, setContent] = useState(saved?.include_content ?? false)
  const saving = useAction(async () => {
    await save({
      url: webAddress(url),
      description: description.trim(),
      include_content: content,
      events: choice === "all" ? ["*"] : selectable.filter((type) => picked.has(type))
    })
    if (saved !== undefined) return
    setUrl("")
    setDescription("")
    setChoice("all")
    setPicked(new Set())
    // The next webhook gets leads and emails only if that is chosen for it too.
    setContent(false)
  })
  const eventIssue = issueAt(saving.problem, "events")
  return (
    <Form class="form" onSubmit={saving.start}>
      <TextInput
        label="Address"
        type="url"
        hint="Where the events are sent, by https on port 443 or http on port 80. Private addresses are refused."
        placeholder="https://"
        required
        value={url}
        onInput={setUrl}
        maxLength={2000}
        issue={issueAt(saving.problem, "url")}
      />
      <TextInput
        label="Description"
        hint="What it is for. Optional."
        value={description}
        onInput={setDescription}
        maxLength={500}
        issue={issueAt(saving.problem, "description")}
      />
      <SelectInput label="Events" value={choice} options={choices} onChange={setChoice} issue={eventIssue} />
      {choice === "some" && (
        <fieldset class="scopes events">
          <legend>Selected events</legend>
          {selectable.map((type) => (
            <Checkbox
              key={type}
              label={type}
              hint={`${eventTypes[type]}.`}
              checked={picked.has(type)}
              onChange={(checked) =>
                setPicked((all) => new Set(checked ? [...all, type] : [...all].filter((one) => one !== type)))
              }
            />
          ))}
        </fieldset>
      )}
      <Checkbox
        label="Send leads and emails with events of leads"
        hint="Without it, events have ids and counts, and no address or text."
        checked={content}
        onChange={setContent}
      />
      <FormTrouble problem={saving.problem} fields={["url", "description", "events"]} />
      <div class="actions">
        <ActionButton kind="primary" doing={saving} busy={busy}>
          {verb}
        </ActionButton>
      </div>
    </Form>
  )
}
