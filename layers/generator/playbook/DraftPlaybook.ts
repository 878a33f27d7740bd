// layers/generator/playbook/DraftPlaybook.ts: drafts a playbook without a model: personas, their messages and their emails.
import type { Campaign } from "#layers/generator/Brief.ts"
import { containsForbidden } from "#layers/generator/checker/Wording.ts"
import { type DraftedEmail, isAllowed, draftFirstEmails } from "#layers/generator/playbook/FirstEmails.ts"
import { followUpSlots } from "#layers/generator/playbook/FollowUps.ts"
import { type SlotMap, StatedFacts, type DraftInput, commonSlots } from "#layers/generator/playbook/FrameSlots.ts"
import { fillFrame, frames, type Reader, withoutFullStop } from "#layers/generator/playbook/Frames.ts"
import { departmentsOfTitles, personaGroups, groupName } from "#layers/generator/playbook/PersonaGroups.ts"
import { draftMessage, missingSentences } from "#layers/generator/playbook/PersonaMessage.ts"
import type { DraftedPersona, DraftedTemplate, PersonaOutline } from "#layers/generator/playbook/PlaybookSnapshot.ts"
import { removeForbidden, type SellingPoints, sellingPoints } from "#layers/generator/playbook/SellingPoints.ts"
import type { Department } from "#layers/generator/routing/Departments.ts"
import { runAtOnce, type Turns } from "#layers/lib/Turns.ts"
import { nounStems } from "#layers/text/NounPhrases.ts"
import { countWords } from "#layers/text/Sentences.ts"
import { removeParentheses } from "#layers/text/Words.ts"
import { mapMessage, type Message, type MessagePart, messageParts } from "#schema/Playbook.ts"

/** The first frame that can be filled without a forbidden phrase and within the word limit. */
const fillFirstMatching = (
  accepts: (accepts: number, id: string) => boolean,
  reader: Reader,
  slots: SlotMap,
  { forbidden, used, rotation }: Pick<DraftInput, "forbidden" | "rotation"> & { readonly used: ReadonlySet<string> },
  maxCount = Infinity
): DraftedEmail | undefined => {
  for (const frame of frames) {
    if (!accepts(frame.step, frame.id) || !frame.readers.includes(reader)) continue
    // Another wording of the same frame may lack the forbidden phrase.
    for (const offset of forbidden.length === 0 ? [0] : [0, 1, 2]) {
      const email = fillFrame(frame, slots, used, rotation + offset)
      if (email !== undefined && isAllowed(email, forbidden) && countWords(email.body) <= maxCount)
        return { id: frame.id, email }
    }
  }
  return undefined
}

/** The same content in other words, for leads who get the second variant; undefined if the frame has one wording. */
const rewordEmail = (
  { email, id }: DraftedEmail,
  slots: SlotMap,
  { forbidden, used, rotation }: Pick<DraftInput, "forbidden" | "rotation"> & { readonly used: ReadonlySet<string> },
  maxCount: number
): DraftedEmail | undefined => {
  const frame = frames.find((each) => each.id === id)
  const other = frame === undefined ? undefined : fillFrame(frame, slots, used, rotation + 1)
  return other === undefined ||
    other.body === email.body ||
    countWords(other.body) > maxCount ||
    !isAllowed(other, forbidden)
    ? undefined
    : { id, email: { ...other, subject: email.subject } }
}

/** A follow-up is shorter than the first email, but an offer of this length has space behind a very short one. */
const minFollowUpWords = 45

/** Frames that only ask: the last resort where the profile has nothing more to say. */
const plainFrames: ReadonlySet<string> = new Set(["decide-or-delegate", "someone-else", "at-all", "a-name", "a-month"])

