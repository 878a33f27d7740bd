// layers/generator/playbook/FirstEmails.ts: drafts the variants of the first email, each from the first frame that its slots can fill.
import { containsForbidden } from "#layers/generator/checker/Wording.ts"
import { type SlotMap, putSlot, normalizeText, type DraftInput } from "#layers/generator/playbook/FrameSlots.ts"
import { type FrameEmail, fillFrame, type Frame, frames, type Reader } from "#layers/generator/playbook/Frames.ts"
import { escapeLiquid } from "#layers/generator/playbook/LiquidTemplate.ts"
import { failedJob, sharedNounCount, rankProofs } from "#layers/generator/playbook/PersonaMessage.ts"
import { resultTopic } from "#layers/generator/playbook/SubjectTopics.ts"
import { countWords } from "#layers/text/Sentences.ts"

/** Results that leave one for the follow-ups if both variants of the first email have their own. */
const enoughResults = 3

/** The slots of the second variant: another client's result where there are enough, so that a lead can get the nearer one. */
const secondVariantSlots = (common: SlotMap, { departments, material, message, titles }: DraftInput): SlotMap => {
  const pool = material.chosenProofs.length > 0 ? material.chosenProofs : material.proofs
  const cases = pool.filter(({ kind }) => kind === "case")
  const others = cases.filter(({ text }) => text !== message.proof && !failedJob.test(text))
  const other = rankProofs(others, message.problem, departments, titles).find(
    ({ text }) => sharedNounCount(text, message.problem, material.industry) > 0
  )
  if (cases.length < enoughResults || !common.has("proof") || other === undefined) return common
  const slots = new Map(common)
  putSlot(slots, "proof", other.text, { kind: "case" })
  putSlot(slots, "proof_topic", resultTopic(other.text))
  return slots
}

export interface DraftedEmail {
  readonly id: string
  readonly email: FrameEmail
}

export const isAllowed = ({ body, subject }: FrameEmail, forbidden: ReadonlyArray<string>): boolean =>
  !containsForbidden(`${subject}\n${body}`, forbidden)

/** First emails without a problem, used only when no other frame can be filled. */
const lastResortFrames = new Set(["first-plain", "first-name"])

/** Longest first email, in words, if one of its optional parts can be left out. */
const maxFirstWords = 130

/** Parts of a first email that a later one can bring, the most dispensable first. */
const optionalParts = ["promise", "fact", "difference", "consequence", "proof"]

/** The first email of a frame, without optional parts where it would be too long. */
const fillFirst = (frame: Frame, slots: SlotMap, turn: number): FrameEmail | undefined => {
  const left = new Map(slots)
  const whole = fillFrame(frame, left, new Set(), turn)
  let email = whole
  for (const part of optionalParts) {
    if (email === undefined || countWords(email.body) <= maxFirstWords) return email
    left.delete(part)
    // A count of machines does not take a result's place.
    if (part === "proof") left.delete("fact")
    email = fillFrame(frame, left, new Set(), turn)
  }
  return email ?? whole
}

/** Most variants of an email. */
const maxVariants = 3

/**
 * The frames of the first email, in the order in which they are tried: the first that can be filled, then the others from
 * another one for each persona, so that colleagues get emails of another shape.
 */
const framesFor = (slots: SlotMap, reader: Reader, turn: number): ReadonlyArray<Frame> => {
  const able = frames.filter(
    (frame) => frame.step === 1 && frame.readers.includes(reader) && fillFrame(frame, slots) !== undefined
  )
  const [first, ...others] = able.filter(({ id }) => !lastResortFrames.has(id))
  const lastResort = able.filter(({ id }) => lastResortFrames.has(id))
  if (first === undefined) return lastResort
  const start = turn % Math.max(1, others.length)
  return [first, ...others.slice(start), ...others.slice(0, start)]
}

/** Up to three variants of the first email. */
const draftVariants = (
  subject: DraftInput,
  common: SlotMap
): ReadonlyArray<DraftedEmail & { readonly slots: SlotMap }> => {
  const { forbidden, reader, turn } = subject
  const made: Array<DraftedEmail & { readonly slots: SlotMap }> = []
  for (const frame of framesFor(common, reader, turn)) {
    if (made.length === maxVariants) break
    const slots = made.length === 1 ? secondVariantSlots(common, subject) : common
    // Each lead gets one of the variants, so two variants may share a subject.
    const email = fillFirst(frame, slots, turn + made.length)
    if (email !== undefined && isAllowed(email, forbidden)) made.push({ id: frame.id, email, slots })
  }
  return made
}

/** The first emails. A result that one of them has no space for is left to the later emails, which all leads get. */
export const draftFirstEmails = (subject: DraftInput, common: SlotMap): ReadonlyArray<DraftedEmail> => {
  const made = draftVariants(subject, common)
  const lacksResult = made.some(({ email, slots }) => {
    const proof = slots.get("proof")
    return proof !== undefined && !email.body.toLowerCase().includes(normalizeText(escapeLiquid(proof.text)))
  })
  if (!lacksResult) return made
  const withoutProof = new Map(common)
  withoutProof.delete("proof")
  withoutProof.delete("fact")
  return draftVariants(subject, withoutProof)
}
