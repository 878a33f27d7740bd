// layers/research/extract/Description.ts: what a company says it does, and what trade it is in.
import { String } from "effect"
import type { Block } from "#layers/research/extract/Blocks.ts"
import { does, shortName } from "#layers/research/extract/Company.ts"
import { labelled } from "#layers/research/extract/Labels.ts"
import type { Said } from "#layers/research/extract/Said.ts"

const kind =
  /\b(?:(?:is|are|as)\s+(?:an?|the)|is(?=\s(?:[\p{L}&-]+\s){1,3}software\b))\s+(?:(?:small|leading|independent|family[- ]\p{L}+|boutique|young|specialist|award-winning|full-service|\d+-(?:person|people|strong)|local|regional|modern|\p{Lu}[\p{L}]+-based)[, ]+)*((?:[\p{L}&-]+\s+){0,4}?(?:company|firm|studio|agency|manufacturer|maker|consultancy|practice|clinic|bakery|brewery|distributor|supplier|platform|software|provider|contractor|laboratory|lab|workshop|foundry|wholesaler|school|service|vendor|integrator|builder|broker))\b/iu

/** What trade it is in, where it says so outright. */
export const industryIn = (sentences: ReadonlyArray<Said>, company: string | undefined): string | undefined => {
  for (const { block, text } of sentences.slice(0, 60)) {
    if (block.topic === "cases" || block.topic === "competitors" || block.topic === "clients") continue
    if (!/^(?:We|I)\b/.test(text) && (company === undefined || !text.includes(shortName(company)))) continue
    const found = kind.exec(text)?.[1]?.trim()
    if (found === undefined || /^(?:company|firm|service|provider|platform|software|supplier|vendor)$/i.test(found))
      continue
    return String.capitalize(found)
  }
  return undefined
}

const acts =
  /^(?:We|Our (?:team|company|software|platform|product)|I)\s+(?!(?:sell to|serve|work (?:with|for)|guarantee|refund|are here|look forward|use cookies)|are [^.]*\b(?:certified|accredited)\b)[\p{L}']+/u

/** "Acme — software for bakers". */
const tagline = (all: ReadonlyArray<Block>, name: string | undefined) =>
  all.find(
    ({ text }) =>
      name !== undefined &&
      text.length < 200 &&
      new RegExp(`^${RegExp.escape(name)} [–—-] \\p{L}+ \\p{L}+`, "u").test(text)
  )?.text

/** By its whole name, or begun with the first word of it. */
const names = (text: string, name: string) => text.includes(name) || text.startsWith(`${name.split(" ")[0]} `)

/** The first sentences in which the company says what it does, best where it speaks of itself. */
export const descriptionIn = (
  all: ReadonlyArray<Block>,
  sentences: ReadonlyArray<Said>,
  company: string | undefined
): string | undefined => {
  const name = company === undefined ? undefined : shortName(company)
  const own = sentences.filter(
    ({ block, text }) =>
      block.kind === "paragraph" &&
      (block.topic === undefined || block.topic === "about" || block.topic === "objections") &&
      text.length > 25 &&
      text.length < 500 &&
      /[.!]$/.test(text) &&
      labelled(text) === undefined &&
      !/@|\+\d|\bcookies?\b/i.test(text.replace(/\([^)]{0,300}\)/g, ""))
  )
  const speaks = ({ text }: Said) =>
    acts.test(text) ||
    (name !== undefined && !/^["“]/.test(text) && names(text, name) && (does.test(text) || /\s[a-z]+s?\s/.test(text)))
  const about = own.findIndex((each) => each.block.topic === "about" && speaks(each))
  const first = about === -1 ? own.findIndex(speaks) : about
  const start = own[first]
  if (start === undefined) return tagline(all, name)
  return own
    .slice(first, first + 3)
    .filter((sentence) => sentence.at === start.at)
    .map(({ text }) => text.replace(/\s*\((?:https?:\/\/|www\.)[^)]*\)/g, "").trim())
    .join(" ")
}
