// console/pages/conversation/Message.tsx: one message of a conversation, with links to the passages of an answer.
import type { Citation, Message as Said } from "#schema/Agent.ts"
import { Markdown } from "#console/parts/Markdown.tsx"

const nameOf = ({ filename, heading }: Citation) =>
  [(filename ?? "").replace(/\.md$/, ""), heading ?? ""].filter((part) => part !== "").join(": ")

const Source = ({ of }: { readonly of: Citation }) => {
  const name = nameOf(of)
  return (
    <li>
      {of.lines?.map((line) => (
        <p key={line}>“{line}”</p>
      ))}
      {of.passage === undefined ? (
        name
      ) : (
        <details>
          <summary>{name}</summary>
          <blockquote>
            <Markdown text={of.passage} />
          </blockquote>
          {of.link?.startsWith("/#/") && (
            <a href={of.link.slice(1)}>
              Open the source<span class="unseen"> {name}</span>
            </a>
          )}
        </details>
      )}
    </li>
  )
}

const Sources = ({ of, title }: { readonly title: string; readonly of: ReadonlyArray<Citation> }) =>
  of.length === 0 ? null : (
    <div class="cited">
      <p class="quiet">{title}</p>
      <ul class="plain-list">
        {of.map((citation, i) => (
          <Source key={i} of={citation} />
        ))}
      </ul>
    </div>
  )

export const Message = ({
  answered_by,
  citations = [],
  content,
  nearest = [],
  notice,
  role
}: Omit<Said, "created_at">) => (
  <li class={`message ${role}`}>
    <p class="who">{role === "user" ? "You" : answered_by?.startsWith("search") ? "Search result" : "Overture"}</p>
    {notice !== undefined && <p class="quiet">{notice}</p>}
    {role === "user" ? <p class="asked">{content}</p> : <Markdown text={content} />}
    <Sources title="Sources" of={citations} />
    <Sources title="Nearest passages" of={nearest} />
  </li>
)
