// console/pages/Lead.tsx: one lead of a list and the emails to it, to be read one after the other.
import { useEffect, useState } from "preact/hooks"
import { useAsk } from "#console/Asking.ts"
import { Emails } from "#console/parts/Emails.tsx"
import { Tick } from "#console/parts/Fields.tsx"
import { Page, Trouble, Waiting } from "#console/parts/Parts.tsx"
import { number } from "#console/parts/Words.ts"
import { go, to } from "#console/Route.ts"

let sourcesShown = true

export const LeadPage = ({ list, position }: { readonly list: string; readonly position: number }) => {
  const [sourced, setSourced] = useState(sourcesShown)
  const asked = useAsk(
    (api) => api.lists.listLeads({ params: { id: list }, query: { limit: 1, offset: Math.max(0, position - 1) } }),
    [list, position]
  )
  const total = asked.state === "there" ? asked.value.total : 0
  const lead = asked.state === "there" ? asked.value.data[0] : undefined
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const typing = event.target instanceof Element && event.target.closest("input, textarea, select") !== null
      if (typing || event.altKey || event.ctrlKey || event.metaKey) return
      if (event.key === "j" && position < total) go("lists", list, position + 1)
      if (event.key === "k" && position > 1) go("lists", list, position - 1)
    }
    addEventListener("keydown", onKey)
    return () => removeEventListener("keydown", onKey)
  }, [list, position, total])

  if (asked.state !== "there" || lead === undefined) {
    return (
      <Page title={`Lead ${position}`} within={["All leads of the list", to("lists", list)]}>
        {asked.state === "waiting" && <Waiting>Opening the emails…</Waiting>}
        {asked.state === "refused" && <Trouble problem={asked.problem} again={asked.again} />}
        {asked.state === "there" && <p>The list has no lead of this number.</p>}
      </Page>
    )
  }
  const about = [lead.title, lead.company].filter((part) => part !== null).join(", ")
  return (
    <Page
      key="there"
      title={lead.name ?? lead.email}
      within={["All leads of the list", to("lists", list)]}
      lead={
        <>
          {about !== "" && <>{about}. </>}
          {lead.email}
        </>
      }
      actions={
        <nav class="pages" aria-label="Leads">
          {position > 1 ? (
            <a class="button" href={to("lists", list, position - 1)} aria-keyshortcuts="k">
              Previous<span class="wide"> lead</span>
            </a>
          ) : (
            <span class="button" aria-disabled="true">
              Previous<span class="wide"> lead</span>
            </span>
          )}
          <span class="quiet">
            {number(position)} of {number(total)}
          </span>
          {position < total ? (
            <a class="button" href={to("lists", list, position + 1)} aria-keyshortcuts="j">
              Next<span class="wide"> lead</span>
            </a>
          ) : (
            <span class="button" aria-disabled="true">
              Next<span class="wide"> lead</span>
            </span>
          )}
        </nav>
      }
    >
      {lead.status === "failed" && (
        <p class="note">This lead could not be written to, and costs nothing: {lead.error ?? "no reason is known"}</p>
      )}
      {lead.status === "pending" && <p class="note">{lead.error ?? "This lead waits for its turn."}</p>}
      {lead.emails.length > 0 && (
        <>
          <Tick
            label="Show what each sentence rests on"
            checked={sourced}
            onChange={(shown) => {
              sourcesShown = shown
              setSourced(shown)
            }}
          />
          <Emails emails={lead.emails} sourced={sourced} />
        </>
      )}
      {lead.research.length > 0 && (
        <section class="section">
          <h2>What research found</h2>
          <ul class="plain-list">
            {lead.research.map(({ source_url, statement }) => (
              <li key={statement}>
                {statement}{" "}
                {/^https?:/.test(source_url) && (
                  <a href={source_url} rel="noreferrer noopener" target="_blank">
                    {new URL(source_url).hostname}
                  </a>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
      <p class="quiet keys">
        Keys: <kbd>J</kbd> next lead, <kbd>K</kbd> previous lead.
      </p>
    </Page>
  )
}
