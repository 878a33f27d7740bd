// console/pages/Lead.tsx: one lead of a list and the emails to it, to be read one after the other.
import { useEffect, useState } from "preact/hooks"
import { useAsk } from "#console/Asking.ts"
import { Emails, isSite, PageLink } from "#console/parts/Emails.tsx"
import { Tick } from "#console/parts/Fields.tsx"
import { Answered } from "#console/parts/Notices.tsx"
import { Page } from "#console/parts/Page.tsx"
import { day, ended, number } from "#console/parts/Words.ts"
import { go, to } from "#console/Route.ts"

// Kept from one lead to the next.
let sourcesShown = true

interface NeighbourProps {
  readonly word: string
  readonly letter: string
  /** Undefined at either end of the list. */
  readonly href: string | undefined
}

const Neighbour = ({ href, letter, word }: NeighbourProps) => {
  const text = (
    <>
      {word}
      <span class="wide"> lead</span>
    </>
  )
  return href === undefined ? (
    <span class="button" aria-disabled="true">
      {text}
    </span>
  ) : (
    <a class="button" href={href} aria-keyshortcuts={letter}>
      {text}
    </a>
  )
}

export const Lead = ({ list, position }: { readonly list: string; readonly position: number }) => {
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
        <Answered asked={asked} waiting="Opening the emails…">
          {() => <p>The list has no lead of this number.</p>}
        </Answered>
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
          {about !== "" && <>{ended(about)} </>}
          {lead.email}
        </>
      }
      actions={
        <nav class="pages" aria-label="Leads">
          <Neighbour word="Previous" letter="k" href={position > 1 ? to("lists", list, position - 1) : undefined} />
          <span class="quiet">
            {number(position)} of {number(total)}
          </span>
          <Neighbour word="Next" letter="j" href={position < total ? to("lists", list, position + 1) : undefined} />
        </nav>
      }
    >
      {lead.skipped && <p class="note">Left out: {ended(lead.skipped.reason)} It cost nothing.</p>}
      {lead.status === "failed" && !lead.skipped && (
        <p class="note">
          This lead could not be written to, and costs nothing: {ended(lead.error ?? "no reason is known")}
        </p>
      )}
      {lead.status === "pending" && <p class="note">{lead.error ?? "This lead waits for its turn."}</p>}
      {lead.emails.length > 0 && (
        <>
          <Tick
            label="Show the source of each sentence"
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
          <h2>Research</h2>
          <p class="quiet">Sentences of the company’s site, word for word.</p>
          <ul class="plain-list">
            {lead.research.map(({ found_at, source_url, statement }) => (
              <li key={`${source_url} ${statement}`}>
                {statement}{" "}
                <span class="quiet">
                  {isSite(source_url) && (
                    <>
                      <PageLink url={source_url} />,{" "}
                    </>
                  )}
                  read on <time dateTime={found_at}>{day(found_at)}</time>
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {lead.custom_fields !== null && (
        <section class="section">
          <h2>Custom fields</h2>
          <ul class="plain-list">
            {Object.entries(lead.custom_fields).map(([key, value]) => (
              <li key={key}>
                <code>{key}</code>: {value === null ? <span class="quiet">none</span> : String(value)}
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
