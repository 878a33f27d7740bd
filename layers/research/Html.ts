// layers/research/Html.ts: a page as a reader sees it, in Markdown, and the pages it leads to.
import { Option, Predicate, Schema } from "effect"
import { Parser } from "htmlparser2"

const hidden = new Set("script style noscript template svg iframe object select textarea button nav dialog".split(" "))
const breaks = new Set(
  (
    "p div section article header footer main aside ul ol table tr form address blockquote figure figcaption dl dt dd pre " +
    "details summary br hr"
  ).split(" ")
)
/** What lies over every page and speaks of none. */
const notice = /\b(?:cookie|consent|gdpr)/i

/** Deeper than a person nests anything; the parser's work grows with the square of it. */
const deepest = 500
/** As far as a page is searched for links: those that matter stand early. */
const mostSearched = 500_000

const text = Schema.optionalKey(Schema.String)
/** The company behind a page, as it is told to machines in the words of schema.org. */
const Organization = Schema.Struct({
  "@type": Schema.Union([Schema.String, Schema.Array(Schema.String)]),
  name: Schema.String,
  telephone: text,
  email: text,
  address: Schema.optionalKey(
    Schema.Struct({ streetAddress: text, addressLocality: text, addressRegion: text, postalCode: text })
  )
})
const parsed = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))
const organization = Schema.decodeUnknownOption(Organization)

/** The first company that can be reached, in lines with labels. A person or a product has a name too. */
const organizationIn = (json: string): string => {
  const nodes = [Option.getOrUndefined(parsed(json))]
    .flat()
    .flatMap((node) => (Predicate.hasProperty(node, "@graph") ? node["@graph"] : node))
  for (const node of nodes) {
    const found = Option.getOrUndefined(organization(node))
    if (found === undefined || /Person|Product|Event|Posting|Article/.test(String(found["@type"]))) continue
    const { address, email, name, telephone } = found
    if (address === undefined && email === undefined && telephone === undefined) continue
    const {
      addressLocality: city = "",
      addressRegion: region = "",
      postalCode: code = "",
      streetAddress: street = ""
    } = address ?? {}
    const lines = [
      ["Company", name],
      ["Phone", telephone],
      ["Email", email],
      [
        "Address",
        /^\d/.test(code) && region === "" ? `${street}, ${code} ${city}` : `${street}, ${city}, ${region} ${code}`
      ]
    ]
    return lines.flatMap(([label, value = ""]) => (/\p{L}|\d/u.test(value) ? [`${label}: ${value}\n\n`] : [])).join("")
  }
  return ""
}

