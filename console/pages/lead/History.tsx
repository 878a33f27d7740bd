// console/pages/lead/History.tsx: the versions of an email, compared with the current text, and restoring one.
import { useState } from "preact/hooks"
import type { EmailVersion, ReviewedEmail } from "#schema/Review.ts"
import { useRequest, useAction, useIdempotencyHeaders } from "#console/Requests.ts"
import { ActionButton } from "#console/parts/ActionButton.tsx"
import { Dialog } from "#console/parts/Dialog.tsx"
import { Checkbox } from "#console/parts/Fields.tsx"
import { useHasScope } from "#console/parts/RequireScope.tsx"
import { WhenLoaded, StateNotice, ProblemNotice } from "#console/parts/Notices.tsx"
import { WordDiff } from "#console/parts/WordDiff.tsx"
import { formatMoment } from "#console/parts/Format.ts"
import { useSession } from "#console/Session.tsx"

const authors: Readonly<Record<EmailVersion["by"], string>> = {
  writer: "Written by Overture",
  person: "Edited by a person",
  rewrite: "Rewritten"
}

interface Props {
  readonly list: string
  readonly leadId: string
  readonly email: ReviewedEmail
  readonly onRestored: (email: ReviewedEmail) => void
  readonly onClose: () => void
}

interface VersionProps extends Props {
  readonly version: EmailVersion
  readonly isFirst: boolean
  /** Whether its text is shown without what differs from the current one. */
  readonly isAlone: boolean
}

const Version = ({ email, isAlone, isFirst, leadId, list, version, onClose, onRestored }: VersionProps) => {
  const { callApi } = useSession()
  const idempotencyHeaders = useIdempotencyHeaders()
  const params = { id: list, lead_id: leadId, step: email.step }
  const restore = useAction(async () => {
    const payload = { version: version.version }
    // Includes the current version, because the same text may be restored again later.
    const headers = idempotencyHeaders({ ...params, ...payload, from: email.version })
    onRestored(await callApi((api) => api.review.restoreEmail({ params, headers, payload })))
    onClose()
  })
  const mayWrite = useHasScope("lists:write")
  const isCurrent = version.version === email.version
  return (
    <li>
      <details open={isFirst}>
        <summary>
          Version {version.version}
          <span class="quiet">
            {authors[version.by]}, <time dateTime={version.at}>{formatMoment(version.at)}</time>
          </span>
          {isCurrent && <StateNotice state={["Current", "good"]} />}
        </summary>
        {/* Above the text, so that it is in sight however long the text is. */}
        {!isCurrent && mayWrite && (
          <ActionButton action={restore} busyLabel="Restoring…" onClick={restore.start}>
            Restore version {version.version}
          </ActionButton>
        )}
        {restore.problem && <ProblemNotice problem={restore.problem} />}
        <WordDiff from={version} to={isAlone ? version : email} show="both" />
      </details>
    </li>
  )
}

/** Newest first. The previous version is open, because most users look for it. */
export const History = (props: Props) => {
  const { email, leadId, list, onClose } = props
  const params = { id: list, lead_id: leadId, step: email.step }
  const request = useRequest(
    (api) => api.review.listEmailVersions({ params, query: { limit: 100, offset: 0 } }),
    [list, leadId, email.step, email.version]
  )
  const [isAlone, setAlone] = useState(false)
  return (
    <Dialog class="broad" title={`History of email ${email.step}`} onClose={onClose}>
      <p class="quiet">
        Compared with the current text: <del>only in that version</del>, <ins>only in the current one</ins>.
      </p>
      <Checkbox label="Show each version without the current text" checked={isAlone} onChange={setAlone} />
      <WhenLoaded request={request} waiting="Looking for the versions…">
        {({ data }) => (
          <ol class="versions">
            {data.map((version, i) => (
              <Version
                key={version.version}
                {...props}
                version={version}
                isAlone={isAlone}
                isFirst={i === Math.min(1, data.length - 1)}
              />
            ))}
          </ol>
        )}
      </WhenLoaded>
      <div class="actions">
        <button type="button" class="button" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  )
}
