// console/pages/keys/Secret.tsx: shows a new key, sign-in link or webhook secret once.
import { useEffect, useRef, useState } from "preact/hooks"
import { copyText } from "#console/pages/lead/CopyEmail.tsx"
import { StatusText } from "#console/parts/Notices.tsx"

export interface ShownSecret {
  readonly kind: "key" | "link" | "webhook"
  /** The name of its key, or the address of its webhook. */
  readonly name: string
  readonly text: string
}

interface Props {
  readonly secret: ShownSecret
  readonly onClose: () => void
}

const labels = { key: "New key", link: "Sign-in link", webhook: "New secret" }
const notes = {
  key: (name: string) => `Copy the key of ${name} now: it is not shown again.`,
  link: (name: string) => `This link signs in as ${name}, once, within 15 minutes. Send it to one person only.`,
  webhook: (name: string) =>
    `Copy the secret of ${name} now: it is not shown again. The receiver checks signatures with it.`
}

export const Secret = ({ secret: { kind, name, text }, onClose }: Props) => {
  const [message, setMessage] = useState("")
  const box = useRef<HTMLElement>(null)
  useEffect(() => {
    box.current?.focus({ preventScroll: true })
    box.current?.scrollIntoView({ block: "start" })
  }, [])
  return (
    <section ref={box} tabIndex={-1} class="note secret" aria-label={labels[kind]}>
      <p class="strong">{notes[kind](name)}</p>
      <p>
        <code class="secret-text">{text}</code>
      </p>
      <div class="actions">
        <button
          type="button"
          class="button primary"
          onClick={() =>
            void copyText(text).then(
              () => setMessage("Copied"),
              () => setMessage("The browser did not copy it. Select the text and copy it")
            )
          }
        >
          Copy
        </button>
        <button type="button" class="button" onClick={onClose}>
          Done
        </button>
        {message !== "" && <span class="quiet">{message}</span>}
      </div>
      <StatusText>{message}</StatusText>
    </section>
  )
}
