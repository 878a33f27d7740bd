// layers/research/Site.ts: a company's site as a reader goes through it: its home page, and those it leads to that tell
// of the company.
import { Effect, Option } from "effect"
import { linksIn } from "#layers/research/Html.ts"
import type { Page, Web } from "#layers/Web.ts"

const pagesAtOnce = 3

const isHtml = ({ type }: Page) => !/^text\/(?:plain|markdown)/i.test(type)

/** The home page and up to `most` others. Without the first there is no site; any of the others may be missing. */
export const fetchSite = Effect.fn("fetchSite")(function* (web: Web["Service"], url: string, most: number) {
  const home = yield* web.page(url)
  const links = isHtml(home) ? linksIn(home.text, home.url, most) : []
  const more = yield* Effect.forEach(links, (link) => Effect.option(web.page(link)), { concurrency: pagesAtOnce })
  const pages = [home, ...more.flatMap(Option.toArray)]
  return { home: home.url, pages: pages.map((page) => ({ html: isHtml(page), text: page.text })) }
})
