// layers/research/read/Html.ts: converts the visible text of a web page to Markdown.
import { Parser } from "htmlparser2"
import { type Organization, parseOrganizations } from "#layers/research/read/Organization.ts"

/** Elements that are hidden, struck out or not text. */
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
/** Cookie and consent banners. */
const consentNotice = /\b(?:cookie|consent|gdpr)/i

/** Class names with which shops strike out a price: "old-price". */
const struckClass =
  /(?:^|\s)(?:old|was|strike(?:d|out|through)?|struck|line-through|(?:old|was|former|previous|regular|crossed)[-_]?price|price[-_]{1,2}(?:old|was|before|strike))(?:\s|$)/i
const isHidden = ({ class: names = "", hidden, style = "" }: Readonly<Record<string, string>>) =>
  struckClass.test(names) || hidden !== undefined || /line-through|display\s*:\s*none/i.test(style)

/** Deepest nesting that is read, because the parser's time grows with the square of the depth. */
export const maxDepth = 500

/** What a page states for machines. Texts are empty where the page has none. */
export interface PageData {
  readonly title: string
  /** Open Graph's `og:site_name`. */
  readonly siteName: string
  /** The page's own address: its canonical link, else Open Graph's `og:url`. */
  readonly address: string
  /** The description for search engines, else Open Graph's. */
  readonly description: string
  readonly organizations: ReadonlyArray<Organization>
}

export interface HtmlPage {
  /** In Markdown, its title first. */
  readonly text: string
  readonly data: PageData
}

/** Reads a page as far as `maxTextLength` characters of its text. */
export const fromHtml = (html: string, maxTextLength: number): HtmlPage => {
  const parts: Array<string> = []
  const meta = { title: "", site: "", description: "", address: "" }
  const organizations: Array<Organization> = []
  let size = 0
  let depth = 0
  let hiddenDepth = 0
  /** Open quotations, which quote other people. */
  let quoteDepth = 0
  let openElement = ""
  /** The cells of a row that name columns, and whether it has others. */
  let headerCellCount = 0
  let hasCells = false
  let link: { readonly target: string; text: string } | undefined
  /** Whether an element has ended and no text has come since: what begins now stands beside it, not in its last word. */
  let hasEnded = false
  /** The last text; and whether an element with words of its own begins right behind it, as cards and chips do. */
  let lastText = ""
  let isBeside = false
  let svgDepth = 0
  const append = (text: string) => {
    hasEnded = false
    if (size < maxTextLength) parts.push(text)
    size += text.length
  }
  const parser = new Parser({
    onopentag(name, attributes) {
      if (++depth > maxDepth) parser.pause()
      if (name === "svg") svgDepth++
      openElement = name === "script" && attributes["type"] === "application/ld+json" ? "data" : name
      const isNotice =
        name !== "html" && name !== "body" && consentNotice.test(`${attributes["id"]} ${attributes["class"]}`)
      if (hiddenDepth > 0 || hiddenElements.has(name) || isNotice || isHidden(attributes)) {
        // What is struck out leaves its cell empty.
        if (hiddenDepth === 0 && name === "td") append(" | ")
        hiddenDepth++
        return
      }
      isBeside = hasEnded && inlineElements.has(name)
      if (isBeside) append(" ")
      if (name === "meta") {
        const { content = "", name = "", property = "" } = attributes
        if (name === "description" || (property === "og:description" && meta.description === ""))
          meta.description = content
        if (property === "og:site_name") meta.site = content
        if (property === "og:url") meta.address ||= content
      } else if (name === "link" && attributes["rel"] === "canonical") meta.address = attributes["href"] ?? ""
      // The footer of a quotation names the one who is quoted.
      else if (name === "footer" && quoteDepth === 0) append("\n\n## Contact\n\n")
      else if (/^h[1-6]$/.test(name)) append(`\n\n${"#".repeat(Number(name.slice(1)))} `)
      else if (name === "li" || name === "dt") append("\n- ")
      // A term and what is said of it.
      else if (name === "dd") append(": ")
      else if (name === "td" || name === "th") {
        append(" | ")
        if (name === "th") headerCellCount++
        else hasCells = true
      } else if (blockElements.has(name)) {
        if (name === "blockquote") quoteDepth++
        append(name === "br" || name === "tr" ? "\n" : quoteDepth > 0 ? "\n\n> " : "\n\n")
      } else if (name === "a") {
        const [, scheme, target = ""] = /^(mailto|tel):([^?]{3,200})/i.exec(attributes["href"] ?? "") ?? []
        if (scheme !== undefined) link = { target: scheme === "tel" ? `Tel. ${target}` : target, text: "" }
      }
    },
    ontext(text) {
      if (openElement === "data") organizations.push(...parseOrganizations(text))
      // A title of a drawing repeats the text beside it.
      if (openElement === "title") meta.title += svgDepth === 0 ? text : ""
      else if (hiddenDepth === 0) {
        const isPhrase = (each: string) => /^\s*\p{Lu}.*\p{L} \p{L}/u.test(each)
        if (isBeside && isPhrase(lastText) && isPhrase(text)) append("· ")
        isBeside = false
        lastText = text
        append(text.replace(/\s+/g, " "))
        if (link !== undefined) link.text += text
      }
    },
    onclosetag(name) {
      depth--
      if (name === "svg") svgDepth--
      openElement = ""
      hasEnded = true
      if (name === "blockquote" && hiddenDepth === 0 && quoteDepth > 0) quoteDepth--
      if (hiddenDepth > 0) hiddenDepth--
      else if (name === "a" && link !== undefined) {
        // A link's text may well be the address or the number itself, or hide most of it.
        if (!/@|\d{3}|(?:^|[\d.\s-])(?:x{2}|\*{2})/i.test(link.text)) append(` ${link.target} `)
        link = undefined
      } else if (name === "tr") {
        // The rule of Markdown under the names of the columns.
        if (headerCellCount > 1 && !hasCells) append("\n|---|---|")
        headerCellCount = 0
        hasCells = false
      } else if (/^h[1-6]$/.test(name) || (blockElements.has(name) && name !== "br")) append("\n\n")
    }
  })
  parser.end(html)
  const text = parts
    .join("")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "-" && line !== "|" && !/^[>\s]+$/.test(line) && !/^#+$/.test(line))
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
  const collapseSpaces = (text: string) => text.replace(/\s+/g, " ").trim()
  const data = {
    title: collapseSpaces(meta.title),
    siteName: collapseSpaces(meta.site),
    address: meta.address.trim(),
    description: collapseSpaces(meta.description),
    organizations
  }
  // A description that breaks off is no sentence, and one with a colon no label.
  const descriptionText = data.description.includes(":") ? "" : data.description.replace(/(?:\.{2,}|…)$/, "")
  return {
    text: [data.title === "" ? "" : `# ${data.title}`, descriptionText, text]
      .filter((part) => part !== "")
      .join("\n\n"),
    data
  }
}
