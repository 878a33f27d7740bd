// layers/generator/playbook/FollowUps.ts: the slots of follow-ups and the closing email: what no earlier email has stated.
import {
  departmentWordCount,
  countStemsIn,
  specificTitleWords,
  sharedWordCount
} from "#layers/generator/playbook/DepartmentVocabulary.ts"
import {
  type SlotMap,
  putSlot,
  putLines,
  putNames,
  StatedFacts,
  type DraftInput,
  typedShape
} from "#layers/generator/playbook/FrameSlots.ts"
import { withoutFullStop } from "#layers/generator/playbook/Frames.ts"
import {
  failurePattern,
  startsWithReference,
  sharedNounCount,
  rankByRelevance,
  rankProofs
} from "#layers/generator/playbook/PersonaMessage.ts"
import type { SellingPoints } from "#layers/generator/playbook/SellingPoints.ts"
import { offerTopic, resultTopic, shortSubject, topicIn } from "#layers/generator/playbook/SubjectTopics.ts"
import { lacksArticle } from "#layers/text/NounPhrases.ts"
import { splitLabel, type Shape, classifyShape, countWords } from "#layers/text/Sentences.ts"

/** First words of an offer that is a document which can be sent: "Sample report (anonymised)". */
const documentStart =
  /^(?:[\p{L}\d'’-]+ ){0,5}(?:reports?|checklists?|calculators?|guides?|handbooks?|templates?|benchmarks?|maps?|white ?papers?|e-?books?|spreadsheets?|case stud(?:y|ies)|catalogues?|brochures?|studies|study|excel|pdf|playbooks?|scorecards?|worksheets?|one-pagers?)\b/iu

/** The title of a document in front of what it is: "“Seven leaks” – a four-page guide". */
const quotedTitle = /^["“][^"”]{1,80}["”] (?:[–—-] )?(?:an? )?/u

/** 'Checklist "Before the inspector comes"' is no sentence. */
const removeTitle = (offer: string): string => offer.replace(/ ["“][^"”]{1,80}["”]/u, "")

/** Whether an offer can be sent: a document by its first words, and not a request such as "Send us ...". */
const isDocument = (offer: string): boolean =>
  (classifyShape(removeTitle(offer)) === "fragment" || lacksArticle(offer)) &&
  documentStart.test(offer.replace(quotedTitle, "")) &&
  // What is made for one reader cannot be sent at once.
  !/\b(?:send|give|show|tell) us\b/i.test(offer)

/** An offer that the reader has to act on: "Send us a photo of the part". */
const requestStart =
  /^(?:(?:just|simply|please) )?(?:ask|book|bring|call|choose|download|email|give|pick|ring|scan|send|show|tell|text|try|upload|visit)\b/i

/** What the closing question of a frame can refer to: a document to send, something the reader does first, or what we do. */
const offerKind = (offer: string): { readonly kind: string } => {
  if (requestStart.test(splitLabel(offer)?.rest ?? offer)) return { kind: "request" }
  return { kind: isDocument(offer) ? "document" : "service" }
}

/** "Ask for a free survey": whole, though it has no subject. */
const wholeRequest =
  /^(?:(?:just|simply|please) )?\p{L}+ (?:(?:for|us|me|in) )?(?:an?|any|every|one|the|us|your|two|three|four|five|ten|\d+)\b/iu

/** A label that leads to its offer, and is no name of it as "Free site walk" is. */
const leadIn = /^(?:as|before|by|for|from|if|in|on|to|with)\b/i

/** An offer with an introduction of its own gets no second one: "For a first look: we dive and film one hull." */
const offerShape = (offer: string, drafted: ReadonlyArray<string>): Shape => {
  const { label, rest } = splitLabel(offer) ?? { label: "", rest: offer }
  const isWhole = requestStart.test(rest) ? wholeRequest.test(rest) : classifyShape(rest) === "sentence"
  if (isWhole && (label === "" ? requestStart.test(rest) : leadIn.test(label))) return "sentence"
  // "Free check of 10 pages ..." is a name, even where a verb follows.
  return lacksArticle(offer) ? "fragment" : typedShape(offer, drafted)
}

/** Problems that are parsed to find the one of an offer. A profile can have thousands, and parsing one takes a millisecond. */
const maxParsedProblems = 30

/** Whether a text has no noun of what is sold and does not name the sender: a later email with it has to say whose it is. */
const isUnclearAlone = (text: string, { description, sender }: SellingPoints): boolean =>
  sharedNounCount(text, description.join("\n"), null) === 0 && !text.includes(sender ?? text)

/** The offer, with the problem of the reader that it concerns. */
const putOffer = (slots: SlotMap, { departments, material, message }: DraftInput, stated: StatedFacts) => {
  const offer =
    message.offer !== null && !material.guarantees.includes(message.offer) ? message.offer : material.offers[0]
  if (offer !== undefined && !stated.has(offer)) {
    putSlot(slots, "offer", offer, {
      ...offerKind(offer),
      shape: offerShape(offer, material.offers)
    })
    if (material.offers.includes(offer) && splitLabel(offer) === null && isUnclearAlone(offer, material))
      putSlot(slots, "offer_sender", material.sender)
    putSlot(slots, "offer_short", shortSubject(offer))
    putSlot(slots, "offer_topic", offerTopic(offer))
    const problems = material.problems.filter((text) => !stated.has(text) && !startsWithReference.test(text))
    const offerProblem = rankByRelevance(problems, departments, message.problem)
      .filter((text) => departmentWordCount(text, departments) > 0)
      .slice(0, maxParsedProblems)
      .find((text) => classifyShape(text) === "sentence" && sharedNounCount(text, offer, material.industry) > 0)
    putSlot(slots, "offer_problem", offerProblem)
    const label = splitLabel(offer)?.label
    if (label !== undefined && countWords(label) > 1 && countWords(label) <= 5) putSlot(slots, "offer_label", label)
  }
}

/** The topic of a result if it is about the reader's problem, and not only another client's goods. */
const relevantResultTopic = (proof: string | null | undefined, { message }: DraftInput): string | null => {
  const topic = proof === null || proof === undefined ? null : resultTopic(proof)
  return topic !== null && sharedWordCount(topic, message.problem ?? "") > 0 ? topic : null
}

const endsInQuestion = /\?["'\u201d\u2019)]*$/

/** Starts of sentences about the work rather than the people: "We ...", "Each site ...", "A supervisor ...". */
const aboutWorkStart = /^(?:we|our|you|your|each|every|an?|the|all)\b/i

/** A result that no earlier email has stated. A client whose result was not selected is not named. */
const putMoreProof = (slots: SlotMap, input: DraftInput, stated: StatedFacts) => {
  const { departments, material, message, titles } = input
  const proofs = (material.chosenProofs.length > 0 ? material.chosenProofs : material.proofs).filter(
    ({ kind, text }) => kind === "case" && !failurePattern.test(text) && !stated.has(text)
  )
  const [bestProof] = rankProofs(proofs, message.problem, departments, titles)
  putSlot(slots, "more_proof", bestProof?.text)
  putSlot(slots, "more_proof_topic", relevantResultTopic(bestProof?.text, input))
  const isRelevant =
    bestProof !== undefined &&
    departmentWordCount(bestProof.text, departments) +
      countStemsIn(specificTitleWords(titles), bestProof.text) +
      (message.problem === null ? 0 : sharedWordCount(bestProof.text, message.problem)) >
      0
  if (isRelevant) putSlot(slots, "close_proof", bestProof?.text)
}

const putObjection = (slots: SlotMap, { departments, material }: DraftInput, stated: StatedFacts) => {
  const objection = material.objections
    // The frame asks a question behind the answer, so an answer that ends in one would ask twice.
    .filter(({ answer, objection }) => !endsInQuestion.test(answer) && !stated.has(objection) && !stated.has(answer))
    .toSorted(
      (a, b) => departmentWordCount(b.objection, departments) - departmentWordCount(a.objection, departments)
    )[0]
  putSlot(slots, "objection", objection?.objection)
  putSlot(slots, "answer", objection?.answer)
  putSlot(slots, "objection_short", objection === undefined ? null : shortSubject(objection.objection, 6))
}

/** Facts for the closing email and the follow-ups that no earlier email has stated. */
export const followUpSlots = (input: DraftInput, common: SlotMap, stated: StatedFacts): SlotMap => {
  const { departments, material, message, titles } = input
  const slots = new Map(common)
  if (message.what_we_do !== null) putSlot(slots, "described_sender", material.sender)
  for (const name of ["what", "problem", "proof", "fact", "promise", "consequence", "question", "second_question"])
    slots.delete(name)
  const filterUnstated = (texts: ReadonlyArray<string>) => texts.filter((text) => !stated.has(text))
  const rankUnstated = (texts: ReadonlyArray<string>) =>
    rankByRelevance(filterUnstated(texts), departments, message.problem)

  const guarantee = filterUnstated(material.guarantees)[0]
  putSlot(slots, "guarantee", guarantee)
  // "What if a fish dies? We replace it." asks first and is introduced by that.
  if (guarantee?.includes("?") === false && isUnclearAlone(guarantee, material))
    putSlot(slots, "guarantee_sender", material.sender)
  putSlot(slots, "guarantee_short", guarantee === undefined ? null : shortSubject(guarantee))
  // Selections appear in a sequence of any length: the last email has what the first one had no space for.
  const selectedProofs = material.chosenProofs.some(({ text }) => stated.has(text)) ? [] : material.chosenProofs
  const [best] = rankProofs(selectedProofs, message.problem, departments, titles)
  putSlot(slots, "chosen_proof", best?.text, { kind: best?.kind ?? "case" })
  const facts = selectedProofs.filter(({ kind, text }) => kind === "fact" && countWords(text) <= 12).slice(0, 3)
  if (best?.kind === "fact") putSlot(slots, "chosen_facts", facts.map(({ text }) => withoutFullStop(text)).join(", "))
  putOffer(slots, input, stated)
  putMoreProof(slots, input, stated)
  putObjection(slots, input, stated)
  putSlot(
    slots,
    "how",
    filterUnstated(material.description).find((text) => classifyShape(text) === "sentence" && aboutWorkStart.test(text))
  )
  const details = material.description
    .slice(1)
    .filter((text) => classifyShape(text) === "fragment" && countWords(text) > 2)
  const unstatedFacts = rankUnstated([...material.facts, ...details]).filter(
    // "Same day" means nothing by itself.
    (text) => countWords(text) > 2 && countWords(text) <= 16
  )
  if (unstatedFacts.length > 1) putLines(slots, "facts", unstatedFacts.slice(0, 3))
  putSlot(slots, "fact_short", shortSubject(unstatedFacts[0] ?? ""))
  // Two facts make an email of their own; taking one of them here would leave too few.
  if (unstatedFacts.length !== 2) putSlot(slots, "last_fact", unstatedFacts[0])
  const problem = rankUnstated(material.problems).find(
    (text) => departmentWordCount(text, departments) > 0 && !startsWithReference.test(text)
  )
  putSlot(slots, "more_problem", problem, problem !== undefined && lacksArticle(problem) ? { shape: "fragment" } : {})
  putSlot(slots, "more_problem_short", problem === undefined ? null : shortSubject(problem))
  putSlot(slots, "more_problem_topic", problem === undefined ? null : topicIn(problem))
  putLines(slots, "moments", filterUnstated(material.moments).slice(0, 3))
  putSlot(slots, "change", filterUnstated(material.changes)[0])
  const products = filterUnstated(material.products).slice(0, 4)
  // The email asks the reader which of them is closest.
  if (products.length > 1) putNames(slots, "products", products)
  return slots
}
