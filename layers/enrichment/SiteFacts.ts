// layers/enrichment/SiteFacts.ts: extracts the sentences of a company's site that state facts about the company, word
// for word, each with its page.
import { siteNames, subjectNames } from "#layers/enrichment/SiteNames.ts"
import { type PageText, pageText } from "#layers/enrichment/PageText.ts"
import { type StatementKind, classifyStatement } from "#layers/text/CompanyStatements.ts"
import { trigramSimilarity, trigramBits } from "#layers/text/TrigramSimilarity.ts"
import { splitSentences } from "#layers/text/Sentences.ts"
import { looksEnglish, wordTokens } from "#layers/text/Words.ts"

export interface SitePage {
  readonly url: string
  readonly html: boolean
  readonly text: string
}

/** The pages of a site, home page first; `now` is in epoch milliseconds. */
export interface CompanyQuestion {
  readonly kind: "company"
  readonly pages: ReadonlyArray<SitePage>
  readonly now: number
}

interface Sentence {
  readonly statement: string
  readonly source_url: string
}

/** The facts that a site states about its company. */
export interface CompanySite {
  /** The names that the site gives its company. */
  readonly names: ReadonlyArray<string>
  readonly facts: ReadonlyArray<Sentence>
}

export type CompanyReply = { readonly company: CompanySite } | { readonly unreadable: string }

const maxFacts = 8
/** Sentences read per page. */
const maxSentences = 2000
const noFacts: CompanySite = { names: [], facts: [] }

/** Older news is ignored: 18 months. */
const freshMillis = 548 * 24 * 60 * 60 * 1000

const errorPagePattern =
  /\b(?:domain (?:name )?(?:is|may be) for sale|is for sale|buy this domain|domain (?:has )?expired|parked (?:free|domain|page)|domain parking|coming soon|under construction|launching soon|website is being|opening soon|maintenance mode|(?:down|closed) for maintenance|temporarily unavailable|account (?:has been )?suspended|site not found|page (?:was |could )?not (?:be )?found|404 not found|access denied|forbidden|just a moment|checking your browser|enable javascript and cookies|index of \/|apache2? .{0,20}default page|welcome to nginx|future home of)\b/i
const errorTitle =
  /^(?:4\d\d|5\d\d|error|not found|page not found|forbidden|log ?in|sign ?in|anmelden|coming soon|under construction)\b|\b(?:not found|404)\b/i
/** Characters; longer pages count as real even if they contain such words. */
const shortPageLength = 1500

/** Placeholder text of a site template. */
const unfinishedSitePattern =
  /\blorem ipsum\b|\badd your own text\b|\bthis is a paragraph\b|\byour company name\b|\bcompany name has\b|\bmaking websites with bootstrap\b|\bsample page\b|\bhello world\b/i

/** Text that addresses a language model; such pages are ignored. */
const promptInjection =
  /\b(?:ignore|disregard|forget|override)\b[^.]{0,40}\b(?:instructions?|prompts?|rules|previous|above)\b|\b(?:as an ai\b|if you are an? (?:ai|llm|language model|assistant|bot)|(?:note|message|instructions?|attention|dear)\W{1,3}(?:to|for)?\W{0,2}(?:all )?(?:ai|llms?|language models?|chatbots?|chatgpt|bots)\b|system prompt|ai (?:assistants?|agents?|models?) (?:must|should|reading)|you are (?:chatgpt|an ai|a language model))/i

const isContentPage = ({ asksForPassword, blocks, title }: PageText): boolean => {
  const text = `${title}\n${blocks.map((block) => `${block.headings.join("\n")}\n${block.text}`).join("\n")}`
  if (errorTitle.test(title) || promptInjection.test(text) || unfinishedSitePattern.test(text)) return false
  return text.length > shortPageLength || !(errorPagePattern.test(text) || asksForPassword)
}

const isEnglish = ({ blocks, descriptions }: PageText): boolean => {
  const longTexts = [...descriptions, ...blocks.map(({ text }) => text)].filter((text) => wordTokens(text).length > 3)
  const size = (texts: ReadonlyArray<string>) => texts.reduce((sum, text) => sum + text.length, 0)
  return size(longTexts.filter(looksEnglish)) * 2 > size(longTexts)
}

type Section = "home" | "about" | "news" | "other"

