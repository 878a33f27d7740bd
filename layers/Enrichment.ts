// layers/Enrichment.ts: researches the companies of leads: sentences from their sites, each with its page and date.
import { Cache, Clock, Context, DateTime, Effect, Layer, Option, Schema, Semaphore, String } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { Fact } from "#layers/enrichment/Fact.ts"
import { isSiteOf } from "#layers/enrichment/SiteNames.ts"
import { Researcher } from "#layers/Researcher.ts"
import { companyPages, fetchSite } from "#layers/research/FetchSite.ts"
import { Web } from "#layers/Web.ts"
import type { Lead } from "#schema/Lead.ts"
import { isConsumerAddress } from "#layers/text/ConsumerAddresses.ts"

const linkedInUrl = /^(?:https?:\/\/)?(?:[a-z]{2,3}\.)?linkedin\.com\/(in|company)\/([^/?#]{2,100})\/?(?:[?#].*)?$/i

const companyNameIn = (linkedin_url: string): Pick<Lead, "name" | "company"> => {
  const [, kind = "", path = ""] = linkedInUrl.exec(linkedin_url.trim()) ?? []
  // Skips the letters and digits that LinkedIn appends to a name that is already in use.
  const words = path.split("-").filter((word) => /^\p{L}+$/u.test(word))
  if (words.length < (kind.toLowerCase() === "in" ? 2 : 1)) return {}
  const nameFromSlug = words.map(String.capitalize).join(" ")
  return kind.toLowerCase() === "in" ? { name: nameFromSlug } : { company: nameFromSlug }
}

const isBlank = (text: string | null | undefined) => (text ?? "").trim() === ""

/** Fills in an empty name or company from the address of the lead's LinkedIn page, which is not fetched. */
export const fillNameFromLinkedIn = <L extends Lead>(lead: L): L => {
  const { company, name } = companyNameIn(lead.linkedin_url ?? "")
  if (name !== undefined && isBlank(lead.name)) return { ...lead, name }
  return company !== undefined && isBlank(lead.company) ? { ...lead, company } : lead
}

const domainPattern = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,24}$/i

/** Sites that host pages of many companies, and so are not a company's own site. */
const sharedDomains =
  /(?:^|\.)(?:linkedin|facebook|instagram|twitter|x|youtube|tiktok|xing|google|crunchbase|wikipedia|amazon|ebay|etsy|yelp|github|medium|linktr|bit)\.[a-z.]{2,6}$/i

const siteFromAddress = (text: string | null | undefined): string | undefined => {
  const enteredAddress = (text ?? "").trim()
  if (enteredAddress === "" || enteredAddress.length > 500 || /\s/.test(enteredAddress)) return undefined
  const url = URL.parse(/^https?:\/\//i.test(enteredAddress) ? enteredAddress : `https://${enteredAddress}`)
  if (url === null || (!domainPattern.test(url.hostname) && url.port === "") || sharedDomains.test(url.hostname))
    return undefined
  return url.origin
}

/** The origin of the company's site: from the lead's website, else its company name, else its email domain. */
export const companyWebsite = ({ company, company_website, email }: Lead): string | undefined => {
  const website = siteFromAddress(company_website)
  if (website !== undefined) return website
  if (domainPattern.test((company ?? "").trim())) return siteFromAddress(company)
  return isConsumerAddress(email) ? undefined : siteFromAddress(email.slice(email.lastIndexOf("@") + 1))
}

/** Pages read of a site in addition to its home page. */
const maxExtraPages = 4
/** Sites that this process fetches at the same time. */
const maxConcurrentSites = 8

interface EnrichedLead<L extends Lead> {
  /** The name or company is filled in from the profile's address if it was empty. */
  readonly lead: L
  /** At most eight. */
  readonly facts: ReadonlyArray<Fact>
}

/** The list of a lead. */
interface ListKey {
  readonly workspace: string
  readonly list: string
}

/** A site that was fetched for a list. */
interface FetchedSite extends ListKey {
  readonly site: string
}

/** What is stored of a site: the names it gives its company, and its facts. */
const SiteRecord = Schema.Struct({ names: Schema.Array(Schema.String), facts: Schema.Array(Fact) })
type SiteRecord = typeof SiteRecord.Type

/** An earlier version stored facts without names; such a site is fetched again. */
const StoredSite = Schema.Union([SiteRecord, Schema.Array(Schema.Unknown)])

const emptySiteRecord: SiteRecord = { names: [], facts: [] }

export class Enrichment extends Context.Service<
  Enrichment,
  {
    /** Never fails: without a readable site, `facts` is empty. Each site is fetched once for a list. */
    readonly enrich: <L extends Lead>(listKey: ListKey, lead: L) => Effect.Effect<EnrichedLead<L>>
  }
>()("overture/layers/Enrichment") {
  static readonly layer = Layer.effect(
    Enrichment,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const researcher = yield* Researcher
      const web = yield* Web
      const fetchLimit = yield* Semaphore.make(maxConcurrentSites)

      const findSite = SqlSchema.findOneOption({
        Request: Schema.Struct({ workspace: Schema.String, list: Schema.String, site: Schema.String }),
        Result: Schema.Struct({ facts: Schema.fromJsonString(StoredSite) }),
        execute: ({ list, site, workspace }) =>
          sql`SELECT facts FROM sites WHERE list_id = ${list} AND workspace_id = ${workspace} AND site = ${site}`
      })

      const fetchAndExtract = (site: string) =>
        Effect.gen(function* () {
          const fetched = yield* fetchSite(web, site, maxExtraPages, companyPages)
          // Pages of another host, reached by a redirect, belong to another site.
          const { host } = new URL(fetched.home)
          const pages = fetched.pages.filter(({ url }) => new URL(url).host === host)
          const now = yield* Clock.currentTimeMillis
          const { facts, names } = yield* researcher.extractCompany({ kind: "company", pages, now })
          const found_at = DateTime.formatIso(DateTime.makeUnsafe(now))
          return { names, facts: facts.map((fact) => ({ ...fact, found_at })) }
        }).pipe(
          fetchLimit.withPermit,
          Effect.orElseSucceed(() => emptySiteRecord)
        )

      const loadSite = Effect.fnUntraced(function* ({ list, site, workspace }: FetchedSite) {
        const storedSite = yield* findSite({ workspace, list, site })
        if (Option.isSome(storedSite) && "names" in storedSite.value.facts) return storedSite.value.facts
        const record = yield* fetchAndExtract(site)
        // Inserts nothing if the list was deleted meanwhile.
        yield* sql`
          INSERT INTO sites (list_id, workspace_id, site, facts)
          SELECT id, workspace_id, ${site}, ${JSON.stringify(record)} FROM lists
          WHERE id = ${list} AND workspace_id = ${workspace}
          ON CONFLICT (list_id, site) DO UPDATE SET facts = excluded.facts`
        return record
      }, Effect.orDie)

      // Leads of one company ask for its site at the same moment, and share one fetch. Later ones read the table, because
      // `overture person erase` changes it while the server runs.
      const sites = yield* Cache.make({ lookup: loadSite, capacity: 1000, timeToLive: 0 })

      return Enrichment.of({
        enrich: Effect.fn("Enrichment.enrich")(function* ({ list, workspace }, lead) {
          const site = companyWebsite(lead)
          const filledLead = fillNameFromLinkedIn(lead)
          if (site === undefined) return { lead: filledLead, facts: [] }
          const record = yield* Cache.get(sites, { workspace, list, site })
          // Ignores facts from a domain that was sold, or from a page of another company.
          return { lead: filledLead, facts: isSiteOf(record.names, filledLead) ? record.facts : [] }
        })
      })
    })
  )
}
