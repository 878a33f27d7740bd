// console/pages/conversation/Message.tsx: one message of a conversation, with links to the passages of an answer.
import type { Citation, Message as Said } from "#schema/Agent.ts"
import { Markdown } from "#console/parts/Markdown.tsx"

/** The name of the text, of an upload with its ending, and the heading. */
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

const plain = (text: string) => text.replace(/\*\*|__|`/g, "").replace(/\s+/g, " ")

/** A passage up to this many lines and characters is shown whole. */
const maxWholeLines = 8
const maxWholeLength = 700
const isShort = (passage: string) =>
  passage.length <= maxWholeLength && passage.split("\n").filter((line) => line.trim() !== "").length <= maxWholeLines

/** The lines that answer in the order of the passage, and whether there is more of it. */
const answerOf = ({ lines = [], passage = "" }: Citation) => {
  const text = plain(passage)
  const ordered = lines.toSorted((a, b) => text.indexOf(plain(a)) - text.indexOf(plain(b)))
  const remainder = ordered.reduce((rest, line) => rest.replace(plain(line), ""), text)
  return { ordered, isWhole: !/[\p{L}\p{N}]/u.test(remainder) }
}

const Passage = ({ citation }: { readonly citation: Citation }) => {
  const name = nameOf(citation)
  const { isWhole, ordered } = answerOf(citation)
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

/** Of passages that search found, the lines that answer are shown; the sources of a worded answer can be opened. */
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

/** The text of a search result repeats its passages, which are shown below with their links: its first paragraph is left. */
const introOf = ({ answered_by, citations = [], content, nearest = [] }: Omit<Said, "created_at">) =>
  answered_by !== "model" && [...citations, ...nearest].some(({ lines }) => lines !== undefined)
    ? (content.split("\n\n")[0] ?? "")
    : content

export const Message = (said: Omit<Said, "created_at">) => {
  const { answered_by, citations = [], content, nearest = [], notice, role } = said
  return (
    <li class={`message ${role}`}>
      <p class="who">{role === "user" ? "You" : answered_by?.startsWith("search") ? "Search result" : "Overture"}</p>
      {notice !== undefined && <p class="quiet">{notice}</p>}
      {role === "user" ? <p class="asked">{content}</p> : <Markdown text={introOf(said)} />}
      <Sources title="Sources" citations={citations} />
      <Sources title="Nearest passages" citations={nearest} />
    </li>
  )
}
