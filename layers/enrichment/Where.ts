// layers/enrichment/Where.ts: where a lead's company speaks of itself.
import { isConsumer } from "#layers/text/Addresses.ts"
import type { Lead } from "#schema/Lead.ts"

const domain = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,24}$/i

/** Sites on which companies have pages, but which are not theirs. */
const others =
  /(?:^|\.)(?:linkedin|facebook|instagram|twitter|x|youtube|tiktok|xing|google|crunchbase|wikipedia|amazon|ebay|etsy|yelp|github|medium|linktr|bit)\.[a-z.]{2,6}$/i

const siteOf = (text: string | null | undefined): string | undefined => {
  const typed = (text ?? "").trim()
  if (typed === "" || typed.length > 500 || /\s/.test(typed)) return undefined
  const url = URL.parse(/^https?:\/\//i.test(typed) ? typed : `https://${typed}`)
  if (url === null || (!domain.test(url.hostname) && url.port === "") || others.test(url.hostname)) return undefined
  return url.origin
}

/** The origin of the company's site: as given, or as its name or the lead's address says. */
export const whereOf = ({ company, company_website, email }: Lead): string | undefined => {
  const given = siteOf(company_website)
  if (given !== undefined) return given
  if (domain.test((company ?? "").trim())) return siteOf(company)
  return isConsumer(email) ? undefined : siteOf(email.slice(email.lastIndexOf("@") + 1))
}
