// console/pages/lead/EditConflict.tsx: an edited email that was changed on the server meanwhile: both texts, and the choice between them.
import type { ReviewedEmail } from "#schema/Review.ts"
import { useEffect, useRef } from "preact/hooks"
import type { ActionState } from "#console/Requests.ts"
import { ActionButton } from "#console/parts/ActionButton.tsx"
import { type Text, WordDiff } from "#console/parts/WordDiff.tsx"

interface Props {
  readonly own: Text
  readonly theirs: ReviewedEmail
  readonly keeping: ActionState
  readonly onUseTheirs: () => void
}

export const EditConflict = ({ keeping, own, onUseTheirs, theirs }: Props) => {
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  return (
    <div class="conflict" role="group" aria-label="Conflict">
      <h3 ref={title} tabIndex={-1}>
        This email was changed while you edited it
      </h3>
      <p class="quiet">Nothing is saved yet. The words that differ are marked.</p>
      <div class="versus">
        <section>
          <h4>Your text</h4>
          <WordDiff from={theirs} to={own} show="added" />
          <ActionButton kind="primary" doing={keeping} busy="Saving…" onClick={keeping.start}>
            Keep mine
          </ActionButton>
        </section>
        <section>
          <h4>Saved meanwhile</h4>
          <WordDiff from={theirs} to={own} show="removed" />
          <button type="button" class="button" onClick={onUseTheirs}>
            Use theirs
          </button>
        </section>
      </div>
    </div>
  )
}
