// layers/research/FetchSite.ts: fetches a company's home page, and the pages it links to that are about the company.
import { Effect, Option } from "effect"
import { Parser } from "htmlparser2"
import { maxDepth } from "#layers/research/read/Html.ts"
import { hostOf } from "#layers/research/extract/Contacts.ts"
import type { Page, Web } from "#layers/Web.ts"

/** Characters of a page that are searched for links: the important ones come early. */
const maxSearchLength = 500_000

/** Kinds of pages, by the words of their addresses and links. One of each kind but the last is read first. */
export type PageKinds = ReadonlyArray<RegExp>

/** A word of a page's address or of the link to it, in English, German or French. */
const pageWords = (words: string) => new RegExp(`(?<!\\p{L})(?:${words})(?!\\p{L})`, "iu")

const aboutWords = pageWords(
  "about|company|who[- ]we|team|story|unternehmen|(?:ü|ue)ber[- ]?uns|entreprise|qui[- ]sommes|propos|o-nas|over-ons"
)
const offerWords = pageWords("products?|services?|solutions?|offer|leistungen|angebot|produkte|prestations?|produits?")

/** The pages that an import of the company's own site reads. */
const importPages: PageKinds = [
  aboutWords,
  offerWords,
  pageWords("customers?|clients?|case|success|work|references|referenzen|kunden|r(?:é|e)f(?:é|e)rences"),
  pageWords("pricing|prices|plans|rates|fees|preise|preisliste|tarifs?"),
  pageWords("contact|kontakt|impressum")
]

/** The pages on which a company states facts about itself. */
export const companyPages: PageKinds = [
  aboutWords,
  offerWords,
  /\b(?:news|press|announcements?)\b/i,
  /\b(?:history|facts|profile|firm|practice|us)\b/i
]

/** The URLs of up to `maxLinks` pages of the same site that are of one of these kinds, in the order of the page. */
export const selectLinks = (
  html: string,
  address: string,
  maxLinks: number,
  kinds: PageKinds = importPages
): ReadonlyArray<string> => {
  const home = new URL(address)
  const site = hostOf(home)
  const kindByUrl = new Map<string, number>()
  let base = address
  let depth = 0
  let openLink: { readonly href: string; text: string } | undefined
  const parser = new Parser({
    onopentag(name, { href }) {
      if (++depth > maxDepth) parser.pause()
      if (href === undefined) return
      if (name === "base") base = URL.parse(href, address)?.href ?? address
      else if (name === "a") openLink = { href, text: "" }
    },
    ontext(text) {
      if (openLink !== undefined && openLink.text.length < 200) openLink.text += text
    },
    onclosetag(name) {
      depth--
      if (name !== "a" || openLink === undefined) return
      const url = URL.parse(openLink.href, base)
      const { text } = openLink
      openLink = undefined
      if (
        url === null ||
        !/^https?:$/.test(url.protocol) ||
        hostOf(url) !== site ||
        url.port !== home.port ||
        /\.(?:pdf|docx?|xlsx?|pptx?|zip|jpe?g|png|gif|svg|webp|mp4)$/i.test(url.pathname)
      )
        return
      url.hash = ""
      if (url.pathname === home.pathname && url.search === home.search) return
      // The title of an article is longer than the name of a page.
      const words = `${url.pathname.replaceAll(/[_/.]/g, " ")} ${text.trim().length > 40 ? "" : text}`
      const kind = kinds.findIndex((pattern) => pattern.test(words))
      if (kind >= 0 && !kindByUrl.has(url.href)) kindByUrl.set(url.href, kind)
    }
  })
  parser.end(html.slice(0, maxSearchLength))
  const links = [...kindByUrl]
  const firstOfKind = links.filter(
    ([, kind], index) => kind < kinds.length - 1 && links.findIndex((other) => other[1] === kind) === index
  )
  const selected = [...new Set([...firstOfKind, ...links])].slice(0, maxLinks)
  return links.flatMap((link) => (selected.includes(link) ? [link[0]] : []))
}

const fetchConcurrency = 3

const isHtml = ({ type }: Page) => !/^text\/(?:plain|markdown)/i.test(type)

/** Fetches the home page and up to `maxLinks` others. Fails if the home page fails; other pages that fail are left out. */
export const fetchSite = Effect.fn("fetchSite")(function* (
  web: Web["Service"],
  url: string,
  maxLinks: number,
  kinds: PageKinds = importPages
) {
  const home = yield* web.fetchPage(url)
  const links = isHtml(home) ? selectLinks(home.text, home.url, maxLinks, kinds) : []
  const otherPages = yield* Effect.forEach(links, (link) => Effect.option(web.fetchPage(link)), {
    concurrency: fetchConcurrency
  })
  const pages = [home, ...otherPages.flatMap(Option.toArray)]
  return { home: home.url, pages: pages.map((page) => ({ url: page.url, html: isHtml(page), text: page.text })) }
})
