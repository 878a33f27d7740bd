// console/pages/lead/CopyEmail.tsx: copies an email, or opens it in the mail program.
import { useState } from "preact/hooks"
import { StatusText } from "#console/parts/Notices.tsx"

/** `navigator.clipboard` exists only on https pages and on localhost. */
export const copyText = async (text: string) => {
  if ("clipboard" in navigator) return navigator.clipboard.writeText(text)
  const area = document.createElement("textarea")
  area.value = text
  document.body.append(area)
  area.select()
  document.execCommand("copy")
  area.remove()
}

/** RFC 6068 requires CRLF line ends. */
export const mailto = (address: string, subject: string, body: string) =>
  `mailto:${encodeURIComponent(address)}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body.replaceAll("\n", "\r\n"))}`

interface Props {
  /** Undefined if the lead must not be written to. */
  readonly address: string | undefined
  readonly subject: string
  readonly body: string
  /** Identifies the email in the names of the buttons. */
  readonly label: string
}

export const CopyEmail = ({ address, body, subject, label }: Props) => {
  const [message, setMessage] = useState("")
  const copied = (name: string, text: string) =>
    void copyText(text).then(
      () => setMessage(`${name} copied.`),
      () => setMessage("The browser did not allow copying.")
    )
  return (
    <div class="hand-over">
      <button
        type="button"
        class="link"
        aria-label={`Copy subject of ${label}`}
        onClick={() => copied("Subject", subject)}
      >
        Copy subject
      </button>
      <button type="button" class="link" aria-label={`Copy body of ${label}`} onClick={() => copied("Body", body)}>
        Copy body
      </button>
      {address !== undefined && (
        <a href={mailto(address, subject, body)} aria-label={`Open in mail program: ${label}`}>
          Open in mail program
        </a>
      )}
      <span class="quiet" aria-hidden="true">
        {message}
      </span>
      <StatusText>{message}</StatusText>
    </div>
  )
}
