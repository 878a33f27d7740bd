// layers/generator/bymodel/JudgeDocuments.ts: checks the statements in a model's document, and renders each with its
// sources.
import type { Document } from "#layers/generator/bymodel/prompts/Documents.ts"
import type { NumberedSource } from "#layers/generator/bymodel/SourceList.ts"
import { cleanLine } from "#layers/generator/bymodel/CleanText.ts"
import { sharedWordCount } from "#layers/generator/playbook/DepartmentVocabulary.ts"
import type { Judgement } from "#layers/Model.ts"
import { listFaults, makeSourceFacts, unsupportedClaims } from "#layers/model/SourceFacts.ts"
import { renderDocument, renderBullets, renderSection, sentenceKey } from "#layers/text/Markdown.ts"

type Statement = Document["sections"][number]["statements"][number]

const documentLimits = { sections: 12, statements: 30, text: 600, heading: 80, quote: 60, quotes: 2 }

/** Fields whose items are separated by commas. */
const commaFields = ["target_job_titles", "decision_makers", "competitors", "solution_triggers"]

/** The item of a source that a statement is about, or the beginning of the source, cut at a word. */
const quoteSource = ({ at, text }: NumberedSource, statement: string): string => {
  const items = text.split(commaFields.includes(at) ? /[;,]\s+/ : /;\s+/)
  const [closest = text] = items.toSorted((a, b) => sharedWordCount(b, statement) - sharedWordCount(a, statement))
  const plainItem = closest.replace(/[*`]/g, "")
  if (plainItem.length <= documentLimits.quote) return plainItem
  const start = plainItem.slice(0, documentLimits.quote)
  return `${start.slice(0, Math.max(start.lastIndexOf(" "), 20)).replace(/[\s.,;:]+$/, "")} …`
}

const statementNotes = { stated: "Source", inferred: "Inferred from", question: "Asked because of" }

/** A statement with the beginnings of its sources: "*Source: result of a client, “Copper Lane runs 12 …”*". */
const renderStatement = (kind: Statement["kind"], text: string, sources: ReadonlyArray<NumberedSource>): string => {
  if (sources.length === 0) return text
  const citations = sources
    .slice(0, documentLimits.quotes)
    .map((source) => `${source.label}, “${quoteSource(source, text)}”`)
  const omittedCount = sources.length - citations.length
  return `${text} *${statementNotes[kind]}: ${citations.join("; ")}${omittedCount > 0 ? `; and ${omittedCount} more` : ""}*`
}

/** The faults of a statement, quoted to the model; empty if the statement can be kept. */
const statementFaults = (
  { kind, sources }: Statement,
  text: string,
  citedSources: ReadonlyArray<NumberedSource>,
  material: unknown
): ReadonlyArray<string> => {
  const quote = JSON.stringify(text.slice(0, 80))
  if (text === "") return ["A statement says nothing."]
  if (kind !== "question" && citedSources.length === 0)
    return [
      sources.length === 0
        ? `${quote} names no source. Name the sources that support it.`
        : `${quote} names ${sources.join(", ")}, and no source has such an id.`
    ]
  return listFaults(unsupportedClaims(text, makeSourceFacts(material)))
}

export interface DocumentBasis {
  readonly title: string
  readonly sources: ReadonlyArray<NumberedSource>
  /** Names that any statement may contain: of the business, the segment and its job titles. */
  readonly names: ReadonlyArray<string>
  /** Markdown after the model's sections. */
  readonly end?: ReadonlyArray<string>
}

/** Keeps the statements that their own sources support, and drops those without a source. */
export const judgeDocument =
  ({ end = [], names, sources, title }: DocumentBasis) =>
  ({ sections }: Document): Judgement<string> => {
    const byId = new Map(sources.map((source) => [source.id, source]))
    const allTexts = [names, sources.map(({ text }) => text)]
    const seenSentences = new Set<string>()
    const questions: Array<string> = []
    const faults: Array<string> = []
    let keptCount = 0
    const renderedSections = sections.slice(0, documentLimits.sections).flatMap(({ heading, statements }) => {
      const lines = statements.slice(0, documentLimits.statements).flatMap((statement) => {
        const text = cleanLine(statement.text, documentLimits.text).replace(/[*`#]/g, "")
        const citedSources = [...new Set(statement.sources)].flatMap((id) => byId.get(id.trim()) ?? [])
        const material = statement.kind === "question" ? allTexts : [names, citedSources.map(({ text }) => text)]
        const newFaults = statementFaults(statement, text, citedSources, material)
        faults.push(...newFaults)
        const key = sentenceKey(text)
        if (newFaults.length > 0 || seenSentences.has(key)) return []
        seenSentences.add(key)
        keptCount++
        const renderedStatement = renderStatement(statement.kind, text, citedSources)
        if (statement.kind !== "question") return [renderedStatement]
        questions.push(renderedStatement)
        return []
      })
      const cleanHeading = cleanLine(heading, documentLimits.heading).replace(/^[#\s]+|[*`]/g, "")
      // In lower case, because a capital in a heading does not mark a name.
      const isSupported =
        cleanHeading !== "" && unsupportedClaims(cleanHeading.toLowerCase(), makeSourceFacts(allTexts)).length === 0
      return renderSection(isSupported ? cleanHeading : "Also", renderBullets(lines))
    })
    return {
      value:
        keptCount === 0
          ? undefined
          : renderDocument(
              title,
              renderedSections,
              renderSection("Questions that would change the emails", renderBullets(questions)),
              end
            ),
      worth: keptCount - faults.length,
      passes: faults.length === 0 && keptCount > 0 ? 0 : 2,
      faults: keptCount === 0 && faults.length === 0 ? ["It says nothing that the sources say."] : faults.slice(0, 12),
      error: "The model's document says nothing that the profile does"
    }
  }
