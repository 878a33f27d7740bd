// console/parts/Documents.tsx: documents that can be opened inline or downloaded.
import { useState } from "preact/hooks"
import type { CampaignDocument, WorkspaceDocument } from "#schema/Documents.ts"
import { Problem, unreachable } from "#console/Api.ts"
import { useAction } from "#console/Requests.ts"
import { reportConnectionLost } from "#console/Connection.ts"
import { Markdown } from "#console/parts/Markdown.tsx"
import { ActionButton } from "#console/parts/ActionButton.tsx"
import { StateNotice, ProblemNotice } from "#console/parts/Notices.tsx"
import { documentState } from "#console/parts/Format.ts"

type AnyDocument = WorkspaceDocument | CampaignDocument

/** The link without its host, because the API may know the server by another host name than this page does. */
export const localLink = (url: string) => {
  const { pathname, search } = new URL(url, location.href)
  return `${pathname}${search}`
}

const Document = ({ isOutdated, document }: { readonly document: AnyDocument; readonly isOutdated: boolean }) => {
  const [text, setText] = useState<string>()
  const read = useAction(async () => {
    const response = await fetch(localLink(document.download_url ?? "")).catch(() => {
      reportConnectionLost()
      throw unreachable()
    })
    if (!response.ok) throw new Problem("FORBIDDEN", "Its link has expired. Reload the page and open it again.")
    setText(await response.text())
  })
  return (
    <li class="document">
      <span>
        <span class="strong">{document.title}</span>{" "}
        {(isOutdated || ("outdated" in document && document.outdated === true)) && (
          <StateNotice state={["Outdated", "busy"]} />
        )}
      </span>
      <span class="row-end">
        {document.download_url === null ? (
          <StateNotice state={documentState[document.status]} />
        ) : (
          <>
            {text === undefined ? (
              <ActionButton action={read} busyLabel="Opening…" onClick={read.start}>
                Read<span class="unseen"> {document.title}</span>
              </ActionButton>
            ) : (
              <button type="button" class="button" onClick={() => setText(undefined)}>
                Close<span class="unseen"> {document.title}</span>
              </button>
            )}
            <a href={localLink(document.download_url)} download>
              Download<span class="unseen"> {document.title}</span>
            </a>
          </>
        )}
      </span>
      {read.problem && <ProblemNotice problem={read.problem} />}
      {text !== undefined && (
        <article class="panel" aria-label={document.title}>
          <Markdown text={text} />
        </article>
      )}
    </li>
  )
}

interface Props {
  readonly documents: ReadonlyArray<AnyDocument>
  /** Whether ready documents are older than their inputs. */
  readonly isOutdated?: boolean
}

export const Documents = ({ isOutdated = false, documents }: Props) => (
  <ul class="rows">
    {documents.map((document) => (
      <Document key={document.type} document={document} isOutdated={isOutdated && document.status === "ready"} />
    ))}
  </ul>
)
