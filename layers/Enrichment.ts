// layers/Enrichment.ts: research of leads on the web: sentences of their companies' sites, with the page and the day of each.
import { Cache, Clock, Context, DateTime, Effect, Exit, Layer, Option, Schema, Semaphore, String } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { Fact } from "#layers/enrichment/Fact.ts"
import { isSiteOf } from "#layers/enrichment/SiteNames.ts"
import { Researcher } from "#layers/Researcher.ts"
import { companyPages, fetchSite } from "#layers/research/FetchSite.ts"
import { Web } from "#layers/Web.ts"
import type { Lead } from "#schema/Lead.ts"
import { isConsumerAddress } from "#layers/text/ConsumerAddresses.ts"

const companySlug = /^(?:https?:\/\/)?(?:[a-z]{2,3}\.)?linkedin\.com\/(in|company)\/([^/?#]{2,100})\/?(?:[?#].*)?$/i

const companyNameIn = (linkedin_url: string): Pick<Lead, "name" | "company"> => {
  const [, kind = "", path = ""] = companySlug.exec(linkedin_url.trim()) ?? []
  // The letters and digits that LinkedIn adds to a name that was taken are no part of it.
  const words = path.split("-").filter((word) => /^\p{L}+$/u.test(word))
  if (words.length < (kind.toLowerCase() === "in" ? 2 : 1)) return {}
  const nameFromSlug = words.map(String.capitalize).join(" ")
  return kind.toLowerCase() === "in" ? { name: nameFromSlug } : { company: nameFromSlug }
}

const isBlank = (text: string | null | undefined) => (text ?? "").trim() === ""

/** The lead with the name, or the company, that only the address of its LinkedIn page tells. The page is not fetched. */
export const namedDomain = <L extends Lead>(lead: L): L => {
  const { company, name } = companyNameIn(lead.linkedin_url ?? "")
  if (name !== undefined && isBlank(lead.name)) return { ...lead, name }
  return company !== undefined && isBlank(lead.company) ? { ...lead, company } : lead
}

const domain = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,24}$/i

/** Sites on which companies have pages, but which are not theirs. */
const sharedDomains =
  /(?:^|\.)(?:linkedin|facebook|instagram|twitter|x|youtube|tiktok|xing|google|crunchbase|wikipedia|amazon|ebay|etsy|yelp|github|medium|linktr|bit)\.[a-z.]{2,6}$/i

const siteFromAddress = (text: string | null | undefined): string | undefined => {
  const typedWebsite = (text ?? "").trim()
  if (typedWebsite === "" || typedWebsite.length > 500 || /\s/.test(typedWebsite)) return undefined
  const url = URL.parse(/^https?:\/\//i.test(typedWebsite) ? typedWebsite : `https://${typedWebsite}`)
  if (url === null || (!domain.test(url.hostname) && url.port === "") || sharedDomains.test(url.hostname))
    return undefined
  return url.origin
}

/** The origin of the company's site: as given, or as its name or the lead's address says. */
export const companyWebsite = ({ company, company_website, email }: Lead): string | undefined => {
  const givenSite = siteFromAddress(company_website)
  if (givenSite !== undefined) return givenSite
  if (domain.test((company ?? "").trim())) return siteFromAddress(company)
  return isConsumerAddress(email) ? undefined : siteFromAddress(email.slice(email.lastIndexOf("@") + 1))
}

/** Pages read of a site beside its home page. */
const morePages = 4
/** Sites that the process fetches at once. */
const sitesAtOnce = 8

interface Enriched<L extends Lead> {
  /** With a name or company filled in from the address of the lead's profile. */
  readonly lead: L
  /** At most eight. */
  readonly facts: ReadonlyArray<Fact>
}

/** Which list of which workspace a lead is of. */
interface LeadPlace {
  readonly workspace: string
  readonly list: string
}

/** A site, as a list has it. */
interface FetchedSite extends LeadPlace {
  readonly site: string
}

/** What is kept of a site: what it calls its company, and its facts. */
const SiteRecord = Schema.Struct({ names: Schema.Array(Schema.String), facts: Schema.Array(Fact) })
type SiteRecord = typeof SiteRecord.Type

/** A version before this one kept a list of facts without the names; such a site is read again. */
const StoredSite = Schema.Union([SiteRecord, Schema.Array(Schema.Unknown)])

const emptySiteRecord: SiteRecord = { names: [], facts: [] }

export class Enrichment extends Context.Service<
  Enrichment,
  {
    /** Never fails: of a company whose site cannot be found or read, nothing is known. A site is fetched once for a list. */
    readonly enrich: <L extends Lead>(place: LeadPlace, lead: L) => Effect.Effect<Enriched<L>>
  }
>()("overture/layers/Enrichment") {
  static readonly layer = Layer.effect(
    Enrichment,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const researcher = yield* Researcher
      const web = yield* Web
      const desk = yield* Semaphore.make(sitesAtOnce)

      const found = SqlSchema.findOneOption({
        Request: Schema.Struct({ workspace: Schema.String, list: Schema.String, site: Schema.String }),
        Result: Schema.Struct({ facts: Schema.fromJsonString(StoredSite) }),
        execute: ({ list, site, workspace }) =>
          sql`SELECT facts FROM sites WHERE list_id = ${list} AND workspace_id = ${workspace} AND site = ${site}`
      })

      const research = (site: string) =>
        Effect.gen(function* () {
          const fetched = yield* fetchSite(web, site, morePages, companyPages)
          // A page that has led elsewhere is another site's.
          const { host } = new URL(fetched.home)
          const pages = fetched.pages.filter(({ url }) => new URL(url).host === host)
          const now = yield* Clock.currentTimeMillis
          const { facts, names } = yield* researcher.company({ kind: "company", pages, now })
          const found_at = DateTime.formatIso(DateTime.makeUnsafe(now))
          return { names, facts: facts.map((fact) => ({ ...fact, found_at })) }
        }).pipe(
          desk.withPermit,
          Effect.orElseSucceed(() => emptySiteRecord)
        )

      const look = Effect.fnUntraced(function* ({ list, site, workspace }: FetchedSite) {
        const before = yield* found({ workspace, list, site })
        if (Option.isSome(before) && "names" in before.value.facts) return before.value.facts
        const record = yield* research(site)
        // A list that was deleted meanwhile keeps nothing.
        yield* sql`
          INSERT INTO sites (list_id, workspace_id, site, facts)
          SELECT id, workspace_id, ${site}, ${JSON.stringify(record)} FROM lists
          WHERE id = ${list} AND workspace_id = ${workspace}
          ON CONFLICT (list_id, site) DO UPDATE SET facts = excluded.facts`
        return record
      }, Effect.orDie)

      // Leads of one company ask at the same moment; the table remembers what this forgets.
      const sites = yield* Cache.makeWith(look, {
        capacity: 1000,
        // A store that could not be asked, or a worker that was stopped, says nothing of the site.
        timeToLive: (exit) => (Exit.isSuccess(exit) ? "10 minutes" : 0)
      })

      return Enrichment.of({
        enrich: Effect.fn("Enrichment.enrich")(function* ({ list, workspace }, lead) {
          const site = companyWebsite(lead)
          const known = namedDomain(lead)
          if (site === undefined) return { lead: known, facts: [] }
          const record = yield* Cache.get(sites, { workspace, list, site })
          // Ignores facts from a domain that was sold, or from a page of another company.
          return { lead: known, facts: isSiteOf(record.names, known) ? record.facts : [] }
        })
      })
    })
  )
}
