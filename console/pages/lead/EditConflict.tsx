// console/pages/lead/EditConflict.tsx: compares an edited email with the version saved meanwhile, to keep one of them.
import type { ReviewedEmail } from "#schema/Review.ts"
import { useEffect, useRef } from "preact/hooks"
import type { ActionState } from "#console/Requests.ts"
import { ActionButton } from "#console/parts/ActionButton.tsx"
import { type ComparedText, WordDiff } from "#console/parts/WordDiff.tsx"

interface Props {
  readonly ownText: ComparedText
  readonly savedEmail: ReviewedEmail
  readonly keepAction: ActionState
  readonly onUseSaved: () => void
}

export const EditConflict = ({ keepAction, ownText, onUseSaved, savedEmail }: Props) => {
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
          <WordDiff from={savedEmail} to={ownText} show="added" />
          <ActionButton kind="primary" action={keepAction} busyLabel="Saving…" onClick={keepAction.start}>
            Keep mine
          </ActionButton>
        </section>
        <section>
          <h4>Saved meanwhile</h4>
          <WordDiff from={savedEmail} to={ownText} show="removed" />
          <button type="button" class="button" onClick={onUseSaved}>
            Use theirs
          </button>
        </section>
      </div>
    </div>
  )
}