/** What it says, with its title first. */
export const fromHtml = (html: string, mostText: number): string => {
  const out: Array<string> = []
  const about = { title: "", site: "", description: "", organization: "" }
  let size = 0
  let depth = 0
  let skipped = 0
  let open = ""
  let link: { readonly target: string; text: string } | undefined
  const put = (text: string) => {
    if (size < mostText) out.push(text)
    size += text.length
  }
  const parser = new Parser({
    onopentag(name, attributes) {
      if (++depth > deepest) parser.pause()
      open = name === "script" && attributes["type"] === "application/ld+json" ? "data" : name
      const isNotice = name !== "html" && name !== "body" && notice.test(`${attributes["id"]} ${attributes["class"]}`)
      if (skipped > 0 || hidden.has(name) || isNotice) {
        skipped++
        return
      }
      if (name === "meta") {
        const { content = "", name = "", property = "" } = attributes
        if (name === "description") about.description = content
        if (property === "og:site_name") about.site = content
      } else if (name === "footer") put("\n\n## Contact\n\n")
      else if (/^h[1-6]$/.test(name)) put(`\n\n${"#".repeat(Number(name.slice(1)))} `)
      else if (name === "li") put("\n- ")
      else if (name === "td" || name === "th") put(" | ")
      else if (breaks.has(name)) put(name === "br" || name === "tr" ? "\n" : "\n\n")
      else if (name === "a") {
        const [, scheme, target = ""] = /^(mailto|tel):([^?]{3,200})/i.exec(attributes["href"] ?? "") ?? []
        if (scheme !== undefined) link = { target: scheme === "tel" ? `Tel. ${target}` : target, text: "" }
      }
    },
    ontext(text) {
      if (open === "data") about.organization ||= organizationIn(text)
      if (open === "title") about.title += text
      else if (skipped === 0) {
        put(text.replace(/\s+/g, " "))
        if (link !== undefined) link.text += text
      }
    },
    onclosetag(name) {
      depth--
      open = ""
      if (skipped > 0) skipped--
      else if (name === "a" && link !== undefined) {
        // A link's text may well be the address or the number itself.
        if (!/@|\d{3}/.test(link.text)) put(` ${link.target} `)
        link = undefined
      } else if (/^h[1-6]$/.test(name) || (breaks.has(name) && name !== "br" && name !== "tr")) put("\n\n")
    }
  })
  parser.end(html)
  const text = out
    .join("")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "-" && line !== "|" && !/^#+$/.test(line))
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
  const title = about.title.includes(about.site) ? about.title : `${about.title} | ${about.site}`
  const heading = title.replace(/\s+/g, " ").trim()
  return [heading === "" ? "" : `# ${heading}`, about.description, about.organization, text]
    .filter((part) => part !== "")
    .join("\n\n")
}

/** Pages that tell of a company, by the words of their addresses and links: one of each kind but the last is read first. */
const kinds = [
  /\b(?:about|company|who[- ]we|team|story|unternehmen|o-nas|over-ons)\b/i,
  /\b(?:products?|services?|solutions?|offer)\b/i,
  /\b(?:customers?|clients?|case|success|work|references)\b/i,
  /\b(?:pricing|prices|plans|rates|fees)\b/i,
  /\bcontact\b/i
]

/** Up to `most` pages of the same site that tell of the company, in the order of the page. */
export const linksIn = (html: string, address: string, most: number): ReadonlyArray<string> => {
  const home = new URL(address)
  const site = home.hostname.replace(/^www\./, "")
  const found = new Map<string, number>()
  let base = address
  let depth = 0
  let open: { readonly href: string; text: string } | undefined
  const parser = new Parser({
    onopentag(name, { href }) {
      if (++depth > deepest) parser.pause()
      if (href === undefined) return
      if (name === "base") base = URL.parse(href, address)?.href ?? address
      else if (name === "a") open = { href, text: "" }
    },
    ontext(text) {
      if (open !== undefined && open.text.length < 200) open.text += text
    },
    onclosetag(name) {
      depth--
      if (name !== "a" || open === undefined) return
      const url = URL.parse(open.href, base)
      const { text } = open
      open = undefined
      if (
        url === null ||
        !/^https?:$/.test(url.protocol) ||
        url.hostname.replace(/^www\./, "") !== site ||
        url.port !== home.port ||
        /\.(?:pdf|docx?|xlsx?|pptx?|zip|jpe?g|png|gif|svg|webp|mp4)$/i.test(url.pathname)
      )
        return
      url.hash = ""
      if (url.pathname === home.pathname && url.search === home.search) return
      // The title of an article is longer than the name of a page.
      const words = `${url.pathname.replaceAll(/[_/.]/g, " ")} ${text.trim().length > 40 ? "" : text}`
      const kind = kinds.findIndex((each) => each.test(words))
      if (kind >= 0 && !found.has(url.href)) found.set(url.href, kind)
    }
  })
  parser.end(html.slice(0, mostSearched))
  const all = [...found]
  const firsts = all.filter(
    ([, kind], at) => kind < kinds.length - 1 && all.findIndex((other) => other[1] === kind) === at
  )
  const chosen = [...new Set([...firsts, ...all])].slice(0, most)
  return all.flatMap((each) => (chosen.includes(each) ? [each[0]] : []))
}
