// layers/generator/playbook/FirstEmails.ts: drafts the variants of the first email, each from the first frame that its slots can fill.
import { containsForbidden } from "#layers/generator/checker/Wording.ts"
import {
  type SlotMap,
  commonSlots,
  putSlot,
  comparableText,
  type DraftInput
} from "#layers/generator/playbook/FrameSlots.ts"
import {
  type FrameEmail,
  fillFrame,
  type Frame,
  frames,
  type Reader,
  rightPersonFrame
} from "#layers/generator/playbook/Frames.ts"
import { escapeLiquid } from "#layers/generator/playbook/LiquidTemplate.ts"
import {
  failurePattern,
  otherMessages,
  sharedNounCount,
  rankProofs
} from "#layers/generator/playbook/PersonaMessage.ts"
import { countWords } from "#layers/text/Sentences.ts"

/**
 * With at least this many case studies, one remains for the follow-ups after two first-email variants use one each.
 */
const enoughResults = 3

/** The slots of the second variant: another client's result where there are enough, so that a lead can get the nearer one. */
const secondVariantSlots = (common: SlotMap, { departments, material, message, titles }: DraftInput): SlotMap => {
  const proofs = material.chosenProofs.length > 0 ? material.chosenProofs : material.proofs
  const cases = proofs.filter(({ kind }) => kind === "case")
  const others = cases.filter(({ text }) => text !== message.proof && !failurePattern.test(text))
  const other = rankProofs(others, message.problem, departments, titles).find(
    ({ text }) => sharedNounCount(text, message.problem, material.industry) > 0
  )
  if (cases.length < enoughResults || !common.has("proof") || other === undefined) return common
  const slots = new Map(common)
  putSlot(slots, "proof", other.text, { kind: "case" })
  return slots
}

export interface DraftedEmail {
  readonly id: string
  readonly email: FrameEmail
}

export const isAllowed = ({ body, subject }: FrameEmail, forbidden: ReadonlyArray<string>): boolean =>
  !containsForbidden(`${subject}\n${body}`, forbidden)

/** First emails without a problem or without what is sold, used only when no other frame can be filled. */
const lastResortFrames = new Set(["first-plain", "first-known", "first-name"])

/** Longest first email, in words, if one of its optional parts can be left out. */
const maxFirstWords = 130

/** Parts of a first email that a later one can bring, the most dispensable first. */
const optionalParts = ["promise", "fact", "difference", "consequence", "proof"]

/** The first email of a frame, without optional parts where it would be too long. */
const fillFirst = (frame: Frame, slots: SlotMap, rotation: number): FrameEmail | undefined => {
  const remainingSlots = new Map(slots)
  const full = fillFrame(frame, remainingSlots, new Set(), rotation)
  let email = full
  for (const part of optionalParts) {
    if (email === undefined || countWords(email.body) <= maxFirstWords) return email
    remainingSlots.delete(part)
    // A bare fact must not replace the removed result.
    if (part === "proof") remainingSlots.delete("fact")
    email = fillFrame(frame, remainingSlots, new Set(), rotation)
  }
  return email ?? full
}

/** Most variants of an email. */
const maxVariants = 3

/**
 * The frames to try for the first email, in order: the first that can be filled, then the others. The others start at a
 * different frame for each persona, so that colleagues do not get emails of the same form.
 */
const framesFor = (slots: SlotMap, reader: Reader, rotation: number): ReadonlyArray<Frame> => {
  const fillableFrames = frames.filter(
    (frame) =>
      frame.step === 1 &&
      frame.id !== rightPersonFrame &&
      frame.readers.includes(reader) &&
      fillFrame(frame, slots) !== undefined
  )
  const [first, ...others] = fillableFrames.filter(({ id }) => !lastResortFrames.has(id))
  const lastResort = fillableFrames.filter(({ id }) => lastResortFrames.has(id))
  if (first === undefined) return lastResort
  const start = rotation % Math.max(1, others.length)
  return [first, ...others.slice(start), ...others.slice(0, start)]
}

interface DraftedVariant extends DraftedEmail {
  readonly slots: SlotMap
}

/** The first of these frames that gives an email without a forbidden phrase. */
const fillFirstAllowed = (
  fillableFrames: ReadonlyArray<Frame>,
  slots: SlotMap,
  { forbidden, rotation }: Pick<DraftInput, "forbidden" | "rotation">
): DraftedVariant | undefined => {
  for (const frame of fillableFrames) {
    // Each lead gets one of the variants, so two variants may share a subject.
    const email = fillFirst(frame, slots, rotation)
    if (email !== undefined && isAllowed(email, forbidden)) return { id: frame.id, email, slots }
  }
  return undefined
}

/**
 * Up to three variants of the first email. The others have other problems of the user, so that a lead can get the nearest;
 * where there are no others, they say the same in another order. One for everyone else asks for the right person.
 */
const draftVariants = (input: DraftInput, prepare: (slots: SlotMap) => SlotMap): ReadonlyArray<DraftedVariant> => {
  const { departments, material, message, reader, titles, rotation } = input
  const everyoneElse = reader === "everyone_else"
  const common = prepare(commonSlots(input))
  const renderedVariants: Array<DraftedVariant> = []
  const add = (slots: SlotMap, fillableFrames: ReadonlyArray<Frame>) => {
    const usedIds = new Set(renderedVariants.map(({ id }) => id))
    // Beside an email that says what is sold, one that only asks for a name has nothing to say.
    const candidates = fillableFrames.filter(
      ({ id }) => !usedIds.has(id) && !(renderedVariants.length > 0 && lastResortFrames.has(id))
    )
    const variant = fillFirstAllowed(candidates, slots, { ...input, rotation: rotation + renderedVariants.length })
    if (variant !== undefined) renderedVariants.push(variant)
  }
  add(common, framesFor(common, reader, rotation))
  if (everyoneElse)
    add(
      common,
      frames.filter(({ id }) => id === rightPersonFrame)
    )
  for (const other of otherMessages(material, { departments, everyoneElse, titles, name: "" }, message)) {
    if (renderedVariants.length === maxVariants) break
    const slots = prepare(commonSlots({ ...input, message: other }))
    const [first, ...others] = framesFor(slots, reader, rotation + renderedVariants.length)
    add(slots, first === undefined ? others : [...others, first])
  }
  for (let index = renderedVariants.length; index < maxVariants && !everyoneElse; index++) {
    const slots = renderedVariants.length === 1 ? prepare(secondVariantSlots(common, input)) : common
    add(slots, framesFor(slots, reader, rotation))
  }
  return renderedVariants
}

const removeProof = (slots: SlotMap): SlotMap =>
  new Map([...slots].filter(([name]) => name !== "proof" && name !== "fact"))

/** The first emails. A result that one of them has no space for is left to the later emails, which all leads get. */
export const draftFirstEmails = (input: DraftInput): ReadonlyArray<DraftedEmail> => {
  const renderedVariants = draftVariants(input, (slots) => slots)
  const lacksResult = renderedVariants.some(({ email, slots }) => {
    const proof = slots.get("proof")
    return proof !== undefined && !email.body.toLowerCase().includes(comparableText(escapeLiquid(proof.text)))
  })
  return lacksResult ? draftVariants(input, removeProof) : renderedVariants
}
