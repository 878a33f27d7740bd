// console/pages/lead/LeadFacts.tsx: a lead's research and custom fields.
import type { ReviewedLead } from "#schema/Review.ts"
import { isUrl, PageLink } from "#console/parts/Emails.tsx"
import { formatDay } from "#console/parts/Format.ts"

export const LeadFacts = ({ lead: { custom_fields, research } }: { readonly lead: ReviewedLead }) => (
  <>
    {research.length > 0 && (
      <section class="section">
        <h2>Research</h2>
        <p class="quiet">Sentences of the company’s site, word for word.</p>
        <ul class="plain-list">
          {research.map(({ found_at, source_url, statement }) => (
            <li key={`${source_url} ${statement}`}>
              {statement}{" "}
              <span class="quiet">
                {isUrl(source_url) && (
                  <>
                    <PageLink url={source_url} />,{" "}
                  </>
                )}
                read on <time dateTime={found_at}>{formatDay(found_at)}</time>
              </span>
            </li>
          ))}
        </ul>
      </section>
    )}
    {custom_fields !== null && (
      <section class="section">
        <h2>Custom fields</h2>
        <ul class="plain-list">
          {Object.entries(custom_fields).map(([key, value]) => (
            <li key={key}>
              <code>{key}</code>: {value === null ? <span class="quiet">none</span> : String(value)}
            </li>
          ))}
        </ul>
      </section>
    )}
  </>
)
