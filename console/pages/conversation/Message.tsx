// console/pages/conversation/Message.tsx: one message of a conversation, with links to the passages of an answer.
import type { Citation, Message as MessageData } from "#schema/Agent.ts"
import { Markdown } from "#console/parts/Markdown.tsx"

/** The document's name and heading. Only imported files keep their extension. */
const nameOf = ({ filename, heading, source }: Citation) =>
  [source === "imported" ? (filename ?? "") : (filename ?? "").replace(/\.md$/, ""), heading ?? ""]
    .filter((part, i, parts) => part !== "" && part !== parts[i - 1])
    .join(": ")

const Open = ({ name, citation: { link } }: { readonly citation: Citation; readonly name: string }) =>
  link?.startsWith("/#/") ? (
    <a href={link.slice(1)}>
      Open the source<span class="unseen"> {name}</span>
    </a>
  ) : null

const Source = ({ citation }: { readonly citation: Citation }) => {
  const name = nameOf(citation)
  return (
    <li>
      {citation.passage === undefined ? (
        name
      ) : (
        <details>
          <summary>{name}</summary>
          <blockquote>
            <Markdown text={citation.passage} />
          </blockquote>
          <Open citation={citation} name={name} />
        </details>
      )}
    </li>
  )
}

const stripMarkdown = (text: string) => text.replace(/\*\*|__|`/g, "").replace(/\s+/g, " ")

/** Passages up to these limits are shown in full. */
const maxWholeLines = 8
const maxWholeLength = 700
const isShort = (passage: string) =>
  passage.length <= maxWholeLength && passage.split("\n").filter((line) => line.trim() !== "").length <= maxWholeLines

/** The matching lines in the order of the passage, and whether they are all of it. */
const matchedLines = ({ lines = [], passage = "" }: Citation) => {
  const text = stripMarkdown(passage)
  const ordered = lines.toSorted((a, b) => text.indexOf(stripMarkdown(a)) - text.indexOf(stripMarkdown(b)))
  const remainder = ordered.reduce((rest, line) => rest.replace(stripMarkdown(line), ""), text)
  return { ordered, isWhole: !/[\p{L}\p{N}]/u.test(remainder) }
}

const Passage = ({ citation }: { readonly citation: Citation }) => {
  const name = nameOf(citation)
  const { isWhole, ordered } = matchedLines(citation)
  return (
    <li class="found">
      <p class="found-title">{name}</p>
      {isShort(citation.passage ?? "") ? (
        <Markdown text={citation.passage ?? ""} />
      ) : (
        ordered.map((line, i) => <p key={i}>{line}</p>)
      )}
      {!isWhole && !isShort(citation.passage ?? "") && (
        <details>
          <summary>
            Whole passage<span class="unseen"> {name}</span>
          </summary>
          <blockquote>
            <Markdown text={citation.passage ?? ""} />
          </blockquote>
        </details>
      )}
      <Open citation={citation} name={name} />
    </li>
  )
}

/** Citations with matching lines are shown as passages, the others as links to their sources. */
const Sources = ({ citations, title }: { readonly title: string; readonly citations: ReadonlyArray<Citation> }) => {
  const found = citations.filter(({ lines }) => lines !== undefined)
  const sources = citations.filter(({ lines }) => lines === undefined)
  return (
    <>
      {found.length > 0 && (
        <ol class="plain-list" aria-label="Passages">
          {found.map((citation, i) => (
            <Passage key={i} citation={citation} />
          ))}
        </ol>
      )}
      {sources.length > 0 && (
        <div class="cited">
          <p class="quiet">{title}</p>
          <ul class="plain-list">
            {sources.map((citation, i) => (
              <Source key={i} citation={citation} />
            ))}
          </ul>
        </div>
      )}
    </>
  )
}

/** The first paragraph of a search result. The rest repeats its passages, which are shown below. */
const withoutPassages = ({ answered_by, citations = [], content, nearest = [] }: Omit<MessageData, "created_at">) =>
  answered_by !== "model" && [...citations, ...nearest].some(({ lines }) => lines !== undefined)
    ? (content.split("\n\n")[0] ?? "")
    : content

export const Message = (message: Omit<MessageData, "created_at">) => {
  const { answered_by, citations = [], content, nearest = [], notice, role } = message
  return (
    <li class={`message ${role}`}>
      <p class="who">{role === "user" ? "You" : answered_by?.startsWith("search") ? "Search result" : "Overture"}</p>
      {notice !== undefined && <p class="quiet">{notice}</p>}
      {role === "user" ? <p class="asked">{content}</p> : <Markdown text={withoutPassages(message)} />}
      <Sources title="Sources" citations={citations} />
      <Sources title="Nearest passages" citations={nearest} />
    </li>
  )
}
