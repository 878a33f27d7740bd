// console/pages/workspace/Signatures.tsx: adds, edits and deletes signatures.
import { useState } from "preact/hooks"
import type { Signature } from "#schema/Signatures.ts"
import { useRequest, useAction } from "#console/Requests.ts"
import { useTextDraft } from "#console/Draft.ts"
import { ConfirmDialog } from "#console/parts/ConfirmDialog.tsx"
import { Form, FormTrouble, issueAt, TextInput } from "#console/parts/Fields.tsx"
import { ActionButton } from "#console/parts/ActionButton.tsx"
import { Menu } from "#console/parts/Menu.tsx"
import { WhenLoaded } from "#console/parts/Notices.tsx"
import { Section } from "#console/parts/Page.tsx"
import { useSession } from "#console/Session.tsx"

interface EditProps {
  /** The name of the draft. */
  readonly draft: string
  readonly label: string
  readonly text: string
  readonly save: (text: string) => Promise<void>
  readonly onLeave?: () => void
}

const EditSignature = ({ draft, label, onLeave, save, text }: EditProps) => {
  const { discard, set, value } = useTextDraft(`signature.${draft}`, text)
  const saving = useAction(async () => {
    await save(value.trim())
    discard()
  })
  return (
    <Form class="form" onSubmit={saving.start}>
      <TextInput
        label={label}
        rows={4}
        value={value}
        onInput={(value) => set(() => value)}
        issue={issueAt(saving.problem, "signature_text")}
        maxLength={5000}
        required
      />
      <FormTrouble problem={saving.problem} fields={["signature_text"]} />
      <div class="actions">
        <ActionButton action={saving} busyLabel="Saving…">
          Save the signature
        </ActionButton>
        {onLeave && (
          <button
            type="button"
            class="button"
            onClick={() => {
              discard()
              onLeave()
            }}
          >
            Cancel
          </button>
        )}
      </div>
    </Form>
  )
}

const SignatureRow = ({ reload, signature }: { readonly signature: Signature; readonly reload: () => void }) => {
  const { callApi } = useSession()
  const [editing, setEditing] = useState(false)
  const remove = useAction(async () => {
    await callApi((api) => api.signatures.deleteSignature({ params: { id: signature.id } }))
    reload()
  })
  if (editing) {
    return (
      <li>
        <EditSignature
          draft={signature.id}
          label={`Text of ${signature.signature_name ?? "the signature"}`}
          text={signature.signature_text}
          onLeave={() => setEditing(false)}
          save={async (signature_text) => {
            await callApi((api) =>
              api.signatures.replaceSignature({ params: { id: signature.id }, payload: { signature_text } })
            )
            setEditing(false)
            reload()
          }}
        />
      </li>
    )
  }
  return (
    <li>
      <p class="signature">{signature.signature_text}</p>
      <div class="actions">
        <button type="button" class="button" onClick={() => setEditing(true)}>
          Edit<span class="unseen"> {signature.signature_name}</span>
        </button>
        <Menu
          label={`More actions for ${signature.signature_name ?? "the signature"}`}
          items={[
            {
              label: "Delete the signature",
              isDanger: true,
              dialog: (close) => (
                <ConfirmDialog
                  label="Delete the signature"
                  confirmLabel="Delete"
                  question="Delete this signature? Emails that carry it stay as they are."
                  busyLabel="Deleting…"
                  action={remove}
                  onClose={close}
                />
              )
            }
          ]}
        />
      </div>
    </li>
  )
}

export const Signatures = () => {
  const { callApi } = useSession()
  const request = useRequest((api) => api.signatures.listSignatures({ query: { limit: 100, offset: 0 } }), [])
  return (
    <Section title="Signatures" lead="Set under every email, line by line.">
      <WhenLoaded request={request} waiting="Looking for signatures…">
        {({ data }) => (
          <>
            {data.length > 0 && (
              <ul class="rows">
                {data.map((signature) => (
                  <SignatureRow key={signature.id} signature={signature} reload={request.reload} />
                ))}
              </ul>
            )}
            <div class="new-signature">
              <EditSignature
                draft="new"
                label="A new signature"
                text=""
                save={async (signature_text) => {
                  await callApi((api) => api.signatures.createSignature({ payload: { signature_text } }))
                  request.reload()
                }}
              />
            </div>
          </>
        )}
      </WhenLoaded>
    </Section>
  )
}
