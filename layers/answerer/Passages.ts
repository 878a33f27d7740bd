// layers/answerer/Passages.ts: a campaign's texts, cut into passages that can be quoted and cited.
import type { Citation } from "#schema/Agent.ts"
import type { KnowledgeFile } from "#layers/answerer/Answer.ts"
import { contents, roles, saysHowLong, stemOf, topics } from "#layers/answerer/Vocabulary.ts"
import { cut } from "#layers/text/Cut.ts"
import { sentences, words } from "#layers/text/Words.ts"

export interface Line {
  /** What a labelled point is about: "Phone". */
  readonly label: string
  /** As it is quoted. */
  readonly text: string
  /** A point of a list, not a sentence of a paragraph. */
  readonly point: boolean
  readonly stems: ReadonlySet<string>
  /** Stems of other words for the line, and `@name` for each topic that its label names. */
  readonly aliases: ReadonlySet<string>
}

/** A section of a text. */
export interface Passage {
  readonly id: number
  readonly file: KnowledgeFile
  readonly heading: string
  /** In Markdown, without the heading. */
  readonly text: string
  readonly lines: ReadonlyArray<Line>
  /** Stems of its heading. */
  readonly under: ReadonlySet<string>
  readonly aliases: ReadonlySet<string>
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

const stems = (text: string): ReadonlySet<string> => new Set(contents(text).map(stemOf))

/** Options repeat their names in their descriptions, so a long name in bold is left out, and so is "Case study 1". */
const labelled = (line: string): Pick<Line, "label" | "text"> => {
  const named = /^\*\*([^*]+?):?\*\*:?\s*(.+)$/.exec(line)
  if (named === null) return { label: "", text: plain(line) }
  const [, label = "", rest = ""] = named
  return label.split(" ").length > 4 || /^[^,]+ \d$/.test(label)
    ? { label: "", text: plain(rest) }
    : { label, text: `${label}: ${plain(rest)}` }
}

const topicsAt = (place: string) => topics.filter(({ place: of }) => of.test(place))

const aliasesOf = (found: ReturnType<typeof topicsAt>): ReadonlyArray<string> =>
  found.flatMap(({ aliases, name }) => [
    `@${name}`,
    ...aliases
      .split(" ")
      .filter((word) => word !== "")
      .map(stemOf)
  ])

const howLong = "@duration takes turnaround setup delivery implementation".split(" ")

const lineOf = (heading: string, { label, text }: Pick<Line, "label" | "text">, point: boolean): Line => {
  const quoted = cut(text, longestLine)
  const place = `${heading} / ${label}`
  const own = /^contact/i.test(heading) || /what it does|also good/i.test(heading)
  return {
    label,
    text: quoted,
    point,
    stems: stems(quoted.replace(/https?:\S+/g, " ")),
    aliases: new Set([
      ...(label === "" ? [] : aliasesOf(topicsAt(place))),
      ...(own ? roles.flatMap(({ holds, name }) => (holds.test(quoted) ? [`@${name}`] : [])) : []),
      ...(saysHowLong(heading, quoted) ? howLong.map((word) => (word.startsWith("@") ? word : stemOf(word))) : [])
    ])
  }
}

/** A statement of a model's document without the note of its sources; what is only inferred stays marked. */
const withoutNote = (line: string): string =>
  line.replace(/ \*(?:Source|Asked because of): [^*]*\*$/, "").replace(/ \*Inferred from: [^*]*\*$/, " (inferred)")

const linesOf = (heading: string, block: ReadonlyArray<string>): ReadonlyArray<Line> =>
  block.flatMap((raw) => {
    const line = withoutNote(raw.replace(/\s+/g, " ").trim())
    const listed = /^(?:[-*+•]|\d{1,2}[.)]) (.+)$/.exec(line)
    if (!/[\p{L}\p{N}]/u.test(line)) return []
    if (listed) return [lineOf(heading, labelled(listed[1] ?? ""), true)]
    return sentences(plain(line)).map((text) => lineOf(heading, { label: "", text }, false))
  })

/** Sections that say the same are one passage: the first of them is cited. */
export const passagesOf = (files: ReadonlyArray<KnowledgeFile>, name?: RegExp): ReadonlyArray<Passage> => {
  const passages: Array<Passage> = []
  const seen = new Set<string>()
  let count = 0
  const add = (file: KnowledgeFile, heading: string, block: ReadonlyArray<string>) => {
    const text = block.join("\n").trim()
    const same = `${heading} ${key(text)}`
    if (key(text) === "" || seen.has(same) || count >= mostLines) return
    seen.add(same)
    const lines = linesOf(heading, block)
    count += lines.length
    passages.push({
      id: passages.length,
      file,
      heading,
      text: cut(text, longestPassage),
      lines,
      // The name of the business in a heading says nothing about the section.
      under: stems(name === undefined ? heading : heading.toLowerCase().replace(name, " ")),
      aliases: new Set(aliasesOf(topicsAt(heading)))
    })
  }
  for (const file of files) {
    let heading = file.filename.replace(/\.md$/, "")
    let block: Array<string> = []
    for (const raw of visible(file.content).split(/\r?\n/)) {
      const headed = /^\s*#{1,6} (.+)$/.exec(raw)
      if (headed === null) block.push(raw)
      else {
        add(file, heading, block)
        heading = plain(headed[1] ?? "")
        block = []
      }
    }
    add(file, heading, block)
  }
  return passages
}

/** Points to a passage: its own words, and where the console shows it. */
export const citationOf = ({ file, heading, text }: Passage): Citation => ({
  file_id: file.file_id,
  filename: file.filename,
  source: file.source,
  heading,
  passage: text,
  link: file.source === "document" ? `${file.link}/${encodeURIComponent(heading)}` : file.link
})
