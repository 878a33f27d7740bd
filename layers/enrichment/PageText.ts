// layers/enrichment/PageText.ts: extracts the visible text of a web page in blocks, and its metadata.
import { Option, Predicate, Schema } from "effect"
import { Parser } from "htmlparser2"
import { maxDepth } from "#layers/research/read/Html.ts"

export interface Block {
  readonly text: string
  /** The headings above the block, nearest last. */
  readonly headings: ReadonlyArray<string>
  /** When the block's article was published, in epoch milliseconds. */
  readonly published: number | undefined
}

export interface PageText {
  readonly title: string
  /** The site's name in its metadata. */
  readonly names: ReadonlyArray<string>
  readonly descriptions: ReadonlyArray<string>
  readonly blocks: ReadonlyArray<Block>
  readonly asksForPassword: boolean
}

/** Names taken from a page's metadata. */
const maxNames = 8
/** Characters read of a page. */
const maxText = 300_000

const setOf = (list: string) => new Set(list.split(" "))

const skippedElements = setOf(
  "script style noscript template svg iframe object select textarea button nav dialog form aside blockquote q cite label menu video audio canvas figcaption pre code del s"
)
const inlineElements = setOf(
  "a b strong i em span font u small abbr mark sup sub bdi wbr img time ins data var tt big center"
)
/** Elements whose classes apply to the whole page. */
const rootElements = setOf("html body main article")

/** Parts that are not about the company: quotations, notices, advertisements, client work. */
const boilerplateParts =
  /(?:^|[\s_-])(?:testimonials?|reviews?|quotes?|feedback|ratings?|cookies?|consent|gdpr|privacy|legal|disclaimer|pop-?up|modal|newsletter|subscribe|careers?|jobs?|vacanc(?:y|ies)|related|sidebar|share|breadcrumbs?|menu|nav|navigation|comments?|respond|case-?stud(?:y|ies)|portfolio|projects?|work|partners?|clients?|customers?|announcement-bar|promo|advert|ads?|sponsors?)(?:$|[\s_-])/i
const hiddenClass = /(?:^|\s)(?:sr-only|visually-hidden|screen-reader-text|d-none|hide|offscreen|hidden)(?:\s|$)/i
const hiddenStyle =
  /display:\s*none|visibility:\s*hidden|font-size:\s*[01](?:px|pt|em|rem|%)?\s*(?:;|!|$)|opacity:\s*0(?:\.0\d*)?\s*(?:;|!|$)|(?:^|[;\s])color:\s*(?:#fff(?:fff)?\b|white|transparent)|(?:text-indent|left|top):\s*-\d{3,}|(?:height|width):\s*[01](?:px)?\s*(?:;|!|$)|clip(?:-path)?:/i

const isHidden = (attributes: Readonly<Record<string, string>>): boolean => {
  const names = attributes["class"] ?? ""
  return (
    "hidden" in attributes ||
    attributes["aria-hidden"] === "true" ||
    hiddenStyle.test(attributes["style"] ?? "") ||
    (hiddenClass.test(names) && !/\b(?:sm|md|lg|xl):(?:block|flex|inline|grid)/.test(names))
  )
}

const optionalText = Schema.optionalKey(Schema.String)
const Node = Schema.Struct({
  "@type": Schema.Union([Schema.String, Schema.Array(Schema.String)]),
  name: optionalText,
  legalName: optionalText,
  description: optionalText,
  datePublished: optionalText
})
const parseJson = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))
const decodeNode = Schema.decodeUnknownOption(Node)

const jsonLdNodes = (json: string): ReadonlyArray<typeof Node.Type> =>
  [Option.getOrUndefined(parseJson(json))]
    .flat()
    .flatMap((node) => (Predicate.hasProperty(node, "@graph") ? node["@graph"] : node))
    .flatMap((node) => Option.toArray(decodeNode(node)))

const isOrganization = ({ "@type": type }: typeof Node.Type) =>
  !/Person|Product|Event|Posting|Article|Review|Page|List|Image|Video|Action|Question|Offer|Rating|WebSite|Blog|Recipe|Course|Book|Place$/.test(
    String(type)
  )

const monthName = "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\.?"
const writtenDate = new RegExp(
  `^\\D{0,20}?(\\d{4}-\\d{2}-\\d{2}|\\d{1,2}(?:st|nd|rd|th)? ${monthName},? \\d{4}|${monthName} \\d{1,2}(?:st|nd|rd|th)?,? \\d{4})\\b`,
  "i"
)

/** The date at the start of a text. Dates in digits only are ignored, because day and month may be swapped. */
const dateIn = (text: string): number | undefined => {
  const [, dateText] = writtenDate.exec(text.trim()) ?? []
  const millis = dateText === undefined ? Number.NaN : Date.parse(dateText.replace(/(\d)(?:st|nd|rd|th)\b/i, "$1"))
  return Number.isNaN(millis) ? undefined : millis
}

const normalizeBlanks = (part: string) => part.replace(/\s+/g, " ").trim()

/** The lines of a paragraph; a line that continues on the next is joined with it. */
const splitParagraphs = (lines: string): ReadonlyArray<string> =>
  lines
    .split(/\n\s*\n\s*|\n(?= ?[\p{Lu}\d])|(?<=[.!?:] ?)\n/u)
    .map(normalizeBlanks)
    .filter((line) => line !== "")

