// console/pages/webhooks/WebhookForm.tsx: the form that creates or edits a webhook: its address, its events and their content.
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

/** All events except `test`, which every webhook receives. */
const selectable = (Object.keys(eventTypes) as ReadonlyArray<EventType>).filter((type) => type !== "test")

interface Props {
  /** The webhook to edit; omitted for a new one. */
  readonly saved?: Webhook
  readonly submitLabel: string
  readonly busyLabel: string
  /** Sends the request. The form is cleared afterwards unless it edits a webhook. */
  readonly onSave: (input: WebhookInput) => Promise<void>
}

const choiceOf = (saved: Webhook | undefined): "all" | "some" =>
  saved === undefined || saved.events.includes("*") ? "all" : "some"

export const WebhookForm = ({ busyLabel, saved, onSave, submitLabel }: Props) => {
  const [url, setUrl] = useState(saved?.url ?? "")
  const [description, setDescription] = useState(saved?.description ?? "")
  const [choice, setChoice] = useState(choiceOf(saved))
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set(saved?.events.filter((type) => type !== "*")))
  const [content, setContent] = useState(saved?.include_content ?? false)
  const saving = useAction(async () => {
    await onSave({
      url: webAddress(url),
      description: description.trim(),
      include_content: content,
      events: choice === "all" ? ["*"] : selectable.filter((type) => selected.has(type))
    })
    if (saved !== undefined) return
    setUrl("")
    setDescription("")
    setChoice("all")
    setSelected(new Set())
    // Reset, so that the next webhook receives leads and emails only if the user selects it again.
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
              checked={selected.has(type)}
              onChange={(checked) =>
                setSelected((all) => new Set(checked ? [...all, type] : [...all].filter((one) => one !== type)))
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
        <ActionButton kind="primary" action={saving} busyLabel={busyLabel}>
          {submitLabel}
        </ActionButton>
      </div>
    </Form>
  )
}
