// layers/answerer/Passages.ts: a campaign's texts, cut into passages that can be quoted and cited.
import type { Citation } from "#schema/Agent.ts"
import type { KnowledgeFile } from "#layers/answerer/Answer.ts"
import { own, sections } from "#layers/answerer/Vocabulary.ts"
import { cut } from "#layers/text/Cut.ts"
import { sentences, words } from "#layers/text/Words.ts"

export interface Line {
  /** What a labelled point is about: "Phone". */
  readonly label: string
  /** As it is quoted. */
  readonly text: string
  /** A point of a list, not a sentence of a paragraph. */
  readonly point: boolean
  /** The heading under which the profile has it, or else its passage. */
  readonly origin: string
  /** The profile says the same; a document that says otherwise is older, or was edited. */
  readonly isCurrent: boolean
  /** `@name` of each section that it belongs to. */
  readonly sections: ReadonlyArray<string>
}

/** A section of a text. */
export interface Passage {
  readonly id: number
  readonly file: KnowledgeFile
  readonly heading: string
  /** In Markdown, without the heading. */
  readonly text: string
  readonly lines: ReadonlyArray<Line>
}

/** Enough for the longest profile that people write; the rest is not read. */
const mostLines = 6000
const longestLine = 800
const longestPassage = 6000

/** Texts that say the same have the same key, whatever their punctuation and case. */
export const key = (text: string) => words(text.toLowerCase()).join(" ")

/** Removes invisible characters, and those that change the direction of text. */
const visible = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}]/gu, (char) => (char === "\n" || char === "\t" ? char : ""))

const plain = (text: string): string => text.replace(/\*\*|__|`/g, "").trim()

/** Options repeat their names in their descriptions, so a long name in bold is left out, and so is "Case study 1". */
const labelled = (line: string): Pick<Line, "label" | "text"> => {
  const named = /^\*\*([^*]+?):?\*\*:?\s*(.+)$/.exec(line)
  if (named === null) return { label: "", text: plain(line) }
  const [, label = "", rest = ""] = named
  return label.split(" ").length > 4 || /^[^,]+ \d$/.test(label)
    ? { label: "", text: plain(rest) }
    : { label, text: `${label}: ${plain(rest)}` }
}

const sectionsOf = (
  { heading, isOwn, origin }: { readonly heading: string; readonly isOwn: boolean; readonly origin: string },
  label: string,
  text: string
): ReadonlyArray<string> =>
  sections.flatMap(({ holds, name, place }) => {
    const at = [heading, origin, ...(label === "" ? [] : [`${heading} / ${label}`])]
    return at.some((each) => place.test(each)) || ((isOwn || own.test(origin)) && holds?.test(text)) ? [name] : []
  })

type Origins = ReadonlyMap<string, string>

/** Where a line stands. */
interface Place {
  readonly heading: string
  readonly origins: Origins
  /** Whether the text is the business's own, whatever its heading. */
  readonly isOwn: boolean
}

const lineOf = (
  { heading, isOwn, origins }: Place,
  { label, text }: Pick<Line, "label" | "text">,
  point: boolean
): Line => {
  const quoted = cut(text, longestLine)
  const known = origins.get(key(quoted)) ?? origins.get(key(quoted.slice(label.length)))
  const origin = origins.get(key(quoted)) ?? heading
  return {
    label,
    text: quoted,
    point,
    origin,
    isCurrent: known !== undefined,
    sections: sectionsOf({ heading, isOwn, origin }, label, quoted)
  }
}

/** A statement of a model's document without the note of its sources; what is only inferred stays marked. */
const withoutNote = (line: string): string =>
  line.replace(/ \*(?:Source|Asked because of): [^*]*\*$/, "").replace(/ \*Inferred from: [^*]*\*$/, " (inferred)")

const linesOf = (place: Place, block: ReadonlyArray<string>): ReadonlyArray<Line> =>
  block.flatMap((raw) => {
    const line = withoutNote(raw.replace(/\s+/g, " ").trim())
    const listed = /^(?:[-*+•]|\d{1,2}[.)]) (.+)$/.exec(line)
    if (!/[\p{L}\p{N}]/u.test(line)) return []
    if (listed) return [lineOf(place, labelled(listed[1] ?? ""), true)]
    return sentences(plain(line)).map((text) => lineOf(place, { label: "", text }, false))
  })

const blocksOf = ({ content, filename }: KnowledgeFile) => {
  const blocks = [{ heading: filename.replace(/\.md$/, ""), block: new Array<string>() }]
  for (const raw of visible(content).split(/\r?\n/)) {
    const headed = /^\s*#{1,6} (.+)$/.exec(raw)
    if (headed === null) blocks.at(-1)?.block.push(raw)
    else blocks.push({ heading: plain(headed[1] ?? ""), block: [] })
  }
  return blocks
}

/** Under which heading the profile has each line: documents that repeat the line have headings of their own. */
const originsOf = (files: ReadonlyArray<KnowledgeFile>): Origins =>
  new Map(
    files.flatMap((file) =>
      file.source === "profile"
        ? blocksOf(file).flatMap(({ block, heading }) =>
            linesOf({ heading, isOwn: false, origins: new Map() }, block).map(
              ({ text }) => [key(text), heading] as const
            )
          )
        : []
    )
  )

/** Sections that say the same are one passage: the first of them is cited. */
export const passagesOf = (files: ReadonlyArray<KnowledgeFile>): ReadonlyArray<Passage> => {
  const passages: Array<Passage> = []
  const origins = originsOf(files)
  const seen = new Set<string>()
  let count = 0
  for (const file of files)
    for (const { block, heading } of blocksOf(file)) {
      const text = block.join("\n").trim()
      const same = `${heading} ${key(text)}`
      if (key(text) === "" || seen.has(same) || count >= mostLines) continue
      seen.add(same)
      const isImport = file.source === "imported"
      const all = linesOf({ heading, isOwn: isImport, origins }, block)
      // What the profile says as well is cited from there.
      const lines = isImport ? all.filter(({ isCurrent }) => !isCurrent) : all
      count += lines.length
      passages.push({ id: passages.length, file, heading, text: cut(text, longestPassage), lines })
    }
  return passages
}

/** Points to a passage: its own words, and where the console shows it. */
export const citationOf = ({ file, heading, text }: Passage): Citation => {
  const anchor = file.anchor?.(heading)
  return {
    file_id: file.file_id,
    filename: file.filename,
    source: file.source,
    heading,
    passage: text,
    link: anchor === undefined ? file.link : `${file.link}/${anchor}`
  }
}