const draftTemplates = (input: DraftInput): ReadonlyArray<DraftedTemplate> => {
  const { forbidden, reader, rotation } = input
  const common = commonSlots(input)
  const stated = new StatedFacts()
  const subjects = new Set<string>()
  const state = { forbidden, used: subjects, rotation }
  const templates: Array<DraftedTemplate> = []
  const ids = new Set<string>()
  const add = (step: number, variant: number, draft: DraftedEmail | undefined) => {
    if (draft === undefined) return
    templates.push({ step, variant, ...draft.email })
    subjects.add(draft.email.subject.toLowerCase())
    ids.add(draft.id)
  }

  for (const [index, draft] of draftFirstEmails(input).entries()) add(1, index + 1, draft)
  if (templates.length === 0)
    add(
      1,
      1,
      fillFirstMatching((step) => step === 3, reader, common, state)
    )
  for (const { body } of templates) stated.add(body)
  const maxWords = Math.max(minFollowUpWords, Math.min(...templates.map(({ body }) => countWords(body))))

  const lastSlots = followUpSlots(input, common, stated)
  const closing = fillFirstMatching((step) => step === 4, reader, lastSlots, state)
  if (closing !== undefined) stated.add(closing.email.body)
  for (const step of [2, 3]) {
    const slots = followUpSlots(input, common, stated)
    const draftWithContent = (filled: SlotMap) =>
      fillFirstMatching(
        (frameStep, id) => (frameStep === 2 || frameStep === 3) && !ids.has(id) && !plainFrames.has(id),
        reader,
        filled,
        state,
        maxWords
      )
    const draft =
      draftWithContent(slots) ??
      fillFirstMatching((frameStep, id) => frameStep === step && plainFrames.has(id), reader, slots, state)
    if (draft === undefined) continue
    stated.add(draft.email.body)
    add(step, 1, draft)
    // The second email has the chosen offer for all leads; the third may bring something else to some of them.
    const other = step === 3 ? draftWithContent(followUpSlots(input, common, stated)) : undefined
    if (other !== undefined) stated.add(other.email.body)
    add(step, 2, other ?? rewordEmail(draft, slots, state, maxWords))
  }
  add(4, 1, closing)
  if (closing !== undefined) add(4, 2, rewordEmail(closing, lastSlots, state, Infinity))
  return templates
}

const readerKind = (kind: PersonaOutline["kind"], departments: ReadonlyArray<Department>): Reader =>
  kind === "everyone_else" ? "everyone_else" : departments.includes("leadership") ? "owner" : "role"

/** Replaces message parts that contain a forbidden phrase with other parts from the profile. */
const replaceForbidden = (
  { kind, message, name, never_say = [], titles }: PersonaOutline,
  material: SellingPoints,
  departments: ReadonlyArray<Department>
): Message => {
  const isForbidden = (part: MessagePart) => containsForbidden(message[part] ?? "", never_say)
  if (!messageParts.some(isForbidden)) return message
  const readerProfile = { departments, everyoneElse: kind === "everyone_else", name, titles }
  const alternative = draftMessage(material, readerProfile, new Set()).message
  return mapMessage((part) => (isForbidden(part) ? alternative[part] : message[part]))
}

/** The emails of a persona whose message a person may have edited. */
export const draftPersona = (campaign: Campaign, outline: PersonaOutline): DraftedPersona => {
  const { never_say: forbidden = [], ...persona } = outline
  const departments = departmentsOfTitles(outline.titles)
  const material = removeForbidden(sellingPoints(campaign), forbidden)
  const names = personaGroups(campaign, material.problems).map(groupName)
  const index = names.indexOf(outline.name)
  const input = {
    material,
    rotation: index === -1 ? names.length : index,
    message: replaceForbidden(outline, material, departments),
    departments,
    titles: outline.titles,
    reader: readerKind(outline.kind, departments),
    forbidden
  }
  return {
    ...persona,
    templates: draftTemplates(input),
    missing: missingSentences(
      outline.message,
      {
        departments,
        everyoneElse: outline.kind === "everyone_else",
        name: outline.name,
        titles: outline.titles
      },
      { hasProof: material.proofs.length > 0, foreign: material.hasForeignText }
    )
  }
}

/** Like `draftPlaybook`, and pauses within and between personas, because a long profile takes long. */
export const draftPlaybookInTurns = function* (campaign: Campaign): Turns<ReadonlyArray<DraftedPersona>> {
  const material = sellingPoints(campaign)
  // The parsed nouns are kept, so that ranking the problems is one short turn.
  for (const problem of material.problems) {
    yield
    nounStems(removeParentheses(problem))
  }
  yield
  const usedProblems = new Set<string>()
  const personas: Array<DraftedPersona> = []
  for (const group of personaGroups(campaign, material.problems)) {
    yield
    const name = groupName(group)
    const { message, missing } = draftMessage(
      material,
      { departments: group.departments, everyoneElse: false, name, titles: group.titles },
      usedProblems
    )
    const problem = material.problems.find((text) => withoutFullStop(text) === message.problem)
    if (problem !== undefined) usedProblems.add(problem)
    yield
    personas.push({ ...draftPersona(campaign, { name, kind: "role", titles: group.titles, message }), missing })
  }
  yield
  const rest = { departments: [], everyoneElse: true, name: "Everyone else", titles: [] }
  const { message, missing } = draftMessage(material, rest, usedProblems)
  yield
  const everyoneElse = draftPersona(campaign, { name: rest.name, kind: "everyone_else", titles: [], message })
  return [...personas, { ...everyoneElse, missing }]
}

/** The personas of a campaign with their emails; "Everyone else" is the last. */
export const draftPlaybook = (campaign: Campaign): ReadonlyArray<DraftedPersona> =>
  runAtOnce(draftPlaybookInTurns(campaign))
