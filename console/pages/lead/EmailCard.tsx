// console/pages/lead/EmailCard.tsx: one email of a lead: read, edit, rewrite, restore and copy.
import type { Ref } from "preact"
import { useRef, useState } from "preact/hooks"
import type { ReviewedEmail, ReviewedLead } from "#schema/Review.ts"
import { sendDays } from "#schema/Lists.ts"
import { useDraft } from "#console/Draft.ts"
import { EditEmail, EmailDraft } from "#console/pages/lead/EditEmail.tsx"
import { CopyEmail } from "#console/pages/lead/CopyEmail.tsx"
import { History } from "#console/pages/lead/History.tsx"
import { Rewrite } from "#console/pages/lead/Rewrite.tsx"
import { TestMail } from "#console/pages/lead/TestMail.tsx"
import { EmailText } from "#console/parts/Emails.tsx"
import { RequireScope } from "#console/parts/RequireScope.tsx"
import { StateNotice } from "#console/parts/Notices.tsx"

interface Props {
  readonly list: string
  readonly campaign: string | null
  readonly lead: ReviewedLead
  readonly email: ReviewedEmail
  readonly showSources: boolean
  readonly isEditing: boolean
  readonly onEdit: () => void
  readonly onClose: () => void
  readonly onChange: (email: ReviewedEmail) => void
  readonly onRewritten: (lead: ReviewedLead) => void
}

/** The sentences that have a source, with their sources. */
const supportedSentences = ({ claims }: ReviewedEmail) =>
  claims.flatMap(({ sentence, sources, supported }) =>
    sources.length === 0 || supported === false ? [] : [{ sentence, sources }]
  )

/** The sentences that state a fact which no source supports. */
const unsupportedIn = ({ claims }: ReviewedEmail) =>
  claims.flatMap(({ sentence, supported }) => (supported === false ? [sentence] : []))

interface ReadProps extends Pick<Props, "email" | "lead" | "list" | "onEdit" | "showSources"> {
  readonly editButton: Ref<HTMLButtonElement>
  readonly onShow: (dialog: "history" | "rewrite") => void
}

const ReadEmail = ({ editButton, email, lead, list, onEdit, onShow, showSources }: ReadProps) => {
  const { body, step, subject } = email
  return (
    <>
      <div class="actions">
        <RequireScope scope="lists:write">
          <button ref={editButton} type="button" class="button" aria-keyshortcuts="e" onClick={onEdit}>
            Edit
          </button>
          {lead.suppressed === null && (
            <button type="button" class="button" onClick={() => onShow("rewrite")}>
              Rewrite
            </button>
          )}
        </RequireScope>
        <button type="button" class="button" onClick={() => onShow("history")}>
          History
        </button>
      </div>
      <EmailText
        email={{ ...email, grounds: supportedSentences(email), unsupported: unsupportedIn(email) }}
        showSources={showSources}
      />
      <CopyEmail
        address={lead.suppressed === null ? lead.email : undefined}
        subject={subject}
        body={body}
        label={`email ${step}`}
      />
      <RequireScope scope="lists:write">
        <TestMail list={list} leadId={lead.id} step={step} />
      </RequireScope>
    </>
  )
}

export const EmailCard = (props: Props) => {
  const { email, isEditing, lead, list, onChange, onClose, onRewritten } = props
  const { body, edited, step, subject, version } = email
  const [shown, setShown] = useState<"history" | "rewrite">()
  const close = () => setShown(undefined)
  const edit = useRef<HTMLButtonElement>(null)
  const draft = useDraft(`email.${lead.id}.${step}`, EmailDraft, { subject, body, version })
  const index = lead.emails.indexOf(email)
  const sendDay = sendDays[lead.emails.length]?.[index]
  return (
    <li class={isEditing || draft.isChanged ? "email editing" : "email"} data-step={step}>
      <div class="email-head">
        <h2>
          Email {index + 1} of {lead.emails.length}
          {sendDay !== undefined && <span class="quiet">, day {sendDay}</span>}
        </h2>
        {edited && <StateNotice state={["Edited", "calm"]} />}
      </div>
      {isEditing || draft.isChanged ? (
        <EditEmail
          {...props}
          draft={draft}
          takesFocus={isEditing}
          onSaved={onChange}
          onClose={() => {
            onClose()
            setTimeout(() => edit.current?.focus())
          }}
        />
      ) : (
        <ReadEmail {...props} editButton={edit} onShow={setShown} />
      )}
      {shown === "history" && (
        <History list={list} leadId={lead.id} email={email} onRestored={onChange} onClose={close} />
      )}
      {shown === "rewrite" && <Rewrite list={list} lead={lead} step={step} onRewritten={onRewritten} onClose={close} />}
    </li>
  )
}
