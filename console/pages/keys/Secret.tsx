// console/pages/keys/Secret.tsx: a new key or sign-in link, which is shown this once.
import { useEffect, useRef, useState } from "preact/hooks"
import { copyText } from "#console/pages/lead/CopyEmail.tsx"
import { StatusText } from "#console/parts/Notices.tsx"

export interface ShownSecret {
  readonly kind: "key" | "link"
  /** The name of its key. */
  readonly name: string
  readonly text: string
}

interface Props {
  readonly of: ShownSecret
  readonly onClose: () => void
}

export const Secret = ({ of: { kind, name, text }, onClose }: Props) => {
  const [said, setSaid] = useState("")
  const box = useRef<HTMLElement>(null)
  useEffect(() => {
    box.current?.focus({ preventScroll: true })
    box.current?.scrollIntoView({ block: "start" })
  }, [])
  return (
    <section ref={box} tabIndex={-1} class="note secret" aria-label={kind === "key" ? "New key" : "Sign-in link"}>
      <p class="strong">
        {kind === "key"
          ? `Copy the key of ${name} now: it is not shown again.`
          : `This link signs in as ${name}, once, within 15 minutes. Send it to one person only.`}
      </p>
      <p>
        <code class="secret-text">{text}</code>
      </p>
      <div class="actions">
        <button
          type="button"
          class="button primary"
          onClick={() =>
            void copyText(text).then(
              () => setSaid("Copied"),
              () => setSaid("The browser did not copy it. Select the text and copy it")
            )
          }
        >
          Copy
        </button>
        <button type="button" class="button" onClick={onClose}>
          Done
        </button>
        {said !== "" && <span class="quiet">{said}</span>}
      </div>
      <StatusText>{said}</StatusText>
    </section>
  )
}
