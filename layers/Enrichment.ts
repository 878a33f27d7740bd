// layers/Enrichment.ts: research of leads on the web: what their companies say of themselves, and where it says so.
import { Cache, Context, DateTime, Effect, Exit, Layer, Option, Schema, Semaphore } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { Fact } from "#layers/enrichment/Fact.ts"
import { factsOf } from "#layers/enrichment/Facts.ts"
import { named } from "#layers/enrichment/LinkedIn.ts"
import { whereOf } from "#layers/enrichment/Where.ts"
import { Researcher } from "#layers/Researcher.ts"
import { fetchSite } from "#layers/research/Site.ts"
import { Web } from "#layers/Web.ts"
import type { Lead } from "#schema/Lead.ts"

/** Pages read of a site beside its home page. */
const morePages = 2
/** Sites fetched at once, whoever asks. */
const sitesAtOnce = 8

interface Enriched<L extends Lead> {
  /** With a name or company filled in where only its profile's address told it. */
  readonly lead: L
  /** At most eight. */
  readonly facts: ReadonlyArray<Fact>
}

/** Which list of which workspace a lead is of. */
interface Place {
  readonly workspace: string
  readonly list: string
}

/** A site, as a list has it. */
interface Site extends Place {
  readonly site: string
}

export class Enrichment extends Context.Service<
  Enrichment,
  {
    /** Never fails: of a company whose site cannot be found or read, nothing is known. A site is fetched once for a list. */
    readonly enrich: <L extends Lead>(place: Place, lead: L) => Effect.Effect<Enriched<L>>
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
        Result: Schema.Struct({ facts: Schema.fromJsonString(Schema.Array(Fact)) }),
        execute: ({ list, site, workspace }) =>
          sql`SELECT facts FROM sites WHERE list_id = ${list} AND workspace_id = ${workspace} AND site = ${site}`
      })

      const research = (site: string) =>
        Effect.gen(function* () {
          const { home, pages } = yield* fetchSite(web, site, morePages)
          const findings = yield* researcher.read({ kind: "pages", site: new URL(home).origin, pages })
          return factsOf(findings, home, yield* DateTime.now)
        }).pipe(
          desk.withPermit,
          Effect.orElseSucceed(() => [])
        )

      const look = Effect.fnUntraced(function* ({ list, site, workspace }: Site) {
        const before = yield* found({ workspace, list, site })
        if (Option.isSome(before)) return before.value.facts
        const facts = yield* research(site)
        // A list that was deleted meanwhile keeps nothing.
        yield* sql`
          INSERT INTO sites (list_id, workspace_id, site, facts)
          SELECT id, workspace_id, ${site}, ${JSON.stringify(facts)} FROM lists
          WHERE id = ${list} AND workspace_id = ${workspace}
          ON CONFLICT DO NOTHING`
        return facts
      }, Effect.orDie)

      // Leads of one company ask at the same moment; the table remembers what this forgets.
      const sites = yield* Cache.makeWith(look, {
        capacity: 1000,
        // A store that could not be asked, or a worker that was stopped, says nothing of the site.
        timeToLive: (exit) => (Exit.isSuccess(exit) ? "10 minutes" : 0)
      })

      return Enrichment.of({
        enrich: Effect.fn("Enrichment.enrich")(function* ({ list, workspace }, lead) {
          const site = whereOf(lead)
          return {
            lead: named(lead),
            facts: site === undefined ? [] : yield* Cache.get(sites, { workspace, list, site })
          }
        })
      })
    })
  )
}
