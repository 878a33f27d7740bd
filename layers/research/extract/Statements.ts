// layers/research/extract/Statements.ts: splits a text into sentences and cells, each with the words around it that may say what it is about.
import type { Block } from "#layers/research/extract/Blocks.ts"
import { headingTopic } from "#layers/research/extract/Labels.ts"
import { isComplete, pageFurniture } from "#layers/research/extract/Lines.ts"
import { classifyShape } from "#layers/text/Sentences.ts"
import { splitParagraph } from "#layers/text/Words.ts"

/** A sentence or a cell of a table, with what stands before or above it and may say what it is about. */
export interface Statement {
  readonly sentence: string
  /** The sentence without its label. */
  readonly text: string
  /** What stands before its colon, or in the first cell of its row. */
  readonly label: string
  /** The label of its paragraph, the question or introduction above it, and its heading. */
  readonly context: ReadonlyArray<string>
  /** The question right above it that names no field and that it answers: "Pests back between visits?" */
  readonly question: string
  readonly block: Block
  /** The index of its block in the text. */
  readonly blockIndex: number
}

/** Sentences, where one in lower case, in brackets, behind initials or a question continues the one before: "Acme B.V. makes". */
const joinSentences = (text: string) =>
  splitParagraph(text).reduce<ReadonlyArray<string>>(
    (sentences, sentence) =>
      sentences.length > 0 &&
      (/^\p{Ll}/u.test(sentence) || /\([^()]*$|(?<!\p{L})\p{Lu}\.(?:\p{Lu}\.)*$|\?$/u.test(sentences.at(-1) ?? ""))
        ? [...sentences.slice(0, -1), `${sentences.at(-1)} ${sentence}`]
        : [...sentences, sentence],
    []
  )

/** "Who we want more of: butchers", "Customers. Packhouses bring": what a sentence is about, and what it says. */
const labelPattern = /^([^:.!?;]{2,70}?)(?:\s*\??\s*:| [–—-](?= )|\?)\s+(\S.*)$/su
const splitLabel = (text: string): readonly [label: string, rest: string] => {
  const [, label, rest] = labelPattern.exec(text) ?? []
  if (label === undefined || rest === undefined) return ["", text]
  // A question that names no field is a condition: "Not happy? We clean again."
  const isCondition = text.startsWith(`${label}?`) && headingTopic(`${label}?`) === undefined
  return isCondition ? ["", text] : [label, rest]
}

/** "Most who write to us have one of three troubles.": what the sentences behind it are about. */
export const countedTopic = /\b(?:one of|these|the same) (?:two|three|four|five|six) (?:\p{Ll}+ )?\p{Ll}+s[.:]?$/u

/** Sentences of prose, each with its label and that of its paragraph: "Customers. Packhouses bring 61%." */
const blockStatements = (
  block: Block,
  blockIndex: number,
  context: ReadonlyArray<string>
): ReadonlyArray<Statement> => {
  if (block.kind === "row") {
    // Of columns side by side each has its own heading; otherwise the first cell says what the others are about.
    const isOfTopics = block.columns.some((name) => headingTopic(name) !== undefined && !/^label$/i.test(name))
    const [firstCell = "", ...otherCells] = block.cells.filter((cell) => cell !== "")
    const cells = otherCells.length === 0 || isOfTopics ? block.cells : otherCells
    return cells.flatMap((cell) =>
      joinSentences(cell).map((text) => ({
        sentence: text,
        text,
        label: otherCells.length === 0 || isOfTopics ? "" : firstCell,
        context: isOfTopics ? [block.columns[block.cells.indexOf(cell)] ?? ""] : context,
        question: "",
        block,
        blockIndex
      }))
    )
  }
  const sentences = joinSentences(block.text)
  const [opening = ""] = sentences
  const title = opening.split(" ").length <= 4 || countedTopic.test(opening) ? opening : splitLabel(opening)[0]
  const isOpen = (text: string) => failureQuestion.test(text) || headingTopic(text) === undefined
  const openQuestion = context.find((text) => text.endsWith("?") && isOpen(text)) ?? ""
  return sentences.map((sentence, index) => {
    const [label, text] = splitLabel(sentence)
    const question = index === 0 ? openQuestion : ""
    return { sentence, text, label, context: [title, ...context], question, block, blockIndex }
  })
}

/** Questions that a promise answers. */
export const failureQuestion = /^what (?:if|happens if)\b/i
/** A promise that states its own condition, and needs no question before it. */
export const ownCondition = /^(?:if|when|should|any|every|each|wenn|falls|si|chaque)(?!\p{L})/iu
/** What a company does at its own cost: "you pay nothing", "we refund the fee". */
const ownCost =
  /(?<!\p{L})(?:you (?:pay|owe) (?:us )?nothing|(?:do not|don['’]t|won['’]t|will not) (?:pay|invoice|charge|bill)|(?:is|are) (?:free|nil|on us)|free of charge|no charge|refund(?:s|ed)?|(?:money|fees?|deposit) back|at our (?:own )?(?:cost|expense)|for free|(?:him|her|it|them) free|we(?:['’]ll)? (?:\p{L}+ ){0,6}(?:pay|credit|waive|refund|redo|replace|repair|mend))(?!\p{L})/iu
const failurePattern =
  /(?<!\p{L})(?:we|our|ours|no|not|fails?|late|wrong|breaks?|leaks?|lost|missed|damaged|unhappy|fewer|less|below|under)(?!\p{L})|n['’]t\b/iu
const promisePattern =
  /^(?:if|should|whenever)\s(?<condition>[^.?!]+?)(?:,\s|\s(?=you (?:pay|owe)))(?<result>[^?!]+)$/iu
const askedPromise = /^(?<condition>[^.?!]{5,80})\?\s+(?<result>[^?!]+)$/u
/** What a client does to get a discount, and what the law or the terms say, is no promise of the company. */
const otherCondition =
  /^you (?:book|buy|bring|introduce|join|need|order|pay|prefer|recommend|refer|sign|spend|take|want|would)(?!\p{L})|(?<!\p{L})(?:cancel\p{L}*|force majeure|in the area|anyway)(?!\p{L})/iu

/** "If we are late, you pay nothing": what goes wrong, and what the company then does at its own cost. */
export const isPromise = (text: string): boolean => {
  const { condition = "", result = "" } = (promisePattern.exec(text) ?? askedPromise.exec(text))?.groups ?? {}
  return failurePattern.test(condition) && !otherCondition.test(condition) && ownCost.test(result)
}

/** What an offer says of its price. */
export const freeWord = /(?<!\p{L})(?:free|gratis|gratuit\p{L}*|kostenlos\p{L}*|offert\p{L}*)(?!\p{L})/iu
/** How a text begins that invites its readers to act: a description, or a button. */
export const invitationStart =
  /^(?:ask|download|learn|discover|read|request|find out|explore|welcome|contact|see|looking|get|call|book|view|more|shop|start|découvrez|bienvenue|entdecken|erfahren|jetzt|mehr|willkommen)\b(?!-)/i

export const readStatements = (blocks: ReadonlyArray<Block>): ReadonlyArray<Statement> => {
  let introduction = ""
  return blocks.flatMap((block, index) => {
    const previous = blocks[index - 1]
    // A short line without a stop is a heading that nothing marks.
    if (
      previous !== undefined &&
      /[?:]$|^>|^[^.!,;@]{4,50}$/.test(previous.text) &&
      !invitationStart.test(previous.text)
    )
      introduction = previous.text
    else if (block.kind !== "point" || previous?.kind !== "point") introduction = ""
    return block.kind === "heading"
      ? []
      : blockStatements(
          block,
          index,
          [introduction, block.under.at(-1) ?? ""].filter((text) => text.length < 120)
        )
  })
}

export const maxSentenceLength = 400

/** What a person said, without the note on it: 'she was clear: "We fix it the same day."' */
export const removeRemark = (text: string): string => text.replace(/^\p{Ll}[^"“.]{1,60}: ["“]([^"“”]+)["”]$/u, "$1")

/** An offer without the few words behind it, which say nothing alone: "Send us your certificate. Two days." */
export const withoutTail = (text: string): string => {
  const [first = "", ...others] = splitParagraph(text)
  const [last = ""] = others.slice(-1)
  return last !== "" && last.split(" ").length < 4 && classifyShape(last) === "fragment"
    ? withoutTail([first, ...others.slice(0, -1)].join(" "))
    : text
}

/** A remark of the author, who does not know yet or writes to colleagues. */
export const authorRemark =
  /\b(?:tbd|tbc|to be confirmed|todo|fixme|do not (?:forward|print|send)|delete before|under discussion|ask (?:again|first)|(?:first|second|third|last|final) draft|not to be named|not sure|^(?:none|nothing|n\/a|unknown|keine?|aucune?)$|(?:see|terms) below|noch offen|nicht (?:\p{L}+ ){0,2}nennen|unklar|zu klären|à confirmer|à définir|(?:not|never|no|keine|aucune) g[au]a?rant\p{L}+|reference ok|(?:get|ask).{0,20} in writing|no logo|(?:wants? no|won['’]t|wouldn['’]t) name|not public|(?:don['’]t|do not|never) (?:name|quote|publish|mention)|(?:check|confirm|clarify) with)\b/iu
/** A letter's words to the one who gets it. */
const letterStart =
  /^(?:dear|thank you|thanks|yours|kind regards|p\.? ?-?s\b|i (?:enclose|attach|am (?:writing|sending|sorry)|look forward|hope|promised)|as (?:promised|discussed|agreed)|you (?:asked|mentioned|told)|i(?:['’]d| would| will| know| think)|please find|enclosed|attached|anbei|wie besprochen|ci-joint|comme promis)(?!\p{L})/iu
/** A remark of the person who took notes, a form's instruction, or what is left of a layout. */
const remarkPattern =
  /\?\?|[;:]-?\)|->|(?<!:)\/\/|←|\.{4,}|@\w+ (?:pls|please|fix)|\bw\/(?= )|\((?:spoke|talked) (?:to|with)|^to do\b|\bignore\)|^(?:kommentar|commentaire|comments?|notes?|nb|section \d|page \d|(?:issue|version|rev(?:ision)?|ausgabe) \d|supersedes|bidder|supplier|tenderer|figure \d|table \d|[AQ]:|office use)(?!\p{L})/iu
/** Words of one person, which another who signs an email cannot say. */
const singlePerson = /(?<!\p{L})(?:I|my|me|ich|mein\p{L}*|je|mon|mes)(?!\p{L})/u
/** Several words in capitals alone are a heading. */
const isHeading = (text: string) => !/[\p{Ll}\d]/u.test(text) && /\p{Lu}{3}\S* .*\p{Lu}{2}/u.test(text)
/** Whether a text can be shown alone, as a sentence of the business. */
export const isReadable = (text: string): boolean =>
  text.length <= maxSentenceLength &&
  isComplete(text) &&
  !remarkPattern.test(text) &&
  !authorRemark.test(text) &&
  !letterStart.test(text) &&
  !singlePerson.test(text) &&
  !isHeading(text) &&
  !pageFurniture.test(text) &&
  /\p{L}{2}|\d{2}/u.test(text) &&
  !/\?["”]?$|^contact us|\[\[| > .* > |:$/i.test(text) &&
  /^["“„«(]?[\p{L}\d$€£]/u.test(text)
