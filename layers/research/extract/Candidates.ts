// layers/research/extract/Candidates.ts: sentences and values of a text that may answer what it does not state for sure, for a
// person to pick from.
import type { Block } from "#layers/research/extract/Blocks.ts"
import { candidateValues } from "#layers/research/extract/CandidateValues.ts"
import { hostsIn } from "#layers/research/extract/Contacts.ts"
import { fieldWords, type WordedField, wordedFields } from "#layers/research/extract/FieldWords.ts"
import type { Fact } from "#layers/research/extract/Labelled.ts"
import { type Field, headingTopic } from "#layers/research/extract/Labels.ts"
import { styleName } from "#layers/research/extract/Lines.ts"
import { companiesIn } from "#layers/research/extract/Names.ts"
import {
  isReadable,
  maxSentenceLength,
  readStatements,
  removeRemark,
  withoutTail
} from "#layers/research/extract/Statements.ts"
import { answersFor, freeOffer, scoreStatement } from "#layers/research/extract/StatementScores.ts"
import { isForeignIn } from "#layers/research/extract/UsableFacts.ts"
import type { MissingField } from "#schema/Imports.ts"

const maxCandidates = 3
/** More candidates are offered for products, because most lines of a price list are picked. */
const maxProducts = 12

/** Who made the text or its site, advises the business or insures it: "Website by", "Steuerberater", "Printed by". */
const supplierCreditStart =
  /^(?:(?:web ?site|site|page|theme|photos?|fotos|design(?:ed)?|web ?design|built|made|powered|hosted|printed|imprimé|gedruckt|umsetzung|realisierung|hébergement|conception|réalisation|diseño web)(?: (?:by|par|von))?\s?[:,]? (?=\p{Lu}|OVH)|(?:druck|print|typeface|type)\s?: |(?:steuerberater(?:in)?|datenschutzbeauftragter?|accountants?|auditors?|solicitors?|bank|comptable|mutuelle|gestoría)(?: ?[:,]|$))/iu

/** Minutes of a meeting are about the business, unlike vacancies and news. */
const isOffTopic = ({ topic, under }: Block): boolean =>
  topic === "others" && !/\b(?:agenda|minutes)\b/i.test(under.find((each) => headingTopic(each) === "others") ?? "")

/** Empty fields, each with sentences or values that may fill it. Uncertain facts come first. */
export const missingFields = (
  blocks: ReadonlyArray<Block>,
  isFilled: (field: Field) => boolean,
  uncertainFacts: ReadonlyArray<Fact>
): ReadonlyArray<MissingField> => {
  const ownBlocks = blocks.filter((block) => !isOffTopic(block) && !supplierCreditStart.test(block.text))
  const isForeign = isForeignIn(blocks)
  const statements = readStatements(ownBlocks)
  const names = companiesIn(blocks, hostsIn(blocks.map(({ text }) => text).join("\n"))).map((name) =>
    name.split(" ").slice(0, 2).join(" ")
  )
  const scoredStatements = statements.filter(({ text }) => isReadable(text)).map((each) => scoreStatement(each, names))
  const values = Map.groupBy(
    [...uncertainFacts.map(({ field, value }) => [field, [value]] as const), ...candidateValues(ownBlocks, statements)],
    ([field]) => field
  )
  const hasFieldWords = (field: Field): field is WordedField => Object.hasOwn(fieldWords, field)
  const candidatesFor = (field: Field) => {
    const texts = [
      ...(values.get(field) ?? []).flatMap(([, each]) => each),
      ...(hasFieldWords(field) ? answersFor(field, scoredStatements).filter(isReadable) : [])
    ]
      .map(removeRemark)
      .map((text) => (field === "lead_magnets" ? withoutTail(text) : text))
      .filter((text) => text !== "" && text.length <= maxSentenceLength && !styleName.test(text))
    // "Wash | €12" is the row "Wash, €12".
    const groupedByKey = Map.groupBy(texts, (text) => text.replace(/[^\p{L}\p{N}]/gu, ""))
    // A price alone names nothing that is sold.
    const distinctTexts = [...groupedByKey.values()]
      .flatMap(([text]) => text ?? [])
      .filter((text) => field !== "core_products" || !/^(?:from |ab )?[€£$] ?\d/.test(text))
    return (
      distinctTexts
        // "Send photos" is the end of "Free asset list: send photos".
        .filter((text) => !distinctTexts.some((each) => each !== text && each.endsWith(text) && freeOffer.test(each)))
        .filter(
          (text, index) =>
            field !== "target_job_titles" || !distinctTexts.slice(0, index).some((each) => each.includes(text))
        )
        .slice(0, field === "core_products" ? maxProducts : maxCandidates)
    )
  }
  return [...new Set([...wordedFields, ...values.keys()])]
    .filter((field) => !isFilled(field))
    .map((field) => {
      const candidates = candidatesFor(field)
      const foreign = field === "core_products" ? [] : candidates.filter((text) => isForeign(field, text))
      return { field, candidates, ...(foreign.length === 0 ? {} : { foreign_candidates: foreign }) }
    })
}