/** Collects the text of one page from parser events. */
class PageReader {
  readonly blocks: Array<Block> = []
  readonly names: Array<string> = []
  readonly descriptions: Array<string> = []
  title = ""
  asksForPassword = false
  private readonly headings: Array<{ readonly level: number; readonly text: string }> = []
  private pageDate: number | undefined
  private date: number | undefined
  private hasBlocks = false
  private lines = ""
  private linkedLength = 0
  private size = 0

  add(part: string, inLink: boolean) {
    this.size += part.length
    if (this.size > maxText) return
    this.lines += part.replace(/\s+/g, " ")
    if (inLink) this.linkedLength += part.trim().length
  }

  breakLine() {
    this.lines += "\n"
  }

  beginWithDate(value: string) {
    const millis = Date.parse(value)
    if (!Number.isNaN(millis)) this.begin(millis)
  }

  /** Starts an article, with its date if known. */
  begin(date?: number) {
    this.date = date
    this.hasBlocks = false
  }

  addMetadata({ content = "", name = "", property = "" }: Readonly<Record<string, string>>) {
    if (/^(?:og:)?description$/i.test(name) || property === "og:description")
      this.descriptions.push(normalizeBlanks(content))
    if (property === "og:site_name" || name === "application-name") this.names.push(normalizeBlanks(content))
    if (property === "article:published_time") this.pageDate = Date.parse(content) || undefined
  }

  addJsonLd(json: string) {
    for (const node of jsonLdNodes(json)) {
      if (node.datePublished !== undefined) this.pageDate ??= Date.parse(node.datePublished) || undefined
      if (/WebSite/.test(String(node["@type"])) && node.name !== undefined) this.names.push(normalizeBlanks(node.name))
      if (!isOrganization(node)) continue
      for (const name of [node.name, node.legalName]) if (name !== undefined) this.names.push(normalizeBlanks(name))
      if (node.description !== undefined) this.descriptions.push(normalizeBlanks(node.description))
    }
  }

  endHeading(level: number) {
    const words = normalizeBlanks(this.lines)
    this.lines = ""
    this.linkedLength = 0
    if (words === "") return
    while ((this.headings.at(-1)?.level ?? 0) >= level) this.headings.pop()
    this.headings.push({ level, text: words })
    if (this.hasBlocks) this.begin()
  }

  /** Ends a paragraph. Drops text that consists mostly of links. */
  flush() {
    const isLinks = this.linkedLength > normalizeBlanks(this.lines).length * 0.6
    const paragraphs = splitParagraphs(this.lines)
    this.lines = ""
    this.linkedLength = 0
    for (const block of paragraphs) {
      const date = block.length < 60 ? dateIn(block) : undefined
      if (date !== undefined) this.begin(date)
      else if (!isLinks) {
        this.hasBlocks = true
        this.blocks.push({
          text: block,
          headings: this.headings.map((heading) => heading.text),
          published: this.date ?? this.pageDate
        })
      }
    }
  }

  /** Clears the headings, which do not apply to a footer. */
  beginFooter() {
    this.headings.length = 0
    this.begin()
  }
}

/** The text of a page without menus, forms, quotations, notices and hidden text. */
export const pageText = (html: string): PageText => {
  const reader = new PageReader()
  const stack: Array<{ readonly skip: boolean; readonly link: boolean }> = []
  let currentElement = ""
  const parser = new Parser({
    onopentag(name, attributes) {
      const parent = stack.at(-1)
      const isBoilerplate =
        !rootElements.has(name) && boilerplateParts.test(`${attributes["id"] ?? ""} ${attributes["class"] ?? ""}`)
      const skip = parent?.skip === true || skippedElements.has(name) || isBoilerplate || isHidden(attributes)
      if (stack.push({ skip, link: parent?.link === true || name === "a" }) > maxDepth) parser.pause()
      currentElement = name === "script" && attributes["type"] === "application/ld+json" ? "data" : name
      if (name === "meta") reader.addMetadata(attributes)
      else if (name === "input" && attributes["type"] === "password") reader.asksForPassword = true
      else if (name === "time" && attributes["datetime"] !== undefined) reader.beginWithDate(attributes["datetime"])
      if (name === "br") reader.breakLine()
      else if (!inlineElements.has(name)) reader.flush()
      if (name === "article") reader.begin()
      else if (name === "footer") reader.beginFooter()
    },
    ontext(part) {
      const current = stack.at(-1)
      if (currentElement === "data") reader.addJsonLd(part)
      else if (currentElement === "title" && reader.title.length < 1000) reader.title += part
      else if (current?.skip !== true) reader.add(part, current?.link === true)
    },
    onclosetag(name) {
      stack.pop()
      currentElement = ""
      if (/^h[1-6]$/.test(name)) reader.endHeading(Number(name.slice(1)))
      else if (name !== "br" && !inlineElements.has(name)) reader.flush()
    }
  })
  parser.end(html)
  reader.flush()
  const { asksForPassword, blocks, descriptions, names, title } = reader
  return {
    title: normalizeBlanks(title.slice(0, 1000)),
    names: names.slice(0, maxNames),
    descriptions,
    blocks,
    asksForPassword
  }
}
