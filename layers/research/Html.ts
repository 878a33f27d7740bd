// layers/research/Html.ts: a page as a reader sees it, in Markdown, and the pages it leads to.
import { Parser } from "htmlparser2"

const hidden = new Set([
  "script",
  "style",
  "noscript",
  "template",
  "svg",
  "iframe",
  "object",
  "select",
  "textarea",
  "button"
])
const breaks = new Set(
  "p div section article header footer main aside nav ul ol table tr form address blockquote figure dl dt dd pre br hr".split(
    " "
  )
)

/** What it says, with its title first. */
export const fromHtml = (html: string, mostText: number): string => {
  const out: Array<string> = []
  let size = 0
  let skip = 0
  let title = ""
  let inTitle = false
  const put = (text: string) => {
    if (size < mostText) out.push(text)
    size += text.length
  }
  const parser = new Parser({
    onopentag(name, attributes) {
      if (hidden.has(name)) skip++
      else if (skip > 0) return
      else if (name === "title") inTitle = title === ""
      else if (/^h[1-6]$/.test(name)) put(`\n\n${"#".repeat(Number(name.slice(1)))} `)
      else if (name === "li") put("\n- ")
      else if (name === "td" || name === "th") put(" | ")
      else if (breaks.has(name)) put(name === "br" || name === "tr" ? "\n" : "\n\n")
      else if (name === "a") {
        const [, scheme, target = ""] = /^(mailto|tel):([^?]{3,200})/i.exec(attributes["href"] ?? "") ?? []
        if (scheme !== undefined) put(` ${scheme.toLowerCase() === "tel" ? "Tel. " : ""}${target} `)
      }
    },
    ontext(text) {
      if (inTitle) title += text
      else if (skip === 0) put(text.replace(/\s+/g, " "))
    },
    onclosetag(name) {
      if (hidden.has(name)) skip = Math.max(0, skip - 1)
      else if (name === "title") inTitle = false
      else if (/^h[1-6]$/.test(name) || (breaks.has(name) && name !== "br" && name !== "tr")) put("\n\n")
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
  const name = title.replace(/\s+/g, " ").trim()
  return name === "" ? text : `# ${name}\n\n${text}`
}

const telling =
  /\b(?:about|company|who[- ]we|team|story|products?|services?|solutions?|offer|pricing|prices|plans|customers?|clients?|case|success|work|references|contact)\b/i

/** Up to `most` pages of the same site that tell of the company, in the order of the page. */
export const linksIn = (html: string, base: string, most: number): ReadonlyArray<string> => {
  const home = new URL(base)
  const site = home.hostname.replace(/^www\./, "")
  const found = new Set<string>()
  let open: { readonly href: string; text: string } | undefined
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name === "a" && attributes["href"] !== undefined) open = { href: attributes["href"], text: "" }
    },
    ontext(text) {
      if (open !== undefined && open.text.length < 200) open.text += text
    },
    onclosetag(name) {
      if (name !== "a" || open === undefined) return
      const url = URL.parse(open.href, base)
      const { text } = open
      open = undefined
      if (
        url === null ||
        !/^https?:$/.test(url.protocol) ||
        url.hostname.replace(/^www\./, "") !== site ||
        url.port !== home.port
      )
        return
      url.hash = ""
      if (url.pathname === home.pathname && url.search === home.search) return
      if (found.size < most && telling.test(`${url.pathname.replaceAll(/[_/.]/g, " ")} ${text}`)) found.add(url.href)
    }
  })
  parser.end(html)
  return [...found]
}
