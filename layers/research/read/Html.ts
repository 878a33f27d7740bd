// layers/research/read/Html.ts: a page as a reader sees it, in Markdown.
import { Parser } from "htmlparser2"
import { type Organization, parseOrganizations } from "#layers/research/read/Organization.ts"

/** Not shown, no text, or struck out. */
const hiddenElements = new Set(
  "script style noscript template svg iframe object select textarea button nav dialog del s strike".split(" ")
)
const blockElements = new Set(
  (
    "p div section article header footer main aside ul ol table tr form address blockquote figure figcaption dl pre " +
    "details summary br hr"
  ).split(" ")
)
/** Elements that stand in a line and hold words of their own; others, such as b and i, may mark a part of a word. */
const inlineElements = new Set(["a", "span", "label", "time"])
/** What covers every page and is part of none. */
const consentNotice = /\b(?:cookie|consent|gdpr)/i

/** How builders of shops strike out a price without an element for it. */
const struckClass =
  /(?:^|\s)(?:old|was|strike(?:d|out|through)?|struck|line-through|(?:old|was|former|previous|regular|crossed)[-_]?price|price[-_]{1,2}(?:old|was|before|strike))(?:\s|$)/i
const isNotShown = ({ class: names = "", hidden, style = "" }: Readonly<Record<string, string>>) =>
  struckClass.test(names) || hidden !== undefined || /line-through|display\s*:\s*none/i.test(style)

/** Deeper than a person nests anything; the parser's work grows with the square of it. */
export const maxDepth = 500

/** What a page states for machines. Texts are empty where the page has none. */
export interface PageData {
  readonly title: string
  /** Open Graph's `og:site_name`. */
  readonly siteName: string
  /** Where the page says that it is: its canonical link, else Open Graph's `og:url`. */
  readonly address: string
  /** The description for search engines, else Open Graph's. */
  readonly description: string
  readonly organizations: ReadonlyArray<Organization>
}

export interface ReadPage {
  /** In Markdown, its title first. */
  readonly text: string
  readonly data: PageData
}

/** Reads a page as far as `maxTextLength` characters of its text. */
export const fromHtml = (html: string, maxTextLength: number): ReadPage => {
  const out: Array<string> = []
  const about = { title: "", site: "", description: "", address: "" }
  const organizations: Array<Organization> = []
  let size = 0
  let depth = 0
  let skipped = 0
  /** Open quotations, which quote other people. */
  let quoted = 0
  let open = ""
  /** The cells of a row that name columns, and whether it has others. */
  let names = 0
  let hasCells = false
  let link: { readonly target: string; text: string } | undefined
  /** Whether an element has ended and no text has come since: what begins now stands beside it, not in its last word. */
  let hasEnded = false
  /** The last text; and whether an element with words of its own begins right behind it, as cards and chips do. */
  let last = ""
  let isBeside = false
  let drawings = 0
  const put = (text: string) => {
    hasEnded = false
    if (size < maxTextLength) out.push(text)
    size += text.length
  }
  const parser = new Parser({
    onopentag(name, attributes) {
      if (++depth > maxDepth) parser.pause()
      if (name === "svg") drawings++
      open = name === "script" && attributes["type"] === "application/ld+json" ? "data" : name
      const isNotice =
        name !== "html" && name !== "body" && consentNotice.test(`${attributes["id"]} ${attributes["class"]}`)
      if (skipped > 0 || hiddenElements.has(name) || isNotice || isNotShown(attributes)) {
        // What is struck out leaves its cell empty.
        if (skipped === 0 && name === "td") put(" | ")
        skipped++
        return
      }
      isBeside = hasEnded && inlineElements.has(name)
      if (isBeside) put(" ")
      if (name === "meta") {
        const { content = "", name = "", property = "" } = attributes
        if (name === "description" || (property === "og:description" && about.description === ""))
          about.description = content
        if (property === "og:site_name") about.site = content
        if (property === "og:url") about.address ||= content
      } else if (name === "link" && attributes["rel"] === "canonical") about.address = attributes["href"] ?? ""
      // The footer of a quotation names the one who is quoted.
      else if (name === "footer" && quoted === 0) put("\n\n## Contact\n\n")
      else if (/^h[1-6]$/.test(name)) put(`\n\n${"#".repeat(Number(name.slice(1)))} `)
      else if (name === "li" || name === "dt") put("\n- ")
      // A term and what is said of it.
      else if (name === "dd") put(": ")
      else if (name === "td" || name === "th") {
        put(" | ")
        if (name === "th") names++
        else hasCells = true
      } else if (blockElements.has(name)) {
        if (name === "blockquote") quoted++
        put(name === "br" || name === "tr" ? "\n" : quoted > 0 ? "\n\n> " : "\n\n")
      } else if (name === "a") {
        const [, scheme, target = ""] = /^(mailto|tel):([^?]{3,200})/i.exec(attributes["href"] ?? "") ?? []
        if (scheme !== undefined) link = { target: scheme === "tel" ? `Tel. ${target}` : target, text: "" }
      }
    },
    ontext(text) {
      if (open === "data") organizations.push(...parseOrganizations(text))
      // A title of a drawing repeats the text beside it.
      if (open === "title") about.title += drawings === 0 ? text : ""
      else if (skipped === 0) {
        const isPhrase = (each: string) => /^\s*\p{Lu}.*\p{L} \p{L}/u.test(each)
        if (isBeside && isPhrase(last) && isPhrase(text)) put("· ")
        isBeside = false
        last = text
        put(text.replace(/\s+/g, " "))
        if (link !== undefined) link.text += text
      }
    },
    onclosetag(name) {
      depth--
      if (name === "svg") drawings--
      open = ""
      hasEnded = true
      if (name === "blockquote" && skipped === 0 && quoted > 0) quoted--
      if (skipped > 0) skipped--
      else if (name === "a" && link !== undefined) {
        // A link's text may well be the address or the number itself, or hide most of it.
        if (!/@|\d{3}|(?:^|[\d.\s-])(?:x{2}|\*{2})/i.test(link.text)) put(` ${link.target} `)
        link = undefined
      } else if (name === "tr") {
        // The rule of Markdown under the names of the columns.
        if (names > 1 && !hasCells) put("\n|---|---|")
        names = 0
        hasCells = false
      } else if (/^h[1-6]$/.test(name) || (blockElements.has(name) && name !== "br")) put("\n\n")
    }
  })
  parser.end(html)
  const text = out
    .join("")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "-" && line !== "|" && !/^[>\s]+$/.test(line) && !/^#+$/.test(line))
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
  const plain = (text: string) => text.replace(/\s+/g, " ").trim()
  const data = {
    title: plain(about.title),
    siteName: plain(about.site),
    address: about.address.trim(),
    description: plain(about.description),
    organizations
  }
  // A description that breaks off is no sentence, and one with a colon no label.
  const shown = data.description.includes(":") ? "" : data.description.replace(/(?:\.{2,}|…)$/, "")
  return {
    text: [data.title === "" ? "" : `# ${data.title}`, shown, text].filter((part) => part !== "").join("\n\n"),
    data
  }
}