/** Headings of sections by or about other companies, for example testimonials. */
const otherHeading =
  /\b(?:say(?:s|ing)? about|what .{0,30} say|testimonials?|reviews?|feedback|careers?|jobs?|vacanc\w+|join (?:us|our)|work (?:with|for) us|we['’]re hiring|privacy|cookies?|terms|legal|imprint|disclaimer|case stud\w+|portfolio|(?:our|selected|recent|featured) (?:work|projects?|clients|customers|partners)|success stor\w+|related|comments?|faqs?|franchis\w+)\b/i
const newsHeading = /\b(?:news|press|updates?|announcements?|latest|blog)\b/i
const newsPath = /\b(?:news|press|updates?|announcements?|blog|articles?|posts?)\b/i
const otherPath =
  /\b(?:careers?|jobs?|vacanc\w+|privacy|cookies?|terms|legal|imprint|case|cases|case-stud\w+|portfolio|work|projects|clients|customers|testimonials?|reviews?|partners|franchis\w+|login|signin|cart|basket)\b/i

const pathOf = (url: string) => new URL(url).pathname.toLowerCase().replaceAll(/[_/.]/g, " ")

const classifySection = (url: string, { title }: PageText, isHome: boolean): Section | undefined => {
  if (isHome) return "home"
  const path = pathOf(url)
  if (otherPath.test(path)) return undefined
  if (newsPath.test(path)) return "news"
  return /\b(?:about|company|story|who|history|profile)\b/i.test(`${path} ${title}`) ? "about" : "other"
}

/** An attribution, for example "Ana Ruiz, Ruiz Wholesale" or "— Gregor Ash": the paragraph before it is a quotation. */
const isAttribution = (text: string): boolean =>
  wordTokens(text).length <= 12 && !/[.!?:]$/.test(text) && /^[-–—~]|^\p{Lu}[^,]{2,40}, \p{Lu}/u.test(text)

interface FoundFact extends Sentence {
  readonly kind: StatementKind
  readonly section: Section
}

interface SectionPage {
  readonly url: string
  readonly text: PageText
  readonly section: Section
}

const factsOnPage = (
  { section, text, url }: SectionPage,
  subjects: ReadonlyArray<string>,
  now: number
): ReadonlyArray<FoundFact> => {
  const descriptionSentences =
    section === "news"
      ? []
      : text.descriptions.flatMap((description) =>
          splitSentences(description).map((statement) => ({ statement, isFirst: false, isNews: false }))
        )
  const sentences = text.blocks.flatMap(({ headings, published, text: block }, index) => {
    const next = text.blocks[index + 1]
    const isQuotation = next !== undefined && next.headings.join() === headings.join() && isAttribution(next.text)
    if (isQuotation || headings.some((heading) => otherHeading.test(heading))) return []
    const isNews = section === "news" || headings.some((heading) => newsHeading.test(heading))
    const isFresh = published !== undefined && published <= now && now - published < freshMillis
    if (isNews && !isFresh) return []
    return splitSentences(block).map((statement, index) => ({ statement, isFirst: index === 0, isNews }))
  })
  return [...sentences, ...descriptionSentences].slice(0, maxSentences).flatMap(({ isFirst, isNews, statement }) => {
    const kind = classifyStatement(statement, { subjects, isIntroduced: isFirst && section === "about" })
    // News articles often describe other companies, so only the company's own events are taken from them.
    if (kind === undefined || (isNews && kind !== "event")) return []
    return [{ statement, source_url: url, kind, section: isNews ? ("news" as const) : section }]
  })
}

const kindScores: Readonly<Record<StatementKind, number>> = { is: 10, does: 8, event: 7, size: 7, place: 4 }

/** Ranks facts: customers, size and recent events come first. */
const scoreFact = ({ kind, section, statement }: FoundFact): number =>
  kindScores[kind] +
  (/\b(?:for|to) (?!\w+ing\b)/.test(statement) ? 2 : 0) +
  (/\d/.test(statement) ? 1 : 0) +
  (section === "news" ? 3 : section === "other" ? 0 : 1)

/** The highest-ranked facts, without near-duplicates. */
const selectFacts = (candidates: ReadonlyArray<FoundFact>): ReadonlyArray<Sentence> => {
  const selectedFacts: Array<{ readonly sentence: Sentence; readonly grams: ReturnType<typeof trigramBits> }> = []
  for (const { source_url, statement } of candidates.toSorted((a, b) => scoreFact(b) - scoreFact(a))) {
    const grams = trigramBits(wordTokens(statement.toLowerCase()))
    if (selectedFacts.length < maxFacts && selectedFacts.every((other) => trigramSimilarity(other.grams, grams) < 0.5))
      selectedFacts.push({ sentence: { statement, source_url }, grams })
  }
  return selectedFacts.map(({ sentence }) => sentence)
}

const textOnlyPage = (text: string): PageText => ({
  title: "",
  names: [],
  descriptions: [],
  asksForPassword: false,
  blocks: text
    .split(/\n\s*\n/)
    .map((block) => ({ text: block.replace(/\s+/g, " ").trim(), headings: [], published: undefined }))
})

/** The facts of a site; `pages` starts with the home page. Empty if the home page is an error page or not English. */
export const extractSiteFacts = (pages: ReadonlyArray<SitePage>, now: number): CompanySite => {
  const sectionPages = pages.flatMap(({ html, text, url }, index): ReadonlyArray<SectionPage> => {
    const page = html ? pageText(text) : textOnlyPage(text)
    const section = classifySection(url, page, index === 0)
    return section === undefined || !isContentPage(page) || !isEnglish(page) ? [] : [{ url, text: page, section }]
  })
  const [home] = sectionPages
  if (home?.section !== "home") return noFacts
  const names = siteNames(home.text)
  const subjects = subjectNames(names, new URL(home.url).hostname)
  return { names, facts: selectFacts(sectionPages.flatMap((page) => factsOnPage(page, subjects, now))) }
}

/** Runs in a worker thread, like reading a document. */
export const answerCompanyQuestion = ({ now, pages }: CompanyQuestion): CompanyReply => {
  try {
    return { company: extractSiteFacts(pages, now) }
  } catch {
    return { unreadable: "The site is damaged and cannot be read" }
  }
}
